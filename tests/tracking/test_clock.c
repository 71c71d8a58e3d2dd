#include "tracking/clock.h"

#include <check.h>
#include <stdlib.h>

static selvi_epoch at(uint32_t lane, uint64_t position)
{
    return (selvi_epoch){.lane = lane, .position = position};
}

static void raise_to(selvi_clock *c, uint32_t lane, uint64_t position)
{
    ck_assert_int_eq(selvi_clock_reserve(c, 1), SELV_OK);
    selvi_clock_raise(c, at(lane, position));
    selvi_clock_check(c);
}

START_TEST(an_epoch_takes_twelve_bytes)
{
    ck_assert_uint_eq(sizeof(selvi_epoch), 12);
    ck_assert_uint_le(sizeof(selvi_clock), 24);
}
END_TEST

START_TEST(a_zeroed_clock_is_empty_and_may_be_destroyed)
{
    selvi_clock c = {0};
    ck_assert_uint_eq(selvi_clock_get(&c, 0), 0);
    ck_assert(!selvi_clock_covers(&c, at(0, 1)));
    selvi_clock_check(&c);
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(a_clock_covers_the_positions_up_to_its_own_and_no_later_one)
{
    selvi_clock c = {0};
    raise_to(&c, 3, 7);
    ck_assert(selvi_clock_covers(&c, at(3, 7)));
    ck_assert(selvi_clock_covers(&c, at(3, 1)));
    ck_assert(!selvi_clock_covers(&c, at(3, 8)));
    ck_assert(!selvi_clock_covers(&c, at(2, 1)));
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(a_clock_never_goes_back)
{
    selvi_clock c = {0};
    raise_to(&c, 1, 9);
    raise_to(&c, 1, 4);
    ck_assert_uint_eq(selvi_clock_get(&c, 1), 9);
    ck_assert_uint_eq(c.count, 1);
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(one_entry_is_kept_inside_without_a_block)
{
    selvi_clock c = {0};
    raise_to(&c, 5, 1);
    ck_assert_uint_eq(c.capacity, 0);
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(entries_are_sorted_by_lane_in_whatever_order_they_come)
{
    static const uint32_t lanes[] = {7, 0, 1000000, 2, 9, 1, 8};
    selvi_clock c = {0};
    for (size_t i = 0; i < 7; i++)
        raise_to(&c, lanes[i], i + 1);
    ck_assert_uint_eq(c.count, 7);
    for (size_t i = 0; i < 7; i++)
        ck_assert_uint_eq(selvi_clock_get(&c, lanes[i]), i + 1);
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(one_reserve_makes_room_for_several_lanes)
{
    selvi_clock c = {0};
    ck_assert_int_eq(selvi_clock_reserve(&c, 9), SELV_OK);
    for (uint32_t lane = 9; lane-- > 0;)
        selvi_clock_raise(&c, at(lane, 2));
    selvi_clock_check(&c);
    ck_assert_uint_eq(c.count, 9);
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(a_join_is_the_maximum_of_both)
{
    selvi_clock a = {0}, b = {0};
    raise_to(&a, 0, 5), raise_to(&a, 2, 1);
    raise_to(&b, 0, 3), raise_to(&b, 1, 4), raise_to(&b, 2, 6);
    ck_assert_int_eq(selvi_clock_join(&a, &b), SELV_OK);
    selvi_clock_check(&a);
    ck_assert_uint_eq(selvi_clock_get(&a, 0), 5);
    ck_assert_uint_eq(selvi_clock_get(&a, 1), 4);
    ck_assert_uint_eq(selvi_clock_get(&a, 2), 6);
    ck_assert_uint_eq(selvi_clock_get(&b, 0), 3);
    selvi_clock_destroy(&a);
    selvi_clock_destroy(&b);
}
END_TEST

START_TEST(a_copy_is_equal_and_independent)
{
    selvi_clock a = {0}, b = {0};
    raise_to(&a, 0, 5), raise_to(&a, 2, 1), raise_to(&a, 3, 1);
    raise_to(&b, 8, 8);
    ck_assert_int_eq(selvi_clock_copy(&b, &a), SELV_OK);
    ck_assert(selvi_clock_equal(&a, &b));
    raise_to(&b, 2, 2);
    ck_assert(!selvi_clock_equal(&a, &b));
    ck_assert_uint_eq(selvi_clock_get(&a, 2), 1);
    selvi_clock_destroy(&a);
    selvi_clock_destroy(&b);
}
END_TEST

START_TEST(clocks_with_other_lanes_or_positions_are_not_equal)
{
    selvi_clock a = {0}, b = {0};
    ck_assert(selvi_clock_equal(&a, &b));
    raise_to(&a, 0, 5);
    ck_assert(!selvi_clock_equal(&a, &b));
    raise_to(&b, 1, 5);
    ck_assert(!selvi_clock_equal(&a, &b));
    selvi_clock_clear(&b);
    raise_to(&b, 0, 5);
    ck_assert(selvi_clock_equal(&a, &b));
    selvi_clock_destroy(&a);
    selvi_clock_destroy(&b);
}
END_TEST

START_TEST(pruning_forgets_what_is_complete_and_keeps_the_rest)
{
    const uint64_t complete[] = {5, 5};
    selvi_horizon h = {complete, 2};
    selvi_clock c = {0};
    raise_to(&c, 0, 5), raise_to(&c, 1, 6), raise_to(&c, 2, 1);
    selvi_clock_prune(&c, &h);
    selvi_clock_check(&c);
    ck_assert_uint_eq(c.count, 2);
    ck_assert_uint_eq(selvi_clock_get(&c, 0), 0);
    ck_assert_uint_eq(selvi_clock_get(&c, 1), 6);
    ck_assert_uint_eq(selvi_clock_get(&c, 2), 1);
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(without_a_horizon_nothing_is_complete)
{
    selvi_clock c = {0};
    raise_to(&c, 0, 1);
    selvi_clock_prune(&c, NULL);
    ck_assert_uint_eq(c.count, 1);
    ck_assert(!selvi_horizon_covers(NULL, at(0, 1)));
    selvi_clock_destroy(&c);
}
END_TEST

START_TEST(a_cleared_clock_keeps_its_block_and_its_use)
{
    selvi_clock c = {0};
    raise_to(&c, 0, 1), raise_to(&c, 1, 1);
    uint32_t capacity = c.capacity;
    selvi_clock_clear(&c);
    ck_assert_uint_eq(selvi_clock_get(&c, 1), 0);
    ck_assert_uint_eq(c.capacity, capacity);
    raise_to(&c, 1, 1);
    ck_assert_uint_eq(selvi_clock_get(&c, 1), 1);
    selvi_clock_destroy(&c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tracking/clock");
    TCase *t = tcase_create("clock");
    tcase_add_test(t, an_epoch_takes_twelve_bytes);
    tcase_add_test(t, a_zeroed_clock_is_empty_and_may_be_destroyed);
    tcase_add_test(t, a_clock_covers_the_positions_up_to_its_own_and_no_later_one);
    tcase_add_test(t, a_clock_never_goes_back);
    tcase_add_test(t, one_entry_is_kept_inside_without_a_block);
    tcase_add_test(t, entries_are_sorted_by_lane_in_whatever_order_they_come);
    tcase_add_test(t, one_reserve_makes_room_for_several_lanes);
    tcase_add_test(t, a_join_is_the_maximum_of_both);
    tcase_add_test(t, a_copy_is_equal_and_independent);
    tcase_add_test(t, clocks_with_other_lanes_or_positions_are_not_equal);
    tcase_add_test(t, pruning_forgets_what_is_complete_and_keeps_the_rest);
    tcase_add_test(t, without_a_horizon_nothing_is_complete);
    tcase_add_test(t, a_cleared_clock_keeps_its_block_and_its_use);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
