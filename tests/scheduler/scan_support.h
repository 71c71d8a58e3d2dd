/* For the tests of arguments, memory and tasks: one scheduler for each test, what the test makes is given back after
   it, and a gate for any kind of memory. Each file has its kernels in `source`; a test runs in a process of its own. */
#ifndef TESTS_SCHEDULER_SCAN_SUPPORT_H
#define TESTS_SCHEDULER_SCAN_SUPPORT_H

#include "support.h"

#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

static selv_scheduler *s;

static struct {
    cl_program program;
    cl_kernel kernels[128];
    size_t kernel_count;
    cl_mem mems[256];
    size_t mem_count;
} kept;

static inline void open_for_test(void)
{
    s = open_recording(4);
}

static inline void give_back(void)
{
    for (size_t i = 0; i < kept.mem_count; i++)
        clReleaseMemObject(kept.mems[i]);
    for (size_t i = 0; i < kept.kernel_count; i++)
        clReleaseKernel(kept.kernels[i]);
    if (kept.program)
        clReleaseProgram(kept.program);
    memset(&kept, 0, sizeof kept);
}

static inline void close_after_test(void)
{
    give_back();
    close_well(s);
}

/* A refusal was wanted: then its status is the one that selv_failure gives, and it is forgotten. */
static inline void refused_with(selv_task result, selv_status expected)
{
    ck_assert_msg(result == expected, "expected %s, and %lld (%s) came: %s", selv_status_name(expected),
                  (long long)result, result < 0 ? selv_status_name((selv_status)result) : "no failure", selv_error());
    ck_assert_int_eq(selv_failure(s), expected);
}

/* --- kept to the end of the test --- */

static inline cl_mem keep_mem(cl_mem m)
{
    ck_assert_ptr_nonnull(m);
    ck_assert_uint_lt(kept.mem_count, sizeof kept.mems / sizeof *kept.mems);
    return kept.mems[kept.mem_count++] = m;
}

static inline cl_mem mem_of(size_t bytes, const void *init)
{
    return keep_mem(buffer_of(s, bytes, init));
}

static inline cl_mem plain_mem(cl_mem_flags flags, size_t bytes)
{
    cl_int code;
    cl_mem m = clCreateBuffer(selv_context(s), flags, bytes, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return keep_mem(m);
}

static inline cl_mem sub_buffer(cl_mem parent, size_t origin, size_t bytes)
{
    cl_int code;
    cl_buffer_region region = {origin, bytes};
    cl_mem m = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return keep_mem(m);
}

static inline cl_kernel keep_kernel(cl_kernel k)
{
    ck_assert_uint_lt(kept.kernel_count, sizeof kept.kernels / sizeof *kept.kernels);
    return kept.kernels[kept.kernel_count++] = k;
}

static inline cl_kernel kernel_in(const char *source, const char *name)
{
    if (!kept.program)
        kept.program = build(s, source);
    return keep_kernel(kernel_of(s, kept.program, name));
}

#define KERNEL(name) kernel_in(source, name)

/* Without argument information, unless the options ask for it: as a program of somebody else's. ("", for with NULL
   PoCL 3.1 keeps the information unasked.) */
static inline cl_program build_plainly(const char *source, const char *options)
{
    cl_int code;
    cl_device_id device = selv_device(s, 0);
    cl_program p = clCreateProgramWithSource(selv_context(s), 1, &source, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(p, 1, &device, options, NULL, NULL), CL_SUCCESS);
    return p;
}

/* --- gates for whatever can be named --- */

static inline gate close_gate_of(selv_arg x)
{
    cl_int code;
    gate g = {clCreateUserEvent(selv_context(s), &code), 0};
    ck_assert_int_eq(code, CL_SUCCESS);
    g.task = given(selv_adopt(s, g.event, x));
    return g;
}

/* How many handles were used before. */
typedef struct handles {
    const void *at[256];
    size_t count, again;
} handles;

static inline void note_handle(handles *h, const void *handle)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i] == handle) {
            h->again++;
            return;
        }
    ck_assert_uint_lt(h->count, 256);
    h->at[h->count++] = handle;
}

/* Until only the user holds it: the release that follows is then the last one, on this thread, and an object made
   later takes its place. */
static inline void until_unused(cl_mem m)
{
    cl_uint count = 2;
    for (int i = 0; i < 1000 && count > 1; i++) {
        clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
        usleep(count > 1 ? 1000 : 0);
    }
}

/* --- edges --- */

static inline bool ordered(selv_task from, selv_task to)
{
    return reasons_between(s, from, to) != 0;
}

#define ORDERED(from, to) ck_assert_msg(ordered(from, to), "no edge %s -> %s", #from, #to)
#define UNORDERED(from, to) ck_assert_msg(!ordered(from, to), "an edge %s -> %s", #from, #to)

/* --- drivers --- */

static inline bool on_pocl(void)
{
    char version[256] = "";
    clGetDeviceInfo(selv_device(s, 0), CL_DEVICE_VERSION, sizeof version, version, NULL);
    return strstr(version, "PoCL") || strstr(version, "pocl");
}

/* In a process of its own: a driver does not live through the fork that each test begins with. */
static inline bool device_has_svm(void)
{
    int status = 1;
    pid_t child = fork();
    if (!child) {
        cl_device_svm_capabilities caps = 0;
        if (selv_open(NULL, &s))
            _exit(2);
        clGetDeviceInfo(selv_device(s, 0), CL_DEVICE_SVM_CAPABILITIES, sizeof caps, &caps, NULL);
        _exit(caps ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

/* The address sanitizer keeps freed memory apart, so that no address comes again. */
static inline bool handles_come_again(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return false;
#else
    return on_pocl();
#endif
}

/* Why a test asserts nothing on this driver: printed, so that no pass hides it. */
#define SKIP_IF(condition, reason)                                                                                     \
    if (condition) {                                                                                                   \
        printf("skipped: %s: %s\n", __func__, reason);                                                                 \
        return;                                                                                                        \
    }

static inline TCase *case_of_tests(void)
{
    TCase *t = tcase_create("tests");
    tcase_add_checked_fixture(t, open_for_test, close_after_test);
    return t;
}

/* `more` may be NULL. */
static inline int run_cases(const char *name, TCase *tests, TCase *more)
{
    Suite *suite = suite_create(name);
    tcase_set_timeout(tests, 20);
    suite_add_tcase(suite, tests);
    if (more)
        suite_add_tcase(suite, more);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
