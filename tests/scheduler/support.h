/* What the tests of src/scheduler begin with: a scheduler that records, kernels and buffers without ceremony, the edges
   between two tasks, and two ways to hold a task back, since most missing waits stay invisible while everything is
   fast:

     slow         a kernel of about 10 ms, to be linked into a program by SLOW_SOURCE
     close_gate   an unfinished event that is adopted as a writer of some memory: what needs that memory does not run
                  before open_gate. Tasks behind a gate go to quarantine lanes, one for each chain.

   A machine without a device fails here: the tests need one. */
#ifndef TESTS_SCHEDULER_SUPPORT_H
#define TESTS_SCHEDULER_SUPPORT_H

#include <selvedge/graph.h>
#include <selvedge/selvedge.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- statuses --- */

#define OK(call) ck_assert_msg((call) == SELV_OK, "%s: %s", #call, selv_error())

/* A task that has to be accepted. */
static inline selv_task given(selv_task t)
{
    ck_assert_msg(t > 0, "%s", selv_error());
    return t;
}

/* The last failure's text has to hold each of these. */
static inline void error_says(const char *part)
{
    ck_assert_msg(strstr(selv_error(), part) != NULL, "expected '%s' in: %s", part, selv_error());
}

/* --- scheduler, kernels, memory --- */

/* 0 lanes: what suits the device. */
static inline selv_scheduler *open_with(unsigned lanes, unsigned flags)
{
    selv_scheduler *s = NULL;
    const selv_config config = {.size = sizeof config, .lanes_per_device = lanes, .flags = flags};
    OK(selv_open(&config, &s));
    return s;
}

static inline selv_scheduler *open_recording(unsigned lanes)
{
    return open_with(lanes, SELV_RECORD);
}

static inline void close_well(selv_scheduler *s)
{
    OK(selv_close(s));
}

static inline cl_program build(selv_scheduler *s, const char *source)
{
    cl_program p = NULL;
    OK(selv_build(s, source, NULL, &p));
    return p;
}

static inline cl_kernel kernel_of(selv_scheduler *s, cl_program program, const char *name)
{
    cl_kernel k = NULL;
    OK(selv_kernel(s, program, name, &k));
    return k;
}

static inline cl_mem buffer_of(selv_scheduler *s, size_t bytes, const void *init)
{
    cl_mem m = NULL;
    OK(selv_buffer(s, bytes, init, &m));
    return m;
}

static inline int read_int(selv_scheduler *s, cl_mem m)
{
    int value = 0;
    OK(selv_read(s, &value, m, sizeof value));
    return value;
}

/* Where a sub-buffer may begin: multiples of so many bytes. */
static inline size_t alignment_of(const selv_scheduler *s)
{
    cl_uint bits = 0;
    clGetDeviceInfo(selv_device(s, 0), CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    return bits / 8;
}

static inline selv_statistics stats_of(const selv_scheduler *s)
{
    selv_statistics now;
    OK(selv_stats(s, &now));
    return now;
}

/* --- edges --- */

typedef struct edges {
    selv_edge *at;
    size_t count;
} edges;

static inline edges edges_of(selv_scheduler *s)
{
    edges e = {NULL, 0};
    OK(selv_edges(s, NULL, 0, &e.count));
    e.at = malloc((e.count + 1) * sizeof *e.at);
    OK(selv_edges(s, e.at, e.count, &e.count));
    return e;
}

/* How many reasons lead from one task to the other; a redundant edge counts too. */
static inline size_t reasons_between(selv_scheduler *s, selv_task from, selv_task to)
{
    edges e = edges_of(s);
    size_t n = 0;
    for (size_t i = 0; i < e.count; i++)
        n += e.at[i].from == from && e.at[i].to == to;
    free(e.at);
    return n;
}

/* The first reason, copied. It has to be there. */
static inline selv_edge edge_between(selv_scheduler *s, selv_task from, selv_task to)
{
    edges e = edges_of(s);
    size_t i = 0;
    while (i < e.count && (e.at[i].from != from || e.at[i].to != to))
        i++;
    ck_assert_msg(i < e.count, "no edge t%lld -> t%lld", (long long)from, (long long)to);
    selv_edge found = e.at[i];
    free(e.at);
    return found;
}

/* An edge that no path over other tasks makes needless. */
static inline bool is_edge(selv_scheduler *s, selv_task from, selv_task to)
{
    return reasons_between(s, from, to) && !edge_between(s, from, to).redundant;
}

/* How many tasks have such an edge to this one. */
static inline size_t edges_into(selv_scheduler *s, selv_task to)
{
    edges e = edges_of(s);
    size_t n = 0;
    for (size_t i = 0; i < e.count; i++)
        n += e.at[i].to == to && !e.at[i].redundant && (!i || e.at[i - 1].to != to || e.at[i - 1].from != e.at[i].from);
    free(e.at);
    return n;
}

/* --- holding back --- */

/* One work-item of it takes about 10 ms on PoCL with `turns` = SLOW_TURNS. It leaves x[0] as it is. */
#define SLOW_SOURCE                                                                                                    \
    "uint busy(uint turns) { uint v = 1; for (uint i = 0; i < turns; i++) { v ^= v << 13; v ^= v >> 17; v ^= v << 5; " \
    "}"                                                                                                                \
    " return v; }\n"                                                                                                   \
    "kernel void slow(global int *x, uint turns) { x[0] += busy(turns) == 0; }\n"
#define SLOW_TURNS 5000000u

/* The program's own task of 10 ms that reads and writes m. */
static inline selv_task keep_busy(selv_scheduler *s, cl_program program, cl_mem m)
{
    cl_kernel k = kernel_of(s, program, "slow");
    selv_task t = given(selv_launch(s, k, selv_1d(1), m, SLOW_TURNS));
    clReleaseKernel(k);
    return t;
}

typedef struct gate {
    cl_event event;
    selv_task task;
} gate;

static inline gate close_gate(selv_scheduler *s, cl_mem m)
{
    cl_int code;
    gate g = {clCreateUserEvent(selv_context(s), &code), 0};
    ck_assert_int_eq(code, CL_SUCCESS);
    g.task = given(selv_adopt(s, g.event, m));
    return g;
}

/* status: CL_COMPLETE, or a negative code to fail it. */
static inline void end_gate(gate g, cl_int status)
{
    ck_assert_int_eq(clSetUserEventStatus(g.event, status), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(g.event), CL_SUCCESS);
}

static inline void open_gate(gate g)
{
    end_gate(g, CL_COMPLETE);
}

/* --- random programs --- */

/* From TEST_SEED in the environment, else from the time; printed. */
static inline unsigned test_seed(void)
{
    const char *given_seed = getenv("TEST_SEED");
    unsigned seed = given_seed ? (unsigned)strtoul(given_seed, NULL, 10) : (unsigned)time(NULL);
    printf("TEST_SEED=%u\n", seed);
    fflush(stdout);
    return seed;
}

static inline unsigned below(unsigned *seed, unsigned n)
{
    return (unsigned)rand_r(seed) % n;
}

/* --- running --- */

/* Each test has so many seconds. */
static inline int run_case(const char *name, TCase *tests, double seconds)
{
    Suite *suite = suite_create(name);
    tcase_set_timeout(tests, seconds);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
