/* Fills, maps, launches of no work, and the calls by which the host waits, names and asks. */
#include "scan_support.h"

static const char source[] = SLOW_SOURCE "kernel void store(global int *x, int v) { x[get_global_id(0)] = v; }\n"
                                         "kernel void add(global int *x, int v) { x[get_global_id(0)] += v; }\n"
                                         "kernel void look(global int *out, global const int *x) { *out = *x; }\n";

/* --- fills --- */

/* In a buffer and in SVM, from the second element on; the first stays zero. */
#define FILLED(type, count, x)                                                                                         \
    do {                                                                                                               \
        type want = (type)(x), got[count + 1], *p = NULL;                                                              \
        cl_mem m = buffer_of(s, sizeof got, NULL);                                                                     \
        OK(selv_svm(s, sizeof got, &p));                                                                               \
        given(selv_zero(s, m, sizeof got));                                                                            \
        given(selv_zero(s, p, sizeof got));                                                                            \
        given(selv_fill(s, selv_part(m, sizeof want, count * sizeof want), x, count * sizeof want));                   \
        given(selv_fill(s, selv_part(p, sizeof want, count * sizeof want), x, count * sizeof want));                   \
        OK(selv_read(s, got, m, sizeof got));                                                                          \
        OK(selv_wait(s, p));                                                                                           \
        ck_assert_msg(!memcmp(got, p, sizeof got), "%s: buffer and SVM differ", #x);                                   \
        for (int i = 1; i <= count; i++)                                                                               \
            ck_assert_msg(!memcmp(&got[i], &want, sizeof want), "%s: element %d", #x, i);                              \
        ck_assert_int_eq(((unsigned char *)got)[0], 0);                                                                \
        OK(selv_svm_free(s, p));                                                                                       \
        OK(selv_release(s, m));                                                                                        \
    } while (0)

START_TEST(a_fill_repeats_a_number_of_any_type)
{
    FILLED(char, 7, (char)-3);
    FILLED(unsigned char, 7, (unsigned char)200);
    FILLED(short, 5, (short)-30000);
    FILLED(unsigned short, 5, (unsigned short)60000);
    FILLED(int, 5, -70000);
    FILLED(unsigned, 5, 4000000000u);
    FILLED(cl_long, 3, (cl_long)-5000000000);
    FILLED(cl_ulong, 3, (cl_ulong)1 << 63);
    FILLED(float, 5, 0.1f);
    FILLED(double, 3, 0.1);
}
END_TEST

#define FILLED_BYTES(type, value_)                                                                                     \
    do {                                                                                                               \
        type want = value_, got[3];                                                                                    \
        cl_mem m = buffer_of(s, sizeof got, NULL);                                                                     \
        given(selv_fill(s, m, selv_value(want), sizeof got));                                                          \
        OK(selv_read(s, got, m, sizeof got));                                                                          \
        OK(selv_release(s, m));                                                                                        \
        ck_assert(!memcmp(&got[0], &want, sizeof want) && !memcmp(&got[2], &want, sizeof want));                       \
    } while (0)

typedef struct pair {
    cl_int a;
    cl_float b;
} pair;

typedef struct largest {
    cl_int at[32];
} largest;

START_TEST(a_fill_repeats_vectors_and_structs)
{
    cl_float4 four = {{1, 2, 3, 4}}, got[3];
    cl_char2 two = {{5, 6}}, got_two[8];
    cl_mem m = mem_of(sizeof got, NULL);
    given(selv_fill(s, m, four, sizeof got));
    OK(selv_read(s, got, m, sizeof got));
    ck_assert(got[2].s[3] == 4 && got[1].s[0] == 1);
    given(selv_fill(s, m, two, sizeof got_two));
    OK(selv_read(s, got_two, m, sizeof got_two));
    ck_assert(got_two[7].s[1] == 6);
    FILLED_BYTES(pair, ((pair){7, 1.5f}));
    FILLED_BYTES(largest, ((largest){{1, 2, [31] = 3}}));
}
END_TEST

START_TEST(zero_takes_any_number_of_bytes_anywhere)
{
    unsigned char ones[64], got[64], *p = NULL;
    memset(ones, 1, sizeof ones);
    cl_mem m = mem_of(sizeof ones, ones);
    OK(selv_svm(s, 64, &p));
    for (size_t at = 0; at < 20; at++)
        for (size_t bytes = 1; bytes < 20; bytes += 6) {
            OK(selv_write(s, m, ones, 64));
            given(selv_zero(s, selv_part(m, at, bytes), bytes));
            OK(selv_read(s, got, m, 64));
            for (size_t i = 0; i < 64; i++)
                ck_assert_uint_eq(got[i], i < at || i >= at + bytes);
        }
    memset(p, 1, 64);
    given(selv_zero(s, selv_part(p, 3, 5), 5));
    OK(selv_wait(s, p));
    ck_assert(p[2] == 1 && p[3] == 0 && p[7] == 0 && p[8] == 1);
    OK(selv_svm_free(s, p));
}
END_TEST

typedef struct odd {
    char at[3];
} odd;

START_TEST(fills_that_cannot_be_are_refused)
{
    cl_mem x = mem_of(64, NULL);
    int host = 0;
    odd three = {{1, 2, 3}};
    refused_with(selv_fill(s, x, 1, 6), SELV_ARGUMENT_VALUE);
    refused_with(selv_fill(s, selv_part(x, 2, 8), 1, 8), SELV_ARGUMENT_VALUE);
    refused_with(selv_fill(s, x, selv_value(three), 6), SELV_ARGUMENT_VALUE);
    error_says("128");
    refused_with(selv_fill(s, x, 1, 68), SELV_OUT_OF_RANGE);
    refused_with(selv_fill(s, x, 1, 0), SELV_INVALID);
    refused_with(selv_zero(s, &host, 4), SELV_UNKNOWN_POINTER);
    ck_assert_uint_eq(stats_of(s).tasks, 0);
}
END_TEST

START_TEST(a_fill_is_ordered_as_a_write_of_what_it_fills)
{
    int one = 1;
    cl_mem a = mem_of(4, &one), b = mem_of(4, NULL), c = mem_of(4, NULL);
    cl_kernel look = KERNEL("look");
    gate g = close_gate(s, a);
    selv_task r1 = given(selv_launch(s, look, selv_1d(1), b, a)), r2 = given(selv_launch(s, look, selv_1d(1), c, a));
    selv_task f = given(selv_fill(s, a, 0, 4));
    open_gate(g);
    UNORDERED(r1, r2);
    ck_assert_uint_eq(edges_into(s, f), 2);
    ck_assert(is_edge(s, r1, f) && is_edge(s, r2, f));
    ck_assert(read_int(s, b) == 1 && read_int(s, c) == 1 && read_int(s, a) == 0);
}
END_TEST

/* --- maps --- */

START_TEST(a_map_for_reading_shows_what_was_written_and_lets_readers_by)
{
    int *p = NULL;
    cl_mem x = mem_of(4096, NULL), out = mem_of(4, NULL);
    given(selv_launch(s, KERNEL("store"), selv_1d(1024), x, 3));
    OK(selv_map(s, x, SELV_READ, &p));
    ck_assert(p[0] == 3 && p[1023] == 3);
    given(selv_launch(s, KERNEL("look"), selv_1d(1), out, x));
    ck_assert_int_eq(read_int(s, out), 3);
    refused_with(selv_launch(s, KERNEL("store"), selv_1d(1), x, 4), SELV_MAPPED);
    error_says("selv_unmap");
    refused_with(selv_zero(s, selv_part(x, 64, 4), 4), SELV_MAPPED);
    given(selv_unmap(s, x));
    given(selv_launch(s, KERNEL("store"), selv_1d(1), x, 4));
    ck_assert_int_eq(read_int(s, x), 4);
}
END_TEST

START_TEST(what_is_written_through_a_map_is_what_the_next_task_sees)
{
    const selv_mode modes[] = {SELV_READ_WRITE, SELV_WRITE};
    int *p = NULL;
    cl_mem x = mem_of(16, NULL), out = mem_of(4, NULL);
    given(selv_launch(s, KERNEL("store"), selv_1d(4), x, 5));
    for (int i = 0; i < 2; i++) {
        OK(selv_map(s, x, modes[i], &p));
        if (modes[i] == SELV_READ_WRITE)
            ck_assert_int_eq(p[3], 5);
        p[0] = p[1] = p[2] = p[3] = 100 + i;
        refused_with(selv_launch(s, KERNEL("look"), selv_1d(1), out, x), SELV_MAPPED);
        selv_task u = given(selv_unmap(s, x));
        selv_task r = given(selv_launch(s, KERNEL("look"), selv_1d(1), out, x));
        ck_assert(is_edge(s, u, r));
        ck_assert_int_eq(read_int(s, out), 100 + i);
    }
}
END_TEST

START_TEST(mapping_twice_and_unmapping_what_is_not_mapped_are_refused)
{
    int *p = NULL;
    cl_mem x = mem_of(16, NULL);
    refused_with(selv_unmap(s, x), SELV_INVALID);
    OK(selv_map(s, x, SELV_READ, &p));
    refused_with(selv_map(s, x, SELV_READ, &p), SELV_MAPPED);
    refused_with(selv_release(s, x), SELV_MAPPED);
    given(selv_unmap(s, x));
    refused_with(selv_unmap(s, x), SELV_INVALID);
    refused_with(selv_map(s, x, SELV_ACCUMULATE, &p), SELV_INVALID);
    refused_with(selv_map(s, x, SELV_NONE, &p), SELV_INVALID);
}
END_TEST

START_TEST(a_mapped_sub_buffer_leaves_the_rest_of_its_root_alone)
{
    size_t unit = alignment_of(s);
    int *p = NULL;
    cl_mem x = mem_of(2 * unit, NULL), low = sub_buffer(x, 0, unit), high = sub_buffer(x, unit, unit);
    given(selv_zero(s, x, 2 * unit));
    OK(selv_map(s, low, SELV_READ_WRITE, &p));
    p[0] = 8;
    given(selv_launch(s, KERNEL("store"), selv_1d(1), high, 9));
    refused_with(selv_launch(s, KERNEL("store"), selv_1d(1), x, 9), SELV_MAPPED);
    given(selv_unmap(s, low));
    ck_assert_int_eq(read_int(s, x), 8);
    ck_assert_int_eq(read_int(s, high), 9);
}
END_TEST

START_TEST(an_unmap_waits_for_copies_from_the_mapped_address)
{
    int *p = NULL, value = 6;
    cl_mem x = mem_of(64, NULL), y = mem_of(4, NULL);
    OK(selv_write(s, selv_part(x, 8, 4), &value, 4));
    OK(selv_map(s, x, SELV_READ, &p));
    gate g = close_gate(s, y);
    selv_task c = given(selv_copy(s, y, selv_arg_of(p + 2), 4));
    selv_task u = given(selv_unmap(s, x));
    selv_task w = given(selv_zero(s, x, 64));
    open_gate(g);
    ck_assert(is_edge(s, c, u) && is_edge(s, u, w));
    ck_assert_int_eq(read_int(s, y), 6);
}
END_TEST

START_TEST(an_unmap_waits_for_copies_to_the_mapped_address)
{
    int *p = NULL, value = 6;
    cl_mem x = mem_of(64, NULL), y = mem_of(4, &value);
    OK(selv_map(s, x, SELV_READ_WRITE, &p));
    gate g = close_gate(s, y);
    selv_task c = given(selv_copy(s, selv_arg_of(p), y, 4));
    selv_task u = given(selv_unmap(s, x));
    open_gate(g);
    ck_assert(is_edge(s, c, u));
    ck_assert_int_eq(read_int(s, x), 6);
}
END_TEST

/* --- no work --- */

START_TEST(a_launch_of_no_work_items_keeps_its_place)
{
    cl_mem x = mem_of(4, NULL);
    cl_kernel add = KERNEL("add");
    gate g = close_gate(s, x);
    selv_task w = given(selv_fill(s, x, 5, 4));
    selv_task none = given(selv_launch(s, add, selv_1d(0), x, 100));
    selv_task after = given(selv_launch(s, add, selv_1d(1), x, 1));
    open_gate(g);
    ck_assert(is_edge(s, w, none) && is_edge(s, none, after));
    OK(selv_wait_task(s, none));
    ck_assert_int_eq(read_int(s, x), 6);
    given(selv_launch(s, add, selv_2d(4, 0), x, 100));
    given(selv_launch(s, add, selv_3d(0, 0, 0), x, 100));
    ck_assert_int_eq(read_int(s, x), 6);
    refused_with(selv_launch(s, add, selv_1d(0), x), SELV_ARGUMENT_COUNT);
}
END_TEST

/* --- waiting --- */

START_TEST(waiting_for_one_task_or_one_buffer_leaves_the_others_alone)
{
    cl_mem x = mem_of(4, NULL), y = mem_of(4, NULL);
    cl_kernel store = KERNEL("store");
    gate g = close_gate(s, y);
    selv_task a = given(selv_launch(s, store, selv_1d(1), x, 1));
    selv_task b = given(selv_launch(s, store, selv_1d(1), y, 2));
    OK(selv_wait_task(s, a));
    OK(selv_wait(s, x));
    ck_assert_int_eq(selv_ready(s, x), 1);
    ck_assert_int_eq(selv_ready(s, y), 0);
    ck_assert_uint_ge(stats_of(s).tasks_running, 1);
    open_gate(g);
    OK(selv_wait_task(s, b));
    OK(selv_wait_task(s, a));
    OK(selv_finish(s));
    ck_assert_int_eq(selv_ready(s, y), 1);
    ck_assert_uint_eq(stats_of(s).tasks_running, 0);
    ck_assert_uint_eq(stats_of(s).live_events, 0);
}
END_TEST

START_TEST(waiting_for_a_part_of_a_buffer_leaves_the_other_part)
{
    cl_mem x = mem_of(8, NULL);
    gate g = close_gate_of(selv_part(x, 4, 4));
    given(selv_fill(s, selv_within(x, 0, 4), 1, 4));
    given(selv_fill(s, selv_within(x, 4, 4), 2, 4));
    OK(selv_wait(s, selv_part(x, 0, 4)));
    ck_assert_int_eq(selv_ready(s, x), 0);
    open_gate(g);
    OK(selv_wait(s, x));
    ck_assert_int_eq(selv_ready(s, x), 1);
}
END_TEST

START_TEST(ready_never_waits_and_brings_the_work_on_its_way)
{
    cl_mem x = mem_of(4, NULL);
    kept.program = build(s, source);
    selv_task t = keep_busy(s, kept.program, x);
    int polls = 0;
    while (!selv_ready(s, x) && polls < 5000) {
        polls++;
        usleep(1000);
    }
    ck_assert_int_gt(polls, 0);
    ck_assert_int_lt(polls, 5000);
    OK(selv_wait_task(s, t));
}
END_TEST

START_TEST(a_flush_brings_everything_on_its_way)
{
    cl_mem x = mem_of(4, NULL);
    cl_kernel add = KERNEL("add");
    given(selv_zero(s, x, 4));
    for (int i = 0; i < 20; i++)
        given(selv_launch(s, add, selv_1d(1), x, 1));
    OK(selv_flush(s));
    for (int i = 0; i < 5000 && stats_of(s).tasks_running; i++)
        usleep(1000);
    ck_assert_uint_eq(stats_of(s).tasks_running, 0);
    ck_assert_int_eq(read_int(s, x), 20);
}
END_TEST

START_TEST(only_memory_with_an_address_can_be_edited)
{
    cl_mem x = mem_of(4, NULL);
    refused_with(selv_edit(s, x), SELV_UNSUPPORTED);
    error_says("selv_map");
    refused_with(selv_wait_task(s, 99), SELV_UNKNOWN_TASK);
    refused_with(selv_wait_task(s, 0), SELV_UNKNOWN_TASK);
    refused_with(selv_wait_task(s, SELV_MAPPED), SELV_MAPPED);
}
END_TEST

/* --- names --- */

START_TEST(a_name_is_what_texts_and_graphs_call_the_memory)
{
    char name[] = "heights", text[512];
    cl_mem x = mem_of(4, NULL);
    OK(selv_name(s, x, name));
    memset(name, 'z', sizeof name - 1); /* it was copied */
    given(selv_zero(s, x, 4));
    selv_task t = given(selv_launch(s, KERNEL("add"), selv_1d(1), x, 1));
    OK(selv_explain(s, t, text, sizeof text));
    ck_assert_msg(strstr(text, "heights") && strstr(text, "RAW") && strstr(text, "add"), "%s", text);
    refused_with(selv_launch(s, KERNEL("add"), selv_1d(1), selv_within(x, 4, 4), 1), SELV_OUT_OF_RANGE);
    error_says("heights");
    OK(selv_name(s, x, "depths"));
    refused_with(selv_launch(s, KERNEL("add"), selv_1d(1), selv_within(x, 4, 4), 1), SELV_OUT_OF_RANGE);
    error_says("depths");
}
END_TEST

START_TEST(svm_is_named_by_any_of_its_addresses_and_host_memory_not_at_all)
{
    int *p = NULL, host = 0;
    OK(selv_svm(s, 64, &p));
    OK(selv_name(s, p + 3, "nodes"));
    given(selv_zero(s, p, 64));
    selv_task t = given(selv_launch(s, KERNEL("add"), selv_1d(1), p, 1));
    ck_assert_str_eq(edge_between(s, t - 1, t).allocation_name, "nodes");
    refused_with(selv_name(s, &host, "mine"), SELV_UNKNOWN_POINTER);
    OK(selv_svm_free(s, p));
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, a_fill_repeats_a_number_of_any_type);
    tcase_add_test(t, a_fill_repeats_vectors_and_structs);
    tcase_add_test(t, zero_takes_any_number_of_bytes_anywhere);
    tcase_add_test(t, fills_that_cannot_be_are_refused);
    tcase_add_test(t, a_fill_is_ordered_as_a_write_of_what_it_fills);
    tcase_add_test(t, a_map_for_reading_shows_what_was_written_and_lets_readers_by);
    tcase_add_test(t, what_is_written_through_a_map_is_what_the_next_task_sees);
    tcase_add_test(t, mapping_twice_and_unmapping_what_is_not_mapped_are_refused);
    tcase_add_test(t, a_mapped_sub_buffer_leaves_the_rest_of_its_root_alone);
    tcase_add_test(t, an_unmap_waits_for_copies_from_the_mapped_address);
    tcase_add_test(t, an_unmap_waits_for_copies_to_the_mapped_address);
    tcase_add_test(t, a_launch_of_no_work_items_keeps_its_place);
    tcase_add_test(t, waiting_for_one_task_or_one_buffer_leaves_the_others_alone);
    tcase_add_test(t, waiting_for_a_part_of_a_buffer_leaves_the_other_part);
    tcase_add_test(t, ready_never_waits_and_brings_the_work_on_its_way);
    tcase_add_test(t, a_flush_brings_everything_on_its_way);
    tcase_add_test(t, only_memory_with_an_address_can_be_edited);
    tcase_add_test(t, a_name_is_what_texts_and_graphs_call_the_memory);
    tcase_add_test(t, svm_is_named_by_any_of_its_addresses_and_host_memory_not_at_all);
    return run_cases("scheduler/tasks host", t, NULL);
}
