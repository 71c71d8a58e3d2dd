/* What was ordered before a task by the queues themselves: its waits, the task before it on its lane, and what was so
 * ordered before each of these. */
#include "graph/implied.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct stop { /* one kept task on its lane */
    selvi_epoch epoch;
    uint64_t place;
} stop;

typedef struct lanes {
    const selvi_recorder *r;
    stop *at; /* by lane, then position */
    size_t count;
} lanes;

static int compare(selvi_epoch a, selvi_epoch b)
{
    if (a.lane != b.lane)
        return a.lane < b.lane ? -1 : 1;
    return a.position < b.position ? -1 : a.position > b.position;
}

static int compare_stops(const void *left, const void *right)
{
    const stop *a = left, *b = right;
    return compare(a->epoch, b->epoch);
}

/* Tasks that were not run stand on no lane: position 0. */
static selv_status list_lanes(const selvi_recorder *r, lanes *out)
{
    *out = (lanes){.r = r, .at = selvi_alloc(selvi_recorder_tasks(r) * sizeof *out->at)};
    if (!out->at)
        return CL_OUT_OF_HOST_MEMORY;
    for (uint64_t place = r->first; place < r->next; place++)
        if (selvi_recorder_at(r, place)->epoch.position)
            out->at[out->count++] = (stop){selvi_recorder_at(r, place)->epoch, place};
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, compare_stops);
    return SELV_OK;
}

/* The last task on the lane at or before this position. */
static bool find_floor(const lanes *l, selvi_epoch e, uint64_t *place)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(l->at[middle].epoch, e) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || l->at[low - 1].epoch.lane != e.lane)
        return false;
    *place = l->at[low - 1].place;
    return true;
}

typedef struct walk {
    lanes lanes;
    uint64_t *by, *stack;
    size_t depth;
    uint64_t root; /* the one of `to`'s own waits from which the walk began; 0: each is a root itself */
} walk;

static void meet(walk *w, selvi_epoch e)
{
    const selvi_recorder *r = w->lanes.r;
    uint64_t place;
    if (!e.position || !find_floor(&w->lanes, e, &place) || w->by[place - r->first])
        return;
    w->by[place - r->first] = w->root ? w->root : place + 1;
    w->stack[w->depth++] = place;
}

static void meet_all_before(walk *w, uint64_t place)
{
    const selvi_record *record = selvi_recorder_at(w->lanes.r, place);
    selvi_epoch before = {.lane = record->epoch.lane, .position = record->epoch.position - 1};
    for (size_t i = 0; i < record->wait_count; i++)
        meet(w, record->waits[i]);
    if (record->epoch.position)
        meet(w, before);
}

static void run(walk *w, uint64_t to)
{
    meet_all_before(w, to);
    while (w->depth) {
        uint64_t place = w->stack[--w->depth];
        w->root = w->by[place - w->lanes.r->first];
        meet_all_before(w, place);
    }
}

selv_status selvi_implied_by(const selvi_recorder *r, uint64_t to, uint64_t **by)
{
    walk w = {0};
    selv_status st = list_lanes(r, &w.lanes);
    w.by = selvi_alloc(selvi_recorder_tasks(r) * sizeof *w.by);
    w.stack = selvi_alloc(selvi_recorder_tasks(r) * sizeof *w.stack);
    if (!st && w.by && w.stack)
        run(&w, to);
    else
        st = CL_OUT_OF_HOST_MEMORY;
    selvi_free(w.lanes.at);
    selvi_free(w.stack);
    if (st)
        selvi_free(w.by);
    else
        *by = w.by;
    return st;
}
