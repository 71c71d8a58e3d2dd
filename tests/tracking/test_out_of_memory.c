/* Linked with --wrap=calloc and --wrap=realloc: one allocation of a whole run fails, each in turn. */
#include "base/memory.h"
#include "tracking/addresses.h"
#include "tracking/program.h"

#include <check.h>
#include <stdlib.h>

void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *p, size_t bytes);

static size_t until_failure; /* 0: none will fail */

static bool fails_now(void)
{
    return until_failure && !--until_failure;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails_now() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *p, size_t bytes)
{
    return fails_now() ? NULL : __real_realloc(p, bytes);
}

START_TEST(the_failure_reaches_the_library)
{
    until_failure = 2;
    void *p = selvi_alloc(8);
    ck_assert_ptr_nonnull(p);
    ck_assert_ptr_null(selvi_alloc(8));
    selvi_free(p);
}
END_TEST

/* Runs one program in which the n-th allocation fails; whether there were so many. */
static bool run_with_failure(unsigned seed, size_t n, program_horizon kind)
{
    static program g;
    program_begin(&g, seed, kind);
    until_failure = n;
    for (int step = 0; step < 25; step++)
        program_step(&g);
    bool failed = !until_failure;
    until_failure = 0;
    program_end(&g);
    return failed;
}

START_TEST(no_single_failed_allocation_changes_what_a_query_says)
{
    unsigned seed = test_seed();
    for (unsigned round = 0; round < 3; round++) {
        size_t n = 1;
        while (run_with_failure(seed + round, n, (program_horizon)(round % 3)))
            n++;
        ck_assert_uint_gt(n, 20);
    }
}
END_TEST

START_TEST(a_failed_reserve_leaves_one_untouched_part)
{
    selvi_access a = {.begin = 8, .end = 16, .mode = SELV_WRITE};
    for (size_t n = 1; n <= 3; n++) {
        selvi_parts p;
        selvi_parts_init(&p, 0, 64);
        until_failure = n;
        ck_assert_int_eq(selvi_parts_reserve(&p, &a), CL_OUT_OF_HOST_MEMORY);
        selvi_parts_check(&p);
        ck_assert_ptr_null(p.root);
        ck_assert_uint_eq(p.count, 1);
        ck_assert_int_eq(selvi_parts_reserve(&p, &a), SELV_OK);
        selvi_parts_destroy(&p);
    }
}
END_TEST

START_TEST(a_failed_reserve_of_one_access_keeps_what_another_has_reserved)
{
    selvi_access first = {.begin = 0, .end = 8, .mode = SELV_WRITE},
                 second = {.begin = 8, .end = 16, .mode = SELV_READ};
    selvi_parts p;
    selvi_parts_init(&p, 0, 64);
    ck_assert_int_eq(selvi_parts_reserve(&p, &first), SELV_OK);
    until_failure = 1;
    ck_assert_int_eq(selvi_parts_reserve(&p, &second), CL_OUT_OF_HOST_MEMORY);
    selvi_parts_apply(&p, &first, (selvi_epoch){.position = 1}, NULL);
    selvi_parts_check(&p);
    ck_assert_uint_eq(p.count, 2);
    selvi_parts_destroy(&p);
}
END_TEST

START_TEST(a_clock_that_cannot_grow_stays_as_it_was)
{
    selvi_clock c = {0};
    selvi_clock_raise(&c, (selvi_epoch){.lane = 1, .position = 5});
    until_failure = 1;
    ck_assert_int_eq(selvi_clock_reserve(&c, 1), CL_OUT_OF_HOST_MEMORY);
    selvi_clock_check(&c);
    ck_assert_uint_eq(selvi_clock_get(&c, 1), 5);
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(a_list_of_accesses_that_cannot_be_normalised_stays_as_it_was)
{
    selvi_access two[] = {{.begin = 8, .end = 24, .mode = SELV_READ}, {.begin = 0, .end = 16, .mode = SELV_WRITE}};
    for (size_t n = 1; n <= 2; n++) {
        selvi_accesses list = {0};
        ck_assert_int_eq(selvi_grow(&list.at, &list.capacity, n == 1 ? 2 : 5, sizeof *two), SELV_OK);
        list.count = 2;
        memcpy(list.at, two, sizeof two);
        list.capacity = n == 1 ? 2 : list.capacity; /* the first time the list itself must grow, and cannot */
        until_failure = 1;
        ck_assert_int_eq(selvi_accesses_normalise(&list), CL_OUT_OF_HOST_MEMORY);
        ck_assert_uint_eq(list.count, 2);
        ck_assert_mem_eq(list.at, two, sizeof two);
        selvi_accesses_destroy(&list);
    }
}
END_TEST

START_TEST(an_address_range_that_cannot_be_added_is_not_there)
{
    selvi_addresses m = {0};
    until_failure = 1;
    ck_assert_int_eq(selvi_addresses_add(&m, (selvi_address_range){0, 8, 1}), CL_OUT_OF_HOST_MEMORY);
    selvi_addresses_check(&m);
    selvi_address_range found;
    ck_assert(!selvi_addresses_find(&m, 4, &found));
    ck_assert_int_eq(selvi_addresses_add(&m, (selvi_address_range){0, 8, 1}), SELV_OK);
    selvi_addresses_destroy(&m);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tracking/out_of_memory");
    TCase *t = tcase_create("out of memory");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, the_failure_reaches_the_library);
    tcase_add_test(t, no_single_failed_allocation_changes_what_a_query_says);
    tcase_add_test(t, a_failed_reserve_leaves_one_untouched_part);
    tcase_add_test(t, a_failed_reserve_of_one_access_keeps_what_another_has_reserved);
    tcase_add_test(t, a_clock_that_cannot_grow_stays_as_it_was);
    tcase_add_test(t, a_list_of_accesses_that_cannot_be_normalised_stays_as_it_was);
    tcase_add_test(t, an_address_range_that_cannot_be_added_is_not_there);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
