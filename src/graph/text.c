/* The text that fits diff: selvedge/graph.h documents its lines. */
#include "base/status.h"
#include "graph/links.h"
#include "graph/phrase.h"

static void write_task(const selvi_record *record, FILE *out)
{
    char kind[SELVI_PHRASE_BYTES], name[SELVI_PHRASE_BYTES];
    fprintf(out, "task t%lld %s %s\n", (long long)record->task, selvi_escape(record->kind, 0, kind, sizeof kind),
            selvi_escape(record->name, 0, name, sizeof name));
}

static void write_side(const selvi_side *side, FILE *out)
{
    static const char *const modes[] = {"none", "read", "write", "read-write", "accumulate"};
    char name[SELVI_PHRASE_BYTES];
    const char *assumed = side->flags & SELVI_ACCESS_ASSUMED ? " assumed" : "";
    selvi_escape(*side->argument_name ? side->argument_name : "-", 0, name, sizeof name);
    if (side->argument == SELVI_NO_ARGUMENT)
        fprintf(out, " - %s %s%s", name, modes[side->mode], assumed);
    else
        fprintf(out, " %u %s %s%s", side->argument, name, modes[side->mode], assumed);
}

/* Addresses differ from run to run. */
static void write_bytes(const selvi_recorder *r, const selvi_reason *reason, FILE *out)
{
    unsigned long long begin = reason->begin, end = reason->end;
    if (selvi_is_host_memory(r, reason->allocation))
        fprintf(out, " %llu bytes", end - begin);
    else
        fprintf(out, " [%llu, %llu)", begin, end);
    if (reason->ranges > 1)
        fprintf(out, " in %u ranges", reason->ranges);
}

static void write_reason(const selvi_recorder *r, const selvi_record *to, const selvi_reason *reason, FILE *out)
{
    char name[SELVI_PHRASE_BYTES], escaped[SELVI_PHRASE_BYTES];
    const selvi_record *from = selvi_recorder_at(r, reason->from);
    selvi_phrase_allocation(r, reason->allocation, name, sizeof name);
    fprintf(out, "edge t%lld t%lld %s %s", (long long)from->task, (long long)to->task, selvi_hazard_name(reason->kind),
            selvi_escape(name, 0, escaped, sizeof escaped));
    write_bytes(r, reason, out);
    write_side(&reason->from_side, out);
    fputs(" ->", out);
    write_side(&reason->to_side, out);
    fputc('\n', out);
}

static void write_link(const selvi_recorder *r, const selvi_link *link, FILE *out)
{
    for (size_t i = 0; i < link->count && !link->redundant; i++)
        write_reason(r, selvi_recorder_at(r, link->to), &link->reasons[i], out);
}

selv_status selvi_graph_text(const selvi_recorder *r, FILE *out)
{
    selvi_links links;
    selv_status st = selvi_links_build(r, &links);
    if (st)
        return st;
    fprintf(out, "# selvedge graph 1\n# forgotten %llu\n", (unsigned long long)links.first);
    for (size_t i = 0; i < links.tasks; i++) {
        write_task(selvi_recorder_at(r, links.first + i), out);
        for (size_t k = links.begin[i]; k < links.begin[i + 1]; k++)
            write_link(r, &links.at[k], out);
    }
    selvi_links_destroy(&links);
    return SELV_OK;
}
