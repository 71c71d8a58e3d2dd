/* The sentences of selv_explain. */
#include "base/memory.h"
#include "base/status.h"
#include "graph/implied.h"
#include "graph/phrase.h"

enum { LINE_BYTES = 4 * SELVI_PHRASE_BYTES };

/* Takes whole lines, and keeps room for the one that says that some are missing. */
typedef struct page {
    char *at;
    size_t bytes, used;
    bool full;
} page;

static const char cut[] = "...\n";

static void put(page *p, const char *line, size_t length)
{
    memcpy(p->at + p->used, line, length);
    p->used += length;
    p->at[p->used] = 0;
}

static void put_line(page *p, const char *line)
{
    size_t length = strlen(line);
    if (p->full)
        return;
    p->full = p->used + length + sizeof cut > p->bytes;
    if (!p->full)
        put(p, line, length);
    else if (p->used + sizeof cut <= p->bytes)
        put(p, cut, sizeof cut - 1);
}

/* Why `to` did not wait for the producer; "" if it did. */
static void say_why_not(const selvi_recorder *r, const selvi_record *to, const selvi_reason *reason, uint64_t by,
                        char *out, size_t bytes)
{
    long long task = by ? (long long)selvi_recorder_at(r, by - 1)->task : 0;
    if (to->not_run)
        snprintf(out, bytes, " (not run)");
    else if (reason->fate == SELV_FATE_SAME_LANE)
        snprintf(out, bytes, " (same lane)");
    else if (reason->fate == SELV_FATE_COMPLETE)
        snprintf(out, bytes, " (already complete when t%lld was submitted)", (long long)to->task);
    else if (reason->fate == SELV_FATE_IMPLIED && by)
        snprintf(out, bytes, " (implied by t%lld)", task);
    else if (reason->fate == SELV_FATE_IMPLIED)
        snprintf(out, bytes, " (implied by another wait)");
    else
        *out = 0;
}

static void put_reason(const selvi_recorder *r, const selvi_record *to, const selvi_reason *reason, uint64_t by,
                       page *out)
{
    char line[LINE_BYTES], what[LINE_BYTES], why_not[96];
    const selvi_record *from = selvi_recorder_at(r, reason->from);
    say_why_not(r, to, reason, by, why_not, sizeof why_not);
    selvi_phrase_reason(r, to, reason, what, sizeof what);
    int length = snprintf(line, sizeof line - 1, "t%lld %s %s t%lld %s%s: %s", (long long)to->task, to->name,
                          *why_not ? "comes without a wait after" : "waits for", (long long)from->task, from->name,
                          why_not, what);
    size_t end = length < (int)sizeof line - 1 ? (size_t)length : sizeof line - 2;
    memcpy(line + end, "\n", 2);
    put_line(out, line);
}

static void put_failure(const selvi_record *record, page *out)
{
    char line[LINE_BYTES];
    const char *what = record->not_run ? "was not run" : "failed";
    const char *why = record->why       ? record->why
                      : record->not_run ? "something that it needs had failed"
                                        : "no cause was told";
    snprintf(line, sizeof line, "t%lld %s %s: %.1024s\n", (long long)record->task, record->name, what, why);
    if (record->failed)
        put_line(out, line);
}

static size_t put_reasons(const selvi_recorder *r, const selvi_record *to, const uint64_t *by, page *out)
{
    const selvi_reasons *reasons = &to->reasons;
    size_t kept = 0;
    for (size_t i = 0; i < reasons->count; i++) {
        if (reasons->at[i].from < r->first)
            continue;
        put_reason(r, to, &reasons->at[i], by[reasons->at[i].from - r->first], out);
        kept++;
    }
    return kept;
}

static void put_end(const selvi_recorder *r, const selvi_record *to, size_t kept, page *out)
{
    char line[LINE_BYTES];
    size_t lost = to->reasons.count - kept;
    snprintf(line, sizeof line, "t%lld %s depends on nothing%s\n", (long long)to->task, to->name,
             lost ? " that is still kept" : "");
    if (!kept)
        put_line(out, line);
    snprintf(line, sizeof line, "(%zu of its edges came from some of the %llu older tasks that are no longer kept)\n",
             lost, (unsigned long long)r->first);
    if (lost)
        put_line(out, line);
    snprintf(line, sizeof line, "(%llu older tasks are no longer kept)\n", (unsigned long long)r->first);
    if (!lost && r->first)
        put_line(out, line);
}

selv_status selvi_graph_explain(const selvi_recorder *r, selv_task t, char *text, size_t bytes)
{
    uint64_t place, *by;
    if (!text || !bytes)
        return selvi_fail(SELV_INVALID, "the place for the text is %s: expected room for a few sentences",
                          text ? "of 0 bytes" : "NULL");
    *text = 0;
    selv_status st = selvi_recorder_find(r, t, &place);
    if (!st)
        st = selvi_implied_by(r, place, &by);
    if (st)
        return st;
    page out = {.at = text, .bytes = bytes};
    const selvi_record *record = selvi_recorder_at(r, place);
    put_failure(record, &out);
    put_end(r, record, put_reasons(r, record, by, &out), &out);
    selvi_free(by);
    return SELV_OK;
}
