/* Whatever allocation fails: reserve says so, and nothing has changed. */
#include "graph/feed.h"
#include "graph/suite.h"

static long fails_in = -1; /* this allocation of the library fails, counted from 0; -1: none */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);

static bool fails_now(void)
{
    return fails_in >= 0 && fails_in-- == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return fails_now() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails_now() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *p, size_t bytes)
{
    return fails_now() ? NULL : __real_realloc(p, bytes);
}

static void run_a_little(feed *f)
{
    feed_name(f, 1, "buffer", "field");
    feed_one(f, "w", SELV_WRITE, 1);
    feed_one(f, "r", SELV_READ, 1);
    feed_one(f, "r", SELV_READ, 1);
    feed_two(f, "w", SELV_WRITE, 2, SELV_READ, 1);
}

static const feed_task demanding = {.name = "name that is new",
                                    .access_count = 3,
                                    .wait_count = 1,
                                    .waits = {{.lane = 0, .position = 4}},
                                    .accesses = {{.allocation = 1, .begin = 64, .end = 128, .mode = SELV_READ_WRITE},
                                                 {.allocation = 2, .begin = 0, .end = 64, .mode = SELV_READ},
                                                 {.allocation = 3, .begin = 8, .end = 16, .mode = SELV_ACCUMULATE}}};

static const char before_it[] = "1>2 RAW; 1>3 RAW; 1>4 RAW;";
static const char after_it[] = "1>2 RAW; 1>3 RAW; 1>4 RAW; 1>5 RAW r; 2>5 WAR; 3>5 WAR; 4>5 WAR; 4>5 RAW;";

START_TEST(a_refused_reserve_changes_nothing)
{
    selv_status st = CL_OUT_OF_HOST_MEMORY;
    long n = 0;
    for (; st; n++) {
        feed f;
        feed_open(&f, 0);
        run_a_little(&f);
        fails_in = n;
        st = feed_try(&f, demanding);
        fails_in = -1;
        ck_assert(st == SELV_OK || st == CL_OUT_OF_HOST_MEMORY);
        ck_assert_str_eq(feed_edges(&f), st ? before_it : after_it);
        if (st)
            feed_run(&f, demanding);
        ck_assert_str_eq(feed_edges(&f), after_it);
        feed_close(&f);
        ck_assert_int_lt(n, 1000);
    }
    ck_assert_int_gt(n, 8);
}
END_TEST

START_TEST(a_name_without_room_is_lost_and_the_task_is_not)
{
    for (long n = 0; n < 4; n++) {
        feed f;
        feed_open(&f, 0);
        fails_in = n;
        feed_name(&f, 1, "buffer", "field");
        fails_in = -1;
        feed_one(&f, "w", SELV_WRITE, 1);
        feed_one(&f, "r", SELV_READ, 1);
        ck_assert_str_eq(feed_edges(&f), "1>2 RAW;");
        feed_close(&f);
    }
}
END_TEST

static selv_status explain(const feed *f)
{
    char text[256];
    return selvi_graph_explain(f->r, 4, text, sizeof text);
}

static selv_status count_edges(const feed *f)
{
    size_t count;
    return selvi_recorder_edges(f->r, NULL, 0, &count);
}

static void fails_cleanly(selv_status (*query)(const feed *f))
{
    feed f;
    selv_status st = CL_OUT_OF_HOST_MEMORY;
    long n = 0;
    feed_open(&f, 0);
    run_a_little(&f);
    for (; st; n++) {
        fails_in = n;
        st = query(&f);
        fails_in = -1;
        ck_assert(st == SELV_OK || st == CL_OUT_OF_HOST_MEMORY);
        ck_assert_int_lt(n, 100);
    }
    ck_assert_int_gt(n, 2);
    feed_close(&f);
}

START_TEST(queries_fail_cleanly)
{
    fails_cleanly(explain);
    fails_cleanly(count_edges);
}
END_TEST

START_TEST(a_recorder_that_cannot_be_made_is_not)
{
    selvi_recorder *r = NULL;
    selvi_observer observer;
    fails_in = 0;
    ck_assert_int_eq(selvi_recorder_create(0, &r, &observer), CL_OUT_OF_HOST_MEMORY);
    fails_in = -1;
    ck_assert_ptr_null(r);
    selvi_recorder_destroy(r);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("out of memory");
    tcase_add_test(t, a_refused_reserve_changes_nothing);
    tcase_add_test(t, a_name_without_room_is_lost_and_the_task_is_not);
    tcase_add_test(t, queries_fail_cleanly);
    tcase_add_test(t, a_recorder_that_cannot_be_made_is_not);
    return run_case(t);
}
