/* What most tests of src/cl begin with: the device that SELVEDGE_DEVICE names or the usual one, and programs built for
   it without Selvedge's own help. A machine without a device fails here: the tests need one. */
#ifndef TESTS_CL_OPENED_H
#define TESTS_CL_OPENED_H

#include "cl/device.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static selvi_devices opened;

static inline void open_device(void)
{
    selv_config config = {0};
    ck_assert_msg(selvi_devices_open(&config, getenv("SELVEDGE_DEVICE"), &opened) == SELV_OK, "%s", selv_error());
}

static inline void close_device(void)
{
    selvi_devices_close(&opened);
}

static inline cl_program build_plainly(const char *source, const char *options)
{
    cl_int st;
    cl_program p = clCreateProgramWithSource(opened.context, 1, &source, NULL, &st);
    ck_assert_int_eq(st, CL_SUCCESS);
    st = clBuildProgram(p, 1, &opened.at[0].id, options, NULL, NULL);
    if (!st)
        return p;
    clReleaseProgram(p);
    return NULL;
}

static inline bool on_pocl(cl_platform_id platform)
{
    char name[64] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    return strstr(name, "Portable Computing Language") != NULL;
}

/* Why a test asserts nothing on this driver: printed, so that no pass hides it. */
#define SKIP_IF(condition, reason)                                                                                     \
    if (condition) {                                                                                                   \
        printf("skipped: %s: %s\n", __func__, reason);                                                                 \
        return;                                                                                                        \
    }

static inline int run_suite(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
