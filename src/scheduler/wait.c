/* Host access: selv_wait, selv_edit, selv_ready, selv_wait_task, selv_finish, selv_flush. What has to be complete is
 * asked of the tracker; SVM is mapped underneath. */
#include "base/memory.h"
#include "base/status.h"
#include "scheduler/mappings.h"
#include "scheduler/resolve.h"
#include "scheduler/retire.h"
#include "scheduler/sub_buffers.h"
#include "scheduler/waiting.h"

typedef struct asking { /* lives over all attempts */
    const selv_arg *x;
    selv_mode mode;
    selvi_clock pending; /* what is not complete */
    selvi_mapping map;   /* of SVM: what the host will hold */
    bool svm;
    char what[128];
} asking;

/* --- what stands in the way --- */

static selv_status collect(selv_scheduler *s, asking *q)
{
    selvi_scratch *x = &s->scratch;
    selv_status st = SELV_OK;
    selvi_clock_clear(&q->pending);
    for (size_t i = 0; !st && i < x->hazards.count; i++) {
        selvi_epoch e = x->hazards.at[i].producer;
        uint32_t cause =
            x->hazards.at[i].kind == SELVI_WAR ? 0 : selvi_lanes_cause(&s->lanes, e, x->hazards.at[i].accumulated);
        if (cause)
            return selvi_failures_tell(&s->failures, cause, q->what);
        if (selvi_lanes_retired(&s->lanes, e))
            continue;
        st = selvi_clock_reserve(&q->pending, 1);
        if (!st)
            selvi_clock_raise(&q->pending, e);
    }
    return st;
}

static selv_status find_hazards(selv_scheduler *s)
{
    selvi_horizon horizon = selvi_lanes_horizon(&s->lanes);
    selvi_scratch *x = &s->scratch;
    selv_status st = selvi_accesses_normalise(&x->accesses);
    selvi_hazards_clear(&x->hazards);
    for (size_t i = 0; !st && i < x->accesses.count; i++)
        st = selvi_parts_query(&selvi_allocation_at(&s->allocations, x->accesses.at[i].allocation)->parts,
                               &x->accesses.at[i], (uint32_t)i, &horizon, &x->hazards);
    return st;
}

/* Fills s->scratch.accesses with X; q->svm tells what kind it is. */
static selv_status resolve(selv_scheduler *s, selvi_task *t, asking *q, selvi_place *p)
{
    selvi_accesses_clear(&s->scratch.accesses);
    selv_status st = selvi_resolve_x(s, t, q->x, q->mode, 0, p);
    if (st)
        return st;
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, p->slot);
    q->svm = x->kind == SELVI_SVM;
    selvi_allocation_text(x, q->what, sizeof q->what);
    return SELV_OK;
}

static selv_status ask_attempt(selv_scheduler *s, selvi_task *t)
{
    asking *q = t->user;
    selvi_place p;
    selv_status st;
    selvi_retire_all(s);
    if ((st = resolve(s, t, q, &p)) || (st = find_hazards(s)))
        return st;
    return collect(s, q);
}

/* --- SVM: mapped for the host, by a task --- */

/* A mapping that already holds it all, well enough. */
static bool is_held(const selvi_allocation *x, const asking *q, selvi_mapping *out)
{
    size_t i = selvi_mapping_in(x, q->map.begin, q->map.end);
    if (i == SIZE_MAX)
        return false;
    *out = x->extras->mappings[i];
    return out->begin <= q->map.begin && q->map.end <= out->end && (out->writes || !q->map.writes);
}

/* Mappings of one block never overlap: what is held already is taken into the new one. */
static void take_in(const selvi_allocation *x, selvi_mapping *m)
{
    for (size_t k = 0; x->extras && k < x->extras->mapping_count; k++) {
        const selvi_mapping *held = &x->extras->mappings[k];
        if (held->end <= m->begin || m->end <= held->begin)
            continue;
        m->begin = held->begin < m->begin ? held->begin : m->begin;
        m->end = held->end > m->end ? held->end : m->end;
        m->writes |= held->writes;
    }
}

