#include "tracking/parts.h"
#include "tracking/program.h"

#include <check.h>
#include <stdlib.h>

enum { A, B, C, D, LANES };

static selvi_parts p;
static selvi_hazards found;
static uint64_t last[LANES];

static void setup(void)
{
    memset(last, 0, sizeof last);
    selvi_parts_init(&p, 0, 64);
}

static void release(void)
{
    selvi_parts_check(&p);
    selvi_parts_destroy(&p);
    selvi_hazards_destroy(&found);
}

static selvi_access access_of(selv_mode mode, uint64_t begin, uint64_t end)
{
    return (selvi_access){.begin = begin, .end = end, .mode = (uint8_t)mode};
}

static void query(selv_mode mode, uint64_t begin, uint64_t end)
{
    selvi_access a = access_of(mode, begin, end);
    selvi_hazards_clear(&found);
    ck_assert_int_eq(selvi_parts_query(&p, &a, 0, NULL, &found), SELV_OK);
}

static void apply(selvi_access a, uint32_t lane, uint64_t position, const selvi_horizon *h)
{
    selvi_parts_apply(&p, &a, (selvi_epoch){.lane = lane, .position = position}, h);
    selvi_parts_check(&p);
}

static void reserve(selvi_access a)
{
    ck_assert_int_eq(selvi_parts_reserve(&p, &a), SELV_OK);
}

/* A whole task of one access: its hazards stay in `found`. */
static void task(uint32_t lane, selv_mode mode, uint64_t begin, uint64_t end)
{
    query(mode, begin, end);
    reserve(access_of(mode, begin, end));
    apply(access_of(mode, begin, end), lane, ++last[lane], NULL);
}

static const selvi_hazard *from(uint32_t lane, uint64_t position)
{
    for (size_t i = 0; i < found.count; i++)
        if (found.at[i].producer.lane == lane && found.at[i].producer.position == position)
            return &found.at[i];
    ck_abort_msg("no hazard with lane %u, position %llu", lane, (unsigned long long)position);
    return NULL;
}

static void expect(uint32_t lane, uint64_t position, selvi_hazard_kind kind, uint64_t begin, uint64_t end)
{
    const selvi_hazard *h = from(lane, position);
    ck_assert_uint_eq(h->kind, kind);
    ck_assert_uint_eq(h->begin, begin);
    ck_assert_uint_eq(h->end, end);
}

static void expect_count(size_t count)
{
    ck_assert_uint_eq(found.count, count);
}

/* Rules of order. */

START_TEST(untouched_memory_orders_nothing)
{
    query(SELV_READ_WRITE, 0, 64);
    expect_count(0);
    query(SELV_ACCUMULATE, 0, 64);
    expect_count(0);
}
END_TEST

START_TEST(a_read_waits_for_the_write_before_it)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_READ, 0, 64);
    expect_count(1);
    expect(A, 1, SELVI_RAW, 0, 64);
    ck_assert(!found.at[0].accumulated && !found.at[0].commutes);
}
END_TEST

START_TEST(two_reads_of_one_part_stay_unordered)
{
    task(A, SELV_READ, 0, 64);
    task(B, SELV_READ, 0, 64);
    expect_count(0);
}
END_TEST

START_TEST(a_write_after_reads_waits_for_every_reader)
{
    task(A, SELV_READ, 0, 64);
    task(B, SELV_READ, 0, 64);
    task(C, SELV_READ, 0, 64);
    task(D, SELV_WRITE, 0, 64);
    expect_count(3);
    expect(A, 1, SELVI_WAR, 0, 64);
    expect(B, 1, SELVI_WAR, 0, 64);
    expect(C, 1, SELVI_WAR, 0, 64);
}
END_TEST

START_TEST(of_several_readers_in_one_lane_only_the_latest_is_waited_for)
{
    task(A, SELV_READ, 0, 64);
    task(A, SELV_READ, 0, 64);
    task(B, SELV_WRITE, 0, 64);
    expect_count(1);
    expect(A, 2, SELVI_WAR, 0, 64);
}
END_TEST

