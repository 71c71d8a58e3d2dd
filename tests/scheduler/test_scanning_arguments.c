/* Arguments that are no numbers: structs, NULL, local memory, samplers; none and sixty-four; typedefs; and that the
   user's own kernel object keeps what the user has set. */
#include "scan_support.h"

static const char source[] =
    "typedef float real;\n"
    "typedef struct { int a; float b; char c[3]; } small;\n"
    "typedef struct { int at[100]; } large;\n"
    "kernel void takes_small(global int *out, small v) { out[0] = v.a; out[1] = (int)v.b; out[2] = v.c[2]; }\n"
    "kernel void takes_large(global int *out, large v) { out[0] = v.at[0]; out[1] = v.at[99]; }\n"
    "kernel void is_null(global int *out, global const int *p) { *out = p ? *p : -1; }\n"
    "kernel void nothing() { }\n"
    "kernel void sums(global int *out, local int *room, int n) {\n"
    "    int i = get_local_id(0); room[i] = i + 1; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (!i) { int sum = 0; for (int k = 0; k < n; k++) sum += room[k]; *out = sum; } }\n"
    "kernel void twice_local(global int *out, local int *a, local long *b) { a[0] = 3; b[1] = 4; *out = a[0] + "
    "(int)b[1]; }\n"
    "kernel void samples(global float *out, read_only image2d_t m, sampler_t how) {\n"
    "    *out = read_imagef(m, how, (float2)(-5.0f, 0.5f)).x; }\n"
    "kernel void scale(global real *x, real a) { *x *= a; }\n"
    "kernel void set(global int *out, int v) { *out = v; }\n"
    "kernel void where(global int *out) { out[get_global_id(0)] = (int)(get_global_id(0) * 100 + get_local_size(0)); "
    "}\n";

/* --- structs --- */

typedef struct small {
    cl_int a;
    cl_float b;
    cl_char c[3];
} small;

typedef struct large {
    cl_int at[100];
} large;

START_TEST(a_struct_goes_by_its_bytes)
{
    cl_int got[3] = {0};
    cl_mem out = mem_of(sizeof got, NULL);
    small v = {7, 8.5f, {1, 2, 9}};
    given(selv_launch(s, KERNEL("takes_small"), selv_1d(1), out, selv_value(v)));
    OK(selv_read(s, got, out, sizeof got));
    ck_assert(got[0] == 7 && got[1] == 8 && got[2] == 9);
    given(selv_launch(s, KERNEL("takes_small"), selv_1d(1), out, selv_value((small){1, 2, {3, 4, 5}})));
    OK(selv_read(s, got, out, sizeof got));
    ck_assert(got[0] == 1 && got[1] == 2 && got[2] == 5);
}
END_TEST

START_TEST(a_struct_of_hundreds_of_bytes_may_change_after_the_call)
{
    cl_int got[2] = {0};
    cl_mem out = mem_of(sizeof got, NULL);
    large v = {{5}};
    v.at[99] = 6;
    gate g = close_gate(s, out);
    given(selv_launch(s, KERNEL("takes_large"), selv_1d(1), out, selv_value(v)));
    memset(&v, 0, sizeof v);
    open_gate(g);
    OK(selv_read(s, got, out, sizeof got));
    ck_assert(got[0] == 5 && got[1] == 6);
}
END_TEST

START_TEST(bytes_of_another_size_than_a_numbers_are_refused)
{
    cl_mem out = mem_of(4, NULL);
    cl_short v = 1;
    refused_with(selv_launch(s, KERNEL("set"), selv_1d(1), out, selv_value(v)), SELV_ARGUMENT_VALUE);
    error_says("expected 4 bytes");
    error_says("set");
}
END_TEST

/* --- NULL --- */

START_TEST(null_in_every_spelling_is_a_null_pointer)
{
    int five = 5;
    cl_mem out = mem_of(4, NULL), in = mem_of(4, &five);
    cl_kernel k = KERNEL("is_null");
    given(selv_launch(s, k, selv_1d(1), out, in));
    ck_assert_int_eq(read_int(s, out), 5);
    given(selv_launch(s, k, selv_1d(1), out, NULL));
    ck_assert_int_eq(read_int(s, out), -1);
    given(selv_launch(s, k, selv_1d(1), out, in));
    given(selv_launch(s, k, selv_1d(1), out, 0));
    ck_assert_int_eq(read_int(s, out), -1);
    given(selv_launch(s, k, selv_1d(1), out, in));
    refused_with(selv_launch(s, k, selv_1d(1), out, (cl_mem)NULL), SELV_INVALID); /* a buffer that was not made */
    given(selv_launch(s, k, selv_1d(1), out, (const float *)NULL));
    ck_assert_int_eq(read_int(s, out), -1);
    refused_with(selv_launch(s, k, selv_1d(1), out, 1), SELV_ARGUMENT_KIND);
}
END_TEST

