/* Small programs that went wrong in other systems, over buffers: what comes out, and which edges there are. */
#include "scheduler/support.h"

static const char *source =
    SLOW_SOURCE "kernel void sum(global int *c, global const int *a, global const int *b)"
                "{ int i = get_global_id(0); c[i] = a[i] + b[i]; }\n"
                "kernel void product(global int *a, global const int *b, global const int *c) { a[0] = b[0] * c[0]; }\n"
                "kernel void scale(global int *b, global const int *a, int factor, uint turns)"
                "{ b[0] = factor * a[0] + (busy(turns) == 0); }\n"
                "kernel void fold(global int *dst, global const int *src, int half_of)"
                "{ int i = get_global_id(0); dst[i] += src[i + half_of]; }\n"
                "kernel void fold_from(global const int *src, global int *dst, int half_of)"
                "{ int i = get_global_id(0); dst[i] += src[i + half_of]; }\n"
                "kernel void add(global int *x, int v) { x[get_global_id(0)] += v; }\n"
                "kernel void times(global int *x, int v) { x[get_global_id(0)] *= v; }\n";

enum { LANES = 4 };

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

static cl_kernel kernel_named(const char *name)
{
    return kernel_of(s, program, name);
}

static cl_mem int_of(int value)
{
    return buffer_of(s, sizeof value, &value);
}

static cl_mem zeros(size_t bytes)
{
    cl_mem m = buffer_of(s, bytes, NULL);
    given(selv_zero(s, m, bytes));
    OK(selv_finish(s));
    return m;
}

static void let_go(size_t n, const cl_mem *m)
{
    for (size_t i = 0; i < n; i++)
        OK(selv_release(s, m[i]));
}

START_TEST(a_sum_waits_for_both_uploads_that_do_not_block)
{
    enum { N = 1 << 18 };
    const size_t bytes = N * sizeof(int);
    int *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    cl_mem x[3] = {buffer_of(s, bytes, NULL), buffer_of(s, bytes, NULL), buffer_of(s, bytes, NULL)};
    cl_kernel sum = kernel_named("sum");
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    selv_task up_a = given(selv_copy(s, x[0], a, bytes));
    selv_task up_b = given(selv_copy(s, x[1], b, bytes));
    selv_task t = given(selv_launch(s, sum, selv_1d(N), x[2], x[0], x[1]));
    OK(selv_read(s, c, x[2], bytes));
    long long total = 0;
    for (int i = 0; i < N; i++)
        total += c[i];
    ck_assert_int_eq(total, 103078821888);
    ck_assert(is_edge(s, up_a, t) && is_edge(s, up_b, t));
    ck_assert_uint_eq(edges_into(s, t), 2);
    ck_assert_uint_eq(edges_into(s, up_a) + edges_into(s, up_b), 0);
    let_go(3, x);
    clReleaseKernel(sum);
    free(a);
    free(b);
    free(c);
}
END_TEST

START_TEST(a_second_product_waits_for_the_slow_reader_of_the_first_and_for_nothing_else)
{
    cl_mem in[4] = {int_of(3), int_of(4), int_of(5), int_of(7)};
    cl_mem out[2] = {int_of(0), int_of(0)};
    cl_kernel product = kernel_named("product"), scale = kernel_named("scale");
    selv_task first = given(selv_launch(s, product, selv_1d(1), out[0], in[0], in[1]));
    selv_task reader = given(selv_launch(s, scale, selv_1d(1), out[1], out[0], 2, SLOW_TURNS));
    selv_task second = given(selv_launch(s, product, selv_1d(1), out[0], in[2], in[3]));
    ck_assert_int_eq(read_int(s, out[1]), 24);
    ck_assert_int_eq(read_int(s, out[0]), 35);
    ck_assert(is_edge(s, first, reader));
    ck_assert(is_edge(s, reader, second));
    ck_assert_int_eq(edge_between(s, reader, second).kind, SELV_WAR);
    ck_assert(edge_between(s, first, second).redundant);
    ck_assert_int_ne(edge_between(s, first, second).fate, SELV_FATE_WAIT);
    ck_assert_uint_eq(edges_into(s, second), 1);
    let_go(4, in);
    let_go(2, out);
    clReleaseKernel(product);
    clReleaseKernel(scale);
}
END_TEST

