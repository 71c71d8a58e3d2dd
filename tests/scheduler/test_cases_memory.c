/* Small programs that went wrong in other systems: SVM, failed events, and threads that share one kernel object. */
#include "scheduler/support.h"

#include <pthread.h>

static const char *source =
    SLOW_SOURCE "kernel void number(global int *x) { int i = get_global_id(0); x[i] = i + 1; }\n"
                "kernel void total(global const int *x, global int *sum, int n, uint turns)"
                "{ int v = busy(turns) == 0; for (int i = 0; i < n; i++) v += x[i]; sum[0] = v; }\n"
                "kernel void add(global int *x, int v) { x[get_global_id(0)] += v; }\n";

enum { LANES = 4, N = 1024 };

static selv_scheduler *s;
static cl_program program;

static void setup(void)
{
    s = open_recording(LANES);
    program = build(s, source);
}

static void teardown(void)
{
    clReleaseProgram(program);
    close_well(s);
}

static cl_mem int_of(int value)
{
    return buffer_of(s, sizeof value, &value);
}

static int *new_svm(size_t count)
{
    int *p = NULL;
    OK(selv_svm(s, count * sizeof *p, &p));
    return p;
}

START_TEST(svm_that_is_freed_at_once_lives_until_the_slow_kernel_has_summed_it)
{
    int *p = new_svm(N);
    cl_mem sum = int_of(0);
    cl_kernel number = kernel_of(s, program, "number"), total = kernel_of(s, program, "total");
    uint64_t held = stats_of(s).bytes_held;
    selv_task fill = given(selv_launch(s, number, selv_1d(N), p));
    selv_task t = given(selv_launch(s, total, selv_1d(1), p, sum, N, SLOW_TURNS));
    OK(selv_svm_free(s, p));
    ck_assert_uint_eq(stats_of(s).bytes_held, held); /* the kernel still needs it */
    ck_assert_int_eq(read_int(s, sum), 524800);
    ck_assert(is_edge(s, fill, t));
    ck_assert_int_eq(edge_between(s, fill, t).kind, SELV_RAW);
    OK(selv_release(s, sum));
    clReleaseKernel(number);
    clReleaseKernel(total);
}
END_TEST

START_TEST(an_interior_pointer_and_the_whole_block_are_one_memory)
{
    int *p = new_svm(N);
    cl_kernel number = kernel_of(s, program, "number"), add = kernel_of(s, program, "add");
    given(selv_launch(s, number, selv_1d(N), p));
    OK(selv_finish(s));
    selv_task inside = given(selv_launch(s, number, selv_1d(N / 2), p + N / 2));
    selv_task whole = given(selv_launch(s, add, selv_1d(N), p, 10));
    OK(selv_wait(s, p));
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(p[i], i % (N / 2) + 11);
    ck_assert(is_edge(s, inside, whole));
    ck_assert_uint_eq(reasons_between(s, inside, whole), 1);
    ck_assert_uint_eq(edges_into(s, whole), 1);
    OK(selv_svm_free(s, p));
    clReleaseKernel(number);
    clReleaseKernel(add);
}
END_TEST

START_TEST(one_past_the_end_of_a_block_is_refused_in_so_many_words)
{
    int *p = new_svm(N);
    cl_kernel add = kernel_of(s, program, "add");
    uint64_t before = stats_of(s).tasks;
    ck_assert_int_eq(selv_launch(s, add, selv_1d(1), p + N, 1), SELV_UNKNOWN_POINTER);
    error_says("one past the end");
    error_says("argument 0");
    error_says("add");
    ck_assert_uint_eq(stats_of(s).tasks, before);
    ck_assert_int_eq(selv_finish(s), SELV_UNKNOWN_POINTER);
    OK(selv_svm_free(s, p));
    clReleaseKernel(add);
}
END_TEST

static void assert_reported_failed(selv_task t, const char *code)
{
    ck_assert_int_eq(selv_wait_task(s, t), SELV_TASK_FAILED);
    error_says("adopted");
    error_says(code);
}

