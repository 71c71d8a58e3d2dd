/* Beside explicit OpenCL: events of other code come in, events for other code go out. */
#include "scheduler/refusal_support.h"

#include "selvedge/graph.h"

enum { BROKEN = -5 };

static cl_int status_of(cl_event e)
{
    cl_int status = CL_QUEUED;
    ck_assert_int_eq(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL), CL_SUCCESS);
    return status;
}

/* Long enough for everything that may run to have run. */
static void let_run(void)
{
    usleep(30000);
}

static cl_command_queue own_queue(scene *w)
{
    cl_int code;
    cl_command_queue q = clCreateCommandQueueWithProperties(selv_context(w->s), selv_device(w->s, 0), NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return q;
}

START_TEST(an_exported_event_completes_when_and_only_when_the_accesses_may_be_made)
{
    scene w = scene_open(NULL);
    cl_event gate = gate_on(&w, w.x), read_y, write_y, read_x, unrelated;
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.x), 0); /* reads x, writes z, behind the gate */
    ck_assert_int_eq(selv_export(w.s, &read_y, selv_in(w.y)), 0);
    ck_assert_int_eq(selv_export(w.s, &write_y, selv_out(w.y)), 0);
    ck_assert_int_eq(selv_export(w.s, &read_x, selv_in(w.x)), 0);
    ck_assert_int_eq(selv_export(w.s, &unrelated), 0); /* no accesses: at once */
    ck_assert_int_eq(clWaitForEvents(1, &read_y), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &write_y), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &unrelated), CL_SUCCESS);
    let_run();
    ck_assert_int_gt(status_of(read_x), CL_COMPLETE);
    open_gate(gate);
    ck_assert_int_eq(clWaitForEvents(1, &read_x), CL_SUCCESS);
    cl_event all[] = {read_y, write_y, read_x, unrelated};
    for (int i = 0; i < 4; i++)
        clReleaseEvent(all[i]);
    ck_assert_int_eq(selv_finish(w.s), 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(an_exported_write_waits_for_readers_and_an_exported_read_does_not)
{
    scene w = scene_open(NULL);
    cl_event gate = gate_on(&w, w.x), to_read, to_write, part;
    ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), selv_inout(w.x), w.y), 0); /* reads y behind the gate */
    ck_assert_int_eq(selv_export(w.s, &to_read, selv_in(w.y)), 0);
    ck_assert_int_eq(selv_export(w.s, &to_write, selv_inout(w.y)), 0);
    ck_assert_int_eq(selv_export(w.s, &part, selv_in(selv_within(w.x, 0, 4))), 0);
    ck_assert_int_eq(clWaitForEvents(1, &to_read), CL_SUCCESS);
    let_run();
    ck_assert_int_gt(status_of(to_write), CL_COMPLETE);
    ck_assert_int_gt(status_of(part), CL_COMPLETE);
    open_gate(gate);
    ck_assert_int_eq(clWaitForEvents(1, &to_write), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &part), CL_SUCCESS);
    clReleaseEvent(to_read);
    clReleaseEvent(to_write);
    clReleaseEvent(part);
    scene_close(&w, 0);
}
END_TEST

START_TEST(an_export_reserves_nothing)
{
    scene w = scene_open(&(selv_config){.flags = SELV_RECORD});
    cl_event gate = gate_on(&w, w.x), e;
    selv_statistics before, after;
    ck_assert_int_eq(selv_export(w.s, &e, selv_inout(w.x), selv_inout(w.y)), 0); /* open until the gate is */
    selv_task t = selv_launch(w.s, w.set, selv_1d(ITEMS), w.y, 4);
    ck_assert_int_eq(selv_wait_task(w.s, t), 0); /* does not wait for the export */
    ck_assert_int_gt(status_of(e), CL_COMPLETE);
    ck_assert_int_eq(selv_stats(w.s, &before), 0);
    open_gate(gate);
    ck_assert_int_eq(clWaitForEvents(1, &e), CL_SUCCESS);
    clReleaseEvent(e);
    ck_assert_int_eq(selv_finish(w.s), 0);
    ck_assert_int_eq(selv_stats(w.s, &after), 0);
    ck_assert_uint_eq(after.records, before.records); /* nor is it in the graph */
    ck_assert_uint_eq(after.records, 2);
    scene_close(&w, 0);
}
END_TEST

