/* Redundant edges against reachability by brute force. */
#include "graph/feed.h"
#include "graph/suite.h"

#include <stdio.h>
#include <time.h>

enum { TASKS = 60, MOST_EDGES = 20000 };

static bool edge[TASKS + 1][TASKS + 1];

static bool goes_round(int from, int to)
{
    static bool reached[TASKS + 1];
    memset(reached, 0, sizeof reached);
    for (int middle = from + 1; middle < to; middle++)
        for (int before = from; before < middle && !reached[middle]; before++)
            reached[middle] = edge[before][middle] && (before == from || reached[before]);
    for (int middle = from + 1; middle < to; middle++)
        if (reached[middle] && edge[middle][to])
            return true;
    return false;
}

static void run_random_program(feed *f, unsigned seed)
{
    srand(seed);
    for (int i = 0; i < TASKS; i++) {
        feed_task t = {.name = "k", .lane = (uint32_t)(rand() % 4), .access_count = 1 + (size_t)(rand() % 3)};
        for (size_t a = 0; a < t.access_count; a++) {
            uint64_t begin = (uint64_t)(rand() % 7) * 8, end = begin + 8 * (1 + (uint64_t)(rand() % 4));
            selv_mode mode = rand() % 5 < 3 ? SELV_READ : (selv_mode)(SELV_READ + rand() % 4);
            t.accesses[a] = feed_access(mode, 1 + a * 2 + (uint64_t)(rand() % 2), begin, end, (unsigned)a, "x");
        }
        feed_run(f, t);
    }
}

static void compare_with_brute_force(const feed *f, unsigned seed)
{
    static selv_edge edges[MOST_EDGES];
    size_t count;
    ck_assert_int_eq(selvi_recorder_edges(f->r, edges, MOST_EDGES, &count), SELV_OK);
    ck_assert_uint_le(count, MOST_EDGES);
    ck_assert_uint_gt(count, TASKS / 2);
    memset(edge, 0, sizeof edge);
    for (size_t i = 0; i < count; i++)
        edge[edges[i].from][edges[i].to] = true;
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(edges[i].redundant == goes_round((int)edges[i].from, (int)edges[i].to), "seed %u: t%lld to t%lld",
                      seed, (long long)edges[i].from, (long long)edges[i].to);
}

START_TEST(an_edge_is_redundant_exactly_if_a_path_goes_round)
{
    for (unsigned seed = 1; seed <= 200; seed++) {
        feed f;
        feed_open(&f, 0);
        run_random_program(&f, seed);
        compare_with_brute_force(&f, seed);
        feed_close(&f);
    }
}
END_TEST

START_TEST(redundant_paths_over_forgotten_tasks_do_not_count)
{
    feed f;
    feed_open(&f, 2);
    feed_one(&f, "w", SELV_WRITE, 1);
    feed_two(&f, "rw", SELV_READ_WRITE, 1, SELV_WRITE, 2);
    feed_two(&f, "r", SELV_READ, 1, SELV_READ, 2);
    ck_assert_str_eq(feed_edges(&f), "2>3 RAW; 2>3 RAW;");
    feed_close(&f);
}
END_TEST

/* Eight chains that read what was filled once, and meet now and then: as a solver does. */
static void run_solver(feed *f, int steps)
{
    feed_one(f, "fill", SELV_WRITE, 1);
    for (int i = 0; i < steps; i++) {
        if (i % 64 == 63)
            feed_two(f, "exchange", SELV_READ_WRITE, 10 + (uint64_t)(i / 64 % 8), SELV_READ_WRITE,
                     10 + (uint64_t)((i / 64 + 1) % 8));
        else
            feed_two(f, "step", SELV_READ, 1, SELV_READ_WRITE, 10 + (uint64_t)(i % 8));
    }
}

START_TEST(twenty_thousand_tasks_are_reduced_in_a_moment)
{
    feed f;
    size_t count;
    feed_open(&f, 0);
    run_solver(&f, 20000);
    clock_t begin = clock();
    ck_assert_int_eq(selvi_recorder_edges(f.r, NULL, 0, &count), SELV_OK);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ck_assert_uint_gt(count, 30000);
    ck_assert_msg(seconds < 2, "%zu edges took %.2f s", count, seconds);
    feed_close(&f);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("reduction");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, an_edge_is_redundant_exactly_if_a_path_goes_round);
    tcase_add_test(t, redundant_paths_over_forgotten_tasks_do_not_count);
    tcase_add_test(t, twenty_thousand_tasks_are_reduced_in_a_moment);
    return run_case(t);
}
