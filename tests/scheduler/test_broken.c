/* What broke once, and what no other test would notice: each test is named after what went wrong. Some calls of the
   driver are looked at on their way. */
#include "scheduler/support.h"

#include <dlfcn.h>

/* --- the driver, looked at: these stand before the calls of the same name in the OpenCL library --- */

enum { HELD_BACK = 64 };

static struct {
    cl_event held_back[HELD_BACK]; /* of launches whose queue was not flushed since */
    size_t held_back_count;
    int waits, waits_held_back; /* for events of other queues; of them: for one that is held back */
    int maps;                   /* of SVM, less the unmaps */
    cl_event to_fail;           /* just before the next launch reaches the driver */
} seen;

static void (*next(const char *name))(void)
{
    void (*f)(void) = NULL;
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(&f, &found, sizeof f);
    return f;
}
#define NEXT(name) ((__typeof__(&name))next(#name))

static cl_command_queue queue_of(cl_event e)
{
    cl_command_queue q = NULL;
    clGetEventInfo(e, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL);
    return q;
}

static bool is_held_back(cl_event e)
{
    for (size_t i = 0; i < seen.held_back_count; i++)
        if (seen.held_back[i] == e)
            return true;
    return false;
}

static void look_at_waits(cl_command_queue q, cl_uint n, const cl_event *waits)
{
    for (cl_uint i = 0; i < n; i++) {
        bool other = queue_of(waits[i]) && queue_of(waits[i]) != q;
        seen.waits += other;
        seen.waits_held_back += other && is_held_back(waits[i]);
    }
}

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset, const size_t *global,
                              const size_t *local, cl_uint n, const cl_event *waits, cl_event *event)
{
    look_at_waits(q, n, waits);
    if (seen.to_fail && n) {
        clSetUserEventStatus(seen.to_fail, CL_OUT_OF_RESOURCES);
        seen.to_fail = NULL;
    }
    cl_int code = NEXT(clEnqueueNDRangeKernel)(q, k, dims, offset, global, local, n, waits, event);
    if (!code && seen.held_back_count < HELD_BACK)
        seen.held_back[seen.held_back_count++] = *event;
    return code;
}

cl_int clFlush(cl_command_queue q)
{
    size_t kept = 0;
    for (size_t i = 0; i < seen.held_back_count; i++)
        if (queue_of(seen.held_back[i]) != q)
            seen.held_back[kept++] = seen.held_back[i];
    seen.held_back_count = kept;
    return NEXT(clFlush)(q);
}

cl_int clEnqueueSVMMap(cl_command_queue q, cl_bool blocking, cl_map_flags flags, void *p, size_t bytes, cl_uint n,
                       const cl_event *waits, cl_event *event)
{
    seen.maps++;
    return NEXT(clEnqueueSVMMap)(q, blocking, flags, p, bytes, n, waits, event);
}

cl_int clEnqueueSVMUnmap(cl_command_queue q, void *p, cl_uint n, const cl_event *waits, cl_event *event)
{
    seen.maps--;
    return NEXT(clEnqueueSVMUnmap)(q, p, n, waits, event);
}

/* --- the tests --- */

#define SET "kernel void set(global int *y, int v) { y[get_global_id(0)] = v; }\n"

static gate fail_a_writer(selv_scheduler *s, selv_arg x)
{
    cl_int code;
    gate g = {clCreateUserEvent(selv_context(s), &code), 0};
    g.task = given(selv_adopt(s, g.event, x));
    ck_assert_int_eq(clSetUserEventStatus(g.event, CL_OUT_OF_RESOURCES), CL_SUCCESS);
    ck_assert_int_eq(selv_finish(s), SELV_TASK_FAILED);
    return g;
}

static void release_all(cl_program p, cl_kernel k)
{
    clReleaseKernel(k);
    clReleaseProgram(p);
}

/* Of no work-items: PoCL makes a folder of that name when it runs a kernel, and ends the program if that is too long.
 */
START_TEST(a_kernel_whose_name_has_400_letters_is_launched)
{
    char name[401], source[600];
    selv_scheduler *s = open_recording(0);
    memset(name, 'k', 400);
    name[400] = '\0';
    snprintf(source, sizeof source, "kernel void %s(global int *y) { y[0] = 7; }", name);
    cl_program p = build(s, source);
    cl_kernel k = kernel_of(s, p, name);
    cl_mem y = buffer_of(s, sizeof(int), NULL);
    given(selv_launch(s, k, selv_1d(0), y));
    OK(selv_finish(s));
    OK(selv_release(s, y));
    release_all(p, k);
    close_well(s);
}
END_TEST

