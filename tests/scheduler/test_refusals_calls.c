/* Calls that are refused as a whole: NULL handles, ranges, devices, programs, copies, events. */
#include "scheduler/refusal_support.h"

#include "selvedge/graph.h"

static void expect_null(long long got, const char *call, const char *what)
{
    ck_assert_msg(got == SELV_INVALID, "%s: %lld, %s", call, got, selv_error());
    expect_words((const char *const[]){call, what, "NULL", NULL});
}

START_TEST(a_null_scheduler_is_refused_by_every_call_that_needs_one)
{
    selv_scheduler *s = NULL;
    int v = 0, *p;
    char text[8];
    size_t count;
    cl_program program;
    cl_kernel kernel;
    cl_mem m;
    cl_event event;
    selv_statistics numbers;
    const char *what = "scheduler";
    expect_null(selv_failure(s), "selv_failure", what);
    expect_null(selv_stats(s, &numbers), "selv_stats", what);
    expect_null(selv_build(s, "", NULL, &program), "selv_build", what);
    expect_null(selv_kernel(s, NULL, "k", &kernel), "selv_kernel", what);
    expect_null(selv_signature(s, NULL, "in"), "selv_signature", what);
    expect_null(selv_forget_kernel(s, NULL), "selv_forget_kernel", what);
    expect_null(selv_buffer(s, 4, NULL, &m), "selv_buffer", what);
    expect_null(selv_release(s, NULL), "selv_release", what);
    expect_null(selv_svm(s, 4, &p), "selv_svm", what);
    expect_null(selv_svm_free(s, &v), "selv_svm_free", what);
    expect_null(selv_track(s, &v, 4), "selv_track", what);
    expect_null(selv_untrack(s, &v), "selv_untrack", what);
    expect_null(selv_name(s, &v, "v"), "selv_name", what);
    expect_null(selv_launch(s, (cl_kernel)NULL, selv_1d(1), 1), "selv_launch", what);
    expect_null(selv_copy(s, &v, &v, 4), "selv_copy", what);
    expect_null(selv_fill(s, &v, 1, 4), "selv_fill", what);
    expect_null(selv_zero(s, &v, 4), "selv_zero", what);
    expect_null(selv_read(s, &v, &v, 4), "selv_read", what);
    expect_null(selv_write(s, &v, &v, 4), "selv_write", what);
    expect_null(selv_wait(s, &v), "selv_wait", what);
    expect_null(selv_edit(s, &v), "selv_edit", what);
    expect_null(selv_ready(s, &v), "selv_ready", what);
    expect_null(selv_map(s, (cl_mem)NULL, SELV_READ, &p), "selv_map", what);
    expect_null(selv_unmap(s, NULL), "selv_unmap", what);
    expect_null(selv_wait_task(s, 1), "selv_wait_task", what);
    expect_null(selv_finish(s), "selv_finish", what);
    expect_null(selv_flush(s), "selv_flush", what);
    expect_null(selv_adopt(s, (cl_event)NULL, selv_in(&v)), "selv_adopt", what);
    expect_null(selv_export(s, &event, selv_in(&v)), "selv_export", what);
    expect_null(selv_record(s, true), "selv_record", what);
    expect_null(selv_edges(s, NULL, 0, &count), "selv_edges", what);
    expect_null(selv_graph_write(s, SELV_GRAPH_TEXT, stdout), "selv_graph_write", what);
    expect_null(selv_graph_save(s, "x.dot"), "selv_graph_save", what);
    expect_null(selv_explain(s, 1, text, sizeof text), "selv_explain", what);
    ck_assert_int_eq(selv_close(s), 0); /* as free() */
    ck_assert_ptr_null(selv_context(s));
    ck_assert_ptr_null(selv_device(s, 0));
    expect_null(selv_open(NULL, NULL), "selv_open", "place for the scheduler");
}
END_TEST

