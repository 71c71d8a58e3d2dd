#include "scheduler/retire.h"

#include "base/status.h"
#include "scheduler/told.h"

#include <stdio.h>

/* The task's own cause, if something that it needs has failed. */
static uint32_t inherited(const selvi_lanes *lanes, const selvi_flight *f)
{
    for (size_t i = 0; i < f->need_count; i++) {
        uint32_t cause = selvi_lanes_cause(lanes, f->needs[i], false);
        if (cause)
            return cause;
    }
    return 0;
}

static uint32_t own_cause(selv_scheduler *s, const selvi_lane *lane, const selvi_flight *f, cl_int status)
{
    char why[256];
    if (lane->failed_count) /* drivers fail everything behind a failed command of a queue */
        return lane->failed[lane->failed_count - 1].cause;
    snprintf(why, sizeof why,
             lane->kind == SELVI_LANE_FOREIGN ? "the adopted event ended with status %d (%s)"
                                              : "the device reports status %d (%s)",
             status, selvi_status_name(status));
    return selvi_failures_cause(&s->failures, f->task, f->name, why);
}

static void fail(selv_scheduler *s, selvi_lane *lane, selvi_flight *f, cl_int status)
{
    uint32_t cause = inherited(&s->lanes, f);
    if (!cause)
        cause = own_cause(s, lane, f, status);
    selvi_lane_fail(lane, lane->done + 1, cause);
    selvi_failures_add(&s->failures, f->task, f->name, cause);
    if (s->recording && s->observer.failed)
        s->observer.failed(s->observer.self, f->task, selvi_failures_text(&s->failures, cause));
}

/* A status query is no synchronization point (OpenCL 3.0, section 5.11): it only says that waiting will not block. So a
 * position counts as complete once it has been waited for. */
static cl_int synchronized(cl_event event)
{
    cl_int status = CL_QUEUED;
    cl_int code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    if (code)
        return code;
    if (status == CL_COMPLETE)
        clWaitForEvents(1, &event);
    return status;
}

/* What waits for a failed event fails, whatever the driver says of it: on PoCL 3.1 it stays queued for ever if the
 * event had failed before, and NVIDIA 580 calls a few such commands complete (4 of 3,000). */
static bool fails_by_rule(const selv_scheduler *s, const selvi_lane *lane, const selvi_flight *f)
{
    return lane->kind == SELVI_LANE_QUARANTINE && inherited(&s->lanes, f);
}

/* The causes are told in order: what a failed task needs is looked at before it, or the first cause would be lost. */
static bool told_too_early(const selvi_lanes *lanes, const selvi_flight *f)
{
    for (size_t i = 0; i < f->need_count; i++)
        if (!selvi_lanes_retired(lanes, f->needs[i]))
            return !inherited(lanes, f);
    return false;
}

static bool retire_oldest(selv_scheduler *s, selvi_lane *lane)
{
    selvi_flight *f = selvi_lane_flight(lane, lane->done + 1);
    cl_int status = synchronized(f->event);
    bool quarantined = lane->kind == SELVI_LANE_QUARANTINE;
    if ((status < CL_COMPLETE || (status == CL_COMPLETE && quarantined)) && told_too_early(&s->lanes, f))
        return false;
    bool fails = status < CL_COMPLETE || fails_by_rule(s, lane, f);
    if (status > CL_COMPLETE && !fails)
        return false;
    if (status > CL_COMPLETE)
        lane->stuck = true;
    if (fails)
        fail(s, lane, f, status);
    selvi_lane_advance(&s->lanes, lane);
    return true;
}

static bool retire_lane(selv_scheduler *s, selvi_lane *lane)
{
    bool moved = false;
    while (selvi_lane_backlog(lane) && lane->kind != SELVI_LANE_NEVER && retire_oldest(s, lane))
        moved = true;
    return moved;
}

static bool is_foreign_work(const selvi_lane *lane)
{
    return (lane->kind == SELVI_LANE_QUARANTINE || lane->kind == SELVI_LANE_FOREIGN) && selvi_lane_backlog(lane);
}

/* A failure goes down the chain at once: on PoCL a task that waits for one that has failed stays queued for ever. */
static void retire_foreign_work(selv_scheduler *s)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (size_t i = 0; i < s->lanes.count; i++)
            moved |= is_foreign_work(s->lanes.at[i]) && retire_lane(s, s->lanes.at[i]);
    }
}

void selvi_retire_some(selv_scheduler *s)
{
    selvi_lanes *l = &s->lanes;
    retire_lane(s, l->at[l->next_poll++ % l->count]);
    retire_foreign_work(s);
}

void selvi_retire_all(selv_scheduler *s)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (size_t i = 0; i < s->lanes.count; i++)
            moved |= retire_lane(s, s->lanes.at[i]);
    }
}

static selvi_view *view_of(const selv_scheduler *s, uint32_t view, uint64_t watch)
{
    selvi_view *v = view < s->allocations.view_count ? s->allocations.views[view] : NULL;
    return v && v->watch == watch ? v : NULL;
}

static bool is_root(selv_scheduler *s, const selvi_view *v)
{
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, v->slot);
    return x->generation == v->generation && x->object.mem == v->mem;
}

/* A buffer of selv_buffer may be released with clReleaseMemObject as well. */
static void note_gone(selv_scheduler *s, const selvi_view *v)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, v->slot);
    s->garbage.held -= x->ours ? x->bytes : 0;
    x->ours = false;
    selvi_told_gone(s, x);
    x->told = false;
}

static void visit(void *user, uint64_t begin, uint64_t end, const selvi_clock *writers, const selvi_clock *readers,
                  const selvi_clock *accumulators)
{
    (void)begin;
    (void)end;
    *(bool *)user |= writers->count || readers->count || accumulators->count;
}

static bool is_pending(selv_scheduler *s, const selvi_view *v)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, v->slot);
    selvi_horizon horizon = selvi_lanes_horizon(&s->lanes);
    bool pending = false;
    selvi_parts_prune(&x->parts, &horizon);
    selvi_parts_each(&x->parts, 0, x->bytes, visit, &pending);
    return pending;
}

void selvi_forget_view(selv_scheduler *s, uint32_t view, uint64_t watch)
{
    const selvi_view *v = view_of(s, view, watch);
    if (v && is_root(s, v))
        note_gone(s, v);
    selvi_view_remove(&s->allocations, view, watch);
}

/* Where the callback comes late, the handle may be another buffer's by now, seen and used: what is pending is that
   one's, for the old one is destroyed only when its commands are complete. It must not be forgotten. */
static void look_at_gone(selv_scheduler *s, uint32_t view, uint64_t watch)
{
    selvi_view *v = view_of(s, view, watch);
    bool kept = v && s->devices.calls_back_late && is_root(s, v) && is_pending(s, v);
    if (!kept) {
        selvi_forget_view(s, view, watch);
        return;
    }
    note_gone(s, v);
    v->watch = 0;
    v->doubtful = true;
}

void selvi_forget_doubtful(selv_scheduler *s)
{
    for (size_t i = 0; s->devices.calls_back_late && i < s->allocations.view_count; i++) {
        const selvi_view *v = s->allocations.views[i];
        if (v && v->doubtful && !is_pending(s, v))
            selvi_view_remove(&s->allocations, (uint32_t)i, 0);
    }
}

void selvi_drain_watches(selv_scheduler *s)
{
    uint32_t view;
    uint64_t watch;
    while (selvi_watch_next(s, &view, &watch))
        look_at_gone(s, view, watch);
}
