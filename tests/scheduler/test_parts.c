/* Parts of allocations: what the kernel sees, and which parts are ordered. */
#include "scan_support.h"

static const char source[] =
    "kernel void store(global int *x, int v) { x[get_global_id(0)] = v; }\n"
    "kernel void store_at(global int *x, int at, int v) { x[at + get_global_id(0)] = v; }\n"
    "kernel void store_byte(global char *x, char v) { *x = v; }\n"
    "kernel void columns(global int *x, int at, int n, int rows, int pitch, int v) {\n"
    "    for (int r = 0; r < rows; r++) for (int i = 0; i < n; i++) x[r * pitch + at + i] += v; }\n"
    "kernel void add(global int *x, int v) { x[get_global_id(0)] += v; }\n";

static size_t unit; /* where sub-buffers may begin */
static size_t ints; /* in a unit */

static cl_mem units(size_t n)
{
    unit = alignment_of(s);
    ints = unit / sizeof(cl_int);
    void *zeros = calloc(n, unit);
    cl_mem m = mem_of(n * unit, zeros);
    free(zeros);
    return m;
}

static int int_at(cl_mem m, size_t offset)
{
    int value = -1;
    OK(selv_read(s, &value, selv_part(m, offset, sizeof value), sizeof value));
    return value;
}

static cl_uint references(cl_mem m)
{
    cl_uint count = 0;
    clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

/* --- selv_part of a buffer --- */

START_TEST(the_kernel_sees_the_first_byte_of_a_part_as_the_first)
{
    cl_mem x = units(4);
    selv_task t = given(selv_launch(s, KERNEL("store"), selv_1d(ints), selv_part(x, 2 * unit, unit), 7));
    OK(selv_wait_task(s, t));
    ck_assert_int_eq(int_at(x, 2 * unit - 4), 0);
    ck_assert_int_eq(int_at(x, 2 * unit), 7);
    ck_assert_int_eq(int_at(x, 3 * unit - 4), 7);
    ck_assert_int_eq(int_at(x, 3 * unit), 0);
}
END_TEST

START_TEST(disjoint_parts_are_not_ordered_and_the_whole_is_ordered_with_each)
{
    cl_mem x = units(4);
    cl_kernel add = KERNEL("add");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, add, selv_1d(2 * ints), selv_part(x, 0, 2 * unit), 1));
    selv_task b = given(selv_launch(s, add, selv_1d(2 * ints), selv_part(x, 2 * unit, 2 * unit), 2));
    selv_task c = given(selv_launch(s, add, selv_1d(4 * ints), x, 10));
    open_gate(g);
    UNORDERED(a, b);
    ck_assert_uint_eq(edges_into(s, c), 2);
    ck_assert(is_edge(s, a, c) && is_edge(s, b, c));
    ck_assert_int_eq(int_at(x, 0), 11);
    ck_assert_int_eq(int_at(x, 4 * unit - 4), 12);
}
END_TEST

START_TEST(overlapping_parts_are_ordered_by_the_bytes_that_both_touch)
{
    cl_mem x = units(4);
    cl_kernel add = KERNEL("add");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, add, selv_1d(2 * ints), selv_part(x, 0, 2 * unit), 1));
    selv_task b = given(selv_launch(s, add, selv_1d(2 * ints), selv_part(x, unit, 2 * unit), 2));
    open_gate(g);
    selv_edge e = edge_between(s, a, b);
    ck_assert_uint_eq(e.begin, unit);
    ck_assert_uint_eq(e.end, 2 * unit);
    ck_assert_int_eq(int_at(x, unit), 3);
}
END_TEST