START_TEST(other_null_arguments_are_refused_and_named)
{
    scene w = scene_open(NULL);
    int v = 0;
    cl_program program;
    cl_kernel kernel;
    REFUSED(&w, selv_stats(w.s, NULL), SELV_INVALID, "selv_stats", "NULL");
    REFUSED(&w, selv_build(w.s, NULL, NULL, &program), SELV_INVALID, "selv_build", "source");
    REFUSED(&w, selv_build(w.s, "", NULL, NULL), SELV_INVALID, "selv_build", "place for the program");
    REFUSED(&w, selv_kernel(w.s, NULL, "set", &kernel), SELV_INVALID, "selv_kernel", "program");
    REFUSED(&w, selv_kernel(w.s, w.program, NULL, &kernel), SELV_INVALID, "selv_kernel", "name");
    REFUSED(&w, selv_kernel(w.s, w.program, "set", NULL), SELV_INVALID, "selv_kernel", "place for the kernel");
    REFUSED(&w, selv_signature(w.s, NULL, "in"), SELV_INVALID, "selv_signature", "kernel");
    REFUSED(&w, selv_signature(w.s, w.set, NULL), SELV_INVALID, "selv_signature", "signature is NULL");
    REFUSED(&w, selv_forget_kernel(w.s, NULL), SELV_INVALID, "selv_forget_kernel", "kernel");
    REFUSED(&w, selv_buffer(w.s, 4, NULL, NULL), SELV_INVALID, "selv_buffer", "place");
    REFUSED(&w, selv_release(w.s, NULL), SELV_INVALID, "selv_release", "NULL");
    REFUSED(&w, selv_svm_alloc(w.s, 4, NULL), SELV_INVALID, "selv_svm", "place");
    REFUSED(&w, selv_track(w.s, NULL, 4), SELV_INVALID, "selv_track", "NULL");
    REFUSED(&w, selv_untrack(w.s, NULL), SELV_UNKNOWN_POINTER, "selv_untrack", "no SVM block");
    REFUSED(&w, selv_name(w.s, w.x, NULL), SELV_INVALID, "selv_name", "name");
    REFUSED(&w, selv_name(w.s, (cl_mem)NULL, "n"), SELV_INVALID, "selv_name", "NULL");
    REFUSED(&w, selv_launch(w.s, (cl_kernel)NULL, selv_1d(1), w.y, 1), SELV_INVALID, "selv_launch", "kernel");
    REFUSED(&w, selv_launch_args(w.s, w.set, selv_1d(1), 2, NULL), SELV_INVALID, "selv_launch", "argument list");
    REFUSED(&w, selv_copy(w.s, (cl_mem)NULL, w.x, 4), SELV_INVALID, "selv_copy", "NULL cl_mem");
    REFUSED(&w, selv_copy(w.s, w.y, (int *)NULL, 4), SELV_INVALID, "selv_copy", "NULL pointer");
    REFUSED(&w, selv_fill(w.s, (cl_mem)NULL, 1, 4), SELV_INVALID, "selv_fill", "NULL cl_mem");
    REFUSED(&w, selv_zero(w.s, (int *)NULL, 4), SELV_INVALID, "selv_zero", "NULL pointer");
    REFUSED(&w, selv_read(w.s, NULL, w.x, 4), SELV_INVALID, "selv_read", "NULL pointer");
    REFUSED(&w, selv_read(w.s, &v, (cl_mem)NULL, 4), SELV_INVALID, "selv_read", "NULL cl_mem");
    REFUSED(&w, selv_write(w.s, w.y, NULL, 4), SELV_INVALID, "selv_write", "NULL pointer");
    REFUSED(&w, selv_wait(w.s, (cl_mem)NULL), SELV_INVALID, "selv_wait", "NULL cl_mem");
    REFUSED(&w, selv_edit(w.s, (int *)NULL), SELV_INVALID, "selv_edit", "NULL pointer");
    REFUSED(&w, selv_ready(w.s, (cl_mem)NULL), SELV_INVALID, "selv_ready", "NULL cl_mem");
    REFUSED(&w, selv_map_mem(w.s, w.x, SELV_READ, NULL), SELV_INVALID, "selv_map", "place for the address");
    int *p;
    REFUSED(&w, selv_map(w.s, (cl_mem)NULL, SELV_READ, &p), SELV_INVALID, "selv_map", "NULL cl_mem");
    REFUSED(&w, selv_unmap(w.s, NULL), SELV_INVALID, "selv_unmap", "NULL cl_mem");
    REFUSED(&w, selv_edges(w.s, NULL, 0, NULL), SELV_INVALID, "NULL");
    REFUSED(&w, selv_graph_write(w.s, SELV_GRAPH_TEXT, NULL), SELV_INVALID, "NULL");
    REFUSED(&w, selv_graph_save(w.s, NULL), SELV_INVALID, "NULL");
    REFUSED(&w, selv_explain(w.s, 1, NULL, 8), SELV_INVALID, "NULL");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(null_is_fine_where_the_header_says_so)
{
    scene w = scene_open(NULL);
    ck_assert_int_eq(selv_svm_free(w.s, NULL), 0);
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(0), w.z, NULL), 0); /* a null pointer for the kernel */
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(0), w.z, 0), 0);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_range_that_no_device_takes_is_refused)
{
    scene w = scene_open(NULL);
    selv_range none = selv_1d(ITEMS), four = none;
    none.dims = 0;
    four.dims = 4;
    REFUSED(&w, selv_launch(w.s, w.set, none, w.y, 1), CL_INVALID_WORK_DIMENSION, "kernel set", "0 dimensions",
            "1 to 3", "selv_1d");
    REFUSED(&w, selv_launch(w.s, w.set, four, w.y, 1), CL_INVALID_WORK_DIMENSION, "kernel set", "4 dimensions");
    REFUSED(&w, selv_launch(w.s, w.set, selv_group(selv_2d(8, 8), 8, 0, 1), w.y, 1), CL_INVALID_WORK_GROUP_SIZE,
            "kernel set", "8 x 0 x 1", "1 or more");
    REFUSED(&w, selv_launch(w.s, w.set, selv_group(selv_1d(1 << 20), 1 << 20, 1, 1), w.y, 1), CL_INVALID_WORK_ITEM_SIZE,
            "kernel set", "1048576 in dimension 0", "at most");
    REFUSED(&w, selv_launch(w.s, w.set, selv_group(selv_3d(256, 256, 64), 256, 256, 64), w.y, 1),
            CL_INVALID_WORK_GROUP_SIZE, "kernel set", "256 x 256 x 64", "at most");
    REFUSED(&w, selv_launch(w.s, w.set, selv_group(selv_1d(ITEMS), 48, 1, 1), w.y, 1), CL_INVALID_WORK_GROUP_SIZE,
            "kernel set", "global size 64", "work-group 48", "divide");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_launch_on_a_device_that_is_not_there_is_refused)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, w.set, selv_on(selv_1d(ITEMS), 7), w.y, 1), SELV_NO_DEVICE, "kernel set", "device 7",
            "has 1");
    REFUSED(&w, selv_launch(w.s, w.set, selv_on(selv_1d(ITEMS), -2), w.y, 1), SELV_NO_DEVICE, "kernel set",
            "device -2");
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_on(selv_1d(ITEMS), 0), w.z, 1), 0);
    expect_all(&w, w.z, 1);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