START_TEST(an_svm_block_is_known_still_after_a_buffer_over_it_was_mapped_and_unmapped)
{
    int *p = NULL, *mapped = NULL;
    cl_int code;
    selv_scheduler *s = open_recording(0);
    if (selv_svm(s, 4096, &p) == SELV_UNSUPPORTED)
        return;
    cl_mem over = clCreateBuffer(selv_context(s), CL_MEM_USE_HOST_PTR, 4096, p, &code);
    OK(selv_map(s, over, SELV_READ_WRITE, &mapped));
    given(selv_unmap(s, over));
    given(selv_fill(s, p, 3, 4096));
    OK(selv_wait(s, p));
    ck_assert_int_eq(p[5], 3);
    clReleaseMemObject(over);
    OK(selv_svm_free(s, p));
    close_well(s);
}
END_TEST

START_TEST(local_memory_beyond_what_the_device_has_is_refused)
{
    selv_scheduler *s = open_recording(0);
    cl_program p =
        build(s, "kernel void k(global int *y, local int *a, local int *b) { a[0] = b[0] = 1; y[0] = a[0]; }");
    cl_kernel k = kernel_of(s, p, "k");
    cl_mem y = buffer_of(s, sizeof(int), NULL);
    ck_assert_int_eq(selv_launch(s, k, selv_1d(1), y, selv_local(4), selv_local((size_t)1 << 40)), SELV_ARGUMENT_VALUE);
    ck_assert_int_eq(selv_launch(s, k, selv_1d(1), y, selv_local(SIZE_MAX), selv_local(SIZE_MAX)), SELV_ARGUMENT_VALUE);
    error_says("selv_local");
    given(selv_launch(s, k, selv_1d(1), y, selv_local(4), selv_local(4)));
    ck_assert_int_eq(read_int(s, y), 1);
    ck_assert_int_eq(selv_failure(s), SELV_ARGUMENT_VALUE);
    OK(selv_release(s, y));
    release_all(p, k);
    close_well(s);
}
END_TEST

START_TEST(a_failure_that_is_known_does_not_stay_with_program_scope_variables)
{
    cl_program p = NULL;
    selv_scheduler *s = open_recording(0);
    if (selv_build(s, "global int n = 0; kernel void count(global int *y) { y[0] = ++n; }", "-cl-std=CL2.0", &p))
        return;
    cl_kernel k = kernel_of(s, p, "count");
    cl_mem x = buffer_of(s, sizeof(int), NULL), y = buffer_of(s, sizeof(int), NULL);
    gate g = close_gate(s, x);
    given(selv_launch(s, k, selv_1d(1), x)); /* it would have changed n too */
    end_gate(g, CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(selv_finish(s), SELV_TASK_FAILED);
    given(selv_launch(s, k, selv_1d(1), y));
    ck_assert_int_eq(read_int(s, y), 1);
    given(selv_launch(s, k, selv_1d(1), x)); /* x itself was not made */
    ck_assert_int_eq(selv_wait(s, x), SELV_TASK_FAILED);
    given(selv_launch(s, k, selv_1d(1), y));
    ck_assert_int_eq(read_int(s, y), 2);
    ck_assert_int_eq(selv_finish(s), SELV_TASK_FAILED);
    OK(selv_release(s, x));
    OK(selv_release(s, y));
    release_all(p, k);
    close_well(s);
}
END_TEST

START_TEST(a_buffer_is_unmapped_though_its_writer_failed_and_stays_failed)
{
    int *mapped = NULL;
    cl_uint count = 1;
    selv_scheduler *s = open_recording(0);
    cl_mem m = buffer_of(s, 64, NULL);
    OK(selv_map(s, m, SELV_READ_WRITE, &mapped));
    gate g = fail_a_writer(s, selv_inout(m));
    OK(selv_wait_task(s, given(selv_unmap(s, m))));
    clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof count, &count, NULL);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(selv_wait(s, m), SELV_TASK_FAILED);
    ck_assert_int_eq(selv_failure(s), SELV_TASK_FAILED);
    given(selv_zero(s, m, 64));
    OK(selv_wait(s, m));
    clReleaseEvent(g.event);
    OK(selv_release(s, m));
    close_well(s);
}
END_TEST

