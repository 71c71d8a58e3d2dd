#include "scheduler/lanes.h"

#include "base/memory.h"
#include "base/status.h"
#include "tracking/check.h"

selvi_horizon selvi_lanes_horizon(const selvi_lanes *l)
{
    return (selvi_horizon){l->complete, (uint32_t)l->count};
}

selvi_lane *selvi_lane_at(const selvi_lanes *l, uint32_t number)
{
    return l->at[number];
}

selvi_flight *selvi_lane_flight(const selvi_lane *lane, uint64_t position)
{
    return &lane->ring[position & (lane->room - 1)];
}

size_t selvi_lane_backlog(const selvi_lane *lane)
{
    return lane->kind == SELVI_LANE_NEVER ? 0 : (size_t)(lane->tail - lane->done);
}

bool selvi_lane_open(const selvi_lane *lane)
{
    return !lane->dead;
}

static selv_status make_room(selvi_lanes *l)
{
    selv_status st = selvi_grow(&l->at, &l->room, l->count + 1, sizeof *l->at);
    return st ? st : selvi_grow(&l->complete, &l->complete_room, l->count + 1, sizeof *l->complete);
}

selv_status selvi_lanes_add(selvi_lanes *l, selvi_lane_kind kind, int device, cl_command_queue queue, selvi_lane **out)
{
    selv_status st = make_room(l);
    st = st ? st : selvi_grow(&l->old_queues, &l->old_queue_room, l->count + 1, sizeof *l->old_queues);
    selvi_lane *lane = st ? NULL : selvi_alloc(sizeof *lane);
    if (!lane)
        return CL_OUT_OF_HOST_MEMORY;
    lane->number = (uint32_t)l->count;
    lane->kind = (uint8_t)kind;
    lane->device = device;
    lane->queue = queue;
    l->complete[l->count] = 0;
    l->at[l->count++] = lane;
    *out = lane;
    return SELV_OK;
}

static void destroy_lane(selvi_lane *lane)
{
    for (size_t i = 0; i < lane->room; i++) {
        if (lane->ring[i].event)
            clReleaseEvent(lane->ring[i].event);
        selvi_clock_destroy(&lane->ring[i].before);
        selvi_free(lane->ring[i].needs);
    }
    if (lane->queue && !lane->stuck)
        clReleaseCommandQueue(lane->queue);
    selvi_clock_destroy(&lane->clock);
    selvi_free(lane->ring);
    selvi_free(lane->failed);
    selvi_free(lane);
}

void selvi_lanes_destroy(selvi_lanes *l)
{
    for (size_t i = 0; i < l->count; i++)
        destroy_lane(l->at[i]);
    for (size_t i = 0; i < l->trash_count; i++)
        clReleaseEvent(l->trash[i]);
    for (size_t i = 0; i < SELVI_FAILED_EVENTS_KEPT; i++)
        if (l->failed_events[i])
            clReleaseEvent(l->failed_events[i]);
    selvi_free(l->at);
    selvi_free(l->complete);
    for (size_t i = 0; i < l->old_queue_count; i++)
        clReleaseCommandQueue(l->old_queues[i]);
    selvi_free(l->old_queues);
    selvi_free(l->trash);
    memset(l, 0, sizeof *l);
}

/* --- the picture, asserted --- */

/* Looked at after every commit and retirement, so the newest two of a row stand for all of it. */
static void check_flights(const selvi_lane *lane)
{
    size_t flights = selvi_lane_backlog(lane);
    assert(flights <= lane->room && !(lane->room & (lane->room - 1)));
    if (!flights)
        return;
    const selvi_flight *newest = selvi_lane_flight(lane, lane->tail);
    assert(flights == 1 || selvi_lane_flight(lane, lane->tail - 1)->task < newest->task);
    assert(!selvi_clock_covers(&newest->before, (selvi_epoch){lane->tail, lane->number}));
    selvi_clock_check(&newest->before);
}

static void check_failures(const selvi_lane *lane)
{
    size_t n = lane->failed_count;
    assert(!n || lane->failed[n - 1].position <= lane->tail);
    assert(n < 2 || lane->failed[n - 2].position < lane->failed[n - 1].position);
    assert(lane->dead == (n && lane->kind != SELVI_LANE_NEVER));
}

