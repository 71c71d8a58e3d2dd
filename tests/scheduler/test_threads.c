/* Every function may be called from every thread. */
#include "scheduler/refusal_support.h"

#include <pthread.h>

#if defined(__SANITIZE_THREAD__)
enum { THREADS = 8, LAUNCHES = 100 }; /* the sanitizer makes everything some ten times slower */
#else
enum { THREADS = 8, LAUNCHES = 1000 };
#endif

typedef struct worker {
    scene *w;
    int number;
    cl_mem own, shared;
    int failures; /* assertions belong to the test's own thread */
    char text[256];
} worker;

static void note(worker *k, long long got)
{
    if (got >= 0)
        return;
    k->failures++;
    snprintf(k->text, sizeof k->text, "%s", selv_error());
}

static void run_workers(scene *w, void *(*body)(void *), worker *k)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        k[i].w = w;
        k[i].number = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, body, &k[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(!k[i].failures, "thread %d: %d failures: %s", i, k[i].failures, k[i].text);
}

static void *set_own(void *user)
{
    worker *k = user;
    for (int i = 0; i < LAUNCHES; i++)
        note(k, selv_launch(k->w->s, k->w->set, selv_1d(ITEMS), k->own, k->number * LAUNCHES + i));
    return NULL;
}

START_TEST(one_kernel_object_from_eight_threads_never_mixes_arguments)
{
    scene w = scene_open(NULL);
    worker k[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(selv_buffer(w.s, BYTES, NULL, &k[i].own), 0);
    run_workers(&w, set_own, k);
    for (int i = 0; i < THREADS; i++) {
        expect_all(&w, k[i].own, i * LAUNCHES + LAUNCHES - 1);
        ck_assert_int_eq(selv_release(w.s, k[i].own), 0);
    }
    selv_statistics n = stats_of(&w);
    ck_assert_uint_eq(n.tasks, THREADS * LAUNCHES + THREADS);
    scene_close(&w, 0);
}
END_TEST

/* y += x, no atomics: only the order of the tasks keeps the sum right. */
static void *add_to_shared(void *user)
{
    worker *k = user;
    for (int i = 0; i < LAUNCHES / 4; i++)
        note(k, selv_launch(k->w->s, k->w->add, selv_1d(ITEMS), k->w->y, k->w->x));
    return NULL;
}

START_TEST(eight_threads_that_add_to_one_buffer_get_the_sum)
{
    scene w = scene_open(NULL);
    worker k[THREADS] = {{0}};
    run_workers(&w, add_to_shared, k);
    expect_all(&w, w.y, 7 * THREADS * (LAUNCHES / 4));
    scene_close(&w, 0);
}
END_TEST

static void *write_and_read(void *user)
{
    worker *k = user;
    int sent[ITEMS], got[ITEMS];
    for (int i = 0; i < LAUNCHES / 10; i++) {
        for (int j = 0; j < ITEMS; j++)
            sent[j] = k->number + i + j;
        note(k, selv_write(k->w->s, k->own, sent, BYTES));
        note(k, selv_launch(k->w->s, k->w->add, selv_1d(ITEMS), k->own, k->w->x));
        note(k, selv_wait(k->w->s, k->own));
        note(k, selv_ready(k->w->s, k->own));
        note(k, selv_read(k->w->s, got, k->own, BYTES));
        for (int j = 0; j < ITEMS; j++)
            k->failures += got[j] != sent[j] + 7;
    }
    return NULL;
}

START_TEST(eight_threads_that_write_launch_wait_and_read_see_their_own_values)
{
    scene w = scene_open(NULL);
    worker k[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(selv_buffer(w.s, BYTES, NULL, &k[i].own), 0);
    run_workers(&w, write_and_read, k);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(selv_release(w.s, k[i].own), 0);
    scene_close(&w, 0);
}
END_TEST

static void *open_and_close(void *user)
{
    worker *k = user;
    for (int i = 0; i < 5; i++) {
        selv_scheduler *s = NULL;
        cl_mem m = NULL;
        int got = 0;
        note(k, selv_open(NULL, &s));
        if (!s)
            continue;
        note(k, selv_buffer(s, BYTES, NULL, &m));
        note(k, selv_fill(s, m, k->number, BYTES));
        note(k, selv_read(s, &got, m, 4));
        note(k, selv_release(s, m));
        note(k, selv_close(s));
        k->failures += got != k->number;
    }
    return NULL;
}

START_TEST(schedulers_may_be_opened_and_closed_at_the_same_time)
{
    scene w = scene_open(NULL);
    worker k[THREADS] = {{0}};
    run_workers(&w, open_and_close, k);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

/* Thread 0 makes, uses and releases; the others launch on what is theirs, while handles are used anew all the time. */
static void *release_or_launch(void *user)
{
    worker *k = user;
    for (int i = 0; i < LAUNCHES / 4; i++) {
        cl_mem m = NULL;
        if (k->number) {
            note(k, selv_launch(k->w->s, k->w->set, selv_1d(ITEMS), k->own, k->number * 10));
            continue;
        }
        note(k, selv_buffer(k->w->s, BYTES, NULL, &m));
        note(k, selv_launch(k->w->s, k->w->set, selv_1d(ITEMS), m, 1));
        note(k, selv_launch(k->w->s, k->w->add, selv_1d(ITEMS), k->own, m));
        note(k, selv_release(k->w->s, m));
    }
    return NULL;
}

START_TEST(one_thread_releases_while_the_others_launch)
{
    scene w = scene_open(NULL);
    worker k[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(selv_buffer(w.s, BYTES, NULL, &k[i].own), 0);
        ck_assert_int_gt(selv_zero(w.s, k[i].own, BYTES), 0);
    }
    run_workers(&w, release_or_launch, k);
    for (int i = 0; i < THREADS; i++) {
        expect_all(&w, k[i].own, i ? i * 10 : LAUNCHES / 4);
        ck_assert_int_eq(selv_release(w.s, k[i].own), 0);
    }
    scene_close(&w, 0);
}
END_TEST

static void *first_use(void *user)
{
    worker *k = user;
    for (int i = 0; i < 8; i++) /* sub-buffers, private copies: whoever comes second finds them made */
        note(k, selv_launch(k->w->s, k->w->bump, selv_1d(1), selv_part(k->shared, (size_t)(i % 4) * 1024, 64)));
    return NULL;
}

START_TEST(what_is_made_on_first_use_is_made_once_by_whichever_thread_comes_first)
{
    scene w = scene_open(NULL);
    int got[1024];
    for (int round = 0; round < 10; round++) {
        worker k[THREADS] = {{0}};
        cl_mem shared;
        ck_assert_int_eq(selv_forget_kernel(w.s, w.bump), 0);
        ck_assert_int_eq(selv_buffer(w.s, sizeof got, NULL, &shared), 0);
        ck_assert_int_gt(selv_zero(w.s, shared, sizeof got), 0);
        for (int i = 0; i < THREADS; i++)
            k[i].shared = shared;
        run_workers(&w, first_use, k);
        ck_assert_int_eq(selv_read(w.s, got, shared, sizeof got), 0);
        for (int i = 0; i < 4; i++)
            ck_assert_int_eq(got[i * 256], 2 * THREADS);
        ck_assert_int_eq(selv_release(w.s, shared), 0);
    }
    scene_close(&w, 0);
}
END_TEST

/* selv_error is of the thread that failed. */
static void *fail_by_number(void *user)
{
    worker *k = user;
    char expected[64];
    snprintf(expected, sizeof expected, "%d does not fit uchar", 1000 + k->number);
    for (int i = 0; i < LAUNCHES / 10; i++) {
        selv_task t = selv_launch(k->w->s, k->w->numbers, selv_1d(ITEMS), k->w->y, 1000 + k->number, 0, 0, 0);
        k->failures += t != SELV_ARGUMENT_VALUE || !strstr(selv_error(), expected);
    }
    return NULL;
}

START_TEST(each_thread_has_its_own_text_of_failure)
{
    scene w = scene_open(NULL);
    worker k[THREADS] = {{0}};
    run_workers(&w, fail_by_number, k);
    ck_assert_int_eq(selv_finish(w.s), SELV_ARGUMENT_VALUE);
    ck_assert_int_eq(selv_finish(w.s), 0);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

/* Each lets gates fail and open, and looks, while the others do. The fill is waited for: on PoCL 3.1 a command of whose
   wait list one event fails in the very moment in which another completes is ended twice, and PoCL aborts the program
   (assertion `event->status > CL_COMPLETE` in pocl_update_event_finished), without this library as well. */
static void *submit_or_look(void *user)
{
    worker *k = user;
    selv_statistics n;
    for (int i = 0; i < LAUNCHES / 20; i++) {
        cl_event gate = clCreateUserEvent(selv_context(k->w->s), NULL);
        note(k, selv_adopt(k->w->s, gate, selv_inout(k->own)));
        note(k, selv_launch(k->w->s, k->w->add, selv_1d(ITEMS), k->own, k->w->x));
        note(k, selv_stats(k->w->s, &n));
        note(k, selv_ready(k->w->s, k->own));
        clSetUserEventStatus(gate, i % 2 ? CL_COMPLETE : -5);
        clReleaseEvent(gate);
        selv_status st = selv_wait(k->w->s, k->own);
        k->failures += st != (i % 2 ? 0 : SELV_TASK_FAILED);
        note(k, selv_fill(k->w->s, k->own, k->number, BYTES));
        note(k, selv_flush(k->w->s));
        note(k, selv_wait(k->w->s, k->own));
    }
    return NULL;
}

START_TEST(threads_whose_gates_fail_do_not_disturb_each_other)
{
    scene w = scene_open(NULL);
    worker k[THREADS] = {{0}};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(selv_buffer(w.s, BYTES, NULL, &k[i].own), 0);
    run_workers(&w, submit_or_look, k);
    ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED);
    for (int i = 0; i < THREADS; i++) {
        expect_all(&w, k[i].own, i);
        ck_assert_int_eq(selv_release(w.s, k[i].own), 0);
    }
    scene_close(&w, 0);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, one_kernel_object_from_eight_threads_never_mixes_arguments);
    tcase_add_test(t, eight_threads_that_add_to_one_buffer_get_the_sum);
    tcase_add_test(t, eight_threads_that_write_launch_wait_and_read_see_their_own_values);
    tcase_add_test(t, schedulers_may_be_opened_and_closed_at_the_same_time);
    tcase_add_test(t, one_thread_releases_while_the_others_launch);
    tcase_add_test(t, what_is_made_on_first_use_is_made_once_by_whichever_thread_comes_first);
    tcase_add_test(t, each_thread_has_its_own_text_of_failure);
    tcase_add_test(t, threads_whose_gates_fail_do_not_disturb_each_other);
}

int main(void)
{
    return run_tests("threads", add_tests, 60);
}
