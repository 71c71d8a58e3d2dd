#include "tracking/access.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static selvi_accesses list;

static void reset(void)
{
    selvi_accesses_clear(&list);
}

static void release(void)
{
    selvi_accesses_destroy(&list);
}

static void add(uint32_t allocation, uint64_t begin, uint64_t end, uint16_t argument, selv_mode mode, uint8_t flags)
{
    selvi_access a = {allocation, 0, begin, end, argument, (uint8_t)mode, flags};
    ck_assert_int_eq(selvi_accesses_add(&list, a), SELV_OK);
}

static void normalise(size_t expected)
{
    ck_assert_int_eq(selvi_accesses_normalise(&list), SELV_OK);
    ck_assert_uint_eq(list.count, expected);
}

static void expect(size_t i, uint64_t begin, uint64_t end, uint16_t argument, selv_mode mode, uint8_t flags)
{
    const selvi_access *a = &list.at[i];
    ck_assert_msg(a->begin == begin && a->end == end && a->argument == argument && a->mode == mode && a->flags == flags,
                  "access %zu is [%llu, %llu) argument %u mode %u flags %u", i, (unsigned long long)a->begin,
                  (unsigned long long)a->end, a->argument, a->mode, a->flags);
}

START_TEST(an_access_to_no_bytes_is_refused)
{
    selvi_access a = {.begin = 4, .end = 4, .mode = SELV_READ};
    ck_assert_int_eq(selvi_accesses_add(&list, a), SELV_INVALID);
    ck_assert_uint_eq(list.count, 0);
    ck_assert_ptr_nonnull(strstr(selv_error(), "[4, 4)"));
}
END_TEST

START_TEST(accesses_are_sorted_by_allocation_and_begin)
{
    add(2, 0, 8, 0, SELV_READ, 0);
    add(1, 8, 16, 1, SELV_WRITE, 0);
    add(1, 0, 4, 2, SELV_READ, 0);
    normalise(3);
    expect(0, 0, 4, 2, SELV_READ, 0);
    expect(1, 8, 16, 1, SELV_WRITE, 0);
    expect(2, 0, 8, 0, SELV_READ, 0);
}
END_TEST

START_TEST(equal_bytes_of_two_allocations_or_generations_are_not_merged)
{
    add(1, 0, 8, 0, SELV_READ, 0);
    add(2, 0, 8, 1, SELV_WRITE, 0);
    selvi_access later = {1, 1, 0, 8, 2, SELV_WRITE, 0};
    ck_assert_int_eq(selvi_accesses_add(&list, later), SELV_OK);
    normalise(3);
    expect(0, 0, 8, 0, SELV_READ, 0);
    expect(1, 0, 8, 2, SELV_WRITE, 0);
    expect(2, 0, 8, 1, SELV_WRITE, 0);
}
END_TEST

START_TEST(an_access_of_mode_none_is_dropped)
{
    add(1, 0, 8, 0, SELV_NONE, 0);
    add(1, 4, 8, 1, SELV_READ, 0);
    normalise(1);
    expect(0, 4, 8, 1, SELV_READ, 0);
    reset();
    add(1, 0, 8, 0, SELV_NONE, 0);
    normalise(0);
}
END_TEST

/* modes[i] and modes[j] merge to rows[i][j], in either order. */
static const selv_mode rows[5][5] = {
    [SELV_READ] = {[SELV_READ] = SELV_READ,
                   [SELV_WRITE] = SELV_READ_WRITE,
                   [SELV_READ_WRITE] = SELV_READ_WRITE,
                   [SELV_ACCUMULATE] = SELV_READ_WRITE},
    [SELV_WRITE] =
        {[SELV_WRITE] = SELV_WRITE, [SELV_READ_WRITE] = SELV_READ_WRITE, [SELV_ACCUMULATE] = SELV_READ_WRITE},
    [SELV_READ_WRITE] = {[SELV_READ_WRITE] = SELV_READ_WRITE, [SELV_ACCUMULATE] = SELV_READ_WRITE},
    [SELV_ACCUMULATE] = {[SELV_ACCUMULATE] = SELV_ACCUMULATE},
};

