/* The outer side of every call: the lock, attempts until one has all it needs, flushing after, and what becomes of a
 * refusal. */
#include "base/memory.h"
#include "base/status.h"
#include "scheduler/mappings.h"
#include "scheduler/retire.h"
#include "scheduler/task.h"
#include "scheduler/waiting.h"

#include <stdarg.h>
#include <stdio.h>

void selvi_lock(selv_scheduler *s)
{
    pthread_mutex_lock(&s->mutex);
}

enum { TRASH_AT_ONCE = 64 };

static size_t take_events(selvi_lanes *l, cl_event *out)
{
    size_t n = l->trash_count < TRASH_AT_ONCE ? l->trash_count : TRASH_AT_ONCE;
    l->trash_count -= n;
    l->events -= n;
    if (n)
        memcpy(out, l->trash + l->trash_count, n * sizeof *out);
    return n;
}

static size_t take_queues(selvi_lanes *l, cl_command_queue *out)
{
    size_t n = l->old_queue_count < TRASH_AT_ONCE ? l->old_queue_count : TRASH_AT_ONCE;
    l->old_queue_count -= n;
    if (n)
        memcpy(out, l->old_queues + l->old_queue_count, n * sizeof *out);
    return n;
}

static void release(const cl_event *events, size_t event_count, const cl_command_queue *queues, size_t queue_count)
{
    for (size_t i = 0; i < event_count; i++)
        clReleaseEvent(events[i]);
    for (size_t i = 0; i < queue_count; i++)
        clReleaseCommandQueue(queues[i]);
}

/* What is more than fits here is released by the next call. */
void selvi_unlock(selv_scheduler *s)
{
    cl_event events[TRASH_AT_ONCE];
    cl_command_queue queues[TRASH_AT_ONCE];
    size_t event_count = take_events(&s->lanes, events), queue_count = take_queues(&s->lanes, queues);
    pthread_mutex_unlock(&s->mutex);
    release(events, event_count, queues, queue_count);
}

/* --- refusals --- */

void selvi_log(selv_scheduler *s, const char *text)
{
    if (s->log)
        s->log(s->log_user, text);
    if (s->log_file) {
        fprintf(s->log_file, "selvedge: %s\n", text);
        fflush(s->log_file);
    }
}

void selvi_notice(selv_scheduler *s, const char *format, ...)
{
    char text[SELVI_TEXT_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    selvi_log(s, text);
}

selv_status selvi_report(selv_scheduler *s, selv_status st)
{
    if (st < 0) {
        selvi_failures_remember(&s->failures, st, selv_error());
        selvi_log(s, selv_error());
    }
    return st;
}

selv_status selvi_null(const char *call, const char *what)
{
    return selvi_fail(SELV_INVALID, "%s: the %s is NULL", call, what);
}

selv_task selvi_task_result(selv_scheduler *s, const selvi_task *t, selv_status st)
{
    if (st)
        return selvi_report(s, st);
    if (t->cause)
        selvi_notice(s, "t%lld %s did not run, since it depends on a task that failed", (long long)t->id, t->name);
    return t->id;
}

/* --- attempts --- */

selv_status selvi_attempts(selv_scheduler *s, selvi_task *t, selvi_attempt attempt)
{
    for (;;) {
        selvi_lock(s);
        selvi_drain_watches(s);
        t->need.kind = SELVI_NEED_NOTHING;
        selv_status st = attempt(s, t);
        selvi_unlock(s);
        if (st == SELVI_AGAIN)
            st = selvi_provide(s, &t->need);
        if (st || t->need.kind == SELVI_NEED_NOTHING)
            return st;
    }
}

/* Behind an event that the program itself may have to complete. */
static bool is_gated(selv_scheduler *s, selvi_epoch e)
{
    selvi_lock(s);
    bool gated = selvi_lanes_gated(&s->lanes, e);
    selvi_unlock(s);
    return gated;
}

static selv_status after(selv_scheduler *s, const selvi_task *t)
{
    if (t->cause || t->foreign)
        return SELV_OK;
    if (s->settings.serial && !is_gated(s, t->epoch))
        return selvi_wait_epoch(s, t->epoch);
    if (t->wants_flush)
        selvi_flush_lane(s, t->epoch.lane); /* the task is on its way: if this fails, the wait will tell */
    return SELV_OK;
}

selv_status selvi_run(selv_scheduler *s, selvi_task *t, selvi_attempt attempt)
{
    selv_status st = selvi_attempts(s, t, attempt);
    if (st && t->given_count)
        selvi_mappings_restore(s, t);
    selvi_free(t->given);
    t->given = NULL;
    t->given_count = t->given_room = 0;
    return st ? st : after(s, t);
}
