#include "opened.h"

#include <ctype.h>
#include <sys/wait.h>
#include <unistd.h>

/* Check runs each test in a process of its own, and no test's parent touches OpenCL: so a test may still say which
   devices PoCL has, and where the loader looks for drivers. */

static selvi_devices d;
static selv_config config;

static void clean(void)
{
    selvi_devices_close(&d);
}

static void two_devices(void)
{
    setenv("POCL_DEVICES", "pthread pthread", 1); /* later versions take it for "cpu cpu" */
}

static selv_status open_as(const char *wanted)
{
    return selvi_devices_open(&config, wanted, &d);
}

static void assert_says(const char *words)
{
    ck_assert_msg(strstr(selv_error(), words) != NULL, "\"%s\" is not in: %s", words, selv_error());
}

static cl_uint references(cl_context c)
{
    cl_uint n = 0;
    clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL);
    return n;
}

START_TEST(nothing_asked_gives_one_device_with_its_features)
{
    ck_assert_msg(open_as(NULL) == SELV_OK, "%s", selv_error());
    ck_assert_uint_eq(d.count, 1);
    ck_assert_ptr_nonnull(d.context);
    ck_assert_ptr_nonnull(d.platform);
    const selvi_device *one = &d.at[0];
    ck_assert_uint_ge(one->version, 120);
    ck_assert_uint_eq(one->version % 10, 0);
    ck_assert_uint_gt(strlen(one->name), 0);
    ck_assert_uint_gt(strlen(one->driver), 0);
    cl_uint bits = 0;
    clGetDeviceInfo(one->id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    ck_assert_uint_eq(one->alignment * 8, bits);
    ck_assert_uint_ge(one->work_group_most, 1);
    ck_assert_uint_ge(one->work_item_most[2], 1);
    ck_assert_uint_ge(one->memory, one->allocation_most);
    ck_assert_uint_ge(one->units, 1);
    ck_assert_uint_eq(one->svm, d.svm);
}
END_TEST

START_TEST(pocl_has_images_and_svm)
{
    ck_assert_msg(open_as("cpu") == SELV_OK, "%s", selv_error());
    ck_assert(d.at[0].images);
    ck_assert(d.svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
}
END_TEST

START_TEST(a_word_for_a_type_gives_all_devices_of_that_type)
{
    ck_assert_msg(open_as("CPU") == SELV_OK, "%s", selv_error());
    ck_assert_uint_eq(d.count, 2);
    ck_assert_ptr_ne(d.at[0].id, d.at[1].id);
}
END_TEST

/* Some letters out of the middle of PoCL's name, the wrong way up: 3.1 begins it with "pthread", 5.0 with "cpu". */
static const char *part_of_name(void)
{
    static char part[8];
    ck_assert_int_eq(open_as("cpu"), SELV_OK);
    snprintf(part, sizeof part, "%.7s", d.at[0].name + 4);
    for (char *p = part; *p; p++)
        *p = (char)(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    selvi_devices_close(&d);
    return part;
}

START_TEST(part_of_a_name_is_enough_in_any_case_of_letters)
{
    const char *part = part_of_name();
    ck_assert_msg(open_as(part) == SELV_OK, "%s", selv_error());
    ck_assert_uint_eq(d.count, 2);
    selvi_devices_close(&d);
    config.device_name = part;
    ck_assert_int_eq(open_as(NULL), SELV_OK);
    ck_assert_uint_eq(d.count, 2);
}
END_TEST

START_TEST(a_count_takes_the_first_so_many)
{
    config.device_count = 1;
    config.device_type = CL_DEVICE_TYPE_CPU;
    ck_assert_int_eq(open_as(NULL), SELV_OK);
    ck_assert_uint_eq(d.count, 1);
    selvi_devices_close(&d);
    config.device_count = 2;
    ck_assert_int_eq(open_as(NULL), SELV_OK);
    ck_assert_uint_eq(d.count, 2);
    selvi_devices_close(&d);
    config.device_type = 0; /* nothing but the number is asked for */
    ck_assert_int_eq(open_as(NULL), SELV_OK);
    ck_assert_uint_eq(d.count, 2);
}
END_TEST

START_TEST(more_devices_than_there_are_is_refused)
{
    config.device_count = 3;
    config.device_type = CL_DEVICE_TYPE_CPU;
    ck_assert_int_eq(open_as(NULL), SELV_NO_DEVICE);
    assert_says("3 of type cpu");
}
END_TEST

START_TEST(the_default_type_is_the_drivers_own_choice)
{
    config.device_type = CL_DEVICE_TYPE_DEFAULT;
    config.device_count = 1;
    ck_assert_msg(open_as(NULL) == SELV_OK, "%s", selv_error());
    ck_assert_uint_eq(d.count, 1);
}
END_TEST

START_TEST(the_environments_wish_wins_over_the_configs)
{
    config.device_type = CL_DEVICE_TYPE_ACCELERATOR;
    config.device_name = "no such name";
    ck_assert_msg(open_as("cpu") == SELV_OK, "%s", selv_error());
    ck_assert_uint_eq(d.count, 2);
}
END_TEST

START_TEST(an_unknown_name_lists_every_device_that_there_is)
{
    ck_assert_int_eq(open_as("voodoo"), SELV_NO_DEVICE);
    assert_says("\"voodoo\"");
    assert_says("SELVEDGE_DEVICE");
    static const char kind[] = "(cpu, OpenCL 3.0, platform Portable Computing Language)";
    const char *first = strstr(selv_error(), kind);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(strstr(first + 1, kind));
    ck_assert_uint_eq(d.count, 0);
    ck_assert_ptr_null(d.context);
}
END_TEST

START_TEST(type_and_name_must_both_answer)
{
    config.device_type = CL_DEVICE_TYPE_CPU;
    config.device_name = "a part";
    ck_assert_int_eq(open_as(NULL), SELV_NO_DEVICE);
    assert_says("type cpu");
    assert_says("\"a part\"");
}
END_TEST

static void no_drivers(void)
{
    char folder[] = "/tmp/no-drivers-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("OCL_ICD_VENDORS", folder, 1);
    unsetenv("OCL_ICD_FILENAMES");
}

START_TEST(without_any_driver_the_text_says_what_to_install)
{
    no_drivers();
    selv_status st = open_as(NULL);
    rmdir(getenv("OCL_ICD_VENDORS"));
    ck_assert_int_eq(st, SELV_NO_DEVICE);
    assert_says("pocl-opencl-icd");
    assert_says("install an OpenCL driver");
}
END_TEST

/* a context of the program's own */

static cl_context two_of_cpu(void)
{
    cl_platform_id p;
    cl_device_id ids[2];
    cl_int st;
    ck_assert_int_eq(open_as("cpu"), SELV_OK);
    p = d.platform;
    selvi_devices_close(&d);
    ck_assert_int_eq(clGetDeviceIDs(p, CL_DEVICE_TYPE_CPU, 2, ids, NULL), CL_SUCCESS);
    cl_context c = clCreateContext(NULL, 2, ids, NULL, NULL, &st);
    ck_assert_int_eq(st, CL_SUCCESS);
    return c;
}

static cl_context one_of(cl_device_id id)
{
    cl_int st;
    cl_context c = clCreateContext(NULL, 1, &id, NULL, NULL, &st);
    ck_assert_int_eq(st, CL_SUCCESS);
    return c;
}

START_TEST(an_adopted_context_is_retained_and_given_back)
{
    config.context = two_of_cpu();
    cl_uint before = references(config.context);
    ck_assert_int_eq(open_as(NULL), SELV_OK);
    ck_assert_ptr_eq(d.context, config.context);
    ck_assert_uint_eq(d.count, 2);
    ck_assert_uint_eq(references(config.context), before + 1);
    selvi_devices_close(&d);
    ck_assert_uint_eq(references(config.context), before);
    clReleaseContext(config.context);
}
END_TEST

START_TEST(only_the_named_devices_of_an_adopted_context_are_used)
{
    ck_assert_int_eq(open_as("cpu"), SELV_OK);
    cl_device_id second = d.at[1].id;
    selvi_devices_close(&d);
    config = (selv_config){.context = two_of_cpu(), .devices = &second, .device_count = 1};
    ck_assert_msg(open_as(NULL) == SELV_OK, "%s", selv_error());
    ck_assert_uint_eq(d.count, 1);
    ck_assert_ptr_eq(d.at[0].id, second);
    clReleaseContext(config.context);
}
END_TEST

START_TEST(a_device_outside_the_adopted_context_is_refused)
{
    ck_assert_int_eq(open_as("cpu"), SELV_OK);
    cl_device_id first = d.at[0].id, second = d.at[1].id;
    selvi_devices_close(&d);
    config = (selv_config){.context = one_of(first), .devices = &second, .device_count = 1};
    cl_uint before = references(config.context);
    ck_assert_int_eq(open_as(NULL), SELV_NO_DEVICE);
    assert_says("device 0");
    assert_says("not one of the 1 devices");
    ck_assert_uint_eq(references(config.context), before);
    ck_assert_ptr_null(d.context);
    clReleaseContext(config.context);
}
END_TEST

START_TEST(devices_without_a_context_get_one_of_exactly_these)
{
    ck_assert_int_eq(open_as("cpu"), SELV_OK);
    cl_device_id second = d.at[1].id;
    selvi_devices_close(&d);
    config = (selv_config){.devices = &second, .device_count = 1};
    ck_assert_msg(open_as(NULL) == SELV_OK, "%s", selv_error());
    ck_assert_uint_eq(d.count, 1);
    ck_assert_ptr_eq(d.at[0].id, second);
}
END_TEST

START_TEST(a_device_count_without_devices_is_refused_for_an_adopted_context)
{
    config = (selv_config){.context = two_of_cpu(), .device_count = 1};
    ck_assert_int_eq(open_as(NULL), SELV_INVALID);
    assert_says("device_count of 1");
    clReleaseContext(config.context);
}
END_TEST

START_TEST(devices_without_a_count_a_null_device_and_one_named_twice_are_refused)
{
    ck_assert_int_eq(open_as("cpu"), SELV_OK);
    cl_device_id twice[2] = {d.at[0].id, d.at[0].id}, null[1] = {NULL};
    selvi_devices_close(&d);
    config = (selv_config){.devices = twice};
    ck_assert_int_eq(open_as(NULL), SELV_INVALID);
    assert_says("device_count is 0");
    config.device_count = 2;
    ck_assert_int_eq(open_as(NULL), SELV_INVALID);
    assert_says("there twice");
    config = (selv_config){.devices = null, .device_count = 1};
    ck_assert_int_eq(open_as(NULL), SELV_INVALID);
    assert_says("NULL");
}
END_TEST

START_TEST(the_environments_wish_only_refuses_where_the_program_brings_its_devices)
{
    config.context = two_of_cpu();
    ck_assert_int_eq(open_as("cpu"), SELV_OK);
    ck_assert_uint_eq(d.count, 2);
    char there[128];
    snprintf(there, sizeof there, "%s", d.at[0].name);
    selvi_devices_close(&d);
    ck_assert_int_eq(open_as("accelerator"), SELV_NO_DEVICE);
    assert_says("SELVEDGE_DEVICE asks for type accelerator");
    assert_says(there);
    clReleaseContext(config.context);
}
END_TEST

/* Asked in a process of its own, so that this one stays without OpenCL. */
static bool pocl_is_here(void)
{
    int status = 1;
    pid_t child = fork();
    if (!child) {
        two_devices();
        _exit(open_as("cpu") == SELV_OK && d.count == 2 && on_pocl(d.platform) ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int main(void)
{
    Suite *s = suite_create("cl/device");
    TCase *t = tcase_create("any device");
    tcase_add_checked_fixture(t, NULL, clean);
    tcase_add_test(t, nothing_asked_gives_one_device_with_its_features);
    tcase_add_test(t, without_any_driver_the_text_says_what_to_install);
    suite_add_tcase(s, t);
    t = tcase_create("two devices of PoCL");
    tcase_add_checked_fixture(t, two_devices, clean);
    tcase_add_test(t, pocl_has_images_and_svm);
    tcase_add_test(t, a_word_for_a_type_gives_all_devices_of_that_type);
    tcase_add_test(t, part_of_a_name_is_enough_in_any_case_of_letters);
    tcase_add_test(t, a_count_takes_the_first_so_many);
    tcase_add_test(t, more_devices_than_there_are_is_refused);
    tcase_add_test(t, the_default_type_is_the_drivers_own_choice);
    tcase_add_test(t, the_environments_wish_wins_over_the_configs);
    tcase_add_test(t, an_unknown_name_lists_every_device_that_there_is);
    tcase_add_test(t, type_and_name_must_both_answer);
    tcase_add_test(t, an_adopted_context_is_retained_and_given_back);
    tcase_add_test(t, only_the_named_devices_of_an_adopted_context_are_used);
    tcase_add_test(t, a_device_outside_the_adopted_context_is_refused);
    tcase_add_test(t, devices_without_a_context_get_one_of_exactly_these);
    tcase_add_test(t, a_device_count_without_devices_is_refused_for_an_adopted_context);
    tcase_add_test(t, devices_without_a_count_a_null_device_and_one_named_twice_are_refused);
    tcase_add_test(t, the_environments_wish_only_refuses_where_the_program_brings_its_devices);
    if (pocl_is_here())
        suite_add_tcase(s, t);
    else
        printf("skipped: two devices of PoCL: PoCL is not installed here, or has no pthread device\n");
    return run_suite(s);
}
