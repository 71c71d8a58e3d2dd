#include "graph/feed.h"
#include "graph/suite.h"

#include "base/status.h"

enum { SMALL = 1, OTHER = 3, MIB = 1 << 20 };

static feed f;

static void open_feed(void)
{
    feed_open(&f, 0);
    feed_name(&f, SMALL, "buffer", "small");
    feed_name(&f, OTHER, "buffer", NULL);
}

static void close_feed(void)
{
    feed_close(&f);
}

/* One access of 4 MiB of `small`. */
static feed_task on_small(const char *name, uint32_t lane, selv_mode mode, unsigned argument, const char *parameter)
{
    return (feed_task){.name = name,
                       .lane = lane,
                       .access_count = 1,
                       .accesses = {feed_access(mode, SMALL, 0, 4 * MIB, argument, parameter)}};
}

static feed_task waiting(feed_task t, uint32_t lane, uint64_t position)
{
    t.waits[t.wait_count++] = (selvi_epoch){.lane = lane, .position = position};
    return t;
}

START_TEST(a_wait_is_told_with_both_sides)
{
    feed_run(&f, on_small("blur", 0, SELV_WRITE, 0, "dst"));
    selv_task mix = feed_run(&f, waiting(on_small("mix", 1, SELV_READ, 1, "a"), 0, 1));
    ck_assert_str_eq(feed_explain(&f, mix), "t2 mix waits for t1 blur: RAW on small [0, 4 MiB): blur argument 0 (dst) "
                                            "writes, mix argument 1 (a) reads\n");
}
END_TEST

START_TEST(a_task_without_edges_depends_on_nothing)
{
    selv_task blur = feed_run(&f, on_small("blur", 0, SELV_WRITE, 0, "dst"));
    ck_assert_str_eq(feed_explain(&f, blur), "t1 blur depends on nothing\n");
}
END_TEST

START_TEST(an_order_of_the_same_lane_says_so)
{
    feed_run(&f, on_small("blur", 0, SELV_READ, 0, NULL));
    selv_task mix = feed_run(&f, on_small("mix", 0, SELV_WRITE, 1, NULL));
    ck_assert_str_eq(feed_explain(&f, mix), "t2 mix comes without a wait after t1 blur (same lane): WAR on small [0, 4 "
                                            "MiB): blur argument 0 reads, mix argument 1 writes\n");
}
END_TEST

START_TEST(a_producer_that_was_complete_says_so)
{
    uint64_t complete[1] = {1};
    feed_task mix = on_small("mix", 1, SELV_WRITE, 1, "a");
    mix.horizon = (selvi_horizon){.complete = complete, .lanes = 1};
    feed_run(&f, on_small("blur", 0, SELV_WRITE, 0, "dst"));
    ck_assert_str_eq(feed_explain(&f, feed_run(&f, mix)),
                     "t2 mix comes without a wait after t1 blur (already complete when t2 was submitted): WAW on small "
                     "[0, 4 MiB): blur argument 0 (dst) writes, mix argument 1 (a) writes\n");
}
END_TEST

START_TEST(an_implied_order_names_the_task_that_implies_it)
{
    feed_run(&f, on_small("a", 0, SELV_WRITE, 0, "x"));
    feed_run(&f, waiting(on_small("b", 1, SELV_READ, 0, "x"), 0, 1));
    feed_run(&f, (feed_task){.name = "between", .lane = 1});
    selv_task c = feed_run(&f, waiting(on_small("c", 2, SELV_WRITE, 0, "x"), 1, 2));
    ck_assert_str_eq(feed_explain(&f, c), "t4 c comes without a wait after t1 a (implied by t3): WAW on small [0, 4 "
                                          "MiB): a argument 0 (x) writes, c argument 0 (x) writes\n"
                                          "t4 c comes without a wait after t2 b (implied by t3): WAR on small [0, 4 "
                                          "MiB): b argument 0 (x) reads, c argument 0 (x) writes\n");
}
END_TEST

