#include "graph/known.h"

#include "base/memory.h"

selvi_allocation *selvi_known_find(const selvi_known *list, uint64_t number)
{
    uint64_t found = 0;
    selvi_table_get(&list->index, number, &found);
    return (selvi_allocation *)(uintptr_t)found;
}

static void destroy(selvi_allocation *a)
{
    selvi_parts_destroy(&a->parts);
    selvi_free(a->name);
    selvi_free(a);
}

static selvi_allocation *add(selvi_known *list, uint64_t number)
{
    if (selvi_grow(&list->at, &list->capacity, list->count + 1, sizeof *list->at))
        return NULL;
    selvi_allocation *a = selvi_alloc(sizeof *a);
    if (!a)
        return NULL;
    if (selvi_table_put(&list->index, number, (uintptr_t)a)) {
        selvi_free(a);
        return NULL;
    }
    a->number = number;
    a->kind = "memory";
    selvi_parts_init(&a->parts, 0, UINT64_MAX);
    return list->at[list->count++] = a;
}

selvi_allocation *selvi_known_demand(selvi_known *list, uint64_t number)
{
    selvi_allocation *a = selvi_known_find(list, number);
    return a ? a : add(list, number);
}

static void drop(selvi_known *list, size_t i)
{
    selvi_allocation *a = list->at[i];
    list->at[i] = list->at[--list->count];
    selvi_table_remove(&list->index, a->number);
    destroy(a);
}

static void forget_parts(selvi_allocation *a)
{
    selvi_parts_destroy(&a->parts);
    selvi_parts_init(&a->parts, 0, UINT64_MAX);
}

void selvi_known_sweep(selvi_known *list, uint64_t first, const selvi_horizon *h, size_t most)
{
    for (size_t i = list->count; i--;) { /* backwards: drop() moves the last one here, which has been seen */
        selvi_allocation *a = list->at[i];
        if (a->used >= first)
            selvi_parts_prune(&a->parts, h);
        else if (a->released || list->count > most)
            drop(list, i);
        else
            forget_parts(a);
    }
}

void selvi_known_destroy(selvi_known *list)
{
    for (size_t i = 0; i < list->count; i++)
        destroy(list->at[i]);
    selvi_free(list->at);
    selvi_table_destroy(&list->index);
}