START_TEST(an_overwrite_of_failed_svm_that_the_host_held_is_no_failure)
{
    int *p = NULL;
    selv_scheduler *s = open_recording(0);
    if (selv_svm(s, 64, &p) == SELV_UNSUPPORTED)
        return;
    OK(selv_wait(s, p));
    gate g = fail_a_writer(s, selv_out(p));
    given(selv_fill(s, p, 3, 64));
    OK(selv_wait(s, p));
    ck_assert_int_eq(p[15], 3);
    clReleaseEvent(g.event);
    OK(selv_svm_free(s, p));
    close_well(s);
}
END_TEST

START_TEST(one_task_at_a_time_does_not_wait_for_an_event_that_the_program_has_to_complete)
{
    setenv("SELVEDGE_SERIAL", "1", 1);
    selv_scheduler *s = open_recording(0);
    cl_program p = build(s, SET);
    cl_kernel k = kernel_of(s, p, "set");
    cl_mem m = buffer_of(s, sizeof(int), NULL);
    gate g = close_gate(s, m);
    given(selv_launch(s, k, selv_1d(1), m, 4));
    open_gate(g);
    ck_assert_int_eq(read_int(s, m), 4);
    OK(selv_release(s, m));
    release_all(p, k);
    close_well(s);
}
END_TEST

START_TEST(the_lowest_numbers_are_no_task_and_no_status)
{
    selv_scheduler *s = open_recording(0);
    ck_assert_int_eq(selv_wait_task(s, INT64_MIN), SELV_UNKNOWN_TASK);
    error_says("never submitted");
    ck_assert_int_eq(selv_wait_task(s, -((selv_task)1 << 32)), SELV_UNKNOWN_TASK);
    ck_assert_int_eq(selv_failure(s), SELV_UNKNOWN_TASK);
    close_well(s);
}
END_TEST

START_TEST(a_queue_is_flushed_before_another_waits_for_its_last_command)
{
    enum { N = 6 };
    cl_mem m[N];
    selv_scheduler *s = open_recording(3);
    cl_program p = build(s, SLOW_SOURCE "kernel void sum(global int *y, global const int *a, global const int *b,"
                                        " global const int *c) { y[0] = a[0] + b[0] + c[0]; }");
    cl_kernel sum = kernel_of(s, p, "sum");
    memset(&seen, 0, sizeof seen);
    for (int i = 0; i < N; i++)
        m[i] = buffer_of(s, sizeof(int), &i);
    for (int i = 0; i < N; i++) /* two on each lane: the second is not flushed on its own */
        keep_busy(s, p, m[i]);
    ck_assert_uint_gt(seen.held_back_count, 0);
    for (int i = 0; i < N; i++)
        given(selv_launch(s, sum, selv_1d(1), m[i], m[(i + 1) % N], m[(i + 2) % N], m[(i + 3) % N]));
    ck_assert_int_gt(seen.waits, 0);
    ck_assert_int_eq(seen.waits_held_back, 0);
    for (int i = 0; i < N; i++)
        OK(selv_release(s, m[i]));
    release_all(p, sum);
    close_well(s);
}
END_TEST

START_TEST(a_task_on_an_idle_lane_is_on_its_way_without_a_wait)
{
    selv_scheduler *s = open_recording(1);
    cl_program p = build(s, SET);
    cl_kernel k = kernel_of(s, p, "set");
    cl_mem m = buffer_of(s, sizeof(int), NULL);
    memset(&seen, 0, sizeof seen);
    given(selv_launch(s, k, selv_1d(1), m, 4));
    ck_assert_uint_eq(seen.held_back_count, 0);
    OK(selv_release(s, m));
    release_all(p, k);
    close_well(s);
}
END_TEST