/* What an earlier attempt has unmapped already is still to be mapped again by this one. */
static void widen_to(selvi_mapping *m, uint64_t begin, uint64_t end)
{
    bool fresh = m->end == 0;
    m->begin = fresh || begin < m->begin ? begin : m->begin;
    m->end = fresh || end > m->end ? end : m->end;
}

static selv_status map_attempt(selv_scheduler *s, selvi_task *t)
{
    asking *q = t->user;
    selvi_place p;
    uint64_t begin, length;
    selv_status st = resolve(s, t, q, &p);
    if (st || !q->svm)
        return st;
    if ((st = selvi_resolve_range(s, q->x, &p, SIZE_MAX, &begin, &length)))
        return st;
    widen_to(&q->map, begin, begin + length);
    q->map.writes |= q->mode != SELV_READ;
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, p.slot);
    selvi_mapping held;
    if (is_held(x, q, &held)) {
        t->epoch = held.epoch;
        return SELV_OK;
    }
    take_in(x, &q->map);
    return selvi_mapping_submit(s, t, p.slot, &q->map);
}

static selv_status map(selv_scheduler *s, asking *q)
{
    selvi_task t = {.kind = "map", .name = "map", .device = -1, .silent = true, .touches_map = true, .user = q};
    selv_status st = selvi_run(s, &t, map_attempt);
    if (st || !q->svm)
        return st;
    if (t.cause)
        return selvi_task_failure(s, t.id);
    st = selvi_wait_epoch(s, t.epoch);
    return st ? st : t.id ? selvi_task_failure(s, t.id) : SELV_OK;
}

/* --- the calls --- */

static selv_status wait_for(selv_scheduler *s, asking *q)
{
    selvi_task t = {.kind = "wait", .name = "wait", .user = q};
    selv_status st = selvi_attempts(s, &t, ask_attempt);
    st = st ? st : selvi_wait_clock(s, &q->pending);
    bool waited = !st && q->pending.count;
    if (waited) /* did what was waited for fail? */
        st = selvi_attempts(s, &t, ask_attempt);
    return st ? st : map(s, q);
}

static selv_status access_by_host(selv_scheduler *s, const char *call, const selv_arg *x, selv_mode mode)
{
    asking q = {.x = x, .mode = mode};
    selv_status st = wait_for(s, &q);
    selvi_clock_destroy(&q.pending);
    return selvi_report(s, st < 0 ? selvi_fail_within(st, "%s", call) : st);
}

/* A selv_in or selv_out inside selv_wait says nothing here: the call says what the host will do. */
static selv_arg bare(selv_arg x)
{
    x.flags &= (unsigned char)~(SELVI_HAS_MODE | SELVI_UNTRACKED);
    return x;
}

selv_status selv_wait_arg(selv_scheduler *s, selv_arg x)
{
    const selv_arg plain = bare(x);
    return s ? access_by_host(s, "selv_wait", &plain, SELV_READ) : selvi_null("selv_wait", "scheduler");
}

selv_status selv_edit_arg(selv_scheduler *s, selv_arg x)
{
    const selv_arg plain = bare(x);
    if (!s)
        return selvi_null("selv_edit", "scheduler");
    if (x.kind == SELVI_MEM)
        return selvi_report(s, selvi_fail(SELV_UNSUPPORTED, "selv_edit: a cl_mem has no address for the host; map it "
                                                            "with selv_map, and give it back with selv_unmap"));
    return access_by_host(s, "selv_edit", &plain, SELV_READ_WRITE);
}

static bool is_ready(const asking *q, selv_status st)
{
    return st == SELV_TASK_FAILED || (!st && !q->pending.count);
}

selv_status selv_ready_arg(selv_scheduler *s, selv_arg x)
{
    const selv_arg plain = bare(x);
    asking q = {.x = &plain, .mode = SELV_READ};
    selvi_task t = {.kind = "ready", .name = "ready", .user = &q};
    if (!s)
        return selvi_null("selv_ready", "scheduler");
    selv_status st = selvi_attempts(s, &t, ask_attempt);
    bool ready = is_ready(&q, st);
    for (uint32_t i = 0; !st && i < q.pending.count; i++)
        st = selvi_flush_lane(s, selvi_clock_epochs(&q.pending)[i].lane);
    selvi_clock_destroy(&q.pending);
    if (ready)
        return 1;
    return st ? selvi_report(s, selvi_fail_within(st, "selv_ready")) : 0;
}

