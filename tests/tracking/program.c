#include "tracking/program.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Check notes every ck_assert() in a file, too slow for what is asked a million times. */
static void demand(bool holds, const char *rule)
{
    if (!holds)
        ck_abort_msg("expected: %s", rule);
}

unsigned test_seed(void)
{
    const char *given = getenv("TEST_SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    printf("TEST_SEED=%u\n", seed);
    fflush(stdout);
    return seed;
}

static uint64_t below(program *g, uint64_t n)
{
    return (uint64_t)rand_r(&g->seed) % n;
}

static const selvi_horizon *horizon_of(const program *g)
{
    return g->kind == HORIZON_NONE ? NULL : &g->horizon;
}

void program_begin(program *g, unsigned seed, program_horizon kind)
{
    memset(g, 0, offsetof(program, naive));
    naive_clear(&g->naive);
    g->seed = seed;
    g->kind = kind;
    g->horizon = (selvi_horizon){g->complete, PROGRAM_LANES};
    selvi_parts_init(&g->parts, 0, NAIVE_BYTES);
}

void program_end(program *g)
{
    selvi_parts_destroy(&g->parts);
    selvi_accesses_destroy(&g->task);
    selvi_hazards_destroy(&g->found);
}

static bool same(const selvi_hazard *a, const selvi_hazard *b)
{
    return a->producer.lane == b->producer.lane && a->producer.position == b->producer.position && a->kind == b->kind &&
           a->accumulated == b->accumulated && a->commutes == b->commutes;
}

/* How many hazards of access `index` name this byte and are like this one; any, if like is NULL. */
static size_t found_at(const program *g, uint32_t index, uint64_t byte, const selvi_hazard *like)
{
    size_t count = 0;
    for (size_t i = 0; i < g->found.count; i++) {
        const selvi_hazard *h = &g->found.at[i];
        count += h->access == index && h->begin <= byte && byte < h->end && (!like || same(h, like));
    }
    return count;
}

static void check_ranges(const program *g, const selvi_access *a, uint32_t index)
{
    for (size_t i = 0; i < g->found.count; i++) {
        const selvi_hazard *h = &g->found.at[i];
        if (h->access != index)
            continue;
        demand(a->begin <= h->begin && h->begin < h->end && h->end <= a->end, "bytes of the access, and some");
        for (size_t j = 0; j < g->found.count; j++)
            if (g->found.at[j].access == index && same(h, &g->found.at[j]))
                demand(h->end != g->found.at[j].begin, "neighbouring ranges of one hazard are joined");
    }
}

static void compare(const program *g, const selvi_access *a, uint32_t index)
{
    selvi_hazard expected[3 * PROGRAM_LANES];
    check_ranges(g, a, index);
    for (uint64_t byte = a->begin; byte < a->end; byte++) {
        size_t count = naive_query(&g->naive, byte, (selv_mode)a->mode, horizon_of(g), expected);
        demand(found_at(g, index, byte, NULL) == count, "as many hazards as the naive model finds");
        for (size_t i = 0; i < count; i++)
            demand(found_at(g, index, byte, &expected[i]) == 1, "each hazard of the naive model, once");
    }
}

static selv_status query(program *g, const selvi_access *a, uint32_t index)
{
    size_t before = g->found.count;
    selv_status st = selvi_parts_query(&g->parts, a, index, horizon_of(g), &g->found);
    if (st)
        ck_assert_uint_eq(g->found.count, before);
    else
        compare(g, a, index);
    return st;
}

/* A write to everything would wait for every entry of every part, so this sees the whole state. */
static void compare_whole_state(program *g)
{
    static const selvi_access all = {.end = NAIVE_BYTES, .mode = SELV_WRITE};
    selvi_parts_check(&g->parts);
    selvi_hazards_clear(&g->found);
    if (query(g, &all, 0)) /* out of memory: not twice in a row */
        ck_assert_int_eq(query(g, &all, 0), SELV_OK);
}

static selv_status make_task(program *g)
{
    selvi_accesses_clear(&g->task);
    for (uint64_t n = 1 + below(g, 4); n > 0; n--) {
        uint64_t begin = below(g, NAIVE_BYTES), end = begin + 1 + below(g, NAIVE_BYTES - begin);
        selvi_access a = {.begin = begin, .end = end, .argument = (uint16_t)n, .mode = (uint8_t)(1 + below(g, 4))};
        selv_status st = selvi_accesses_add(&g->task, a);
        if (st)
            return st;
    }
    return selvi_accesses_normalise(&g->task);
}

static selv_status query_task(program *g)
{
    selv_status st = SELV_OK;
    selvi_hazards_clear(&g->found);
    for (size_t i = 0; !st && i < g->task.count; i++)
        st = query(g, &g->task.at[i], (uint32_t)i);
    return st;
}

static void undo_task(program *g)
{
    for (size_t i = 0; i < g->task.count; i++) {
        selvi_parts_undo(&g->parts, &g->task.at[i]);
        selvi_parts_check(&g->parts);
    }
}

static selv_status reserve_task(program *g)
{
    selv_status st = SELV_OK;
    for (size_t i = 0; !st && i < g->task.count; i++) {
        st = selvi_parts_reserve(&g->parts, &g->task.at[i]);
        selvi_parts_check(&g->parts);
    }
    return st;
}

static void apply_task(program *g)
{
    uint32_t lane = (uint32_t)below(g, PROGRAM_LANES);
    selvi_epoch e = {.lane = lane, .position = g->last[lane] += 1 + below(g, 3)};
    for (size_t first = below(g, g->task.count), i = 0; i < g->task.count; i++) {
        const selvi_access *a = &g->task.at[(first + i) % g->task.count];
        selvi_parts_apply(&g->parts, a, e, horizon_of(g));
        naive_apply(&g->naive, a, e);
        selvi_parts_check(&g->parts);
    }
}

static void grow_horizon(program *g)
{
    uint32_t lane = (uint32_t)below(g, PROGRAM_LANES);
    if (g->kind == HORIZON_STUCK && lane == 0 && g->complete[0] > 3)
        return;
    g->complete[lane] += below(g, g->last[lane] - g->complete[lane] + 1);
}

static selv_status prepare_task(program *g)
{
    selv_status st = make_task(g);
    if (!st)
        st = query_task(g);
    return st ? st : reserve_task(g);
}

void program_step(program *g)
{
    selv_status st = prepare_task(g);
    if (st) {
        ck_assert_int_eq(st, CL_OUT_OF_HOST_MEMORY);
        g->out_of_memory++;
    }
    if (st || !below(g, 6)) {
        undo_task(g);
        g->given_up++;
    } else {
        apply_task(g);
        g->applied++;
    }
    compare_whole_state(g);
    if (!below(g, 4))
        grow_horizon(g);
    if (!below(g, 50))
        selvi_parts_prune(&g->parts, horizon_of(g));
}
