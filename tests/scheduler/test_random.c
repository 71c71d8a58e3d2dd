/* Random programs over buffers, SVM and host memory, compared with the same program run step by step on the host. The
   kernels mix what they read into what they write, so that a wrong order changes the result; some are slow, and some
   memory is behind gates that open later. TEST_SEED=n runs the one program of that seed. */
#include "scheduler/support.h"

#include <stdint.h>

enum {
    BUFFERS = 4,
    BLOCKS = 4,
    MEMORIES = BUFFERS + BLOCKS,
    HOSTS = 2,
    WORDS = 2048,
    UNIT = 256,
    STEPS = 150,
    GATES = 4,
    PROGRAMS = 12
};

static const char source[] =
    "kernel void within(global uint *y, uint yo, const global uint *x, uint xo, uint salt, uint spin)"
    "{ uint i = get_global_id(0), v = y[yo + i], w = x[xo + i];"
    "  for (uint k = 0; k <= spin; k++) v = v * 1664525u + 1013904223u;"
    "  y[yo + i] = (v ^ (w * 2654435761u)) + salt; }"
    "kernel void part(global uint *y, const global uint *x, uint salt, uint spin)"
    "{ uint i = get_global_id(0), v = y[i], w = x[i];"
    "  for (uint k = 0; k <= spin; k++) v = v * 1664525u + 1013904223u;"
    "  y[i] = (v ^ (w * 2654435761u)) + salt; }";

typedef struct world {
    unsigned seed, state;
    selv_scheduler *s;
    cl_program program;
    cl_kernel within, part;
    cl_mem buffer[BUFFERS];
    uint32_t *block[BLOCKS];
    uint32_t expected[MEMORIES][WORDS]; /* the reference */
    uint32_t host[HOSTS][WORDS], expected_host[HOSTS][WORDS];
    cl_event gate[GATES];
    unsigned gates;
} world;

typedef struct range { /* words of one memory */
    unsigned memory, begin, count;
} range;

static unsigned draw(world *w, unsigned n)
{
    w->state = w->state * 1103515245u + 12345u;
    return (w->state >> 8) % n;
}

static range some_range(world *w, unsigned count)
{
    return (range){draw(w, MEMORIES), draw(w, (WORDS - count) / UNIT + 1) * UNIT, count};
}

static bool overlap(range a, range b)
{
    return a.memory == b.memory && a.begin < b.begin + b.count && b.begin < a.begin + a.count;
}

static selv_arg whole(const world *w, range r)
{
    return r.memory < BUFFERS ? selv_arg_of(w->buffer[r.memory]) : selv_arg_of(w->block[r.memory - BUFFERS]);
}

static selv_arg part_of(const world *w, range r)
{
    return selv_part(whole(w, r), r.begin * 4, r.count * 4);
}

static selv_arg within(const world *w, range r)
{
    return selv_within(whole(w, r), r.begin * 4, r.count * 4);
}

static uint32_t *words(world *w, range r)
{
    return w->expected[r.memory] + r.begin;
}

/* --- actions: each does to the reference what it gives to the scheduler --- */

static void mix(world *w, range to, range from, uint32_t salt, uint32_t spin)
{
    uint32_t *y = words(w, to);
    const uint32_t *x = words(w, from);
    for (unsigned i = 0; i < to.count; i++) {
        uint32_t v = y[i];
        for (uint32_t k = 0; k <= spin; k++)
            v = v * 1664525u + 1013904223u;
        y[i] = (v ^ (x[i] * 2654435761u)) + salt;
    }
}

static void launch(world *w, range to, range from, uint32_t salt)
{
    uint32_t spin = draw(w, 4) ? 0 : 20000;
    if (overlap(to, from))
        return;
    mix(w, to, from, salt, spin);
    if (draw(w, 2)) {
        given(selv_launch(w->s, w->part, selv_1d(to.count), part_of(w, to), part_of(w, from), salt, spin));
        return;
    }
    selv_arg y = draw(w, 3) ? within(w, to) : whole(w, to);
    given(selv_launch(w->s, w->within, selv_1d(to.count), y, to.begin, within(w, from), from.begin, salt, spin));
}

static void copy(world *w, range to, range from)
{
    if (to.memory == from.memory)
        return;
    memcpy(words(w, to), words(w, from), to.count * 4);
    given(selv_copy(w->s, part_of(w, to), part_of(w, from), to.count * 4));
}

static void fill(world *w, range to, uint32_t salt)
{
    for (unsigned i = 0; i < to.count; i++)
        words(w, to)[i] = salt;
    given(selv_fill(w->s, part_of(w, to), (cl_uint)salt, to.count * 4));
}

static void download(world *w, unsigned h, range from)
{
    memcpy(w->expected_host[h] + from.begin, words(w, from), from.count * 4);
    given(selv_copy(w->s, selv_part(w->host[h], from.begin * 4, from.count * 4), part_of(w, from), from.count * 4));
}

static void upload(world *w, range to, unsigned h)
{
    memcpy(words(w, to), w->expected_host[h] + to.begin, to.count * 4);
    given(selv_copy(w->s, part_of(w, to), selv_part(w->host[h], to.begin * 4, to.count * 4), to.count * 4));
}

static void open_gates(world *w)
{
    while (w->gates) {
        clSetUserEventStatus(w->gate[--w->gates], CL_COMPLETE);
        clReleaseEvent(w->gate[w->gates]);
    }
}

