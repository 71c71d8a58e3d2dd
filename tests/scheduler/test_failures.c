/* Tasks that fail: adopted work whose event ends with an error stands for what the device may do. Who depends on it is
   reported as failed, with the first cause, and has not run; everything else is not touched. */
#include "scheduler/refusal_support.h"

enum { BROKEN = -5 }; /* CL_OUT_OF_RESOURCES, as a device would say */

static void expect_cause(selv_status st, selv_task cause)
{
    char first[64];
    snprintf(first, sizeof first, "t%lld adopted failed", (long long)cause);
    ck_assert_msg(st == SELV_TASK_FAILED, "%s: %s", selv_status_name(st), selv_error());
    expect_words((const char *const[]){first, "status -5", "CL_OUT_OF_RESOURCES", NULL});
}

/* An adopted writer of m; `broken` has to be ended by break_gate. */
static selv_task adopt_on(scene *w, cl_mem m, cl_event *broken)
{
    *broken = user_event(selv_context(w->s));
    selv_task t = selv_adopt(w->s, *broken, selv_inout(m));
    ck_assert_int_gt(t, 0);
    return t;
}

/* The failure is known to the scheduler when this returns. */
static selv_task fail_now(scene *w, cl_mem m)
{
    cl_event e;
    selv_task t = adopt_on(w, m, &e);
    break_gate(e, BROKEN);
    expect_cause(selv_wait_task(w->s, t), t);
    return t;
}

static selv_task launch_add(scene *w, cl_mem y, cl_mem x)
{
    selv_task t = selv_launch(w->s, w->add, selv_1d(ITEMS), y, x);
    ck_assert_msg(t > 0, "%s", selv_error());
    return t;
}

/* The contents as they are, whatever the scheduler thinks of them. */
static void expect_untouched(scene *w, cl_mem m, int value)
{
    cl_int code;
    int got[ITEMS];
    cl_device_id device = selv_device(w->s, 0);
    cl_command_queue q = clCreateCommandQueueWithProperties(selv_context(w->s), device, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadBuffer(q, m, CL_TRUE, 0, BYTES, got, 0, NULL, NULL), CL_SUCCESS);
    clReleaseCommandQueue(q);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], value);
}

static void expect_once(scene *w)
{
    ck_assert_int_eq(selv_finish(w->s), SELV_TASK_FAILED);
    ck_assert_int_eq(selv_finish(w->s), 0);
}

