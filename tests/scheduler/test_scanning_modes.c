/* What a launch does with its memory: from the kernel, its signature, the memory's own flags, or the call. */
#include "scan_support.h"

static const char source[] = "kernel void reads(global const int *x) { }\n"
                             "kernel void reads_fussily(const global volatile int *restrict x) { }\n"
                             "kernel void reads_constant(constant int *x) { }\n"
                             "kernel void touches(global int *x) { }\n"
                             "kernel void two(global int *x, global const int *y) { }\n"
                             "kernel void looks(read_only image2d_t x) { }\n"
                             "kernel void looks_by_default(image2d_t x) { }\n"
                             "kernel void paints(write_only image2d_t x) { }\n"
                             "kernel void repaints(read_write image2d_t x) { }\n";

/* The edge that a fill of x before the task gives to it: its second side tells the task's mode. */
static selv_edge edge_after_write(cl_kernel k, cl_mem x, selv_arg arg)
{
    selv_task w = given(selv_zero(s, x, 64));
    return edge_between(s, w, given(selv_launch(s, k, selv_1d(1), arg)));
}

static void assert_found(const char *kernel, selv_mode mode, bool assumed)
{
    cl_mem x = mem_of(64, NULL);
    selv_edge e = edge_after_write(KERNEL(kernel), x, selv_arg_of(x));
    ck_assert_int_eq(e.to_mode, mode);
    ck_assert_int_eq(e.to_assumed, assumed);
    ck_assert_int_eq(e.to_argument, 0);
    ck_assert_str_eq(e.to_argument_name, "x");
    ck_assert_str_eq(e.to_name, kernel);
}

START_TEST(a_pointer_to_const_is_read)
{
    assert_found("reads", SELV_READ, false);
}
END_TEST

START_TEST(volatile_and_restrict_change_nothing_about_const)
{
    assert_found("reads_fussily", SELV_READ, false);
}
END_TEST

START_TEST(a_constant_pointer_is_read)
{
    assert_found("reads_constant", SELV_READ, false);
}
END_TEST

START_TEST(a_plain_pointer_is_read_and_written_and_that_is_assumed)
{
    assert_found("touches", SELV_READ_WRITE, true);
}
END_TEST

static cl_mem image(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_int code;
    cl_mem m = clCreateImage(selv_context(s), CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return keep_mem(m);
}

static void assert_image_mode(const char *kernel, selv_mode mode)
{
    cl_mem x = image();
    selv_edge e = edge_after_write(KERNEL(kernel), x, selv_arg_of(x));
    ck_assert_int_eq(e.to_mode, mode);
    ck_assert(!e.to_assumed);
}

START_TEST(an_image_is_accessed_as_its_qualifier_says)
{
    assert_image_mode("looks", SELV_READ);
    assert_image_mode("looks_by_default", SELV_READ);
    assert_image_mode("paints", SELV_WRITE);
    assert_image_mode("repaints", SELV_READ_WRITE);
}
END_TEST

START_TEST(two_readers_are_not_ordered_and_two_writers_are)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel reads = KERNEL("reads"), touches = KERNEL("touches");
    gate g = close_gate(s, x);
    selv_task a = given(selv_launch(s, reads, selv_1d(1), x)), b = given(selv_launch(s, reads, selv_1d(1), x));
    selv_task c = given(selv_launch(s, touches, selv_1d(1), x)), d = given(selv_launch(s, touches, selv_1d(1), x));
    open_gate(g);
    UNORDERED(a, b);
    ck_assert(is_edge(s, a, c) && is_edge(s, b, c) && is_edge(s, c, d));
    ck_assert_int_eq(edge_between(s, a, c).kind, SELV_WAR);
    ck_assert_int_eq(edge_between(s, c, d).kind, SELV_RAW);
}
END_TEST

/* --- signatures --- */

START_TEST(a_signature_wins_over_what_was_scanned)
{
    static const struct {
        const char *text;
        selv_mode mode;
    } rows[] = {
        {"in int*", SELV_READ}, {"out int*", SELV_WRITE}, {"inout", SELV_READ_WRITE}, {"accum", SELV_ACCUMULATE}};
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = KERNEL("touches");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OK(selv_signature(s, k, rows[i].text));
        selv_edge e = edge_after_write(k, x, selv_arg_of(x));
        ck_assert_msg(e.to_mode == rows[i].mode, "\"%s\" gave mode %d", rows[i].text, (int)e.to_mode);
        ck_assert(!e.to_assumed);
    }
}
END_TEST

