/* Two devices in one context: PoCL is told to make two of one machine. */
#include "scan_support.h"

static const char source[] =
    SLOW_SOURCE "kernel void store(global int *x, int v) { x[get_global_id(0)] = v; }\n"
                "kernel void add(global int *x, int v) { x[get_global_id(0)] += v; }\n"
                "kernel void copy(global int *y, global const int *x) { y[get_global_id(0)] = x[get_global_id(0)]; }\n"
                "kernel void store_at(global int *x, int at, int v) { x[at] = v; }\n"
                "kernel void count(volatile global int *sum, int v) { atomic_add(sum, v); }\n";

static size_t unit;

static bool two_devices(void)
{
    unit = alignment_of(s);
    return selv_device(s, 1) != NULL;
}

#define NEEDS_TWO SKIP_IF(!two_devices(), "the platform has one device (POCL_DEVICES is for PoCL)")

static selv_range on(int device, size_t n)
{
    return selv_on(selv_1d(n), device);
}

START_TEST(each_device_has_its_lanes)
{
    NEEDS_TWO
    ck_assert_ptr_null(selv_device(s, 2));
    ck_assert_ptr_ne(selv_device(s, 0), selv_device(s, 1));
    ck_assert_uint_eq(stats_of(s).lanes, 2 * 4);
}
END_TEST

START_TEST(a_launch_runs_on_the_device_that_is_said_and_data_follows)
{
    NEEDS_TWO
    cl_mem x = mem_of(64, NULL), y = mem_of(64, NULL);
    cl_kernel store = KERNEL("store"), add = KERNEL("add"), copy = KERNEL("copy");
    int got[16];
    gate g = close_gate(s, x);
    selv_task last = given(selv_launch(s, store, on(0, 16), x, 1));
    for (int i = 0; i < 10; i++) {
        selv_task t = given(selv_launch(s, add, on((i + 1) % 2, 16), x, 1));
        ck_assert(is_edge(s, last, t));
        last = t;
    }
    selv_task c = given(selv_launch(s, copy, on(1, 16), y, x));
    ck_assert(is_edge(s, last, c));
    open_gate(g);
    OK(selv_read(s, got, y, sizeof got));
    ck_assert(got[0] == 11 && got[15] == 11);
}
END_TEST

START_TEST(independent_work_on_two_devices_is_not_ordered)
{
    NEEDS_TWO
    cl_mem x = mem_of(4, NULL), y = mem_of(4, NULL), z = mem_of(4, NULL);
    cl_kernel copy = KERNEL("copy");
    given(selv_fill(s, x, 3, 4));
    selv_task a = given(selv_launch(s, copy, on(0, 1), y, x)), b = given(selv_launch(s, copy, on(1, 1), z, x));
    UNORDERED(a, b);
    ck_assert(read_int(s, y) == 3 && read_int(s, z) == 3);
}
END_TEST

START_TEST(disjoint_parts_of_one_buffer_are_ordered_between_devices)
{
    NEEDS_TWO
    int got[2], zeros[2] = {0, 0};
    cl_mem x = mem_of(sizeof zeros, zeros);
    cl_kernel at = KERNEL("store_at");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, at, on(0, 1), selv_within(x, 0, 4), 0, 5));
    selv_task b = given(selv_launch(s, at, on(1, 1), selv_within(x, 4, 4), 1, 6));
    open_gate(g);
    ORDERED(a, b);
    OK(selv_read(s, got, x, sizeof got));
    ck_assert(got[0] == 5 && got[1] == 6);
}
END_TEST

START_TEST(disjoint_parts_of_one_buffer_on_one_device_are_not_ordered)
{
    NEEDS_TWO
    cl_mem x = mem_of(8, NULL);
    cl_kernel at = KERNEL("store_at");
    selv_task a = given(selv_launch(s, at, on(1, 1), selv_within(x, 0, 4), 0, 5));
    selv_task b = given(selv_launch(s, at, on(1, 1), selv_within(x, 4, 4), 1, 6));
    UNORDERED(a, b);
}
END_TEST

START_TEST(distinct_sub_buffers_are_not_ordered_between_devices)
{
    NEEDS_TWO
    cl_mem x = plain_mem(CL_MEM_READ_WRITE, 2 * unit);
    cl_kernel store = KERNEL("store");
    selv_task a = given(selv_launch(s, store, on(0, 1), selv_part(x, 0, unit), 5));
    selv_task b = given(selv_launch(s, store, on(1, 1), selv_part(x, unit, unit), 6));
    selv_task c = given(selv_launch(s, store, on(1, 1), selv_part(x, 0, unit), 7));
    UNORDERED(a, b);
    ORDERED(a, c);
    OK(selv_finish(s));
}
END_TEST