/* --- tasks --- */

/* Flights of one lane stand in the order of their numbers. A zero epoch: not in flight. */
static selvi_epoch in_lane(const selvi_lane *lane, selv_task t)
{
    uint64_t low = lane->done + 1, high = lane->tail + 1;
    if (lane->kind == SELVI_LANE_NEVER)
        return (selvi_epoch){0, 0};
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (selvi_lane_flight(lane, middle)->task < t)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low <= lane->tail && selvi_lane_flight(lane, low)->task == t;
    return found ? (selvi_epoch){low, lane->number} : (selvi_epoch){0, 0};
}

static selvi_epoch find_task(selv_scheduler *s, selv_task t)
{
    selvi_epoch e = {0, 0};
    selvi_lock(s);
    for (size_t i = 0; !e.position && i < s->lanes.count; i++)
        e = in_lane(s->lanes.at[i], t);
    selvi_unlock(s);
    return e;
}

selv_status selvi_task_failure(selv_scheduler *s, selv_task t)
{
    selvi_lock(s);
    selv_status st = selvi_failures_of(&s->failures, t);
    selvi_unlock(s);
    return st;
}

static selv_status check_task(selv_scheduler *s, selv_task t)
{
    if (t < 0 && t >= INT32_MIN)
        return selvi_fail(
            (selv_status)t,
            "selv_wait_task: %lld is not a task but the status %s: the call that should have made the task was refused",
            (long long)t, selvi_status_name((selv_status)t));
    selvi_lock(s);
    selv_task last = s->last_task;
    selvi_unlock(s);
    return t > 0 && t <= last
               ? SELV_OK
               : selvi_fail(SELV_UNKNOWN_TASK, "selv_wait_task: t%lld was never submitted; the last task is t%lld",
                            (long long)t, (long long)last);
}

static selv_status wait_task(selv_scheduler *s, selv_task t)
{
    selv_status st = check_task(s, t);
    if (st)
        return st;
    selvi_epoch e = find_task(s, t);
    st = e.position ? selvi_wait_epoch(s, e) : SELV_OK;
    return st ? st : selvi_task_failure(s, t);
}

selv_status selv_wait_task(selv_scheduler *s, selv_task t)
{
    return s ? selvi_report(s, wait_task(s, t)) : selvi_null("selv_wait_task", "scheduler");
}

static selv_status tails(selv_scheduler *s, selvi_clock *out)
{
    selv_status st = SELV_OK;
    selvi_lock(s);
    for (size_t i = 0; !st && i < s->lanes.count; i++) {
        const selvi_lane *lane = s->lanes.at[i];
        if (!selvi_lane_backlog(lane) || (st = selvi_clock_reserve(out, 1)))
            continue;
        selvi_clock_raise(out, (selvi_epoch){lane->tail, lane->number});
    }
    selvi_unlock(s);
    return st;
}

selv_status selvi_wait_all(selv_scheduler *s)
{
    selvi_clock all = {0};
    selv_status st = tails(s, &all);
    st = st ? st : selvi_wait_clock(s, &all);
    selvi_clock_destroy(&all);
    selvi_lock(s);
    selvi_retire_all(s);
    bool tidied = selvi_sub_buffers_tidy(s, SELVI_TIDY_SOME), full = selvi_garbage_full(&s->garbage);
    selvi_unlock(s);
    if (tidied || full)
        selvi_reap(s);
    return st;
}

selv_status selv_finish(selv_scheduler *s)
{
    if (!s)
        return selvi_null("selv_finish", "scheduler");
    selv_status st = selvi_wait_all(s);
    return st ? selvi_report(s, st) : selvi_failures_take(&s->failures);
}

selv_status selv_flush(selv_scheduler *s)
{
    selv_status st = SELV_OK;
    if (!s)
        return selvi_null("selv_flush", "scheduler");
    selvi_lock(s);
    size_t lanes = s->lanes.count;
    selvi_unlock(s);
    for (size_t i = 0; !st && i < lanes; i++)
        st = selvi_flush_lane(s, (uint32_t)i);
    return selvi_report(s, st);
}
