/* How one task travels (DESIGN section 5). This is that list as code; every kind of task goes through it, under the one
   lock. Whatever may fail stands before the enqueue; what stands after it returns nothing. */
#include "base/memory.h"
#include "base/status.h"
#include "scheduler/mappings.h"
#include "scheduler/placement.h"
#include "scheduler/retire.h"
#include "scheduler/task.h"
#include "scheduler/told.h"
#include "scheduler/waits.h"

typedef struct journey { /* what the steps hand on */
    selvi_task *t;
    selvi_scratch *x;
    selvi_lane *lane;
    int device;
    uint32_t last_writer;
    size_t candidate_count, wait_count, need_count;
    bool behind_failure; /* something that it touches was not made */
} journey;

static selv_status lack(selvi_task *t, selvi_need_kind kind)
{
    t->need = (selvi_need){.kind = kind};
    return SELVI_AGAIN;
}

static selvi_allocation *allocation_of(selv_scheduler *s, const selvi_access *a)
{
    return selvi_allocation_at(&s->allocations, a->allocation);
}

/* --- device: where it is told to go, else where most of its data was used last --- */

static uint64_t bytes_on(selv_scheduler *s, const journey *j, int device)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < j->x->accesses.count; i++) {
        const selvi_access *a = &j->x->accesses.at[i];
        if (allocation_of(s, a)->device == device)
            sum += a->end - a->begin;
    }
    return sum;
}

static size_t backlog_on(const selv_scheduler *s, int device)
{
    size_t sum = 0;
    for (size_t i = 0; i < s->lanes.count; i++)
        if (s->lanes.at[i]->device == device)
            sum += selvi_lane_backlog(s->lanes.at[i]);
    return sum;
}

static void choose_device(selv_scheduler *s, journey *j)
{
    j->device = j->t->device;
    if (j->device >= 0)
        return;
    j->device = 0;
    for (int d = 1; d < (int)s->devices.count; d++) {
        uint64_t here = bytes_on(s, j, d), best = bytes_on(s, j, j->device);
        if (here > best || (here == best && backlog_on(s, d) < backlog_on(s, j->device)))
            j->device = d;
    }
}

/* --- hazards: what the tracker answers, before anything changes --- */

static selv_status find_hazards(selv_scheduler *s, journey *j)
{
    selvi_horizon horizon = selvi_lanes_horizon(&s->lanes);
    selv_status st = SELV_OK;
    selvi_hazards_clear(&j->x->hazards);
    for (size_t i = 0; !st && i < j->x->accesses.count; i++) {
        selvi_allocation *x = allocation_of(s, &j->x->accesses.at[i]);
        selvi_access seen = selvi_access_seen(x, j->x->accesses.at[i], j->device);
        st = selvi_parts_query(&x->parts, &seen, (uint32_t)i, &horizon, &j->x->hazards);
        if (selvi_mode_writes(seen.mode) && x->last_lane)
            j->last_writer = x->last_lane;
    }
    return st;
}

/* Accumulators of one part run side by side on one device; adopted commands and failed tasks stand among the
 * accumulators of the tracker for other reasons (see applied_mode). */
static bool orders(const selv_scheduler *s, const selvi_hazard *h, int device)
{
    return !h->commutes || selvi_lane_at(&s->lanes, h->producer.lane)->device != device;
}

/* A failed producer fails what reads its part, and what writes only some of it; who overwrites the part ends the
 * failure (DESIGN 3.7). Nobody can overwrite program-scope variables: there a failure ends once it is known, or it
 * would stay for ever. */
static uint32_t find_cause(selv_scheduler *s, const journey *j)
{
    for (size_t i = 0; i < j->x->hazards.count; i++) {
        const selvi_hazard *h = &j->x->hazards.at[i];
        const selvi_access *a = &j->x->accesses.at[h->access];
        bool overwrites = a->flags & SELVI_ACCESS_OVERWRITES;
        if (h->kind == SELVI_WAR || overwrites || allocation_of(s, a)->kind == SELVI_PROGRAM)
            continue;
        uint32_t cause = selvi_lanes_cause(&s->lanes, h->producer, h->accumulated);
        if (cause)
            return cause;
    }
    return 0;
}

/* --- candidates: producers that are not complete, one for each lane: the latest implies the earlier ones --- */

static void add_candidate(journey *j, size_t *count, selvi_epoch e)
{
    for (size_t i = 0; i < *count; i++)
        if (j->x->epochs[i].lane == e.lane) {
            if (j->x->epochs[i].position < e.position)
                j->x->epochs[i] = e;
            return;
        }
    j->x->epochs[(*count)++] = e;
}

