/* The graph as an array of selv_edge. */
#include "base/status.h"
#include "graph/links.h"
#include "graph/phrase.h"

static void put_name(char *out, const char *name)
{
    snprintf(out, SELV_EDGE_NAME_BYTES, "%s", name);
}

static int argument_of(const selvi_side *side)
{
    return side->argument == SELVI_NO_ARGUMENT ? -1 : side->argument;
}

static void put_sides(selv_edge *out, const selvi_side *from, const selvi_side *to)
{
    out->from_argument = argument_of(from);
    out->to_argument = argument_of(to);
    out->from_mode = (selv_mode)from->mode;
    out->to_mode = (selv_mode)to->mode;
    out->from_assumed = from->flags & SELVI_ACCESS_ASSUMED;
    out->to_assumed = to->flags & SELVI_ACCESS_ASSUMED;
    out->assumed = out->from_assumed || out->to_assumed;
    out->hull = (from->flags | to->flags) & SELVI_ACCESS_HULL;
    put_name(out->from_argument_name, from->argument_name);
    put_name(out->to_argument_name, to->argument_name);
}

static selv_edge edge_of(const selvi_recorder *r, const selvi_link *link, const selvi_reason *reason)
{
    const selvi_record *from = selvi_recorder_at(r, link->from), *to = selvi_recorder_at(r, link->to);
    selv_edge out = {.from = from->task,
                     .to = to->task,
                     .kind = (selv_hazard)reason->kind,
                     .fate = (selv_fate)reason->fate,
                     .redundant = link->redundant,
                     .allocation = reason->allocation,
                     .begin = (size_t)reason->begin,
                     .end = (size_t)reason->end,
                     .ranges = reason->ranges};
    put_name(out.from_name, from->name);
    put_name(out.to_name, to->name);
    selvi_phrase_allocation(r, reason->allocation, out.allocation_name, sizeof out.allocation_name);
    put_sides(&out, &reason->from_side, &reason->to_side);
    return out;
}

static size_t put_edges(const selvi_recorder *r, const selvi_links *links, selv_edge *out, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < links->count; i++)
        for (size_t k = 0; k < links->at[i].count; k++, count++)
            if (count < capacity)
                out[count] = edge_of(r, &links->at[i], &links->at[i].reasons[k]);
    return count;
}

selv_status selvi_recorder_edges(const selvi_recorder *r, selv_edge *out, size_t capacity, size_t *count)
{
    selvi_links links;
    if (!count || (capacity && !out))
        return selvi_fail(SELV_INVALID, "%s is NULL: expected a place for the %s", count ? "out" : "count",
                          count ? "edges, or a capacity of 0" : "number of edges");
    selv_status st = selvi_links_build(r, &links);
    if (st)
        return st;
    *count = put_edges(r, &links, out, capacity);
    selvi_links_destroy(&links);
    return SELV_OK;
}
