#include "graph/recorder.h"

#include "base/memory.h"
#include "base/status.h"
#include "graph/reasons.h"
#include "graph/record.h"

/* Most launches have two to four accesses and as many reasons. */
enum { ITEMS_PER_TASK = 16 };

static size_t slot_of(const selvi_recorder *r, uint64_t place)
{
    return (size_t)(place % r->most_tasks);
}

static selvi_epoch epoch_of(const selvi_recorder *r, uint64_t place)
{
    return (selvi_epoch){.lane = (uint32_t)slot_of(r, place), .position = place / r->most_tasks + 1};
}

static uint64_t place_of(const selvi_recorder *r, selvi_epoch e)
{
    return (e.position - 1) * r->most_tasks + e.lane;
}

static selvi_horizon horizon_of(const selvi_recorder *r)
{
    return (selvi_horizon){.complete = r->complete, .lanes = (uint32_t)r->complete_capacity};
}

const selvi_record *selvi_recorder_at(const selvi_recorder *r, uint64_t place)
{
    return &r->slots[slot_of(r, place)];
}

static size_t items_of(const selvi_record *record)
{
    return record->access_count + record->reasons.count;
}

static void clear(selvi_record *record)
{
    selvi_free(record->accesses);
    selvi_free(record->waits);
    selvi_free(record->reasons.at);
    selvi_free(record->why);
    memset(record, 0, sizeof *record);
}

static void cover(selvi_recorder *r, uint64_t place)
{
    selvi_epoch e = epoch_of(r, place);
    r->complete[e.lane] = e.position;
}

static void forget_oldest(selvi_recorder *r)
{
    selvi_record *record = &r->slots[slot_of(r, r->first)];
    r->items -= items_of(record);
    clear(record);
    cover(r, r->first++);
}

/* reserve */

static selvi_access tracked(const selvi_record_access *a)
{
    return (selvi_access){.begin = a->begin, .end = a->end, .mode = a->side.mode, .flags = a->side.flags};
}

static void undo_reserved(selvi_recorder *r)
{
    for (size_t i = 0; i < r->pending.access_count; i++) {
        selvi_allocation *a = selvi_known_find(&r->allocations, r->pending.accesses[i].allocation);
        selvi_access access = tracked(&r->pending.accesses[i]);
        if (a)
            selvi_parts_undo(&a->parts, &access);
    }
}

static void drop_pending(selvi_recorder *r)
{
    if (r->is_pending)
        undo_reserved(r);
    clear(&r->pending);
    r->is_pending = false;
}

static selv_status copy_accesses(selvi_recorder *r, const selvi_fact_task *task)
{
    selvi_record *record = &r->pending;
    record->accesses = selvi_alloc(task->access_count * sizeof *record->accesses);
    if (!record->accesses)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < task->access_count; i++) {
        const selvi_fact_access *a = &task->accesses[i];
        const char *name = selvi_names_keep(&r->names, a->argument_name);
        if (!name)
            return CL_OUT_OF_HOST_MEMORY;
        selvi_side side = {.argument_name = name, .argument = a->argument, .mode = a->mode, .flags = a->flags};
        record->accesses[i] = (selvi_record_access){a->allocation, a->begin, a->end, side};
    }
    return SELV_OK;
}

static selv_status copy_facts(selvi_recorder *r, const selvi_fact_task *task)
{
    selvi_record *record = &r->pending;
    record->device = task->device;
    record->kind = selvi_names_keep(&r->names, task->kind);
    record->name = selvi_names_keep(&r->names, task->name && *task->name ? task->name : task->kind);
    record->waits = selvi_alloc(task->wait_count * sizeof *record->waits);
    if (!record->kind || !record->name || !record->waits)
        return CL_OUT_OF_HOST_MEMORY;
    if (task->wait_count)
        memcpy(record->waits, task->waits, task->wait_count * sizeof *record->waits);
    record->wait_count = task->wait_count;
    return copy_accesses(r, task);
}

static selv_status query(selvi_recorder *r, size_t i, selvi_allocation *allocation)
{
    selvi_horizon horizon = horizon_of(r);
    selvi_access access = tracked(&r->pending.accesses[i]);
    return selvi_parts_query(&allocation->parts, &access, (uint32_t)i, &horizon, &r->hazards);
}