START_TEST(two_arguments_on_the_same_bytes_merge_alike_in_either_order)
{
    for (selv_mode a = SELV_READ; a <= SELV_ACCUMULATE; a++)
        for (selv_mode b = a; b <= SELV_ACCUMULATE; b++)
            for (int swapped = 0; swapped < 2; swapped++) {
                reset();
                add(1, 0, 8, swapped, a, 0);
                add(1, 0, 8, !swapped, b, 0);
                normalise(1);
                expect(0, 0, 8, 0, rows[a][b], SELVI_ACCESS_MERGED);
            }
}
END_TEST

START_TEST(partial_overlap_is_split_exactly)
{
    add(1, 0, 16, 0, SELV_READ, 0);
    add(1, 8, 24, 1, SELV_WRITE, 0);
    normalise(3);
    expect(0, 0, 8, 0, SELV_READ, 0);
    expect(1, 8, 16, 0, SELV_READ_WRITE, SELVI_ACCESS_MERGED);
    expect(2, 16, 24, 1, SELV_WRITE, 0);
}
END_TEST

START_TEST(a_range_within_another_is_cut_out_of_it)
{
    add(1, 8, 16, 1, SELV_ACCUMULATE, 0);
    add(1, 0, 24, 0, SELV_ACCUMULATE, 0);
    normalise(3);
    expect(0, 0, 8, 0, SELV_ACCUMULATE, 0);
    expect(1, 8, 16, 0, SELV_ACCUMULATE, SELVI_ACCESS_MERGED);
    expect(2, 16, 24, 0, SELV_ACCUMULATE, 0);
}
END_TEST

START_TEST(neighbours_of_one_argument_become_one_and_of_two_arguments_do_not)
{
    add(1, 8, 16, 0, SELV_READ, 0);
    add(1, 0, 8, 0, SELV_READ, 0);
    add(1, 16, 24, 1, SELV_READ, 0);
    normalise(2);
    expect(0, 0, 16, 0, SELV_READ, 0);
    expect(1, 16, 24, 1, SELV_READ, 0);
}
END_TEST

START_TEST(a_promise_to_overwrite_survives_only_where_all_give_it_and_none_reads)
{
    add(1, 0, 24, 0, SELV_WRITE, SELVI_ACCESS_OVERWRITES);
    add(1, 8, 16, 1, SELV_WRITE, SELVI_ACCESS_OVERWRITES);
    add(1, 16, 24, 2, SELV_READ, 0);
    normalise(3);
    expect(0, 0, 8, 0, SELV_WRITE, SELVI_ACCESS_OVERWRITES);
    expect(1, 8, 16, 0, SELV_WRITE, SELVI_ACCESS_OVERWRITES | SELVI_ACCESS_MERGED);
    expect(2, 16, 24, 0, SELV_READ_WRITE, SELVI_ACCESS_MERGED);
    reset();
    add(1, 0, 8, 0, SELV_WRITE, SELVI_ACCESS_OVERWRITES);
    add(1, 0, 8, 1, SELV_WRITE, 0);
    normalise(1);
    expect(0, 0, 8, 0, SELV_WRITE, SELVI_ACCESS_MERGED);
}
END_TEST

START_TEST(an_assumption_survives_only_where_all_assume)
{
    add(1, 0, 8, 0, SELV_READ_WRITE, SELVI_ACCESS_ASSUMED);
    add(1, 0, 8, 1, SELV_READ_WRITE, SELVI_ACCESS_ASSUMED);
    normalise(1);
    expect(0, 0, 8, 0, SELV_READ_WRITE, SELVI_ACCESS_ASSUMED | SELVI_ACCESS_MERGED);
    reset();
    add(1, 0, 8, 0, SELV_READ_WRITE, SELVI_ACCESS_ASSUMED);
    add(1, 0, 8, 1, SELV_READ, 0);
    normalise(1);
    expect(0, 0, 8, 0, SELV_READ_WRITE, SELVI_ACCESS_MERGED);
}
END_TEST

