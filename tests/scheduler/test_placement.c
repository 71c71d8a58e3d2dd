/* On which lane a task goes, rule by rule, and how many waits that costs: chains none, a stencil less than one each. No
   queue and no event anywhere, so that nothing is ever complete by luck. */
#include "scheduler/history.h"
#include "scheduler/support.h"

#include "tracking/parts.h"

enum { LANES = 4 };

static history h;

static void setup(void)
{
    open_history(&h, LANES);
}

static void teardown(void)
{
    close_history(&h);
}

/* Candidates of several lanes, each the latest of its lane; producers: how many tasks there are in all. */
static selvi_lane *choose_for(uint32_t last_writer, const selvi_epoch *candidates, size_t count, size_t producers)
{
    selvi_epoch sorted[MOST_TASKS];
    if (count)
        memcpy(sorted, candidates, count * sizeof *sorted);
    size_t needed = selvi_waits_needed(&h.lanes, sorted, count);
    const selvi_wish wish = {0, last_writer, sorted, count, needed, producers == 1};
    return selvi_placement_choose(&h.lanes, &wish);
}

static selvi_lane *choose(uint32_t last_writer, const selvi_epoch *candidates, size_t count)
{
    return choose_for(last_writer, candidates, count, count);
}

static selvi_epoch put_on(uint32_t lane)
{
    return put(&h, lane_of(&h, lane), NULL, 0);
}

/* --- rules --- */

START_TEST(a_task_goes_to_the_lane_whose_tail_it_depends_on)
{
    put_on(3);
    selvi_epoch e = put_on(3);
    ck_assert_uint_eq(choose(0, &e, 1)->number, 3);
}
END_TEST

START_TEST(of_two_tails_that_a_task_depends_on_the_last_writers_is_taken)
{
    selvi_epoch e[2] = {put_on(1), put_on(2)};
    ck_assert_uint_eq(choose(1, e, 2)->number, 1);
    ck_assert_uint_eq(choose(2, e, 2)->number, 2);
}
END_TEST

START_TEST(tasks_that_depend_on_nothing_go_to_all_lanes_in_turn)
{
    bool used[LANES + 1] = {false};
    for (int i = 0; i < LANES; i++) {
        selvi_lane *lane = choose(0, NULL, 0);
        ck_assert(!used[lane->number]);
        used[lane->number] = true;
        put(&h, lane, NULL, 0);
    }
}
END_TEST

START_TEST(a_task_that_depends_on_nothing_goes_to_an_idle_lane_if_there_is_one)
{
    put_on(1);
    put_on(2);
    put_on(4);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(choose(0, NULL, 0)->number, 3);
}
END_TEST

START_TEST(of_two_tails_the_one_with_fewer_waits_is_taken)
{
    selvi_epoch a = put_on(1), b = put(&h, lane_of(&h, 2), &a, 1), both[2] = {a, b};
    ck_assert_uint_eq(choose(1, both, 2)->number, 2); /* there all is in order already; on lane 1 it would wait for b */
}
END_TEST

START_TEST(a_chain_stays_on_its_lane_however_busy_that_is)
{
    selvi_epoch e = put_on(2);
    for (int i = 0; i < 5; i++)
        put_on(2);
    ck_assert_uint_eq(choose(2, &e, 1)->number, 2);
}
END_TEST

START_TEST(readers_of_one_result_spread_over_the_idle_lanes)
{
    bool used[LANES + 1] = {false};
    selvi_epoch e = put_on(2);
    for (int i = 0; i < LANES; i++) {
        selvi_lane *lane = choose(0, &e, 1);
        ck_assert(!used[lane->number]);
        used[lane->number] = true;
        put_behind(&h, lane, &e, 1);
    }
}
END_TEST

START_TEST(the_last_writers_lane_is_left_if_it_is_busy_with_other_work)
{
    put_on(2);
    ck_assert_uint_ne(choose(2, NULL, 0)->number, 2);
    ck_assert(retire_oldest(&h, lane_of(&h, 2)));
    ck_assert_uint_eq(choose(2, NULL, 0)->number, 2);
}
END_TEST

START_TEST(a_lane_that_has_seen_a_failure_takes_nothing_more)
{
    selvi_epoch e = put_on(2);
    FINE(selvi_lane_fail(lane_of(&h, 2), 1, 1));
    ck_assert_uint_ne(choose(2, &e, 1)->number, 2);
    for (int i = 0; i < 2 * LANES; i++)
        ck_assert_uint_ne(choose(0, NULL, 0)->number, 2);
}
END_TEST

START_TEST(a_lane_of_another_device_is_not_taken)
{
    selvi_lane *other = new_lane(&h, SELVI_LANE_ORDINARY, 1);
    selvi_epoch e = put(&h, other, NULL, 0);
    const selvi_wish there = {.device = 1}, nowhere = {.device = 2};
    ck_assert_int_eq(choose(other->number, &e, 1)->device, 0);
    ck_assert_ptr_eq(selvi_placement_choose(&h.lanes, &there), other);
    ck_assert_ptr_null(selvi_placement_choose(&h.lanes, &nowhere));
    ck_assert_int_eq(selvi_placement_kind(&h.lanes, &nowhere), SELVI_LANE_ORDINARY);
}
END_TEST