START_TEST(a_launch_given_before_its_input_failed_has_not_run_and_names_the_first_cause)
{
    scene w = scene_open(NULL);
    cl_event e;
    selv_task cause = adopt_on(&w, w.x, &e);
    selv_task t = launch_add(&w, w.y, w.x);
    selv_task other = selv_launch(w.s, w.set, selv_1d(ITEMS), w.z, 5);
    break_gate(e, BROKEN);
    expect_cause(selv_wait_task(w.s, t), cause);
    expect_words((const char *const[]){"t2 did not run", NULL});
    expect_cause(selv_wait(w.s, w.y), cause);
    expect_untouched(&w, w.y, 0);
    ck_assert_int_eq(selv_wait_task(w.s, other), 0);
    expect_all(&w, w.z, 5);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_launch_given_after_its_input_failed_has_not_run_and_names_the_first_cause)
{
    scene w = scene_open(NULL);
    selv_task cause = fail_now(&w, w.x);
    selv_task t = launch_add(&w, w.y, w.x);
    selv_task other = selv_launch(w.s, w.set, selv_1d(ITEMS), w.z, 5);
    expect_cause(selv_wait_task(w.s, t), cause);
    expect_words((const char *const[]){"did not run", NULL});
    expect_untouched(&w, w.y, 0);
    ck_assert_int_eq(selv_wait_task(w.s, other), 0);
    expect_all(&w, w.z, 5);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(an_event_that_had_failed_before_it_was_adopted_fails_its_dependents)
{
    scene w = scene_open(NULL);
    cl_event e = user_event(selv_context(w.s));
    ck_assert_int_eq(clSetUserEventStatus(e, BROKEN), CL_SUCCESS);
    selv_task cause = selv_adopt(w.s, e, selv_inout(w.x));
    ck_assert_int_gt(cause, 0);
    clReleaseEvent(e);
    selv_task t = launch_add(&w, w.y, w.x);
    expect_cause(selv_wait_task(w.s, t), cause);
    expect_untouched(&w, w.y, 0);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

static void expect_chain_fails(bool before)
{
    scene w = scene_open(NULL);
    cl_event e = NULL;
    selv_task cause = before ? fail_now(&w, w.x) : adopt_on(&w, w.x, &e), chain[6];
    for (int i = 0; i < 6; i++) /* y += x, x += y, ... */
        chain[i] = launch_add(&w, i % 2 ? w.x : w.y, i % 2 ? w.y : w.x);
    if (e)
        break_gate(e, BROKEN);
    for (int i = 5; i >= 0; i--)
        expect_cause(selv_wait_task(w.s, chain[i]), cause);
    expect_untouched(&w, w.x, 7);
    expect_untouched(&w, w.y, 0);
    selv_statistics n;
    ck_assert_int_eq(selv_stats(w.s, &n), 0);
    ck_assert_uint_eq(n.failed, 7);
    ck_assert_uint_eq(n.tasks_running, 0);
    expect_once(&w);
    scene_close(&w, 0);
}

START_TEST(a_failure_goes_down_a_chain_that_was_given_before)
{
    expect_chain_fails(false);
}
END_TEST

START_TEST(a_failure_goes_down_a_chain_that_is_given_after)
{
    expect_chain_fails(true);
}
END_TEST

START_TEST(a_writer_that_waits_for_a_failed_reader_fails_if_it_was_given_before_the_failure)
{
    scene w = scene_open(NULL);
    cl_event e;
    selv_task cause = adopt_on(&w, w.x, &e);
    launch_add(&w, w.y, w.x);                                                     /* reads x, behind the gate */
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.y), 0);       /* reads y */
    selv_task writer = selv_launch(w.s, w.set, selv_1d(ITEMS), selv_out(w.y), 3); /* waits for the reader of y */
    break_gate(e, BROKEN);
    expect_cause(selv_wait_task(w.s, writer), cause);
    expect_untouched(&w, w.y, 0);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_writer_that_comes_after_a_reader_is_known_to_have_failed_runs)
{
    scene w = scene_open(NULL);
    cl_event e = user_event(selv_context(w.s));
    ck_assert_int_gt(selv_adopt(w.s, e, selv_in(w.y)), 0); /* only reads y, so y is good */
    break_gate(e, BROKEN);
    ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED);
    selv_task writer = selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 3);
    ck_assert_int_eq(selv_wait_task(w.s, writer), 0);
    expect_all(&w, w.y, 3);
    scene_close(&w, 0);
}
END_TEST

/* --- what ends a failure --- */

typedef enum ending { BY_WRITE, BY_FILL, BY_ZERO, BY_OUT, BY_COPY, BY_MAP, ENDINGS } ending;

static void overwrite(scene *w, cl_mem m, ending how, const int *five)
{
    int *p;
    switch (how) {
    case BY_WRITE: ck_assert_int_eq(selv_write(w->s, m, five, BYTES), 0); break;
    case BY_FILL: ck_assert_int_gt(selv_fill(w->s, m, 5, BYTES), 0); break;
    case BY_ZERO: ck_assert_int_gt(selv_zero(w->s, m, BYTES), 0); break;
    case BY_OUT: ck_assert_int_gt(selv_launch(w->s, w->set, selv_1d(ITEMS), selv_out(m), 5), 0); break;
    case BY_COPY: ck_assert_int_gt(selv_copy(w->s, m, w->z, BYTES), 0); break;
    default:
        ck_assert_msg(!selv_map(w->s, m, SELV_WRITE, &p), "%s", selv_error());
        memcpy(p, five, BYTES);
        ck_assert_int_gt(selv_unmap(w->s, m), 0);
    }
}