START_TEST(a_sub_buffer_is_one_only_as_long_as_its_range_is_whole)
{
    add(1, 0, 8, 0, SELV_WRITE, SELVI_ACCESS_SUB_BUFFER);
    add(1, 8, 16, 0, SELV_WRITE, SELVI_ACCESS_SUB_BUFFER);
    normalise(2);
    expect(0, 0, 8, 0, SELV_WRITE, SELVI_ACCESS_SUB_BUFFER);
    expect(1, 8, 16, 0, SELV_WRITE, SELVI_ACCESS_SUB_BUFFER);
    reset();
    add(1, 0, 16, 0, SELV_WRITE, SELVI_ACCESS_SUB_BUFFER);
    add(1, 8, 24, 1, SELV_WRITE, SELVI_ACCESS_SUB_BUFFER);
    normalise(3);
    expect(0, 0, 8, 0, SELV_WRITE, 0);
    expect(1, 8, 16, 0, SELV_WRITE, SELVI_ACCESS_MERGED);
    expect(2, 16, 24, 1, SELV_WRITE, 0);
    reset();
    add(1, 0, 16, 0, SELV_READ, SELVI_ACCESS_SUB_BUFFER);
    add(1, 0, 16, 1, SELV_READ, SELVI_ACCESS_SUB_BUFFER);
    normalise(1);
    expect(0, 0, 16, 0, SELV_READ, SELVI_ACCESS_SUB_BUFFER | SELVI_ACCESS_MERGED);
}
END_TEST

static void add_rows(uint64_t begin, uint64_t bytes, uint64_t rows, uint64_t pitch, selv_status expected)
{
    selvi_access a = {.allocation = 1, .begin = begin, .mode = SELV_READ};
    ck_assert_int_eq(selvi_accesses_add_rows(&list, a, bytes, rows, pitch), expected);
}

START_TEST(rows_are_a_set_of_ranges_and_not_their_hull)
{
    add_rows(100, 4, 3, 10, SELV_OK);
    ck_assert_uint_eq(list.count, 3);
    expect(0, 100, 104, 0, SELV_READ, 0);
    expect(1, 110, 114, 0, SELV_READ, 0);
    expect(2, 120, 124, 0, SELV_READ, 0);
}
END_TEST

START_TEST(rows_that_touch_are_one_exact_range)
{
    add_rows(0, 8, 1000, 8, SELV_OK);
    ck_assert_uint_eq(list.count, 1);
    expect(0, 0, 8000, 0, SELV_READ, 0);
}
END_TEST

START_TEST(rows_beyond_the_bound_become_their_hull_and_say_so)
{
    add_rows(0, 4, SELVI_MOST_ROWS, 8, SELV_OK);
    ck_assert_uint_eq(list.count, SELVI_MOST_ROWS);
    reset();
    add_rows(0, 4, SELVI_MOST_ROWS + 1, 8, SELV_OK);
    ck_assert_uint_eq(list.count, 1);
    expect(0, 0, SELVI_MOST_ROWS * 8 + 4, 0, SELV_READ, SELVI_ACCESS_HULL);
}
END_TEST

