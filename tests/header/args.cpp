// What the overloads make of an argument: the counterpart in C++ of test_header_args.c.
#include "stubs.h"

#include <cstdio>
#include <cstring>

static int failed;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                        \
            failed++;                                                                                                  \
        }                                                                                                              \
    } while (0)

template <class T> static T handle(uintptr_t number)
{
    return reinterpret_cast<T>(number);
}

static selv_scheduler *const s = nullptr;
static const size_t most = static_cast<size_t>(-1);

struct owner {
    cl_mem m;
    operator cl_mem() const
    {
        return m;
    }
};

static void is(const selv_arg &a, int kind, const volatile void *pointer)
{
    CHECK(a.kind == kind);
    CHECK(a.pointer == pointer);
    CHECK(a.flags == 0 && a.mode == 0 && a.base + a.offset + a.bytes + a.rows + a.pitch == 0);
}

static void handles_and_pointers_keep_their_kind()
{
    const cl_mem m = handle<cl_mem>(0x10);
    float numbers[3] = {0, 0, 0};
    const volatile double *device = handle<const volatile double *>(0x40);
    is(selv_arg_of(m), SELVI_MEM, m);
    is(selv_arg_of(owner{m}), SELVI_MEM, m);
    is(selv_arg_of(handle<cl_sampler>(0x20)), SELVI_SAMPLER, handle<void *>(0x20));
    is(selv_arg_of(handle<cl_command_queue>(0x30)), SELVI_QUEUE, handle<void *>(0x30));
    is(selv_arg_of(numbers), SELVI_POINTER, numbers);
    is(selv_arg_of(device), SELVI_POINTER, device);
    is(selv_arg_of(nullptr), SELVI_POINTER, nullptr);
}

static void numbers_keep_value_and_type()
{
    enum small { below = -2 };
    enum tall : unsigned long long { top = ~0ull };
    struct {
        unsigned few : 3;
    } bits = {5};
    const volatile short kept = -7;
#define NUMBER(name, type_, kind_, member, wide)                                                                       \
    CHECK(selv_arg_of(static_cast<type_>(1)).type == SELVI_T_##name);                                                  \
    CHECK(selv_arg_of(static_cast<type_>(1)).kind == SELVI_##kind_);                                                   \
    CHECK(selv_arg_of(static_cast<type_>(1)).value.member == 1);
    SELVI_NUMBERS(NUMBER)
    CHECK(selv_arg_of(below).value.i == -2);
    CHECK(selv_arg_of(top).value.u == ~0ull && selv_arg_of(top).kind == SELVI_UNSIGNED);
    CHECK(selv_arg_of(bits.few).value.u == 5);
    CHECK(selv_arg_of(kept).value.i == -7 && selv_arg_of(kept).type == SELVI_T_short);
    CHECK(selv_arg_of(L'w').type == SELVI_T_int || selv_arg_of(L'w').type == SELVI_T_uint);
    CHECK(selv_arg_of(u'w').type == SELVI_T_ushort);
    CHECK(selv_arg_of(0).kind == SELVI_SIGNED && selv_arg_of(0).value.i == 0);
    CHECK(selv_arg_of(NULL).kind == SELVI_SIGNED && selv_arg_of(NULL).value.i == 0);
}

static void vectors_and_values_are_copied()
{
#define VECTOR(name)                                                                                                   \
    {                                                                                                                  \
        name v;                                                                                                        \
        std::memset(&v, 7, sizeof v);                                                                                  \
        const selv_arg a = selv_arg_of(v);                                                                             \
        CHECK(a.kind == SELVI_VECTOR && a.type == SELVI_T_##name && a.inline_bytes == sizeof v);                       \
        CHECK(std::memcmp(a.value.raw, &v, sizeof v) == 0);                                                            \
    }
    SELVI_VECTORS(VECTOR)
    struct {
        unsigned char at[129];
    } large = {};
    CHECK(selv_value(large).pointer == &large && selv_value(large).inline_bytes == 0 && selv_value(large).bytes == 129);
    CHECK(selv_value(1.0f).inline_bytes == 4 && selv_value(1.0f).pointer == nullptr);
}

static void annotations_nest_and_conflicts_are_marked()
{
    const cl_mem m = handle<cl_mem>(0x10);
    selv_arg a = selv_within(selv_part(m, 100, 50), 10, 20);
    CHECK(a.base == 100 && a.offset == 110 && a.bytes == 20 && a.flags == (SELVI_PART | SELVI_WITHIN));
    a = selv_strided(selv_out(m), 8, 16, 4, 100);
    CHECK(a.base == 0 && a.offset == 8 && a.bytes == 16 && a.rows == 4 && a.pitch == 100 && a.mode == SELV_WRITE);
    CHECK(selv_in(selv_out(m)).flags & SELVI_CONFLICT);
    CHECK(selv_untracked(selv_in(m)).flags & SELVI_CONFLICT);
    CHECK(selv_inout(selv_inout(m)).flags == SELVI_HAS_MODE);
    CHECK(selv_accum(m).mode == SELV_ACCUMULATE);
    CHECK(selv_part(selv_part(m, 100, 50), 10, 41).flags & SELVI_OUTSIDE);
    CHECK(selv_part(m, most, 1).flags & SELVI_OUTSIDE);
    CHECK(selv_also(selv_in(m)).flags == (SELVI_ALSO | SELVI_HAS_MODE));
}

static void calls_pass_everything_on()
{
    cl_event event = handle<cl_event>(0x60);
    const cl_mem m = handle<cl_mem>(0x10);
    const float *p = nullptr;
    CHECK(selv_launch(s, nullptr, selv_1d(7)) == 0 && last.range.global[0] == 7);
    CHECK(selv_launch(s, nullptr, selv_1d(7), m, 2, selv_local(8)) == 3 && last.arg[2].kind == SELVI_LOCAL);
    CHECK(selv_adopt(s, event) == 0 && last.other == event);
    CHECK(selv_adopt(s, event, m, selv_in(p)) == 2 && last.arg[1].mode == SELV_READ);
    CHECK(selv_export(s, &event, m) == 1 && last.other == &event);
    CHECK(selv_svm(s, 256, &p) == 0 && last.other == &p && last.bytes == 256);
    CHECK(selv_map(s, m, SELV_READ, &p) == 0 && last.other == &p && last.mode == SELV_READ);
    CHECK(selv_fill(s, m, 1.5f, 64) == 2 && last.arg[1].type == SELVI_T_float && last.arg[0].kind == SELVI_MEM);
    CHECK(selv_copy(s, p, m, 16) == 2 && last.arg[0].kind == SELVI_POINTER && last.bytes == 16);
}

int main()
{
    handles_and_pointers_keep_their_kind();
    numbers_keep_value_and_type();
    vectors_and_values_are_copied();
    annotations_nest_and_conflicts_are_marked();
    calls_pass_everything_on();
    return failed != 0;
}
