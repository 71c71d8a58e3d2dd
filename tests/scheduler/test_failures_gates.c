/* Tasks behind unfinished foreign events: they hold up nobody else, do not count towards the limit, and their failure
   does not spread to work behind another gate. */
#include "scheduler/refusal_support.h"

#include <pthread.h>

enum { BROKEN = -5, MANY = 10000 };

static scene open_limited(void)
{
    const selv_config config = {.size = sizeof config, .tasks_in_flight = 16};
    return scene_open(&config);
}

START_TEST(independent_work_completes_while_a_gate_is_closed)
{
    scene w = scene_open(NULL);
    cl_event gate = gate_on(&w, w.x);
    selv_task behind = selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x);
    for (int i = 0; i < 200; i++)
        ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.z, i), 0);
    expect_all(&w, w.z, 199);
    ck_assert_int_eq(selv_ready(w.s, w.y), 0);
    ck_assert_int_eq(selv_ready(w.s, w.z), 1);
    open_gate(gate);
    ck_assert_int_eq(selv_wait_task(w.s, behind), 0);
    expect_all(&w, w.y, 7);
    scene_close(&w, 0);
}
END_TEST

START_TEST(work_that_waits_for_a_gate_and_for_the_device_gets_both)
{
    scene w = scene_open(NULL);
    cl_event gate = gate_on(&w, w.x);
    ck_assert_int_gt(selv_zero(w.s, w.z, BYTES), 0);
    ck_assert_int_gt(selv_launch(w.s, w.slow, selv_1d(ITEMS), w.z, 1000000), 0);
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), selv_inout(w.z), w.x), 0);
    ck_assert_int_eq(selv_ready(w.s, w.z), 0);
    open_gate(gate);
    int32_t got[ITEMS];
    uint32_t expected = 0;
    for (int i = 0; i < 1000000; i++)
        expected = expected * 1664525u + 1013904223u;
    ck_assert_int_eq(selv_read(w.s, got, w.z, BYTES), 0);
    ck_assert_int_eq(got[ITEMS - 1], (int32_t)(expected + 7));
    scene_close(&w, 0);
}
END_TEST

START_TEST(ten_thousand_tasks_behind_a_closed_gate_neither_block_nor_count_towards_the_limit)
{
    scene w = open_limited();
    selv_statistics n;
    cl_event gate = gate_on(&w, w.y);
    for (int i = 0; i < MANY; i++) /* the submitting thread has to come through, or the gate never opens */
        ck_assert_int_gt(selv_launch(w.s, w.bump, selv_1d(1), w.y), 0);
    for (int i = 0; i < 100; i++) /* work for the device, which does count */
        ck_assert_int_gt(selv_launch(w.s, w.bump, selv_1d(1), w.z), 0);
    ck_assert_int_eq(selv_wait(w.s, w.z), 0);
    ck_assert_int_eq(selv_stats(w.s, &n), 0);
    ck_assert_uint_ge(n.tasks_running, MANY);
    open_gate(gate);
    int got[ITEMS];
    ck_assert_int_eq(selv_read(w.s, got, w.y, BYTES), 0);
    ck_assert_int_eq(got[0], MANY);
    ck_assert_int_eq(selv_read(w.s, got, w.z, BYTES), 0);
    ck_assert_int_eq(got[0], 100);
    ck_assert_int_eq(selv_finish(w.s), 0);
    ck_assert_int_eq(selv_stats(w.s, &n), 0);
    ck_assert_uint_eq(n.tasks_running, 0);
    ck_assert_uint_eq(n.live_events, 0);
    scene_close(&w, 0);
}
END_TEST

