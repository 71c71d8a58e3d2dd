/* Host memory runs out: the n-th allocation of the library fails, for every n until the call succeeds. Whatever failed,
   everything is as it was and the same call works afterwards. Linked with --wrap for calloc and realloc, which only the
   library calls here. */
#include "scheduler/refusal_support.h"

/* --- scarcity --- */

static struct {
    int left;      /* so many allocations still succeed; -1: all of them */
    bool only_one; /* then one fails, and the others succeed again */
    bool failed;
} scarce = {-1, false, false};

static bool taken(void)
{
    if (scarce.left != 0) {
        scarce.left -= scarce.left > 0;
        return true;
    }
    scarce.left = scarce.only_one ? -1 : 0;
    scarce.failed = true;
    return false;
}

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
    return taken() ? __real_calloc(count, bytes) : NULL;
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return taken() ? __real_realloc(old, bytes) : NULL;
}

static void scarce_after(int n, bool only_one)
{
    scarce.left = n;
    scarce.only_one = only_one;
    scarce.failed = false;
}

static void plenty(void)
{
    scarce.left = -1;
}

/* The device has the block, so that no task has to take it back from the host first: that is a task of its own. */
static void take_block(scene *w)
{
    if (!w->block)
        return;
    ck_assert_int_gt(selv_launch(w->s, w->add, selv_1d(ITEMS), w->z, w->block), 0);
    ck_assert_int_gt(selv_zero(w->s, w->z, BYTES), 0);
    ck_assert_int_eq(selv_finish(w->s), 0);
}

/* A call that is tried with less and less scarcity; returns its status or task. */
typedef long long (*trial)(scene *w, void *user);

static void expect_no_memory(scene *w, const selv_statistics *before, long long got, int n)
{
    ck_assert_msg(got == CL_OUT_OF_HOST_MEMORY, "allocation %d: %lld, %s", n, got, selv_error());
    ck_assert_msg(strstr(selv_error(), "memory") != NULL, "allocation %d: %s", n, selv_error());
    const selv_statistics after = stats_after(w, CL_OUT_OF_HOST_MEMORY);
    expect_same(before, &after);
}

/* Only what is inside `call` may fail. Each refusal has to be CL_OUT_OF_HOST_MEMORY and to change nothing; how many
   there were is returned. `only_one`: the call may also succeed in spite of it, and is then made again. */
static int run_out(scene *w, trial call, void *user, bool only_one)
{
    int refusals = 0;
    for (int n = 0; n < 400; n++) {
        const selv_statistics before = stats_of(w);
        scarce_after(n, only_one);
        long long got = call(w, user);
        plenty();
        if (got >= 0 && !(only_one && scarce.failed))
            return refusals;
        if (got >= 0)
            continue;
        expect_no_memory(w, &before, got, n);
        refusals++;
    }
    ck_abort_msg("still refused after 400 allocations: %s", selv_error());
}

static long long launch_several(scene *w, void *user)
{
    cl_kernel k = user;
    return selv_launch(w->s, k, selv_1d(8), selv_part(w->z, 128, 64), selv_within(w->x, 0, 64), w->y, w->block);
}

static void launch_with_little(bool only_one)
{
    scene w = scene_open(&(selv_config){.flags = SELV_RECORD});
    cl_program program;
    cl_kernel k;
    ck_assert_int_eq(
        selv_build(w.s,
                   "kernel void four(global int *z, global const int *x, global int *y, global const int *b)"
                   "{ int i = get_global_id(0); z[i] = x[i] + y[i] + (b ? b[i] : 9); }",
                   NULL, &program),
        0);
    ck_assert_int_eq(selv_kernel(w.s, program, "four", &k), 0);
    take_block(&w);
    ck_assert_int_ge(run_out(&w, launch_several, k, only_one), 5); /* kernel, copy, sub-buffer, parts, records */
    int got[ITEMS];
    ck_assert_int_eq(selv_read(w.s, got, w.z, BYTES), 0);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], i >= 32 && i < 40 ? 16 : 0);
    block_back(&w);
    expect_works(&w);
    clReleaseKernel(k);
    clReleaseProgram(program);
    scene_close(&w, 0);
}

START_TEST(a_launch_with_several_buffers_works_after_memory_ran_out_at_every_allocation)
{
    launch_with_little(false);
}
END_TEST

START_TEST(a_launch_with_several_buffers_works_after_every_single_allocation_has_failed)
{
    launch_with_little(true);
}
END_TEST