START_TEST(sub_buffers_of_the_user_are_not_ordered_between_devices)
{
    NEEDS_TWO
    cl_mem x = plain_mem(CL_MEM_READ_WRITE, 2 * unit), low = sub_buffer(x, 0, unit), high = sub_buffer(x, unit, unit);
    cl_kernel store = KERNEL("store");
    selv_task a = given(selv_launch(s, store, on(0, 1), low, 5)), b = given(selv_launch(s, store, on(1, 1), high, 6));
    selv_task c = given(selv_launch(s, store, on(1, 1), low, 7));
    UNORDERED(a, b);
    ORDERED(a, c);
    ck_assert(read_int(s, high) == 6 && read_int(s, low) == 7);
}
END_TEST

START_TEST(ranges_within_one_sub_buffer_are_ordered_between_devices)
{
    NEEDS_TWO
    int got[2] = {0, 0};
    cl_mem x = plain_mem(CL_MEM_READ_WRITE, 2 * unit);
    cl_kernel at = KERNEL("store_at");
    selv_arg part = selv_part(x, unit, unit);
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, at, on(0, 1), selv_within(part, 0, 4), 0, 5));
    selv_task b = given(selv_launch(s, at, on(1, 1), selv_within(part, 4, 4), 1, 6));
    open_gate(g);
    ORDERED(a, b);
    OK(selv_read(s, got, part, sizeof got));
    ck_assert(got[0] == 5 && got[1] == 6);
}
END_TEST

START_TEST(accumulators_are_ordered_between_devices_and_not_on_one)
{
    NEEDS_TWO
    int zero = 0;
    cl_mem sum = mem_of(4, &zero);
    cl_kernel count = KERNEL("count");
    gate g = close_gate(s, sum);
    selv_task a = given(selv_launch(s, count, on(0, 10), selv_accum(sum), 1));
    selv_task b = given(selv_launch(s, count, on(0, 10), selv_accum(sum), 2));
    selv_task c = given(selv_launch(s, count, on(1, 10), selv_accum(sum), 3));
    open_gate(g);
    UNORDERED(a, b);
    ORDERED(a, c);
    ORDERED(b, c);
    ck_assert_int_eq(read_int(s, sum), 60);
}
END_TEST

START_TEST(a_device_that_does_not_exist_is_refused)
{
    cl_mem x = mem_of(4, NULL);
    refused_with(selv_launch(s, KERNEL("store"), on(7, 1), x, 1), SELV_NO_DEVICE);
    error_says("store");
    refused_with(selv_launch(s, KERNEL("store"), on(-2, 1), x, 1), SELV_NO_DEVICE);
    OK(selv_wait_task(s, given(selv_launch(s, KERNEL("store"), on(-1, 1), x, 1))));
}
END_TEST

/* A context of the program's own over both. */
static cl_context own;

static void open_on_both(void)
{
    cl_platform_id platform = NULL;
    cl_device_id devices[2];
    cl_uint count = 0;
    cl_int code;
    ck_assert_int_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count), CL_SUCCESS);
    own = clCreateContext(NULL, count < 2 ? count : 2, devices, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    const selv_config config = {.context = own, .lanes_per_device = 4, .flags = SELV_RECORD};
    OK(selv_open(&config, &s));
}

static void close_both(void)
{
    close_after_test();
    clReleaseContext(own);
}

int main(void)
{
    setenv("POCL_DEVICES", "pthread pthread", 1); /* before the first call of OpenCL */
    TCase *t = tcase_create("tests");
    tcase_add_checked_fixture(t, open_on_both, close_both);
    tcase_add_test(t, each_device_has_its_lanes);
    tcase_add_test(t, a_launch_runs_on_the_device_that_is_said_and_data_follows);
    tcase_add_test(t, independent_work_on_two_devices_is_not_ordered);
    tcase_add_test(t, disjoint_parts_of_one_buffer_are_ordered_between_devices);
    tcase_add_test(t, disjoint_parts_of_one_buffer_on_one_device_are_not_ordered);
    tcase_add_test(t, distinct_sub_buffers_are_not_ordered_between_devices);
    tcase_add_test(t, sub_buffers_of_the_user_are_not_ordered_between_devices);
    tcase_add_test(t, ranges_within_one_sub_buffer_are_ordered_between_devices);
    tcase_add_test(t, accumulators_are_ordered_between_devices_and_not_on_one);
    tcase_add_test(t, a_device_that_does_not_exist_is_refused);
    return run_cases("scheduler/tasks devices", t, NULL);
}