START_TEST(a_write_after_a_write_is_told_from_a_read_write)
{
    task(A, SELV_WRITE, 0, 64);
    query(SELV_WRITE, 0, 64);
    expect_count(1);
    expect(A, 1, SELVI_WAW, 0, 64);
    query(SELV_READ_WRITE, 0, 64);
    expect_count(1);
    expect(A, 1, SELVI_RAW, 0, 64);
}
END_TEST

START_TEST(after_two_readers_and_a_write_a_reader_waits_for_the_write_alone)
{
    task(A, SELV_READ, 0, 64);
    task(B, SELV_READ, 0, 64);
    task(C, SELV_WRITE, 0, 64);
    task(D, SELV_READ, 0, 64);
    expect_count(1);
    expect(C, 1, SELVI_RAW, 0, 64);
}
END_TEST

START_TEST(a_read_write_forgets_the_readers_that_it_has_waited_for)
{
    task(A, SELV_READ, 0, 64);
    task(B, SELV_READ_WRITE, 0, 64);
    task(C, SELV_READ_WRITE, 0, 64);
    expect_count(1);
    expect(B, 1, SELVI_RAW, 0, 64);
}
END_TEST

START_TEST(a_write_waits_for_the_writer_and_its_readers)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_READ, 0, 64);
    task(C, SELV_WRITE, 0, 64);
    expect_count(2);
    expect(A, 1, SELVI_WAW, 0, 64);
    expect(B, 1, SELVI_WAR, 0, 64);
}
END_TEST

START_TEST(accumulators_of_one_part_commute)
{
    task(A, SELV_ACCUMULATE, 0, 64);
    task(B, SELV_ACCUMULATE, 0, 64);
    expect_count(1);
    expect(A, 1, SELVI_RAW, 0, 64);
    ck_assert(found.at[0].commutes && found.at[0].accumulated);
}
END_TEST

START_TEST(an_accumulator_is_ordered_after_the_write_and_the_readers)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_READ, 0, 64);
    task(C, SELV_ACCUMULATE, 0, 64);
    expect_count(2);
    expect(A, 1, SELVI_RAW, 0, 64);
    expect(B, 1, SELVI_WAR, 0, 64);
    ck_assert(!found.at[0].commutes && !found.at[1].commutes);
}
END_TEST

START_TEST(a_read_waits_for_every_accumulator_and_for_the_write)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_ACCUMULATE, 0, 64);
    task(C, SELV_ACCUMULATE, 0, 64);
    task(D, SELV_READ, 0, 64);
    expect_count(3);
    expect(A, 1, SELVI_RAW, 0, 64);
    expect(B, 1, SELVI_RAW, 0, 64);
    expect(C, 1, SELVI_RAW, 0, 64);
    ck_assert(from(B, 1)->accumulated && !from(B, 1)->commutes);
}
END_TEST

START_TEST(a_write_after_accumulators_waits_for_them_and_forgets_them)
{
    task(A, SELV_ACCUMULATE, 0, 64);
    task(B, SELV_ACCUMULATE, 0, 64);
    task(C, SELV_WRITE, 0, 64);
    expect_count(2);
    expect(A, 1, SELVI_WAW, 0, 64);
    expect(B, 1, SELVI_WAW, 0, 64);
    task(D, SELV_ACCUMULATE, 0, 64);
    expect_count(1);
    expect(C, 1, SELVI_RAW, 0, 64);
}
END_TEST

START_TEST(mode_none_waits_for_nothing_and_leaves_nothing)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_NONE, 0, 64);
    expect_count(0);
    query(SELV_WRITE, 0, 64);
    expect_count(1);
    expect(A, 1, SELVI_WAW, 0, 64);
}
END_TEST

/* Parts. */