static void check_lane(const selvi_lanes *l, const selvi_lane *lane)
{
    uint64_t complete = l->complete[lane->number];
    assert(l->at[lane->number] == lane && (lane->number == 0) == (lane->kind == SELVI_LANE_NEVER));
    assert(lane->done <= lane->tail && lane->flushed <= lane->tail);
    assert(lane->failed_count ? complete <= lane->done : complete == lane->done);
    assert(!lane->queue || lane->kind == SELVI_LANE_ORDINARY || lane->kind == SELVI_LANE_QUARANTINE);
    check_flights(lane);
    check_failures(lane);
    selvi_clock_check(&lane->clock);
}

void selvi_lanes_check(const selvi_lanes *l)
{
    size_t flights = 0, running = 0;
    for (size_t i = 0; i < l->count; i++) {
        check_lane(l, l->at[i]);
        flights += selvi_lane_backlog(l->at[i]);
        running += l->at[i]->kind == SELVI_LANE_ORDINARY ? selvi_lane_backlog(l->at[i]) : 0;
    }
    assert(running == l->running && flights + l->trash_count <= l->events);
}

bool selvi_lanes_retired(const selvi_lanes *l, selvi_epoch e)
{
    const selvi_lane *lane = l->at[e.lane];
    return lane->kind == SELVI_LANE_NEVER || e.position <= lane->done;
}

selvi_epoch selvi_lanes_gate(const selvi_lanes *l, selvi_epoch e)
{
    const selvi_lane *lane = l->at[e.lane];
    if (selvi_lanes_retired(l, e) || lane->kind == SELVI_LANE_ORDINARY)
        return (selvi_epoch){0, 0};
    if (lane->kind == SELVI_LANE_FOREIGN)
        return e;
    const selvi_clock *before = &selvi_lane_flight(lane, e.position)->before;
    const selvi_epoch *at = selvi_clock_epochs(before);
    for (uint32_t i = 0; i < before->count; i++)
        if (l->at[at[i].lane]->kind == SELVI_LANE_FOREIGN && !selvi_lanes_retired(l, at[i]))
            return at[i];
    return (selvi_epoch){0, 0};
}

bool selvi_lanes_gated(const selvi_lanes *l, selvi_epoch e)
{
    return selvi_lanes_gate(l, e).position != 0;
}

