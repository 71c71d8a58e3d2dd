/* What the macros make of an argument, read from the calls that they end in. */
#include "stubs.h"

#include <check.h>
#include <stdlib.h>

#define HANDLE(type, number) ((type)(uintptr_t)(number))

static selv_scheduler *const s = NULL;
static const size_t most = (size_t)-1;

static void is(selv_arg a, int kind, const void *pointer)
{
    ck_assert_int_eq(a.kind, kind);
    ck_assert_ptr_eq(a.pointer, pointer);
    ck_assert_int_eq(a.flags, 0);
    ck_assert_int_eq(a.mode, SELV_NONE);
    ck_assert_uint_eq(a.base + a.offset + a.bytes + a.rows + a.pitch, 0);
}

static void is_part(selv_arg a, int flags, size_t base, size_t offset, size_t bytes)
{
    ck_assert_int_eq(a.flags, flags);
    ck_assert_uint_eq(a.base, base);
    ck_assert_uint_eq(a.offset, offset);
    ck_assert_uint_eq(a.bytes, bytes);
}

START_TEST(handles_and_pointers_keep_their_kind)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    const cl_mem kept = m;
    float numbers[3] = {0};
    const volatile double *device = HANDLE(const volatile double *, 0x40);

    is(selv_arg_of(m), SELVI_MEM, m);
    is(selv_arg_of(kept), SELVI_MEM, m);
    is(selv_arg_of(HANDLE(cl_sampler, 0x20)), SELVI_SAMPLER, HANDLE(void *, 0x20));
    is(selv_arg_of(HANDLE(cl_command_queue, 0x30)), SELVI_QUEUE, HANDLE(void *, 0x30));
    is(selv_arg_of(numbers), SELVI_POINTER, numbers);
    is(selv_arg_of(numbers + 1), SELVI_POINTER, numbers + 1);
    is(selv_arg_of(device), SELVI_POINTER, HANDLE(void *, 0x40));
    is(selv_arg_of((struct nowhere_defined *)numbers), SELVI_POINTER, numbers);
    is(selv_arg_of(NULL), SELVI_POINTER, NULL);
}
END_TEST

START_TEST(every_integer_type_keeps_its_value)
{
    selv_arg a = selv_arg_of((signed char)-3);
    ck_assert_int_eq(a.kind, SELVI_SIGNED);
    ck_assert_int_eq(a.type, SELVI_T_schar);
    ck_assert_int_eq(a.value.i, -3);
    a = selv_arg_of((cl_uchar)200);
    ck_assert_int_eq(a.kind, SELVI_UNSIGNED);
    ck_assert_int_eq(a.type, SELVI_T_uchar);
    ck_assert_uint_eq(a.value.u, 200);
    a = selv_arg_of(UINT64_MAX);
    ck_assert_int_eq(a.kind, SELVI_UNSIGNED);
    ck_assert_uint_eq(a.value.u, UINT64_MAX);
    a = selv_arg_of(INT64_MIN);
    ck_assert_int_eq(a.kind, SELVI_SIGNED);
    ck_assert_int_eq(a.value.i, INT64_MIN);
    ck_assert_int_eq(selv_arg_of((cl_half)1).type, SELVI_T_ushort);
    ck_assert_int_eq(selv_arg_of((bool)true).type, SELVI_T_bool);
    ck_assert_int_eq(selv_arg_of(0).kind, SELVI_SIGNED);
    ck_assert_int_eq(selv_arg_of(0).value.i, 0);
}
END_TEST

START_TEST(every_number_type_has_its_row)
{
#define NUMBER(name, type_, kind, member, wide) , (type_)1
#define KIND(name, type_, kind, member, wide) SELVI_##kind,
    static const int kinds[] = {SELVI_NUMBERS(KIND)};
    size_t n = sizeof kinds / sizeof *kinds;
    ck_assert_uint_eq((size_t)selv_launch(s, NULL, selv_1d(1) SELVI_NUMBERS(NUMBER)), n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(last.arg[i].kind, kinds[i]);
        ck_assert_uint_eq(last.arg[i].type, SELVI_T_bool + i);
        ck_assert(kinds[i] == SELVI_REAL ? last.arg[i].value.f == 1 : last.arg[i].value.i == 1);
    }
}
END_TEST

