/* Copies between every two kinds of memory, with parts and offsets on both sides; reads and writes; host memory. */
#include "scan_support.h"

static const char source[] = "kernel void store(global int *x, int v) { x[get_global_id(0)] = v; }\n"
                             "kernel void add(global int *x, int v) { x[get_global_id(0)] += v; }\n";

enum { SIDE = 8, PIXELS = SIDE * SIDE, BYTES = PIXELS * 4 };
typedef enum kind { BUFFER, IMAGE, SVM, HOST, KINDS } kind;
static const char *const names[] = {"buffer", "image", "SVM", "host"};

typedef struct place {
    kind kind;
    cl_mem mem;
    int *pointer;
} place;

static cl_mem picture(void)
{
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_int code;
    cl_mem m = clCreateImage(selv_context(s), CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return keep_mem(m);
}

/* So many bytes more than an image has, where offsets are used. */
static place place_of(kind k, size_t bytes)
{
    place p = {k, NULL, NULL};
    if (k == BUFFER)
        p.mem = mem_of(bytes, NULL);
    else if (k == IMAGE)
        p.mem = picture();
    else if (k == SVM)
        OK(selv_svm(s, bytes, &p.pointer));
    else
        p.pointer = calloc(1, bytes);
    return p;
}

static void leave(place *p)
{
    if (p->kind == SVM)
        OK(selv_svm_free(s, p->pointer));
    else if (p->kind == HOST)
        free(p->pointer);
}

static selv_arg arg_of(const place *p)
{
    return p->mem ? selv_arg_of(p->mem) : p->kind == HOST ? selv_part(p->pointer, 0, BYTES) : selv_arg_of(p->pointer);
}

static void put(const place *p, const int *values)
{
    if (p->kind == HOST)
        memcpy(p->pointer, values, BYTES);
    else
        OK(selv_write(s, arg_of(p), values, BYTES));
}

static void get(const place *p, int *values)
{
    if (p->kind == HOST) {
        OK(selv_wait(s, arg_of(p)));
        memcpy(values, p->pointer, BYTES);
    } else {
        OK(selv_read(s, values, arg_of(p), BYTES));
    }
}

static void copy_and_compare(kind to, kind from)
{
    int values[PIXELS], got[PIXELS] = {0};
    place a = place_of(to, BYTES), b = place_of(from, BYTES);
    for (int i = 0; i < PIXELS; i++)
        values[i] = 1000 * (int)to + 100 * (int)from + i;
    put(&b, values);
    selv_task c = given(selv_copy(s, arg_of(&a), arg_of(&b), BYTES));
    get(&a, got);
    ck_assert_msg(!memcmp(values, got, BYTES), "from %s to %s", names[from], names[to]);
    OK(selv_wait_task(s, c));
    leave(&a);
    leave(&b);
}

START_TEST(a_copy_from_every_kind_of_memory_to_every_other_arrives)
{
    for (kind to = BUFFER; to < KINDS; to++)
        for (kind from = BUFFER; from < KINDS; from++)
            if (to != HOST || from != HOST)
                copy_and_compare(to, from);
}
END_TEST

/* 3 ints from the 5th of the source to the 2nd of the destination, all else untouched. */
static void copy_part(kind to, kind from)
{
    int values[PIXELS], got[PIXELS] = {0}, zeros[PIXELS] = {0};
    place a = place_of(to, BYTES), b = place_of(from, BYTES);
    for (int i = 0; i < PIXELS; i++)
        values[i] = 50 + i;
    put(&b, values);
    put(&a, zeros);
    given(selv_copy(s, selv_part(arg_of(&a), 8, 12), selv_part(arg_of(&b), 20, 12), 12));
    get(&a, got);
    const int expected[] = {0, 0, 55, 56, 57, 0};
    ck_assert_msg(!memcmp(expected, got, sizeof expected), "from %s to %s", names[from], names[to]);
    leave(&a);
    leave(&b);
}

START_TEST(parts_and_offsets_hold_on_both_sides)
{
    const kind kinds[] = {BUFFER, SVM, HOST};
    for (int to = 0; to < 3; to++)
        for (int from = 0; from < 3; from++)
            if (kinds[to] != HOST || kinds[from] != HOST)
                copy_part(kinds[to], kinds[from]);
}
END_TEST

START_TEST(an_image_goes_to_and_comes_from_the_middle_of_a_buffer_and_of_svm)
{
    int values[PIXELS], got[PIXELS];
    for (int i = 0; i < PIXELS; i++)
        values[i] = i * i;
    for (int svm = 0; svm < 2; svm++) {
        place m = place_of(IMAGE, BYTES), x = place_of(svm ? SVM : BUFFER, 3 * BYTES);
        selv_arg middle = selv_part(arg_of(&x), BYTES, BYTES);
        OK(selv_write(s, middle, values, BYTES));
        given(selv_copy(s, m.mem, middle, BYTES));
        given(selv_zero(s, arg_of(&x), 3 * BYTES));
        given(selv_copy(s, selv_part(arg_of(&x), 2 * BYTES, BYTES), m.mem, BYTES));
        OK(selv_read(s, got, selv_part(arg_of(&x), 2 * BYTES, BYTES), BYTES));
        ck_assert(!memcmp(values, got, BYTES));
        OK(selv_read(s, got, middle, BYTES));
        ck_assert_int_eq(got[PIXELS - 1], 0);
        leave(&x);
    }
}
END_TEST

START_TEST(a_sub_buffer_of_the_user_is_copied_from_where_it_begins)
{
    size_t unit = alignment_of(s);
    int *zeros = calloc(4, unit), seven = 7;
    cl_mem x = mem_of(4 * unit, zeros), high = sub_buffer(x, unit, 2 * unit);
    free(zeros);
    OK(selv_write(s, selv_part(high, 8, 4), &seven, 4));
    int got = 0;
    OK(selv_read(s, &got, selv_part(x, unit + 8, 4), 4));
    ck_assert_int_eq(got, 7);
    given(selv_copy(s, selv_part(x, 0, 4), selv_part(high, 8, 4), 4));
    ck_assert_int_eq(read_int(s, x), 7);
    refused_with(selv_copy(s, x, selv_part(high, 8, 3 * unit), 3 * unit), SELV_OUT_OF_RANGE);
}
END_TEST

/* --- order --- */

START_TEST(a_copy_reads_its_source_and_overwrites_its_destination)
{
    cl_mem x = mem_of(64, NULL), y = mem_of(64, NULL);
    gate g = close_gate(s, x);
    selv_task w = given(selv_fill(s, x, 5, 64));
    selv_task c = given(selv_copy(s, y, x, 64)), d = given(selv_copy(s, mem_of(64, NULL), x, 64));
    selv_task r = given(selv_launch(s, KERNEL("add"), selv_1d(16), y, 1));
    selv_task w2 = given(selv_fill(s, x, 6, 64));
    open_gate(g);
    ck_assert(is_edge(s, w, c) && is_edge(s, c, r) && is_edge(s, c, w2) && is_edge(s, d, w2));
    UNORDERED(c, d);
    UNORDERED(r, w2);
    selv_edge e = edge_between(s, c, r);
    ck_assert_int_eq(e.from_mode, SELV_WRITE);
    ck_assert_str_eq(e.from_name, "copy");
    ck_assert(!e.from_assumed);
    ck_assert_int_eq(read_int(s, y), 6);
}
END_TEST

START_TEST(two_copies_into_one_host_array_are_ordered_and_into_two_halves_are_not)
{
    cl_mem x = mem_of(64, NULL), y = mem_of(64, NULL);
    int host[32] = {0};
    given(selv_fill(s, x, 1, 64));
    given(selv_fill(s, y, 2, 64));
    gate g = close_gate(s, x), h = close_gate(s, y);
    selv_task a = given(selv_copy(s, selv_arg_of(host), x, 64));
    selv_task b = given(selv_copy(s, selv_arg_of(host), y, 64));
    selv_task c = given(selv_copy(s, selv_arg_of(host + 16), x, 64));
    open_gate(h);
    open_gate(g);
    selv_edge e = edge_between(s, a, b);
    ck_assert_int_eq(e.kind, SELV_WAW);
    ck_assert_uint_eq(e.end - e.begin, 64);
    ck_assert_uint_eq(e.begin, (uintptr_t)host);
    UNORDERED(a, c);
    UNORDERED(b, c);
    OK(selv_wait(s, selv_part(host, 0, sizeof host)));
    ck_assert(host[0] == 2 && host[15] == 2 && host[16] == 1 && host[31] == 1);
}
END_TEST

START_TEST(a_copy_from_host_memory_waits_for_the_copy_that_fills_it)
{
    cl_mem x = mem_of(64, NULL), y = mem_of(64, NULL);
    int host[16] = {0};
    given(selv_fill(s, x, 9, 64));
    gate g = close_gate(s, x);
    selv_task down = given(selv_copy(s, selv_arg_of(host), x, 64)), up = given(selv_copy(s, y, selv_arg_of(host), 64));
    selv_task again = given(selv_copy(s, mem_of(64, NULL), selv_arg_of(host), 64));
    open_gate(g);
    ck_assert(is_edge(s, down, up) && is_edge(s, down, again));
    ck_assert_int_eq(edge_between(s, down, up).kind, SELV_RAW);
    UNORDERED(up, again);
    ck_assert_int_eq(read_int(s, y), 9);
}
END_TEST

START_TEST(editing_a_host_range_waits_for_copies_from_it_and_waiting_does_not)
{
    cl_mem x = mem_of(4, NULL);
    int host = 1;
    gate g = close_gate(s, x);
    selv_task up = given(selv_copy(s, x, selv_arg_of(&host), 4));
    OK(selv_wait(s, selv_part(&host, 0, 4))); /* would hang if it waited for the copy, which only reads */
    ck_assert_int_eq(selv_ready(s, x), 0);
    open_gate(g);
    OK(selv_edit(s, selv_part(&host, 0, 4)));
    host = 2;
    OK(selv_wait_task(s, up));
    ck_assert_int_eq(read_int(s, x), 1);
}
END_TEST

START_TEST(waiting_for_part_of_a_host_array_leaves_the_rest_pending)
{
    cl_mem x = mem_of(4, NULL), y = mem_of(4, NULL);
    int host[2] = {0, 0};
    given(selv_fill(s, x, 3, 4));
    given(selv_fill(s, y, 4, 4));
    gate g = close_gate(s, y);
    given(selv_copy(s, selv_arg_of(host), x, 4));
    given(selv_copy(s, selv_arg_of(host + 1), y, 4));
    OK(selv_wait(s, selv_part(host, 0, 4)));
    ck_assert_int_eq(host[0], 3);
    ck_assert_int_eq(selv_ready(s, selv_part(host, 0, 8)), 0);
    ck_assert_int_eq(selv_ready(s, selv_part(host, 0, 4)), 1);
    open_gate(g);
    OK(selv_wait(s, selv_part(host, 0, 8)));
    ck_assert_int_eq(host[1], 4);
    ck_assert_int_eq(selv_ready(s, selv_part(host, 0, 8)), 1);
}
END_TEST

START_TEST(reads_and_writes_are_done_on_return)
{
    cl_mem x = mem_of(BYTES, NULL);
    int host[PIXELS], got[PIXELS] = {0};
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < PIXELS; i++)
            host[i] = round * 1000 + i;
        OK(selv_write(s, x, host, BYTES));
        memset(host, 0, sizeof host);
        OK(selv_read(s, got, x, BYTES));
        ck_assert(got[0] == round * 1000 && got[PIXELS - 1] == round * 1000 + PIXELS - 1);
    }
    selv_statistics now = stats_of(s);
    ck_assert(now.uploads == 5 && now.downloads == 5 && now.bytes_up == 5 * BYTES && now.bytes_down == 5 * BYTES);
}
END_TEST