/* fails_late: the event ends after the tasks were given, else before it is even adopted. */
static void a_failed_event(bool fails_late)
{
    cl_mem broken = int_of(5), sound = int_of(7);
    cl_kernel add = kernel_of(s, program, "add");
    cl_int code;
    gate g = {clCreateUserEvent(selv_context(s), &code), 0};
    ck_assert_int_eq(code, CL_SUCCESS);
    if (!fails_late)
        clSetUserEventStatus(g.event, CL_OUT_OF_RESOURCES);
    g.task = given(selv_adopt(s, g.event, broken));
    selv_task needs_it = given(selv_launch(s, add, selv_1d(1), broken, 1));
    selv_task unrelated = given(selv_launch(s, add, selv_1d(1), sound, 1));
    if (fails_late)
        clSetUserEventStatus(g.event, CL_OUT_OF_RESOURCES);
    assert_reported_failed(needs_it, "CL_OUT_OF_RESOURCES");
    OK(selv_wait_task(s, unrelated));
    ck_assert_int_eq(read_int(s, sound), 8);
    ck_assert(is_edge(s, g.task, needs_it));
    ck_assert_uint_eq(edges_into(s, unrelated), 0);
    ck_assert_int_eq(selv_wait(s, broken), SELV_TASK_FAILED);
    given(selv_fill(s, sound, 0, sizeof(int)));
    ck_assert_int_eq(read_int(s, sound), 0);
    ck_assert_int_eq(selv_failure(s), SELV_TASK_FAILED);
    clReleaseEvent(g.event);
    clReleaseKernel(add);
    OK(selv_release(s, broken));
    OK(selv_release(s, sound));
}

/* What is in the buffer is asked of OpenCL itself: for the scheduler it was never made. */
static int bare_int(cl_mem m)
{
    int value = 0;
    cl_int code;
    cl_command_queue q = clCreateCommandQueueWithProperties(selv_context(s), selv_device(s, 0), NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL), CL_SUCCESS);
    clReleaseCommandQueue(q);
    return value;
}

START_TEST(a_launch_behind_an_event_that_fails_later_is_reported_failed_and_an_unrelated_one_runs)
{
    a_failed_event(true);
}
END_TEST

START_TEST(a_launch_behind_an_event_that_has_failed_is_reported_failed_and_an_unrelated_one_runs)
{
    a_failed_event(false);
}
END_TEST

START_TEST(a_launch_behind_a_failed_event_has_not_run)
{
    cl_mem m = int_of(5);
    cl_kernel add = kernel_of(s, program, "add");
    gate g = close_gate(s, m);
    selv_task t = given(selv_launch(s, add, selv_1d(1), m, 1));
    end_gate(g, CL_OUT_OF_RESOURCES);
    assert_reported_failed(t, "CL_OUT_OF_RESOURCES");
    ck_assert_int_eq(bare_int(m), 5);
    ck_assert_int_eq(selv_finish(s), SELV_TASK_FAILED);
    error_says("adopted");
    clReleaseKernel(add);
    OK(selv_release(s, m));
}
END_TEST

/* --- threads --- */

enum { THREADS = 8, LAUNCHES = 1000 };

typedef struct worker {
    pthread_t thread;
    cl_kernel add;
    cl_mem own;
    int number, refused;
} worker;

static void *launch_many(void *user)
{
    worker *w = user;
    for (int i = 0; i < LAUNCHES; i++)
        w->refused += selv_launch(s, w->add, selv_1d(1), w->own, w->number) <= 0;
    return NULL;
}

/* Every launch of a thread follows its launch before, and no other: so many edges, and none more. */
static void assert_eight_chains(void)
{
    edges e = edges_of(s);
    size_t needed = 0;
    for (size_t i = 0; i < e.count; i++)
        needed += !e.at[i].redundant;
    ck_assert_uint_eq(needed, THREADS * (LAUNCHES - 1));
    free(e.at);
}

START_TEST(eight_threads_with_one_kernel_object_never_mix_arguments)
{
    worker w[THREADS];
    cl_kernel add = kernel_of(s, program, "add");
    for (int i = 0; i < THREADS; i++)
        w[i] = (worker){.add = add, .own = int_of(0), .number = i + 1};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&w[i].thread, NULL, launch_many, &w[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].thread, NULL);
    ck_assert_uint_eq(stats_of(s).tasks, THREADS * LAUNCHES);
    assert_eight_chains();
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(w[i].refused, 0);
        ck_assert_int_eq(read_int(s, w[i].own), LAUNCHES * w[i].number);
        OK(selv_release(s, w[i].own));
    }
    clReleaseKernel(add);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("cases");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, svm_that_is_freed_at_once_lives_until_the_slow_kernel_has_summed_it);
    tcase_add_test(c, an_interior_pointer_and_the_whole_block_are_one_memory);
    tcase_add_test(c, one_past_the_end_of_a_block_is_refused_in_so_many_words);
    tcase_add_test(c, a_launch_behind_an_event_that_fails_later_is_reported_failed_and_an_unrelated_one_runs);
    tcase_add_test(c, a_launch_behind_an_event_that_has_failed_is_reported_failed_and_an_unrelated_one_runs);
    tcase_add_test(c, a_launch_behind_a_failed_event_has_not_run);
    tcase_add_test(c, eight_threads_with_one_kernel_object_never_mix_arguments);
    return run_case("memory, failures, threads", c, 60);
}
