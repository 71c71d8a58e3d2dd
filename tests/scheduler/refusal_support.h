/* A scheduler with kernels, buffers and an SVM block, for tests of what goes wrong. After each refusal everything has
   to be as it was: the numbers of selv_stats, the contents of memory, and that the next good task works. */
#ifndef TESTS_SCHEDULER_REFUSAL_SUPPORT_H
#define TESTS_SCHEDULER_REFUSAL_SUPPORT_H

#include "selvedge/selvedge.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 64, BYTES = ITEMS * 4 };

typedef struct scene {
    selv_scheduler *s;
    cl_program program;
    cl_kernel set, add, bump, numbers, kinds, slow;
    cl_mem x, y, z; /* x holds 7 everywhere, y and z hold 0 */
    int *block;     /* SVM of BYTES bytes that the host may read: 9 everywhere; NULL where there is none */
} scene;

static const char scene_source[] =
    "kernel void set(global int *x, int v) { x[get_global_id(0)] = v; }\n"
    "kernel void add(global int *y, global const int *x) { y[get_global_id(0)] += x[get_global_id(0)]; }\n"
    "kernel void bump(global int *sum) { atomic_inc(sum); }\n"
    "kernel void numbers(global int *x, uchar a, int b, float c, uint d) { x[get_global_id(0)] = a + b + (int)c + d; "
    "}\n"
    "kernel void kinds(global int *x, local int *l, sampler_t sam, read_only image2d_t img, float4 v)\n"
    "{ l[0] = 0; x[get_global_id(0)] = (int)(read_imagef(img, sam, (int2)(0, 0)).x + v.x) + l[0]; }\n"
    "kernel void slow(global int *x, int n)\n"
    "{ int i = get_global_id(0), v = x[i]; for (int k = 0; k < n; k++) v = v * 1664525 + 1013904223; x[i] = v; }\n";

static inline void scene_buffers(scene *w)
{
    int seven[ITEMS], zero[ITEMS] = {0};
    for (int i = 0; i < ITEMS; i++)
        seven[i] = 7;
    ck_assert_int_eq(selv_buffer(w->s, BYTES, seven, &w->x), 0);
    ck_assert_int_eq(selv_buffer(w->s, BYTES, zero, &w->y), 0);
    ck_assert_int_eq(selv_buffer(w->s, BYTES, zero, &w->z), 0);
    if (selv_svm(w->s, BYTES, &w->block)) {
        selv_failure(w->s);
        w->block = NULL;
    }
    for (int i = 0; w->block && i < ITEMS; i++)
        w->block[i] = 9;
}

static inline void scene_kernels(scene *w)
{
    ck_assert_msg(!selv_build(w->s, scene_source, NULL, &w->program), "%s", selv_error());
    ck_assert_int_eq(selv_kernel(w->s, w->program, "set", &w->set), 0);
    ck_assert_int_eq(selv_kernel(w->s, w->program, "add", &w->add), 0);
    ck_assert_int_eq(selv_kernel(w->s, w->program, "bump", &w->bump), 0);
    ck_assert_int_eq(selv_kernel(w->s, w->program, "numbers", &w->numbers), 0);
    ck_assert_int_eq(selv_kernel(w->s, w->program, "kinds", &w->kinds), 0);
    ck_assert_int_eq(selv_kernel(w->s, w->program, "slow", &w->slow), 0);
}

static inline scene scene_open(const selv_config *config)
{
    scene w = {0};
    ck_assert_msg(!selv_open(config, &w.s), "%s", selv_error());
    scene_kernels(&w);
    scene_buffers(&w);
    return w;
}

/* Closes and releases; what is still unseen has to be this. */
static inline void scene_close(scene *w, selv_status expected)
{
    cl_kernel kernels[] = {w->set, w->add, w->bump, w->numbers, w->kinds, w->slow};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        clReleaseKernel(kernels[i]);
    clReleaseProgram(w->program);
    cl_mem buffers[] = {w->x, w->y, w->z};
    for (size_t i = 0; i < 3; i++)
        if (buffers[i])
            ck_assert_int_eq(selv_release(w->s, buffers[i]), 0);
    ck_assert_int_eq(selv_svm_free(w->s, w->block), 0);
    ck_assert_int_eq(selv_close(w->s), expected);
}

static inline void expect_words(const char *const *words)
{
    for (; *words; words++)
        ck_assert_msg(strstr(selv_error(), *words) != NULL, "'%s' is missing in: %s", *words, selv_error());
}

static inline void expect_all(scene *w, cl_mem m, int value)
{
    int got[ITEMS];
    ck_assert_msg(!selv_read(w->s, got, m, sizeof got), "%s", selv_error());
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], value);
}