START_TEST(every_vector_type_has_its_row)
{
/* clang-format off */
#define VECTOR(name) , (name){{0}}
/* clang-format on */
#define SIZE(name) sizeof(name),
    static const size_t sizes[] = {SELVI_VECTORS(SIZE)};
    size_t n = sizeof sizes / sizeof *sizes;
    ck_assert_uint_eq((size_t)selv_launch(s, NULL, selv_1d(1) SELVI_VECTORS(VECTOR)), n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(last.arg[i].kind, SELVI_VECTOR);
        ck_assert_uint_eq(last.arg[i].type, SELVI_T_cl_char2 + i);
        ck_assert_uint_eq(last.arg[i].inline_bytes, sizes[i]);
    }
    ck_assert_uint_eq(n, SELVI_T_count - SELVI_T_cl_char2);
}
END_TEST

START_TEST(a_vector_is_copied)
{
    cl_float3 v = {{1, 2, 3, 0}};
    selv_arg a = selv_arg_of(v);
    ck_assert_int_eq(a.type, SELVI_T_cl_float4);
    ck_assert_int_eq(memcmp(a.value.raw, &v, sizeof v), 0);
}
END_TEST

START_TEST(floating_numbers_enums_and_bit_fields_are_numbers)
{
    enum { BELOW = -2, ABOVE = 2 };
    struct {
        unsigned few : 3;
        int lower : 5;
    } bits = {5, -3};
    ck_assert(selv_arg_of(0.1f).value.f == (double)0.1f);
    ck_assert_int_eq(selv_arg_of(0.1f).type, SELVI_T_float);
    ck_assert(selv_arg_of(0.1).value.f == 0.1);
    ck_assert_int_eq(selv_arg_of(BELOW).value.i, -2);
    ck_assert_int_eq(selv_arg_of(bits.few).value.i, 5);
    ck_assert_int_eq(selv_arg_of(bits.lower).value.i, -3);
    ck_assert_int_eq(selv_arg_of(bits.lower).kind, SELVI_SIGNED);
}
END_TEST

START_TEST(a_value_is_copied_up_to_128_bytes_and_named_beyond)
{
    struct {
        unsigned char at[128];
    } fits;
    struct {
        unsigned char at[129];
    } large;
    selv_arg a;
    memset(&fits, 9, sizeof fits);
    memset(&large, 8, sizeof large);
    a = selv_value(fits);
    ck_assert_int_eq(a.kind, SELVI_BYTES);
    ck_assert_ptr_null(a.pointer);
    ck_assert_uint_eq(a.inline_bytes, 128);
    ck_assert_uint_eq(a.bytes, 128);
    ck_assert_int_eq(memcmp(a.value.raw, &fits, 128), 0);
    a = selv_value(large);
    ck_assert_ptr_eq(a.pointer, &large);
    ck_assert_uint_eq(a.inline_bytes, 0);
    ck_assert_uint_eq(a.bytes, 129);
}
END_TEST

START_TEST(an_array_of_eight_bytes_is_a_value_and_no_pointer)
{
    float two[2] = {1, 2};
    selv_arg a = selv_value(two);
    ck_assert_int_eq(a.kind, SELVI_BYTES);
    ck_assert_uint_eq(a.bytes, sizeof two);
    ck_assert_int_eq(memcmp(a.value.raw, two, sizeof two), 0);
}
END_TEST

START_TEST(local_memory_is_only_a_size)
{
    selv_arg a = selv_local(4096);
    ck_assert_int_eq(a.kind, SELVI_LOCAL);
    ck_assert_uint_eq(a.bytes, 4096);
}
END_TEST

