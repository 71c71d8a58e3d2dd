#include "scheduler/waiting.h"

#include "base/status.h"
#include "scheduler/retire.h"
#include "scheduler/sub_buffers.h"

/* The event to wait for: of the task, or first of the foreign event it is behind (PoCL 3.1 leaves a command queued for
 * ever whose event had failed before). Retained. */
static cl_event event_for(selv_scheduler *s, selvi_epoch e)
{
    selvi_epoch gate = selvi_lanes_gate(&s->lanes, e);
    if (gate.position)
        e = gate;
    cl_event event = selvi_lane_flight(selvi_lane_at(&s->lanes, e.lane), e.position)->event;
    clRetainEvent(event);
    return event;
}

/* A failed event makes the wait return an error: the failure is found by the retirement that follows. */
static void wait_for(cl_event event)
{
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
}

/* Under the lock: is it done, or which event is to be waited for? */
static bool is_done(selv_scheduler *s, selvi_epoch e, cl_event *event)
{
    selvi_retire_all(s);
    bool done = selvi_lanes_retired(&s->lanes, e);
    *event = done ? NULL : event_for(s, e);
    return done;
}

static selv_status flush_before(selv_scheduler *s, selvi_epoch e)
{
    selvi_lock(s);
    bool dirty = selvi_lane_at(&s->lanes, e.lane)->flushed < e.position && !selvi_lanes_retired(&s->lanes, e);
    selvi_unlock(s);
    return dirty ? selvi_flush_lane(s, e.lane) : SELV_OK;
}

selv_status selvi_wait_epoch(selv_scheduler *s, selvi_epoch e)
{
    cl_event event;
    bool done;
    selv_status st = flush_before(s, e);
    do {
        selvi_lock(s);
        done = is_done(s, e, &event);
        selvi_unlock(s);
        if (event)
            wait_for(event);
    } while (!st && !done);
    return st;
}

selv_status selvi_wait_clock(selv_scheduler *s, const selvi_clock *c)
{
    const selvi_epoch *at = selvi_clock_epochs(c);
    selv_status st = SELV_OK;
    for (uint32_t i = 0; !st && i < c->count; i++)
        st = flush_before(s, at[i]);
    for (uint32_t i = 0; !st && i < c->count; i++)
        st = selvi_wait_epoch(s, at[i]);
    return st;
}

/* The oldest task of the longest ordinary lane: waiting for a few at once keeps the device fed. */
static bool too_many(selv_scheduler *s, selvi_epoch *oldest)
{
    const selvi_lane *longest = NULL;
    if (s->lanes.running < s->tasks_most)
        return false;
    selvi_retire_all(s);
    if (s->lanes.running < s->tasks_most)
        return false;
    for (size_t i = 0; i < s->lanes.count; i++) {
        const selvi_lane *lane = s->lanes.at[i];
        if (lane->kind == SELVI_LANE_ORDINARY && (!longest || selvi_lane_backlog(lane) > selvi_lane_backlog(longest)))
            longest = lane;
    }
    *oldest = (selvi_epoch){longest->done + 1 + selvi_lane_backlog(longest) / 8, longest->number};
    return true;
}

selv_status selvi_wait_for_room(selv_scheduler *s)
{
    selvi_epoch oldest;
    selvi_lock(s);
    bool full = too_many(s, &oldest);
    selvi_unlock(s);
    return full ? selvi_wait_epoch(s, oldest) : SELV_OK;
}

/* The handle may be another object's as soon as it is released, and the callback may come later. */
static void forget_handles(selv_scheduler *s, const selvi_rubbish *piece, size_t count)
{
    uint64_t index;
    for (size_t i = 0; i < count; i++)
        if (piece[i].mem && selvi_table_get(&s->allocations.by_handle, (uintptr_t)piece[i].mem, &index))
            selvi_forget_view(s, (uint32_t)index, s->allocations.views[index]->watch);
}

void selvi_reap(selv_scheduler *s)
{
    selvi_rubbish piece[16];
    size_t count;
    selvi_lock(s);
    selvi_retire_all(s);
    selvi_sub_buffers_tidy(s, SELVI_TIDY_ALL);
    selvi_forget_doubtful(s);
    do {
        count = selvi_garbage_take(&s->garbage, &s->lanes, piece, 16);
        forget_handles(s, piece, count);
        selvi_unlock(s);
        for (size_t i = 0; i < count; i++)
            selvi_rubbish_free(s->devices.context, &piece[i]);
        selvi_lock(s);
        selvi_drain_watches(s);
    } while (count);
    selvi_unlock(s);
}