START_TEST(a_sub_buffer_is_made_once_for_each_part)
{
    cl_mem x = units(4);
    cl_kernel add = KERNEL("add");
    for (int i = 0; i < 5; i++)
        given(selv_launch(s, add, selv_1d(1), selv_part(x, unit, unit), 1));
    OK(selv_finish(s));
    cl_uint after_one_part = references(x);
    given(selv_launch(s, add, selv_1d(1), selv_part(x, unit, unit), 1));
    given(selv_launch(s, add, selv_1d(1), selv_part(x, 0, 4 * unit), 1)); /* the whole needs none */
    OK(selv_finish(s));
    ck_assert_uint_eq(references(x), after_one_part);
    ck_assert_int_eq(int_at(x, unit), 6);
}
END_TEST

START_TEST(more_parts_than_are_kept_still_get_each_its_own)
{
    enum { PARTS = 200 };
    cl_mem x = units(PARTS);
    cl_kernel add = KERNEL("add");
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < PARTS; i++)
            given(selv_launch(s, add, selv_1d(1), selv_part(x, i * unit, unit), (int)i));
    for (size_t i = 0; i < PARTS; i++)
        ck_assert_int_eq(int_at(x, i * unit), (int)(2 * i));
}
END_TEST

START_TEST(a_part_where_no_sub_buffer_can_begin_is_refused_and_within_does_it)
{
    cl_mem x = units(2);
    cl_kernel store = KERNEL("store"), at = KERNEL("store_at");
    refused_with(selv_launch(s, store, selv_1d(1), selv_part(x, 4, 4), 1), SELV_MISALIGNED);
    char multiple[32];
    snprintf(multiple, sizeof multiple, "%zu", unit);
    error_says(multiple);
    error_says("selv_within");
    given(selv_launch(s, at, selv_1d(1), selv_within(x, 4, 4), 1, 9));
    ck_assert_int_eq(int_at(x, 4), 9);
}
END_TEST

START_TEST(a_part_outside_its_buffer_or_of_no_bytes_is_refused)
{
    cl_mem x = units(2);
    cl_kernel k = KERNEL("store");
    refused_with(selv_launch(s, k, selv_1d(1), selv_part(x, unit, 2 * unit), 1), SELV_OUT_OF_RANGE);
    refused_with(selv_launch(s, k, selv_1d(1), selv_within(x, 2 * unit, 4), 1), SELV_OUT_OF_RANGE);
    refused_with(selv_launch(s, k, selv_1d(1), selv_part(x, SIZE_MAX - 3, 4), 1), SELV_OUT_OF_RANGE);
    refused_with(selv_launch(s, k, selv_1d(1), selv_strided(x, 0, 8, 3, unit), 1), SELV_OUT_OF_RANGE);
    refused_with(selv_launch(s, k, selv_1d(1), selv_part(x, 0, 0), 1), SELV_INVALID);
    ck_assert_int_eq(int_at(x, 0), 0);
}
END_TEST

/* --- within, strided, nested --- */

START_TEST(within_leaves_the_whole_buffer_to_the_kernel_and_orders_by_the_part)
{
    cl_mem x = units(2);
    cl_kernel at = KERNEL("store_at");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, at, selv_1d(3), selv_within(x, 4, 12), 1, 5));
    selv_task b = given(selv_launch(s, at, selv_1d(3), selv_within(x, 16, 12), 4, 6));
    selv_task c = given(selv_launch(s, at, selv_1d(2), selv_within(x, 12, 8), 3, 7));
    open_gate(g);
    UNORDERED(a, b);
    ck_assert_uint_eq(edges_into(s, c), 2);
    const int expected[] = {0, 5, 5, 7, 7, 6, 6, 0};
    for (size_t i = 0; i < 8; i++)
        ck_assert_int_eq(int_at(x, 4 * i), expected[i]);
}
END_TEST

