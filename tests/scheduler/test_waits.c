/* Which waits are needed: by hand, and against brute force on random histories. No queue and no event anywhere. */
#include "scheduler/history.h"
#include "scheduler/support.h"

static history h;

static void setup(void)
{
    open_history(&h, 4);
}

static void teardown(void)
{
    close_history(&h);
}

static size_t minimal(uint32_t lane, selvi_epoch *candidates, size_t count)
{
    return minimal_waits(&h, lane_of(&h, lane), candidates, count);
}

static void assert_epoch(selvi_epoch got, selvi_epoch expected)
{
    ck_assert_uint_eq(got.lane, expected.lane);
    ck_assert_uint_eq(got.position, expected.position);
}

START_TEST(a_task_without_producers_waits_for_nothing)
{
    ck_assert_uint_eq(minimal(1, NULL, 0), 0);
}
END_TEST

START_TEST(a_producer_on_the_same_lane_needs_no_wait)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0);
    put(&h, lane_of(&h, 1), NULL, 0);
    ck_assert_uint_eq(minimal(1, &a, 1), 0);
}
END_TEST

START_TEST(a_producer_on_another_lane_needs_a_wait)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0), got = a;
    ck_assert_uint_eq(minimal(2, &got, 1), 1);
    assert_epoch(got, a);
}
END_TEST

START_TEST(what_the_lane_has_waited_for_before_needs_no_second_wait)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0);
    put(&h, lane_of(&h, 2), &a, 1);
    ck_assert_uint_eq(minimal(2, &a, 1), 0);
    ck_assert_uint_eq(minimal(3, &a, 1), 1);
}
END_TEST

START_TEST(a_later_position_than_the_lane_has_waited_for_needs_a_wait)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0);
    put(&h, lane_of(&h, 2), &a, 1);
    selvi_epoch later = put(&h, lane_of(&h, 1), NULL, 0);
    ck_assert_uint_eq(minimal(2, &later, 1), 1);
}
END_TEST

START_TEST(a_wait_that_another_wait_implies_is_dropped_wherever_it_stands)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0), b = put(&h, lane_of(&h, 2), &a, 1);
    selvi_epoch forth[2] = {a, b}, back[2] = {b, a};
    ck_assert_uint_eq(minimal(3, forth, 2), 1);
    assert_epoch(forth[0], b);
    ck_assert_uint_eq(minimal(3, back, 2), 1);
    assert_epoch(back[0], b);
}
END_TEST

START_TEST(a_wait_is_implied_over_two_lanes)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0), b = put(&h, lane_of(&h, 2), &a, 1);
    selvi_epoch c = put(&h, lane_of(&h, 3), &b, 1), got[2] = {a, c};
    ck_assert_uint_eq(minimal(4, got, 2), 1);
    assert_epoch(got[0], c);
}
END_TEST

/*    lane 1   a                 c needs a and b. Lane 2 has waited for a by now, but only behind b: an order that
 *    lane 2   b --- (waits a)   waiting for b does not give.                                                       */
START_TEST(a_wait_implies_what_came_before_its_position_and_not_what_its_lane_has_waited_for_since)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0), b = put(&h, lane_of(&h, 2), NULL, 0);
    put(&h, lane_of(&h, 2), &a, 1);
    selvi_epoch forth[2] = {a, b}, back[2] = {b, a};
    ck_assert_uint_eq(minimal(3, forth, 2), 2);
    ck_assert_uint_eq(minimal(3, back, 2), 2);
    selvi_epoch tail[2] = {a, tail_of(lane_of(&h, 2))};
    ck_assert_uint_eq(minimal(3, tail, 2), 1);
}
END_TEST

START_TEST(the_clock_of_a_task_is_that_of_its_waits_positions_too)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0), b = put(&h, lane_of(&h, 2), NULL, 0);
    put(&h, lane_of(&h, 2), &a, 1);
    put(&h, lane_of(&h, 3), &b, 1);
    ck_assert_uint_eq(minimal(3, &a, 1), 1);
    ck_assert_uint_eq(minimal(3, &b, 1), 0);
}
END_TEST

START_TEST(candidates_that_others_imply_are_kept_behind_those_that_are_needed)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0), b = put(&h, lane_of(&h, 2), &a, 1);
    selvi_epoch c = put(&h, lane_of(&h, 3), NULL, 0), got[3] = {a, b, c};
    ck_assert_uint_eq(selvi_waits_needed(&h.lanes, got, 3), 2);
    assert_epoch(got[0], b);
    assert_epoch(got[1], c);
    assert_epoch(got[2], a);
}
END_TEST

