#include "scheduler/told.h"

#include "base/memory.h"

void selvi_told_name(selv_scheduler *s, selvi_allocation *a)
{
    selvi_fact_allocation fact = {a->number, selvi_allocation_kind_name(a), a->name, a->bytes};
    if (s->recording)
        s->observer.allocation(s->observer.self, &fact);
    a->told |= s->recording;
}

static void label(const selvi_task *t, const selvi_access *a, bool program, selvi_fact_access *out)
{
    out->argument = SELVI_NO_ARGUMENT;
    if (program) {
        out->argument_name = "program-scope variables";
    } else if (t->signature && a->argument < t->signature->count) {
        out->argument = a->argument;
        out->argument_name = t->signature->parameters[a->argument].name;
    } else if (t->signature || a->argument > 1) {
        out->argument_name = "also";
    } else {
        out->argument_name = t->labels[a->argument];
    }
}

/* What the task is compared with others as, or an order between devices would be no edge. */
static selv_status see(selv_scheduler *s, selvi_scratch *x, int device)
{
    selv_status st = SELV_OK;
    selvi_accesses_clear(&x->seen);
    for (size_t i = 0; !st && i < x->accesses.count; i++) {
        const selvi_access *a = &x->accesses.at[i];
        const selvi_allocation *allocation = selvi_allocation_at(&s->allocations, a->allocation);
        st = selvi_accesses_add(&x->seen, selvi_access_seen(allocation, *a, device));
    }
    return st ? st : selvi_accesses_normalise(&x->seen);
}

static selvi_fact_task facts(selv_scheduler *s, const selvi_task *t, const selvi_scratch *x, int device,
                             size_t wait_count)
{
    for (size_t i = 0; i < x->seen.count; i++) {
        const selvi_access *a = &x->seen.at[i];
        selvi_allocation *allocation = selvi_allocation_at(&s->allocations, a->allocation);
        if (!allocation->told)
            selvi_told_name(s, allocation);
        x->facts[i] = (selvi_fact_access){
            .allocation = allocation->number, .begin = a->begin, .end = a->end, .mode = a->mode, .flags = a->flags};
        label(t, a, allocation->kind == SELVI_PROGRAM, &x->facts[i]);
    }
    return (selvi_fact_task){.task = t->id,
                             .kind = t->kind,
                             .name = t->name,
                             .epoch = t->epoch,
                             .device = device,
                             .failed = t->cause != 0,
                             .access_count = x->seen.count,
                             .wait_count = wait_count,
                             .accesses = x->facts,
                             .waits = x->epochs,
                             .horizon = selvi_lanes_horizon(&s->lanes)};
}

selv_status selvi_told_reserve(selv_scheduler *s, const selvi_task *t, selvi_scratch *x, int device, size_t wait_count)
{
    if (!s->recording || t->silent)
        return SELV_OK;
    selv_status st = see(s, x, device);
    st = st ? st : selvi_grow(&x->facts, &x->fact_room, x->seen.count, sizeof *x->facts);
    if (st)
        return st;
    selvi_fact_task fact = facts(s, t, x, device, wait_count);
    return s->observer.reserve(s->observer.self, &fact);
}

void selvi_told_task(selv_scheduler *s, const selvi_task *t, const selvi_scratch *x, int device, size_t wait_count)
{
    if (!s->recording || t->silent)
        return;
    selvi_fact_task fact = facts(s, t, x, device, wait_count);
    if (fact.failed)
        fact.epoch = (selvi_epoch){0, 0};
    s->observer.task(s->observer.self, &fact);
}

void selvi_told_gone(selv_scheduler *s, const selvi_allocation *a)
{
    if (a->told && s->recording)
        s->observer.released(s->observer.self, a->number);
}