START_TEST(rows_of_nothing_or_beyond_the_address_space_are_refused)
{
    add_rows(0, 0, 3, 8, SELV_INVALID);
    add_rows(0, 8, 0, 8, SELV_INVALID);
    add_rows(0, 8, 3, UINT64_MAX / 2 + 1, SELV_OUT_OF_RANGE);
    add_rows(UINT64_MAX - 7, 8, 1, 8, SELV_OUT_OF_RANGE);
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(two_interleaved_columns_stay_disjoint)
{
    add_rows(0, 4, 200, 8, SELV_OK);
    selvi_access other = {.allocation = 1, .begin = 4, .argument = 1, .mode = SELV_WRITE};
    ck_assert_int_eq(selvi_accesses_add_rows(&list, other, 4, 200, 8), SELV_OK);
    normalise(400);
    for (size_t i = 0; i < 400; i++)
        expect(i, 4 * i, 4 * i + 4, i % 2, i % 2 ? SELV_WRITE : SELV_READ, 0);
}
END_TEST

START_TEST(modes_write_as_their_names_say)
{
    static const bool writes[] = {false, false, true, true, true};
    for (int m = SELV_NONE; m <= SELV_ACCUMULATE; m++)
        ck_assert_int_eq(selvi_mode_writes((selv_mode)m), writes[m]);
}
END_TEST

enum { BYTES = 20, ALLOCATIONS = 2 };

/* What the list says of one byte: 0, or its merged mode and smallest argument. */
static unsigned said_of(const selvi_accesses *l, uint32_t allocation, uint64_t byte)
{
    unsigned mode = SELV_NONE, argument = 99;
    for (size_t i = 0; i < l->count; i++) {
        const selvi_access *a = &l->at[i];
        if (a->allocation != allocation || byte < a->begin || byte >= a->end || a->mode == SELV_NONE)
            continue;
        mode = mode == SELV_NONE || mode == a->mode ? a->mode : SELV_READ_WRITE;
        argument = a->argument < argument ? a->argument : argument;
    }
    return mode ? mode * 100 + argument : 0;
}

static void check_disjoint_and_sorted(void)
{
    for (size_t i = 0; i < list.count; i++) {
        const selvi_access *a = &list.at[i], *before = i ? a - 1 : NULL;
        ck_assert_uint_lt(a->begin, a->end);
        if (before)
            ck_assert(before->allocation < a->allocation ||
                      (before->allocation == a->allocation && before->end <= a->begin));
    }
}

static void random_round(unsigned *seed)
{
    unsigned before[ALLOCATIONS][BYTES];
    reset();
    for (int n = rand_r(seed) % 24; n > 0; n--) {
        uint64_t begin = rand_r(seed) % BYTES, end = begin + 1 + rand_r(seed) % (BYTES - begin);
        add(rand_r(seed) % ALLOCATIONS, begin, end, rand_r(seed) % 4, rand_r(seed) % 5, 0);
    }
    for (uint32_t a = 0; a < ALLOCATIONS; a++)
        for (uint64_t b = 0; b < BYTES; b++)
            before[a][b] = said_of(&list, a, b);
    ck_assert_int_eq(selvi_accesses_normalise(&list), SELV_OK);
    check_disjoint_and_sorted();
    for (uint32_t a = 0; a < ALLOCATIONS; a++)
        for (uint64_t b = 0; b < BYTES; b++)
            ck_assert_uint_eq(said_of(&list, a, b), before[a][b]);
}

START_TEST(normalising_changes_no_byte_in_random_lists)
{
    const char *given = getenv("TEST_SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    printf("TEST_SEED=%u\n", seed);
    fflush(stdout);
    for (int round = 0; round < 20000; round++)
        random_round(&seed);
}
END_TEST

static void add_more_tests(TCase *t)
{
    tcase_add_test(t, rows_are_a_set_of_ranges_and_not_their_hull);
    tcase_add_test(t, rows_that_touch_are_one_exact_range);
    tcase_add_test(t, rows_beyond_the_bound_become_their_hull_and_say_so);
    tcase_add_test(t, rows_of_nothing_or_beyond_the_address_space_are_refused);
    tcase_add_test(t, two_interleaved_columns_stay_disjoint);
    tcase_add_test(t, modes_write_as_their_names_say);
    tcase_add_test(t, normalising_changes_no_byte_in_random_lists);
}

int main(void)
{
    Suite *s = suite_create("tracking/access");
    TCase *t = tcase_create("access");
    tcase_add_checked_fixture(t, NULL, release);
    tcase_add_test(t, an_access_to_no_bytes_is_refused);
    tcase_add_test(t, accesses_are_sorted_by_allocation_and_begin);
    tcase_add_test(t, equal_bytes_of_two_allocations_or_generations_are_not_merged);
    tcase_add_test(t, an_access_of_mode_none_is_dropped);
    tcase_add_test(t, two_arguments_on_the_same_bytes_merge_alike_in_either_order);
    tcase_add_test(t, partial_overlap_is_split_exactly);
    tcase_add_test(t, a_range_within_another_is_cut_out_of_it);
    tcase_add_test(t, neighbours_of_one_argument_become_one_and_of_two_arguments_do_not);
    tcase_add_test(t, a_promise_to_overwrite_survives_only_where_all_give_it_and_none_reads);
    tcase_add_test(t, an_assumption_survives_only_where_all_assume);
    tcase_add_test(t, a_sub_buffer_is_one_only_as_long_as_its_range_is_whole);
    add_more_tests(t);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