/* Neighbouring parts often have one producer. */
static void add_need(journey *j, selvi_epoch e)
{
    enum { LOOK_BACK = 8 };
    size_t from = j->need_count > LOOK_BACK ? j->need_count - LOOK_BACK : 0;
    for (size_t i = from; i < j->need_count; i++)
        if (j->x->needs[i].lane == e.lane && j->x->needs[i].position == e.position)
            return;
    j->x->needs[j->need_count++] = e;
}

static selv_status find_candidates(selv_scheduler *s, journey *j)
{
    selvi_scratch *x = j->x;
    size_t most = x->hazards.count;
    selv_status st = selvi_grow(&x->epochs, &x->epoch_room, most, sizeof *x->epochs);
    st = st ? st : selvi_grow(&x->needs, &x->need_room, most, sizeof *x->needs);
    for (size_t i = 0; !st && i < most; i++) {
        const selvi_hazard *h = &x->hazards.at[i];
        if (!orders(s, h, j->device) || selvi_lanes_retired(&s->lanes, h->producer))
            continue;
        add_need(j, h->producer);
        add_candidate(j, &j->candidate_count, h->producer);
    }
    j->wait_count = selvi_waits_needed(&s->lanes, x->epochs, j->candidate_count);
    return st;
}

/* --- lane --- */

static selv_status lack_lane(selvi_task *t, selvi_lane_kind kind, int device)
{
    t->need = (selvi_need){.kind = SELVI_NEED_LANE, .lane_kind = kind, .device = device};
    return SELVI_AGAIN;
}

static selv_status choose_lane(selv_scheduler *s, journey *j)
{
    selvi_wish wish = {.device = j->device,
                       .last_writer = j->last_writer,
                       .candidates = j->x->epochs,
                       .count = j->candidate_count,
                       .needed = j->wait_count,
                       .one_producer = j->need_count == 1};
    if (j->t->cause) {
        j->lane = selvi_lane_at(&s->lanes, 0);
        return SELV_OK;
    }
    if (j->t->foreign) {
        j->lane = selvi_placement_foreign(&s->lanes);
        return j->lane ? SELV_OK : lack_lane(j->t, SELVI_LANE_FOREIGN, -1);
    }
    j->lane = j->t->alone ? selvi_placement_alone(&s->lanes, j->device) : selvi_placement_choose(&s->lanes, &wish);
    if (j->lane)
        return SELV_OK;
    return lack_lane(j->t, j->t->alone ? SELVI_LANE_QUARANTINE : selvi_placement_kind(&s->lanes, &wish), j->device);
}

/* --- waits --- */

/* A command must not wait for one that may not have been submitted yet (OpenCL 3.0, section 5.15: flush the other queue
 * first). */
static selv_status lack_flush(selv_scheduler *s, journey *j)
{
    for (size_t i = 0; i < j->wait_count; i++) {
        const selvi_lane *lane = selvi_lane_at(&s->lanes, j->x->epochs[i].lane);
        if (lane != j->lane && lane->queue && lane->flushed < j->x->epochs[i].position) {
            j->t->need = (selvi_need){.kind = SELVI_NEED_FLUSH, .lane = lane->number};
            return SELVI_AGAIN;
        }
    }
    return SELV_OK;
}

/* Where the driver reads host memory as soon as the command is enqueued, what fills that memory has to be complete by
   then: submitting waits for it. It never waits for the program, so behind a foreign event such a copy is refused. */
static selv_status lack_host_data(selv_scheduler *s, const journey *j)
{
    for (size_t i = 0; s->devices.reads_host_early && i < j->x->hazards.count; i++) {
        const selvi_hazard *h = &j->x->hazards.at[i];
        bool host = j->x->accesses.at[h->access].allocation == SELVI_HOST_SLOT;
        if (!host || h->kind != SELVI_RAW || selvi_lanes_retired(&s->lanes, h->producer))
            continue;
        if (selvi_lanes_gated(&s->lanes, h->producer))
            return selvi_fail(SELV_UNSUPPORTED,
                              "this driver reads host memory as soon as a copy from it is enqueued, and a copy that is "
                              "to fill it stands behind an event that is not finished: copy from it later");
        j->t->need = (selvi_need){.kind = SELVI_NEED_COMPLETE, .producer = h->producer};
        return SELVI_AGAIN;
    }
    return SELV_OK;
}