START_TEST(who_overwrites_the_memory_ends_the_failure)
{
    scene w = scene_open(NULL);
    int five[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        five[i] = 5;
    for (int how = 0; how < ENDINGS; how++) {
        selv_task cause = fail_now(&w, w.y);
        expect_cause(selv_wait(w.s, w.y), cause);
        expect_words((const char *const[]){"Overwrite it", "selv_write", "selv_fill", "selv_out", NULL});
        overwrite(&w, w.y, (ending)how, five);
        ck_assert_msg(!selv_wait(w.s, w.y), "ending %d: %s", how, selv_error());
        expect_all(&w, w.y, how == BY_ZERO || how == BY_COPY ? 0 : 5);
        ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED); /* the old one, once */
    }
    launch_add(&w, w.y, w.x); /* reads and writes */
    expect_all(&w, w.y, 12);
    scene_close(&w, 0);
}
END_TEST

START_TEST(who_overwrites_a_part_ends_the_failure_of_that_part_only)
{
    scene w = scene_open(NULL);
    int got[16];
    selv_task cause = fail_now(&w, w.y);
    ck_assert_int_gt(selv_fill(w.s, selv_part(w.y, 64, 64), 5, 64), 0);
    ck_assert_int_eq(selv_read(w.s, got, selv_part(w.y, 64, 64), 64), 0);
    ck_assert_int_eq(got[15], 5);
    expect_cause(selv_read(w.s, got, selv_part(w.y, 60, 8), 8), cause);
    expect_cause(selv_read(w.s, got, w.y, 64), cause);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(who_writes_without_promising_to_overwrite_all_does_not_end_the_failure)
{
    scene w = scene_open(NULL);
    selv_task cause = fail_now(&w, w.y);
    selv_task t = selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 5); /* writes, says the scan; nobody says: all of it */
    expect_cause(selv_wait_task(w.s, t), cause);
    expect_untouched(&w, w.y, 0);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

/* write_only found by scanning: an image. */
START_TEST(a_scanned_write_only_does_not_end_the_failure_and_selv_out_does)
{
    scene w = scene_open(NULL);
    cl_int code;
    cl_program program;
    cl_kernel paint;
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image = clCreateImage(selv_context(w.s), CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(selv_build(w.s,
                                "kernel void paint(write_only image2d_t to, float v)"
                                "{ write_imagef(to, (int2)(get_global_id(0), get_global_id(1)), (float4)(v)); }",
                                NULL, &program),
                     0);
    ck_assert_int_eq(selv_kernel(w.s, program, "paint", &paint), 0);
    selv_task cause = fail_now(&w, image);
    expect_cause(selv_wait_task(w.s, selv_launch(w.s, paint, selv_2d(4, 4), image, 2)), cause);
    float got[64];
    expect_cause(selv_read(w.s, got, image, sizeof got), cause);
    ck_assert_int_gt(selv_launch(w.s, paint, selv_2d(4, 4), selv_out(image), 2), 0);
    ck_assert_msg(!selv_read(w.s, got, image, sizeof got), "%s", selv_error());
    ck_assert_float_eq(got[63], 2);
    expect_once(&w);
    clReleaseKernel(paint);
    clReleaseProgram(program);
    ck_assert_int_eq(selv_release(w.s, image), 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_launch_that_overwrites_its_output_still_fails_for_its_input)
{
    scene w = scene_open(NULL);
    selv_task cause = fail_now(&w, w.x);
    selv_task t = selv_launch(w.s, w.add, selv_1d(ITEMS), selv_out(w.y), w.x);
    expect_cause(selv_wait_task(w.s, t), cause);
    expect_cause(selv_wait(w.s, w.y), cause);
    expect_untouched(&w, w.y, 0);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

/* --- accumulators --- */

START_TEST(a_failed_accumulator_fails_the_readers_and_not_the_accumulators_beside_it)
{
    scene w = scene_open(NULL);
    int got[ITEMS];
    cl_event e;
    selv_task cause = adopt_on(&w, w.x, &e);
    selv_task failing = selv_launch(w.s, w.add, selv_1d(ITEMS), selv_accum(w.y), w.x);
    ck_assert_int_gt(failing, 0);
    selv_task beside = selv_launch(w.s, w.bump, selv_1d(ITEMS), selv_accum(w.y));
    selv_task reader = launch_add(&w, w.z, w.y);
    ck_assert_int_eq(selv_wait_task(w.s, beside), 0); /* while the other one is held back */
    break_gate(e, BROKEN);
    expect_cause(selv_wait_task(w.s, failing), cause);
    expect_cause(selv_wait_task(w.s, reader), cause);
    ck_assert_int_eq(selv_wait_task(w.s, beside), 0);
    expect_cause(selv_read(w.s, got, w.y, BYTES), cause);
    expect_untouched(&w, w.z, 0);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(many_accumulators_of_which_one_failed_still_fail_the_reader)
{
    scene w = scene_open(NULL);
    cl_event e[3];
    selv_task t[3];
    for (int i = 0; i < 3; i++) {
        e[i] = user_event(selv_context(w.s));
        t[i] = selv_adopt(w.s, e[i], selv_accum(w.y));
        ck_assert_int_gt(selv_launch(w.s, w.bump, selv_1d(ITEMS), selv_accum(w.y)), 0);
    }
    break_gate(e[1], BROKEN);
    open_gate(e[0]);
    open_gate(e[2]);
    expect_cause(selv_wait(w.s, w.y), t[1]);
    ck_assert_int_gt(selv_zero(w.s, w.y, BYTES), 0);
    ck_assert_int_gt(selv_launch(w.s, w.bump, selv_1d(ITEMS), selv_accum(w.y)), 0);
    int got[ITEMS];
    ck_assert_msg(!selv_read(w.s, got, w.y, BYTES), "%s", selv_error());
    ck_assert_int_eq(got[0], ITEMS);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

/* --- every call on failed memory --- */

START_TEST(every_call_that_reads_failed_memory_tells_the_first_cause)
{
    scene w = scene_open(NULL);
    int got[ITEMS], *p = NULL;
    selv_task cause = fail_now(&w, w.x);
    ck_assert_int_eq(selv_name(w.s, w.x, "xylem"), 0);
    expect_cause(selv_wait(w.s, w.x), cause);
    expect_words((const char *const[]){"selv_wait", "xylem", NULL});
    ck_assert_int_eq(selv_ready(w.s, w.x), 1); /* waiting would not wait: it would tell */
    expect_cause(selv_read(w.s, got, w.x, BYTES), cause);
    expect_cause(selv_map(w.s, w.x, SELV_READ, &p), cause);
    expect_cause(selv_map(w.s, w.x, SELV_READ_WRITE, &p), cause);
    ck_assert_ptr_null(p);
    selv_task copy = selv_copy(w.s, w.y, w.x, BYTES);
    expect_cause(selv_wait_task(w.s, copy), cause);
    expect_cause(selv_wait(w.s, w.y), cause);
    ck_assert_int_eq(selv_unmap(w.s, w.x), SELV_INVALID); /* the maps did not happen */
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(ready_does_not_count_as_having_been_told)
{
    scene w = scene_open(NULL);
    cl_event e;
    selv_task cause = adopt_on(&w, w.x, &e);
    ck_assert_int_eq(selv_ready(w.s, w.x), 0);
    break_gate(e, BROKEN);
    ck_assert_int_eq(selv_ready(w.s, w.x), 1);
    expect_cause(selv_finish(w.s), cause);
    ck_assert_int_eq(selv_finish(w.s), 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(svm_that_was_not_made_is_told_by_wait_and_edit)
{
    scene w = scene_open(NULL);
    if (!w.block)
        return scene_close(&w, 0);
    ck_assert_int_gt(selv_launch(w.s, w.set, selv_1d(ITEMS), w.block, 1), 0);
    cl_event e = user_event(selv_context(w.s));
    selv_task cause = selv_adopt(w.s, e, selv_inout(w.block));
    selv_task t = selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.block);
    break_gate(e, BROKEN);
    expect_cause(selv_wait(w.s, w.block), cause);
    expect_cause(selv_edit(w.s, w.block), cause);
    expect_cause(selv_wait_task(w.s, t), cause);
    ck_assert_int_gt(selv_fill(w.s, w.block, 4, BYTES), 0);
    ck_assert_msg(!selv_wait(w.s, w.block), "%s", selv_error());
    ck_assert_int_eq(w.block[63], 4);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(host_memory_may_be_used_again_after_a_read_into_it_has_failed)
{
    scene w = scene_open(NULL);
    int v[ITEMS];
    selv_task cause = fail_now(&w, w.x);
    expect_cause(selv_read(w.s, v, w.x, BYTES), cause);
    for (int i = 0; i < ITEMS; i++)
        v[i] = 3; /* plain C, which nobody sees */
    ck_assert_msg(!selv_write(w.s, w.x, v, BYTES), "%s", selv_error());
    expect_all(&w, w.x, 3);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(host_memory_may_be_used_again_after_a_read_that_failed_while_it_waited)
{
    scene w = scene_open(NULL);
    int v[ITEMS];
    cl_event e;
    selv_task cause = adopt_on(&w, w.x, &e);
    selv_task copy = selv_copy(w.s, selv_part(v, 0, BYTES), w.x, BYTES);
    ck_assert_int_gt(copy, 0);
    break_gate(e, BROKEN);
    expect_cause(selv_wait(w.s, selv_part(v, 0, BYTES)), cause);
    expect_cause(selv_read(w.s, v, w.x, BYTES), cause);
    for (int i = 0; i < ITEMS; i++)
        v[i] = 3;
    ck_assert_msg(!selv_write(w.s, w.x, v, BYTES), "%s", selv_error());
    expect_all(&w, w.x, 3);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_copy_from_host_memory_whose_filling_failed_fails)
{
    scene w = scene_open(NULL);
    int v[ITEMS];
    selv_task cause = fail_now(&w, w.x);
    ck_assert_int_gt(selv_copy(w.s, v, w.x, BYTES), 0);
    selv_task back = selv_copy(w.s, w.y, v, BYTES);
    expect_cause(selv_wait_task(w.s, back), cause);
    expect_untouched(&w, w.y, 0);
    expect_once(&w);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_program_that_checks_nothing_learns_of_the_first_failure_at_the_end)
{
    scene w = scene_open(NULL);
    int v[ITEMS];
    cl_event e;
    selv_task cause = adopt_on(&w, w.x, &e);
    selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x);
    break_gate(e, BROKEN);
    selv_read(w.s, v, w.y, BYTES);
    selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.y);
    expect_cause(selv_finish(w.s), cause);
    ck_assert_int_eq(selv_finish(w.s), 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(closing_tells_a_failure_that_nobody_asked_about)
{
    scene w = scene_open(NULL);
    cl_event e;
    adopt_on(&w, w.x, &e);
    launch_add(&w, w.y, w.x);
    break_gate(e, BROKEN);
    scene_close(&w, SELV_TASK_FAILED);
}
END_TEST

START_TEST(a_thousand_failures_do_not_pile_up_queues_or_events)
{
    scene w = scene_open(NULL);
    selv_statistics before, after;
    ck_assert_int_eq(selv_stats(w.s, &before), 0);
    for (int i = 0; i < 1000; i++) {
        cl_event e;
        adopt_on(&w, w.y, &e);
        launch_add(&w, w.y, w.x);
        launch_add(&w, w.z, w.y);
        break_gate(e, BROKEN);
        ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED);
        ck_assert_int_gt(selv_zero(w.s, w.y, BYTES), 0);
        ck_assert_int_gt(selv_zero(w.s, w.z, BYTES), 0);
    }
    ck_assert_int_eq(selv_finish(w.s), 0);
    ck_assert_int_eq(selv_stats(w.s, &after), 0);
    ck_assert_uint_eq(after.failed, 3000);
    ck_assert_uint_le(after.lanes, before.lanes + 2);
    ck_assert_uint_le(after.live_events, before.live_events + 64); /* some of failed commands are kept a while */
    ck_assert_uint_eq(after.tasks_running, 0);
    ck_assert_uint_eq(after.parts, before.parts);
    launch_add(&w, w.z, w.x);
    expect_all(&w, w.z, 7);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_failure_dies_with_the_buffer_it_was_in)
{
    scene w = scene_open(NULL);
    for (int i = 0; i < 50; i++) { /* the driver gives the same handle again and again */
        cl_mem m;
        ck_assert_int_eq(selv_buffer(w.s, BYTES, NULL, &m), 0);
        ck_assert_msg(selv_launch(w.s, w.set, selv_1d(ITEMS), m, 1) > 0, "%s", selv_error());
        expect_all(&w, m, 1);
        fail_now(&w, m);
        ck_assert_int_eq(selv_release(w.s, m), 0);
        ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED);
    }
    scene_close(&w, 0);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, a_launch_given_before_its_input_failed_has_not_run_and_names_the_first_cause);
    tcase_add_test(t, a_launch_given_after_its_input_failed_has_not_run_and_names_the_first_cause);
    tcase_add_test(t, an_event_that_had_failed_before_it_was_adopted_fails_its_dependents);
    tcase_add_test(t, a_failure_goes_down_a_chain_that_was_given_before);
    tcase_add_test(t, a_failure_goes_down_a_chain_that_is_given_after);
    tcase_add_test(t, a_writer_that_waits_for_a_failed_reader_fails_if_it_was_given_before_the_failure);
    tcase_add_test(t, a_writer_that_comes_after_a_reader_is_known_to_have_failed_runs);
    tcase_add_test(t, who_overwrites_the_memory_ends_the_failure);
    tcase_add_test(t, who_overwrites_a_part_ends_the_failure_of_that_part_only);
    tcase_add_test(t, who_writes_without_promising_to_overwrite_all_does_not_end_the_failure);
    tcase_add_test(t, a_scanned_write_only_does_not_end_the_failure_and_selv_out_does);
    tcase_add_test(t, a_launch_that_overwrites_its_output_still_fails_for_its_input);
    tcase_add_test(t, a_failed_accumulator_fails_the_readers_and_not_the_accumulators_beside_it);
    tcase_add_test(t, many_accumulators_of_which_one_failed_still_fail_the_reader);
    tcase_add_test(t, every_call_that_reads_failed_memory_tells_the_first_cause);
    tcase_add_test(t, ready_does_not_count_as_having_been_told);
    tcase_add_test(t, svm_that_was_not_made_is_told_by_wait_and_edit);
    tcase_add_test(t, host_memory_may_be_used_again_after_a_read_into_it_has_failed);
    tcase_add_test(t, host_memory_may_be_used_again_after_a_read_that_failed_while_it_waited);
    tcase_add_test(t, a_copy_from_host_memory_whose_filling_failed_fails);
    tcase_add_test(t, a_program_that_checks_nothing_learns_of_the_first_failure_at_the_end);
    tcase_add_test(t, closing_tells_a_failure_that_nobody_asked_about);
    tcase_add_test(t, a_thousand_failures_do_not_pile_up_queues_or_events);
    tcase_add_test(t, a_failure_dies_with_the_buffer_it_was_in);
}

int main(void)
{
    return run_tests("failures", add_tests, 20);
}