START_TEST(each_mode_is_set)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    ck_assert_int_eq(selv_in(m).mode, SELV_READ);
    ck_assert_int_eq(selv_out(m).mode, SELV_WRITE);
    ck_assert_int_eq(selv_inout(m).mode, SELV_READ_WRITE);
    ck_assert_int_eq(selv_accum(m).mode, SELV_ACCUMULATE);
    ck_assert_int_eq(selv_in(m).flags, SELVI_HAS_MODE);
    ck_assert_ptr_eq(selv_in(m).pointer, m);
    ck_assert_int_eq(selv_untracked(m).flags, SELVI_UNTRACKED);
    ck_assert_int_eq(selv_also(m).flags, SELVI_ALSO);
    ck_assert_int_eq(selv_also(selv_in(m)).flags, SELVI_ALSO | SELVI_HAS_MODE);
}
END_TEST

START_TEST(two_modes_conflict_and_the_same_twice_does_not)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    ck_assert(selv_in(selv_out(m)).flags & SELVI_CONFLICT);
    ck_assert(selv_accum(selv_inout(m)).flags & SELVI_CONFLICT);
    ck_assert(selv_in(selv_in(selv_out(m))).flags & SELVI_CONFLICT);
    ck_assert(selv_in(selv_part(selv_out(m), 0, 4)).flags & SELVI_CONFLICT);
    ck_assert(selv_untracked(selv_in(m)).flags & SELVI_CONFLICT);
    ck_assert(selv_in(selv_untracked(m)).flags & SELVI_CONFLICT);
    ck_assert_int_eq(selv_in(selv_in(m)).flags, SELVI_HAS_MODE);
    ck_assert_int_eq(selv_untracked(selv_untracked(m)).flags, SELVI_UNTRACKED);
}
END_TEST

START_TEST(a_part_moves_the_base_and_within_does_not)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    is_part(selv_part(m, 64, 32), SELVI_PART, 64, 64, 32);
    is_part(selv_within(m, 64, 32), SELVI_WITHIN, 0, 64, 32);
    is_part(selv_part(m, 0, most), SELVI_PART | SELVI_OUTSIDE, 0, 0, 0);
    is_part(selv_part(m, 0, most - 1), SELVI_PART, 0, 0, most - 1);
}
END_TEST

START_TEST(a_strided_part_keeps_its_rows)
{
    selv_arg a = selv_strided(HANDLE(cl_mem, 0x10), 8, 16, 4, 100);
    is_part(a, SELVI_STRIDED, 0, 8, 16);
    ck_assert_uint_eq(a.rows, 4);
    ck_assert_uint_eq(a.pitch, 100);
    is_part(selv_strided(HANDLE(cl_mem, 0x10), 8, 16, 0, 100), SELVI_STRIDED, 0, 8, 0);
}
END_TEST

START_TEST(an_outer_part_counts_from_the_inner_one)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    selv_arg a;
    is_part(selv_part(selv_part(m, 100, 50), 10, 40), SELVI_PART, 110, 110, 40);
    is_part(selv_within(selv_part(m, 100, 50), 10, 20), SELVI_PART | SELVI_WITHIN, 100, 110, 20);
    is_part(selv_part(selv_within(m, 100, 50), 10, 20), SELVI_PART | SELVI_WITHIN, 110, 110, 20);
    is_part(selv_within(selv_in(selv_within(m, 100, 50)), 50, 0), SELVI_WITHIN | SELVI_HAS_MODE, 0, 150, 0);
    a = selv_strided(selv_part(m, 100, 50), 0, 10, 3, 20);
    is_part(a, SELVI_PART | SELVI_STRIDED, 100, 100, 10);
    a = selv_within(a, 45, 5);
    is_part(a, SELVI_PART | SELVI_STRIDED | SELVI_WITHIN, 100, 145, 5);
    ck_assert_uint_eq(a.rows, 0);
}
END_TEST

