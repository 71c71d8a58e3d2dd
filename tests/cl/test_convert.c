#include "cl/types.h"

#include "opened.h"

#include <math.h>

static union {
    uint8_t raw[8];
    uint8_t u8;
    int8_t i8;
    uint16_t u16;
    int16_t i16;
    uint32_t u32;
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    float f;
    double d;
} out;

static selv_arg from_signed(int64_t v)
{
    return (selv_arg){.kind = SELVI_SIGNED, .type = SELVI_T_llong, .inline_bytes = 8, .value.i = v};
}

static selv_arg from_unsigned(uint64_t v)
{
    return (selv_arg){.kind = SELVI_UNSIGNED, .type = SELVI_T_ullong, .inline_bytes = 8, .value.u = v};
}

static selv_arg from_real(double v)
{
    return (selv_arg){.kind = SELVI_REAL, .type = SELVI_T_double, .inline_bytes = 8, .value.f = v};
}

static selv_status convert(selv_arg a, const char *type)
{
    selvi_type t;
    memset(&out, 0xab, sizeof out);
    ck_assert(selvi_type_find(type, &t));
    return selvi_convert(&a, t, &out);
}

static void good(selv_arg a, const char *type)
{
    ck_assert_msg(convert(a, type) == SELV_OK, "%s", selv_error());
}

static void bad(selv_arg a, const char *type, const char *words)
{
    ck_assert_int_eq(convert(a, type), SELV_ARGUMENT_VALUE);
    ck_assert_msg(strstr(selv_error(), words) != NULL, "\"%s\" is not in: %s", words, selv_error());
    ck_assert_uint_eq(out.u64, 0xabababababababab);
}

START_TEST(whole_numbers_fit_up_to_both_ends_of_each_type)
{
    static const char *const names[] = {"char", "short", "int", "long"}, *const unsigneds[] = {"uchar", "ushort",
                                                                                               "uint"};
    for (unsigned i = 0; i < 3; i++) {
        int64_t half = (int64_t)1 << (8 * (1 << i) - 1);
        good(from_signed(-half), names[i]);
        good(from_signed(half - 1), names[i]);
        bad(from_signed(-half - 1), names[i], "does not fit");
        bad(from_signed(half), names[i], "does not fit");
        bad(from_unsigned((uint64_t)half), names[i], "does not fit");
        good(from_signed(2 * half - 1), unsigneds[i]);
        bad(from_signed(2 * half), unsigneds[i], "does not fit");
        bad(from_signed(-2), unsigneds[i], "does not fit");
    }
    good(from_signed(INT64_MIN), names[3]);
    ck_assert_int_eq(out.i64, INT64_MIN);
    good(from_unsigned(INT64_MAX), names[3]);
    bad(from_unsigned((uint64_t)INT64_MAX + 1), names[3], "9223372036854775808 does not fit long");
    good(from_unsigned(UINT64_MAX), "ulong");
    ck_assert_uint_eq(out.u64, UINT64_MAX);
    bad(from_signed(INT64_MIN), "ulong", "-9223372036854775808 does not fit ulong");
}
END_TEST

START_TEST(only_the_parameters_own_bytes_are_written)
{
    good(from_signed(-3), "char");
    ck_assert_int_eq(out.i8, -3);
    ck_assert_uint_eq(out.raw[1], 0xab);
    good(from_signed(-300), "short");
    ck_assert_int_eq(out.i16, -300);
    ck_assert_uint_eq(out.raw[2], 0xab);
    good(from_signed(-70000), "int");
    ck_assert_int_eq(out.i32, -70000);
    ck_assert_uint_eq(out.raw[4], 0xab);
    good(from_real(1.5), "float");
    ck_assert_uint_eq(out.raw[4], 0xab);
    good(from_real(1.5), "half");
    ck_assert_uint_eq(out.raw[2], 0xab);
}
END_TEST

START_TEST(minus_one_to_an_unsigned_type_is_all_ones)
{
    good(from_signed(-1), "uchar");
    ck_assert_uint_eq(out.u8, 0xff);
    good(from_signed(-1), "uint");
    ck_assert_uint_eq(out.u32, 0xffffffff);
    good(from_signed(-1), "ulong");
    ck_assert_uint_eq(out.u64, UINT64_MAX);
    good(from_signed(-1), "size_t");
    ck_assert_uint_eq(out.u64, UINT64_MAX);
    bad(from_real(-1), "uint", "-1 does not fit uint");
    bad(from_signed(-1), "bool", "-1 does not fit bool");
}
END_TEST

