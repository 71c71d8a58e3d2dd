/* What can be passed: every kind of number, vector and struct, NULL, local memory, samplers, no arguments and many. */
#include "scan_support.h"

#include <limits.h>
#include <math.h>

/* --- numbers and vectors: one kernel for each type, which stores what it got --- */

#define KEEP(type) "kernel void keep_" #type "(global " #type " *out, " #type " v) { *out = v; }\n"
#define KEEP3(type) "kernel void keep_" #type "3(global " #type " *out, " #type "3 v) { vstore3(v, 0, out); }\n"
#define KEEP_ALL(type) KEEP(type) KEEP(type##2) KEEP3(type) KEEP(type##4) KEEP(type##8) KEEP(type##16)

static const char source[] = KEEP_ALL(char) KEEP_ALL(uchar) KEEP_ALL(short) KEEP_ALL(ushort) KEEP_ALL(int)
    KEEP_ALL(uint) KEEP_ALL(long) KEEP_ALL(ulong) KEEP_ALL(float) KEEP_ALL(double);

/* x is evaluated by the launch itself, with its own type. */
#define PASSED(type, x, expected)                                                                                      \
    do {                                                                                                               \
        cl_##type got = 0, want = (cl_##type)(expected);                                                               \
        cl_mem out = buffer_of(s, sizeof got, NULL);                                                                   \
        given(selv_launch(s, KERNEL("keep_" #type), selv_1d(1), out, x));                                              \
        OK(selv_read(s, &got, out, sizeof got));                                                                       \
        OK(selv_release(s, out));                                                                                      \
        ck_assert_msg(!memcmp(&got, &want, sizeof got), "%s to %s", #x, #type);                                        \
    } while (0)

#define REFUSED(type, x)                                                                                               \
    do {                                                                                                               \
        cl_mem out = buffer_of(s, sizeof(cl_##type), NULL);                                                            \
        selv_task t = selv_launch(s, KERNEL("keep_" #type), selv_1d(1), out, x);                                       \
        ck_assert_msg(t == SELV_ARGUMENT_VALUE, "%s to %s gave %lld", #x, #type, (long long)t);                        \
        error_says("keep_" #type);                                                                                     \
        ck_assert_int_eq(selv_failure(s), SELV_ARGUMENT_VALUE);                                                        \
        OK(selv_release(s, out));                                                                                      \
    } while (0)

START_TEST(every_integer_type_takes_its_least_and_its_greatest_value)
{
    PASSED(char, (signed char)CL_CHAR_MIN, CL_CHAR_MIN);
    PASSED(char, (char)CL_CHAR_MAX, CL_CHAR_MAX);
    PASSED(uchar, (unsigned char)CL_UCHAR_MAX, CL_UCHAR_MAX);
    PASSED(short, (short)CL_SHRT_MIN, CL_SHRT_MIN);
    PASSED(ushort, (unsigned short)CL_USHRT_MAX, CL_USHRT_MAX);
    PASSED(int, CL_INT_MIN, CL_INT_MIN);
    PASSED(int, CL_INT_MAX, CL_INT_MAX);
    PASSED(uint, CL_UINT_MAX, CL_UINT_MAX);
    PASSED(long, (long long)CL_LONG_MIN, CL_LONG_MIN);
    PASSED(long, (long)CL_LONG_MAX, CL_LONG_MAX);
    PASSED(ulong, (unsigned long)CL_ULONG_MAX, CL_ULONG_MAX);
    PASSED(ulong, (unsigned long long)CL_ULONG_MAX, CL_ULONG_MAX);
}
END_TEST

START_TEST(a_whole_number_goes_to_any_type_that_holds_it)
{
    PASSED(char, 127, 127);
    PASSED(uchar, 255u, 255);
    PASSED(short, -32768, -32768);
    PASSED(ushort, 65535L, 65535);
    PASSED(long, 7, 7);
    PASSED(ulong, 7, 7);
    PASSED(float, 3, 3);
    PASSED(double, -3LL, -3);
    PASSED(int, true, 1);
    REFUSED(char, 128);
    REFUSED(uchar, 256);
    REFUSED(short, 32768);
    REFUSED(ushort, -2);
    REFUSED(int, (cl_long)CL_INT_MAX + 1);
    REFUSED(uint, (cl_ulong)CL_UINT_MAX + 1);
    REFUSED(long, (cl_ulong)CL_LONG_MAX + 1);
}
END_TEST

START_TEST(minus_one_to_an_unsigned_type_is_all_ones)
{
    PASSED(uchar, -1, CL_UCHAR_MAX);
    PASSED(ushort, -1, CL_USHRT_MAX);
    PASSED(uint, -1, CL_UINT_MAX);
    PASSED(ulong, -1, CL_ULONG_MAX);
}
END_TEST

START_TEST(a_floating_number_is_rounded_to_the_parameter)
{
    PASSED(float, 0.1f, 0.1f);
    PASSED(float, 0.1, 0.1f);
    PASSED(double, 0.1, 0.1);
    PASSED(double, 0.1f, 0.1f);
    PASSED(float, (double)INFINITY, INFINITY);
    PASSED(float, -INFINITY, -INFINITY);
    PASSED(float, -0.0, -0.0f);
    PASSED(int, 3.0, 3);
    PASSED(uchar, 255.0f, 255);
    REFUSED(float, 1e300);
    REFUSED(int, 3.5);
    REFUSED(uchar, 256.0);
    REFUSED(int, (double)INFINITY);
    REFUSED(int, (double)NAN);
}
END_TEST

START_TEST(not_a_number_stays_one)
{
    float got = 0;
    cl_mem out = mem_of(sizeof got, NULL);
    given(selv_launch(s, KERNEL("keep_float"), selv_1d(1), out, (double)NAN));
    OK(selv_read(s, &got, out, sizeof got));
    ck_assert(isnan(got));
}
END_TEST

#define VECTOR(type, width, stored)                                                                                    \
    do {                                                                                                               \
        cl_##type##width v;                                                                                            \
        cl_##type got[16] = {0};                                                                                       \
        memset(&v, 0, sizeof v);                                                                                       \
        for (int i = 0; i < stored; i++)                                                                               \
            v.s[i] = (cl_##type)(i * 3 + 1);                                                                           \
        cl_mem out = buffer_of(s, sizeof got, NULL);                                                                   \
        given(selv_launch(s, KERNEL("keep_" #type #width), selv_1d(1), out, v));                                       \
        OK(selv_read(s, got, out, stored * sizeof *got));                                                              \
        OK(selv_release(s, out));                                                                                      \
        ck_assert_msg(!memcmp(got, &v, stored * sizeof *got), "%s%s", #type, #width);                                  \
    } while (0)
#define VECTORS(type)                                                                                                  \
    VECTOR(type, 2, 2);                                                                                                \
    VECTOR(type, 3, 3);                                                                                                \
    VECTOR(type, 4, 4);                                                                                                \
    VECTOR(type, 8, 8);                                                                                                \
    VECTOR(type, 16, 16)

START_TEST(every_vector_of_small_integers_arrives_whole)
{
    VECTORS(char);
    VECTORS(uchar);
    VECTORS(short);
    VECTORS(ushort);
}
END_TEST

START_TEST(every_vector_of_wide_integers_arrives_whole)
{
    VECTORS(int);
    VECTORS(uint);
    VECTORS(long);
    VECTORS(ulong);
}
END_TEST

START_TEST(every_vector_of_floating_numbers_arrives_whole)
{
    VECTORS(float);
    VECTORS(double);
}
END_TEST

START_TEST(a_vector_of_another_width_or_type_and_a_single_number_are_refused)
{
    cl_mem out = mem_of(64, NULL);
    cl_kernel k = KERNEL("keep_float4");
    cl_float2 two = {{1, 2}};
    cl_int4 whole = {{1, 2, 3, 4}};
    refused_with(selv_launch(s, k, selv_1d(1), out, two), SELV_ARGUMENT_KIND);
    error_says("float4");
    error_says("float2");
    refused_with(selv_launch(s, k, selv_1d(1), out, whole), SELV_ARGUMENT_KIND);
    error_says("int4");
    refused_with(selv_launch(s, k, selv_1d(1), out, 1.0f), SELV_ARGUMENT_KIND);
    error_says("cl_float4");
}
END_TEST

int main(void)
{
    TCase *t = case_of_tests();
    tcase_add_test(t, every_integer_type_takes_its_least_and_its_greatest_value);
    tcase_add_test(t, a_whole_number_goes_to_any_type_that_holds_it);
    tcase_add_test(t, minus_one_to_an_unsigned_type_is_all_ones);
    tcase_add_test(t, a_floating_number_is_rounded_to_the_parameter);
    tcase_add_test(t, not_a_number_stays_one);
    tcase_add_test(t, every_vector_of_small_integers_arrives_whole);
    tcase_add_test(t, every_vector_of_wide_integers_arrives_whole);
    tcase_add_test(t, every_vector_of_floating_numbers_arrives_whole);
    tcase_add_test(t, a_vector_of_another_width_or_type_and_a_single_number_are_refused);
    return run_cases("scheduler/scanning values", t, NULL);
}
