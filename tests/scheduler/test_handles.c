/* Handles that the user releases, and that the driver gives out again: nothing of the old object sticks to the new one,
   and nothing that the user has let go is kept. */
#include "scan_support.h"

#include <stdatomic.h>

static const char source[] = SLOW_SOURCE "kernel void store(global int *x, int v) { x[get_global_id(0)] = v; }\n"
                                         "kernel void look(global int *out, global const int *x) { *out = *x; }\n"
                                         "kernel void stores_long(global long *x, long v) { *x = v; }\n";

enum { TIMES = 50 };

static cl_mem made_plainly(size_t bytes)
{
    cl_int code;
    cl_mem m = clCreateBuffer(selv_context(s), CL_MEM_READ_WRITE, bytes, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return m;
}

/* --- handles used again --- */

START_TEST(a_buffer_at_the_handle_of_an_old_one_has_no_edges_to_it)
{
    cl_kernel store = KERNEL("store");
    handles seen = {.count = 0};
    selv_task last = 0;
    for (int i = 0; i < TIMES; i++) {
        cl_mem m = made_plainly(4096);
        note_handle(&seen, m);
        selv_task t = given(selv_launch(s, store, selv_1d(1), m, i));
        ck_assert_uint_eq(edges_into(s, t), 0);
        if (last)
            UNORDERED(last, t);
        OK(selv_wait_task(s, t));
        until_unused(m);
        clReleaseMemObject(m);
        last = t;
    }
    ck_assert_msg(!handles_come_again() || seen.again > TIMES / 2, "%zu handles came again: this asserts nothing",
                  seen.again);
}
END_TEST

START_TEST(a_handle_used_again_has_the_size_and_the_flags_of_the_new_object)
{
    cl_kernel store = KERNEL("store");
    handles seen = {.count = 0};
    for (size_t i = 1; i <= TIMES; i++) {
        cl_mem m = made_plainly(i * 64);
        note_handle(&seen, m);
        selv_task w = given(selv_zero(s, m, i * 64));
        selv_edge e = edge_between(s, w, given(selv_launch(s, store, selv_1d(1), m, 1)));
        ck_assert_uint_eq(e.end, i * 64);
        OK(selv_finish(s));
        until_unused(m);
        clReleaseMemObject(m);
    }
    ck_assert_msg(!handles_come_again() || seen.again > TIMES / 2, "%zu handles came again: this asserts nothing",
                  seen.again);
}
END_TEST

START_TEST(a_buffer_released_right_after_the_launch_that_got_it_is_fine)
{
    cl_kernel slow = KERNEL("slow"), look = KERNEL("look");
    cl_mem out = mem_of(4, NULL);
    int value = 42;
    selv_task last = 0;
    for (int i = 0; i < 8; i++) {
        cl_mem m = made_plainly(4096);
        selv_task w = given(selv_write(s, m, &value, 4) == 0 ? selv_launch(s, slow, selv_1d(1), m, SLOW_TURNS / 4) : 0);
        selv_task r = given(selv_launch(s, look, selv_1d(1), out, m));
        clReleaseMemObject(m);
        ORDERED(w, r);
        if (last)
            UNORDERED(last, w);
        last = w;
    }
    ck_assert_int_eq(read_int(s, out), 42);
    OK(selv_finish(s));
    ck_assert_int_eq(read_int(s, out), 42);
}
END_TEST

START_TEST(a_buffer_given_to_selv_release_while_it_is_used_lives_until_then_and_its_handle_is_dead)
{
    int value = 7;
    cl_mem x = buffer_of(s, 4, &value), out = mem_of(4, NULL);
    gate g = close_gate(s, out);
    given(selv_launch(s, KERNEL("look"), selv_1d(1), out, x));
    OK(selv_release(s, x));
    refused_with(selv_launch(s, KERNEL("look"), selv_1d(1), out, x), SELV_RELEASED);
    refused_with(selv_release(s, x), SELV_RELEASED);
    open_gate(g);
    ck_assert_int_eq(read_int(s, out), 7);
}
END_TEST

START_TEST(a_buffer_that_the_user_has_retained_is_dead_for_the_scheduler_and_alive_for_opencl)
{
    int value = 7, got = 0;
    cl_int code;
    cl_mem x = buffer_of(s, 4, &value), out = mem_of(4, NULL);
    clRetainMemObject(x);
    OK(selv_release(s, x));
    refused_with(selv_launch(s, KERNEL("look"), selv_1d(1), out, x), SELV_RELEASED);
    error_says("clReleaseMemObject");
    cl_command_queue q = clCreateCommandQueueWithProperties(selv_context(s), selv_device(s, 0), NULL, &code);
    ck_assert_int_eq(clEnqueueReadBuffer(q, x, CL_TRUE, 0, 4, &got, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(got, 7);
    clReleaseCommandQueue(q);
    clReleaseMemObject(x);
}
END_TEST

START_TEST(buffers_made_and_released_in_great_number_leave_nothing)
{
    cl_kernel store = KERNEL("store");
    uint64_t allocations = stats_of(s).allocations, held = stats_of(s).bytes_held;
    for (int i = 0; i < 1000; i++) {
        cl_mem m = buffer_of(s, 4096, NULL);
        given(selv_launch(s, store, selv_1d(1), m, i));
        if (i % 2)
            OK(selv_release(s, m));
        else
            clReleaseMemObject(m);
    }
    OK(selv_finish(s));
    selv_statistics now = stats_of(s);
    ck_assert_uint_le(now.allocations, allocations + 40); /* a few released ones are kept to be told as such */
    ck_assert_uint_le(now.bytes_held, held + 40 * 4096);
    ck_assert_uint_eq(now.live_events, 0);
}
END_TEST

/* --- sub-buffers made by the library --- */

static atomic_int destroyed;

static void CL_CALLBACK count_destroyed(cl_mem m, void *user)
{
    (void)m, (void)user;
    atomic_fetch_add(&destroyed, 1);
}

/* Launches on two parts of a buffer, of which the user lets go. */
static void use_parts_once(cl_kernel store)
{
    size_t unit = alignment_of(s);
    cl_mem m = made_plainly(4 * unit);
    ck_assert_int_eq(clSetMemObjectDestructorCallback(m, count_destroyed, NULL), CL_SUCCESS);
    given(selv_launch(s, store, selv_1d(1), selv_part(m, unit, unit), 1));
    given(selv_launch(s, store, selv_1d(1), selv_part(m, 2 * unit, unit), 2));
    clReleaseMemObject(m);
}

static bool reaches(int count)
{
    for (int i = 0; i < 1000 && atomic_load(&destroyed) < count; i++)
        usleep(1000); /* the driver may tell of it on a thread of its own */
    return atomic_load(&destroyed) >= count;
}

START_TEST(a_cached_sub_buffer_does_not_keep_what_the_user_has_let_go_beyond_selv_finish)
{
    use_parts_once(KERNEL("store"));
    OK(selv_finish(s));
    ck_assert(reaches(1));
}
END_TEST

START_TEST(cached_sub_buffers_keep_only_few_buffers_of_a_program_that_never_finishes)
{
    cl_kernel store = KERNEL("store");
    cl_mem last = mem_of(4, NULL);
    for (int i = 0; i < 300; i++) {
        use_parts_once(store);
        if (i % 10 == 9)
            OK(selv_wait_task(s, given(selv_launch(s, store, selv_1d(1), last, i))));
    }
    OK(selv_wait(s, last));
    ck_assert_msg(reaches(200), "%d of 300 are destroyed", atomic_load(&destroyed));
    ck_assert_uint_le(stats_of(s).allocations, 110);
}
END_TEST

START_TEST(a_buffer_that_the_user_still_holds_keeps_its_cached_sub_buffers)
{
    size_t unit = alignment_of(s);
    cl_mem m = plain_mem(CL_MEM_READ_WRITE, 4 * unit);
    cl_kernel store = KERNEL("store");
    given(selv_launch(s, store, selv_1d(1), selv_part(m, unit, unit), 1));
    OK(selv_finish(s));
    until_unused(m);
    cl_uint before = 0, after = 0;
    clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof before, &before, NULL);
    OK(selv_finish(s));
    clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof after, &after, NULL);
    ck_assert_uint_eq(before, after);
    int got = 0;
    OK(selv_read(s, &got, selv_part(m, unit, 4), 4));
    ck_assert_int_eq(got, 1);
}
END_TEST

/* --- sub-buffers and kernels of the user's own --- */

START_TEST(a_sub_buffer_at_the_handle_of_an_old_one_is_looked_at_anew)
{
    size_t unit = alignment_of(s);
    cl_mem x = plain_mem(CL_MEM_READ_WRITE, 8 * unit);
    cl_kernel store = KERNEL("store");
    handles seen = {.count = 0};
    for (size_t i = 0; i < TIMES; i++) {
        size_t at = i % 8 * unit;
        cl_int code;
        cl_mem part = clCreateSubBuffer(x, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){at, unit}, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
        note_handle(&seen, part);
        selv_task w = given(selv_zero(s, x, 8 * unit));
        selv_edge e = edge_between(s, w, given(selv_launch(s, store, selv_1d(1), part, (int)i + 1)));
        ck_assert_uint_eq(e.begin, at);
        int got = 0;
        OK(selv_read(s, &got, selv_part(x, at, 4), 4));
        ck_assert_int_eq(got, (int)i + 1);
        until_unused(part);
        clReleaseMemObject(part);
    }
    ck_assert_msg(!handles_come_again() || seen.again > TIMES / 2, "%zu handles came again: this asserts nothing",
                  seen.again);
}
END_TEST

START_TEST(a_kernel_made_after_another_was_released_is_never_taken_for_it)
{
    cl_mem x = mem_of(8, NULL);
    kept.program = build(s, source);
    for (int i = 0; i < 100; i++) {
        bool wide = i % 2;
        cl_kernel k = kernel_of(s, kept.program, wide ? "stores_long" : "store");
        int64_t got = 0;
        given(selv_zero(s, x, 8));
        given(selv_launch(s, k, selv_1d(1), x, wide ? (int64_t)i << 40 : i));
        OK(selv_read(s, &got, x, 8));
        ck_assert_int_eq(got, wide ? (int64_t)i << 40 : i);
        clReleaseKernel(k);
    }
}
END_TEST

/* Large, so that the release is not put off. */
START_TEST(a_sub_buffer_of_the_users_outlives_the_release_of_its_parent)
{
    enum { BYTES = 16 << 20 };
    cl_int code;
    int got = 0;
    cl_mem whole = NULL;
    OK(selv_buffer(s, BYTES, NULL, &whole));
    cl_buffer_region half = {BYTES / 2, BYTES / 2};
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    given(selv_launch(s, KERNEL("store"), selv_1d(1), part, 1));
    OK(selv_release(s, whole));
    OK(selv_finish(s));
    cl_mem other = mem_of(4096, NULL); /* may get what the scheduler knew the parent by */
    given(selv_launch(s, KERNEL("store"), selv_1d(1), other, 2));
    selv_task w = given(selv_launch(s, KERNEL("store"), selv_1d(1), part, 3));
    ck_assert_uint_eq(edges_into(s, w), 0);
    OK(selv_read(s, &got, part, sizeof got));
    ck_assert_int_eq(got, 3);
    clReleaseMemObject(part);
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, a_buffer_at_the_handle_of_an_old_one_has_no_edges_to_it);
    tcase_add_test(t, a_handle_used_again_has_the_size_and_the_flags_of_the_new_object);
    tcase_add_test(t, a_buffer_released_right_after_the_launch_that_got_it_is_fine);
    tcase_add_test(t, a_buffer_given_to_selv_release_while_it_is_used_lives_until_then_and_its_handle_is_dead);
    tcase_add_test(t, a_buffer_that_the_user_has_retained_is_dead_for_the_scheduler_and_alive_for_opencl);
    tcase_add_test(t, buffers_made_and_released_in_great_number_leave_nothing);
    tcase_add_test(t, a_cached_sub_buffer_does_not_keep_what_the_user_has_let_go_beyond_selv_finish);
    tcase_add_test(t, cached_sub_buffers_keep_only_few_buffers_of_a_program_that_never_finishes);
    tcase_add_test(t, a_buffer_that_the_user_still_holds_keeps_its_cached_sub_buffers);
    tcase_add_test(t, a_sub_buffer_at_the_handle_of_an_old_one_is_looked_at_anew);
    tcase_add_test(t, a_sub_buffer_of_the_users_outlives_the_release_of_its_parent);
    tcase_add_test(t, a_kernel_made_after_another_was_released_is_never_taken_for_it);
    return run_cases("scheduler/handles", t, NULL);
}