/* --- quarantine --- */

static selvi_epoch adopt(void)
{
    selvi_lane *lane = selvi_placement_foreign(&h.lanes);
    return put(&h, lane ? lane : new_lane(&h, SELVI_LANE_FOREIGN, -1), NULL, 0);
}

static bool asks_for_quarantine(const selvi_epoch *candidates, size_t count)
{
    const selvi_wish wish = {.candidates = candidates, .count = count, .needed = count};
    return selvi_placement_kind(&h.lanes, &wish) == SELVI_LANE_QUARANTINE;
}

START_TEST(a_task_behind_a_foreign_event_goes_to_no_ordinary_lane)
{
    selvi_epoch e = adopt();
    ck_assert_ptr_null(choose(0, &e, 1));
    ck_assert(asks_for_quarantine(&e, 1));
    selvi_lane *lane = new_lane(&h, SELVI_LANE_QUARANTINE, 0);
    ck_assert_ptr_eq(choose(0, &e, 1), lane);
}
END_TEST

START_TEST(two_tasks_behind_one_foreign_event_do_not_share_a_lane_but_a_chain_does)
{
    selvi_epoch e = adopt();
    selvi_lane *lane = new_lane(&h, SELVI_LANE_QUARANTINE, 0);
    selvi_epoch first = put(&h, lane, &e, 1);
    ck_assert_ptr_null(choose(0, &e, 1));
    ck_assert_ptr_eq(choose(0, &first, 1), lane);
}
END_TEST

START_TEST(a_task_behind_the_middle_of_a_gated_chain_does_not_share_its_lane)
{
    selvi_epoch e = adopt();
    selvi_lane *lane = new_lane(&h, SELVI_LANE_QUARANTINE, 0);
    selvi_epoch first = put(&h, lane, &e, 1);
    put(&h, lane, NULL, 0);
    ck_assert_ptr_null(choose(0, &first, 1));
}
END_TEST

START_TEST(once_the_foreign_event_has_ended_ordinary_lanes_take_its_dependents_again)
{
    selvi_epoch e = adopt();
    selvi_lane *lane = new_lane(&h, SELVI_LANE_QUARANTINE, 0);
    selvi_epoch first = put(&h, lane, &e, 1);
    ck_assert(retire_oldest(&h, lane_of(&h, e.lane)));
    ck_assert(!asks_for_quarantine(&first, 1));
    ck_assert_int_eq(choose(0, &first, 1)->kind, SELVI_LANE_ORDINARY);
}
END_TEST

START_TEST(a_foreign_lane_holds_one_event_at_a_time)
{
    selvi_epoch e = adopt(), other = adopt();
    ck_assert_uint_ne(e.lane, other.lane);
    ck_assert(retire_oldest(&h, lane_of(&h, e.lane)));
    ck_assert_ptr_eq(selvi_placement_foreign(&h.lanes), lane_of(&h, e.lane));
}
END_TEST

/* --- the waits of whole programs --- */

enum { CELLS = 16 };

typedef struct cell { /* an allocation of one byte */
    selvi_parts parts;
    uint32_t last_lane;
} cell;

static cell cells[CELLS];

static void open_cells(void)
{
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < CELLS; i++)
        selvi_parts_init(&cells[i].parts, 0, 1);
}

static void close_cells(void)
{
    for (int i = 0; i < CELLS; i++)
        selvi_parts_destroy(&cells[i].parts);
}

typedef struct use {
    size_t cell;
    selv_mode mode;
} use;

static selvi_access access_of(const use *u)
{
    return (selvi_access){.begin = 0, .end = 1, .mode = (uint8_t)u->mode};
}

/* The latest producer of each lane. */
static void keep_latest(selvi_epoch *candidates, size_t *count, selvi_epoch e)
{
    for (size_t i = 0; i < *count; i++)
        if (candidates[i].lane == e.lane) {
            if (candidates[i].position < e.position)
                candidates[i] = e;
            return;
        }
    candidates[(*count)++] = e;
}

static size_t candidates_of(const use *uses, size_t n, selvi_epoch *out, size_t *producers)
{
    selvi_hazards found = {0};
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        selvi_access a = access_of(&uses[i]);
        FINE(selvi_parts_query(&cells[uses[i].cell].parts, &a, 0, NULL, &found));
    }
    bool seen[MOST_TASKS] = {false};
    for (size_t i = 0; i < found.count; i++) {
        size_t task = task_at(&h, found.at[i].producer);
        keep_latest(out, &count, found.at[i].producer);
        *producers += !seen[task];
        seen[task] = true;
    }
    selvi_hazards_destroy(&found);
    return count;
}

static void apply(const use *uses, size_t n, selvi_epoch e)
{
    for (size_t i = 0; i < n; i++) {
        selvi_access a = access_of(&uses[i]);
        FINE(selvi_parts_reserve(&cells[uses[i].cell].parts, &a));
        selvi_parts_apply(&cells[uses[i].cell].parts, &a, e, NULL);
        if (uses[i].mode != SELV_READ)
            cells[uses[i].cell].last_lane = e.lane;
    }
}