/* --- what is refused --- */

START_TEST(copies_that_cannot_be_are_refused)
{
    cl_mem x = mem_of(64, NULL), m = picture();
    int a[16] = {0}, b[16] = {0};
    refused_with(selv_copy(s, selv_arg_of(a), selv_arg_of(b), 64), SELV_UNKNOWN_POINTER);
    error_says("memcpy");
    refused_with(selv_copy(s, x, selv_arg_of(a), 0), SELV_INVALID);
    refused_with(selv_copy(s, x, selv_arg_of(a), 65), SELV_OUT_OF_RANGE);
    refused_with(selv_copy(s, x, selv_part(a, 0, 32), 64), SELV_OUT_OF_RANGE);
    refused_with(selv_copy(s, selv_part(x, 8, 8), selv_part(x, 4, 8), 8), CL_MEM_COPY_OVERLAP);
    refused_with(selv_copy(s, m, x, 64), SELV_OUT_OF_RANGE);
    refused_with(selv_read(s, NULL, x, 4), SELV_INVALID);
    refused_with(selv_copy(s, (cl_mem)NULL, x, 4), SELV_INVALID);
    refused_with(selv_wait(s, selv_arg_of(a)), SELV_UNKNOWN_POINTER);
    error_says("selv_part");
    ck_assert_uint_eq(stats_of(s).tasks, 0);
}
END_TEST