/* Each on an item of its own, so that there are as many chains as tasks. */
START_TEST(many_chains_behind_one_gate_come_out_right)
{
    scene w = open_limited();
    int got[ITEMS];
    cl_event gate = gate_on(&w, w.z);
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < ITEMS; i++)
            ck_assert_int_gt(selv_launch(w.s, w.add, selv_offset(selv_1d(1), (size_t)i, 0, 0),
                                         selv_within(w.z, (size_t)i * 4, 4), w.x),
                             0);
    open_gate(gate);
    ck_assert_int_eq(selv_read(w.s, got, w.z, BYTES), 0);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], 70);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_failure_behind_one_gate_does_not_spread_to_work_behind_another)
{
    scene w = scene_open(NULL);
    cl_event bad = gate_on(&w, w.y), good = gate_on(&w, w.z);
    selv_task fails[20], runs[20];
    for (int i = 0; i < 20; i++) { /* in turn, as they would meet in shared queues */
        fails[i] = selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x);
        runs[i] = selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.x);
    }
    break_gate(bad, BROKEN);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(selv_wait_task(w.s, fails[i]), SELV_TASK_FAILED);
    ck_assert_int_eq(selv_failure(w.s), SELV_TASK_FAILED);
    open_gate(good);
    for (int i = 0; i < 20; i++)
        ck_assert_msg(!selv_wait_task(w.s, runs[i]), "%s", selv_error());
    expect_all(&w, w.z, 140);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_task_behind_two_gates_fails_with_the_one_that_failed_and_not_before_it_is_known)
{
    scene w = scene_open(NULL);
    cl_event a = gate_on(&w, w.x), b = user_event(selv_context(w.s));
    selv_task second = selv_adopt(w.s, b, selv_inout(w.y));
    selv_task t = selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x);
    selv_task other = selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.x); /* behind the first gate only */
    char first[32];
    snprintf(first, sizeof first, "t%lld adopted failed", (long long)second);
    break_gate(b, BROKEN);
    ck_assert_int_eq(selv_ready(w.s, w.z), 0);
    open_gate(a);
    ck_assert_int_eq(selv_wait_task(w.s, t), SELV_TASK_FAILED);
    expect_words((const char *const[]){first, NULL});
    ck_assert_msg(!selv_wait_task(w.s, other), "%s", selv_error());
    expect_all(&w, w.z, 7);
    ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_buffer_released_behind_a_gate_lives_until_its_last_task_has_run)
{
    scene w = scene_open(NULL);
    cl_mem m;
    ck_assert_int_eq(selv_buffer(w.s, BYTES, NULL, &m), 0);
    ck_assert_int_gt(selv_zero(w.s, m, BYTES), 0);
    cl_event gate = gate_on(&w, m);
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), m, w.x), 0);
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, m), 0);
    ck_assert_int_eq(selv_release(w.s, m), 0);
    open_gate(gate);
    expect_all(&w, w.z, 7);
    scene_close(&w, 0);
}
END_TEST

static void *open_soon(void *gate)
{
    usleep(50000);
    open_gate(gate);
    return NULL;
}

START_TEST(closing_waits_for_work_behind_a_gate_that_another_thread_opens)
{
    scene w = scene_open(NULL);
    cl_event gate = gate_on(&w, w.x);
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x), 0);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, open_soon, gate), 0);
    scene_close(&w, 0);
    pthread_join(thread, NULL);
}
END_TEST

START_TEST(gates_that_open_again_and_again_need_no_more_queues)
{
    scene w = scene_open(NULL);
    selv_statistics early, late;
    for (int i = 0; i < 300; i++) {
        cl_event gate = gate_on(&w, w.y);
        ck_assert_int_gt(selv_launch(w.s, w.bump, selv_1d(1), w.y), 0);
        open_gate(gate);
        ck_assert_int_eq(selv_wait(w.s, w.y), 0);
        if (i == 10)
            ck_assert_int_eq(selv_stats(w.s, &early), 0);
    }
    ck_assert_int_eq(selv_stats(w.s, &late), 0);
    ck_assert_uint_eq(late.lanes, early.lanes);
    ck_assert_uint_eq(late.parts, early.parts);
    int got[ITEMS];
    ck_assert_int_eq(selv_read(w.s, got, w.y, BYTES), 0);
    ck_assert_int_eq(got[0], 300);
    scene_close(&w, 0);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, independent_work_completes_while_a_gate_is_closed);
    tcase_add_test(t, work_that_waits_for_a_gate_and_for_the_device_gets_both);
    tcase_add_test(t, ten_thousand_tasks_behind_a_closed_gate_neither_block_nor_count_towards_the_limit);
    tcase_add_test(t, many_chains_behind_one_gate_come_out_right);
    tcase_add_test(t, a_failure_behind_one_gate_does_not_spread_to_work_behind_another);
    tcase_add_test(t, a_task_behind_two_gates_fails_with_the_one_that_failed_and_not_before_it_is_known);
    tcase_add_test(t, a_buffer_released_behind_a_gate_lives_until_its_last_task_has_run);
    tcase_add_test(t, closing_waits_for_work_behind_a_gate_that_another_thread_opens);
    tcase_add_test(t, gates_that_open_again_and_again_need_no_more_queues);
}

int main(void)
{
    return run_tests("failures_gates", add_tests, 30);
}