/* --- how many --- */

START_TEST(a_kernel_without_parameters_is_launched_without_arguments)
{
    cl_mem x = mem_of(4, NULL);
    cl_kernel k = KERNEL("nothing");
    selv_task t = given(selv_launch(s, k, selv_1d(1)));
    OK(selv_wait_task(s, t));
    ck_assert_uint_eq(edges_into(s, t), 0);
    refused_with(selv_launch(s, k, selv_1d(1), x), SELV_ARGUMENT_COUNT);
}
END_TEST

#define FOUR(row, n) row(n) row(n + 1) row(n + 2) row(n + 3)
#define SIXTEEN(row, n) FOUR(row, n) FOUR(row, n + 4) FOUR(row, n + 8) FOUR(row, n + 12)

static const char *source_of_64(void)
{
    static char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "kernel void many(global int *out");
    for (int i = 1; i < 64; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", int a%d", i);
    used += (size_t)snprintf(text + used, sizeof text - used, ") { *out = 0");
    for (int i = 1; i < 64; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " + %d * a%d", i, i);
    snprintf(text + used, sizeof text - used, "; }");
    return text;
}

START_TEST(sixty_four_arguments_keep_their_places)
{
#define PASS(n) , (n)
    cl_mem out = mem_of(4, NULL);
    cl_kernel k = kernel_in(source_of_64(), "many");
    given(selv_launch(s, k, selv_1d(1),
                      out FOUR(PASS, 1) FOUR(PASS, 5) FOUR(PASS, 9) PASS(13) PASS(14) PASS(15) SIXTEEN(PASS, 16)
                          SIXTEEN(PASS, 32) SIXTEEN(PASS, 48)));
    ck_assert_int_eq(read_int(s, out), 63 * 64 * 127 / 6); /* the sum of squares */
#undef PASS
}
END_TEST

/* --- local memory, samplers, ranges --- */

START_TEST(local_memory_is_as_large_as_was_said)
{
    cl_mem out = mem_of(4, NULL);
    cl_kernel k = KERNEL("sums");
    given(selv_launch(s, k, selv_group(selv_1d(32), 32, 1, 1), out, selv_local(32 * sizeof(cl_int)), 32));
    ck_assert_int_eq(read_int(s, out), 32 * 33 / 2);
    given(selv_launch(s, k, selv_group(selv_1d(8), 8, 1, 1), out, selv_local(8 * sizeof(cl_int)), 8));
    ck_assert_int_eq(read_int(s, out), 8 * 9 / 2);
    given(selv_launch(s, KERNEL("twice_local"), selv_1d(1), out, selv_local(4), selv_local(16)));
    ck_assert_int_eq(read_int(s, out), 7);
}
END_TEST

START_TEST(local_memory_of_no_bytes_and_other_things_for_it_are_refused)
{
    cl_mem out = mem_of(4, NULL);
    cl_kernel k = KERNEL("sums");
    refused_with(selv_launch(s, k, selv_1d(1), out, selv_local(0), 1), SELV_ARGUMENT_VALUE);
    refused_with(selv_launch(s, k, selv_1d(1), out, out, 1), SELV_ARGUMENT_KIND);
    error_says("selv_local");
    refused_with(selv_launch(s, k, selv_1d(1), selv_local(4), selv_local(4), 1), SELV_ARGUMENT_KIND);
}
END_TEST