/* Where a wait list must not mix what may fail with what will complete, the device is waited for before the program is.
 */
static selv_status lack_pure_waits(selv_scheduler *s, const journey *j)
{
    const selvi_epoch *ordinary = NULL;
    bool gated = false;
    for (size_t i = 0; s->devices.aborts_on_mixed_waits && i < j->wait_count; i++) {
        bool behind = selvi_lanes_gated(&s->lanes, j->x->epochs[i]);
        gated |= behind;
        ordinary = behind ? ordinary : &j->x->epochs[i];
    }
    if (!gated || !ordinary)
        return SELV_OK;
    j->t->need = (selvi_need){.kind = SELVI_NEED_COMPLETE, .producer = *ordinary};
    return SELVI_AGAIN;
}

static selv_status find_waits(selv_scheduler *s, journey *j)
{
    selvi_scratch *x = j->x;
    if (j->t->cause || j->t->foreign) { /* it never runs; or somebody else orders it */
        j->wait_count = j->need_count = 0;
        selvi_clock_clear(&x->clock);
        return SELV_OK;
    }
    j->wait_count = selvi_waits_on_lane(j->lane, x->epochs, j->wait_count);
    selv_status st = lack_host_data(s, j);
    st = st ? st : lack_pure_waits(s, j);
    st = st ? st : lack_flush(s, j);
    st = st ? st : selvi_grow(&x->events, &x->event_room, j->wait_count, sizeof *x->events);
    for (size_t i = 0; !st && i < j->wait_count; i++)
        x->events[i] = selvi_lane_flight(selvi_lane_at(&s->lanes, x->epochs[i].lane), x->epochs[i].position)->event;
    return st ? st : selvi_waits_clock(&s->lanes, j->lane, x->epochs, j->wait_count, &x->clock);
}

/* --- reserve: the last step that can run out of memory --- */

/* An adopted command was not ordered behind what had come before, and a failed task did not run: neither may make the
   tracker forget earlier writers, as a write does. Standing among the accumulators, they are waited for (or found
   failed) beside those. */
static uint8_t applied_mode(const journey *j, uint8_t mode)
{
    return (j->t->foreign || j->behind_failure) && selvi_mode_writes(mode) ? SELV_ACCUMULATE : mode;
}

static selvi_access as_applied(const journey *j, size_t index)
{
    selvi_access a = j->x->accesses.at[index];
    a.mode = applied_mode(j, a.mode);
    return a;
}

static void undo(selv_scheduler *s, const journey *j, size_t count)
{
    for (size_t i = 0; !j->t->alone && i < count; i++)
        selvi_parts_undo(&allocation_of(s, &j->x->accesses.at[i])->parts, &j->x->accesses.at[i]);
}

static selv_status reserve_parts(selv_scheduler *s, const journey *j)
{
    if (j->t->alone)
        return SELV_OK;
    for (size_t i = 0; i < j->x->accesses.count; i++) {
        selvi_access a = as_applied(j, i);
        selv_status st = selvi_parts_reserve(&allocation_of(s, &a)->parts, &a);
        if (st) {
            undo(s, j, i);
            return st;
        }
    }
    return SELV_OK;
}

static selv_status reserve(selv_scheduler *s, journey *j)
{
    selv_status st = reserve_parts(s, j);
    if (st)
        return st;
    st = selvi_lane_reserve(&s->lanes, j->lane, &j->x->clock, j->need_count);
    st = st ? st : selvi_failures_reserve(&s->failures, s->lanes.events + 1);
    st = st ? st : selvi_told_reserve(s, j->t, j->x, j->device, j->wait_count);
    if (st)
        undo(s, j, j->x->accesses.count);
    return st;
}

/* --- enqueue: the one step that cannot be taken back --- */

/* Since it was looked at: then the driver may refuse the command (-14), and the next attempt finds out what failed. */
static bool a_wait_has_failed(const journey *j)
{
    for (size_t i = 0; i < j->wait_count; i++) {
        cl_int status = CL_QUEUED;
        if (!clGetEventInfo(j->x->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) &&
            status < 0)
            return true;
    }
    return false;
}

static selv_status enqueue(selv_scheduler *s, journey *j, cl_event *event)
{
    selvi_task *t = j->t;
    *event = t->foreign;
    if (t->cause)
        return SELV_OK;
    selv_status st =
        t->foreign ? (selv_status)clRetainEvent(t->foreign)
                   : selvi_command_enqueue(&t->command, j->lane->queue, (cl_uint)j->wait_count, j->x->events, event);
    if (st)
        undo(s, j, j->x->accesses.count);
    return st && a_wait_has_failed(j) ? lack(t, SELVI_NEED_ANOTHER_TRY) : st;
}