START_TEST(a_text_names_number_type_and_range)
{
    bad(from_signed(300), "uchar", "300 does not fit uchar (0 to 255)");
    bad(from_signed(-129), "char", "-129 does not fit char (-128 to 127)");
    bad(from_real(2.5), "int", "2.5 is no whole number, and the parameter is an int");
    bad(from_real(2.5), "long", "the parameter is a long");
    bad(from_real(0.1), "long", "0.1 is no whole number");
    bad(from_real(1.0 / 3), "long", "0.3333333333333333 is no whole number");
    bad(from_real(1e300), "float", "1e+300 does not fit float");
    bad(from_real(70000), "half", "70000 does not fit half (at most 65504)");
}
END_TEST

START_TEST(a_bool_is_zero_or_one)
{
    selv_arg yes = {.kind = SELVI_UNSIGNED, .type = SELVI_T_bool, .value.u = 1};
    good(yes, "int");
    ck_assert_int_eq(out.i32, 1);
    good(yes, "float");
    ck_assert(out.f == 1.0f);
    good(yes, "bool");
    bad(from_signed(2), "bool", "2 does not fit bool (0 to 1)");
}
END_TEST

START_TEST(floating_numbers_are_whole_or_refused)
{
    good(from_real(-7), "int");
    ck_assert_int_eq(out.i32, -7);
    good(from_real(-0.0), "uint");
    ck_assert_uint_eq(out.u32, 0);
    good(from_real(255), "uchar");
    bad(from_real(256), "uchar", "256 does not fit uchar");
    good(from_real(-0x1p63), "long");
    ck_assert_int_eq(out.i64, INT64_MIN);
    bad(from_real(0x1p63), "long", "does not fit long");
    good(from_real(0x1p63), "ulong");
    ck_assert_uint_eq(out.u64, (uint64_t)1 << 63);
    bad(from_real(0x1p64), "ulong", "does not fit ulong");
    bad(from_real(0.1), "long", "no whole number");
    bad(from_real(NAN), "int", "nan does not fit int");
    bad(from_real(INFINITY), "ulong", "inf does not fit ulong");
    bad(from_real(-INFINITY), "long", "-inf does not fit long");
}
END_TEST

START_TEST(doubles_are_rounded_to_floats_and_refused_only_if_they_overflow)
{
    good(from_real(0.1), "float");
    ck_assert(out.f == 0.1f);
    good(from_real(0.1), "double");
    ck_assert(out.d == 0.1);
    good(from_real(1e-300), "float");
    ck_assert(out.f == 0.0f);
    good(from_real(0x1.fffffefp127), "float"); /* rounds down to the largest */
    ck_assert(out.f == 0x1.fffffep127f);
    bad(from_real(0x1.ffffffp127), "float", "does not fit float");
    good(from_real(INFINITY), "float");
    ck_assert(isinf(out.f));
    good(from_real(NAN), "float");
    ck_assert(isnan(out.f));
    good(from_real(-INFINITY), "double");
    ck_assert(isinf(out.d) && out.d < 0);
}
END_TEST

START_TEST(whole_numbers_to_floating_ones_are_rounded_once)
{
    good(from_signed(9007199254740993), "double"); /* 2^53 + 1 */
    ck_assert(out.d == 0x1p53);
    good(from_signed(-9007199254740993), "double");
    ck_assert(out.d == -0x1p53);
    good(from_signed(16777217), "float");
    ck_assert(out.f == 0x1p24f);
    good(from_unsigned(UINT64_MAX), "float");
    ck_assert(out.f == 0x1p64f);
    good(from_unsigned(0x8000008000000001), "float"); /* over a double it would be a tie, and go down */
    ck_assert(out.f == 0x1.000002p63f);
    good(from_signed(INT64_MIN), "float");
    ck_assert(out.f == -0x1p63f);
    good(from_unsigned(UINT64_MAX), "double");
    ck_assert(out.d == 0x1p64);
}
END_TEST

static void half_is(selv_arg a, unsigned bits)
{
    good(a, "half");
    ck_assert_msg(out.u16 == bits, "0x%x instead of 0x%x", out.u16, bits);
}