static cl_sampler sampler(cl_addressing_mode outside)
{
    cl_int code;
    const cl_sampler_properties p[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                       CL_FALSE,
                                       CL_SAMPLER_ADDRESSING_MODE,
                                       outside,
                                       CL_SAMPLER_FILTER_MODE,
                                       CL_FILTER_NEAREST,
                                       0};
    cl_sampler made = clCreateSamplerWithProperties(selv_context(s), p, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

static cl_mem four_pixels(void)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};
    cl_float pixels[16] = {7, 7, 7, 7, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    cl_int code;
    cl_mem m = clCreateImage(selv_context(s), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return keep_mem(m);
}

START_TEST(a_sampler_reaches_the_kernel)
{
    float got = -1;
    cl_mem out = mem_of(4, NULL), m = four_pixels();
    cl_kernel k = KERNEL("samples");
    cl_sampler edge = sampler(CL_ADDRESS_CLAMP_TO_EDGE), border = sampler(CL_ADDRESS_CLAMP);
    given(selv_launch(s, k, selv_1d(1), out, m, edge));
    OK(selv_read(s, &got, out, sizeof got));
    ck_assert_float_eq(got, 7);
    given(selv_launch(s, k, selv_1d(1), out, m, border));
    OK(selv_read(s, &got, out, sizeof got));
    ck_assert_float_eq(got, 0);
    refused_with(selv_launch(s, k, selv_1d(1), out, m, 1), SELV_ARGUMENT_KIND);
    error_says("sampler");
    clReleaseSampler(edge);
    clReleaseSampler(border);
}
END_TEST

START_TEST(groups_and_offsets_of_a_range_reach_the_kernel)
{
    cl_int got[8], zero[8] = {0};
    cl_mem out = mem_of(sizeof got, zero);
    given(selv_launch(s, KERNEL("where"), selv_group(selv_offset(selv_1d(4), 2, 0, 0), 2, 1, 1), out));
    OK(selv_read(s, got, out, sizeof got));
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(got[i], i < 2 || i > 5 ? 0 : i * 100 + 2);
}
END_TEST

/* --- typedefs --- */

START_TEST(a_number_for_a_typedef_is_what_the_source_says_it_is)
{
    float x = 3;
    cl_mem m = mem_of(4, &x);
    given(selv_launch(s, KERNEL("scale"), selv_1d(1), m, 2.0));
    OK(selv_read(s, &x, m, sizeof x));
    ck_assert_float_eq(x, 6);
}
END_TEST

START_TEST(without_argument_information_a_number_is_refused_until_its_type_is_known)
{
    float x = 3;
    cl_mem m = mem_of(4, &x);
    kept.program = build_plainly(source, "");
    cl_kernel k = KERNEL("scale");
    refused_with(selv_launch(s, k, selv_1d(1), m, 2.0), SELV_ARGUMENT_VALUE);
    error_says("selv_signature");
    given(selv_launch(s, k, selv_1d(1), m, selv_value((cl_float){2})));
    OK(selv_signature(s, k, "inout float*, float"));
    given(selv_launch(s, k, selv_1d(1), m, 2.0));
    OK(selv_read(s, &x, m, sizeof x));
    ck_assert_float_eq(x, 12);
}
END_TEST

/* --- whose arguments --- */

START_TEST(launches_leave_the_arguments_of_the_users_kernel_alone)
{
    cl_int code, mine = 11;
    cl_mem ours = mem_of(4, NULL), theirs = mem_of(4, NULL);
    cl_kernel k = KERNEL("set");
    cl_command_queue q = clCreateCommandQueueWithProperties(selv_context(s), selv_device(s, 0), NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    clSetKernelArg(k, 0, sizeof theirs, &theirs);
    clSetKernelArg(k, 1, sizeof mine, &mine);
    given(selv_launch(s, k, selv_1d(1), ours, 22));
    ck_assert_int_eq(read_int(s, ours), 22);
    ck_assert_int_eq(clEnqueueNDRangeKernel(q, k, 1, NULL, (size_t[]){1}, NULL, 0, NULL, NULL), CL_SUCCESS);
    clFinish(q);
    clReleaseCommandQueue(q);
    ck_assert_int_eq(read_int(s, theirs), 11);
    ck_assert_int_eq(read_int(s, ours), 22);
}
END_TEST

START_TEST(two_launches_of_one_kernel_in_flight_keep_their_own_arguments)
{
    cl_mem a = mem_of(4, NULL), b = mem_of(4, NULL);
    cl_kernel k = KERNEL("set");
    gate g = close_gate(s, a), h = close_gate(s, b);
    given(selv_launch(s, k, selv_1d(1), a, 1));
    given(selv_launch(s, k, selv_1d(1), b, 2));
    open_gate(h);
    open_gate(g);
    ck_assert_int_eq(read_int(s, a), 1);
    ck_assert_int_eq(read_int(s, b), 2);
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, a_struct_goes_by_its_bytes);
    tcase_add_test(t, a_struct_of_hundreds_of_bytes_may_change_after_the_call);
    tcase_add_test(t, bytes_of_another_size_than_a_numbers_are_refused);
    tcase_add_test(t, null_in_every_spelling_is_a_null_pointer);
    tcase_add_test(t, a_kernel_without_parameters_is_launched_without_arguments);
    tcase_add_test(t, sixty_four_arguments_keep_their_places);
    tcase_add_test(t, local_memory_is_as_large_as_was_said);
    tcase_add_test(t, local_memory_of_no_bytes_and_other_things_for_it_are_refused);
    tcase_add_test(t, a_sampler_reaches_the_kernel);
    tcase_add_test(t, groups_and_offsets_of_a_range_reach_the_kernel);
    tcase_add_test(t, a_number_for_a_typedef_is_what_the_source_says_it_is);
    tcase_add_test(t, without_argument_information_a_number_is_refused_until_its_type_is_known);
    tcase_add_test(t, launches_leave_the_arguments_of_the_users_kernel_alone);
    tcase_add_test(t, two_launches_of_one_kernel_in_flight_keep_their_own_arguments);
    return run_cases("scheduler/scanning arguments", t, NULL);
}
