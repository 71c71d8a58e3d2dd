#include "base/scarce.h"
#include "base/suite.h"

#include "base/table.h"

#define ROWS 5000u

static selvi_table t;

static void start_empty(void)
{
    t = (selvi_table){0};
}

static void destroy(void)
{
    selvi_table_destroy(&t);
}

/* Keys as handles are: far apart, with equal low bits. */
static uint64_t key_of(uint64_t i)
{
    return i * 0x1000 + 0x7f0000000000;
}

static void put_rows(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        ck_assert_int_eq(selvi_table_put(&t, key_of(i), i), SELV_OK);
}

static void expect_rows(uint64_t from, uint64_t end)
{
    for (uint64_t i = from; i < end; i++) {
        uint64_t value = UINT64_MAX;
        ck_assert(selvi_table_get(&t, key_of(i), &value));
        ck_assert_uint_eq(value, i);
    }
}

START_TEST(an_empty_table_holds_nothing)
{
    uint64_t value = 7;
    ck_assert_uint_eq(selvi_table_count(&t), 0);
    ck_assert(!selvi_table_get(&t, 0, &value));
    ck_assert(!selvi_table_remove(&t, 0));
    ck_assert_uint_eq(value, 7);
}
END_TEST

START_TEST(every_key_gives_its_own_value)
{
    put_rows(ROWS);
    ck_assert_uint_eq(selvi_table_count(&t), ROWS);
    expect_rows(0, ROWS);
}
END_TEST

START_TEST(all_64_bits_of_a_key_count)
{
    static const uint64_t keys[] = {0, 1, UINT64_MAX, 1ull << 32, 1ull << 63, (1ull << 32) + 1};
    for (uint64_t i = 0; i < 6; i++)
        ck_assert_int_eq(selvi_table_put(&t, keys[i], i), SELV_OK);
    ck_assert_uint_eq(selvi_table_count(&t), 6);
    for (uint64_t i = 0; i < 6; i++) {
        uint64_t value = UINT64_MAX;
        ck_assert(selvi_table_get(&t, keys[i], &value));
        ck_assert_uint_eq(value, i);
    }
}
END_TEST

START_TEST(putting_a_key_again_replaces_its_value)
{
    uint64_t value = 0;
    selvi_table_put(&t, 5, 1);
    selvi_table_put(&t, 5, 2);
    ck_assert_uint_eq(selvi_table_count(&t), 1);
    ck_assert(selvi_table_get(&t, 5, &value));
    ck_assert_uint_eq(value, 2);
}
END_TEST

START_TEST(a_removed_key_is_gone_and_the_others_stay)
{
    uint64_t value = 0;
    put_rows(ROWS);
    for (uint64_t i = 0; i < ROWS / 2; i++)
        ck_assert(selvi_table_remove(&t, key_of(i)));
    ck_assert_uint_eq(selvi_table_count(&t), ROWS - ROWS / 2);
    ck_assert(!selvi_table_get(&t, key_of(0), &value));
    ck_assert(!selvi_table_remove(&t, key_of(0)));
    expect_rows(ROWS / 2, ROWS);
}
END_TEST

START_TEST(a_destroyed_table_is_an_empty_one)
{
    put_rows(10);
    selvi_table_destroy(&t);
    ck_assert_uint_eq(selvi_table_count(&t), 0);
    put_rows(10);
    expect_rows(0, 10);
}
END_TEST

/* Every row is put with each number of allocations that is too few for it, so that every one of them fails once: those
   of the row, of the table itself, and of the room that it grows into. */
START_TEST(a_row_that_there_is_no_memory_for_leaves_the_table_as_it_was)
{
    uint64_t refused = 0;
    for (uint64_t i = 0; i < 500; i++) {
        selv_status st = CL_OUT_OF_HOST_MEMORY;
        for (int granted = 0; st; granted++) {
            uint64_t value;
            scarce_left = granted;
            st = selvi_table_put(&t, key_of(i), i);
            scarce_left = -1;
            if (!st)
                break;
            refused++;
            ck_assert_int_eq(st, CL_OUT_OF_HOST_MEMORY);
            ck_assert_uint_eq(selvi_table_count(&t), i);
            ck_assert(!selvi_table_get(&t, key_of(i), &value));
        }
        expect_rows(0, i + 1);
    }
    ck_assert_uint_gt(refused, 500); /* once for the row alone, and more often where the table grew */
}
END_TEST

START_TEST(replacing_a_value_needs_no_memory)
{
    uint64_t value = 0;
    put_rows(1);
    scarce_left = 0;
    selv_status st = selvi_table_put(&t, key_of(0), 9);
    scarce_left = -1;
    ck_assert_int_eq(st, SELV_OK);
    ck_assert(selvi_table_get(&t, key_of(0), &value));
    ck_assert_uint_eq(value, 9);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("table");
    tcase_add_checked_fixture(tests, start_empty, destroy);
    tcase_add_test(tests, an_empty_table_holds_nothing);
    tcase_add_test(tests, every_key_gives_its_own_value);
    tcase_add_test(tests, all_64_bits_of_a_key_count);
    tcase_add_test(tests, putting_a_key_again_replaces_its_value);
    tcase_add_test(tests, a_removed_key_is_gone_and_the_others_stay);
    tcase_add_test(tests, a_destroyed_table_is_an_empty_one);
    tcase_add_test(tests, a_row_that_there_is_no_memory_for_leaves_the_table_as_it_was);
    tcase_add_test(tests, replacing_a_value_needs_no_memory);
    return run_case(tests);
}
