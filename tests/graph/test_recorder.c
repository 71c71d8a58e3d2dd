#include "graph/feed.h"
#include "graph/suite.h"

enum { A = 1, B = 2, C = 3, IN = 4 };

static feed f;

static void open_feed(void)
{
    feed_open(&f, 0);
}

static void close_feed(void)
{
    feed_close(&f);
}

/* A task with one access to a range of A. */
static selv_task on_range(const char *name, selv_mode mode, uint64_t begin, uint64_t end)
{
    return feed_run(
        &f, (feed_task){.name = name, .access_count = 1, .accesses = {feed_access(mode, A, begin, end, 0, "x")}});
}

START_TEST(a_diamond_has_its_four_edges)
{
    feed_one(&f, "load", SELV_WRITE, IN);
    feed_two(&f, "left", SELV_WRITE, A, SELV_READ, IN);
    feed_two(&f, "right", SELV_WRITE, B, SELV_READ, IN);
    feed_two(&f, "join", SELV_READ, A, SELV_READ, B);
    ck_assert_str_eq(feed_edges(&f), "1>2 RAW; 1>3 RAW; 2>4 RAW; 3>4 RAW;");
}
END_TEST

START_TEST(a_write_after_a_reader_implies_its_order_after_the_first_write)
{
    feed_one(&f, "write", SELV_WRITE, A);
    feed_one(&f, "read", SELV_READ, A);
    feed_one(&f, "write", SELV_WRITE, A);
    ck_assert_str_eq(feed_edges(&f), "1>2 RAW; 1>3 WAW r; 2>3 WAR;");
}
END_TEST

START_TEST(two_readers_of_one_lane_and_then_a_write_make_two_edges)
{
    feed_one(&f, "b", SELV_READ, A);
    feed_one(&f, "c", SELV_READ, A);
    feed_one(&f, "fill", SELV_WRITE, A);
    ck_assert_str_eq(feed_edges(&f), "1>3 WAR; 2>3 WAR;");
}
END_TEST

START_TEST(a_reader_after_two_readers_and_a_write_has_one_edge)
{
    feed_one(&f, "b", SELV_READ, A);
    feed_one(&f, "c", SELV_READ, A);
    feed_one(&f, "write", SELV_WRITE, A);
    feed_one(&f, "read", SELV_READ, A);
    ck_assert_str_eq(feed_edges(&f), "1>3 WAR; 2>3 WAR; 3>4 RAW;");
}
END_TEST

START_TEST(disjoint_parts_have_no_edge_and_the_whole_has_one_to_each)
{
    on_range("half", SELV_READ_WRITE, 0, 512);
    on_range("half", SELV_READ_WRITE, 512, 1024);
    on_range("twice", SELV_READ_WRITE, 0, 1024);
    ck_assert_str_eq(feed_edges(&f), "1>3 RAW; 2>3 RAW;");
}
END_TEST

START_TEST(sub_ranges_that_overlap_meet_in_exactly_their_common_bytes)
{
    on_range("all", SELV_WRITE, 0, 64);
    on_range("low", SELV_WRITE, 0, 32);
    on_range("add", SELV_READ_WRITE, 16, 48);
    on_range("read", SELV_READ, 0, 64);
    ck_assert_str_eq(feed_edges(&f), "1>2 WAW; 1>3 RAW r; 2>3 RAW; 1>4 RAW r; 2>4 RAW r; 3>4 RAW;");
    ck_assert_uint_eq(feed_edge(&f, 2, 3).begin, 16);
    ck_assert_uint_eq(feed_edge(&f, 2, 3).end, 32);
    ck_assert_uint_eq(feed_edge(&f, 1, 4).begin, 48);
    ck_assert_uint_eq(feed_edge(&f, 2, 4).end, 16);
}
END_TEST

START_TEST(accumulators_of_one_device_stay_unordered)
{
    feed_one(&f, "clear", SELV_WRITE, A);
    feed_one(&f, "add", SELV_ACCUMULATE, A);
    feed_one(&f, "add", SELV_ACCUMULATE, A);
    feed_one(&f, "read", SELV_READ, A);
    ck_assert_str_eq(feed_edges(&f), "1>2 RAW; 1>3 RAW; 1>4 RAW r; 2>4 RAW; 3>4 RAW;");
}
END_TEST

START_TEST(accumulators_of_two_devices_are_ordered)
{
    feed_task t = {.name = "add", .access_count = 1, .accesses = {feed_access(SELV_ACCUMULATE, A, 0, 4, 0, "x")}};
    feed_run(&f, t);
    t.device = 1;
    feed_run(&f, t);
    ck_assert_str_eq(feed_edges(&f), "1>2 RAW;");
}
END_TEST