static void expect_no_open(const selv_config *config, selv_status status, const char *const *words)
{
    selv_scheduler *s = (selv_scheduler *)(uintptr_t)16;
    ck_assert_int_eq(selv_open(config, &s), status);
    ck_assert_ptr_eq(s, (selv_scheduler *)(uintptr_t)16); /* left alone */
    expect_words(words);
}

START_TEST(a_device_that_does_not_exist_is_refused_and_the_text_lists_those_that_do)
{
    scene w = scene_open(NULL);
    char name[64] = "";
    clGetDeviceInfo(selv_device(w.s, 0), CL_DEVICE_NAME, sizeof name, name, NULL);
    name[12] = '\0'; /* the beginning will do */
    selv_config config = {.size = sizeof config, .device_name = "no such thing"};
    expect_no_open(&config, SELV_NO_DEVICE, (const char *const[]){"no such thing", name, NULL});
    config = (selv_config){.size = sizeof config, .device_type = CL_DEVICE_TYPE_ACCELERATOR};
    expect_no_open(&config, SELV_NO_DEVICE, (const char *const[]){"accelerator", name, NULL});
    setenv("SELVEDGE_DEVICE", "nor this", 1);
    expect_no_open(NULL, SELV_NO_DEVICE, (const char *const[]){"SELVEDGE_DEVICE", "nor this", name, NULL});
    unsetenv("SELVEDGE_DEVICE");
    scene_close(&w, 0);
}
END_TEST

