/* The picture: tasks as boxes, one arrow for each pair of tasks. */
#include "graph/links.h"
#include "graph/phrase.h"

enum { MOST_LABELS = 3, TOOLTIP_BYTES = 2048 };

typedef struct colour {
    const char *kind, *fill;
} colour;

static const char *fill_of(const char *kind)
{
    static const colour colours[] = {{"launch", "#dbeafe"}, {"copy", "#dcfce7"},   {"read", "#dcfce7"},
                                     {"write", "#dcfce7"},  {"fill", "#fef9c3"},   {"map", "#ede9fe"},
                                     {"unmap", "#ede9fe"},  {"adopted", "#ffedd5"}};
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++)
        if (!strcmp(colours[i].kind, kind))
            return colours[i].fill;
    return "#f3f4f6";
}

static void write_task(const selvi_record *record, FILE *out)
{
    char name[SELVI_PHRASE_BYTES], kind[SELVI_PHRASE_BYTES], why[SELVI_PHRASE_BYTES];
    selvi_escape(record->name, '"', name, sizeof name);
    selvi_escape(record->kind, '"', kind, sizeof kind);
    selvi_escape(record->why ? record->why : "", '"', why, sizeof why);
    fprintf(out, "  t%lld [label=\"t%lld %s\", fillcolor=\"%s\"", (long long)record->task, (long long)record->task,
            name, fill_of(record->kind));
    if (record->failed)
        fputs(", color=\"#dc2626\", penwidth=3, fontcolor=\"#dc2626\"", out);
    fprintf(out, ", tooltip=\"%s, device %d, lane %u%s%s%s\"];\n", kind, record->device, record->epoch.lane,
            record->not_run  ? ", not run"
            : record->failed ? ", failed"
                             : "",
            *why ? ": " : "", why);
}

static const char *hazard_colour(const selvi_link *link)
{
    int strongest = SELV_WAW; /* RAW before WAR before WAW, as data really flows along the first only */
    for (size_t i = 0; i < link->count; i++)
        strongest = link->reasons[i].kind < strongest ? link->reasons[i].kind : strongest;
    return strongest == SELV_RAW ? "#1d4ed8" : strongest == SELV_WAR ? "#c2410c" : "#7e22ce";
}

static bool is_assumed(const selvi_reason *reason)
{
    return (reason->from_side.flags | reason->to_side.flags) & SELVI_ACCESS_ASSUMED;
}

/* A link is only as sure as its surest reason. */
static bool all_assumed(const selvi_link *link)
{
    for (size_t i = 0; i < link->count; i++)
        if (!is_assumed(&link->reasons[i]))
            return false;
    return true;
}

/* Reasons are sorted, so those with equal labels stand together. */
static bool same_label(const selvi_link *link, size_t i)
{
    const selvi_reason *a = &link->reasons[i];
    return i && a[-1].kind == a->kind && a[-1].allocation == a->allocation;
}

static void write_labels(const selvi_recorder *r, const selvi_link *link, FILE *out)
{
    char name[SELVI_PHRASE_BYTES], escaped[SELVI_PHRASE_BYTES];
    size_t labels = 0;
    for (size_t i = 0; i < link->count; i++) {
        if (same_label(link, i) || labels++ >= MOST_LABELS)
            continue;
        selvi_phrase_allocation(r, link->reasons[i].allocation, name, sizeof name);
        fprintf(out, "%s%s %s", labels > 1 ? "\\n" : "", selvi_hazard_name(link->reasons[i].kind),
                selvi_escape(name, '"', escaped, sizeof escaped));
    }
    if (labels > MOST_LABELS)
        fprintf(out, "\\nand %zu more", labels - MOST_LABELS);
}

static void write_tooltip(const selvi_recorder *r, const selvi_link *link, FILE *out)
{
    char reason[TOOLTIP_BYTES], escaped[TOOLTIP_BYTES];
    for (size_t i = 0; i < link->count && i < MOST_LABELS; i++) {
        selvi_phrase_reason(r, selvi_recorder_at(r, link->to), &link->reasons[i], reason, sizeof reason);
        fprintf(out, "%s%s", i ? "\\n" : "", selvi_escape(reason, '"', escaped, sizeof escaped));
    }
}

static void write_style(const selvi_link *link, FILE *out)
{
    if (link->redundant)
        fputs("color=\"#9ca3af\", fontcolor=\"#9ca3af\", style=dotted", out);
    else
        fprintf(out, "color=\"%s\", fontcolor=\"%s\"%s", hazard_colour(link), hazard_colour(link),
                all_assumed(link) ? ", style=dashed" : "");
}

static void write_link(const selvi_recorder *r, const selvi_link *link, FILE *out)
{
    fprintf(out, "  t%lld -> t%lld [label=\"", (long long)selvi_recorder_at(r, link->from)->task,
            (long long)selvi_recorder_at(r, link->to)->task);
    write_labels(r, link, out);
    fputs("\", tooltip=\"", out);
    write_tooltip(r, link, out);
    fputs("\", ", out);
    write_style(link, out);
    fputs("];\n", out);
}

static void write_head(uint64_t forgotten, FILE *out)
{
    fputs("digraph selvedge {\n  rankdir=TB;\n"
          "  node [shape=box, style=\"filled,rounded\", color=\"#6b7280\", fontname=\"Helvetica\", fontsize=12];\n"
          "  edge [fontname=\"Helvetica\", fontsize=10];\n"
          "  labelloc=b; fontname=\"Helvetica\"; fontsize=10; fontcolor=\"#6b7280\";\n"
          "  label=\"blue RAW, orange WAR, purple WAW; dashed: only because a mode was assumed",
          out);
    if (forgotten)
        fprintf(out, "\\n%llu older tasks are no longer kept", (unsigned long long)forgotten);
    fputs("\";\n", out);
}

static void write_links(const selvi_recorder *r, const selvi_links *links, bool redundant, FILE *out)
{
    for (size_t i = 0; i < links->count; i++)
        if (redundant || !links->at[i].redundant)
            write_link(r, &links->at[i], out);
}

selv_status selvi_graph_dot(const selvi_recorder *r, bool redundant, FILE *out)
{
    selvi_links links;
    selv_status st = selvi_links_build(r, &links);
    if (st)
        return st;
    write_head(links.first, out);
    for (size_t i = 0; i < links.tasks; i++)
        write_task(selvi_recorder_at(r, links.first + i), out);
    write_links(r, &links, redundant, out);
    fputs("}\n", out);
    selvi_links_destroy(&links);
    return SELV_OK;
}
