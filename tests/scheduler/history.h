/* Tasks on lanes without queues or events, and beside them the plain truth: for each task, everything that comes before
 * it, found by walking lane order and waits.
 *
 *    lane 1   t0 --- t2 ------- t5          before(t5) = t0 t1 t2 t3: t2 by lane order, t3 by a wait, t1 by t3
 *    lane 2      t1 ---- t3 ---'                                                                                */
#ifndef TESTS_SCHEDULER_HISTORY_H
#define TESTS_SCHEDULER_HISTORY_H

#include "scheduler/placement.h"
#include "scheduler/waits.h"

#include <check.h>
#include <string.h>

enum { MOST_TASKS = 256 };

typedef struct past {
    selvi_epoch epoch;
    bool done, before[MOST_TASKS];
} past;

typedef struct history {
    selvi_lanes lanes;
    past tasks[MOST_TASKS];
    size_t count, waits;
} history;

#define FINE(call) ck_assert_int_eq((call), SELV_OK)

static inline selvi_lane *new_lane(history *h, selvi_lane_kind kind, int device)
{
    selvi_lane *lane = NULL;
    FINE(selvi_lanes_add(&h->lanes, kind, device, NULL, &lane));
    return lane;
}

/* Lane 0 is that of tasks that never ran; lanes 1 to n are ordinary ones of device 0. */
static inline void open_history(history *h, unsigned lanes)
{
    memset(h, 0, sizeof *h);
    new_lane(h, SELVI_LANE_NEVER, -1);
    for (unsigned i = 0; i < lanes; i++)
        new_lane(h, SELVI_LANE_ORDINARY, 0);
}

static inline void close_history(history *h)
{
    h->lanes.trash_count = 0;
    selvi_lanes_destroy(&h->lanes);
}

static inline selvi_lane *lane_of(history *h, uint32_t number)
{
    return selvi_lane_at(&h->lanes, number);
}

static inline size_t task_at(const history *h, selvi_epoch e)
{
    size_t i = 0;
    while (i < h->count && (h->tasks[i].epoch.lane != e.lane || h->tasks[i].epoch.position != e.position))
        i++;
    ck_assert_uint_lt(i, h->count);
    return i;
}

static inline selvi_epoch tail_of(const selvi_lane *lane)
{
    return (selvi_epoch){lane->tail, lane->number};
}

/* Is `task` at or before `of`? */
static inline bool at_or_before(const history *h, size_t task, size_t of)
{
    return task == of || h->tasks[of].before[task];
}

static inline void comes_before(past *p, const history *h, selvi_epoch e)
{
    size_t task = task_at(h, e);
    for (size_t i = 0; i < h->count; i++)
        p->before[i] |= at_or_before(h, i, task);
}

static inline void remember(history *h, const selvi_lane *lane, const selvi_epoch *waits, size_t count)
{
    past *p = &h->tasks[h->count];
    memset(p, 0, sizeof *p);
    if (lane->tail && lane->kind != SELVI_LANE_FOREIGN)
        comes_before(p, h, tail_of(lane));
    for (size_t i = 0; i < count; i++)
        comes_before(p, h, waits[i]);
    p->epoch = (selvi_epoch){lane->tail + 1, lane->number};
}

/* Puts a task on the lane with these waits; returns where it stands. */
static inline selvi_epoch put(history *h, selvi_lane *lane, const selvi_epoch *waits, size_t count)
{
    selvi_clock before = {0};
    ck_assert_uint_lt(h->count, MOST_TASKS);
    remember(h, lane, waits, count);
    FINE(selvi_waits_clock(&h->lanes, lane, waits, count, &before));
    FINE(selvi_lane_reserve(&h->lanes, lane, &before, 0));
    selvi_lane_commit(&h->lanes, lane, &before, NULL, (selv_task)h->count + 1, "task", NULL, 0);
    selvi_clock_destroy(&before);
    selvi_lanes_check(&h->lanes);
    h->waits += count;
    return h->tasks[h->count++].epoch;
}

/* The waits that the library finds necessary; they stand in front then. */
static inline size_t minimal_waits(const history *h, const selvi_lane *lane, selvi_epoch *candidates, size_t count)
{
    return selvi_waits_on_lane(lane, candidates, selvi_waits_needed(&h->lanes, candidates, count));
}

/* Puts a task that depends on these, with those waits. */
static inline selvi_epoch put_behind(history *h, selvi_lane *lane, const selvi_epoch *candidates, size_t count)
{
    selvi_epoch waits[MOST_TASKS];
    if (count)
        memcpy(waits, candidates, count * sizeof *waits);
    return put(h, lane, waits, minimal_waits(h, lane, waits, count));
}

/* The oldest task of the lane ends, if everything before it has. */
static inline bool retire_oldest(history *h, selvi_lane *lane)
{
    if (!selvi_lane_backlog(lane))
        return false;
    size_t task = task_at(h, (selvi_epoch){lane->done + 1, lane->number});
    for (size_t i = 0; i < h->count; i++)
        if (h->tasks[task].before[i] && !h->tasks[i].done)
            return false;
    h->tasks[task].done = true;
    selvi_lane_advance(&h->lanes, lane);
    h->lanes.events -= h->lanes.trash_count;
    h->lanes.trash_count = 0;
    selvi_lanes_check(&h->lanes);
    return true;
}

#endif