START_TEST(an_order_can_be_implied_by_the_task_before_on_the_lane)
{
    feed_run(&f, on_small("a", 0, SELV_WRITE, 0, "x"));
    feed_run(&f, waiting(on_small("b", 1, SELV_READ, 0, "x"), 0, 1));
    selv_task c = feed_run(&f, on_small("c", 1, SELV_READ, 0, "x"));
    ck_assert_str_eq(feed_explain(&f, c), "t3 c comes without a wait after t1 a (implied by t2): RAW on small [0, 4 "
                                          "MiB): a argument 0 (x) writes, c argument 0 (x) reads\n");
}
END_TEST

START_TEST(an_assumed_mode_comes_with_the_advice)
{
    feed_task mix = on_small("mix", 0, SELV_READ_WRITE, 1, "a");
    mix.accesses[0].flags = SELVI_ACCESS_ASSUMED;
    feed_run(&f, on_small("blur", 0, SELV_READ, 0, "src"));
    ck_assert_str_eq(feed_explain(&f, feed_run(&f, mix)),
                     "t2 mix comes without a wait after t1 blur (same lane): WAR on small [0, 4 MiB): blur argument 0 "
                     "(src) reads, mix argument 1 (a) reads and writes (assumed: if it only reads, declare it const or "
                     "use selv_in)\n");
}
END_TEST

START_TEST(unnamed_memory_has_a_number_and_odd_sizes_are_bytes)
{
    selvi_fact_access to = feed_access(SELV_WRITE, OTHER, 512, 4096, SELVI_NO_ARGUMENT, "destination");
    feed_run(&f, (feed_task){.name = "copy", .kind = "copy", .access_count = 1, .accesses = {to}});
    feed_run(&f, (feed_task){.name = "sum",
                             .access_count = 1,
                             .accesses = {feed_access(SELV_ACCUMULATE, OTHER, 0, 1000, 0, "s")}});
    ck_assert_str_eq(feed_explain(&f, 2), "t2 sum comes without a wait after t1 copy (same lane): RAW on buffer #3 "
                                          "[512, 1000): copy destination writes, sum argument 0 (s) accumulates\n");
}
END_TEST

START_TEST(host_memory_is_told_by_its_addresses)
{
    feed_name(&f, 9, "host memory", NULL);
    selvi_fact_access read =
        feed_access(SELV_WRITE, 9, 0x7f0000001000, 0x7f0000002000, SELVI_NO_ARGUMENT, "destination");
    selvi_fact_access write = feed_access(SELV_READ, 9, 0x7f0000001000, 0x7f0000001800, SELVI_NO_ARGUMENT, "source");
    feed_run(&f, (feed_task){.name = "read", .kind = "read", .access_count = 1, .accesses = {read}});
    feed_run(&f, (feed_task){.name = "write", .kind = "write", .access_count = 1, .accesses = {write}});
    ck_assert_str_eq(feed_explain(&f, 2),
                     "t2 write comes without a wait after t1 read (same lane): RAW on host memory "
                     "[0x7f0000001000, 0x7f0000001800): read destination writes, write source reads\n");
}
END_TEST

START_TEST(a_failure_comes_first_with_its_cause)
{
    feed_run(&f, on_small("blur", 0, SELV_WRITE, 0, "dst"));
    feed_task mix = on_small("mix", 0, SELV_READ, 1, "a");
    mix.failed = true;
    feed_run(&f, mix);
    f.observer.failed(f.observer.self, 1, "CL_OUT_OF_RESOURCES");
    ck_assert_str_eq(feed_explain(&f, 1), "t1 blur failed: CL_OUT_OF_RESOURCES\nt1 blur depends on nothing\n");
    ck_assert_str_eq(feed_explain(&f, 2), "t2 mix was not run: something that it needs had failed\n"
                                          "t2 mix comes without a wait after t1 blur (not run): RAW on small [0, 4 "
                                          "MiB): blur argument 0 (dst) writes, mix argument 1 (a) reads\n");
}
END_TEST

