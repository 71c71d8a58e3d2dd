/* Normalising is a sweep over one allocation at a time: at each cut the ranges that lie over the next bytes are merged.
 *
 *      arg 0   |--- read ------------|
 *      arg 1            |--- write ----------|
 *              |- read -|--- rw -----|-write-|                                                            */
#include "tracking/access.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* Up to here pairs are compared one by one, without a scratch list: nearly every launch. */
enum { FEW = 16 };

bool selvi_mode_writes(selv_mode m)
{
    return m == SELV_WRITE || m == SELV_READ_WRITE || m == SELV_ACCUMULATE;
}

selv_status selvi_accesses_add(selvi_accesses *list, selvi_access a)
{
    if (a.begin >= a.end)
        return selvi_fail(SELV_INVALID, "an access to no bytes, [%llu, %llu): its end must lie behind its begin",
                          (unsigned long long)a.begin, (unsigned long long)a.end);
    selv_status st = selvi_grow(&list->at, &list->capacity, list->count + 1, sizeof a);
    if (!st)
        list->at[list->count++] = a;
    return st;
}

static selv_status check_rows(const selvi_access *a, uint64_t bytes, uint64_t rows, uint64_t pitch)
{
    uint64_t span;
    if (!bytes || !rows)
        return selvi_fail(SELV_INVALID, "%llu rows of %llu bytes are no bytes at all: both must be at least 1",
                          (unsigned long long)rows, (unsigned long long)bytes);
    if (__builtin_mul_overflow(rows - 1, pitch, &span) || __builtin_add_overflow(span, bytes, &span) ||
        __builtin_add_overflow(span, a->begin, &span))
        return selvi_fail(SELV_OUT_OF_RANGE, "%llu rows, %llu bytes apart from offset %llu, reach beyond 64 bits",
                          (unsigned long long)rows, (unsigned long long)pitch, (unsigned long long)a->begin);
    return SELV_OK;
}

static selv_status add_each_row(selvi_accesses *list, selvi_access a, uint64_t bytes, uint64_t rows, uint64_t pitch)
{
    selv_status st = selvi_grow(&list->at, &list->capacity, list->count + rows, sizeof a);
    for (uint64_t row = 0; !st && row < rows; row++, a.begin += pitch) {
        a.end = a.begin + bytes;
        list->at[list->count++] = a;
    }
    return st;
}

selv_status selvi_accesses_add_rows(selvi_accesses *list, selvi_access a, uint64_t bytes, uint64_t rows, uint64_t pitch)
{
    selv_status st = check_rows(&a, bytes, rows, pitch);
    if (st)
        return st;
    if (rows <= SELVI_MOST_ROWS && pitch > bytes)
        return add_each_row(list, a, bytes, rows, pitch);
    if (pitch > bytes)
        a.flags |= SELVI_ACCESS_HULL;
    a.end = a.begin + (rows - 1) * pitch + bytes; /* rows that touch are one range, exactly */
    return selvi_accesses_add(list, a);
}

static bool same_allocation(const selvi_access *a, const selvi_access *b)
{
    return a->allocation == b->allocation && a->generation == b->generation;
}

static bool overlap(const selvi_access *a, const selvi_access *b)
{
    return same_allocation(a, b) && a->begin < b->end && b->begin < a->end;
}

#define DIFFER(field)                                                                                                  \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1

/* Total, so that the result does not depend on the order of the arguments. */
static int compare(const void *left, const void *right)
{
    const selvi_access *a = left, *b = right;
    DIFFER(allocation);
    DIFFER(generation);
    DIFFER(begin);
    DIFFER(end);
    DIFFER(argument);
    DIFFER(mode);
    DIFFER(flags);
    return 0;
}
#undef DIFFER

static void insertion_sort(selvi_access *at, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        selvi_access moved = at[i];
        size_t j = i;
        for (; j && compare(&at[j - 1], &moved) > 0; j--)
            at[j] = at[j - 1];
        at[j] = moved;
    }
}

static size_t without_none(selvi_access *at, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (at[i].mode != SELV_NONE)
            at[kept++] = at[i];
    return kept;
}

/* A sub-buffer's flag speaks of exactly its range, so such a range is never joined to another. */
static bool joins(const selvi_access *a, const selvi_access *b)
{
    return same_allocation(a, b) && a->end == b->begin && a->mode == b->mode && a->flags == b->flags &&
           a->argument == b->argument && !(a->flags & SELVI_ACCESS_SUB_BUFFER);
}

static void append(selvi_accesses *list, const selvi_access *a)
{
    selvi_access *last = list->count ? &list->at[list->count - 1] : NULL;
    if (last && joins(last, a))
        last->end = a->end;
    else
        list->at[list->count++] = *a;
}

