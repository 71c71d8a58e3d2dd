/* A hazard names a range that its producer may have reached by several arguments, and an argument may make many ranges:
 *
 *     producer   |-- arg 0 writes --|-- arg 1 writes --|
 *     hazard         |-------- RAW ---------|              two reasons: arg 0 -> x, arg 1 -> x
 *     rows         |-|   |-|   |-|   |-|                   one reason, of four ranges
 * RAW and WAW cannot meet on the same bytes: a task has one mode for each byte, and that decides between them. */
#include "graph/reasons.h"

#include "base/memory.h"

#include <stdlib.h>

/* A producer of WAR is one that only read; it wrote, or accumulated, for the other two. */
static bool made(const selvi_record_access *from, const selvi_hazard *h, uint64_t allocation)
{
    bool wrote = selvi_mode_writes((selv_mode)from->side.mode);
    return from->allocation == allocation && from->begin < h->end && h->begin < from->end &&
           wrote == (h->kind != SELVI_WAR);
}

static selv_status add(selvi_reasons *list, const selvi_reason *reason)
{
    selv_status st = selvi_grow(&list->at, &list->capacity, list->count + 1, sizeof *list->at);
    if (!st)
        list->at[list->count++] = *reason;
    return st;
}

selv_status selvi_reasons_add(selvi_record *to, const selvi_hazard *h, const selvi_record *from, uint64_t place)
{
    const selvi_record_access *mine = &to->accesses[h->access];
    selv_status st = SELV_OK;
    for (size_t i = 0; !st && i < from->access_count; i++) {
        const selvi_record_access *theirs = &from->accesses[i];
        if (!made(theirs, h, mine->allocation))
            continue;
        selvi_reason reason = {.from = place,
                               .allocation = mine->allocation,
                               .begin = theirs->begin > h->begin ? theirs->begin : h->begin,
                               .end = theirs->end < h->end ? theirs->end : h->end,
                               .from_side = theirs->side,
                               .to_side = mine->side,
                               .ranges = 1,
                               .kind = h->kind};
        st = add(&to->reasons, &reason);
    }
    return st;
}

#define DIFFER(field)                                                                                                  \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1

static int compare_side(const selvi_side *a, const selvi_side *b)
{
    DIFFER(argument);
    DIFFER(mode);
    DIFFER(flags);
    return strcmp(a->argument_name, b->argument_name);
}

static int compare_but_bytes(const selvi_reason *a, const selvi_reason *b)
{
    DIFFER(from);
    DIFFER(allocation);
    DIFFER(kind);
    int order = compare_side(&a->from_side, &b->from_side);
    return order ? order : compare_side(&a->to_side, &b->to_side);
}

static int compare(const void *left, const void *right)
{
    const selvi_reason *a = left, *b = right;
    int order = compare_but_bytes(a, b);
    if (order)
        return order;
    DIFFER(begin);
    DIFFER(end);
    return 0;
}
#undef DIFFER

static void join(selvi_reason *a, const selvi_reason *b)
{
    if (b->begin > a->end)
        a->ranges++;
    a->end = b->end > a->end ? b->end : a->end;
}

void selvi_reasons_normalise(selvi_reasons *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->at, list->count, sizeof *list->at, compare);
    for (size_t i = 0; i < list->count; i++) {
        if (kept && !compare_but_bytes(&list->at[kept - 1], &list->at[i]))
            join(&list->at[kept - 1], &list->at[i]);
        else
            list->at[kept++] = list->at[i];
    }
    list->count = kept;
}

static bool same_epoch(selvi_epoch a, selvi_epoch b)
{
    return a.lane == b.lane && a.position == b.position;
}

/* The lane is looked at before the horizon, since it does not depend on timing. */
selv_fate selvi_fate_of(const selvi_fact_task *task, selvi_epoch producer)
{
    for (size_t i = 0; i < task->wait_count; i++)
        if (same_epoch(task->waits[i], producer))
            return SELV_FATE_WAIT;
    if (producer.lane == task->epoch.lane && producer.position < task->epoch.position)
        return SELV_FATE_SAME_LANE;
    return selvi_horizon_covers(&task->horizon, producer) ? SELV_FATE_COMPLETE : SELV_FATE_IMPLIED;
}
