/* The waits that are really put into wait lists. Counted in programs whose first tasks keep every lane busy, so that
   nothing is complete while the rest is submitted: luck with the time lowers no number. Then a random program, whose
   every wait and every hazard is looked at by brute force. */
#include "scheduler/scheduler.h"
#include "scheduler/support.h"

#include <unistd.h>

static const char *source =
    SLOW_SOURCE "kernel void add(global int *x, int v) { x[0] += v; }\n"
                "kernel void neighbours(global uint *out, global const uint *l, global const uint *m,"
                " global const uint *r) { out[0] = l[0] + 3 * m[0] + r[0]; }\n"
                "kernel void blend(global uint *out, global const uint *a, global const uint *b, uint n, uint turns)"
                "{ uint v = busy(turns) == 0; for (uint i = 0; i < n; i++) out[i] = 3 * out[i] + a[i] + 5 * b[i] + v; "
                "}\n";

enum { LANES = 4 };

static selv_scheduler *s;
static cl_program program;
static cl_mem weights[LANES];

static void setup(void)
{
    s = open_recording(LANES);
    program = build(s, source);
    for (int i = 0; i < LANES; i++)
        weights[i] = buffer_of(s, sizeof(int), NULL);
}

static void teardown(void)
{
    for (int i = 0; i < LANES; i++)
        OK(selv_release(s, weights[i]));
    clReleaseProgram(program);
    close_well(s);
}

/* A long task on each lane: what is submitted in the meantime stays in the queues behind them. */
static void load_every_lane(void)
{
    cl_kernel slow = kernel_of(s, program, "slow");
    for (int i = 0; i < LANES; i++)
        given(selv_launch(s, slow, selv_1d(1), weights[i], 10 * SLOW_TURNS));
    for (size_t i = 0; i < s->lanes.count; i++)
        if (s->lanes.at[i]->kind == SELVI_LANE_ORDINARY)
            ck_assert_uint_eq(selvi_lane_backlog(s->lanes.at[i]), 1);
    clReleaseKernel(slow);
}

/* Nothing but these has been submitted since load_every_lane, and nothing has ended. */
static double waits_per_task(uint64_t tasks)
{
    selv_statistics now = stats_of(s);
    ck_assert_uint_eq(now.tasks_running, LANES + tasks);
    return (double)now.waits / (double)tasks;
}

static void add_in_turn(size_t chains, const cl_mem *m, int tasks)
{
    cl_kernel add = kernel_of(s, program, "add");
    load_every_lane();
    for (int i = 0; i < tasks; i++)
        given(selv_launch(s, add, selv_1d(1), m[(size_t)i % chains], 1));
    ck_assert_double_eq(waits_per_task((uint64_t)tasks), 0);
    clReleaseKernel(add);
}

START_TEST(a_chain_has_no_waits)
{
    const int zero = 0;
    cl_mem m = buffer_of(s, sizeof zero, &zero);
    add_in_turn(1, &m, 200);
    ck_assert_int_eq(read_int(s, m), 200);
    OK(selv_release(s, m));
}
END_TEST

START_TEST(eight_independent_chains_have_no_waits)
{
    const int zero = 0;
    cl_mem m[8];
    for (int i = 0; i < 8; i++)
        m[i] = buffer_of(s, sizeof zero, &zero);
    add_in_turn(8, m, 400);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(read_int(s, m[i]), 50);
        OK(selv_release(s, m[i]));
    }
}
END_TEST

/* Chains that end at different times stay on their lanes too. */
START_TEST(eight_independent_chains_have_no_waits_while_tasks_end)
{
    const int zero = 0;
    cl_mem m[8];
    cl_kernel slow = kernel_of(s, program, "slow");
    unsigned seed = test_seed();
    for (int i = 0; i < 8; i++)
        m[i] = buffer_of(s, sizeof zero, &zero);
    for (int i = 0; i < 400; i++)
        given(selv_launch(s, slow, selv_1d(1), m[below(&seed, 8)], below(&seed, SLOW_TURNS / 20)));
    ck_assert_uint_eq(stats_of(s).waits, 0);
    for (int i = 0; i < 8; i++)
        OK(selv_release(s, m[i]));
    clReleaseKernel(slow);
}
END_TEST

/* --- stencil: eight cells, two copies of each, every step reads three of one copy and writes one of the other --- */