/* By brute force: how many of the candidates lane order and the other candidates leave. */
static size_t fewest_waits(const selvi_lane *lane, const selvi_epoch *candidates, size_t count)
{
    size_t needed = 0;
    for (size_t i = 0; i < count; i++) {
        size_t task = task_at(&h, candidates[i]);
        bool implied = lane->tail && at_or_before(&h, task, task_at(&h, tail_of(lane)));
        for (size_t k = 0; k < count; k++)
            implied |= h.tasks[task_at(&h, candidates[k])].before[task];
        needed += !implied;
    }
    return needed;
}

/* The way of a task through tracking, placement and waits; what it writes stands last. */
static void submit(const use *uses, size_t n)
{
    selvi_epoch candidates[CELLS];
    size_t producers = 0, count = candidates_of(uses, n, candidates, &producers), before = h.waits;
    selvi_lane *lane = choose_for(cells[uses[n - 1].cell].last_lane, candidates, count, producers);
    size_t fewest = fewest_waits(lane, candidates, count);
    apply(uses, n, put_behind(&h, lane, candidates, count));
    ck_assert_uint_eq(h.waits - before, fewest);
}

START_TEST(a_chain_has_no_waits)
{
    open_cells();
    for (int i = 0; i < 100; i++)
        submit(&(use){0, SELV_READ_WRITE}, 1);
    ck_assert_uint_eq(h.waits, 0);
    ck_assert_uint_eq(lane_of(&h, h.tasks[0].epoch.lane)->tail, 100);
    close_cells();
}
END_TEST

START_TEST(eight_independent_chains_on_four_lanes_have_no_waits_and_use_every_lane)
{
    open_cells();
    for (size_t i = 0; i < 200; i++)
        submit(&(use){i % 8, SELV_READ_WRITE}, 1);
    ck_assert_uint_eq(h.waits, 0);
    for (uint32_t i = 1; i <= LANES; i++)
        ck_assert_uint_eq(lane_of(&h, i)->tail, 50);
    close_cells();
}
END_TEST

static void stencil_step(size_t step)
{
    size_t from = step % 2 * 8, to = 8 - from;
    for (size_t i = 0; i < 8; i++) {
        const use uses[4] = {{from + (i + 7) % 8, SELV_READ},
                             {from + i, SELV_READ},
                             {from + (i + 1) % 8, SELV_READ},
                             {to + i, SELV_WRITE}};
        submit(uses, 4);
    }
}

START_TEST(a_stencil_of_width_eight_on_four_lanes_has_at_most_three_waits_for_four_tasks)
{
    open_cells();
    for (size_t step = 0; step < 30; step++)
        stencil_step(step);
    double waits_per_task = (double)h.waits / (double)h.count;
    printf("stencil, nothing complete: %.3f waits per task\n", waits_per_task);
    ck_assert_double_le(waits_per_task, 0.75);
    for (uint32_t i = 1; i <= LANES; i++)
        ck_assert_uint_ge(lane_of(&h, i)->tail, h.count / LANES / 2); /* not bought with idle lanes */
    close_cells();
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("placement");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_task_goes_to_the_lane_whose_tail_it_depends_on);
    tcase_add_test(c, of_two_tails_that_a_task_depends_on_the_last_writers_is_taken);
    tcase_add_test(c, tasks_that_depend_on_nothing_go_to_all_lanes_in_turn);
    tcase_add_test(c, a_task_that_depends_on_nothing_goes_to_an_idle_lane_if_there_is_one);
    tcase_add_test(c, of_two_tails_the_one_with_fewer_waits_is_taken);
    tcase_add_test(c, a_chain_stays_on_its_lane_however_busy_that_is);
    tcase_add_test(c, readers_of_one_result_spread_over_the_idle_lanes);
    tcase_add_test(c, the_last_writers_lane_is_left_if_it_is_busy_with_other_work);
    tcase_add_test(c, a_lane_that_has_seen_a_failure_takes_nothing_more);
    tcase_add_test(c, a_lane_of_another_device_is_not_taken);
    tcase_add_test(c, a_task_behind_a_foreign_event_goes_to_no_ordinary_lane);
    tcase_add_test(c, two_tasks_behind_one_foreign_event_do_not_share_a_lane_but_a_chain_does);
    tcase_add_test(c, a_task_behind_the_middle_of_a_gated_chain_does_not_share_its_lane);
    tcase_add_test(c, once_the_foreign_event_has_ended_ordinary_lanes_take_its_dependents_again);
    tcase_add_test(c, a_foreign_lane_holds_one_event_at_a_time);
    tcase_add_test(c, a_chain_has_no_waits);
    tcase_add_test(c, eight_independent_chains_on_four_lanes_have_no_waits_and_use_every_lane);
    tcase_add_test(c, a_stencil_of_width_eight_on_four_lanes_has_at_most_three_waits_for_four_tasks);
    return run_case("placement", c, 30);
}