START_TEST(an_event_exported_for_failed_memory_is_in_error)
{
    scene w = scene_open(NULL);
    cl_event gate = gate_on(&w, w.x), before, after, good;
    ck_assert_int_eq(selv_export(w.s, &before, selv_in(w.x)), 0);
    break_gate(gate, BROKEN);
    clWaitForEvents(1, &before);
    ck_assert_int_lt(status_of(before), 0);
    ck_assert_int_eq(selv_wait(w.s, w.x), SELV_TASK_FAILED);
    ck_assert_int_eq(selv_export(w.s, &after, selv_in(w.x)), 0); /* a valid event all the same */
    clWaitForEvents(1, &after); /* NVIDIA 580 returns no error for a user event that has failed */
    ck_assert_int_lt(status_of(after), 0);
    ck_assert_int_eq(selv_export(w.s, &good, selv_out(w.x)), 0); /* who overwrites it all needs nothing of it */
    ck_assert_int_eq(clWaitForEvents(1, &good), CL_SUCCESS);
    clReleaseEvent(before);
    clReleaseEvent(after);
    clReleaseEvent(good);
    ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED);
    ck_assert_int_eq(selv_finish(w.s), 0);
    scene_close(&w, 0);
}
END_TEST

/* Round and round: ours, then the program's own queue, then ours. */
START_TEST(a_program_with_a_queue_of_its_own_gets_the_right_values)
{
    enum { ROUNDS = 50 };
    scene w = scene_open(NULL);
    cl_command_queue q = own_queue(&w);
    size_t items = ITEMS;
    int expected = 7;
    cl_int code;
    cl_kernel own = clCreateKernel(w.program, "add", &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    clSetKernelArg(own, 0, sizeof(cl_mem), &w.y);
    clSetKernelArg(own, 1, sizeof(cl_mem), &w.x);
    for (int i = 0; i < ROUNDS; i++) {
        cl_event may_run, done;
        ck_assert_int_gt(selv_launch(w.s, w.slow, selv_1d(ITEMS), w.z, 20000), 0);
        ck_assert_int_gt(selv_zero(w.s, w.y, BYTES), 0);
        ck_assert_int_eq(selv_export(w.s, &may_run, selv_inout(w.y), selv_in(w.x)), 0);
        ck_assert_int_eq(clEnqueueNDRangeKernel(q, own, 1, NULL, &items, NULL, 1, &may_run, &done), CL_SUCCESS);
        ck_assert_int_eq(clFlush(q), CL_SUCCESS);
        ck_assert_int_gt(selv_adopt(w.s, done, selv_inout(w.y), selv_in(w.x)), 0);
        clReleaseEvent(may_run);
        clReleaseEvent(done);
        ck_assert_int_gt(selv_launch(w.s, w.add, selv_1d(ITEMS), w.x, w.y), 0); /* x doubles */
        expected = (int)(2u * (unsigned)expected);
    }
    expect_all(&w, w.x, expected);
    ck_assert_int_eq(selv_finish(w.s), 0);
    clReleaseKernel(own);
    clReleaseCommandQueue(q);
    scene_close(&w, 0);
}
END_TEST

/* Two adopted commands of one buffer were ordered by the program, not by us: both are waited for. */
START_TEST(later_tasks_wait_for_every_adopted_command_and_not_for_the_last_one_only)
{
    scene w = scene_open(NULL);
    cl_event first = gate_on(&w, w.x), second = gate_on(&w, w.x);
    selv_task t = selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x);
    open_gate(second);
    let_run();
    ck_assert_int_eq(selv_ready(w.s, w.y), 0);
    open_gate(first);
    ck_assert_int_eq(selv_wait_task(w.s, t), 0);
    expect_all(&w, w.y, 7);
    scene_close(&w, 0);
}
END_TEST

