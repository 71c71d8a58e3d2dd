#include "graph/phrase.h"

#include <stdio.h>

const char *selvi_hazard_name(int kind)
{
    return kind == SELV_RAW ? "RAW" : kind == SELV_WAR ? "WAR" : "WAW";
}

const char *selvi_mode_verb(int mode)
{
    switch (mode) {
    case SELV_READ: return "reads";
    case SELV_WRITE: return "writes";
    case SELV_READ_WRITE: return "reads and writes";
    case SELV_ACCUMULATE: return "accumulates";
    default: return "does nothing";
    }
}

const char *selvi_phrase_allocation(const selvi_recorder *r, uint64_t number, char *out, size_t bytes)
{
    const selvi_allocation *a = selvi_known_find(&r->allocations, number);
    if (a && a->name)
        snprintf(out, bytes, "%s", a->name);
    else if (selvi_is_host_memory(r, number))
        snprintf(out, bytes, "host memory"); /* there is only one */
    else
        snprintf(out, bytes, "%s #%llu", a ? a->kind : "memory", (unsigned long long)number);
    return out;
}

bool selvi_is_host_memory(const selvi_recorder *r, uint64_t number)
{
    const selvi_allocation *a = selvi_known_find(&r->allocations, number);
    return a && !strcmp(a->kind, "host memory");
}

const char *selvi_phrase_size(uint64_t size, char *out, size_t bytes)
{
    static const char *const units[] = {"", " KiB", " MiB", " GiB", " TiB"};
    size_t unit = 0;
    for (; size && size % 1024 == 0 && unit < sizeof units / sizeof units[0] - 1; unit++)
        size /= 1024;
    snprintf(out, bytes, "%llu%s", (unsigned long long)size, units[unit]);
    return out;
}

static void phrase_range(const selvi_recorder *r, const selvi_reason *reason, char *out, size_t bytes)
{
    char begin[32], end[32];
    if (selvi_is_host_memory(r, reason->allocation))
        snprintf(out, bytes, "[0x%llx, 0x%llx)", (unsigned long long)reason->begin, (unsigned long long)reason->end);
    else
        snprintf(out, bytes, "[%s, %s)", selvi_phrase_size(reason->begin, begin, sizeof begin),
                 selvi_phrase_size(reason->end, end, sizeof end));
}

const char *selvi_phrase_part(const selvi_recorder *r, const selvi_reason *reason, char *out, size_t bytes)
{
    char name[SELVI_PHRASE_BYTES], range[96], ranges[64] = "";
    bool hull = (reason->from_side.flags | reason->to_side.flags) & SELVI_ACCESS_HULL;
    selvi_phrase_allocation(r, reason->allocation, name, sizeof name);
    phrase_range(r, reason, range, sizeof range);
    if (reason->ranges > 1)
        snprintf(ranges, sizeof ranges, " in %u ranges", reason->ranges);
    snprintf(out, bytes, "%s %s%s%s", name, range, ranges, hull ? " (the hull of very many rows)" : "");
    return out;
}

const char *selvi_phrase_side(const char *task, const selvi_side *side, char *out, size_t bytes)
{
    const char *verb = selvi_mode_verb(side->mode), *name = side->argument_name;
    const char *advice =
        side->flags & SELVI_ACCESS_ASSUMED ? " (assumed: if it only reads, declare it const or use selv_in)" : "";
    if (side->argument == SELVI_NO_ARGUMENT)
        snprintf(out, bytes, "%s%s%s %s%s", task, *name ? " " : "", name, verb, advice);
    else if (*name)
        snprintf(out, bytes, "%s argument %u (%s) %s%s", task, side->argument, name, verb, advice);
    else
        snprintf(out, bytes, "%s argument %u %s%s", task, side->argument, verb, advice);
    return out;
}

const char *selvi_phrase_reason(const selvi_recorder *r, const selvi_record *to, const selvi_reason *reason, char *out,
                                size_t bytes)
{
    char part[2 * SELVI_PHRASE_BYTES], from_side[SELVI_PHRASE_BYTES], to_side[SELVI_PHRASE_BYTES];
    const selvi_record *from = selvi_recorder_at(r, reason->from);
    snprintf(out, bytes, "%s on %s: %s, %s", selvi_hazard_name(reason->kind),
             selvi_phrase_part(r, reason, part, sizeof part),
             selvi_phrase_side(from->name, &reason->from_side, from_side, sizeof from_side),
             selvi_phrase_side(to->name, &reason->to_side, to_side, sizeof to_side));
    return out;
}

/* How many bytes the UTF-8 character at p has; 0: none begins here. */
static size_t utf8_bytes(const unsigned char *p)
{
    size_t more = p[0] < 0x80 ? 0 : p[0] >= 0xc2 && p[0] < 0xe0 ? 1 : (p[0] & 0xf0) == 0xe0 ? 2 : 3;
    if (p[0] >= 0xf5 || (p[0] >= 0x80 && p[0] < 0xc2))
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return more + 1;
}

static bool is_plain(unsigned char c, char quote)
{
    return c >= 0x20 && c != 0x7f && c != '\\' && (!quote || c != (unsigned char)quote);
}

const char *selvi_escape(const char *text, char quote, char *out, size_t bytes)
{
    size_t used = 0;
    const unsigned char *p = (const unsigned char *)text;
    while (*p && used + 6 < bytes) { /* room for the longest: \\xHH, or four bytes */
        size_t count = utf8_bytes(p);
        if (count && (count > 1 || is_plain(*p, quote))) {
            memcpy(out + used, p, count);
            used += count;
            p += count;
        } else {
            used += (size_t)snprintf(out + used, bytes - used, quote ? "\\\\x%02x" : "\\x%02x", *p++);
        }
    }
    out[used] = 0;
    return out;
}