START_TEST(columns_of_a_matrix_are_ordered_only_where_they_overlap)
{
    enum { SIDE = 8, PITCH = SIDE * 4 };
    int zeros[SIDE * SIDE] = {0}, got[SIDE * SIDE];
    cl_mem x = mem_of(sizeof zeros, zeros);
    cl_kernel k = KERNEL("columns");
    gate g = close_gate(s, x);
    selv_task left = given(selv_launch(s, k, selv_1d(1), selv_strided(x, 0, 16, SIDE, PITCH), 0, 4, SIDE, SIDE, 1));
    selv_task right = given(selv_launch(s, k, selv_1d(1), selv_strided(x, 16, 16, SIDE, PITCH), 4, 4, SIDE, SIDE, 2));
    selv_task middle = given(selv_launch(s, k, selv_1d(1), selv_strided(x, 12, 8, SIDE, PITCH), 3, 2, SIDE, SIDE, 10));
    selv_task row = given(selv_launch(s, k, selv_1d(1), selv_within(x, PITCH, 12), SIDE, 3, 1, SIDE, 100));
    open_gate(g);
    UNORDERED(left, right);
    ck_assert(is_edge(s, left, middle) && is_edge(s, right, middle) && is_edge(s, left, row));
    UNORDERED(right, row);
    UNORDERED(middle, row);
    ck_assert_uint_eq(edge_between(s, left, middle).ranges, SIDE);
    ck_assert(!edge_between(s, left, middle).hull);
    OK(selv_read(s, got, x, sizeof got));
    const int second_row[] = {101, 101, 101, 11, 12, 2, 2, 2};
    ck_assert(!memcmp(got + SIDE, second_row, sizeof second_row));
}
END_TEST

START_TEST(one_row_and_rows_without_gaps_are_plain_ranges)
{
    cl_mem x = units(1);
    cl_kernel at = KERNEL("store_at");
    selv_task w = given(selv_zero(s, x, unit));
    selv_edge one = edge_between(s, w, given(selv_launch(s, at, selv_1d(1), selv_strided(x, 8, 4, 1, 16), 2, 1)));
    ck_assert(one.begin == 8 && one.end == 12 && one.ranges == 1);
    selv_edge tight = edge_between(s, w, given(selv_launch(s, at, selv_1d(1), selv_strided(x, 16, 8, 4, 8), 4, 1)));
    ck_assert(tight.begin == 16 && tight.end == 48 && tight.ranges == 1);
    refused_with(selv_launch(s, at, selv_1d(1), selv_strided(x, 0, 8, 0, 8), 0, 1), SELV_INVALID);
}
END_TEST

START_TEST(parts_of_parts_count_from_the_outer_one)
{
    cl_mem x = units(4);
    selv_task w = given(selv_zero(s, x, 4 * unit));
    selv_arg inner = selv_part(selv_part(x, unit, 3 * unit), unit, unit);
    selv_edge e = edge_between(s, w, given(selv_launch(s, KERNEL("store"), selv_1d(1), inner, 5)));
    ck_assert(e.begin == 2 * unit && e.end == 3 * unit);
    ck_assert_int_eq(int_at(x, 2 * unit), 5);

    w = given(selv_zero(s, x, 4 * unit));
    selv_arg touched = selv_within(selv_part(x, unit, 2 * unit), 8, 4);
    e = edge_between(s, w, given(selv_launch(s, KERNEL("store_at"), selv_1d(1), touched, 2, 6)));
    ck_assert(e.begin == unit + 8 && e.end == unit + 12);
    ck_assert_int_eq(int_at(x, unit + 8), 6);

    refused_with(selv_launch(s, KERNEL("store"), selv_1d(1), selv_part(selv_part(x, 0, unit), unit, unit), 5),
                 SELV_OUT_OF_RANGE);
}
END_TEST

