/* Shared virtual memory: whose turn it is, the host's or the device's; interior pointers; freeing while in use. */
#include "scan_support.h"

static const char source[] = SLOW_SOURCE
    "kernel void store(global int *x, int v) { x[get_global_id(0)] = v; }\n"
    "kernel void add(global int *x, int v) { x[get_global_id(0)] += v; }\n"
    "kernel void sum(global int *out, global const int *x, int n, uint turns) {\n"
    "    int v = busy(turns) == 0; for (int i = 0; i < n; i++) v += x[i]; *out = v; }\n"
    "typedef struct { ulong next; int value; int pad; } node;\n"
    "kernel void walk(global int *out, global const node *first) {\n"
    "    int v = 0; for (global const node *n = first; n; n = (global const node *)n->next) v += n->value;\n"
    "    *out = v; }\n";

static int *svm_of(size_t count)
{
    int *p = NULL;
    OK(selv_svm(s, count * sizeof *p, &p));
    ck_assert_ptr_nonnull(p);
    return p;
}

/* How often the library has told the driver to map or unmap: each is a task that selv_stats counts. */
static uint64_t tasks_now(void)
{
    return stats_of(s).tasks;
}

/* --- turns --- */

START_TEST(fresh_memory_may_be_written_at_once_and_the_first_task_sees_it)
{
    int *p = svm_of(4);
    cl_mem out = mem_of(4, NULL);
    for (int i = 0; i < 4; i++)
        p[i] = i + 1;
    given(selv_launch(s, KERNEL("sum"), selv_1d(1), out, p, 4, 1u));
    ck_assert_int_eq(read_int(s, out), 10);
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(after_selv_wait_the_host_reads_what_the_device_wrote)
{
    int *p = svm_of(4);
    gate g = close_gate_of(selv_arg_of(p));
    given(selv_launch(s, KERNEL("store"), selv_1d(4), p, 6));
    ck_assert_int_eq(selv_ready(s, p), 0);
    open_gate(g);
    OK(selv_wait(s, p));
    ck_assert(p[0] == 6 && p[3] == 6);
    ck_assert_int_eq(selv_ready(s, p), 1);
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(after_selv_edit_the_next_task_sees_what_the_host_wrote)
{
    int *p = svm_of(4);
    cl_mem out = mem_of(4, NULL);
    for (int round = 0; round < 3; round++) {
        given(selv_launch(s, KERNEL("store"), selv_1d(4), p, round));
        OK(selv_edit(s, p));
        ck_assert_int_eq(p[1], round);
        p[1] = 100;
        given(selv_launch(s, KERNEL("sum"), selv_1d(1), out, p, 4, 1u));
        ck_assert_int_eq(read_int(s, out), 3 * round + 100);
    }
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(a_task_that_only_reads_leaves_the_memory_with_the_host)
{
    int *p = svm_of(4);
    cl_mem out = mem_of(4, NULL);
    cl_kernel sum = KERNEL("sum");
    given(selv_launch(s, KERNEL("store"), selv_1d(4), p, 2));
    OK(selv_wait(s, p));
    uint64_t before = tasks_now();
    given(selv_launch(s, sum, selv_1d(1), out, p, 4, 1u));
    ck_assert_uint_eq(tasks_now(), before + 1); /* nothing was unmapped */
    ck_assert_int_eq(p[3], 2);
    OK(selv_wait(s, p));
    ck_assert_uint_eq(tasks_now(), before + 1); /* nor mapped again */
    given(selv_launch(s, KERNEL("add"), selv_1d(4), p, 1));
    ck_assert_uint_eq(tasks_now(), before + 3);
    OK(selv_wait(s, p));
    ck_assert_int_eq(p[3], 3);
    ck_assert_int_eq(read_int(s, out), 8);
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(waiting_on_parts_leaves_the_other_parts_with_the_device)
{
    int *p = svm_of(8);
    cl_kernel store = KERNEL("store");
    given(selv_launch(s, store, selv_1d(8), p, 1));
    OK(selv_wait(s, selv_part(p, 0, 16)));
    gate g = close_gate_of(selv_part(p, 16, 16));
    given(selv_launch(s, store, selv_1d(4), selv_part(p, 16, 16), 2));
    OK(selv_wait(s, selv_part(p, 0, 16))); /* would hang if it waited for the other half */
    ck_assert_int_eq(p[0], 1);
    ck_assert_int_eq(selv_ready(s, selv_part(p, 0, 16)), 1);
    ck_assert_int_eq(selv_ready(s, p), 0);
    open_gate(g);
    OK(selv_wait(s, p + 4));
    ck_assert_int_eq(p[7], 2);
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(parts_that_overlap_are_held_by_one_mapping_that_holds_them_all)
{
    int *p = svm_of(8);
    cl_mem out = mem_of(4, NULL);
    given(selv_launch(s, KERNEL("store"), selv_1d(8), p, 1));
    OK(selv_edit(s, selv_part(p, 0, 16)));
    p[0] = 10;
    OK(selv_wait(s, selv_part(p, 8, 16))); /* overlaps it; the edit of the first part still holds */
    p[1] = 20;
    ck_assert_int_eq(p[5], 1);
    OK(selv_edit(s, p));
    p[7] = 30;
    given(selv_launch(s, KERNEL("sum"), selv_1d(1), out, p, 8, 1u));
    ck_assert_int_eq(read_int(s, out), 10 + 20 + 5 + 30);
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(editing_waits_for_readers_and_waiting_does_not)
{
    int *p = svm_of(4);
    cl_mem out = mem_of(4, NULL);
    given(selv_launch(s, KERNEL("store"), selv_1d(4), p, 1));
    OK(selv_wait(s, p));
    gate g = close_gate(s, out);
    selv_task reader = given(selv_launch(s, KERNEL("sum"), selv_1d(1), out, p, 4, 1u));
    OK(selv_wait(s, p)); /* would hang if it waited for the reader behind the gate */
    open_gate(g);
    OK(selv_edit(s, p));
    p[0] = 50; /* after the reader */
    OK(selv_wait_task(s, reader));
    ck_assert_int_eq(read_int(s, out), 4);
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(a_refused_task_leaves_the_memory_with_the_host)
{
    int *p = svm_of(4);
    cl_mem out = mem_of(4, NULL);
    given(selv_launch(s, KERNEL("store"), selv_1d(4), p, 1));
    OK(selv_edit(s, p));
    p[0] = 5;
    ck_assert_int_lt(selv_launch(s, KERNEL("store"), selv_group(selv_1d(4), 3, 1, 1), p, 9), 0);
    ck_assert_int_lt(selv_failure(s), 0);
    p[1] = 6;
    given(selv_launch(s, KERNEL("sum"), selv_1d(1), out, p, 4, 1u));
    ck_assert_int_eq(read_int(s, out), 5 + 6 + 1 + 1);
    OK(selv_svm_free(s, p));
}
END_TEST

/* --- pointers --- */

START_TEST(an_interior_pointer_is_an_access_to_the_whole_block_and_the_kernel_sees_it)
{
    int *p = svm_of(1024);
    memset(p, 0, 4096);
    cl_kernel store = KERNEL("store");
    gate g = close_gate_of(selv_arg_of(p));
    selv_task a = given(selv_launch(s, store, selv_1d(512), p + 512, 7));
    selv_task b = given(selv_launch(s, KERNEL("add"), selv_1d(1024), p, 1));
    open_gate(g);
    ck_assert(is_edge(s, a, b));
    ck_assert_uint_eq(edges_into(s, b), 1);
    OK(selv_wait(s, p));
    ck_assert(p[511] == 1 && p[512] == 8 && p[1023] == 8);
    refused_with(selv_launch(s, store, selv_1d(1), p + 1024, 7), SELV_UNKNOWN_POINTER);
    error_says("one past the end");
    OK(selv_svm_free(s, p));
}
END_TEST

typedef struct node {
    cl_ulong next;
    cl_int value, pad;
} node;

START_TEST(a_list_in_one_block_is_walked_by_the_device)
{
    node *list = NULL;
    OK(selv_svm(s, 10 * sizeof *list, &list));
    cl_mem out = mem_of(4, NULL);
    for (int i = 0; i < 10; i++)
        list[i] = (node){i < 9 ? (uintptr_t)&list[i + 1] : 0, i, 0};
    given(selv_launch(s, KERNEL("walk"), selv_1d(1), out, list + 2));
    ck_assert_int_eq(read_int(s, out), 44);
    OK(selv_svm_free(s, list));
}
END_TEST

/* --- freeing --- */

START_TEST(a_block_freed_while_a_slow_kernel_reads_it_is_there_until_it_ends)
{
    int *p = svm_of(1024);
    cl_mem out = mem_of(4, NULL);
    for (int i = 0; i < 1024; i++)
        p[i] = i + 1;
    given(selv_launch(s, KERNEL("sum"), selv_1d(1), out, p, 1024, SLOW_TURNS));
    OK(selv_svm_free(s, p));
    ck_assert_int_eq(read_int(s, out), 524800);
}
END_TEST

START_TEST(blocks_freed_in_great_number_while_kernels_wait_are_there_until_they_end)
{
    enum { BLOCKS = 100 };
    cl_mem out = mem_of(4, NULL);
    cl_kernel sum = KERNEL("sum");
    gate g = close_gate(s, out);
    for (int k = 0; k < BLOCKS; k++) {
        int *p = svm_of(64);
        for (int i = 0; i < 64; i++)
            p[i] = k;
        given(selv_launch(s, sum, selv_1d(1), out, p, 64, 1u));
        OK(selv_svm_free(s, p));
    }
    open_gate(g);
    ck_assert_int_eq(read_int(s, out), 64 * (BLOCKS - 1));
}
END_TEST

START_TEST(a_freed_block_is_refused_by_its_address_and_cannot_be_freed_again)
{
    int *p = svm_of(64);
    given(selv_launch(s, KERNEL("store"), selv_1d(1), p, 1));
    OK(selv_finish(s));
    OK(selv_svm_free(s, p));
    refused_with(selv_launch(s, KERNEL("store"), selv_1d(1), p, 1), SELV_RELEASED);
    refused_with(selv_svm_free(s, p), SELV_RELEASED);
    refused_with(selv_wait(s, p), SELV_RELEASED);
    OK(selv_svm_free(s, NULL));
}
END_TEST

START_TEST(only_the_beginning_of_a_block_can_be_freed)
{
    int *p = svm_of(64), local = 0;
    refused_with(selv_svm_free(s, p + 1), SELV_UNKNOWN_POINTER);
    refused_with(selv_svm_free(s, &local), SELV_UNKNOWN_POINTER);
    p[63] = 1;
    given(selv_launch(s, KERNEL("add"), selv_1d(64), p, 1));
    OK(selv_wait(s, p));
    ck_assert_int_eq(p[63], 2);
    OK(selv_svm_free(s, p));
}
END_TEST

START_TEST(a_block_at_the_address_of_an_old_one_has_no_edges_to_it)
{
    cl_kernel store = KERNEL("store");
    handles seen = {.count = 0};
    selv_task last = 0;
    for (int i = 0; i < 50; i++) {
        int *p = svm_of(1 << 20); /* four megabytes: the garbage is looked through after each few */
        selv_task t = given(selv_launch(s, store, selv_1d(1), p, i));
        ck_assert_uint_eq(edges_into(s, t), 0);
        if (last)
            UNORDERED(last, t);
        OK(selv_wait(s, p));
        ck_assert_int_eq(p[0], i);
        OK(selv_svm_free(s, p));
        note_handle(&seen, p);
        last = t;
    }
    ck_assert_msg(!handles_come_again() || seen.again > 10, "%zu addresses came again: this asserts nothing",
                  seen.again);
}
END_TEST

START_TEST(bytes_held_are_those_of_blocks_not_yet_given_back)
{
    uint64_t before = stats_of(s).bytes_held;
    int *p = svm_of(1000);
    ck_assert_uint_eq(stats_of(s).bytes_held, before + 4000);
    ck_assert_uint_ge(stats_of(s).allocations, 1);
    OK(selv_svm_free(s, p));
    ck_assert_uint_le(stats_of(s).bytes_held, before + 4000);
}
END_TEST

/* --- the user's own SVM --- */

START_TEST(svm_of_the_users_own_is_known_once_it_is_tracked_and_until_it_is_untracked)
{
    int *p = clSVMAlloc(selv_context(s), CL_MEM_READ_WRITE, 256, 0);
    ck_assert_ptr_nonnull(p);
    cl_kernel store = KERNEL("store");
    refused_with(selv_launch(s, store, selv_1d(1), p, 1), SELV_UNKNOWN_POINTER);
    error_says("selv_track");
    OK(selv_track(s, p, 256));
    gate g = close_gate_of(selv_arg_of(p));
    selv_task a = given(selv_launch(s, store, selv_1d(64), p, 1));
    selv_task b = given(selv_launch(s, KERNEL("add"), selv_1d(1), p + 10, 5));
    open_gate(g);
    ck_assert(is_edge(s, a, b));
    OK(selv_wait(s, p));
    ck_assert(p[0] == 1 && p[10] == 6);
    refused_with(selv_svm_free(s, p), SELV_INVALID);
    error_says("selv_untrack");
    OK(selv_untrack(s, p));
    refused_with(selv_launch(s, store, selv_1d(1), p, 1), SELV_RELEASED);
    clSVMFree(selv_context(s), p);
}
END_TEST

START_TEST(untracking_waits_for_what_uses_the_block)
{
    int *p = clSVMAlloc(selv_context(s), CL_MEM_READ_WRITE, 4096, 0);
    cl_mem out = mem_of(4, NULL);
    OK(selv_track(s, p, 4096));
    OK(selv_edit(s, p));
    for (int i = 0; i < 1024; i++)
        p[i] = 1;
    selv_task t = given(selv_launch(s, KERNEL("sum"), selv_1d(1), out, p, 1024, SLOW_TURNS));
    OK(selv_untrack(s, p));
    clSVMFree(selv_context(s), p);
    OK(selv_wait_task(s, t));
    ck_assert_int_eq(read_int(s, out), 1024);
}
END_TEST

START_TEST(a_block_cannot_be_tracked_twice_nor_untracked_when_it_is_the_librarys)
{
    int *p = svm_of(64);
    ck_assert_int_lt(selv_track(s, p, 256), 0);
    ck_assert_int_lt(selv_track(s, p + 4, 16), 0);
    ck_assert_int_lt(selv_failure(s), 0);
    refused_with(selv_untrack(s, p), SELV_INVALID);
    error_says("selv_svm_free");
    refused_with(selv_track(s, NULL, 16), SELV_INVALID);
    refused_with(selv_track(s, &s, 0), SELV_INVALID);
    OK(selv_svm_free(s, p));
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    if (!device_has_svm())
        return printf("skipped: the device has no shared virtual memory\n"), EXIT_SUCCESS;
    tcase_add_test(t, fresh_memory_may_be_written_at_once_and_the_first_task_sees_it);
    tcase_add_test(t, after_selv_wait_the_host_reads_what_the_device_wrote);
    tcase_add_test(t, after_selv_edit_the_next_task_sees_what_the_host_wrote);
    tcase_add_test(t, a_task_that_only_reads_leaves_the_memory_with_the_host);
    tcase_add_test(t, waiting_on_parts_leaves_the_other_parts_with_the_device);
    tcase_add_test(t, parts_that_overlap_are_held_by_one_mapping_that_holds_them_all);
    tcase_add_test(t, editing_waits_for_readers_and_waiting_does_not);
    tcase_add_test(t, a_refused_task_leaves_the_memory_with_the_host);
    tcase_add_test(t, an_interior_pointer_is_an_access_to_the_whole_block_and_the_kernel_sees_it);
    tcase_add_test(t, a_list_in_one_block_is_walked_by_the_device);
    tcase_add_test(t, a_block_freed_while_a_slow_kernel_reads_it_is_there_until_it_ends);
    tcase_add_test(t, blocks_freed_in_great_number_while_kernels_wait_are_there_until_they_end);
    tcase_add_test(t, a_freed_block_is_refused_by_its_address_and_cannot_be_freed_again);
    tcase_add_test(t, only_the_beginning_of_a_block_can_be_freed);
    tcase_add_test(t, a_block_at_the_address_of_an_old_one_has_no_edges_to_it);
    tcase_add_test(t, bytes_held_are_those_of_blocks_not_yet_given_back);
    tcase_add_test(t, svm_of_the_users_own_is_known_once_it_is_tracked_and_until_it_is_untracked);
    tcase_add_test(t, untracking_waits_for_what_uses_the_block);
    tcase_add_test(t, a_block_cannot_be_tracked_twice_nor_untracked_when_it_is_the_librarys);
    return run_cases("scheduler/svm", t, NULL);
}
