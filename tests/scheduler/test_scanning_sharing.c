/* Memory that a task reaches more than once, or without being told: the same buffer twice, pointers in structs,
   selv_also, variables of the program; and accumulators, which share. */
#include "scan_support.h"

#include "scheduler/scheduler.h"

static const char source[] =
    "typedef struct { ulong first, second; int n; } pointers;\n"
    "kernel void add(global int *out, global const int *a, global const int *b) { *out = *a + *b; }\n"
    "kernel void both(global int *x, global int *y) { *x += 1; *y += 1; }\n"
    "kernel void follow(global int *out, pointers p) { *out = *(global int *)p.first + p.n; }\n"
    "kernel void follow_number(global int *out, ulong p) { *out = *(global int *)p; }\n"
    "kernel void follow_memory(global int *out, global ulong *where) { *out = *(global int *)*where; }\n"
    "kernel void store(global int *x, int v) { *x = v; }\n"
    "kernel void count(volatile global int *sum, int v) { atomic_add(sum, v); }\n"
    "kernel void look(global int *out, global const int *x) { *out = *x; }\n"
    /* a step of the tree sum: y[i] = x[2i] + x[2i+1], where both may be one buffer and each step has one group */
    "kernel void halve(global int *y, global const int *x, int n) {\n"
    "    int sum = 0; int i = get_local_id(0); if (i < n) sum = x[2 * i] + x[2 * i + 1];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE); if (i < n) y[i] = sum; }\n"
    "kernel void halve_turned(global const int *x, global int *y, int n) {\n"
    "    int sum = 0; int i = get_local_id(0); if (i < n) sum = x[2 * i] + x[2 * i + 1];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE); if (i < n) y[i] = sum; }\n";

/* --- one buffer, several arguments --- */

START_TEST(one_buffer_for_two_arguments_is_one_access_with_both_modes)
{
    int one = 1;
    cl_mem x = mem_of(4, &one), y = mem_of(4, &one);
    cl_kernel k = KERNEL("add");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, k, selv_1d(1), x, x, x)), b = given(selv_launch(s, k, selv_1d(1), y, x, x));
    selv_task c = given(selv_launch(s, k, selv_1d(1), y, x, x));
    open_gate(g);
    ck_assert(is_edge(s, a, b));
    ck_assert_uint_eq(reasons_between(s, b, c), 1); /* only y: reading x twice is no reason */
    ck_assert_int_eq(read_int(s, y), 4);
}
END_TEST

START_TEST(reading_and_writing_one_buffer_is_ordered_after_readers_and_writers)
{
    int one = 1;
    cl_mem x = mem_of(4, &one), y = mem_of(4, &one);
    cl_kernel add = KERNEL("add"), look = KERNEL("look");
    gate g = close_gate(s, x);
    selv_task reader = given(selv_launch(s, look, selv_1d(1), y, x));
    selv_task self = given(selv_launch(s, add, selv_1d(1), x, x, x));
    selv_task after = given(selv_launch(s, look, selv_1d(1), mem_of(4, NULL), x));
    open_gate(g);
    ck_assert_int_eq(edge_between(s, reader, self).kind, SELV_WAR);
    ck_assert_int_eq(edge_between(s, self, after).kind, SELV_RAW);
    ck_assert_int_eq(read_int(s, x), 2);
    ck_assert_int_eq(read_int(s, y), 1);
}
END_TEST

static void sum_as_a_tree(const char *kernel)
{
    int numbers[1024];
    for (int i = 0; i < 1024; i++)
        numbers[i] = i;
    cl_mem x = mem_of(sizeof numbers, numbers);
    cl_kernel k = KERNEL(kernel);
    gate g = close_gate(s, x);
    selv_task before = g.task;
    for (int n = 512; n; n /= 2) {
        selv_task t = given(selv_launch(s, k, selv_group(selv_1d(512), 512, 1, 1), x, x, n));
        ck_assert(is_edge(s, before, t));
        ck_assert_uint_eq(edges_into(s, t), 1);
        before = t;
    }
    open_gate(g);
    ck_assert_int_eq(read_int(s, x), 523776);
}

START_TEST(a_buffer_as_source_and_destination_chains_the_launches)
{
    sum_as_a_tree("halve");
}
END_TEST

START_TEST(a_buffer_as_source_and_destination_chains_them_in_the_other_order_of_arguments_too)
{
    sum_as_a_tree("halve_turned");
}
END_TEST