START_TEST(modes_and_parts_nest_in_either_order)
{
    cl_mem x = units(4);
    cl_kernel k = KERNEL("store");
    selv_task w = given(selv_zero(s, x, 4 * unit));
    selv_arg both[] = {selv_out(selv_part(x, unit, unit)), selv_part(selv_out(x), 2 * unit, unit)};
    for (size_t i = 0; i < 2; i++) {
        selv_edge e = edge_between(s, w, given(selv_launch(s, k, selv_1d(1), both[i], 1)));
        ck_assert_int_eq(e.to_mode, SELV_WRITE);
        ck_assert_uint_eq(e.begin, (i + 1) * unit);
    }
}
END_TEST

/* --- sub-buffers of the user's own --- */

START_TEST(sub_buffers_of_the_user_are_ranges_of_their_root)
{
    cl_mem x = units(4), low = sub_buffer(x, 0, 2 * unit), high = sub_buffer(x, 2 * unit, 2 * unit),
           across = sub_buffer(x, unit, 2 * unit);
    cl_kernel add = KERNEL("add");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, add, selv_1d(2 * ints), low, 1));
    selv_task b = given(selv_launch(s, add, selv_1d(2 * ints), high, 2));
    selv_task c = given(selv_launch(s, add, selv_1d(2 * ints), across, 10));
    selv_task d = given(selv_launch(s, add, selv_1d(4 * ints), x, 100));
    open_gate(g);
    UNORDERED(a, b);
    selv_edge e = edge_between(s, b, c);
    ck_assert(e.begin == 2 * unit && e.end == 3 * unit);
    ck_assert(is_edge(s, a, c) && is_edge(s, c, d));
    ck_assert_uint_eq(e.allocation, edge_between(s, c, d).allocation);
    ck_assert_int_eq(int_at(x, 0), 101);
    ck_assert_int_eq(int_at(x, unit), 111);
    ck_assert_int_eq(int_at(x, 2 * unit), 112);
    ck_assert_int_eq(int_at(x, 3 * unit), 102);
}
END_TEST

START_TEST(a_part_of_a_users_sub_buffer_counts_from_its_beginning)
{
    cl_mem x = units(4), high = sub_buffer(x, unit, 3 * unit);
    selv_task w = given(selv_zero(s, x, 4 * unit));
    selv_task t = given(selv_launch(s, KERNEL("store"), selv_1d(1), selv_part(high, unit, unit), 8));
    selv_edge e = edge_between(s, w, t);
    ck_assert(e.begin == 2 * unit && e.end == 3 * unit);
    ck_assert_int_eq(int_at(x, 2 * unit), 8);
    ck_assert_int_eq(int_at(high, unit), 8);
    refused_with(selv_launch(s, KERNEL("store"), selv_1d(1), selv_part(high, unit, 3 * unit), 8), SELV_OUT_OF_RANGE);
}
END_TEST

START_TEST(a_sub_buffer_that_is_seen_before_its_root_is_known_by_it)
{
    unit = alignment_of(s);
    cl_mem x = plain_mem(CL_MEM_READ_WRITE, 2 * unit), low = sub_buffer(x, 0, unit);
    gate g = close_gate(s, low);
    selv_task a = given(selv_fill(s, low, 3, unit)), b = given(selv_fill(s, x, 4, 2 * unit));
    open_gate(g);
    ck_assert(is_edge(s, a, b));
    ck_assert_int_eq(int_at(low, 0), 4);
}
END_TEST

START_TEST(an_adopted_command_does_not_make_the_parts_of_one_device_ordered)
{
    cl_mem x = units(2);
    cl_kernel add = KERNEL("add");
    given(selv_launch(s, add, selv_1d(1), x, 1));
    open_gate(close_gate(s, x));
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, add, selv_1d(1), selv_part(x, 0, unit), 1));
    selv_task b = given(selv_launch(s, add, selv_1d(1), selv_within(x, unit, unit), 0));
    open_gate(g);
    UNORDERED(a, b);
    ck_assert_int_eq(int_at(x, 0), 2);
}
END_TEST

/* --- SVM --- */