START_TEST(settings_and_configurations_that_make_no_sense_are_refused)
{
    selv_config config = {.size = sizeof config + 8};
    expect_no_open(&config, SELV_INVALID, (const char *const[]){"selv_open", "size", "sizeof(selv_config)", NULL});
    config = (selv_config){.size = sizeof config, .flags = 0x80};
    expect_no_open(&config, SELV_INVALID, (const char *const[]){"selv_open", "0x80", "flags", NULL});
    setenv("SELVEDGE_LANES", "many", 1);
    expect_no_open(NULL, SELV_BAD_SETTING, (const char *const[]){"SELVEDGE_LANES", "many", NULL});
    unsetenv("SELVEDGE_LANES");
    setenv("SELVEDGE_LANE", "2", 1);
    expect_no_open(NULL, SELV_BAD_SETTING, (const char *const[]){"SELVEDGE_LANE", "SELVEDGE_LANES", NULL});
    unsetenv("SELVEDGE_LANE");
    setenv("SELVEDGE_LOG", "/nowhere/at/all", 1);
    expect_no_open(NULL, SELV_BAD_SETTING, (const char *const[]){"SELVEDGE_LOG", "/nowhere/at/all", "stderr", NULL});
    unsetenv("SELVEDGE_LOG");
    ck_assert_int_eq(selv_open_version(SELV_VERSION + 10000, NULL, (selv_scheduler *[]){NULL}), SELV_INVALID);
    expect_words((const char *const[]){"compile it again", NULL});
}
END_TEST