static void some_gate(world *w, range r)
{
    if (w->gates == GATES || draw(w, 2)) {
        open_gates(w);
        return;
    }
    cl_event event = clCreateUserEvent(selv_context(w->s), NULL);
    given(selv_adopt(w->s, event, within(w, r)));
    w->gate[w->gates++] = event;
}

static void check_same(const world *w, const uint32_t *came, const uint32_t *expected, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(came[i] == expected[i], "seed %u: %s, word %zu", w->seed, what, i);
}

static void look_at_block(world *w, range r)
{
    uint32_t *p = w->block[r.memory - BUFFERS] + r.begin;
    if (draw(w, 2)) {
        OK(selv_wait(w->s, selv_part(p, 0, r.count * 4)));
        check_same(w, p, words(w, r), r.count, "SVM after selv_wait");
        return;
    }
    OK(selv_edit(w->s, selv_part(p, 0, r.count * 4)));
    for (unsigned i = 0; i < r.count; i++)
        p[i] = words(w, r)[i] += r.begin;
}

static void look_at_buffer(world *w, range r)
{
    uint32_t *p, copied[WORDS];
    if (draw(w, 2)) {
        OK(selv_read(w->s, copied, w->buffer[r.memory], sizeof copied));
        check_same(w, copied, w->expected[r.memory], WORDS, "a buffer after selv_read");
        return;
    }
    OK(selv_map(w->s, w->buffer[r.memory], SELV_READ_WRITE, &p));
    check_same(w, p, w->expected[r.memory], WORDS, "a buffer mapped");
    for (unsigned i = 0; i < r.count; i++)
        p[r.begin + i] = words(w, r)[i] ^= r.count;
    given(selv_unmap(w->s, w->buffer[r.memory]));
}

/* Behind a closed gate the host would wait for ever. */
static void look(world *w, range r)
{
    if (w->gates)
        return;
    if (r.memory < BUFFERS)
        look_at_buffer(w, r);
    else
        look_at_block(w, r);
}

static void step(world *w)
{
    unsigned count = (1 + draw(w, 4)) * UNIT;
    range to = some_range(w, count), from = some_range(w, count);
    switch (draw(w, 12)) {
    case 0: copy(w, to, from); break;
    case 1: fill(w, to, draw(w, 1000)); break;
    case 2: download(w, draw(w, HOSTS), from); break;
    case 3: upload(w, to, draw(w, HOSTS)); break;
    case 4: some_gate(w, to); break;
    case 5: look(w, to); break;
    default: launch(w, to, from, draw(w, 1000));
    }
}

/* --- a whole program --- */

static void begin(world *w, unsigned seed)
{
    memset(w, 0, sizeof *w);
    w->seed = w->state = seed;
    const selv_config config = {.lanes_per_device = 1 + seed % 5, .tasks_in_flight = seed % 3 ? 0 : 8};
    OK(selv_open(&config, &w->s));
    w->program = build(w->s, source);
    w->within = kernel_of(w->s, w->program, "within");
    w->part = kernel_of(w->s, w->program, "part");
    for (unsigned m = 0; m < MEMORIES; m++)
        for (unsigned i = 0; i < WORDS; i++)
            w->expected[m][i] = m * 77 + i;
    for (unsigned m = 0; m < BUFFERS; m++)
        w->buffer[m] = buffer_of(w->s, WORDS * 4, w->expected[m]);
    for (unsigned m = 0; m < BLOCKS; m++) {
        OK(selv_svm(w->s, WORDS * 4, &w->block[m]));
        memcpy(w->block[m], w->expected[BUFFERS + m], WORDS * 4);
    }
}

static void end(world *w)
{
    uint32_t copied[WORDS];
    open_gates(w);
    for (unsigned m = 0; m < BUFFERS; m++) {
        OK(selv_read(w->s, copied, w->buffer[m], sizeof copied));
        check_same(w, copied, w->expected[m], WORDS, "a buffer at the end");
        OK(selv_release(w->s, w->buffer[m]));
    }
    for (unsigned m = 0; m < BLOCKS; m++) {
        OK(selv_wait(w->s, w->block[m]));
        check_same(w, w->block[m], w->expected[BUFFERS + m], WORDS, "SVM at the end");
        OK(selv_svm_free(w->s, w->block[m]));
    }
    OK(selv_finish(w->s));
    for (unsigned h = 0; h < HOSTS; h++)
        check_same(w, w->host[h], w->expected_host[h], WORDS, "host memory at the end");
    clReleaseKernel(w->within);
    clReleaseKernel(w->part);
    clReleaseProgram(w->program);
    close_well(w->s);
}

START_TEST(a_random_program_gives_what_it_gives_step_by_step)
{
    static world w;
    const char *given_seed = getenv("TEST_SEED");
    unsigned seed = given_seed ? (unsigned)strtoul(given_seed, NULL, 10) : (unsigned)_i + 1;
    begin(&w, seed);
    for (unsigned i = 0; i < STEPS; i++)
        step(&w);
    end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *programs = tcase_create("programs");
    tcase_set_timeout(programs, 60);
    tcase_add_loop_test(programs, a_random_program_gives_what_it_gives_step_by_step, 0,
                        getenv("TEST_SEED") ? 1 : PROGRAMS);
    suite_add_tcase(suite, programs);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
