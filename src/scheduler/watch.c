#include "scheduler/watch.h"

#include "base/memory.h"
#include "base/status.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct watch {
    selv_scheduler *owner; /* NULL: free, or its scheduler is closed */
    uint32_t view, generation;
    bool gone;
} watch;

/* One table for the process. The mutex is taken last, nothing is called under it. */
static struct {
    pthread_mutex_t mutex;
    watch *at;
    size_t count, room;
    uint32_t *free_slots; /* room for every slot is made when the slot is */
    size_t free_count, free_room;
    uint32_t *gone; /* slots whose objects are gone and that nobody has asked about */
    size_t gone_count, gone_room;
    atomic_size_t any_gone;
} table = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static watch *find(uint64_t number)
{
    size_t slot = (size_t)(number & 0xffffffff);
    return slot < table.count && table.at[slot].generation == number >> 32 ? &table.at[slot] : NULL;
}

static void CL_CALLBACK on_destroy(cl_mem m, void *number)
{
    (void)m;
    pthread_mutex_lock(&table.mutex);
    watch *w = find((uint64_t)(uintptr_t)number);
    if (w && !w->gone) {
        w->gone = true;
        table.gone[table.gone_count++] = (uint32_t)(w - table.at);
        atomic_store(&table.any_gone, table.gone_count);
    }
    pthread_mutex_unlock(&table.mutex);
}

static selv_status take_slot(uint32_t *out)
{
    if (table.free_count) {
        *out = table.free_slots[--table.free_count];
        return SELV_OK;
    }
    selv_status st = selvi_grow(&table.at, &table.room, table.count + 1, sizeof *table.at);
    st = st ? st : selvi_grow(&table.free_slots, &table.free_room, table.count + 1, sizeof *table.free_slots);
    st = st ? st : selvi_grow(&table.gone, &table.gone_room, table.count + 1, sizeof *table.gone);
    if (!st)
        *out = (uint32_t)table.count++;
    return st;
}

static void give_slot(uint32_t slot)
{
    table.at[slot].owner = NULL;
    table.at[slot].gone = false;
    table.at[slot].generation++;
    table.free_slots[table.free_count++] = slot;
}

static selv_status add(selv_scheduler *s, uint32_t view, uint64_t *out)
{
    uint32_t slot = 0;
    pthread_mutex_lock(&table.mutex);
    selv_status st = take_slot(&slot);
    if (!st) {
        watch *w = &table.at[slot];
        w->generation += w->generation == 0; /* 0 is no watch */
        w->owner = s;
        w->view = view;
        *out = (uint64_t)w->generation << 32 | slot;
    }
    pthread_mutex_unlock(&table.mutex);
    return st;
}

static void cancel(uint64_t number)
{
    pthread_mutex_lock(&table.mutex);
    if (find(number))
        give_slot((uint32_t)(number & 0xffffffff));
    pthread_mutex_unlock(&table.mutex);
}

selv_status selvi_watch_begin(selv_scheduler *s, uint32_t view, cl_mem m, uint64_t *out)
{
    selv_status st = add(s, view, out);
    if (st)
        return st;
    cl_int code = clSetMemObjectDestructorCallback(m, on_destroy, (void *)(uintptr_t)*out);
    if (!code)
        return SELV_OK;
    cancel(*out);
    return selvi_fail(code, "clSetMemObjectDestructorCallback was refused by the driver (%s)", selvi_status_name(code));
}

static bool take_gone(selv_scheduler *s, uint32_t *view, uint64_t *number)
{
    for (size_t i = 0; i < table.gone_count; i++) {
        uint32_t slot = table.gone[i];
        watch *w = &table.at[slot];
        if (w->owner != s)
            continue;
        *view = w->view;
        *number = (uint64_t)w->generation << 32 | slot;
        table.gone[i] = table.gone[--table.gone_count];
        atomic_store(&table.any_gone, table.gone_count);
        give_slot(slot);
        return true;
    }
    return false;
}

bool selvi_watch_next(selv_scheduler *s, uint32_t *view, uint64_t *number)
{
    if (!atomic_load_explicit(&table.any_gone, memory_order_acquire))
        return false;
    pthread_mutex_lock(&table.mutex);
    bool found = take_gone(s, view, number);
    pthread_mutex_unlock(&table.mutex);
    return found;
}

void selvi_watch_end_all(selv_scheduler *s)
{
    uint32_t view;
    uint64_t number;
    while (selvi_watch_next(s, &view, &number))
        continue;
    pthread_mutex_lock(&table.mutex);
    for (size_t i = 0; i < table.count; i++)
        if (table.at[i].owner == s)
            give_slot((uint32_t)i);
    pthread_mutex_unlock(&table.mutex);
}
