/* Numbers on their way into a kernel's parameter: either the value arrives, or the call is refused. */
#include "cl/types.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -(2^64) < value < 2^64, exactly. */
typedef struct whole {
    bool negative;
    uint64_t magnitude;
} whole;

static whole whole_of(const selv_arg *arg)
{
    if (arg->kind == SELVI_UNSIGNED || arg->value.i >= 0)
        return (whole){false, arg->value.u};
    return (whole){true, -arg->value.u};
}

static whole largest(selvi_type to)
{
    if (to.class_ == SELVI_CLASS_BOOL)
        return (whole){false, 1};
    unsigned bits = to.bytes * 8u - (to.class_ == SELVI_CLASS_SIGNED);
    return (whole){false, UINT64_MAX >> (64 - bits)};
}

static whole smallest(selvi_type to)
{
    if (to.class_ != SELVI_CLASS_SIGNED)
        return (whole){false, 0};
    return (whole){true, (uint64_t)1 << (to.bytes * 8u - 1)};
}

/* texts */

static void print_whole(whole w, char *out, size_t bytes)
{
    snprintf(out, bytes, "%s%llu", w.negative ? "-" : "", (unsigned long long)w.magnitude);
}

/* With as few digits as name this number and no other. */
static void print_real(double f, char *out, size_t bytes)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, bytes, "%.*g", digits, f);
        if (strtod(out, NULL) == f)
            return;
    }
}

static void print_number(const selv_arg *arg, char *out, size_t bytes)
{
    if (arg->kind == SELVI_REAL)
        print_real(arg->value.f, out, bytes);
    else
        print_whole(whole_of(arg), out, bytes);
}

static selv_status fail_whole(const selv_arg *arg, selvi_type to)
{
    char number[64], name[24], low[32], high[32];
    print_number(arg, number, sizeof number);
    selvi_type_name(to, name, sizeof name);
    print_whole(smallest(to), low, sizeof low);
    print_whole(largest(to), high, sizeof high);
    return selvi_fail(SELV_ARGUMENT_VALUE, "%s does not fit %s (%s to %s): pass a number that does", number, name, low,
                      high);
}

static selv_status fail_fraction(const selv_arg *arg, selvi_type to)
{
    char number[64], name[24];
    print_number(arg, number, sizeof number);
    selvi_type_name(to, name, sizeof name);
    return selvi_fail(SELV_ARGUMENT_VALUE,
                      "%s is no whole number, and the parameter is %s %s: round it yourself, or give the kernel a "
                      "floating-point parameter",
                      number, strchr("aeiou", name[0]) ? "an" : "a", name);
}

static selv_status fail_real(const selv_arg *arg, selvi_type to, const char *most)
{
    char number[64], name[24];
    print_number(arg, number, sizeof number);
    selvi_type_name(to, name, sizeof name);
    return selvi_fail(SELV_ARGUMENT_VALUE,
                      "%s does not fit %s (at most %s): pass a smaller number, or INFINITY if that "
                      "is meant",
                      number, name, most);
}

/* to whole numbers */

static void store_whole(whole w, selvi_type to, void *out)
{
    uint64_t bits = w.negative ? -w.magnitude : w.magnitude;
    uint8_t b1 = (uint8_t)bits;
    uint16_t b2 = (uint16_t)bits;
    uint32_t b4 = (uint32_t)bits;
    const void *from = to.bytes == 1 ? (void *)&b1 : to.bytes == 2 ? (void *)&b2 : to.bytes == 4 ? (void *)&b4 : &bits;
    memcpy(out, from, to.bytes);
}

static bool fits(whole w, selvi_type to)
{
    return w.magnitude <= (w.negative ? smallest(to).magnitude : largest(to).magnitude);
}

static bool is_all_ones(whole w, selvi_type to)
{
    return w.negative && w.magnitude == 1 && to.class_ == SELVI_CLASS_UNSIGNED;
}

static selv_status whole_to_whole(const selv_arg *arg, selvi_type to, void *out)
{
    whole w = whole_of(arg);
    if (!fits(w, to) && !is_all_ones(w, to))
        return fail_whole(arg, to);
    store_whole(w, to, out);
    return SELV_OK;
}

static bool is_whole(double f)
{
    return !(fabs(f) < 0x1p62) || f == (double)(int64_t)f; /* from 2^53 on there are no fractions */
}