START_TEST(a_task_is_compared_with_the_state_before_all_of_its_own_accesses)
{
    on_range("tree", SELV_READ_WRITE, 0, 1024);
    feed_run(&f, (feed_task){.name = "tree",
                             .access_count = 2,
                             .accesses = {feed_access(SELV_WRITE, A, 0, 64, 0, "to"),
                                          feed_access(SELV_READ, A, 64, 1024, 1, "from")}});
    ck_assert_str_eq(feed_edges(&f), "1>2 RAW; 1>2 WAW;");
}
END_TEST

START_TEST(both_arguments_of_a_producer_are_told_apart)
{
    feed_run(&f, (feed_task){.name = "split",
                             .access_count = 2,
                             .accesses = {feed_access(SELV_WRITE, A, 0, 512, 3, "low"),
                                          feed_access(SELV_WRITE, A, 512, 1024, 4, "high")}});
    on_range("sum", SELV_READ, 256, 1024);
    size_t count;
    selv_edge e[3];
    ck_assert_int_eq(selvi_recorder_edges(f.r, e, 3, &count), SELV_OK);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(e[0].from_argument, 3);
    ck_assert_str_eq(e[0].from_argument_name, "low");
    ck_assert_uint_eq(e[0].begin, 256);
    ck_assert_uint_eq(e[0].end, 512);
    ck_assert_int_eq(e[1].from_argument, 4);
    ck_assert_uint_eq(e[1].begin, 512);
    ck_assert_uint_eq(e[1].end, 1024);
}
END_TEST

START_TEST(rows_of_one_argument_are_one_edge_that_counts_them)
{
    on_range("all", SELV_WRITE, 0, 1024);
    feed_run(
        &f, (feed_task){.name = "column",
                        .access_count = 3,
                        .accesses = {feed_access(SELV_READ, A, 0, 4, 0, "x"), feed_access(SELV_READ, A, 64, 68, 0, "x"),
                                     feed_access(SELV_READ, A, 128, 132, 0, "x")}});
    selv_edge e = feed_edge(&f, 1, 2);
    ck_assert_uint_eq(e.ranges, 3);
    ck_assert_uint_eq(e.begin, 0);
    ck_assert_uint_eq(e.end, 132);
    ck_assert(!e.hull);
}
END_TEST

START_TEST(an_edge_tells_both_sides)
{
    feed_name(&f, A, "buffer", "small");
    selvi_fact_access assumed = feed_access(SELV_READ_WRITE, A, 0, 1024, 1, "a");
    assumed.flags = SELVI_ACCESS_ASSUMED;
    feed_run(&f, (feed_task){.name = "copy",
                             .kind = "copy",
                             .access_count = 1,
                             .accesses = {feed_access(SELV_WRITE, A, 0, 512, SELVI_NO_ARGUMENT, "destination")}});
    feed_run(&f, (feed_task){.name = "mix", .access_count = 1, .accesses = {assumed}});
    selv_edge e = feed_edge(&f, 1, 2);
    ck_assert_int_eq(e.kind, SELV_RAW);
    ck_assert_str_eq(e.from_name, "copy");
    ck_assert_str_eq(e.to_name, "mix");
    ck_assert_str_eq(e.allocation_name, "small");
    ck_assert_uint_eq(e.allocation, A);
    ck_assert_int_eq(e.from_argument, -1);
    ck_assert_str_eq(e.from_argument_name, "destination");
    ck_assert_int_eq(e.to_argument, 1);
    ck_assert_int_eq(e.from_mode, SELV_WRITE);
    ck_assert_int_eq(e.to_mode, SELV_READ_WRITE);
    ck_assert(e.assumed && e.to_assumed && !e.from_assumed);
    ck_assert_uint_eq(e.end, 512);
}
END_TEST

START_TEST(the_fate_is_what_the_scheduler_lived)
{
    uint64_t complete[4] = {0, 0, 0, 1};
    feed_task write = {.name = "w", .access_count = 1};
    for (uint32_t lane = 0; lane < 4; lane++) {
        write.lane = lane;
        write.accesses[0] = feed_access(SELV_WRITE, lane + 10, 0, 8, 0, "x");
        feed_run(&f, write);
    }
    feed_task read = {
        .name = "r", .lane = 0, .access_count = 4, .wait_count = 1, .waits = {{.lane = 1, .position = 1}}};
    read.horizon = (selvi_horizon){.complete = complete, .lanes = 4};
    for (unsigned i = 0; i < 4; i++)
        read.accesses[i] = feed_access(SELV_READ, i + 10, 0, 8, i, "x");
    feed_run(&f, read);
    ck_assert_int_eq(feed_edge(&f, 1, 5).fate, SELV_FATE_SAME_LANE);
    ck_assert_int_eq(feed_edge(&f, 2, 5).fate, SELV_FATE_WAIT);
    ck_assert_int_eq(feed_edge(&f, 3, 5).fate, SELV_FATE_IMPLIED);
    ck_assert_int_eq(feed_edge(&f, 4, 5).fate, SELV_FATE_COMPLETE);
}
END_TEST