enum { WIDTH = 8, STEPS = 30 };

static void expected_cells(unsigned *cells)
{
    unsigned next[WIDTH];
    for (unsigned i = 0; i < WIDTH; i++)
        cells[i] = i + 1;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < WIDTH; i++)
            next[i] = cells[(i + 7) % WIDTH] + 3 * cells[i] + cells[(i + 1) % WIDTH];
        memcpy(cells, next, sizeof next);
    }
}

static void run_stencil(const selv_arg cells[2][WIDTH])
{
    cl_kernel k = kernel_of(s, program, "neighbours");
    load_every_lane();
    for (int step = 0; step < STEPS; step++) {
        const selv_arg *from = cells[step % 2], *to = cells[1 - step % 2];
        for (int i = 0; i < WIDTH; i++)
            given(
                selv_launch(s, k, selv_1d(1), selv_out(to[i]), from[(i + 7) % WIDTH], from[i], from[(i + 1) % WIDTH]));
    }
    double waits = waits_per_task(WIDTH * STEPS);
    printf("stencil: %.3f waits per task\n", waits);
    ck_assert_double_le(waits, 0.75);
    clReleaseKernel(k);
}

static void assert_cells(const selv_arg *cells)
{
    unsigned expected[WIDTH];
    expected_cells(expected);
    for (int i = 0; i < WIDTH; i++) {
        unsigned got = 0;
        OK(selv_read(s, &got, cells[i], sizeof got));
        ck_assert_uint_eq(got, expected[i]);
    }
}

START_TEST(a_stencil_over_buffers_has_at_most_three_waits_for_four_tasks)
{
    cl_mem m[2][WIDTH];
    selv_arg cells[2][WIDTH];
    for (unsigned i = 0; i < 2 * WIDTH; i++) {
        const unsigned init = i % WIDTH + 1;
        m[i / WIDTH][i % WIDTH] = buffer_of(s, sizeof init, &init);
        cells[i / WIDTH][i % WIDTH] = selv_arg_of(m[i / WIDTH][i % WIDTH]);
    }
    run_stencil(cells);
    assert_cells(cells[STEPS % 2]);
    for (int i = 0; i < 2 * WIDTH; i++)
        OK(selv_release(s, m[i / WIDTH][i % WIDTH]));
}
END_TEST

START_TEST(a_stencil_over_parts_has_at_most_three_waits_for_four_tasks)
{
    const size_t unit = alignment_of(s);
    cl_mem m[2] = {buffer_of(s, WIDTH * unit, NULL), buffer_of(s, WIDTH * unit, NULL)};
    selv_arg cells[2][WIDTH];
    for (unsigned i = 0; i < 2 * WIDTH; i++)
        cells[i / WIDTH][i % WIDTH] = selv_part(m[i / WIDTH], i % WIDTH * unit, unit);
    for (unsigned i = 0; i < WIDTH; i++)
        given(selv_fill(s, cells[0][i], i + 1, unit));
    OK(selv_finish(s));
    ck_assert_uint_eq(stats_of(s).waits, 0);
    run_stencil(cells);
    assert_cells(cells[STEPS % 2]);
    OK(selv_release(s, m[0]));
    OK(selv_release(s, m[1]));
}
END_TEST

/* --- a random program, and what the scheduler really did with it --- */

enum { TASKS = 400, BUFFERS = 6, UNITS = 4, MOST_WAITS = 8, ACCESSES = 3 };

typedef struct use { /* units [begin, end) of a buffer */
    unsigned buffer, begin, end;
    bool writes;
} use;

typedef struct seen { /* a task: what was asked for, and what was done */
    use uses[ACCESSES];
    selvi_epoch epoch, waits[MOST_WAITS];
    size_t wait_count;
    bool complete[TASKS], before[TASKS]; /* earlier tasks: known to be complete; ordered by lanes and waits */
} seen;

static seen tasks[TASKS];
static size_t task_count;
static selvi_observer recorder;

/* Stands between the scheduler and its recorder. */
static void listen(void *self, const selvi_fact_task *fact)
{
    seen *t = &tasks[task_count];
    ck_assert_uint_le(fact->wait_count, MOST_WAITS);
    t->epoch = fact->epoch;
    t->wait_count = fact->wait_count;
    for (size_t i = 0; i < fact->wait_count; i++)
        t->waits[i] = fact->waits[i];
    for (size_t i = 0; i < task_count; i++)
        t->complete[i] = selvi_horizon_covers(&fact->horizon, tasks[i].epoch);
    task_count++;
    recorder.task(self, fact);
}

