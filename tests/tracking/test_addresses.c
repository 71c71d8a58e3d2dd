#include "tracking/addresses.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static selvi_addresses m;
static selvi_address_range found;

static void release(void)
{
    selvi_addresses_destroy(&m);
}

static void add(uint64_t begin, uint64_t end, uint64_t value, selv_status expected)
{
    ck_assert_int_eq(selvi_addresses_add(&m, (selvi_address_range){begin, end, value}), expected);
    selvi_addresses_check(&m);
}

START_TEST(an_interior_address_is_found_and_one_past_the_end_is_not)
{
    add(100, 200, 7, SELV_OK);
    ck_assert(selvi_addresses_find(&m, 100, &found));
    ck_assert(selvi_addresses_find(&m, 150, &found));
    ck_assert(selvi_addresses_find(&m, 199, &found));
    ck_assert_uint_eq(found.begin, 100);
    ck_assert_uint_eq(found.end, 200);
    ck_assert_uint_eq(found.value, 7);
    ck_assert(!selvi_addresses_find(&m, 99, &found));
    ck_assert(!selvi_addresses_find(&m, 200, &found));
}
END_TEST

START_TEST(touching_ranges_are_told_apart_at_their_common_address)
{
    add(100, 200, 1, SELV_OK);
    add(200, 300, 2, SELV_OK);
    ck_assert(selvi_addresses_find(&m, 199, &found) && found.value == 1);
    ck_assert(selvi_addresses_find(&m, 200, &found) && found.value == 2);
    ck_assert_uint_eq(m.count, 2);
}
END_TEST

START_TEST(an_overlapping_range_is_refused_and_both_are_named)
{
    static const uint64_t bad[][2] = {{0x100, 0x200}, {0x80, 0x101}, {0x1ff, 0x300}, {0x180, 0x190}, {0x80, 0x300}};
    add(0x100, 0x200, 1, SELV_OK);
    for (size_t i = 0; i < 5; i++)
        add(bad[i][0], bad[i][1], 2, SELV_INVALID);
    ck_assert_ptr_nonnull(strstr(selv_error(), "[0x80, 0x300)"));
    ck_assert_ptr_nonnull(strstr(selv_error(), "[0x100, 0x200)"));
    ck_assert_uint_eq(m.count, 1);
    add(0x80, 0x100, 3, SELV_OK);
}
END_TEST

START_TEST(an_empty_range_is_refused)
{
    add(5, 5, 1, SELV_INVALID);
    add(6, 5, 1, SELV_INVALID);
    ck_assert_uint_eq(m.count, 0);
}
END_TEST

START_TEST(the_first_range_within_some_bytes_is_the_one_with_the_lowest_address)
{
    add(100, 200, 1, SELV_OK);
    add(300, 400, 2, SELV_OK);
    ck_assert(selvi_addresses_first_in(&m, 0, 1000, &found) && found.value == 1);
    ck_assert(selvi_addresses_first_in(&m, 199, 301, &found) && found.value == 1);
    ck_assert(selvi_addresses_first_in(&m, 200, 301, &found) && found.value == 2);
    ck_assert(!selvi_addresses_first_in(&m, 200, 300, &found));
    ck_assert(!selvi_addresses_first_in(&m, 400, 1000, &found));
    ck_assert(!selvi_addresses_first_in(&m, 0, 100, &found));
    ck_assert(!selvi_addresses_first_in(&m, 150, 150, &found));
}
END_TEST

START_TEST(a_range_is_removed_by_its_first_address_only)
{
    add(100, 200, 1, SELV_OK);
    ck_assert(!selvi_addresses_remove(&m, 150, &found));
    ck_assert(selvi_addresses_remove(&m, 100, &found));
    ck_assert_uint_eq(found.end, 200);
    ck_assert(!selvi_addresses_find(&m, 150, &found));
    ck_assert(!selvi_addresses_remove(&m, 100, NULL));
    ck_assert_uint_eq(m.count, 0);
    add(150, 250, 2, SELV_OK);
}
END_TEST

START_TEST(the_top_of_the_address_space_is_an_address_like_others)
{
    add(UINT64_MAX - 8, UINT64_MAX, 1, SELV_OK);
    ck_assert(selvi_addresses_find(&m, UINT64_MAX - 1, &found));
    ck_assert(!selvi_addresses_find(&m, UINT64_MAX, &found));
}
END_TEST

enum { SPACE = 64 };

static uint64_t owner[SPACE]; /* the value that holds this address, or 0 */

static bool is_free(uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++)
        if (owner[i])
            return false;
    return true;
}

static void set(uint64_t begin, uint64_t end, uint64_t value)
{
    for (uint64_t i = begin; i < end; i++)
        owner[i] = value;
}

static void compare_all(void)
{
    for (uint64_t i = 0; i < SPACE; i++) {
        bool known = selvi_addresses_find(&m, i, &found);
        ck_assert_uint_eq(known ? found.value : 0, owner[i]);
    }
}

START_TEST(random_ranges_are_found_as_in_an_array)
{
    const char *given = getenv("TEST_SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    printf("TEST_SEED=%u\n", seed);
    fflush(stdout);
    for (uint64_t step = 1; step < 20000; step++) {
        uint64_t begin = rand_r(&seed) % SPACE, end = begin + 1 + rand_r(&seed) % 8;
        if (rand_r(&seed) % 3 == 0) {
            bool removed = selvi_addresses_remove(&m, begin, &found);
            ck_assert_int_eq(removed, owner[begin] && (!begin || owner[begin - 1] != owner[begin]));
            if (removed)
                set(found.begin, found.end, 0);
        } else if (end <= SPACE) {
            add(begin, end, step, is_free(begin, end) ? SELV_OK : SELV_INVALID);
            if (is_free(begin, end))
                set(begin, end, step);
        }
        compare_all();
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tracking/addresses");
    TCase *t = tcase_create("addresses");
    tcase_add_checked_fixture(t, NULL, release);
    tcase_add_test(t, an_interior_address_is_found_and_one_past_the_end_is_not);
    tcase_add_test(t, touching_ranges_are_told_apart_at_their_common_address);
    tcase_add_test(t, an_overlapping_range_is_refused_and_both_are_named);
    tcase_add_test(t, an_empty_range_is_refused);
    tcase_add_test(t, the_first_range_within_some_bytes_is_the_one_with_the_lowest_address);
    tcase_add_test(t, a_range_is_removed_by_its_first_address_only);
    tcase_add_test(t, the_top_of_the_address_space_is_an_address_like_others);
    tcase_add_test(t, random_ranges_are_found_as_in_an_array);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