START_TEST(disjoint_parts_never_wait_for_each_other)
{
    task(A, SELV_WRITE, 0, 32);
    task(B, SELV_WRITE, 32, 64);
    expect_count(0);
    query(SELV_READ, 31, 33);
    expect_count(2);
    expect(A, 1, SELVI_RAW, 31, 32);
    expect(B, 1, SELVI_RAW, 32, 33);
}
END_TEST

START_TEST(a_hazard_names_exactly_the_bytes_that_both_touch)
{
    task(A, SELV_WRITE, 8, 24);
    query(SELV_READ, 16, 40);
    expect_count(1);
    expect(A, 1, SELVI_RAW, 16, 24);
    query(SELV_READ, 24, 64);
    expect_count(0);
    query(SELV_READ, 0, 8);
    expect_count(0);
}
END_TEST

START_TEST(overlapping_writes_each_keep_the_bytes_that_they_wrote_last)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_WRITE, 0, 32);
    task(C, SELV_READ_WRITE, 16, 48);
    expect_count(2);
    expect(B, 1, SELVI_RAW, 16, 32);
    expect(A, 1, SELVI_RAW, 32, 48);
    task(D, SELV_READ, 0, 64);
    expect_count(3);
    expect(B, 1, SELVI_RAW, 0, 16);
    expect(C, 1, SELVI_RAW, 16, 48);
    expect(A, 1, SELVI_RAW, 48, 64);
}
END_TEST

START_TEST(a_hazard_over_neighbouring_parts_is_one)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_READ, 16, 24);
    task(C, SELV_READ, 20, 32);
    ck_assert_uint_eq(p.count, 5);
    query(SELV_WRITE, 0, 64);
    expect_count(3);
    expect(A, 1, SELVI_WAW, 0, 64);
    expect(B, 1, SELVI_WAR, 16, 24);
    expect(C, 1, SELVI_WAR, 20, 32);
}
END_TEST

START_TEST(a_hazard_with_other_parts_between_names_no_byte_too_many)
{
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_WRITE, 16, 32);
    query(SELV_READ, 0, 64);
    expect_count(3);
    size_t bytes = 0;
    for (size_t i = 0; i < 3; i++)
        bytes += found.at[i].producer.lane == A ? found.at[i].end - found.at[i].begin : 0;
    ck_assert_uint_eq(bytes, 48);
}
END_TEST

START_TEST(hazards_are_appended_with_the_index_of_their_access)
{
    selvi_access left = access_of(SELV_READ, 0, 32), right = access_of(SELV_READ, 32, 64);
    task(A, SELV_WRITE, 0, 64);
    selvi_hazards_clear(&found);
    ck_assert_int_eq(selvi_parts_query(&p, &left, 4, NULL, &found), SELV_OK);
    ck_assert_int_eq(selvi_parts_query(&p, &right, 9, NULL, &found), SELV_OK);
    expect_count(2);
    ck_assert_uint_eq(found.at[0].access, 4);
    ck_assert_uint_eq(found.at[1].access, 9);
    ck_assert_uint_eq(found.at[1].begin, 32);
}
END_TEST

START_TEST(a_write_over_many_parts_leaves_one)
{
    for (uint64_t i = 0; i < 64; i += 2)
        task(A, SELV_WRITE, i, i + 1);
    ck_assert_uint_eq(p.count, 64);
    task(B, SELV_WRITE, 0, 64);
    expect_count(32);
    ck_assert_uint_eq(p.count, 1);
}
END_TEST

START_TEST(neighbours_in_equal_state_become_one_part_and_others_do_not)
{
    reserve(access_of(SELV_WRITE, 0, 8));
    apply(access_of(SELV_WRITE, 0, 8), A, 1, NULL);
    reserve(access_of(SELV_WRITE, 8, 16));
    apply(access_of(SELV_WRITE, 8, 16), A, 1, NULL);
    ck_assert_uint_eq(p.count, 2);
    reserve(access_of(SELV_WRITE, 16, 24));
    apply(access_of(SELV_WRITE, 16, 24), A, 2, NULL);
    ck_assert_uint_eq(p.count, 3);
}
END_TEST