START_TEST(a_part_of_svm_begins_anywhere)
{
    char *p = NULL;
    OK(selv_svm(s, 16, &p));
    memset(p, 0, 16);
    cl_kernel k = KERNEL("store_byte");
    selv_task w = given(selv_zero(s, p, 16));
    selv_task a = given(selv_launch(s, k, selv_1d(1), selv_part(p, 5, 1), (char)1));
    selv_task b = given(selv_launch(s, k, selv_1d(1), selv_part(p + 3, 3, 2), (char)2));
    selv_task c = given(selv_launch(s, k, selv_1d(1), selv_part(p, 0, 6), (char)3));
    UNORDERED(a, b);
    UNORDERED(b, c);
    ORDERED(a, c);
    selv_edge e = edge_between(s, w, b);
    ck_assert(e.begin == 6 && e.end == 8);
    OK(selv_wait(s, p));
    const char expected[16] = {3, 0, 0, 0, 0, 1, 2};
    ck_assert(!memcmp(p, expected, 16));
    OK(selv_svm_free(s, p));
}
END_TEST

/* --- the switch --- */

static void open_ordering(void)
{
    s = open_with(4, SELV_RECORD | SELV_ORDER_DISJOINT_PARTS);
}

START_TEST(with_the_switch_disjoint_parts_of_a_buffer_are_ordered)
{
    cl_mem x = units(4), low = sub_buffer(x, 0, unit);
    cl_kernel add = KERNEL("add");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, add, selv_1d(1), selv_part(x, 2 * unit, unit), 1));
    selv_task b = given(selv_launch(s, add, selv_1d(1), selv_part(x, 3 * unit, unit), 2));
    selv_task c = given(selv_launch(s, add, selv_1d(1), low, 3));
    open_gate(g);
    ck_assert(is_edge(s, a, b) && is_edge(s, b, c));
    ck_assert(int_at(x, 2 * unit) == 1 && int_at(x, 3 * unit) == 2 && int_at(x, 0) == 3);
}
END_TEST

static TCase *case_ordering(void)
{
    TCase *t = tcase_create("ordering disjoint parts");
    tcase_add_checked_fixture(t, open_ordering, close_after_test);
    tcase_add_test(t, with_the_switch_disjoint_parts_of_a_buffer_are_ordered);
    return t;
}

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, the_kernel_sees_the_first_byte_of_a_part_as_the_first);
    tcase_add_test(t, disjoint_parts_are_not_ordered_and_the_whole_is_ordered_with_each);
    tcase_add_test(t, overlapping_parts_are_ordered_by_the_bytes_that_both_touch);
    tcase_add_test(t, a_sub_buffer_is_made_once_for_each_part);
    tcase_add_test(t, more_parts_than_are_kept_still_get_each_its_own);
    tcase_add_test(t, a_part_where_no_sub_buffer_can_begin_is_refused_and_within_does_it);
    tcase_add_test(t, a_part_outside_its_buffer_or_of_no_bytes_is_refused);
    tcase_add_test(t, within_leaves_the_whole_buffer_to_the_kernel_and_orders_by_the_part);
    tcase_add_test(t, columns_of_a_matrix_are_ordered_only_where_they_overlap);
    tcase_add_test(t, one_row_and_rows_without_gaps_are_plain_ranges);
    tcase_add_test(t, parts_of_parts_count_from_the_outer_one);
    tcase_add_test(t, modes_and_parts_nest_in_either_order);
    tcase_add_test(t, sub_buffers_of_the_user_are_ranges_of_their_root);
    tcase_add_test(t, a_part_of_a_users_sub_buffer_counts_from_its_beginning);
    tcase_add_test(t, a_sub_buffer_that_is_seen_before_its_root_is_known_by_it);
    tcase_add_test(t, an_adopted_command_does_not_make_the_parts_of_one_device_ordered);
    tcase_add_test(t, a_part_of_svm_begins_anywhere);
    return run_cases("scheduler/parts", t, case_ordering());
}