START_TEST(svm_is_mapped_again_after_a_launch_that_the_driver_refuses)
{
    int *p = NULL;
    selv_scheduler *s = open_recording(0);
    if (selv_svm(s, 64, &p) == SELV_UNSUPPORTED)
        return;
    cl_program program = build(s, SET);
    cl_kernel k = kernel_of(s, program, "set");
    OK(selv_edit(s, p));
    int maps = seen.maps;
    ck_assert_int_eq(selv_launch(s, k, selv_group(selv_1d(4), 3, 1, 1), p, 1), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(seen.maps, maps);
    given(selv_launch(s, k, selv_1d(4), p, 1));
    ck_assert_int_eq(seen.maps, maps - 1);
    ck_assert_int_eq(selv_failure(s), CL_INVALID_WORK_GROUP_SIZE);
    OK(selv_svm_free(s, p));
    release_all(program, k);
    close_well(s);
}
END_TEST

/* PoCL 3.1 leaves such a command in its queue for ever. */
START_TEST(an_event_that_fails_between_the_look_at_it_and_the_launch_hangs_nobody)
{
    selv_scheduler *s = open_recording(0);
    cl_program p = build(s, SET);
    cl_kernel k = kernel_of(s, p, "set");
    cl_mem m = buffer_of(s, 64, NULL);
    for (int i = 0; i < 4; i++) {
        gate g = close_gate(s, m);
        seen.to_fail = g.event;
        selv_task t = given(selv_launch(s, k, selv_1d(1), m, 4));
        ck_assert_ptr_null(seen.to_fail);
        ck_assert_int_eq(i % 2 ? selv_wait(s, m) : selv_wait_task(s, t), SELV_TASK_FAILED);
        error_says("adopted");
        ck_assert_int_eq(selv_finish(s), SELV_TASK_FAILED);
        clReleaseEvent(g.event);
        given(selv_zero(s, m, 64));
        OK(selv_finish(s));
    }
    OK(selv_release(s, m));
    release_all(p, k);
    close_well(s);
}
END_TEST

START_TEST(svm_that_a_task_still_needs_is_not_given_back_to_the_driver)
{
    enum { LARGE = 16 << 20 }; /* more than is let lie in the garbage */
    char *p = NULL;
    selv_scheduler *s = open_recording(0);
    if (selv_svm(s, LARGE, &p) == SELV_UNSUPPORTED)
        return;
    cl_mem m = buffer_of(s, 64, NULL);
    gate g = close_gate(s, m);
    given(selv_copy(s, m, p, 64));
    OK(selv_svm_free(s, p));
    ck_assert_uint_ge(stats_of(s).bytes_held, LARGE);
    open_gate(g);
    OK(selv_finish(s));
    ck_assert_uint_lt(stats_of(s).bytes_held, LARGE);
    OK(selv_release(s, m));
    close_well(s);
}
END_TEST

START_TEST(one_task_at_a_time_means_that_each_is_complete_on_return)
{
    setenv("SELVEDGE_SERIAL", "1", 1);
    selv_scheduler *s = open_recording(0);
    cl_program p = build(s, SLOW_SOURCE);
    cl_mem m = buffer_of(s, sizeof(int), NULL);
    given(selv_zero(s, m, sizeof(int)));
    keep_busy(s, p, m);
    ck_assert_int_eq(selv_ready(s, m), 1);
    OK(selv_release(s, m));
    clReleaseProgram(p);
    close_well(s);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("broken");
    tcase_add_test(tests, a_kernel_whose_name_has_400_letters_is_launched);
    tcase_add_test(tests, an_svm_block_is_known_still_after_a_buffer_over_it_was_mapped_and_unmapped);
    tcase_add_test(tests, local_memory_beyond_what_the_device_has_is_refused);
    tcase_add_test(tests, a_failure_that_is_known_does_not_stay_with_program_scope_variables);
    tcase_add_test(tests, a_buffer_is_unmapped_though_its_writer_failed_and_stays_failed);
    tcase_add_test(tests, an_overwrite_of_failed_svm_that_the_host_held_is_no_failure);
    tcase_add_test(tests, one_task_at_a_time_does_not_wait_for_an_event_that_the_program_has_to_complete);
    tcase_add_test(tests, the_lowest_numbers_are_no_task_and_no_status);
    tcase_add_test(tests, a_queue_is_flushed_before_another_waits_for_its_last_command);
    tcase_add_test(tests, a_task_on_an_idle_lane_is_on_its_way_without_a_wait);
    tcase_add_test(tests, svm_is_mapped_again_after_a_launch_that_the_driver_refuses);
    tcase_add_test(tests, an_event_that_fails_between_the_look_at_it_and_the_launch_hangs_nobody);
    tcase_add_test(tests, svm_that_a_task_still_needs_is_not_given_back_to_the_driver);
    tcase_add_test(tests, one_task_at_a_time_means_that_each_is_complete_on_return);
    return run_case("broken", tests, 60);
}