/* All accesses are compared with the state before the task: every query comes before the first apply. */
static selv_status query_all(selvi_recorder *r, size_t count)
{
    selv_status st = SELV_OK;
    selvi_hazards_clear(&r->hazards);
    for (size_t i = 0; !st && i < count; i++) {
        selvi_allocation *a = selvi_known_demand(&r->allocations, r->pending.accesses[i].allocation);
        if (!a)
            return CL_OUT_OF_HOST_MEMORY;
        a->used = r->next;
        st = query(r, i, a);
    }
    return st;
}

/* Accumulators of one device run side by side. */
static selv_status find_reasons(selvi_recorder *r)
{
    selv_status st = SELV_OK;
    for (size_t i = 0; !st && i < r->hazards.count; i++) {
        const selvi_hazard *h = &r->hazards.at[i];
        uint64_t place = place_of(r, h->producer);
        const selvi_record *from = selvi_recorder_at(r, place);
        if (!h->commutes || from->device != r->pending.device)
            st = selvi_reasons_add(&r->pending, h, from, place);
    }
    selvi_reasons_normalise(&r->pending.reasons);
    return st;
}

static selv_status reserve_parts(selvi_recorder *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        selvi_allocation *a = selvi_known_find(&r->allocations, r->pending.accesses[i].allocation);
        selvi_access access = tracked(&r->pending.accesses[i]);
        r->pending.access_count = i + 1; /* so far an undo has to go */
        selv_status st = selvi_parts_reserve(&a->parts, &access);
        if (st)
            return st;
    }
    return SELV_OK;
}

static selv_status reserve_slot(selvi_recorder *r)
{
    size_t need = slot_of(r, r->next) + 1;
    selv_status st = selvi_grow(&r->slots, &r->slot_capacity, need, sizeof *r->slots);
    return st ? st : selvi_grow(&r->complete, &r->complete_capacity, need, sizeof *r->complete);
}

static selv_status prepare(selvi_recorder *r, const selvi_fact_task *task)
{
    selv_status st = reserve_slot(r);
    if (!st)
        st = copy_facts(r, task);
    if (!st)
        st = query_all(r, task->access_count);
    if (!st)
        st = find_reasons(r);
    if (!st)
        st = reserve_parts(r, task->access_count);
    return st;
}

static selv_status reserve(void *self, const selvi_fact_task *task)
{
    selvi_recorder *r = self;
    drop_pending(r);
    selv_status st = prepare(r, task);
    r->is_pending = true;
    if (st)
        drop_pending(r);
    return st;
}

/* commit */

static void apply(selvi_recorder *r)
{
    selvi_epoch e = epoch_of(r, r->next);
    for (size_t i = 0; i < r->pending.access_count; i++) {
        selvi_allocation *a = selvi_known_find(&r->allocations, r->pending.accesses[i].allocation);
        selvi_access access = tracked(&r->pending.accesses[i]);
        selvi_parts_apply(&a->parts, &access, e, NULL); /* looking through every clock each time would cost: sweep() */
    }
}

static void settle_fates(selvi_recorder *r, const selvi_fact_task *task)
{
    selvi_reasons *reasons = &r->pending.reasons;
    for (size_t i = 0; i < reasons->count; i++) {
        const selvi_record *from = selvi_recorder_at(r, reasons->at[i].from);
        reasons->at[i].fate = (uint8_t)selvi_fate_of(task, from->epoch);
    }
}

static void keep(selvi_recorder *r)
{
    if (r->next - r->first == r->most_tasks)
        forget_oldest(r);
    r->slots[slot_of(r, r->next++)] = r->pending;
    r->items += items_of(&r->pending);
    r->items_at_sweep += items_of(&r->pending);
    memset(&r->pending, 0, sizeof r->pending);
    r->is_pending = false;
    while (r->items > r->most_items && r->next - r->first > 1)
        forget_oldest(r);
}

/* Now and then, so that its cost is spread over as many tasks as it looks at things. */
static void sweep(selvi_recorder *r)
{
    uint64_t often = r->most_tasks / 4 > r->allocations.count ? r->most_tasks / 4 : r->allocations.count;
    if (r->next - r->swept <= often && r->items_at_sweep <= r->most_items / 4)
        return;
    selvi_horizon horizon = horizon_of(r);
    selvi_known_sweep(&r->allocations, r->first, &horizon, r->most_tasks);
    r->swept = r->next;
    r->items_at_sweep = 0;
}