START_TEST(halves_are_rounded_to_nearest_even)
{
    half_is(from_real(0), 0);
    half_is(from_real(-0.0), 0x8000);
    half_is(from_real(1), 0x3c00);
    half_is(from_real(-2), 0xc000);
    half_is(from_real(0.1), 0x2e66);
    half_is(from_real(65504), 0x7bff);
    half_is(from_real(65519.996), 0x7bff);
    half_is(from_real(1 + 0x1p-11), 0x3c00);           /* a tie, to even: down */
    half_is(from_real(1 + 3 * 0x1p-11), 0x3c02);       /* a tie, to even: up */
    half_is(from_real(1 + 0x1p-11 + 0x1p-40), 0x3c01); /* over a float it would be a tie */
    half_is(from_real(2 - 0x1p-12), 0x4000);           /* carries into the exponent */
    half_is(from_real(0x1p-14), 0x0400);
    half_is(from_real(0x1p-14 - 0x1p-24), 0x03ff);
    half_is(from_real(0x1p-24), 0x0001);
    half_is(from_real(0x1p-25), 0x0000);
    half_is(from_real(0x1.8p-25), 0x0001);
    half_is(from_real(5e-324), 0x0000);
    half_is(from_real(INFINITY), 0x7c00);
    half_is(from_real(-INFINITY), 0xfc00);
    half_is(from_signed(-3), 0xc200);
    half_is(from_signed(65504), 0x7bff);
    half_is(from_signed(2049), 0x6800);
    good(from_real(NAN), "half");
    ck_assert(out.u16 > 0x7c00);
    bad(from_real(65520), "half", "65520 does not fit half");
    bad(from_real(-1e9), "half", "does not fit half");
    bad(from_real(1e300), "half", "does not fit half");
    bad(from_signed(65520), "half", "65520 does not fit half");
    bad(from_unsigned(UINT64_MAX), "half", "18446744073709551615 does not fit half");
}
END_TEST

/* An independent look: every half is the double that it says, and halfway points go to the even neighbour. */
static double value_of_half(unsigned bits)
{
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
}

START_TEST(every_half_and_every_point_between_two_is_converted_right)
{
    for (unsigned bits = 0; bits < 0x7bff; bits++) {
        double here = value_of_half(bits), next = value_of_half(bits + 1), middle = (here + next) / 2;
        half_is(from_real(here), bits);
        half_is(from_real(middle), bits & 1 ? bits + 1 : bits);
        half_is(from_real(nextafter(middle, 0)), bits);
        half_is(from_real(-nextafter(middle, 1e9)), (bits + 1) | 0x8000);
    }
}
END_TEST

START_TEST(a_type_that_nobody_knows_and_a_vector_take_no_number)
{
    selv_arg one = from_signed(1);
    ck_assert_int_eq(selvi_convert(&one, (selvi_type){0}, &out), SELV_ARGUMENT_KIND);
    ck_assert_ptr_nonnull(strstr(selv_error(), "selv_signature"));
    ck_assert_ptr_nonnull(strstr(selv_error(), "selv_value"));
    ck_assert_int_eq(convert(one, "float4"), SELV_ARGUMENT_KIND);
    ck_assert_ptr_nonnull(strstr(selv_error(), "cl_float4"));
}
END_TEST

START_TEST(what_is_no_number_is_refused)
{
    selv_arg m = {.kind = SELVI_MEM};
    ck_assert_int_eq(convert(m, "int"), SELV_ARGUMENT_KIND);
    ck_assert_ptr_nonnull(strstr(selv_error(), "no number"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cl/convert");
    TCase *c = tcase_create("convert");
    tcase_add_test(c, whole_numbers_fit_up_to_both_ends_of_each_type);
    tcase_add_test(c, only_the_parameters_own_bytes_are_written);
    tcase_add_test(c, minus_one_to_an_unsigned_type_is_all_ones);
    tcase_add_test(c, a_text_names_number_type_and_range);
    tcase_add_test(c, a_bool_is_zero_or_one);
    tcase_add_test(c, floating_numbers_are_whole_or_refused);
    tcase_add_test(c, doubles_are_rounded_to_floats_and_refused_only_if_they_overflow);
    tcase_add_test(c, whole_numbers_to_floating_ones_are_rounded_once);
    tcase_add_test(c, halves_are_rounded_to_nearest_even);
    tcase_add_test(c, every_half_and_every_point_between_two_is_converted_right);
    tcase_add_test(c, a_type_that_nobody_knows_and_a_vector_take_no_number);
    tcase_add_test(c, what_is_no_number_is_refused);
    suite_add_tcase(s, c);
    return run_suite(s);
}
