#include "graph/feed.h"
#include "graph/suite.h"

#include <malloc.h>

START_TEST(the_oldest_tasks_are_forgotten_and_counted)
{
    feed f;
    feed_open(&f, 4);
    for (int i = 0; i < 10; i++)
        feed_one(&f, "rw", SELV_READ_WRITE, 1);
    ck_assert_uint_eq(selvi_recorder_tasks(f.r), 4);
    ck_assert_uint_eq(f.observer.records(f.observer.self), 4);
    ck_assert_uint_eq(selvi_recorder_forgotten(f.r), 6);
    ck_assert_str_eq(feed_edges(&f), "7>8 RAW; 8>9 RAW; 9>10 RAW;");
    feed_close(&f);
}
END_TEST

START_TEST(a_forgotten_producer_makes_no_edge)
{
    feed f;
    feed_open(&f, 3);
    feed_one(&f, "w", SELV_WRITE, 1);
    for (int i = 0; i < 5; i++)
        feed_one(&f, "other", SELV_WRITE, 2);
    feed_one(&f, "r", SELV_READ, 1);
    ck_assert_str_eq(feed_edges(&f), "5>6 WAW;");
    feed_close(&f);
}
END_TEST

START_TEST(readers_that_share_a_slot_are_never_mistaken)
{
    feed f;
    feed_open(&f, 3);
    for (int i = 0; i < 8; i++)
        feed_one(&f, "r", SELV_READ, 1);
    feed_one(&f, "w", SELV_WRITE, 1);
    ck_assert_str_eq(feed_edges(&f), "7>9 WAR; 8>9 WAR;");
    feed_close(&f);
}
END_TEST

START_TEST(tasks_with_very_many_accesses_are_forgotten_sooner)
{
    enum { ROWS = 64 };
    feed f;
    feed_open(&f, 16); /* 256 items */
    selvi_fact_access rows[ROWS];
    selvi_fact_task fact = {.kind = "launch", .name = "rows", .access_count = ROWS, .accesses = rows};
    for (unsigned i = 0; i < ROWS; i++)
        rows[i] = feed_access(SELV_WRITE, 1, i * 8, i * 8 + 4, 0, "x");
    for (fact.task = 1; fact.task <= 12; fact.task++) {
        ck_assert_int_eq(f.observer.reserve(f.observer.self, &fact), SELV_OK);
        f.observer.task(f.observer.self, &fact);
    }
    ck_assert_uint_eq(selvi_recorder_tasks(f.r), 3); /* 64 accesses and one reason each */
    ck_assert_uint_eq(selvi_recorder_forgotten(f.r), 9);
    ck_assert_str_eq(feed_edges(&f), "10>11 WAW; 11>12 WAW;");
    feed_close(&f);
}
END_TEST

/* What the library holds, counted at the calls themselves so that it is the same under a sanitizer; not what Check
   allocates between. */
static size_t bytes_in_use;
static bool counting;

static size_t counted(void *p)
{
    return counting ? malloc_usable_size(p) : 0;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void __wrap_free(void *p);

void *__wrap_malloc(size_t bytes)
{
    void *p = __real_malloc(bytes);
    bytes_in_use += counted(p);
    return p;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *p = __real_calloc(count, bytes);
    bytes_in_use += counted(p);
    return p;
}

void *__wrap_realloc(void *p, size_t bytes)
{
    size_t before = counted(p);
    void *grown = __real_realloc(p, bytes);
    bytes_in_use += counted(grown) - before;
    return grown;
}

void __wrap_free(void *p)
{
    bytes_in_use -= counted(p);
    __real_free(p);
}

/* Every task reads one buffer that all share, updates another, and writes a small one that is released at once. */
static selv_status run_step(feed *f, uint64_t i, bool releases)
{
    uint64_t fresh = 100 + (uint64_t)f->last, at = i * 64 % 8192;
    feed_name(f, fresh, "buffer", NULL);
    selv_status st = feed_try(f, (feed_task){.name = "step",
                                             .lane = (uint32_t)(i % 8),
                                             .access_count = 3,
                                             .accesses = {feed_access(SELV_READ, 1, 0, 8192, 0, "in"),
                                                          feed_access(SELV_READ_WRITE, 2, at, at + 96, 1, "state"),
                                                          feed_access(SELV_WRITE, fresh, 0, 64, 2, "out")}});
    if (releases)
        f->observer.released(f->observer.self, fresh);
    return st;
}

static void run_many(feed *f, uint64_t tasks, bool releases)
{
    selv_status st = SELV_OK;
    counting = true;
    for (uint64_t i = 0; !st && i < tasks; i++)
        st = run_step(f, i, releases);
    counting = false;
    ck_assert_int_eq(st, SELV_OK);
}

static void stays_flat(size_t most_tasks, uint64_t few, uint64_t many, bool releases)
{
    feed f = {0};
    counting = true;
    selv_status st = selvi_recorder_create(most_tasks, &f.r, &f.observer);
    counting = false;
    ck_assert_int_eq(st, SELV_OK);
    run_many(&f, few, releases);
    size_t before = bytes_in_use;
    ck_assert_uint_gt(before, most_tasks * 3 * sizeof(selvi_fact_access));
    run_many(&f, many, releases);
    ck_assert_msg(bytes_in_use < before + before / 2, "%zu bytes in use grew to %zu", before, bytes_in_use);
    ck_assert_uint_eq(selvi_recorder_tasks(f.r) + selvi_recorder_forgotten(f.r), few + many);
    counting = true;
    feed_close(&f);
    counting = false;
    ck_assert_uint_eq(bytes_in_use, 0);
}

START_TEST(memory_stays_flat_over_many_tasks)
{
    stays_flat(256, 10000, 100000, true);
}
END_TEST

START_TEST(allocations_that_nobody_releases_are_bounded_too)
{
    stays_flat(64, 5000, 50000, false);
}
END_TEST

START_TEST(the_name_of_an_allocation_outlives_its_forgotten_tasks)
{
    feed f;
    feed_open(&f, 4);
    feed_name(&f, 1, "buffer", "field");
    for (int i = 0; i < 100; i++)
        feed_one(&f, "w", SELV_WRITE, 2);
    feed_one(&f, "w", SELV_WRITE, 1);
    selv_task last = feed_one(&f, "r", SELV_READ, 1);
    ck_assert_str_eq(feed_edge(&f, last - 1, last).allocation_name, "field");
    feed_close(&f);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("bounds");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, the_oldest_tasks_are_forgotten_and_counted);
    tcase_add_test(t, a_forgotten_producer_makes_no_edge);
    tcase_add_test(t, readers_that_share_a_slot_are_never_mistaken);
    tcase_add_test(t, tasks_with_very_many_accesses_are_forgotten_sooner);
    tcase_add_test(t, memory_stays_flat_over_many_tasks);
    tcase_add_test(t, allocations_that_nobody_releases_are_bounded_too);
    tcase_add_test(t, the_name_of_an_allocation_outlives_its_forgotten_tasks);
    return run_case(t);
}
