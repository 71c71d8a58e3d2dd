#include "cl/build.h"

#include "opened.h"

static cl_program program;
static cl_kernel kernel;

static void assert_says(const char *words)
{
    ck_assert_msg(strstr(selv_error(), words) != NULL, "\"%s\" is not in: %s", words, selv_error());
}

static void options_of(cl_program p, char *out, size_t bytes)
{
    ck_assert_int_eq(clGetProgramBuildInfo(p, opened.at[0].id, CL_PROGRAM_BUILD_OPTIONS, bytes, out, NULL), CL_SUCCESS);
}

static void build(const char *source, const char *options)
{
    selv_status st = selvi_build_program(&opened, source, options, &program);
    ck_assert_msg(st == SELV_OK, "%s", selv_error());
}

static cl_int argument_name(cl_kernel k, char *out, size_t bytes)
{
    return clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, bytes, out, NULL);
}

START_TEST(argument_information_is_asked_for_with_and_without_options)
{
    static const char *const options[] = {NULL, "", "-DN=3", "-cl-kernel-arg-info", "-DN=3 -cl-kernel-arg-info"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        char name[32] = "", seen[256] = "";
        build("kernel void k(global int *where) { *where = 1; }", options[i]);
        ck_assert_int_eq(selvi_build_kernel(program, "k", &kernel), SELV_OK);
        ck_assert_int_eq(argument_name(kernel, name, sizeof name), CL_SUCCESS);
        ck_assert_str_eq(name, "where");
        options_of(program, seen, sizeof seen);
        const char *first = strstr(seen, "-cl-kernel-arg-info");
        ck_assert_ptr_nonnull(first);
        ck_assert_ptr_null(strstr(first + 1, "-cl-kernel-arg-info"));
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
}
END_TEST

START_TEST(an_option_that_only_begins_like_it_does_not_count)
{
    char name[32] = "";
    build("kernel void k(global int *where) { *where = 1; }", "-DX=-cl-kernel-arg-info2");
    ck_assert_int_eq(selvi_build_kernel(program, "k", &kernel), SELV_OK);
    ck_assert_int_eq(argument_name(kernel, name, sizeof name), CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}
END_TEST

START_TEST(a_program_that_does_not_compile_gives_device_and_log)
{
    program = (cl_program)&program;
    selv_status st = selvi_build_program(&opened, "kernel void k(nosuchtype a) { }", "-DN=3", &program);
    ck_assert_int_eq(st, CL_BUILD_PROGRAM_FAILURE);
    ck_assert_ptr_eq(program, (cl_program)&program);
    ck_assert_int_eq(strncmp(selv_error(), opened.at[0].name, strlen(opened.at[0].name)), 0);
    assert_says("nosuchtype");
    assert_says("-DN=3");
    assert_says("CL_BUILD_PROGRAM_FAILURE");
}
END_TEST

START_TEST(a_long_log_is_shown_from_its_first_error_on)
{
    char source[8192] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    for (int i = 0; i < 40; i++)
        snprintf(source + strlen(source), sizeof source - strlen(source), "#warning number %d of a row of warnings\n",
                 i);
    strcat(source, "kernel void k(nosuchtype a) { }\n");
    ck_assert_int_eq(selvi_build_program(&opened, source, NULL, &program), CL_BUILD_PROGRAM_FAILURE);
    assert_says("nosuchtype");
}
END_TEST

START_TEST(a_log_without_room_begins_with_the_line_of_its_first_error)
{
    static const char log[] = "\n a.cl:1: warning: one\na.cl:2: Error: two\na.cl:3: error: three\n";
    ck_assert_str_eq(selvi_build_log_shown(log, 20), "a.cl:2: Error: two\na.cl:3: error: three\n");
    ck_assert_str_eq(selvi_build_log_shown(log, 200),
                     "a.cl:1: warning: one\na.cl:2: Error: two\na.cl:3: error: three\n");
    ck_assert_str_eq(selvi_build_log_shown("a.cl:1: bad", 4), "a.cl:1: bad");
    ck_assert_str_eq(selvi_build_log_shown("\n", 4), "");
}
END_TEST

START_TEST(a_log_of_many_errors_is_cut_and_still_a_text)
{
    char source[8192] = "";
    for (int i = 0; i < 60; i++)
        snprintf(source + strlen(source), sizeof source - strlen(source), "kernel void k%d(nosuchtype%d a) { }\n", i,
                 i);
    ck_assert_int_eq(selvi_build_program(&opened, source, NULL, &program), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_uint_lt(strlen(selv_error()), 2048);
    assert_says("nosuchtype0");
}
END_TEST

START_TEST(an_option_that_no_driver_knows_is_refused_and_shown)
{
    selv_status st = selvi_build_program(&opened, "kernel void k(void) { }", "-no-such-option-at-all", &program);
    ck_assert_int_lt(st, 0);
    assert_says("-no-such-option-at-all");
}
END_TEST

START_TEST(a_kernel_that_is_not_there_lists_those_that_are)
{
    build("kernel void blur(global int *a) { *a = 1; } kernel void mix_all(global int *a) { *a = 2; }", NULL);
    ck_assert_int_eq(selvi_build_kernel(program, "blurr", &kernel), CL_INVALID_KERNEL_NAME);
    assert_says("\"blurr\"");
    ck_assert(strstr(selv_error(), "blur, mix_all") || strstr(selv_error(), "mix_all, blur"));
    clReleaseProgram(program);
}
END_TEST

START_TEST(a_program_that_was_never_built_says_so)
{
    const char *source = "kernel void k(global int *a) { *a = 1; }";
    cl_int st;
    program = clCreateProgramWithSource(opened.context, 1, &source, NULL, &st);
    ck_assert_int_eq(st, CL_SUCCESS);
    ck_assert_int_eq(selvi_build_kernel(program, "k", &kernel), CL_INVALID_PROGRAM_EXECUTABLE);
    assert_says("not built");
    clReleaseProgram(program);
}
END_TEST

START_TEST(null_for_source_program_or_name_is_refused)
{
    ck_assert_int_eq(selvi_build_program(&opened, NULL, NULL, &program), SELV_INVALID);
    assert_says("source");
    ck_assert_int_eq(selvi_build_kernel(NULL, "k", &kernel), SELV_INVALID);
    assert_says("program is NULL");
    build("kernel void k(global int *a) { *a = 1; }", NULL);
    ck_assert_int_eq(selvi_build_kernel(program, NULL, &kernel), SELV_INVALID);
    assert_says("name is NULL");
    clReleaseProgram(program);
}
END_TEST

static void open_two(void)
{
    selv_config config = {.device_count = 2};
    setenv("POCL_DEVICES", "pthread pthread", 1);
    if (selvi_devices_open(&config, NULL, &opened))
        open_device();
}

START_TEST(every_device_of_the_context_is_built_for)
{
    build("kernel void k(global int *a) { *a = 1; }", NULL);
    cl_uint count = 0;
    clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL);
    ck_assert_uint_eq(count, opened.count);
    for (unsigned i = 0; i < opened.count; i++) {
        cl_build_status st = CL_BUILD_NONE;
        clGetProgramBuildInfo(program, opened.at[i].id, CL_PROGRAM_BUILD_STATUS, sizeof st, &st, NULL);
        ck_assert_int_eq(st, CL_BUILD_SUCCESS);
    }
    clReleaseProgram(program);
    SKIP_IF(opened.count < 2, "only one device here")
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cl/build");
    TCase *t = tcase_create("build");
    tcase_add_checked_fixture(t, open_device, close_device);
    tcase_add_test(t, argument_information_is_asked_for_with_and_without_options);
    tcase_add_test(t, an_option_that_only_begins_like_it_does_not_count);
    tcase_add_test(t, a_program_that_does_not_compile_gives_device_and_log);
    tcase_add_test(t, a_long_log_is_shown_from_its_first_error_on);
    tcase_add_test(t, a_log_without_room_begins_with_the_line_of_its_first_error);
    tcase_add_test(t, a_log_of_many_errors_is_cut_and_still_a_text);
    tcase_add_test(t, an_option_that_no_driver_knows_is_refused_and_shown);
    tcase_add_test(t, a_kernel_that_is_not_there_lists_those_that_are);
    tcase_add_test(t, a_program_that_was_never_built_says_so);
    tcase_add_test(t, null_for_source_program_or_name_is_refused);
    suite_add_tcase(s, t);
    t = tcase_create("two devices");
    tcase_add_checked_fixture(t, open_two, close_device);
    tcase_add_test(t, every_device_of_the_context_is_built_for);
    suite_add_tcase(s, t);
    return run_suite(s);
}
