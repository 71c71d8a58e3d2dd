/* Arguments of a launch that are refused: how many, of what kind, which numbers, which annotations. */
#include "scheduler/refusal_support.h"

/* An image of one pixel and a sampler, for the kernel `kinds`. */
typedef struct pixel {
    cl_mem image;
    cl_sampler sampler;
} pixel;

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* clCreateSampler: all that OpenCL 1.2 has */
static pixel make_pixel(scene *w)
{
    pixel p;
    cl_int code;
    float zero[4] = {0};
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    p.image = clCreateImage(selv_context(w->s), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, zero, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    p.sampler = clCreateSampler(selv_context(w->s), CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return p;
}

static void free_pixel(pixel *p)
{
    clReleaseMemObject(p->image);
    clReleaseSampler(p->sampler);
}

START_TEST(too_few_arguments_name_the_first_missing_one)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y), SELV_ARGUMENT_COUNT, "kernel set", "takes 2 arguments",
            "1 came", "argument 1", "v", "int");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS)), SELV_ARGUMENT_COUNT, "0 came", "argument 0", "x",
            "global int*");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(too_many_arguments_are_counted)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 1, 2), SELV_ARGUMENT_COUNT, "kernel set",
            "takes 2 arguments", "3 came", "leave out");
    REFUSED(&w, selv_launch(w.s, w.bump, selv_1d(ITEMS), w.y, w.y), SELV_ARGUMENT_COUNT, "takes 1 argument,", "2 came");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(memory_reached_through_other_arguments_does_not_count_as_an_argument)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, selv_also(selv_in(w.x))), SELV_ARGUMENT_COUNT,
            "takes 2 arguments", "1 came");
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 3, selv_also(selv_in(w.x))), 0);
    expect_all(&w, w.y, 3);
    scene_close(&w, 0);
}
END_TEST

START_TEST(what_is_no_memory_is_refused_for_a_global_pointer)
{
    scene w = scene_open(NULL);
    pixel p = make_pixel(&w);
    cl_float4 v = {{1, 2, 3, 4}};
    int four = 4;
    const char *const expected = "expected a buffer, an SVM pointer or NULL";
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), 5, 1), SELV_ARGUMENT_KIND, "kernel set", "argument 0", "x",
            "global int*", expected, "a number came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), 0.0, 1), SELV_ARGUMENT_KIND, "argument 0", "a number came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), p.sampler, 1), SELV_ARGUMENT_KIND, expected, "a sampler came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), selv_local(16), 1), SELV_ARGUMENT_KIND, expected,
            "selv_local came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), v, 1), SELV_ARGUMENT_KIND, expected, "a vector came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), selv_value(four), 1), SELV_ARGUMENT_KIND, expected,
            "selv_value came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), p.image, 1), SELV_ARGUMENT_KIND, "argument 0", expected,
            "an image came");
    expect_works(&w);
    free_pixel(&p);
    scene_close(&w, 0);
}
END_TEST

START_TEST(what_is_no_value_is_refused_for_a_number)
{
    scene w = scene_open(NULL);
    pixel p = make_pixel(&w);
    cl_float4 v = {{1, 2, 3, 4}};
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, w.x), SELV_ARGUMENT_KIND, "kernel set", "argument 1", "v",
            "int", "expected a value", "a cl_mem came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, w.block), SELV_ARGUMENT_KIND, "argument 1",
            "a pointer came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, NULL), SELV_ARGUMENT_KIND, "argument 1", "a pointer came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, p.sampler), SELV_ARGUMENT_KIND, "a sampler came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, selv_local(4)), SELV_ARGUMENT_KIND, "selv_local came");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, v), SELV_ARGUMENT_KIND, "expected int", "float4 came");
    expect_works(&w);
    free_pixel(&p);
    scene_close(&w, 0);
}
END_TEST