START_TEST(an_access_outside_the_allocation_is_refused_and_harmless)
{
    selvi_access beyond = access_of(SELV_WRITE, 60, 65);
    ck_assert_int_eq(selvi_parts_query(&p, &beyond, 0, NULL, &found), SELV_INTERNAL);
    ck_assert_int_eq(selvi_parts_reserve(&p, &beyond), SELV_INTERNAL);
    selvi_parts_undo(&p, &beyond);
    apply(beyond, A, 1, NULL);
    query(SELV_WRITE, 0, 64);
    expect_count(0);
}
END_TEST

/* Reserving. */

START_TEST(what_is_reserved_is_seen_by_no_query)
{
    task(A, SELV_WRITE, 0, 64);
    reserve(access_of(SELV_READ, 8, 16));
    query(SELV_READ, 0, 64);
    expect_count(1);
    expect(A, 1, SELVI_RAW, 0, 64);
    selvi_access a = access_of(SELV_READ, 8, 16);
    selvi_parts_undo(&p, &a);
}
END_TEST

START_TEST(undoing_leaves_things_as_they_were)
{
    selvi_access a = access_of(SELV_READ, 8, 16);
    reserve(a);
    ck_assert_uint_eq(p.count, 3);
    selvi_parts_undo(&p, &a);
    selvi_parts_check(&p);
    ck_assert_uint_eq(p.count, 1);
    ck_assert_ptr_null(p.root);
    task(A, SELV_WRITE, 0, 64);
    reserve(a);
    selvi_parts_undo(&p, &a);
    ck_assert_uint_eq(p.count, 1);
    query(SELV_WRITE, 0, 64);
    expect_count(1);
}
END_TEST

START_TEST(disjoint_accesses_are_reserved_together_and_applied_in_any_order)
{
    selvi_access three[] = {access_of(SELV_WRITE, 0, 8), access_of(SELV_READ, 8, 16),
                            access_of(SELV_ACCUMULATE, 32, 40)};
    for (size_t i = 0; i < 3; i++)
        reserve(three[i]);
    for (size_t i = 3; i-- > 0;)
        apply(three[i], A, 1, NULL);
    ck_assert_uint_eq(p.count, 5);
    query(SELV_WRITE, 0, 64);
    expect_count(3);
}
END_TEST

START_TEST(a_boundary_reserved_by_one_access_survives_the_merging_of_another)
{
    const uint64_t complete[] = {9};
    selvi_horizon h = {complete, 1};
    selvi_access left = access_of(SELV_READ, 0, 8), right = access_of(SELV_WRITE, 8, 16);
    reserve(left);
    reserve(right);
    apply(left, A, 1, &h); /* complete at once: the part is again like its neighbours */
    selvi_parts_prune(&p, &h);
    selvi_parts_check(&p);
    apply(right, B, 1, &h);
    ck_assert_uint_eq(p.count, 3);
    query(SELV_READ, 0, 64);
    expect_count(1);
    expect(B, 1, SELVI_RAW, 8, 16);
}
END_TEST

START_TEST(room_reserved_in_a_clock_survives_a_prune)
{
    const uint64_t complete[] = {0, 1};
    selvi_horizon h = {complete, 2};
    task(A, SELV_READ, 0, 64);
    task(B, SELV_READ, 0, 64);
    reserve(access_of(SELV_READ, 0, 64));
    selvi_parts_prune(&p, &h);
    apply(access_of(SELV_READ, 0, 64), C, 1, NULL);
    query(SELV_WRITE, 0, 64);
    expect_count(2);
    expect(A, 1, SELVI_WAR, 0, 64);
    expect(C, 1, SELVI_WAR, 0, 64);
}
END_TEST

/* Forgetting. */