/* Once everything is done, and selv_finish has told this status. */
static inline selv_statistics stats_after(scene *w, selv_status expected)
{
    selv_statistics now;
    ck_assert_int_eq(selv_finish(w->s), expected);
    ck_assert_int_eq(selv_stats(w->s, &now), 0);
    return now;
}

static inline selv_statistics stats_of(scene *w)
{
    return stats_after(w, 0);
}

/* What a refusal may not change. Handles that were seen, and queues that were made, stay. */
static inline void expect_same(const selv_statistics *a, const selv_statistics *b)
{
    ck_assert_uint_eq(a->tasks, b->tasks);
    ck_assert_uint_eq(a->waits, b->waits);
    ck_assert_uint_eq(a->hazards, b->hazards);
    ck_assert_uint_eq(a->failed, b->failed);
    ck_assert_uint_eq(a->tasks_running, b->tasks_running);
    ck_assert_uint_eq(a->live_events, b->live_events);
    ck_assert_uint_eq(a->parts - a->allocations, b->parts - b->allocations); /* one each, at least */
    ck_assert_uint_eq(a->records, b->records);
    ck_assert_uint_eq(a->bytes_held, b->bytes_held);
    ck_assert_uint_eq(a->uploads, b->uploads);
    ck_assert_uint_eq(a->downloads, b->downloads);
    ck_assert_uint_eq(a->bytes_up, b->bytes_up);
    ck_assert_uint_eq(a->bytes_down, b->bytes_down);
}

/* A good launch that reads x and writes z; x and y still hold what they held, the block can still be read. */
static inline void expect_works(scene *w)
{
    for (int i = 0; w->block && i < ITEMS; i++)
        ck_assert_int_eq(w->block[i], 9);
    ck_assert_int_gt(selv_zero(w->s, w->z, BYTES), 0);
    ck_assert_msg(selv_launch(w->s, w->add, selv_1d(ITEMS), w->z, w->x) > 0, "%s", selv_error());
    expect_all(w, w->z, 7);
    expect_all(w, w->x, 7);
    expect_all(w, w->y, 0);
}

static inline void expect_refusal(scene *w, const selv_statistics *before, long long got, const char *call,
                                  selv_status status, const char *const *words)
{
    selv_statistics after;
    ck_assert_msg(got == status, "%s: expected %s, got %lld (%s), %s", call, selv_status_name(status), got,
                  selv_status_name((selv_status)got), selv_error());
    expect_words(words);
    ck_assert_int_eq(selv_stats(w->s, &after), 0);
    expect_same(before, &after);
    ck_assert_int_eq(selv_finish(w->s), status); /* a program that checks nothing learns of it here, once */
    expect_words(words);
    ck_assert_int_eq(selv_finish(w->s), 0);
}

/* REFUSED(&w, call, status, words...): the call is refused with that status, the text holds all the words, nothing
   changed, and selv_finish tells it once. */
#define REFUSED(w, call, status, ...)                                                                                  \
    do {                                                                                                               \
        const selv_statistics before_ = stats_of(w);                                                                   \
        long long got_ = (call);                                                                                       \
        expect_refusal(w, &before_, got_, #call, status, (const char *const[]){__VA_ARGS__, NULL});                    \
    } while (0)

/* The block is mapped for the host again, if a good task has taken it. */
static inline void block_back(scene *w)
{
    if (w->block)
        ck_assert_int_eq(selv_wait(w->s, w->block), 0);
}

/* Another context of the same device. */
static inline cl_context other_context(const scene *w)
{
    cl_int code;
    cl_device_id device = selv_device(w->s, 0);
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return c;
}

/* A gate: adopted work that writes m and ends when the user event does. */
static inline cl_event user_event(cl_context c)
{
    cl_int code;
    cl_event e = clCreateUserEvent(c, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return e;
}

static inline cl_event gate_on(scene *w, cl_mem m)
{
    cl_event e = user_event(selv_context(w->s));
    ck_assert_int_gt(selv_adopt(w->s, e, selv_inout(m)), 0);
    return e;
}

static inline void open_gate(cl_event e)
{
    ck_assert_int_eq(clSetUserEventStatus(e, CL_COMPLETE), CL_SUCCESS);
    clReleaseEvent(e);
}

static inline void break_gate(cl_event e, int code)
{
    ck_assert_int_eq(clSetUserEventStatus(e, code), CL_SUCCESS);
    clReleaseEvent(e);
}

static inline int run_tests(const char *name, void (*add)(TCase *), int seconds)
{
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, seconds);
    add(tests);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