START_TEST(snapshots_stay_what_they_were_when_the_ring_of_a_lane_grows)
{
    selvi_epoch a = put(&h, lane_of(&h, 1), NULL, 0), b = put(&h, lane_of(&h, 2), &a, 1);
    for (int i = 0; i < 100; i++)
        put(&h, lane_of(&h, 2), NULL, 0);
    selvi_epoch got[2] = {a, b};
    ck_assert_uint_eq(minimal(3, got, 2), 1);
    assert_epoch(got[0], b);
}
END_TEST

/* --- random histories --- */

/* One task of each lane at most, none that has ended, in any order of the lanes. */
static size_t random_candidates(unsigned *seed, selvi_epoch *out)
{
    size_t count = 0, from = below(seed, 4);
    for (size_t i = 0; i < 4; i++) {
        const selvi_lane *lane = lane_of(&h, (uint32_t)((from + i) % 4) + 1);
        if (selvi_lane_backlog(lane) && below(seed, 3))
            out[count++] =
                (selvi_epoch){lane->done + 1 + below(seed, (unsigned)selvi_lane_backlog(lane)), lane->number};
    }
    return count;
}

/* Needed: not at or before the lane's tail, nor before another candidate. No two candidates come before each other, so
   there is one minimal set. */
static bool is_needed(const selvi_lane *lane, const selvi_epoch *candidates, size_t count, size_t which)
{
    size_t task = task_at(&h, candidates[which]);
    bool needed = !lane->tail || !at_or_before(&h, task, task_at(&h, tail_of(lane)));
    for (size_t i = 0; i < count; i++)
        needed &= !h.tasks[task_at(&h, candidates[i])].before[task];
    return needed;
}

static void assert_minimal(const selvi_lane *lane, const selvi_epoch *candidates, size_t count)
{
    selvi_epoch got[4];
    size_t expected = 0;
    memcpy(got, candidates, sizeof got);
    size_t left = minimal_waits(&h, lane, got, count);
    for (size_t i = 0; i < count; i++)
        if (is_needed(lane, candidates, count, i)) {
            ck_assert_uint_lt(expected, left);
            assert_epoch(got[expected++], candidates[i]);
        }
    ck_assert_uint_eq(left, expected);
}

/* The clock that the task was given says of every task in flight whether it comes before. */
static void assert_clock_is_true(selvi_epoch e)
{
    const selvi_clock *before = &selvi_lane_flight(lane_of(&h, e.lane), e.position)->before;
    size_t task = task_at(&h, e);
    for (size_t i = 0; i < h.count; i++)
        if (!h.tasks[i].done)
            ck_assert_int_eq(selvi_clock_covers(before, h.tasks[i].epoch), h.tasks[task].before[i]);
}

static void random_step(unsigned *seed)
{
    selvi_epoch candidates[4] = {{0, 0}};
    selvi_lane *lane = lane_of(&h, below(seed, 4) + 1);
    size_t count = random_candidates(seed, candidates);
    assert_minimal(lane, candidates, count);
    assert_clock_is_true(put_behind(&h, lane, candidates, count));
    while (below(seed, 2))
        retire_oldest(&h, lane_of(&h, below(seed, 4) + 1));
}

START_TEST(the_waits_of_random_histories_are_those_that_brute_force_finds)
{
    size_t waits = 0, retired = 0;
    unsigned seed = test_seed();
    for (int round = 0; round < 30; round++) {
        close_history(&h);
        open_history(&h, 4);
        for (int i = 0; i < MOST_TASKS; i++)
            random_step(&seed);
        waits += h.waits;
        for (size_t i = 0; i < h.count; i++)
            retired += h.tasks[i].done;
    }
    ck_assert_uint_gt(waits, 30 * 50); /* the histories are worth the name */
    ck_assert_uint_gt(retired, 30 * 100);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("waits");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_task_without_producers_waits_for_nothing);
    tcase_add_test(c, a_producer_on_the_same_lane_needs_no_wait);
    tcase_add_test(c, a_producer_on_another_lane_needs_a_wait);
    tcase_add_test(c, what_the_lane_has_waited_for_before_needs_no_second_wait);
    tcase_add_test(c, a_later_position_than_the_lane_has_waited_for_needs_a_wait);
    tcase_add_test(c, a_wait_that_another_wait_implies_is_dropped_wherever_it_stands);
    tcase_add_test(c, a_wait_is_implied_over_two_lanes);
    tcase_add_test(c, a_wait_implies_what_came_before_its_position_and_not_what_its_lane_has_waited_for_since);
    tcase_add_test(c, the_clock_of_a_task_is_that_of_its_waits_positions_too);
    tcase_add_test(c, candidates_that_others_imply_are_kept_behind_those_that_are_needed);
    tcase_add_test(c, snapshots_stay_what_they_were_when_the_ring_of_a_lane_grows);
    tcase_add_test(c, the_waits_of_random_histories_are_those_that_brute_force_finds);
    return run_case("waits", c, 30);
}