START_TEST(an_untracked_parameter_of_a_signature_has_no_edges)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = KERNEL("touches");
    OK(selv_signature(s, k, "untracked"));
    selv_task w = given(selv_zero(s, x, 64)), t = given(selv_launch(s, k, selv_1d(1), x));
    UNORDERED(w, t);
    ck_assert_int_eq(edge_after_write(k, x, selv_in(x)).to_mode, SELV_READ); /* the call wins */
}
END_TEST

START_TEST(an_empty_item_of_a_signature_leaves_the_mode_as_found)
{
    cl_mem x = mem_of(64, NULL), y = mem_of(64, NULL);
    cl_kernel k = KERNEL("two");
    OK(selv_signature(s, k, "out, -"));
    selv_task w = given(selv_zero(s, x, 64)), v = given(selv_zero(s, y, 64));
    selv_task t = given(selv_launch(s, k, selv_1d(1), x, y));
    ck_assert_int_eq(edge_between(s, w, t).to_mode, SELV_WRITE);
    ck_assert_int_eq(edge_between(s, v, t).to_mode, SELV_READ);
}
END_TEST

START_TEST(a_signature_with_another_number_of_items_is_refused_and_changes_nothing)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = KERNEL("touches");
    ck_assert_int_lt(selv_signature(s, k, "in, in"), 0);
    error_says("touches");
    ck_assert_int_lt(selv_signature(s, k, "sideways"), 0);
    ck_assert_int_lt(selv_failure(s), 0);
    ck_assert_int_eq(edge_after_write(k, x, selv_arg_of(x)).to_mode, SELV_READ_WRITE);
}
END_TEST

START_TEST(a_forgotten_kernel_is_as_it_was_scanned)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = KERNEL("touches");
    OK(selv_signature(s, k, "in"));
    ck_assert_int_eq(edge_after_write(k, x, selv_arg_of(x)).to_mode, SELV_READ);
    OK(selv_forget_kernel(s, k));
    ck_assert_int_eq(edge_after_write(k, x, selv_arg_of(x)).to_mode, SELV_READ_WRITE);
}
END_TEST

/* --- the call --- */

START_TEST(an_annotation_at_the_call_wins_over_kernel_and_signature)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel scanned = KERNEL("touches"), declared = KERNEL("touches");
    OK(selv_signature(s, declared, "accum"));
    cl_kernel both[] = {scanned, declared};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(edge_after_write(both[i], x, selv_in(x)).to_mode, SELV_READ);
        ck_assert_int_eq(edge_after_write(both[i], x, selv_out(x)).to_mode, SELV_WRITE);
        ck_assert_int_eq(edge_after_write(both[i], x, selv_inout(x)).to_mode, SELV_READ_WRITE);
        ck_assert_int_eq(edge_after_write(both[i], x, selv_accum(x)).to_mode, SELV_ACCUMULATE);
        ck_assert(!edge_after_write(both[i], x, selv_inout(x)).to_assumed);
    }
}
END_TEST

START_TEST(an_untracked_argument_waits_for_nothing_and_nothing_for_it)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = KERNEL("touches");
    selv_task w = given(selv_zero(s, x, 64));
    selv_task t = given(selv_launch(s, k, selv_1d(1), selv_untracked(x)));
    selv_task after = given(selv_zero(s, x, 64));
    UNORDERED(w, t);
    UNORDERED(t, after);
    ORDERED(w, after);
}
END_TEST

START_TEST(annotations_that_contradict_each_other_are_refused)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = KERNEL("touches");
    refused_with(selv_launch(s, k, selv_1d(1), selv_in(selv_out(x))), SELV_INVALID);
    error_says("contradict");
    refused_with(selv_launch(s, k, selv_1d(1), selv_untracked(selv_in(x))), SELV_INVALID);
    given(selv_launch(s, k, selv_1d(1), selv_in(selv_in(x))));
}
END_TEST

/* --- no argument information --- */

static int notices;
static char last_notice[512];

static void count_notice(void *user, const char *text)
{
    (void)user;
    notices++;
    snprintf(last_notice, sizeof last_notice, "%s", text);
}

static void open_with_log(void)
{
    const selv_config config = {.lanes_per_device = 4, .flags = SELV_RECORD, .log = count_notice};
    OK(selv_open(&config, &s));
}

static cl_kernel uninformed(const char *name)
{
    if (!kept.program)
        kept.program = build_plainly(source, "");
    return keep_kernel(kernel_of(s, kept.program, name));
}