START_TEST(two_parts_of_one_buffer_that_only_touch_are_copied)
{
    const int values[] = {1, 2, 3, 4};
    int got[4];
    cl_mem x = mem_of(sizeof values, values);
    given(selv_copy(s, selv_part(x, 8, 8), selv_part(x, 0, 8), 8));
    OK(selv_read(s, got, x, sizeof got));
    ck_assert(got[2] == 1 && got[3] == 2);
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, a_copy_from_every_kind_of_memory_to_every_other_arrives);
    tcase_add_test(t, parts_and_offsets_hold_on_both_sides);
    tcase_add_test(t, an_image_goes_to_and_comes_from_the_middle_of_a_buffer_and_of_svm);
    tcase_add_test(t, a_sub_buffer_of_the_user_is_copied_from_where_it_begins);
    tcase_add_test(t, a_copy_reads_its_source_and_overwrites_its_destination);
    tcase_add_test(t, two_copies_into_one_host_array_are_ordered_and_into_two_halves_are_not);
    tcase_add_test(t, a_copy_from_host_memory_waits_for_the_copy_that_fills_it);
    tcase_add_test(t, editing_a_host_range_waits_for_copies_from_it_and_waiting_does_not);
    tcase_add_test(t, waiting_for_part_of_a_host_array_leaves_the_rest_pending);
    tcase_add_test(t, reads_and_writes_are_done_on_return);
    tcase_add_test(t, copies_that_cannot_be_are_refused);
    tcase_add_test(t, two_parts_of_one_buffer_that_only_touch_are_copied);
    return run_cases("scheduler/tasks copies", t, NULL);
}