static selv_status real_to_whole(const selv_arg *arg, selvi_type to, void *out)
{
    double f = arg->value.f;
    if (!is_whole(f))
        return fail_fraction(arg, to);
    if (!(fabs(f) < 0x1p64)) /* NAN and infinity as well */
        return fail_whole(arg, to);
    whole w = {f < 0, (uint64_t)fabs(f)};
    if (!fits(w, to))
        return fail_whole(arg, to);
    store_whole(w, to, out);
    return SELV_OK;
}

/* to floating point */

/* To the nearest, ties to even, whatever the thread's rounding mode is. */
static uint32_t rounded(double f)
{
    uint32_t below = (uint32_t)f;
    double rest = f - below;
    return below + (rest > 0.5 || (rest == 0.5 && below & 1));
}

/* The nearest half, ties to even, in one step from the double, so that nothing is rounded twice. A half has 11 bits;
   its unit in the last place is 2^(exponent - 10), and 2^-24 below the normal numbers. */
static uint16_t half_bits(double f)
{
    uint16_t sign = signbit(f) ? 0x8000 : 0;
    int exponent;
    if (isnan(f))
        return sign | 0x7e00;
    if (f == 0)
        return sign;
    if (isinf(f))
        return sign | 0x7c00;
    frexp(f, &exponent); /* |f| = 0.1xxx * 2^exponent */
    int unit = exponent - 11 < -24 ? -24 : exponent - 11;
    if (unit > 5)
        return sign | 0x7c00;
    uint32_t bits = (uint32_t)(unit + 24) * 1024 + rounded(ldexp(fabs(f), -unit));
    return (uint16_t)(sign | (bits < 0x7c00 ? bits : 0x7c00)); /* a carry out of the steps is one into the exponent */
}

static selv_status store_half(const selv_arg *arg, double f, selvi_type to, void *out)
{
    uint16_t bits = half_bits(f);
    if (isfinite(f) && (bits & 0x7fff) == 0x7c00)
        return fail_real(arg, to, "65504");
    memcpy(out, &bits, sizeof bits);
    return SELV_OK;
}

static selv_status store_float(const selv_arg *arg, float value, bool finite, selvi_type to, void *out)
{
    if (finite && isinf(value))
        return fail_real(arg, to, "3.4028235e38");
    memcpy(out, &value, sizeof value);
    return SELV_OK;
}

static selv_status real_to_real(const selv_arg *arg, selvi_type to, void *out)
{
    double f = arg->value.f;
    if (to.class_ == SELVI_CLASS_HALF)
        return store_half(arg, f, to, out);
    if (to.bytes == sizeof(float))
        return store_float(arg, (float)f, isfinite(f), to, out);
    memcpy(out, &f, sizeof f);
    return SELV_OK;
}

/* 64 bits round to the nearest float or double in one step. Only a half can overflow, and what fits one is exact in a
   double. */
static selv_status whole_to_real(const selv_arg *arg, selvi_type to, void *out)
{
    whole w = whole_of(arg);
    double f = w.negative ? -(double)w.magnitude : (double)w.magnitude;
    if (to.class_ == SELVI_CLASS_HALF)
        return store_half(arg, f, to, out);
    if (to.bytes == sizeof(float))
        return store_float(arg, w.negative ? -(float)w.magnitude : (float)w.magnitude, true, to, out);
    memcpy(out, &f, sizeof f);
    return SELV_OK;
}

/* refusals before any arithmetic */

static selv_status check(const selv_arg *arg, selvi_type to)
{
    char name[24];
    if (arg->kind != SELVI_SIGNED && arg->kind != SELVI_UNSIGNED && arg->kind != SELVI_REAL)
        return selvi_fail(SELV_ARGUMENT_KIND, "the argument is no number, and the parameter takes one");
    if (to.class_ == SELVI_CLASS_UNKNOWN)
        return selvi_fail(
            SELV_ARGUMENT_KIND,
            "the argument is a number, and the parameter's type is not known to be one: name the type with "
            "selv_signature, or pass the very bytes with selv_value");
    if (to.width == 1)
        return SELV_OK;
    selvi_type_name(to, name, sizeof name);
    return selvi_fail(SELV_ARGUMENT_KIND, "the argument is one number, and the parameter is a vector: pass a cl_%s",
                      name);
}

selv_status selvi_convert(const selv_arg *arg, selvi_type to, void *out)
{
    selv_status st = check(arg, to);
    if (st)
        return st;
    bool from_real = arg->kind == SELVI_REAL, to_real = to.class_ == SELVI_CLASS_REAL || to.class_ == SELVI_CLASS_HALF;
    if (from_real)
        return to_real ? real_to_real(arg, to, out) : real_to_whole(arg, to, out);
    return to_real ? whole_to_real(arg, to, out) : whole_to_whole(arg, to, out);
}