START_TEST(a_fill_waits_for_two_readers_that_do_not_wait_for_each_other)
{
    cl_mem a = int_of(5), b = int_of(0), c = int_of(0);
    cl_kernel scale = kernel_named("scale");
    selv_task twice = given(selv_launch(s, scale, selv_1d(1), b, a, 2, SLOW_TURNS));
    selv_task thrice = given(selv_launch(s, scale, selv_1d(1), c, a, 3, SLOW_TURNS));
    selv_task fill = given(selv_fill(s, a, 0, sizeof(int)));
    ck_assert_uint_eq(stats_of(s).waits, 1); /* the fill: one reader is on its lane, one is not */
    ck_assert_int_eq(read_int(s, b), 10);
    ck_assert_int_eq(read_int(s, c), 15);
    ck_assert_int_eq(read_int(s, a), 0);
    ck_assert_uint_eq(reasons_between(s, twice, thrice), 0);
    ck_assert(is_edge(s, twice, fill) && is_edge(s, thrice, fill));
    ck_assert_uint_eq(edges_into(s, fill), 2);
    let_go(3, (cl_mem[]){a, b, c});
    clReleaseKernel(scale);
}
END_TEST

static void assert_is_a_chain(const selv_task *t, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        ck_assert_msg(is_edge(s, t[i - 1], t[i]), "launch %zu does not wait for the one before", i);
        ck_assert_uint_eq(edges_into(s, t[i]), 1);
    }
}

static void sum_by_halves(const char *name)
{
    int numbers[1024];
    selv_task t[10];
    size_t count = 0;
    for (int i = 0; i < 1024; i++)
        numbers[i] = i;
    cl_mem x = buffer_of(s, sizeof numbers, numbers);
    cl_kernel fold = kernel_named(name);
    keep_busy(s, program, x); /* so that no launch finds the one before complete */
    for (size_t half = 512; half; half /= 2)
        t[count++] = given(selv_launch(s, fold, selv_1d(half), x, x, (int)half));
    ck_assert_int_eq(read_int(s, x), 523776);
    assert_is_a_chain(t, count);
    ck_assert_uint_eq(stats_of(s).waits, 0);
    selv_edge e = edge_between(s, t[0], t[1]);
    ck_assert_int_eq(e.to_mode, SELV_READ_WRITE);
    OK(selv_release(s, x));
    clReleaseKernel(fold);
}

START_TEST(a_tree_sum_in_one_buffer_goes_launch_by_launch_with_the_destination_first)
{
    sum_by_halves("fold");
}
END_TEST

START_TEST(a_tree_sum_in_one_buffer_goes_launch_by_launch_with_the_source_first)
{
    sum_by_halves("fold_from");
}
END_TEST

static void assert_all(cl_mem m, size_t count, int value)
{
    int *got = malloc(count * sizeof *got);
    OK(selv_read(s, got, m, count * sizeof *got));
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(got[i] == value, "element %zu is %d, not %d", i, got[i], value);
    free(got);
}

/* +1 on two disjoint halves, then twice the whole. */
static void assert_halves_then_whole(cl_mem whole, size_t count, selv_arg left, selv_arg right)
{
    cl_kernel add = kernel_named("add"), times = kernel_named("times");
    keep_busy(s, program, whole);
    selv_task l = given(selv_launch(s, add, selv_1d(count / 2), left, 1));
    selv_task r = given(selv_launch(s, add, selv_1d(count / 2), right, 1));
    selv_task both = given(selv_launch(s, times, selv_1d(count), whole, 2));
    assert_all(whole, count, 2);
    ck_assert_uint_eq(reasons_between(s, l, r), 0);
    ck_assert(is_edge(s, l, both) && is_edge(s, r, both));
    ck_assert_uint_eq(edges_into(s, both), 2);
    clReleaseKernel(add);
    clReleaseKernel(times);
}