static use random_use(unsigned *seed, unsigned buffer, unsigned units)
{
    unsigned begin = below(seed, UNITS - units + 1);
    return (use){.buffer = buffer, .begin = begin, .end = begin + units};
}

static selv_arg arg_of(const cl_mem *m, size_t unit, const use *u)
{
    return selv_part(m[u->buffer], u->begin * unit, (u->end - u->begin) * unit);
}

/* Three parts of one size in three buffers; now and then a task that takes its time. */
static void random_launch(unsigned *seed, cl_kernel k, const cl_mem *m, size_t unit)
{
    unsigned units = 1 + below(seed, 3), first = below(seed, BUFFERS);
    use *u = tasks[task_count].uses;
    for (unsigned i = 0; i < ACCESSES; i++)
        u[i] = random_use(seed, (first + i * (1 + first % 2)) % BUFFERS, units);
    u[0].writes = true;
    given(selv_launch(s, k, selv_1d(1), arg_of(m, unit, &u[0]), arg_of(m, unit, &u[1]), arg_of(m, unit, &u[2]),
                      units * unit / sizeof(cl_uint), below(seed, 8) ? 1u : SLOW_TURNS / 10));
    if (!below(seed, 20))
        usleep(below(seed, 2000));
}

/* The same on the host, one after another. */
static void replay(cl_uint *cells[BUFFERS], size_t per_unit)
{
    for (size_t t = 0; t < TASKS; t++) {
        const use *u = tasks[t].uses;
        cl_uint *out = cells[u[0].buffer] + u[0].begin * per_unit;
        const cl_uint *a = cells[u[1].buffer] + u[1].begin * per_unit, *b = cells[u[2].buffer] + u[2].begin * per_unit;
        for (size_t i = 0; i < (u[0].end - u[0].begin) * per_unit; i++)
            out[i] = 3 * out[i] + a[i] + 5 * b[i];
    }
}

static size_t task_at(selvi_epoch e)
{
    size_t i = 0;
    while (i < TASKS && (tasks[i].epoch.lane != e.lane || tasks[i].epoch.position != e.position))
        i++;
    ck_assert_uint_lt(i, TASKS);
    return i;
}

/* The task before this one on its lane, or TASKS. */
static size_t before_on_lane(size_t task)
{
    size_t i = task;
    while (i-- > 0)
        if (tasks[i].epoch.lane == tasks[task].epoch.lane)
            return i;
    return TASKS;
}

static bool at_or_before(size_t i, size_t of)
{
    return of < TASKS && (i == of || tasks[of].before[i]);
}

static void find_what_comes_before(size_t task)
{
    seen *t = &tasks[task];
    for (size_t i = 0; i < task; i++) {
        t->before[i] = at_or_before(i, before_on_lane(task));
        for (size_t w = 0; w < t->wait_count; w++)
            t->before[i] |= at_or_before(i, task_at(t->waits[w]));
    }
}

static bool conflict(const seen *a, const seen *b)
{
    for (size_t i = 0; i < ACCESSES; i++)
        for (size_t k = 0; k < ACCESSES; k++) {
            const use *x = &a->uses[i], *y = &b->uses[k];
            if (x->buffer == y->buffer && x->begin < y->end && y->begin < x->end && (x->writes || y->writes))
                return true;
        }
    return false;
}

static void assert_every_hazard_is_ordered(size_t task)
{
    for (size_t i = 0; i < task; i++)
        if (conflict(&tasks[i], &tasks[task]))
            ck_assert_msg(tasks[task].before[i] || tasks[task].complete[i],
                          "task %zu conflicts with %zu, and nothing orders them", task, i);
}

static void assert_every_wait_is_needed(size_t task)
{
    const seen *t = &tasks[task];
    for (size_t w = 0; w < t->wait_count; w++) {
        size_t from = task_at(t->waits[w]);
        ck_assert(conflict(&tasks[from], t));
        ck_assert(!t->complete[from]);
        ck_assert(!at_or_before(from, before_on_lane(task)));
        for (size_t other = 0; other < t->wait_count; other++)
            ck_assert(other == w || !at_or_before(from, task_at(t->waits[other])));
    }
}

