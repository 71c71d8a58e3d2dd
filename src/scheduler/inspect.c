/* What <selvedge/graph.h> asks of a scheduler, and selv_stats. The work is done by src/graph; here is the lock. */
#include "selvedge/graph.h"

#include "base/status.h"
#include "scheduler/retire.h"
#include "scheduler/task.h"

selv_status selvi_start_recording(selv_scheduler *s)
{
    selv_status st = s->recorder ? SELV_OK : selvi_recorder_create(0, &s->recorder, &s->observer);
    if (!st)
        s->recording = true;
    return st;
}

static void stop_recording(selv_scheduler *s)
{
    if (s->recording)
        selvi_recorder_gap(s->recorder);
    s->recording = false;
}

selv_status selv_record(selv_scheduler *s, bool on)
{
    selv_status st = SELV_OK;
    if (!s)
        return selvi_null("selv_record", "scheduler");
    selvi_lock(s);
    if (on)
        st = selvi_start_recording(s);
    else
        stop_recording(s);
    selvi_unlock(s);
    return selvi_report(s, st);
}

selv_status selv_edges(selv_scheduler *s, selv_edge *out, size_t capacity, size_t *count)
{
    if (!s)
        return selvi_null("selv_edges", "scheduler");
    selvi_lock(s);
    selv_status st = selvi_recorder_edges(s->recorder, out, capacity, count);
    selvi_unlock(s);
    return selvi_report(s, st);
}

selv_status selv_graph_write(selv_scheduler *s, selv_graph_format format, FILE *out)
{
    if (!s)
        return selvi_null("selv_graph_write", "scheduler");
    selvi_lock(s);
    selv_status st = selvi_graph_write(s->recorder, format, out);
    selvi_unlock(s);
    return selvi_report(s, st);
}

selv_status selv_graph_save(selv_scheduler *s, const char *path)
{
    if (!s)
        return selvi_null("selv_graph_save", "scheduler");
    selvi_lock(s);
    selv_status st = selvi_graph_save(s->recorder, path);
    selvi_unlock(s);
    return selvi_report(s, st);
}

selv_status selv_explain(selv_scheduler *s, selv_task t, char *text, size_t bytes)
{
    if (!s)
        return selvi_null("selv_explain", "scheduler");
    selvi_lock(s);
    selv_status st = selvi_graph_explain(s->recorder, t, text, bytes);
    selvi_unlock(s);
    return selvi_report(s, st);
}

static uint64_t count_parts(const selvi_allocations *a)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < a->count; i++)
        if (a->at[i].kind != SELVI_FREE_SLOT)
            sum += a->at[i].parts.count;
    return sum;
}

static void count_lanes(const selvi_lanes *l, selv_statistics *out)
{
    for (size_t i = 0; i < l->count; i++) {
        out->tasks_running += selvi_lane_backlog(l->at[i]);
        out->lanes += l->at[i]->queue != NULL;
    }
}

static void fill(selv_scheduler *s, selv_statistics *out)
{
    *out = (selv_statistics){.tasks = (uint64_t)s->last_task,
                             .waits = s->waits_put,
                             .hazards = s->hazards_found,
                             .failed = s->failures.failed_tasks,
                             .live_events = s->lanes.events - s->lanes.trash_count,
                             .allocations = s->allocations.live,
                             .parts = count_parts(&s->allocations),
                             .records = s->recorder ? selvi_recorder_tasks(s->recorder) : 0,
                             .bytes_held = s->garbage.held,
                             .uploads = s->uploads,
                             .downloads = s->downloads,
                             .bytes_up = s->bytes_up,
                             .bytes_down = s->bytes_down};
    count_lanes(&s->lanes, out);
}

/* The scheduler is const for its user; looking how far the lanes have come changes nothing that the user could see but
 * these numbers. */
selv_status selv_stats(const selv_scheduler *s, selv_statistics *out)
{
    selv_scheduler *mine = (selv_scheduler *)(uintptr_t)s;
    if (!s)
        return selvi_null("selv_stats", "scheduler");
    if (!out)
        return selvi_report(mine, selvi_null("selv_stats", "place for the numbers"));
    selvi_lock(mine);
    selvi_drain_watches(mine);
    selvi_retire_all(mine);
    fill(mine, out);
    selvi_unlock(mine);
    return SELV_OK;
}