START_TEST(a_kernel_that_does_not_compile_gives_the_compilers_own_words)
{
    scene w = scene_open(NULL);
    cl_program program = (cl_program)(uintptr_t)16;
    REFUSED(&w, selv_build(w.s, "kernel void k(global int *x) { *x = nonsense; }", NULL, &program),
            CL_BUILD_PROGRAM_FAILURE, "does not build", "log", "nonsense", "undeclared");
    ck_assert_ptr_eq(program, (cl_program)(uintptr_t)16);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_kernel_of_another_name_is_refused_and_the_text_lists_those_there_are)
{
    scene w = scene_open(NULL);
    cl_kernel k = (cl_kernel)(uintptr_t)16;
    REFUSED(&w, selv_kernel(w.s, w.program, "sett", &k), CL_INVALID_KERNEL_NAME, "\"sett\"", "set", "add", "slow");
    ck_assert_ptr_eq(k, (cl_kernel)(uintptr_t)16);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_kernel_of_another_context_is_refused)
{
    scene w = scene_open(NULL), other = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, other.set, selv_1d(ITEMS), w.y, 1), SELV_OTHER_CONTEXT, "set", "context");
    expect_works(&w);
    scene_close(&other, 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(copies_that_are_none_of_ours_are_refused)
{
    scene w = scene_open(NULL);
    int a[4] = {0}, b[4] = {0};
    REFUSED(&w, selv_copy(w.s, a, b, sizeof a), SELV_UNKNOWN_POINTER, "selv_copy", "memcpy", "selv_track");
    REFUSED(&w, selv_read(w.s, a, b, sizeof a), SELV_UNKNOWN_POINTER, "selv_read", "memcpy");
    REFUSED(&w, selv_write(w.s, a, b, sizeof a), SELV_UNKNOWN_POINTER, "selv_write", "memcpy");
    REFUSED(&w, selv_copy(w.s, selv_part(w.x, 0, 128), selv_part(w.x, 64, 128), 128), CL_MEM_COPY_OVERLAP, "selv_copy",
            "[64, 192)", "[0, 128)", "overlap");
    REFUSED(&w, selv_copy(w.s, w.x, w.x, 4), CL_MEM_COPY_OVERLAP, "overlap", "through other memory");
    if (w.block)
        REFUSED(&w, selv_copy(w.s, w.block, w.block + 1, 8), CL_MEM_COPY_OVERLAP, "[4, 12)", "[0, 8)");
    ck_assert_int_gt(selv_copy(w.s, selv_part(w.x, 0, 64), selv_part(w.x, 64, 64), 64), 0); /* beside each other */
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(fills_with_what_opencl_cannot_repeat_are_refused)
{
    scene w = scene_open(NULL);
    struct {
        char three[3];
    } odd = {{1, 2, 3}};
    REFUSED(&w, selv_fill(w.s, w.y, selv_value(odd), 12), SELV_ARGUMENT_VALUE, "selv_fill", "3 bytes", "128");
    REFUSED(&w, selv_fill(w.s, w.y, 1, 6), SELV_ARGUMENT_VALUE, "selv_fill", "6 bytes", "multiples", "4 bytes");
    REFUSED(&w, selv_fill(w.s, selv_part(w.y, 2, 4), 1, 4), SELV_ARGUMENT_VALUE, "at byte 2", "multiples");
    REFUSED(&w, selv_fill(w.s, w.y, w.x, 4), SELV_ARGUMENT_KIND, "selv_fill", "no number");
    REFUSED(&w, selv_fill(w.s, w.y, selv_local(4), 4), SELV_ARGUMENT_KIND, "selv_fill", "no number");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(tasks_that_never_were_are_refused)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_wait_task(w.s, 0), SELV_UNKNOWN_TASK, "selv_wait_task", "t0", "never submitted");
    REFUSED(&w, selv_wait_task(w.s, 1000000), SELV_UNKNOWN_TASK, "t1000000", "never submitted");
    REFUSED(&w, selv_wait_task(w.s, SELV_MAPPED), SELV_MAPPED, "not a task", "SELV_MAPPED");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(events_that_cannot_be_adopted_or_exported_are_refused)
{
    scene w = scene_open(NULL);
    cl_context other = other_context(&w);
    cl_event theirs = user_event(other), ours = user_event(selv_context(w.s)), out = ours;
    REFUSED(&w, selv_adopt(w.s, (cl_event)NULL, selv_out(w.y)), SELV_INVALID, "selv_adopt", "event is NULL");
    REFUSED(&w, selv_adopt(w.s, theirs, selv_out(w.y)), SELV_OTHER_CONTEXT, "selv_adopt", "event", "another");
    REFUSED(&w, selv_adopt_args(w.s, ours, 1, NULL), SELV_INVALID, "selv_adopt", "list of accesses");
    REFUSED(&w, selv_adopt(w.s, ours, selv_in(selv_out(w.y))), SELV_INVALID, "selv_adopt", "access 0", "contradict");
    REFUSED(&w, selv_adopt(w.s, ours, selv_in(w.x), selv_out(selv_part(w.y, 0, 257))), SELV_OUT_OF_RANGE, "selv_adopt",
            "access 1", "[0, 257)");
    REFUSED(&w, selv_export(w.s, NULL, selv_in(w.y)), SELV_INVALID, "selv_export", "place for the event");
    REFUSED(&w, selv_export_args(w.s, &out, 1, NULL), SELV_INVALID, "selv_export", "list of accesses");
    REFUSED(&w, selv_export(w.s, &out, selv_out(selv_within(w.y, 300, 4))), SELV_OUT_OF_RANGE, "selv_export",
            "access 0");
    ck_assert_ptr_eq(out, ours);
    expect_works(&w);
    clReleaseEvent(theirs);
    clReleaseEvent(ours);
    clReleaseContext(other);
    scene_close(&w, 0);
}
END_TEST

static void keep_text(void *user, const char *text)
{
    snprintf(user, 512, "%s", text);
}

START_TEST(the_log_gets_the_text_of_each_refusal)
{
    char logged[512] = "";
    const selv_config config = {.size = sizeof config, .log = keep_text, .log_user = logged};
    scene w = scene_open(&config);
    ck_assert_int_lt(selv_launch(w.s, w.set, selv_1d(1), w.y), 0);
    ck_assert_str_eq(logged, selv_error());
    scene_close(&w, SELV_ARGUMENT_COUNT);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, a_null_scheduler_is_refused_by_every_call_that_needs_one);
    tcase_add_test(t, other_null_arguments_are_refused_and_named);
    tcase_add_test(t, null_is_fine_where_the_header_says_so);
    tcase_add_test(t, a_range_that_no_device_takes_is_refused);
    tcase_add_test(t, a_launch_on_a_device_that_is_not_there_is_refused);
    tcase_add_test(t, a_device_that_does_not_exist_is_refused_and_the_text_lists_those_that_do);
    tcase_add_test(t, settings_and_configurations_that_make_no_sense_are_refused);
    tcase_add_test(t, a_kernel_that_does_not_compile_gives_the_compilers_own_words);
    tcase_add_test(t, a_kernel_of_another_name_is_refused_and_the_text_lists_those_there_are);
    tcase_add_test(t, a_kernel_of_another_context_is_refused);
    tcase_add_test(t, copies_that_are_none_of_ours_are_refused);
    tcase_add_test(t, fills_with_what_opencl_cannot_repeat_are_refused);
    tcase_add_test(t, tasks_that_never_were_are_refused);
    tcase_add_test(t, events_that_cannot_be_adopted_or_exported_are_refused);
    tcase_add_test(t, the_log_gets_the_text_of_each_refusal);
}

int main(void)
{
    return run_tests("refusals_calls", add_tests, 30);
}