START_TEST(accumulating_twice_stays_accumulating_and_with_a_read_it_is_a_write)
{
    int zero = 0;
    cl_mem x = mem_of(4, &zero);
    cl_kernel k = KERNEL("both");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, k, selv_1d(1), selv_accum(x), selv_accum(x)));
    selv_task b = given(selv_launch(s, k, selv_1d(1), selv_accum(x), selv_accum(x)));
    selv_task c = given(selv_launch(s, k, selv_1d(1), selv_accum(x), selv_in(x)));
    selv_task d = given(selv_launch(s, k, selv_1d(1), selv_in(x), selv_accum(x)));
    open_gate(g);
    UNORDERED(a, b);
    ck_assert(is_edge(s, a, c) && is_edge(s, b, c) && is_edge(s, c, d));
    ck_assert_int_eq(edge_between(s, c, d).to_mode, SELV_READ_WRITE);
}
END_TEST

/* --- accumulators --- */

START_TEST(accumulators_run_side_by_side_and_a_reader_waits_for_all_of_them)
{
    int zero = 0;
    cl_mem sum = mem_of(4, &zero), out = mem_of(4, NULL);
    cl_kernel count = KERNEL("count");
    OK(selv_signature(s, count, "accum, int"));
    gate g = close_gate(s, sum);
    selv_task a = given(selv_launch(s, count, selv_1d(100), sum, 1));
    selv_task b = given(selv_launch(s, count, selv_1d(100), sum, 2));
    selv_task reader = given(selv_launch(s, KERNEL("look"), selv_1d(1), out, sum));
    selv_task c = given(selv_launch(s, count, selv_1d(100), sum, 3));
    open_gate(g);
    UNORDERED(a, b);
    ck_assert_uint_eq(edges_into(s, reader), 2);
    ck_assert(is_edge(s, a, reader) && is_edge(s, b, reader) && is_edge(s, reader, c));
    ck_assert_int_eq(edge_between(s, reader, c).kind, SELV_WAR);
    ck_assert_int_eq(read_int(s, out), 300);
    ck_assert_int_eq(read_int(s, sum), 600);
}
END_TEST

START_TEST(an_accumulator_waits_for_the_write_before_it_and_a_write_for_every_accumulator)
{
    cl_mem sum = mem_of(4, NULL);
    cl_kernel count = KERNEL("count");
    gate g = close_gate(s, sum);
    selv_task w = given(selv_zero(s, sum, 4));
    selv_task a = given(selv_launch(s, count, selv_1d(10), selv_accum(sum), 1));
    selv_task b = given(selv_launch(s, count, selv_1d(10), selv_accum(sum), 1));
    selv_task w2 = given(selv_fill(s, sum, 5, 4));
    open_gate(g);
    ck_assert(is_edge(s, w, a) && is_edge(s, w, b) && is_edge(s, a, w2) && is_edge(s, b, w2));
    ck_assert_int_eq(edge_between(s, a, w2).kind, SELV_WAW);
    ck_assert_int_eq(read_int(s, sum), 5);
}
END_TEST

/* --- hidden pointers --- */

static int *svm_of(size_t bytes)
{
    int *p = NULL;
    OK(selv_svm(s, bytes, &p));
    return p;
}

typedef struct pointers {
    cl_ulong first, second;
    cl_int n;
} pointers;

START_TEST(an_address_in_a_struct_is_an_access_to_its_whole_block_and_is_assumed)
{
    int *block = svm_of(64), *other = svm_of(64);
    cl_mem out = mem_of(4, NULL);
    cl_kernel store = KERNEL("store");
    gate g = close_gate_of(selv_arg_of(block));
    selv_task w = given(selv_launch(s, store, selv_1d(1), block + 3, 40));
    selv_task v = given(selv_launch(s, store, selv_1d(1), other, 1));
    pointers p = {(uintptr_t)(block + 3), 0, 2};
    selv_task t = given(selv_launch(s, KERNEL("follow"), selv_1d(1), out, selv_value(p)));
    open_gate(g);
    selv_edge e = edge_between(s, w, t);
    ck_assert_int_eq(e.to_mode, SELV_READ_WRITE);
    ck_assert(e.to_assumed);
    ck_assert_int_eq(e.to_argument, 1);
    ck_assert_uint_eq(e.begin, 0);
    ck_assert_uint_eq(e.end, 64);
    UNORDERED(v, t);
    ck_assert_int_eq(read_int(s, out), 42);
    OK(selv_svm_free(s, block));
    OK(selv_svm_free(s, other));
}
END_TEST