START_TEST(what_is_complete_is_no_hazard_and_what_is_not_remains_one)
{
    const uint64_t complete[] = {1, 0};
    selvi_horizon h = {complete, 2};
    selvi_access a = access_of(SELV_WRITE, 0, 64);
    task(A, SELV_WRITE, 0, 64);
    task(B, SELV_READ, 0, 64);
    task(C, SELV_READ, 0, 64);
    selvi_hazards_clear(&found);
    ck_assert_int_eq(selvi_parts_query(&p, &a, 0, &h, &found), SELV_OK);
    expect_count(2);
    expect(B, 1, SELVI_WAR, 0, 64);
    expect(C, 1, SELVI_WAR, 0, 64);
    query(SELV_WRITE, 0, 64);
    expect_count(3);
}
END_TEST

START_TEST(pruning_forgets_what_is_complete_and_merges_what_became_equal)
{
    uint64_t complete[] = {2, 0};
    selvi_horizon h = {complete, 2};
    task(A, SELV_WRITE, 0, 8);
    task(A, SELV_READ, 16, 24);
    task(B, SELV_WRITE, 32, 40);
    ck_assert_uint_eq(p.count, 6);
    selvi_parts_prune(&p, &h);
    selvi_parts_check(&p);
    ck_assert_uint_eq(p.count, 3);
    complete[B] = 1;
    selvi_parts_prune(&p, &h);
    ck_assert_uint_eq(p.count, 1);
    ck_assert_ptr_null(p.root);
}
END_TEST

START_TEST(touched_parts_forget_what_is_complete)
{
    const uint64_t complete[] = {1, 1};
    selvi_horizon h = {complete, 2};
    task(A, SELV_READ, 0, 64);
    task(B, SELV_READ, 0, 64);
    reserve(access_of(SELV_READ, 0, 64));
    apply(access_of(SELV_READ, 0, 64), C, 1, &h);
    query(SELV_WRITE, 0, 64);
    expect_count(1);
    expect(C, 1, SELVI_WAR, 0, 64);
}
END_TEST

/* Every task writes two bytes of its own and completes eight tasks later. */
static size_t most_parts_of_short_writes(bool complete_known)
{
    uint64_t complete[] = {0};
    selvi_horizon h = {complete, 1};
    size_t most = 0;
    selvi_parts_destroy(&p);
    selvi_parts_init(&p, 0, 40000);
    for (uint64_t i = 1; i <= 10000; i++) {
        selvi_access a = access_of(SELV_WRITE, 4 * i - 4, 4 * i - 2);
        complete[0] = i > 8 ? i - 8 : 0;
        reserve(a);
        selvi_parts_apply(&p, &a, (selvi_epoch){.position = i}, complete_known ? &h : NULL);
        most = p.count > most ? p.count : most;
    }
    return most;
}

START_TEST(parts_stay_bounded_while_tasks_complete)
{
    ck_assert_uint_lt(most_parts_of_short_writes(true), 100);
    ck_assert_uint_eq(most_parts_of_short_writes(false), 20000);
}
END_TEST

START_TEST(all_of_the_address_space_with_a_hundred_thousand_parts_is_one_allocation)
{
    enum { PARTS = 100000 };
    selvi_parts_init(&p, 0, UINT64_MAX);
    uint64_t pitch = UINT64_MAX / PARTS;
    for (uint64_t i = 0; i < PARTS; i++) {
        selvi_access a = access_of(SELV_WRITE, i * pitch, i * pitch + 64);
        reserve(a);
        selvi_parts_apply(&p, &a, (selvi_epoch){.lane = i % LANES, .position = i + 1}, NULL);
    }
    selvi_parts_check(&p);
    ck_assert_uint_eq(p.count, 2 * PARTS);
    query(SELV_READ, 50000 * pitch + 8, 50000 * pitch + 9);
    expect_count(1);
    expect(50000 % LANES, 50001, SELVI_RAW, 50000 * pitch + 8, 50000 * pitch + 9);
    query(SELV_WRITE, 0, UINT64_MAX);
    expect_count(PARTS);
    reserve(access_of(SELV_WRITE, 0, UINT64_MAX));
    apply(access_of(SELV_WRITE, 0, UINT64_MAX), A, PARTS + 9, NULL);
    ck_assert_uint_eq(p.count, 1);
}
END_TEST