START_TEST(samplers_images_local_memory_and_vectors_take_nothing_else)
{
    scene w = scene_open(NULL);
    pixel p = make_pixel(&w);
    cl_float4 v = {{4, 0, 0, 0}};
    cl_int4 other = {{4, 0, 0, 0}};
    cl_float2 shorter = {{4, 0}};
    selv_range all = selv_1d(ITEMS);
    /* once as it should be, so that image and sampler are known */
    ck_assert_msg(selv_launch(w.s, w.kinds, all, w.z, selv_local(16), p.sampler, p.image, v) > 0, "%s", selv_error());
    expect_all(&w, w.z, 4);
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, 16, p.sampler, p.image, v), SELV_ARGUMENT_KIND, "kernel kinds",
            "argument 1", "local int*", "expected selv_local(bytes)", "a number came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, w.x, p.sampler, p.image, v), SELV_ARGUMENT_KIND, "argument 1",
            "a cl_mem came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(0), p.sampler, p.image, v), SELV_ARGUMENT_VALUE,
            "argument 1", "selv_local(0)", "1 byte");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), 1, p.image, v), SELV_ARGUMENT_KIND, "argument 2",
            "sam", "sampler_t", "expected a sampler", "a number came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.image, p.image, v), SELV_ARGUMENT_KIND,
            "argument 2", "expected a sampler", "a cl_mem came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, w.x, v), SELV_ARGUMENT_KIND,
            "argument 3", "img", "image2d_t", "expected an image", "a buffer came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, w.block, v), SELV_ARGUMENT_KIND,
            "argument 3", "expected an image", "a pointer came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, p.sampler, v), SELV_ARGUMENT_KIND,
            "argument 3", "expected an image", "a sampler came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, p.image, 4.0f), SELV_ARGUMENT_KIND,
            "argument 4", "v", "float4", "a single number came", "cl_float4");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, p.image, other), SELV_ARGUMENT_KIND,
            "argument 4", "expected float4", "int4 came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, p.image, shorter), SELV_ARGUMENT_KIND,
            "argument 4", "expected float4", "float2 came");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, p.image, selv_value(shorter)),
            SELV_ARGUMENT_VALUE, "argument 4", "expected 16 bytes", "gave 8");
    ck_assert_int_gt(selv_launch(w.s, w.kinds, all, w.z, selv_local(16), p.sampler, p.image, selv_value(v)), 0);
    expect_all(&w, w.z, 4);
    expect_works(&w);
    free_pixel(&p);
    scene_close(&w, 0);
}
END_TEST