static bool waits_for(size_t task, size_t from)
{
    for (size_t w = 0; w < tasks[task].wait_count; w++)
        if (task_at(tasks[task].waits[w]) == from)
            return true;
    return false;
}

static void assert_fate(const selv_edge *e)
{
    size_t from = (size_t)e->from - 1, to = (size_t)e->to - 1;
    ck_assert(conflict(&tasks[from], &tasks[to]));
    ck_assert_int_eq(e->fate == SELV_FATE_WAIT, waits_for(to, from));
    if (e->fate == SELV_FATE_SAME_LANE)
        ck_assert_uint_eq(tasks[from].epoch.lane, tasks[to].epoch.lane);
    if (e->fate == SELV_FATE_IMPLIED)
        ck_assert(tasks[to].before[from]);
    if (e->fate == SELV_FATE_COMPLETE)
        ck_assert(tasks[to].complete[from]);
}

/* Every wait is an edge whose fate is that wait, and no edge tells of another. */
static void assert_fates(uint64_t waits)
{
    edges e = edges_of(s);
    uint64_t told = 0;
    for (size_t i = 0; i < e.count; i++) {
        bool another_reason = i && e.at[i].from == e.at[i - 1].from && e.at[i].to == e.at[i - 1].to;
        assert_fate(&e.at[i]);
        told += e.at[i].fate == SELV_FATE_WAIT && !another_reason;
    }
    ck_assert_uint_eq(told, waits);
    free(e.at);
}

static void assert_values(const cl_mem *m, cl_uint *cells[BUFFERS], size_t bytes)
{
    cl_uint *got = malloc(bytes);
    for (int i = 0; i < BUFFERS; i++) {
        OK(selv_read(s, got, m[i], bytes));
        ck_assert_mem_eq(got, cells[i], bytes);
    }
    free(got);
}

static void run_random_program(const cl_mem *m, size_t unit)
{
    cl_kernel k = kernel_of(s, program, "blend");
    unsigned seed = test_seed();
    recorder = s->observer;
    s->observer.task = listen;
    for (int i = 0; i < TASKS; i++)
        random_launch(&seed, k, m, unit);
    s->observer.task = recorder.task;
    clReleaseKernel(k);
}

static void assert_orders(void)
{
    uint64_t waits = stats_of(s).waits, counted = 0;
    for (size_t i = 0; i < TASKS; i++) {
        find_what_comes_before(i);
        assert_every_hazard_is_ordered(i);
        assert_every_wait_is_needed(i);
        counted += tasks[i].wait_count;
    }
    printf("random program: %zu waits of %d tasks\n", (size_t)waits, TASKS);
    ck_assert_uint_eq(counted, waits);
    ck_assert_uint_gt(waits, 0);
    assert_fates(waits);
}

START_TEST(the_waits_of_a_random_program_order_every_hazard_and_none_is_needless)
{
    const size_t unit = alignment_of(s), bytes = UNITS * unit;
    cl_mem m[BUFFERS];
    cl_uint *cells[BUFFERS];
    for (size_t i = 0; i < BUFFERS; i++) {
        cells[i] = malloc(bytes);
        for (size_t n = 0; n < bytes / sizeof **cells; n++)
            cells[i][n] = (cl_uint)(n + 1000 * i);
        m[i] = buffer_of(s, bytes, cells[i]);
    }
    run_random_program(m, unit);
    assert_orders();
    replay(cells, unit / sizeof(cl_uint));
    assert_values(m, cells, bytes);
    for (int i = 0; i < BUFFERS; i++) {
        free(cells[i]);
        OK(selv_release(s, m[i]));
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("waits");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_chain_has_no_waits);
    tcase_add_test(c, eight_independent_chains_have_no_waits);
    tcase_add_test(c, eight_independent_chains_have_no_waits_while_tasks_end);
    tcase_add_test(c, a_stencil_over_buffers_has_at_most_three_waits_for_four_tasks);
    tcase_add_test(c, a_stencil_over_parts_has_at_most_three_waits_for_four_tasks);
    tcase_add_test(c, the_waits_of_a_random_program_order_every_hazard_and_none_is_needless);
    return run_case("waits of whole programs", c, 60);
}