static void commit(void *self, const selvi_fact_task *task)
{
    selvi_recorder *r = self;
    if (!r->is_pending)
        return;
    r->pending.task = task->task;
    r->pending.epoch = task->epoch;
    r->pending.not_run = task->failed;
    r->pending.failed = task->failed;
    settle_fates(r, task);
    apply(r);
    keep(r);
    sweep(r);
}

/* the other facts */

static void name_allocation(void *self, const selvi_fact_allocation *fact)
{
    selvi_recorder *r = self;
    selvi_allocation *a = selvi_known_demand(&r->allocations, fact->allocation);
    if (!a)
        return;
    const char *kind = selvi_names_keep(&r->names, fact->kind);
    char *name = fact->name ? selvi_copy_text(fact->name) : NULL;
    a->kind = kind && *kind ? kind : a->kind;
    a->used = r->next; /* it is about to be used, or was a moment ago: no sweep is to drop it before */
    if (!name)
        return;
    selvi_free(a->name);
    a->name = name;
}

static void release_allocation(void *self, uint64_t allocation)
{
    selvi_recorder *r = self;
    selvi_allocation *a = selvi_known_find(&r->allocations, allocation);
    if (a)
        a->released = true;
}

static bool find_place(const selvi_recorder *r, selv_task task, uint64_t *place)
{
    uint64_t low = r->first, high = r->next;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (selvi_recorder_at(r, middle)->task < task)
            low = middle + 1;
        else
            high = middle;
    }
    *place = low;
    return low < r->next && selvi_recorder_at(r, low)->task == task;
}

static void fail(void *self, selv_task task, const char *why)
{
    selvi_recorder *r = self;
    uint64_t place;
    if (!find_place(r, task, &place))
        return;
    selvi_record *record = &r->slots[slot_of(r, place)];
    record->failed = true;
    if (!record->why && why)
        record->why = selvi_copy_text(why); /* without room for it the task is still marked */
}

static size_t records(void *self)
{
    return selvi_recorder_tasks(self);
}

/* the face */

selv_status selvi_recorder_create(size_t most_tasks, selvi_recorder **out, selvi_observer *observer)
{
    selvi_recorder *r = selvi_alloc(sizeof *r);
    if (!r)
        return CL_OUT_OF_HOST_MEMORY;
    r->most_tasks = most_tasks ? most_tasks : SELVI_MOST_RECORDS;
    r->most_items = r->most_tasks * ITEMS_PER_TASK;
    *observer = (selvi_observer){.self = r,
                                 .reserve = reserve,
                                 .task = commit,
                                 .allocation = name_allocation,
                                 .released = release_allocation,
                                 .failed = fail,
                                 .records = records};
    *out = r;
    return SELV_OK;
}

void selvi_recorder_destroy(selvi_recorder *r)
{
    if (!r)
        return;
    drop_pending(r);
    for (uint64_t place = r->first; place < r->next; place++)
        clear(&r->slots[slot_of(r, place)]);
    selvi_free(r->slots);
    selvi_free(r->complete);
    selvi_hazards_destroy(&r->hazards);
    selvi_known_destroy(&r->allocations);
    selvi_names_destroy(&r->names);
    selvi_free(r);
}

void selvi_recorder_gap(selvi_recorder *r)
{
    drop_pending(r);
    for (uint64_t place = r->first; place < r->next; place++)
        cover(r, place);
}

size_t selvi_recorder_tasks(const selvi_recorder *r)
{
    return r ? (size_t)(r->next - r->first) : 0;
}

uint64_t selvi_recorder_forgotten(const selvi_recorder *r)
{
    return r ? r->first : 0;
}

selv_status selvi_recorder_find(const selvi_recorder *r, selv_task task, uint64_t *place)
{
    if (r && find_place(r, task, place))
        return SELV_OK;
    if (task > 0 && r && r->first && r->first < r->next && task < selvi_recorder_at(r, r->first)->task)
        return selvi_fail(SELV_UNKNOWN_TASK,
                          "task t%lld is no longer kept: the graph keeps the newest %zu tasks, and %llu are forgotten; "
                          "ask sooner after the task was given",
                          (long long)task, r->most_tasks, (unsigned long long)r->first);
    return selvi_fail(SELV_UNKNOWN_TASK,
                      "task t%lld was not recorded: expected the number of a task that was given while recording was "
                      "on (selv_record, SELV_RECORD or SELVEDGE_GRAPH)",
                      (long long)task);
}