START_TEST(every_address_in_a_struct_counts_and_one_past_the_end_does_not)
{
    int *a = svm_of(64), *b = svm_of(64), *c = svm_of(64);
    cl_mem out = mem_of(4, NULL);
    cl_kernel store = KERNEL("store");
    selv_task wa = given(selv_launch(s, store, selv_1d(1), a, 1)), wb = given(selv_launch(s, store, selv_1d(1), b, 2));
    selv_task wc = given(selv_launch(s, store, selv_1d(1), c, 3));
    pointers p = {(uintptr_t)a, (uintptr_t)b + 63, 0};
    selv_task t = given(selv_launch(s, KERNEL("follow"), selv_1d(1), out, selv_value(p)));
    ORDERED(wa, t);
    ORDERED(wb, t);
    UNORDERED(wc, t);
    OK(selv_finish(s));
    OK(selv_svm_free(s, a));
    OK(selv_svm_free(s, b));
    OK(selv_svm_free(s, c));
}
END_TEST

START_TEST(an_address_passed_as_a_plain_number_is_an_access_too)
{
    int *block = svm_of(64);
    cl_mem out = mem_of(4, NULL);
    gate g = close_gate_of(selv_arg_of(block));
    selv_task w = given(selv_launch(s, KERNEL("store"), selv_1d(1), block, 9));
    selv_task t = given(selv_launch(s, KERNEL("follow_number"), selv_1d(1), out, (uintptr_t)block));
    open_gate(g);
    ORDERED(w, t);
    ck_assert_int_eq(read_int(s, out), 9);
    OK(selv_svm_free(s, block));
}
END_TEST

START_TEST(memory_that_only_the_device_knows_the_way_to_is_named_with_selv_also)
{
    int *block = svm_of(64);
    cl_ulong where = (uintptr_t)block;
    cl_mem out = mem_of(4, NULL), table = mem_of(8, &where);
    cl_kernel k = KERNEL("follow_memory"), store = KERNEL("store");
    gate g = close_gate_of(selv_arg_of(block));
    selv_task w = given(selv_launch(s, store, selv_1d(1), block, 77));
    selv_task t = given(selv_launch(s, k, selv_1d(1), out, table, selv_also(selv_in(block))));
    selv_task u = given(selv_launch(s, k, selv_1d(1), mem_of(4, NULL), selv_in(table), selv_also(selv_in(block))));
    selv_task unsaid = given(selv_launch(s, k, selv_1d(1), mem_of(4, NULL), selv_in(table)));
    selv_task v = given(selv_launch(s, store, selv_1d(1), block, 78));
    open_gate(g);
    ck_assert_int_eq(edge_between(s, w, t).to_mode, SELV_READ);
    ck_assert(!edge_between(s, w, t).to_assumed);
    ORDERED(t, v);
    ck_assert(is_edge(s, u, v));
    UNORDERED(w, unsaid);
    ck_assert_int_eq(read_int(s, out), 77);
    OK(selv_svm_free(s, block));
}
END_TEST

START_TEST(selv_also_counts_as_no_argument_wherever_it_stands)
{
    cl_mem x = mem_of(4, NULL), y = mem_of(4, NULL);
    cl_kernel k = KERNEL("store");
    selv_task w = given(selv_zero(s, y, 4));
    selv_task t = given(selv_launch(s, k, selv_1d(1), selv_also(y), x, 5));
    ck_assert_int_eq(edge_between(s, w, t).to_mode, SELV_READ_WRITE);
    ck_assert_int_eq(read_int(s, x), 5);
    refused_with(selv_launch(s, k, selv_1d(1), x, selv_also(y)), SELV_ARGUMENT_COUNT);
}
END_TEST

/* The driver keeps the list of such blocks that a kernel object was given; this one is freed by the second launch. */
START_TEST(a_launch_without_hidden_memory_uses_no_kernel_object_that_was_told_of_some)
{
    int *block = NULL;
    cl_mem x = mem_of(4, NULL);
    cl_kernel k = KERNEL("store");
    OK(selv_svm(s, sizeof *block, &block));
    given(selv_launch(s, k, selv_1d(1), x, 5, selv_also(block)));
    OK(selv_svm_free(s, block));
    given(selv_launch(s, k, selv_1d(1), x, 6));
    ck_assert_int_eq(read_int(s, x), 6);
    selvi_kernel *known = selvi_kernel_find(&s->kernels, k);
    const selvi_copy *with = selvi_kernel_copy(known, 0, true), *without = selvi_kernel_copy(known, 0, false);
    ck_assert(with && without);
    ck_assert_ptr_ne(with->kernel, without->kernel);
}
END_TEST