START_TEST(a_part_that_leaves_the_one_before_is_marked_outside)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    ck_assert(selv_part(selv_part(m, 100, 50), 10, 41).flags & SELVI_OUTSIDE);
    ck_assert(selv_within(selv_part(m, 100, 50), 51, 0).flags & SELVI_OUTSIDE);
    ck_assert(selv_strided(selv_part(m, 100, 50), 0, 11, 3, 20).flags & SELVI_OUTSIDE);
    ck_assert(selv_within(selv_strided(m, 0, 10, 3, 20), 46, 5).flags & SELVI_OUTSIDE);
    ck_assert(selv_in(selv_part(selv_part(m, 0, 8), 8, 1)).flags & SELVI_OUTSIDE);
    ck_assert(!(selv_part(selv_part(m, 100, 50), 10, 40).flags & SELVI_OUTSIDE));
}
END_TEST

START_TEST(sums_that_overflow_are_marked_outside)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    ck_assert(selv_part(m, most, 1).flags & SELVI_OUTSIDE);
    ck_assert(selv_within(m, most - 3, 8).flags & SELVI_OUTSIDE);
    ck_assert(selv_part(selv_part(m, 8, 8), most - 4, 8).flags & SELVI_OUTSIDE);
    ck_assert(selv_strided(m, 0, 8, most / 2, 8).flags & SELVI_OUTSIDE);
    ck_assert(selv_strided(m, 0, 8, 2, most).flags & SELVI_OUTSIDE);
    ck_assert(selv_strided(m, most - 8, 8, 2, 8).flags & SELVI_OUTSIDE);
}
END_TEST

START_TEST(a_launch_passes_none_one_and_64_arguments)
{
#define EIGHT(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
    cl_kernel k = HANDLE(cl_kernel, 0x50);
    ck_assert_int_eq(selv_launch(s, k, selv_1d(7)), 0);
    ck_assert_str_eq(last.function, "launch");
    ck_assert_ptr_eq(last.other, k);
    ck_assert_uint_eq(last.range.global[0], 7);
    ck_assert_int_eq(selv_launch(s, k, selv_1d(7), 5), 1);
    ck_assert_int_eq(last.arg[0].value.i, 5);
    ck_assert_int_eq(selv_launch(s, k, selv_1d(7), EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40),
                                 EIGHT(48), EIGHT(56)),
                     64);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(last.arg[i].value.i, i);
}
END_TEST

static int calls;

static int counted(int result)
{
    calls++;
    return result;
}

static float *counted_pointer(float **at)
{
    calls++;
    return *at;
}

START_TEST(arguments_are_evaluated_once)
{
    float room[8];
    float *at = room;
    struct {
        int a;
    } one = {3}, *step = &one;
    calls = 0;
    selv_launch(s, NULL, selv_1d((size_t)counted(4)), counted(5),
                selv_in(selv_part(counted_pointer(&at), 0, (size_t)counted(4))), at++);
    ck_assert_int_eq(calls, 4);
    ck_assert_ptr_eq(at, room + 1);
    ck_assert_int_eq(last.arg[0].value.i, 5);
    ck_assert_ptr_eq(last.arg[2].pointer, room);
    selv_launch(s, NULL, selv_1d(1), selv_value(*step++));
    ck_assert_ptr_eq(step, &one + 1);
}
END_TEST

START_TEST(ranges_carry_sizes_groups_offsets_and_device)
{
    selv_range r = selv_3d(4, 5, 6);
    ck_assert_uint_eq(r.dims, 3);
    ck_assert_int_eq(r.device, -1);
    ck_assert_uint_eq(r.global[2], 6);
    ck_assert_uint_eq(r.local[0] + r.local[1] + r.local[2] + r.offset[0] + r.offset[1] + r.offset[2], 0);
    r = selv_on(selv_offset(selv_group(selv_2d(8, 9), 2, 3, 1), 7, 6, 0), 1);
    ck_assert_uint_eq(r.dims, 2);
    ck_assert_uint_eq(r.global[1], 9);
    ck_assert_uint_eq(r.global[2], 1);
    ck_assert_uint_eq(r.local[1], 3);
    ck_assert_uint_eq(r.offset[0], 7);
    ck_assert_int_eq(r.device, 1);
    ck_assert_uint_eq(selv_1d(3).dims, 1);
}
END_TEST

