/* The main of a test program: one case, with its tests named one by one. */
#ifndef TESTS_BASE_SUITE_H
#define TESTS_BASE_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int run_case(TCase *tests)
{
    Suite *suite = suite_create("base");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