START_TEST(an_adopted_command_is_a_producer_in_the_graph)
{
    scene w = scene_open(&(selv_config){.flags = SELV_RECORD});
    cl_event gate = user_event(selv_context(w.s));
    selv_task from = selv_adopt(w.s, gate, selv_out(selv_within(w.x, 0, 128)));
    selv_task to = selv_launch(w.s, w.add, selv_1d(ITEMS), w.y, w.x);
    selv_edge edge[4];
    size_t count = 0;
    ck_assert_int_eq(selv_edges(w.s, edge, 4, &count), 0);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(edge[0].from, from);
    ck_assert_int_eq(edge[0].to, to);
    ck_assert_int_eq(edge[0].kind, SELV_RAW);
    ck_assert_int_eq(edge[0].fate, SELV_FATE_WAIT);
    ck_assert_uint_eq(edge[0].begin, 0);
    ck_assert_uint_eq(edge[0].end, 128);
    open_gate(gate);
    ck_assert_int_eq(selv_finish(w.s), 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(an_adopted_reader_lets_readers_through_and_holds_writers_back)
{
    scene w = scene_open(NULL);
    cl_event gate = user_event(selv_context(w.s));
    ck_assert_int_gt(selv_adopt(w.s, gate, selv_in(w.x)), 0);
    expect_all(&w, w.x, 7);
    selv_task writer = selv_launch(w.s, w.set, selv_1d(ITEMS), w.x, 3);
    cl_event may_write;
    ck_assert_int_eq(selv_export(w.s, &may_write, selv_in(w.x)), 0);
    let_run();
    ck_assert_int_gt(status_of(may_write), CL_COMPLETE); /* the writer has not run */
    clReleaseEvent(may_write);
    open_gate(gate);
    ck_assert_int_eq(selv_wait_task(w.s, writer), 0);
    expect_all(&w, w.x, 3);
    scene_close(&w, 0);
}
END_TEST

START_TEST(adopting_without_accesses_is_a_task_that_finish_waits_for)
{
    scene w = scene_open(NULL);
    cl_event gate = user_event(selv_context(w.s));
    selv_task t = selv_adopt(w.s, gate);
    ck_assert_int_gt(t, 0);
    expect_works(&w); /* nobody waits for it */
    open_gate(gate);
    ck_assert_int_eq(selv_wait_task(w.s, t), 0);
    ck_assert_int_eq(selv_finish(w.s), 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(the_event_may_be_released_as_soon_as_it_is_adopted)
{
    scene w = scene_open(NULL);
    cl_command_queue q = own_queue(&w);
    cl_event done;
    int five = 5;
    ck_assert_int_eq(clEnqueueFillBuffer(q, w.y, &five, sizeof five, 0, BYTES, 0, NULL, &done), CL_SUCCESS);
    clFlush(q);
    ck_assert_int_gt(selv_adopt(w.s, done, selv_out(w.y)), 0);
    clReleaseEvent(done);
    clReleaseCommandQueue(q);
    expect_all(&w, w.y, 5);
    scene_close(&w, 0);
}
END_TEST

START_TEST(host_memory_and_svm_may_be_adopted_and_exported)
{
    scene w = scene_open(NULL);
    cl_command_queue q = own_queue(&w);
    int host[ITEMS] = {0};
    cl_event may, done;
    ck_assert_int_eq(selv_export(w.s, &may, selv_in(w.x), selv_out(selv_part(host, 0, BYTES))), 0);
    ck_assert_int_eq(clEnqueueReadBuffer(q, w.x, CL_FALSE, 0, BYTES, host, 1, &may, &done), CL_SUCCESS);
    clFlush(q);
    ck_assert_int_gt(selv_adopt(w.s, done, selv_in(w.x), selv_out(selv_part(host, 0, BYTES))), 0);
    clReleaseEvent(may);
    clReleaseEvent(done);
    ck_assert_int_gt(selv_copy(w.s, w.z, host, BYTES), 0); /* behind the program's own read */
    expect_all(&w, w.z, 7);
    if (w.block) {
        ck_assert_int_eq(selv_export(w.s, &may, selv_inout(w.block)), 0);
        int four = 4;
        ck_assert_int_eq(clEnqueueSVMMemFill(q, w.block, &four, sizeof four, BYTES, 1, &may, &done), CL_SUCCESS);
        clFlush(q);
        ck_assert_int_gt(selv_adopt(w.s, done, selv_out(w.block)), 0);
        clReleaseEvent(may);
        clReleaseEvent(done);
        ck_assert_int_eq(selv_wait(w.s, w.block), 0);
        ck_assert_int_eq(w.block[ITEMS - 1], 4);
    }
    ck_assert_int_eq(selv_finish(w.s), 0);
    clReleaseCommandQueue(q);
    scene_close(&w, 0);
}
END_TEST

START_TEST(a_thousand_exports_need_no_thousand_queues)
{
    scene w = scene_open(NULL);
    selv_statistics before, after;
    ck_assert_int_eq(selv_stats(w.s, &before), 0);
    for (int i = 0; i < 1000; i++) {
        cl_event e;
        ck_assert_int_eq(selv_export(w.s, &e, selv_inout(w.x)), 0);
        ck_assert_int_eq(clWaitForEvents(1, &e), CL_SUCCESS);
        clReleaseEvent(e);
    }
    ck_assert_int_eq(selv_stats(w.s, &after), 0);
    ck_assert_uint_le(after.lanes, before.lanes + 2);
    ck_assert_uint_eq(after.live_events, before.live_events);
    scene_close(&w, 0);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, an_exported_event_completes_when_and_only_when_the_accesses_may_be_made);
    tcase_add_test(t, an_exported_write_waits_for_readers_and_an_exported_read_does_not);
    tcase_add_test(t, an_export_reserves_nothing);
    tcase_add_test(t, an_event_exported_for_failed_memory_is_in_error);
    tcase_add_test(t, a_program_with_a_queue_of_its_own_gets_the_right_values);
    tcase_add_test(t, later_tasks_wait_for_every_adopted_command_and_not_for_the_last_one_only);
    tcase_add_test(t, an_adopted_command_is_a_producer_in_the_graph);
    tcase_add_test(t, an_adopted_reader_lets_readers_through_and_holds_writers_back);
    tcase_add_test(t, adopting_without_accesses_is_a_task_that_finish_waits_for);
    tcase_add_test(t, the_event_may_be_released_as_soon_as_it_is_adopted);
    tcase_add_test(t, host_memory_and_svm_may_be_adopted_and_exported);
    tcase_add_test(t, a_thousand_exports_need_no_thousand_queues);
}

int main(void)
{
    return run_tests("adopt_export", add_tests, 30);
}