/* --- commit: cannot fail --- */

/* Where foreign commands run is not known, unless there is one device only. */
static bool moves(const selv_scheduler *s, const selvi_allocation *x, const journey *j)
{
    return x->device >= 0 && (x->device != j->device || (j->t->foreign && s->devices.count > 1));
}

static void note_use(const selv_scheduler *s, selvi_allocation *x, const journey *j, const selvi_access *a)
{
    bool whole = a->begin == 0 && a->end == x->bytes;
    if (j->device >= 0) {
        x->shared |= moves(s, x, j);
        x->device = (int16_t)j->device;
    }
    x->loose |= !whole && !(a->flags & SELVI_ACCESS_SUB_BUFFER);
    if (selvi_mode_writes(a->mode) && j->lane->kind == SELVI_LANE_ORDINARY)
        x->last_lane = j->lane->number;
}

static void apply(selv_scheduler *s, const journey *j)
{
    selvi_horizon horizon = selvi_lanes_horizon(&s->lanes);
    for (size_t i = 0; !j->t->alone && i < j->x->accesses.count; i++) {
        selvi_access a = as_applied(j, i);
        selvi_allocation *x = allocation_of(s, &a);
        note_use(s, x, j, &a);
        if (j->t->cause && !selvi_mode_writes(a.mode))
            selvi_parts_undo(&x->parts, &a);
        else
            selvi_parts_apply(&x->parts, &a, j->t->epoch, &horizon);
    }
}

static void settle(selv_scheduler *s, journey *j, cl_event event)
{
    selvi_task *t = j->t;
    t->id = ++s->last_task;
    t->epoch.lane = j->lane->number;
    if (t->cause) {
        t->epoch.position = ++j->lane->tail;
        selvi_lane_fail(j->lane, t->epoch.position, t->cause);
        selvi_failures_add(&s->failures, t->id, t->name, t->cause);
    } else {
        t->epoch.position =
            selvi_lane_commit(&s->lanes, j->lane, &j->x->clock, event, t->id, t->name, j->x->needs, j->need_count);
    }
}

/* A lane that was idle has nothing else that would bring the work to the device; the others are flushed now and then,
 * and where somebody waits. */
enum { FLUSH_EVERY = 32 };

static bool wants_flush(const selvi_lane *lane)
{
    return lane->queue && (selvi_lane_backlog(lane) <= 1 || lane->tail - lane->flushed >= FLUSH_EVERY);
}

static void commit(selv_scheduler *s, journey *j, cl_event event)
{
    settle(s, j, event);
    j->t->wants_flush = wants_flush(j->lane);
    apply(s, j);
    s->waits_put += j->wait_count;
    s->hazards_found += j->x->hazards.count;
    selvi_told_task(s, j->t, j->x, j->device, j->wait_count);
}

/* Runs in any case: the driver counts what is mapped, and what is mapped no kernel may touch. It makes nothing, so the
 * failure stays. */
static bool is_unmap(const selvi_task *t)
{
    return t->command.kind == SELVI_COMMAND_UNMAP_BUFFER || t->command.kind == SELVI_COMMAND_SVM_UNMAP;
}

selv_status selvi_submit(selv_scheduler *s, selvi_task *t, selvi_scratch *scratch)
{
    journey j = {.t = t, .x = scratch};
    cl_event event = NULL;
    selv_status st;
    t->cause = 0;
    selvi_retire_some(s);
    if (s->lanes.running >= s->tasks_most && !t->foreign)
        return lack(t, SELVI_NEED_ROOM);
    if ((st = selvi_accesses_normalise(&scratch->accesses)) || (st = selvi_mappings_yield(s, t, &scratch->accesses)))
        return st;
    choose_device(s, &j);
    if ((st = find_hazards(s, &j)))
        return st;
    t->cause = t->foreign ? 0 : find_cause(s, &j);
    j.behind_failure = t->cause != 0;
    if (is_unmap(t))
        t->cause = 0;
    if ((st = find_candidates(s, &j)) || (st = choose_lane(s, &j)) || (st = find_waits(s, &j)) ||
        (st = reserve(s, &j)) || (st = enqueue(s, &j, &event)))
        return st;
    commit(s, &j, event);
    return SELV_OK;
}
