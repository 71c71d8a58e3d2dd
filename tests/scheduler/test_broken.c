/* What broke once: each test is named after what went wrong. */
#include "scheduler/support.h"

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
    return run_case("broken", tests, 60);
}