START_TEST(adopt_and_export_take_any_number_of_accesses)
{
    cl_event event = HANDLE(cl_event, 0x60);
    cl_mem m = HANDLE(cl_mem, 0x10);
    ck_assert_int_eq(selv_adopt(s, event), 0);
    ck_assert_ptr_eq(last.other, event);
    ck_assert_int_eq(selv_adopt(s, event, selv_in(m), &calls), 2);
    ck_assert_int_eq(last.arg[0].mode, SELV_READ);
    ck_assert_ptr_eq(last.arg[1].pointer, &calls);
    ck_assert_int_eq(selv_export(s, &event), 0);
    ck_assert_ptr_eq(last.other, &event);
    ck_assert_int_eq(selv_export(s, &event, m), 1);
    ck_assert_str_eq(last.function, "export");
}
END_TEST

START_TEST(copies_and_fills_keep_the_order_of_their_sides)
{
    cl_mem m = HANDLE(cl_mem, 0x10);
    float host[4];
    selv_copy(s, m, host, 16);
    ck_assert_int_eq(last.arg[0].kind, SELVI_MEM);
    ck_assert_int_eq(last.arg[1].kind, SELVI_POINTER);
    ck_assert_uint_eq(last.bytes, 16);
    selv_fill(s, m, 1.5f, 64);
    ck_assert_int_eq(last.arg[1].type, SELVI_T_float);
    selv_read(s, host, m, 8);
    ck_assert_ptr_eq(last.other, host);
    ck_assert_int_eq(last.arg[0].kind, SELVI_MEM);
    selv_write(s, m, host, 12);
    ck_assert_str_eq(last.function, "write");
    ck_assert_uint_eq(last.bytes, 12);
}
END_TEST

START_TEST(svm_and_map_pass_the_address_of_the_pointer)
{
    const float *p = NULL;
    selv_svm(s, 256, &p);
    ck_assert_ptr_eq(last.other, &p);
    ck_assert_uint_eq(last.bytes, 256);
    selv_map(s, HANDLE(cl_mem, 0x10), SELV_READ_WRITE, &p);
    ck_assert_ptr_eq(last.other, &p);
    ck_assert_int_eq(last.mode, SELV_READ_WRITE);
}
END_TEST

static Suite *header_suite(void)
{
    Suite *suite = suite_create("header/args");
    TCase *all = tcase_create("all");
    tcase_add_test(all, handles_and_pointers_keep_their_kind);
    tcase_add_test(all, every_integer_type_keeps_its_value);
    tcase_add_test(all, every_number_type_has_its_row);
    tcase_add_test(all, every_vector_type_has_its_row);
    tcase_add_test(all, a_vector_is_copied);
    tcase_add_test(all, floating_numbers_enums_and_bit_fields_are_numbers);
    tcase_add_test(all, a_value_is_copied_up_to_128_bytes_and_named_beyond);
    tcase_add_test(all, an_array_of_eight_bytes_is_a_value_and_no_pointer);
    tcase_add_test(all, local_memory_is_only_a_size);
    tcase_add_test(all, each_mode_is_set);
    tcase_add_test(all, two_modes_conflict_and_the_same_twice_does_not);
    tcase_add_test(all, a_part_moves_the_base_and_within_does_not);
    tcase_add_test(all, a_strided_part_keeps_its_rows);
    tcase_add_test(all, an_outer_part_counts_from_the_inner_one);
    tcase_add_test(all, a_part_that_leaves_the_one_before_is_marked_outside);
    tcase_add_test(all, sums_that_overflow_are_marked_outside);
    tcase_add_test(all, a_launch_passes_none_one_and_64_arguments);
    tcase_add_test(all, arguments_are_evaluated_once);
    tcase_add_test(all, ranges_carry_sizes_groups_offsets_and_device);
    tcase_add_test(all, adopt_and_export_take_any_number_of_accesses);
    tcase_add_test(all, copies_and_fills_keep_the_order_of_their_sides);
    tcase_add_test(all, svm_and_map_pass_the_address_of_the_pointer);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(header_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