START_TEST(halves_by_parts_run_side_by_side_and_the_whole_waits_for_both)
{
    const size_t bytes = 64 * alignment_of(s);
    cl_mem whole = zeros(bytes);
    assert_halves_then_whole(whole, bytes / sizeof(int), selv_part(whole, 0, bytes / 2),
                             selv_part(whole, bytes / 2, bytes / 2));
    OK(selv_release(s, whole));
}
END_TEST

static cl_mem sub_buffer(cl_mem m, size_t begin, size_t bytes)
{
    cl_int code;
    const cl_buffer_region region = {begin, bytes};
    cl_mem sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return sub;
}

START_TEST(halves_by_sub_buffers_run_side_by_side_and_the_parent_waits_for_both)
{
    const size_t bytes = 64 * alignment_of(s);
    cl_mem whole = zeros(bytes);
    cl_mem left = sub_buffer(whole, 0, bytes / 2), right = sub_buffer(whole, bytes / 2, bytes / 2);
    assert_halves_then_whole(whole, bytes / sizeof(int), selv_arg_of(left), selv_arg_of(right));
    clReleaseMemObject(left);
    clReleaseMemObject(right);
    OK(selv_release(s, whole));
}
END_TEST

/* In units of the alignment, 64 of them:  |0   16   32   48   64|  all 1, then [0, 32) = 2, then [16, 48) += 10 */
static void assert_overlaps(const int *got, size_t unit)
{
    static const int expected[] = {2, 12, 11, 1};
    for (size_t i = 0; i < 64 * unit; i++)
        ck_assert_msg(got[i] == expected[i / (16 * unit)], "element %zu is %d", i, got[i]);
}

START_TEST(overlapping_writes_of_parts_are_ordered_where_they_overlap)
{
    const size_t unit = alignment_of(s), bytes = 64 * unit;
    int *got = malloc(bytes);
    cl_mem parent = zeros(bytes);
    cl_kernel add = kernel_named("add");
    keep_busy(s, program, parent);
    selv_task ones = given(selv_fill(s, parent, 1, bytes));
    selv_task twos = given(selv_fill(s, selv_part(parent, 0, 32 * unit), 2, 32 * unit));
    selv_task tens =
        given(selv_launch(s, add, selv_1d(32 * unit / sizeof(int)), selv_part(parent, 16 * unit, 32 * unit), 10));
    selv_task back = given(selv_copy(s, got, parent, bytes));
    OK(selv_wait_task(s, back));
    assert_overlaps(got, unit / sizeof(int));
    ck_assert(is_edge(s, ones, twos));
    ck_assert(is_edge(s, twos, tens));
    ck_assert(is_edge(s, tens, back));
    ck_assert(edge_between(s, ones, tens).redundant);
    ck_assert(edge_between(s, twos, back).redundant);
    ck_assert(edge_between(s, ones, back).redundant);
    OK(selv_release(s, parent));
    clReleaseKernel(add);
    free(got);
}
END_TEST

