/* Beside explicit OpenCL: events of other code come in with selv_adopt, and go out with selv_export. */
#include "base/status.h"
#include "scheduler/resolve.h"
#include "scheduler/waiting.h"

typedef struct crossing {
    size_t count;
    const selv_arg *accesses;
    cl_event event;
    size_t at; /* the access that is looked at */
} crossing;

static selv_status add_accesses(selv_scheduler *s, selvi_task *t, crossing *c)
{
    selv_status st = SELV_OK;
    selvi_accesses_clear(&s->scratch.accesses);
    for (size_t i = 0; !st && i < c->count; i++) {
        selvi_place p;
        c->at = i;
        st = selvi_resolve_x(s, t, &c->accesses[i], SELV_READ_WRITE, (uint16_t)i, &p);
        if (st < 0)
            selvi_fail_within(st, "access %zu", i);
    }
    return st;
}

/* A handle that was never seen is looked at without the lock, and may be refused there. */
static selv_status run(selv_scheduler *s, selvi_task *t, selvi_attempt attempt)
{
    const crossing *c = t->user;
    selv_status st = selvi_run(s, t, attempt);
    return st < 0 && t->need.kind == SELVI_NEED_VIEW ? selvi_fail_within(st, "access %zu", c->at) : st;
}

static selv_status check_list(const crossing *c)
{
    return c->count && !c->accesses ? selvi_fail(SELV_INVALID, "the list of accesses is NULL") : SELV_OK;
}

static selv_status adopt_attempt(selv_scheduler *s, selvi_task *t)
{
    selv_status st = add_accesses(s, t, t->user);
    return st ? st : selvi_submit(s, t, &s->scratch);
}

static selv_status check_event(const selv_scheduler *s, cl_event done)
{
    cl_context own;
    if (!done)
        return selvi_fail(SELV_INVALID, "the event is NULL");
    cl_int code = clGetEventInfo(done, CL_EVENT_CONTEXT, sizeof own, &own, NULL);
    if (code)
        return selvi_fail(code, "the driver does not know this event (%s)", selvi_status_name(code));
    return own == s->devices.context
               ? SELV_OK
               : selvi_fail(SELV_OTHER_CONTEXT, "the event belongs to another OpenCL context than this scheduler");
}

selv_task selv_adopt_args(selv_scheduler *s, cl_event done, size_t n, const selv_arg *accesses)
{
    crossing c = {n, accesses, NULL, 0};
    selvi_task t = {.kind = "adopted",
                    .name = "adopted",
                    .labels = {"first access", "second access"},
                    .device = -1,
                    .foreign = done,
                    .user = &c};
    if (!s)
        return selvi_null("selv_adopt", "scheduler");
    selv_status st = check_event(s, done);
    st = st ? st : check_list(&c);
    st = st ? st : run(s, &t, adopt_attempt);
    return selvi_task_result(s, &t, st < 0 ? selvi_fail_within(st, "selv_adopt") : st);
}

static selv_status export_attempt(selv_scheduler *s, selvi_task *t)
{
    crossing *c = t->user;
    selv_status st = add_accesses(s, t, c);
    st = st ? st : selvi_submit(s, t, &s->scratch);
    if (st || t->cause)
        return st;
    c->event = selvi_lane_flight(selvi_lane_at(&s->lanes, t->epoch.lane), t->epoch.position)->event;
    clRetainEvent(c->event);
    return SELV_OK;
}

/* What is needed has failed: an event that says so. Nothing can be waiting for it yet. */
static selv_status failed_event(selv_scheduler *s, cl_event *out)
{
    cl_int code;
    *out = clCreateUserEvent(s->devices.context, &code);
    if (!code)
        code = clSetUserEventStatus(*out, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return code ? selvi_fail(code, "a user event could not be made (%s)", selvi_status_name(code)) : SELV_OK;
}

static selv_status export(selv_scheduler *s, cl_event *out, crossing *c)
{
    selvi_task t = {.kind = "export", .name = "export", .device = -1, .silent = true, .alone = true, .user = c};
    selv_status st = out ? check_list(c) : selvi_fail(SELV_INVALID, "the place for the event is NULL");
    st = st ? st : run(s, &t, export_attempt);
    if (st)
        return st;
    if (t.cause)
        return failed_event(s, out);
    *out = c->event;
    return selvi_flush_lane(s, t.epoch.lane);
}

selv_status selv_export_args(selv_scheduler *s, cl_event *out, size_t n, const selv_arg *accesses)
{
    crossing c = {n, accesses, NULL, 0};
    if (!s)
        return selvi_null("selv_export", "scheduler");
    selv_status st = export(s, out, &c);
    return selvi_report(s, st < 0 ? selvi_fail_within(st, "selv_export") : st);
}