START_TEST(a_task_that_was_never_recorded_is_unknown)
{
    char text[64] = "old";
    ck_assert_int_eq(selvi_graph_explain(f.r, 7, text, sizeof text), SELV_UNKNOWN_TASK);
    ck_assert_str_eq(text, "");
    ck_assert_ptr_nonnull(strstr(selv_error(), "task t7 was not recorded"));
    ck_assert_int_eq(selvi_graph_explain(NULL, 7, text, sizeof text), SELV_UNKNOWN_TASK);
    ck_assert_int_eq(selvi_graph_explain(f.r, 7, NULL, 64), SELV_INVALID);
    ck_assert_int_eq(selvi_graph_explain(f.r, 7, text, 0), SELV_INVALID);
}
END_TEST

START_TEST(a_forgotten_task_and_forgotten_edges_are_told)
{
    feed few;
    char text[64];
    feed_open(&few, 2);
    feed_one(&few, "first", SELV_READ, 1);
    feed_one(&few, "second", SELV_READ, 1);
    feed_one(&few, "third", SELV_WRITE, 1);
    ck_assert_str_eq(feed_explain(&few, 3),
                     "t3 third comes without a wait after t2 second (same lane): WAR on memory #1 [0, 1 KiB): second "
                     "argument 0 (x) reads, third argument 0 (x) writes\n"
                     "(1 of its edges came from some of the 1 older tasks that are no longer kept)\n");
    ck_assert_int_eq(selvi_graph_explain(few.r, 1, text, sizeof text), SELV_UNKNOWN_TASK);
    ck_assert_ptr_nonnull(strstr(selv_error(), "task t1 is no longer kept: the graph keeps the newest 2 tasks"));
    feed_close(&few);
}
END_TEST

START_TEST(what_does_not_fit_is_cut_after_a_whole_line)
{
    char text[160];
    for (int i = 0; i < 5; i++)
        feed_run(&f, on_small("r", 0, SELV_READ, 0, "x"));
    selv_task w = feed_run(&f, on_small("w", 0, SELV_WRITE, 0, "x"));
    ck_assert_int_eq(selvi_graph_explain(f.r, w, text, sizeof text), SELV_OK);
    ck_assert_str_eq(text,
                     "t6 w comes without a wait after t1 r (same lane): WAR on small [0, 4 MiB): r argument 0 (x) "
                     "reads, w argument 0 (x) writes\n...\n");
    for (size_t bytes = 1; bytes < sizeof text; bytes++) {
        memset(text, '!', sizeof text);
        ck_assert_int_eq(selvi_graph_explain(f.r, w, text, bytes), SELV_OK);
        ck_assert_uint_lt(strnlen(text, sizeof text), bytes);
        ck_assert(text[0] == 0 || text[strlen(text) - 1] == '\n');
    }
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("explain");
    tcase_add_checked_fixture(t, open_feed, close_feed);
    tcase_add_test(t, a_wait_is_told_with_both_sides);
    tcase_add_test(t, a_task_without_edges_depends_on_nothing);
    tcase_add_test(t, an_order_of_the_same_lane_says_so);
    tcase_add_test(t, a_producer_that_was_complete_says_so);
    tcase_add_test(t, an_implied_order_names_the_task_that_implies_it);
    tcase_add_test(t, an_order_can_be_implied_by_the_task_before_on_the_lane);
    tcase_add_test(t, an_assumed_mode_comes_with_the_advice);
    tcase_add_test(t, unnamed_memory_has_a_number_and_odd_sizes_are_bytes);
    tcase_add_test(t, host_memory_is_told_by_its_addresses);
    tcase_add_test(t, a_failure_comes_first_with_its_cause);
    tcase_add_test(t, a_task_that_was_never_recorded_is_unknown);
    tcase_add_test(t, a_forgotten_task_and_forgotten_edges_are_told);
    tcase_add_test(t, what_does_not_fit_is_cut_after_a_whole_line);
    return run_case(t);
}