START_TEST(a_reader_after_a_write_waits_for_the_write_and_not_for_earlier_readers)
{
    cl_mem a = int_of(5), out[3] = {int_of(0), int_of(0), int_of(0)};
    cl_kernel scale = kernel_named("scale");
    selv_task one = given(selv_launch(s, scale, selv_1d(1), out[0], a, 1, SLOW_TURNS));
    selv_task two = given(selv_launch(s, scale, selv_1d(1), out[1], a, 2, SLOW_TURNS));
    selv_task write = given(selv_fill(s, a, 7, sizeof(int)));
    selv_task last = given(selv_launch(s, scale, selv_1d(1), out[2], a, 3, 1));
    ck_assert_int_eq(read_int(s, out[0]), 5);
    ck_assert_int_eq(read_int(s, out[1]), 10);
    ck_assert_int_eq(read_int(s, out[2]), 21);
    ck_assert(is_edge(s, write, last));
    ck_assert_uint_eq(edges_into(s, last), 1);
    ck_assert_uint_eq(reasons_between(s, one, last) + reasons_between(s, two, last), 0);
    ck_assert_uint_eq(edges_into(s, write), 2);
    let_go(3, out);
    OK(selv_release(s, a));
    clReleaseKernel(scale);
}
END_TEST

/* u' = -u by SSPRK33: three stages a step, over one field of one number. */
static const char *decay_source =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "kernel void stage(global double *next, global const double *u, global const double *v, double keep, double dt)"
    "{ next[0] = keep * u[0] + (1 - keep) * (v[0] - dt * v[0]); }\n"
    "kernel void last(global double *u, global const double *v, double dt)"
    "{ u[0] = u[0] / 3 + 2 * (v[0] - dt * v[0]) / 3; }\n";

START_TEST(thirty_stages_of_a_decay_upload_once_and_download_once)
{
    const double one = 1, dt = 0.1;
    double end = 0;
    selv_task t[30];
    cl_program decay = build(s, decay_source);
    cl_kernel stage = kernel_of(s, decay, "stage"), last = kernel_of(s, decay, "last");
    cl_mem u = buffer_of(s, sizeof one, &one), v = buffer_of(s, sizeof one, NULL), w = buffer_of(s, sizeof one, NULL);
    for (int i = 0; i < 30; i += 3) {
        t[i] = given(selv_launch(s, stage, selv_1d(1), v, u, u, 0.0, dt));
        t[i + 1] = given(selv_launch(s, stage, selv_1d(1), w, u, v, 0.75, dt));
        t[i + 2] = given(selv_launch(s, last, selv_1d(1), u, w, dt));
    }
    OK(selv_read(s, &end, u, sizeof end));
    ck_assert_double_eq_tol(end, 0.3678628343, 1e-9);
    ck_assert_uint_eq(stats_of(s).uploads, 1);
    ck_assert_uint_eq(stats_of(s).downloads, 1);
    ck_assert_uint_eq(stats_of(s).bytes_up + stats_of(s).bytes_down, 2 * sizeof one);
    assert_is_a_chain(t, 30);
    ck_assert_uint_eq(stats_of(s).waits, 0);
    let_go(3, (cl_mem[]){u, v, w});
    clReleaseKernel(stage);
    clReleaseKernel(last);
    clReleaseProgram(decay);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("cases");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_sum_waits_for_both_uploads_that_do_not_block);
    tcase_add_test(c, a_second_product_waits_for_the_slow_reader_of_the_first_and_for_nothing_else);
    tcase_add_test(c, a_fill_waits_for_two_readers_that_do_not_wait_for_each_other);
    tcase_add_test(c, a_tree_sum_in_one_buffer_goes_launch_by_launch_with_the_destination_first);
    tcase_add_test(c, a_tree_sum_in_one_buffer_goes_launch_by_launch_with_the_source_first);
    tcase_add_test(c, halves_by_parts_run_side_by_side_and_the_whole_waits_for_both);
    tcase_add_test(c, halves_by_sub_buffers_run_side_by_side_and_the_parent_waits_for_both);
    tcase_add_test(c, overlapping_writes_of_parts_are_ordered_where_they_overlap);
    tcase_add_test(c, a_reader_after_a_write_waits_for_the_write_and_not_for_earlier_readers);
    tcase_add_test(c, thirty_stages_of_a_decay_upload_once_and_download_once);
    return run_case("cases", c, 60);
}