/* What the host held is given back to it, by a map after the unmap: two tasks more, and nothing else. */
START_TEST(a_block_that_the_host_held_is_held_again_after_every_single_allocation_has_failed)
{
    scene w = scene_open(NULL);
    int refusals = 0;
    long long got = -1;
    for (int n = 0; w.block && n < 200 && (got < 0 || scarce.failed); n++) {
        scarce_after(n, true);
        got = selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.block);
        plenty();
        if (got > 0) {
            block_back(&w);
            continue;
        }
        ck_assert_int_eq(selv_finish(w.s), CL_OUT_OF_HOST_MEMORY);
        for (int i = 0; i < ITEMS; i++)
            ck_assert_int_eq(w.block[i], 9);
        refusals++;
    }
    ck_assert(!w.block || (got > 0 && refusals > 5));
    block_back(&w);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

enum { GATES = 12 };

static long long launch_behind_gate(scene *w, void *step)
{
    int k = *(int *)step;
    return selv_launch(w->s, w->set, selv_offset(selv_1d(1), (size_t)k, 0, 0), selv_within(w->z, (size_t)k * 4, 4),
                       k + 1);
}

static cl_event gate_one_item(scene *w, int k)
{
    cl_event gate = user_event(selv_context(w->s));
    ck_assert_int_gt(selv_adopt(w->s, gate, selv_inout(selv_within(w->z, (size_t)k * 4, 4))), 0);
    return gate;
}

/* Nothing is waited for: everything is behind gates that stay closed. */
static int run_out_behind_gate(scene *w, int k)
{
    selv_statistics before, after;
    for (int n = 0; n < 100; n++) {
        ck_assert_int_eq(selv_stats(w->s, &before), 0);
        scarce_after(n, false);
        long long got = launch_behind_gate(w, &k);
        plenty();
        if (got > 0)
            return n;
        ck_assert_msg(got == CL_OUT_OF_HOST_MEMORY, "%lld %s", got, selv_error());
        ck_assert_int_eq(selv_stats(w->s, &after), 0);
        expect_same(&before, &after);
    }
    ck_abort_msg("still refused");
}

/* Each item of z has another state: lanes, clocks, waits and parts have to grow. */
START_TEST(tasks_behind_gates_work_after_memory_ran_out_at_every_allocation)
{
    scene w = scene_open(NULL);
    cl_event gates[GATES];
    int refusals = 0, got[ITEMS];
    for (int k = 0; k < GATES; k++) {
        gates[k] = gate_one_item(&w, k);
        refusals += run_out_behind_gate(&w, k);
    }
    ck_assert_int_gt(refusals, GATES);
    for (int k = 0; k < GATES; k++)
        open_gate(gates[k]);
    ck_assert_int_eq(selv_failure(w.s), CL_OUT_OF_HOST_MEMORY);
    ck_assert_int_eq(selv_read(w.s, got, w.z, BYTES), 0);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], i < GATES ? i + 1 : 0);
    expect_works(&w);
    scene_close(&w, 0);
}
END_TEST

static long long make_buffer(scene *w, void *user)
{
    return selv_buffer(w->s, BYTES, NULL, user);
}

static long long make_block(scene *w, void *user)
{
    return selv_svm_alloc(w->s, BYTES, user);
}

static long long name_z(scene *w, void *user)
{
    return selv_name(w->s, w->z, user);
}

static long long copy_part(scene *w, void *user)
{
    (void)user;
    return selv_copy(w->s, selv_part(w->z, 16, 32), selv_part(w->x, 8, 32), 32);
}

static long long copy_to_svm(scene *w, void *user)
{
    (void)user;
    return selv_copy(w->s, selv_part(w->z, 64, 64), selv_part(w->block, 0, 64), 64);
}

static long long fill_part(scene *w, void *user)
{
    (void)user;
    return selv_fill(w->s, selv_part(w->z, 128, 32), 3, 32);
}

static long long map_z(scene *w, void *user)
{
    return selv_map_mem(w->s, w->z, SELV_READ_WRITE, user);
}

static long long unmap_z(scene *w, void *user)
{
    (void)user;
    return selv_unmap(w->s, w->z);
}

static long long wait_block(scene *w, void *user)
{
    (void)user;
    return selv_wait(w->s, w->block);
}

static long long export_z(scene *w, void *user)
{
    return selv_export(w->s, (cl_event *)user, selv_inout(w->z), selv_in(selv_within(w->x, 0, 8)));
}

static long long adopt_z(scene *w, void *user)
{
    return selv_adopt(w->s, (cl_event)user, selv_inout(selv_within(w->z, 192, 32)));
}