/* Looking. */

START_TEST(the_clock_of_all_parts_holds_everything_that_is_not_complete)
{
    const uint64_t complete[] = {1};
    selvi_horizon h = {complete, 1};
    selvi_clock c = {0};
    task(A, SELV_WRITE, 0, 8);
    task(B, SELV_READ, 8, 16);
    task(B, SELV_READ, 16, 24);
    task(C, SELV_ACCUMULATE, 32, 40);
    ck_assert_int_eq(selvi_parts_clock(&p, &h, &c), SELV_OK);
    selvi_clock_check(&c);
    ck_assert_uint_eq(c.count, 2);
    ck_assert_uint_eq(selvi_clock_get(&c, B), 2);
    ck_assert_uint_eq(selvi_clock_get(&c, C), 1);
    selvi_clock_destroy(&c);
}
END_TEST

typedef struct visited {
    size_t count;
    uint64_t begin[8], end[8];
    uint32_t writers[8];
} visited;

static void visit(void *user, uint64_t begin, uint64_t end, const selvi_clock *writers, const selvi_clock *readers,
                  const selvi_clock *accumulators)
{
    visited *v = user;
    ck_assert_uint_eq(readers->count + accumulators->count, 0);
    v->begin[v->count] = begin;
    v->end[v->count] = end;
    v->writers[v->count++] = writers->count;
}

START_TEST(each_part_that_touches_a_range_is_visited_in_order)
{
    visited v = {0};
    selvi_parts_each(&p, 8, 9, visit, &v);
    ck_assert_uint_eq(v.count, 1);
    ck_assert_uint_eq(v.end[0], 64);
    task(A, SELV_WRITE, 16, 32);
    v.count = 0;
    selvi_parts_each(&p, 31, 33, visit, &v);
    ck_assert_uint_eq(v.count, 2);
    ck_assert(v.begin[0] == 16 && v.end[0] == 32 && v.writers[0] == 1);
    ck_assert(v.begin[1] == 32 && v.end[1] == 64 && v.writers[1] == 0);
    v.count = 0;
    selvi_parts_each(&p, 5, 5, visit, &v);
    ck_assert_uint_eq(v.count, 0);
}
END_TEST

START_TEST(an_allocation_of_one_part_takes_little_memory)
{
    ck_assert_uint_le(sizeof(selvi_parts), 64);
}
END_TEST

START_TEST(zeroed_parts_may_be_destroyed)
{
    selvi_parts zero = {0};
    selvi_parts_destroy(&zero);
    selvi_parts_check(&zero);
}
END_TEST

/* Random programs against the naive model. */

static void run_programs(program_horizon kind)
{
    static program g;
    unsigned seed = test_seed();
    size_t applied = 0, given_up = 0;
    for (unsigned round = 0; round < 60; round++) {
        program_begin(&g, seed + round, kind);
        for (int step = 0; step < PROGRAM_STEPS; step++)
            program_step(&g);
        applied += g.applied;
        given_up += g.given_up;
        program_end(&g);
    }
    ck_assert_uint_gt(applied, given_up);
    ck_assert_uint_gt(given_up, 0);
}

START_TEST(random_tasks_wait_as_the_naive_model_says_while_nothing_completes)
{
    run_programs(HORIZON_NONE);
}
END_TEST

START_TEST(random_tasks_wait_as_the_naive_model_says_while_all_lanes_complete)
{
    run_programs(HORIZON_GROWS);
}
END_TEST

START_TEST(random_tasks_wait_as_the_naive_model_says_while_one_lane_is_stuck)
{
    run_programs(HORIZON_STUCK);
}
END_TEST