static bool is_plain(const selvi_accesses *list)
{
    if (list->count > FEW)
        return false;
    for (size_t i = 1; i < list->count; i++)
        for (size_t j = 0; j < i; j++)
            if (overlap(&list->at[i], &list->at[j]))
                return false;
    return true;
}

static void normalise_plain(selvi_accesses *list)
{
    size_t count = without_none(list->at, list->count);
    insertion_sort(list->at, count);
    list->count = 0;
    for (size_t i = 0; i < count; i++)
        append(list, &list->at[i]); /* to a place at or before its own */
}

typedef struct sweep {
    selvi_access *sorted, *over; /* over: those that lie over the bytes at hand */
    size_t count, next, depth;
    uint64_t at;
} sweep;

/* Equal modes stay: two arguments that only write still read nothing. */
static uint8_t merged_mode(uint8_t a, uint8_t b)
{
    return a == b ? a : SELV_READ_WRITE;
}

static uint8_t merged_flags(uint8_t a, uint8_t b)
{
    uint8_t all_say_so = a & b & (SELVI_ACCESS_ASSUMED | SELVI_ACCESS_OVERWRITES | SELVI_ACCESS_SUB_BUFFER);
    return (uint8_t)(all_say_so | ((a | b) & SELVI_ACCESS_HULL) | SELVI_ACCESS_MERGED);
}

static bool cut_short(const sweep *s, uint64_t end)
{
    for (size_t i = 0; i < s->depth; i++)
        if (s->over[i].begin != s->at || s->over[i].end != end)
            return true;
    return false;
}

static selvi_access merged(const sweep *s, uint64_t end)
{
    selvi_access a = s->over[0];
    for (size_t i = 1; i < s->depth; i++) {
        const selvi_access *b = &s->over[i];
        a.mode = merged_mode(a.mode, b->mode);
        a.flags = merged_flags(a.flags, b->flags);
        a.argument = b->argument < a.argument ? b->argument : a.argument;
    }
    if (cut_short(s, end))
        a.flags &= (uint8_t)~SELVI_ACCESS_SUB_BUFFER;
    if (s->depth > 1 && a.mode != SELV_WRITE)
        a.flags &= (uint8_t)~SELVI_ACCESS_OVERWRITES;
    a.begin = s->at;
    a.end = end;
    return a;
}

static bool has_next_here(const sweep *s)
{
    return s->next < s->count && same_allocation(&s->sorted[s->next], &s->over[0]);
}

static void enter(sweep *s)
{
    if (!s->depth) {
        s->at = s->sorted[s->next].begin;
        s->over[s->depth++] = s->sorted[s->next++];
    }
    while (has_next_here(s) && s->sorted[s->next].begin == s->at)
        s->over[s->depth++] = s->sorted[s->next++];
}

static uint64_t next_cut(const sweep *s)
{
    uint64_t cut = has_next_here(s) ? s->sorted[s->next].begin : UINT64_MAX;
    for (size_t i = 0; i < s->depth; i++)
        cut = s->over[i].end < cut ? s->over[i].end : cut;
    return cut;
}

static void leave(sweep *s, uint64_t cut)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->depth; i++)
        if (s->over[i].end > cut)
            s->over[kept++] = s->over[i];
    s->depth = kept;
    s->at = cut;
}

/* Every cut is a begin or an end, so there are fewer than two results for each range: the list has the room. */
static void run(sweep *s, selvi_accesses *list)
{
    list->count = 0;
    while (s->depth || s->next < s->count) {
        enter(s);
        uint64_t cut = next_cut(s);
        selvi_access a = merged(s, cut);
        append(list, &a);
        leave(s, cut);
    }
}

static selv_status normalise_by_sweep(selvi_accesses *list)
{
    selv_status st = selvi_grow(&list->at, &list->capacity, 2 * list->count, sizeof *list->at);
    if (st)
        return st;
    sweep s = {.sorted = selvi_alloc(2 * list->count * sizeof *s.sorted)};
    if (!s.sorted)
        return CL_OUT_OF_HOST_MEMORY;
    s.over = s.sorted + list->count;
    memcpy(s.sorted, list->at, list->count * sizeof *s.sorted);
    s.count = without_none(s.sorted, list->count);
    qsort(s.sorted, s.count, sizeof *s.sorted, compare);
    run(&s, list);
    selvi_free(s.sorted);
    return SELV_OK;
}

selv_status selvi_accesses_normalise(selvi_accesses *list)
{
    if (!is_plain(list))
        return normalise_by_sweep(list);
    normalise_plain(list);
    return SELV_OK;
}

void selvi_accesses_clear(selvi_accesses *list)
{
    list->count = 0;
}

void selvi_accesses_destroy(selvi_accesses *list)
{
    selvi_free(list->at);
    memset(list, 0, sizeof *list);
}