/* --- variables of a program --- */

/* PoCL 3.1 loads a kernel once for all programs of one text, variables and all: `comment` keeps two programs apart. */
static cl_program with_variables(const char *comment)
{
    char text[256];
    snprintf(text, sizeof text,
             "/* %s */ global int counter = 0;\n"
             "kernel void next(global int *out) { *out = ++counter; }\n"
             "kernel void peek(global int *out) { *out = counter; }\n",
             comment);
    cl_program p = NULL;
    if (selv_build(s, text, "-cl-std=CL2.0", &p)) { /* PoCL 5 wants no version for them */
        selv_failure(s);
        OK(selv_build(s, text, NULL, &p));
    }
    return p;
}

START_TEST(kernels_of_a_program_with_variables_are_ordered_and_those_of_two_programs_are_not)
{
    cl_program p = with_variables("one"), q = with_variables("the other");
    cl_kernel next = keep_kernel(kernel_of(s, p, "next")), peek = keep_kernel(kernel_of(s, p, "peek"));
    cl_kernel other = keep_kernel(kernel_of(s, q, "next"));
    cl_mem x = mem_of(4, NULL), y = mem_of(4, NULL), z = mem_of(4, NULL);
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, next, selv_1d(1), x));
    selv_task b = given(selv_launch(s, peek, selv_1d(1), y));
    selv_task c = given(selv_launch(s, other, selv_1d(1), z));
    selv_task d = given(selv_launch(s, next, selv_1d(1), y));
    open_gate(g);
    ck_assert(is_edge(s, a, b));
    ck_assert(edge_between(s, a, b).assumed);
    UNORDERED(a, c);
    UNORDERED(b, c);
    ck_assert(is_edge(s, b, d));
    /* within one kernel: PoCL 3.1 gives each kernel variables of its own */
    ck_assert_int_eq(read_int(s, y), read_int(s, x) + 1);
    clReleaseProgram(p);
    clReleaseProgram(q);
}
END_TEST

START_TEST(kernels_of_a_program_without_variables_are_not_ordered)
{
    cl_mem x = mem_of(4, NULL), y = mem_of(4, NULL);
    selv_task a = given(selv_launch(s, KERNEL("store"), selv_1d(1), x, 1));
    selv_task b = given(selv_launch(s, KERNEL("count"), selv_1d(1), y, 1));
    UNORDERED(a, b);
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, one_buffer_for_two_arguments_is_one_access_with_both_modes);
    tcase_add_test(t, reading_and_writing_one_buffer_is_ordered_after_readers_and_writers);
    tcase_add_test(t, a_buffer_as_source_and_destination_chains_the_launches);
    tcase_add_test(t, a_buffer_as_source_and_destination_chains_them_in_the_other_order_of_arguments_too);
    tcase_add_test(t, accumulating_twice_stays_accumulating_and_with_a_read_it_is_a_write);
    tcase_add_test(t, accumulators_run_side_by_side_and_a_reader_waits_for_all_of_them);
    tcase_add_test(t, an_accumulator_waits_for_the_write_before_it_and_a_write_for_every_accumulator);
    tcase_add_test(t, an_address_in_a_struct_is_an_access_to_its_whole_block_and_is_assumed);
    tcase_add_test(t, every_address_in_a_struct_counts_and_one_past_the_end_does_not);
    tcase_add_test(t, an_address_passed_as_a_plain_number_is_an_access_too);
    tcase_add_test(t, memory_that_only_the_device_knows_the_way_to_is_named_with_selv_also);
    tcase_add_test(t, selv_also_counts_as_no_argument_wherever_it_stands);
    tcase_add_test(t, a_launch_without_hidden_memory_uses_no_kernel_object_that_was_told_of_some);
    tcase_add_test(t, kernels_of_a_program_with_variables_are_ordered_and_those_of_two_programs_are_not);
    tcase_add_test(t, kernels_of_a_program_without_variables_are_not_ordered);
    return run_cases("scheduler/scanning sharing", t, NULL);
}