static void add_tests_of_order(TCase *t)
{
    tcase_add_test(t, untouched_memory_orders_nothing);
    tcase_add_test(t, a_read_waits_for_the_write_before_it);
    tcase_add_test(t, two_reads_of_one_part_stay_unordered);
    tcase_add_test(t, a_write_after_reads_waits_for_every_reader);
    tcase_add_test(t, of_several_readers_in_one_lane_only_the_latest_is_waited_for);
    tcase_add_test(t, a_write_after_a_write_is_told_from_a_read_write);
    tcase_add_test(t, after_two_readers_and_a_write_a_reader_waits_for_the_write_alone);
    tcase_add_test(t, a_read_write_forgets_the_readers_that_it_has_waited_for);
    tcase_add_test(t, a_write_waits_for_the_writer_and_its_readers);
    tcase_add_test(t, accumulators_of_one_part_commute);
    tcase_add_test(t, an_accumulator_is_ordered_after_the_write_and_the_readers);
    tcase_add_test(t, a_read_waits_for_every_accumulator_and_for_the_write);
    tcase_add_test(t, a_write_after_accumulators_waits_for_them_and_forgets_them);
    tcase_add_test(t, mode_none_waits_for_nothing_and_leaves_nothing);
}

static void add_tests_of_parts(TCase *t)
{
    tcase_add_test(t, disjoint_parts_never_wait_for_each_other);
    tcase_add_test(t, a_hazard_names_exactly_the_bytes_that_both_touch);
    tcase_add_test(t, overlapping_writes_each_keep_the_bytes_that_they_wrote_last);
    tcase_add_test(t, a_hazard_over_neighbouring_parts_is_one);
    tcase_add_test(t, a_hazard_with_other_parts_between_names_no_byte_too_many);
    tcase_add_test(t, hazards_are_appended_with_the_index_of_their_access);
    tcase_add_test(t, a_write_over_many_parts_leaves_one);
    tcase_add_test(t, neighbours_in_equal_state_become_one_part_and_others_do_not);
    tcase_add_test(t, an_access_outside_the_allocation_is_refused_and_harmless);
    tcase_add_test(t, what_is_reserved_is_seen_by_no_query);
    tcase_add_test(t, undoing_leaves_things_as_they_were);
    tcase_add_test(t, disjoint_accesses_are_reserved_together_and_applied_in_any_order);
    tcase_add_test(t, a_boundary_reserved_by_one_access_survives_the_merging_of_another);
    tcase_add_test(t, room_reserved_in_a_clock_survives_a_prune);
}

static void add_tests_of_forgetting(TCase *t)
{
    tcase_add_test(t, what_is_complete_is_no_hazard_and_what_is_not_remains_one);
    tcase_add_test(t, pruning_forgets_what_is_complete_and_merges_what_became_equal);
    tcase_add_test(t, touched_parts_forget_what_is_complete);
    tcase_add_test(t, parts_stay_bounded_while_tasks_complete);
    tcase_add_test(t, all_of_the_address_space_with_a_hundred_thousand_parts_is_one_allocation);
    tcase_add_test(t, the_clock_of_all_parts_holds_everything_that_is_not_complete);
    tcase_add_test(t, each_part_that_touches_a_range_is_visited_in_order);
    tcase_add_test(t, an_allocation_of_one_part_takes_little_memory);
    tcase_add_test(t, zeroed_parts_may_be_destroyed);
    tcase_add_test(t, random_tasks_wait_as_the_naive_model_says_while_nothing_completes);
    tcase_add_test(t, random_tasks_wait_as_the_naive_model_says_while_all_lanes_complete);
    tcase_add_test(t, random_tasks_wait_as_the_naive_model_says_while_one_lane_is_stuck);
}

int main(void)
{
    Suite *s = suite_create("tracking/parts");
    TCase *t = tcase_create("parts");
    tcase_add_checked_fixture(t, setup, release);
    tcase_set_timeout(t, 60);
    add_tests_of_order(t);
    add_tests_of_parts(t);
    add_tests_of_forgetting(t);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