START_TEST(edges_do_not_depend_on_what_was_complete)
{
    uint64_t complete[1] = {100};
    feed_one(&f, "w", SELV_WRITE, A);
    feed_run(&f, (feed_task){.name = "r",
                             .access_count = 1,
                             .accesses = {feed_access(SELV_READ, A, 0, 8, 0, "x")},
                             .lane = 3,
                             .horizon = {.complete = complete, .lanes = 1}});
    ck_assert_str_eq(feed_edges(&f), "1>2 RAW;");
    ck_assert_int_eq(feed_edge(&f, 1, 2).fate, SELV_FATE_COMPLETE);
}
END_TEST

START_TEST(a_task_given_up_after_reserve_leaves_nothing)
{
    selvi_fact_access access = feed_access(SELV_WRITE, A, 16, 32, 0, "x");
    selvi_fact_task given_up = {.kind = "launch", .name = "never", .access_count = 1, .accesses = &access};
    feed_one(&f, "w", SELV_WRITE, A);
    ck_assert_int_eq(f.observer.reserve(f.observer.self, &given_up), SELV_OK);
    feed_one(&f, "r", SELV_READ, A);
    ck_assert_str_eq(feed_edges(&f), "1>2 RAW;");
    ck_assert_uint_eq(feed_edge(&f, 1, 2).ranges, 1);
    ck_assert_uint_eq(feed_edge(&f, 1, 2).end, 1024);
}
END_TEST

START_TEST(no_edge_leads_across_a_gap)
{
    feed_one(&f, "w", SELV_WRITE, A);
    feed_one(&f, "w", SELV_WRITE, B);
    selvi_recorder_gap(f.r);
    feed_one(&f, "r", SELV_READ, A);
    feed_one(&f, "w", SELV_WRITE, A);
    ck_assert_str_eq(feed_edges(&f), "3>4 WAR;");
    ck_assert_uint_eq(selvi_recorder_tasks(f.r), 4);
}
END_TEST

START_TEST(too_small_an_array_gets_the_first_edges_and_the_full_count)
{
    size_t count = 0;
    selv_edge e = {0};
    for (int i = 0; i < 4; i++)
        feed_one(&f, "rw", SELV_READ_WRITE, A);
    ck_assert_int_eq(selvi_recorder_edges(f.r, &e, 1, &count), SELV_OK);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(e.from, 1);
    ck_assert_int_eq(e.to, 2);
    ck_assert_int_eq(selvi_recorder_edges(f.r, NULL, 1, &count), SELV_INVALID);
    ck_assert_int_eq(selvi_recorder_edges(f.r, &e, 1, NULL), SELV_INVALID);
}
END_TEST

START_TEST(nothing_recorded_is_an_empty_graph)
{
    size_t count = 1;
    ck_assert_int_eq(selvi_recorder_edges(NULL, NULL, 0, &count), SELV_OK);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(selvi_recorder_tasks(NULL), 0);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("recorder");
    tcase_add_checked_fixture(t, open_feed, close_feed);
    tcase_add_test(t, a_diamond_has_its_four_edges);
    tcase_add_test(t, a_write_after_a_reader_implies_its_order_after_the_first_write);
    tcase_add_test(t, two_readers_of_one_lane_and_then_a_write_make_two_edges);
    tcase_add_test(t, a_reader_after_two_readers_and_a_write_has_one_edge);
    tcase_add_test(t, disjoint_parts_have_no_edge_and_the_whole_has_one_to_each);
    tcase_add_test(t, sub_ranges_that_overlap_meet_in_exactly_their_common_bytes);
    tcase_add_test(t, accumulators_of_one_device_stay_unordered);
    tcase_add_test(t, accumulators_of_two_devices_are_ordered);
    tcase_add_test(t, a_task_is_compared_with_the_state_before_all_of_its_own_accesses);
    tcase_add_test(t, both_arguments_of_a_producer_are_told_apart);
    tcase_add_test(t, rows_of_one_argument_are_one_edge_that_counts_them);
    tcase_add_test(t, an_edge_tells_both_sides);
    tcase_add_test(t, the_fate_is_what_the_scheduler_lived);
    tcase_add_test(t, edges_do_not_depend_on_what_was_complete);
    tcase_add_test(t, a_task_given_up_after_reserve_leaves_nothing);
    tcase_add_test(t, no_edge_leads_across_a_gap);
    tcase_add_test(t, too_small_an_array_gets_the_first_edges_and_the_full_count);
    tcase_add_test(t, nothing_recorded_is_an_empty_graph);
    return run_case(t);
}