static long long declare_set(scene *w, void *user)
{
    return selv_signature(w->s, w->slow, user);
}

START_TEST(every_kind_of_call_works_after_memory_ran_out_at_every_allocation)
{
    scene w = scene_open(&(selv_config){.flags = SELV_RECORD});
    cl_mem m = NULL;
    int *p = NULL;
    cl_event event;
    take_block(&w);
    ck_assert_int_gt(run_out(&w, make_buffer, &m, false), 0);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_gt(run_out(&w, name_z, "zinc", false), 0);
    ck_assert_int_gt(run_out(&w, declare_set, "inout int*, int", false), 0);
    ck_assert_int_gt(run_out(&w, copy_part, NULL, false), 0);
    ck_assert_int_gt(run_out(&w, fill_part, NULL, false), 0);
    run_out(&w, map_z, &p, false);
    ck_assert_int_eq(p[4], 7);
    run_out(&w, unmap_z, NULL, false);
    if (w.block) {
        run_out(&w, copy_to_svm, NULL, false);
        run_out(&w, wait_block, NULL, false);
        int *q = NULL;
        ck_assert_int_gt(run_out(&w, make_block, &q, false), 0);
        q[0] = 1;
        ck_assert_int_eq(selv_svm_free(w.s, q), 0);
    }
    run_out(&w, export_z, &event, false);
    clReleaseEvent(event);
    event = user_event(selv_context(w.s));
    clSetUserEventStatus(event, CL_COMPLETE);
    run_out(&w, adopt_z, event, false);
    clReleaseEvent(event);
    int got[ITEMS];
    ck_assert_int_eq(selv_read(w.s, got, w.z, BYTES), 0);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(got[i], i >= 4 && i < 12    ? 7
                                 : i >= 16 && i < 32 ? (w.block ? 9 : 0)
                                 : i >= 32 && i < 40 ? 3
                                                     : 0);
    expect_works(&w);
    ck_assert_int_eq(selv_release(w.s, m), 0);
    scene_close(&w, 0);
}
END_TEST

START_TEST(opening_without_memory_is_refused_and_leaves_nothing_behind)
{
    selv_scheduler *s = NULL;
    selv_status st;
    int n = 0;
    do {
        scarce_after(n++, false);
        st = selv_open(&(selv_config){.flags = SELV_RECORD}, &s);
        plenty();
        ck_assert_msg(st == 0 || st == CL_OUT_OF_HOST_MEMORY, "allocation %d: %s, %s", n - 1, selv_status_name(st),
                      selv_error());
        ck_assert_int_eq(st == 0, s != NULL);
    } while (st && n < 400);
    ck_assert_int_gt(n, 5);
    ck_assert_int_eq(st, 0);
    ck_assert_int_eq(selv_close(s), 0);
}
END_TEST

/* The memory of the library's own records runs out while a failure goes down a chain. */
START_TEST(a_failure_is_still_told_when_there_is_no_memory_to_keep_its_reason)
{
    scene w = scene_open(NULL);
    cl_event gate = gate_on(&w, w.x);
    selv_task t = selv_launch(w.s, w.add, selv_1d(ITEMS), w.z, w.x);
    ck_assert_int_gt(t, 0);
    break_gate(gate, -5);
    scarce_after(0, false);
    selv_status st = selv_wait_task(w.s, t);
    plenty();
    ck_assert_msg(st == SELV_TASK_FAILED, "%s", selv_error());
    ck_assert_int_eq(selv_wait(w.s, w.z), SELV_TASK_FAILED);
    ck_assert_int_eq(selv_finish(w.s), SELV_TASK_FAILED);
    ck_assert_int_gt(selv_zero(w.s, w.z, BYTES), 0);
    expect_all(&w, w.z, 0);
    scene_close(&w, 0);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, a_launch_with_several_buffers_works_after_memory_ran_out_at_every_allocation);
    tcase_add_test(t, a_launch_with_several_buffers_works_after_every_single_allocation_has_failed);
    tcase_add_test(t, a_block_that_the_host_held_is_held_again_after_every_single_allocation_has_failed);
    tcase_add_test(t, tasks_behind_gates_work_after_memory_ran_out_at_every_allocation);
    tcase_add_test(t, every_kind_of_call_works_after_memory_ran_out_at_every_allocation);
    tcase_add_test(t, opening_without_memory_is_refused_and_leaves_nothing_behind);
    tcase_add_test(t, a_failure_is_still_told_when_there_is_no_memory_to_keep_its_reason);
}

int main(void)
{
    return run_tests("refusals_no_memory", add_tests, 60);
}