/* The first failure at or after `position`, by halving. */
static size_t failure_from(const selvi_lane *lane, uint64_t position)
{
    size_t low = 0, high = lane->failed_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (lane->failed[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lane 0 keeps one row for a run of tasks with the same cause, at the first of them; on other lanes a row is one
 * position. */
static uint32_t cause_of_run(const selvi_lane *lane, uint64_t position)
{
    size_t i = failure_from(lane, position + 1);
    return i ? lane->failed[i - 1].cause : 0;
}

uint32_t selvi_lanes_cause(const selvi_lanes *l, selvi_epoch e, bool accumulated)
{
    const selvi_lane *lane = l->at[e.lane];
    if (!lane->failed_count)
        return 0;
    if (accumulated || lane->kind == SELVI_LANE_NEVER)
        return cause_of_run(lane, e.position);
    size_t i = failure_from(lane, e.position);
    return i < lane->failed_count && lane->failed[i].position == e.position ? lane->failed[i].cause : 0;
}

static selv_status grow_ring(selvi_lane *lane)
{
    size_t room = lane->room ? lane->room * 2 : 8;
    selvi_flight *ring = selvi_alloc(room * sizeof *ring);
    if (!ring)
        return CL_OUT_OF_HOST_MEMORY;
    /* The old slots keep their blocks for clocks and needs: each moves to where its position belongs. */
    for (uint64_t p = lane->done + 1, i = 0; i < lane->room; p++, i++)
        ring[p & (room - 1)] = lane->ring[p & (lane->room - 1)];
    selvi_free(lane->ring);
    lane->ring = ring;
    lane->room = room;
    return SELV_OK;
}

static selv_status reserve_flight(selvi_flight *f, const selvi_clock *before, size_t needs)
{
    selvi_clock_clear(&f->before);
    selv_status st = selvi_clock_reserve(&f->before, before->count);
    return st ? st : selvi_grow(&f->needs, &f->need_room, needs, sizeof *f->needs);
}

selv_status selvi_lane_reserve(selvi_lanes *l, selvi_lane *lane, const selvi_clock *before, size_t needs)
{
    if (lane->kind == SELVI_LANE_NEVER)
        return selvi_grow(&lane->failed, &lane->failed_room, lane->failed_count + 1, sizeof *lane->failed);
    selv_status st = selvi_lane_backlog(lane) + 1 > lane->room ? grow_ring(lane) : SELV_OK;
    st = st ? st : reserve_flight(selvi_lane_flight(lane, lane->tail + 1), before, needs);
    st = st ? st : selvi_clock_reserve(&lane->clock, before->count + 1);
    /* Failures are found where nothing may fail any more. */
    st = st ? st
            : selvi_grow(&lane->failed, &lane->failed_room, lane->failed_count + selvi_lane_backlog(lane) + 1,
                         sizeof *lane->failed);
    return st ? st : selvi_grow(&l->trash, &l->trash_room, l->events + 2, sizeof *l->trash);
}

static void raise_all(selvi_clock *c, const selvi_clock *from)
{
    const selvi_epoch *at = selvi_clock_epochs(from);
    for (uint32_t i = 0; i < from->count; i++)
        selvi_clock_raise(c, at[i]);
}

uint64_t selvi_lane_commit(selvi_lanes *l, selvi_lane *lane, const selvi_clock *before, cl_event event, selv_task task,
                           const char *name, const selvi_epoch *needs, size_t need_count)
{
    selvi_flight *f = selvi_lane_flight(lane, ++lane->tail);
    f->event = event;
    f->task = task;
    f->name = name;
    raise_all(&f->before, before);
    if (need_count)
        memcpy(f->needs, needs, need_count * sizeof *needs);
    f->need_count = need_count;
    selvi_clock_clear(&lane->clock);
    raise_all(&lane->clock, before);
    if (lane->kind != SELVI_LANE_FOREIGN)
        selvi_clock_raise(&lane->clock, (selvi_epoch){lane->tail, lane->number});
    l->events++;
    l->running += lane->kind == SELVI_LANE_ORDINARY;
    SELVI_DEBUG_ONLY(check_lane(l, lane));
    return lane->tail;
}

/* The event of a failed command takes the place of an older one, which nobody looks at any longer; NULL: not yet. */
static cl_event keep_for_later(selvi_lanes *l, cl_event failed)
{
    cl_event *place = &l->failed_events[l->failed_events_next++ % SELVI_FAILED_EVENTS_KEPT], old = *place;
    *place = failed;
    return old;
}

void selvi_lane_advance(selvi_lanes *l, selvi_lane *lane)
{
    selvi_flight *f = selvi_lane_flight(lane, ++lane->done);
    bool failed = lane->failed_count && lane->failed[lane->failed_count - 1].position == lane->done;
    cl_event gone = failed && lane->kind != SELVI_LANE_FOREIGN ? keep_for_later(l, f->event) : f->event;
    if (gone)
        l->trash[l->trash_count++] = gone;
    f->event = NULL;
    l->running -= lane->kind == SELVI_LANE_ORDINARY;
    if (!lane->failed_count)
        l->complete[lane->number] = lane->done;
    if (lane->dead && !lane->stuck && lane->queue && !selvi_lane_backlog(lane)) {
        l->old_queues[l->old_queue_count++] = lane->queue;
        lane->queue = NULL;
    }
    SELVI_DEBUG_ONLY(check_lane(l, lane));
}

selv_status selvi_lane_fail(selvi_lane *lane, uint64_t position, uint32_t cause)
{
    if (lane->failed_count && lane->kind == SELVI_LANE_NEVER && lane->failed[lane->failed_count - 1].cause == cause)
        return SELV_OK;
    selv_status st = selvi_grow(&lane->failed, &lane->failed_room, lane->failed_count + 1, sizeof *lane->failed);
    if (st)
        return st;
    lane->failed[lane->failed_count++] = (selvi_lane_failure){position, cause};
    lane->dead = lane->kind != SELVI_LANE_NEVER;
    return SELV_OK;
}