static bool driver_informs_anyway(cl_kernel k)
{
    char type[64];
    return !clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL);
}

START_TEST(without_argument_information_every_pointer_is_read_and_written)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = uninformed("reads");
    SKIP_IF(driver_informs_anyway(k), "the driver gives argument information unasked")
    selv_edge e = edge_after_write(k, x, selv_arg_of(x));
    ck_assert_int_eq(e.to_mode, SELV_READ_WRITE);
    ck_assert(e.to_assumed);
}
END_TEST

START_TEST(without_argument_information_the_memorys_own_flags_narrow_the_mode)
{
    cl_mem in = plain_mem(CL_MEM_READ_ONLY, 64), out = plain_mem(CL_MEM_WRITE_ONLY, 64);
    cl_kernel k = uninformed("touches");
    SKIP_IF(driver_informs_anyway(k), "the driver gives argument information unasked")
    ck_assert_int_eq(edge_after_write(k, in, selv_arg_of(in)).to_mode, SELV_READ);
    ck_assert_int_eq(edge_after_write(k, out, selv_arg_of(out)).to_mode, SELV_WRITE);
    cl_program other = build(s, source);
    cl_kernel informed = keep_kernel(kernel_of(s, other, "touches"));
    clReleaseProgram(other);
    ck_assert_int_eq(edge_after_write(informed, in, selv_arg_of(in)).to_mode, SELV_READ_WRITE);
}
END_TEST

START_TEST(a_kernel_without_argument_information_gives_one_notice)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = uninformed("reads");
    SKIP_IF(driver_informs_anyway(k), "the driver gives argument information unasked")
    for (int i = 0; i < 3; i++)
        given(selv_launch(s, k, selv_1d(1), x));
    ck_assert_int_eq(notices, 1);
    ck_assert_ptr_nonnull(strstr(last_notice, "reads"));
    ck_assert_ptr_nonnull(strstr(last_notice, "-cl-kernel-arg-info"));
}
END_TEST

START_TEST(with_a_signature_or_argument_information_there_is_no_notice)
{
    cl_mem x = mem_of(64, NULL);
    cl_kernel k = uninformed("reads");
    OK(selv_signature(s, k, "in int*"));
    ck_assert_int_eq(edge_after_write(k, x, selv_arg_of(x)).to_mode, SELV_READ);
    cl_program informed = build(s, source);
    cl_kernel other = keep_kernel(kernel_of(s, informed, "reads"));
    clReleaseProgram(informed);
    given(selv_launch(s, other, selv_1d(1), x));
    ck_assert_msg(notices == 0, "%s", last_notice);
}
END_TEST

static TCase *case_with_log(void)
{
    TCase *t = tcase_create("with a log");
    tcase_add_checked_fixture(t, open_with_log, close_after_test);
    tcase_set_timeout(t, 20);
    tcase_add_test(t, without_argument_information_every_pointer_is_read_and_written);
    tcase_add_test(t, without_argument_information_the_memorys_own_flags_narrow_the_mode);
    tcase_add_test(t, a_kernel_without_argument_information_gives_one_notice);
    tcase_add_test(t, with_a_signature_or_argument_information_there_is_no_notice);
    return t;
}

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, a_pointer_to_const_is_read);
    tcase_add_test(t, volatile_and_restrict_change_nothing_about_const);
    tcase_add_test(t, a_constant_pointer_is_read);
    tcase_add_test(t, a_plain_pointer_is_read_and_written_and_that_is_assumed);
    tcase_add_test(t, an_image_is_accessed_as_its_qualifier_says);
    tcase_add_test(t, two_readers_are_not_ordered_and_two_writers_are);
    tcase_add_test(t, a_signature_wins_over_what_was_scanned);
    tcase_add_test(t, an_untracked_parameter_of_a_signature_has_no_edges);
    tcase_add_test(t, an_empty_item_of_a_signature_leaves_the_mode_as_found);
    tcase_add_test(t, a_signature_with_another_number_of_items_is_refused_and_changes_nothing);
    tcase_add_test(t, a_forgotten_kernel_is_as_it_was_scanned);
    tcase_add_test(t, an_annotation_at_the_call_wins_over_kernel_and_signature);
    tcase_add_test(t, an_untracked_argument_waits_for_nothing_and_nothing_for_it);
    tcase_add_test(t, annotations_that_contradict_each_other_are_refused);
    return run_cases("scheduler/scanning modes", t, case_with_log());
}