START_TEST(numbers_that_do_not_fit_are_refused_with_the_range)
{
    scene w = scene_open(NULL);
    selv_range all = selv_1d(ITEMS);
    REFUSED(&w, selv_launch(w.s, w.numbers, all, w.y, 300, 1, 1.0f, 1), SELV_ARGUMENT_VALUE, "kernel numbers",
            "argument 1", "(a, uchar)", "300 does not fit uchar", "0 to 255");
    REFUSED(&w, selv_launch(w.s, w.numbers, all, w.y, -2, 1, 1.0f, 1), SELV_ARGUMENT_VALUE, "-2 does not fit uchar");
    REFUSED(&w, selv_launch(w.s, w.numbers, all, w.y, 1, 2.5, 1.0f, 1), SELV_ARGUMENT_VALUE, "argument 2", "(b, int)",
            "2.5 is no whole number", "round it");
    REFUSED(&w, selv_launch(w.s, w.numbers, all, w.y, 1, 3000000000u, 1.0f, 1), SELV_ARGUMENT_VALUE,
            "3000000000 does not fit int", "-2147483648 to 2147483647");
    REFUSED(&w, selv_launch(w.s, w.numbers, all, w.y, 1, 1, 1e300, 1), SELV_ARGUMENT_VALUE, "argument 3", "(c, float)",
            "1e+300 does not fit float");
    REFUSED(&w, selv_launch(w.s, w.numbers, all, w.y, 1, 1, 1.0f, -2), SELV_ARGUMENT_VALUE, "argument 4", "(d, uint)",
            "-2 does not fit uint", "0 to 4294967295");
    REFUSED(&w, selv_launch(w.s, w.numbers, all, w.y, 1, 1, 1.0f, (uint64_t)1 << 32), SELV_ARGUMENT_VALUE, "4294967296",
            "uint");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(numbers_that_fit_arrive_whatever_their_c_type)
{
    scene w = scene_open(NULL);
    selv_range all = selv_1d(ITEMS);
    ck_assert_int_gt(selv_launch(w.s, w.numbers, all, w.y, (long)250, 2.0, 3, (short)4), 0);
    expect_all(&w, w.y, 250 + 2 + 3 + 4);
    ck_assert_int_gt(selv_launch(w.s, w.numbers, all, w.y, 0, 0, 0.0, -1), 0); /* to an unsigned type: all ones */
    expect_all(&w, w.y, -1);
    ck_assert_int_gt(selv_launch(w.s, w.numbers, all, w.y, -1, 0, 0.0, 0), 0);
    expect_all(&w, w.y, 255);
    scene_close(&w, 0);
}
END_TEST

static const char real_source[] = "typedef float real;\n"
                                  "kernel void k(global real *x, real a) { x[get_global_id(0)] = a; }\n";

static void expect_real(scene *w, cl_mem m, float value)
{
    float got[ITEMS];
    ck_assert_int_eq(selv_read(w->s, got, m, sizeof got), 0);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_float_eq(got[i], value);
}

START_TEST(a_typedef_in_the_source_is_resolved_so_that_a_number_arrives)
{
    scene w = scene_open(NULL);
    cl_program program;
    cl_kernel k;
    ck_assert_int_eq(selv_build(w.s, real_source, NULL, &program), 0);
    ck_assert_int_eq(selv_kernel(w.s, program, "k", &k), 0);
    ck_assert_msg(selv_launch(w.s, k, selv_1d(ITEMS), w.z, 2.0) > 0, "%s", selv_error());
    expect_real(&w, w.z, 2);
    ck_assert_int_gt(selv_launch(w.s, k, selv_1d(ITEMS), w.z, 3), 0);
    expect_real(&w, w.z, 3);
    REFUSED(&w, selv_launch(w.s, k, selv_1d(ITEMS), w.y, 1e300), SELV_ARGUMENT_VALUE, "kernel k", "argument 1",
            "1e+300");
    clReleaseKernel(k);
    clReleaseProgram(program);
    scene_close(&w, 0);
}
END_TEST

/* Built by the user, without argument information: nothing says that `a` is a float. */
static cl_program build_plainly(scene *w, const char *source)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(selv_context(w->s), 1, &source, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    return program;
}

START_TEST(a_number_without_argument_information_is_refused_with_the_fix_and_works_after_it)
{
    scene w = scene_open(NULL);
    cl_program program = build_plainly(&w, real_source);
    cl_kernel k;
    ck_assert_int_eq(selv_kernel(w.s, program, "k", &k), 0);
    REFUSED(&w, selv_launch(w.s, k, selv_1d(ITEMS), w.y, 2.0), SELV_ARGUMENT_VALUE, "kernel k", "argument 1",
            "selv_signature", "selv_value((cl_float)x)");
    ck_assert_msg(selv_launch(w.s, k, selv_1d(ITEMS), w.z, selv_value((cl_float){2})) > 0, "%s", selv_error());
    expect_real(&w, w.z, 2);
    ck_assert_int_eq(selv_signature(w.s, k, "out float*, float"), 0);
    ck_assert_msg(selv_launch(w.s, k, selv_1d(ITEMS), w.z, 3.0) > 0, "%s", selv_error());
    expect_real(&w, w.z, 3);
    expect_works(&w);
    clReleaseKernel(k);
    clReleaseProgram(program);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_signature_with_another_number_of_items_or_unknown_words_is_refused)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_signature(w.s, w.set, "out int*"), SELV_INVALID, "kernel set", "has 1 item", "has 2 parameters");
    REFUSED(&w, selv_signature(w.s, w.set, "out int*, int, int"), SELV_INVALID, "kernel set", "has 3 items",
            "one item for each");
    REFUSED(&w, selv_signature(w.s, w.set, "out int*, onto int"), SELV_INVALID, "item 1", "onto");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(annotations_that_contradict_each_other_are_refused)
{
    scene w = scene_open(NULL);
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), selv_in(selv_out(w.y)), 1), SELV_INVALID, "kernel set",
            "argument 0", "contradict", "leave one");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), selv_untracked(selv_out(w.y)), 1), SELV_INVALID, "argument 0",
            "contradict");
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), selv_accum(selv_untracked(w.y)), 1), SELV_INVALID, "argument 0",
            "contradict");
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), selv_out(selv_out(w.z)), 5), 0); /* the same, twice */
    expect_all(&w, w.z, 5);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(an_annotation_of_something_that_is_no_memory_is_refused)
{
    scene w = scene_open(NULL);
    pixel p = make_pixel(&w);
    cl_float4 v = {{4, 0, 0, 0}};
    selv_range all = selv_1d(ITEMS);
    ck_assert_int_gt(selv_launch(w.s, w.kinds, all, w.z, selv_local(16), p.sampler, p.image, v), 0);
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_in(selv_local(16)), p.sampler, p.image, v), SELV_ARGUMENT_KIND,
            "kernel kinds", "argument 1", "stand around memory", "selv_local");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_part(selv_local(16), 0, 8), p.sampler, p.image, v),
            SELV_ARGUMENT_KIND, "argument 1", "stand around memory", "selv_local");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, p.image, selv_untracked(selv_value(v))),
            SELV_ARGUMENT_KIND, "argument 4", "stand around memory", "selv_value");
    REFUSED(&w, selv_launch(w.s, w.kinds, all, w.y, selv_local(16), p.sampler, p.image, v, selv_also(selv_local(8))),
            SELV_ARGUMENT_KIND, "memory");
    expect_works(&w);
    free_pixel(&p);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_struct_of_another_size_than_the_parameter_is_refused_by_the_driver_or_by_us)
{
    scene w = scene_open(NULL);
    short two = 2;
    REFUSED(&w, selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, selv_value(two)), SELV_ARGUMENT_VALUE, "kernel set",
            "argument 1", "expected 4 bytes", "gave 2");
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(only_the_first_of_several_refusals_is_told_at_the_end)
{
    scene w = scene_open(NULL);
    ck_assert_int_lt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.y), 0);
    ck_assert_int_lt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 2.5), 0);
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.z, 1), 0);
    ck_assert_int_eq(selv_finish(w.s), SELV_ARGUMENT_COUNT);
    expect_words((const char *const[]){"kernel set", "1 came", NULL});
    ck_assert_int_eq(selv_finish(w.s), 0);
    ck_assert_int_lt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 2.5), 0);
    ck_assert_int_eq(selv_failure(w.s), SELV_ARGUMENT_VALUE);
    ck_assert_int_eq(selv_failure(w.s), 0);
    ck_assert_int_lt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 2.5), 0);
    scene_close(&w, SELV_ARGUMENT_VALUE);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, too_few_arguments_name_the_first_missing_one);
    tcase_add_test(t, too_many_arguments_are_counted);
    tcase_add_test(t, memory_reached_through_other_arguments_does_not_count_as_an_argument);
    tcase_add_test(t, what_is_no_memory_is_refused_for_a_global_pointer);
    tcase_add_test(t, what_is_no_value_is_refused_for_a_number);
    tcase_add_test(t, samplers_images_local_memory_and_vectors_take_nothing_else);
    tcase_add_test(t, numbers_that_do_not_fit_are_refused_with_the_range);
    tcase_add_test(t, numbers_that_fit_arrive_whatever_their_c_type);
    tcase_add_test(t, a_typedef_in_the_source_is_resolved_so_that_a_number_arrives);
    tcase_add_test(t, a_number_without_argument_information_is_refused_with_the_fix_and_works_after_it);
    tcase_add_test(t, a_signature_with_another_number_of_items_or_unknown_words_is_refused);
    tcase_add_test(t, annotations_that_contradict_each_other_are_refused);
    tcase_add_test(t, an_annotation_of_something_that_is_no_memory_is_refused);
    tcase_add_test(t, a_struct_of_another_size_than_the_parameter_is_refused_by_the_driver_or_by_us);
    tcase_add_test(t, only_the_first_of_several_refusals_is_told_at_the_end);
}

int main(void)
{
    return run_tests("refusals_arguments", add_tests, 30);
}
