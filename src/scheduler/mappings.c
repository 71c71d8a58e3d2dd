#include "scheduler/mappings.h"

#include "base/memory.h"
#include "base/status.h"
#include "scheduler/waiting.h"

#include <stdio.h>

selv_status selvi_mapping_reserve(selvi_allocation *x)
{
    selvi_extras *e = selvi_allocation_extras(x);
    return e ? selvi_grow(&e->mappings, &e->mapping_room, e->mapping_count + 1, sizeof *e->mappings)
             : CL_OUT_OF_HOST_MEMORY;
}

selv_status selvi_mapping_add(selvi_allocation *x, const selvi_mapping *m)
{
    selv_status st = selvi_mapping_reserve(x);
    if (!st)
        x->extras->mappings[x->extras->mapping_count++] = *m;
    return st;
}

void selvi_mapping_remove(selvi_allocation *x, size_t index)
{
    x->extras->mappings[index] = x->extras->mappings[--x->extras->mapping_count];
}

size_t selvi_mapping_in(const selvi_allocation *x, uint64_t begin, uint64_t end)
{
    for (size_t i = 0; x->extras && i < x->extras->mapping_count; i++)
        if (x->extras->mappings[i].begin < end && begin < x->extras->mappings[i].end)
            return i;
    return SIZE_MAX;
}

static bool conflicts(const selvi_mapping *m, const selvi_access *a)
{
    return m->begin < a->end && a->begin < m->end && (m->writes || selvi_mode_writes(a->mode));
}

/* "argument 0 (x, global int*) of kernel set", or "copy, destination" */
static void say_access(const selvi_task *t, const selvi_access *a, char *out, size_t bytes)
{
    const char *label = !t->signature && a->argument < 2 ? t->labels[a->argument] : NULL;
    if (t->signature && a->argument < t->signature->count)
        selvi_parameter_text(t->signature, a->argument, out, bytes);
    else
        snprintf(out, bytes, "%s%s%s", t->name, label ? ", " : "", label ? label : "");
}

static selv_status refuse(const selvi_allocation *x, const selvi_mapping *m, const selvi_task *t, const selvi_access *a)
{
    char what[128], who[256];
    selvi_allocation_text(x, what, sizeof what);
    say_access(t, a, who, sizeof who);
    return selvi_fail(SELV_MAPPED,
                      "%s (%s) meets bytes [%llu, %llu) of %s, which selv_map mapped for %s; call selv_unmap first",
                      who, selvi_mode_writes(a->mode) ? "it writes" : "it reads", (unsigned long long)m->begin,
                      (unsigned long long)m->end, what, m->writes ? "writing" : "reading");
}

/* A task of its own, on scratch of its own: it is complete before the one that brought it about goes on. */
static selv_status unmap(selv_scheduler *s, selvi_task *cause, uint32_t slot, size_t index)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, slot);
    selvi_mapping m = x->extras->mappings[index];
    selvi_task t = {.kind = "unmap", .name = "unmap", .device = -1, .silent = true, .touches_map = true};
    t.command = (selvi_command){.kind = SELVI_COMMAND_SVM_UNMAP, .dst_pointer = m.address};
    selvi_accesses_clear(&s->inner.accesses);
    selv_status st =
        selvi_accesses_add(&s->inner.accesses, (selvi_access){.allocation = slot,
                                                              .generation = x->generation,
                                                              .begin = m.begin,
                                                              .end = m.end,
                                                              .mode = m.writes ? SELV_READ_WRITE : SELV_READ});
    st = st ? st : selvi_grow(&cause->given, &cause->given_room, cause->given_count + 1, sizeof *cause->given);
    st = st ? st : selvi_submit(s, &t, &s->inner);
    if (st == SELVI_AGAIN)
        cause->need = t.need;
    if (st)
        return st;
    cause->given[cause->given_count++] = (selvi_given){slot, x->generation, m.begin, m.end, m.writes};
    selvi_mapping_remove(selvi_allocation_at(&s->allocations, slot), index);
    return SELV_OK;
}

/* --- a refusal changes nothing --- */

static selv_status give_again(selv_scheduler *s, selvi_task *t)
{
    const selvi_given *g = t->user;
    selvi_allocation *x = selvi_allocation_at(&s->allocations, g->slot);
    if (x->generation != g->generation || selvi_mapping_in(x, g->begin, g->end) != SIZE_MAX)
        return SELV_OK;
    selvi_mapping m = {.begin = g->begin, .end = g->end, .writes = g->writes};
    return selvi_mapping_submit(s, t, g->slot, &m);
}

void selvi_mappings_restore(selv_scheduler *s, selvi_task *t)
{
    char text[SELVI_TEXT_BYTES];
    memcpy(text, selv_error(), strlen(selv_error()) + 1);
    for (size_t i = 0; i < t->given_count; i++) {
        selvi_task map = {
            .kind = "map", .name = "map", .device = -1, .silent = true, .touches_map = true, .user = &t->given[i]};
        if (!selvi_run(s, &map, give_again) && map.epoch.position)
            selvi_wait_epoch(s, map.epoch);
    }
    selvi_error_set(text); /* the refusal is what the user asked about */
}

static selv_status check_user(selv_scheduler *s, const selvi_task *t, const selvi_access *a)
{
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, a->allocation);
    for (size_t i = 0; x->extras && i < x->extras->mapping_count; i++)
        if (x->extras->mappings[i].by_user && conflicts(&x->extras->mappings[i], a))
            return refuse(x, &x->extras->mappings[i], t, a);
    return SELV_OK;
}

static selv_status unmap_all(selv_scheduler *s, selvi_task *t, const selvi_access *a)
{
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, a->allocation);
    for (size_t i = 0; x->extras && i < x->extras->mapping_count;) {
        if (!conflicts(&x->extras->mappings[i], a)) {
            i++;
            continue;
        }
        selv_status st = unmap(s, t, a->allocation, i);
        if (st)
            return st;
    }
    return SELV_OK;
}

selv_status selvi_mappings_yield(selv_scheduler *s, selvi_task *t, const selvi_accesses *list)
{
    selv_status st = SELV_OK;
    if (t->touches_map || t->foreign)
        return SELV_OK;
    for (size_t i = 0; !st && i < list->count; i++)
        st = check_user(s, t, &list->at[i]);
    for (size_t i = 0; !st && i < list->count; i++)
        st = unmap_all(s, t, &list->at[i]);
    return st;
}

selv_status selvi_mappings_take(selv_scheduler *s, selvi_task *t, const selvi_access *a)
{
    selvi_access all = *a;
    all.mode = SELV_READ_WRITE;
    return unmap_all(s, t, &all);
}

selv_status selvi_mapping_submit(selv_scheduler *s, selvi_task *t, uint32_t slot, selvi_mapping *m)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, slot);
    selvi_access a = {slot, x->generation, m->begin, m->end, 0, m->writes ? SELV_READ_WRITE : SELV_READ, 0};
    m->address = (char *)x->object.svm + m->begin;
    selvi_accesses_clear(&s->scratch.accesses);
    selv_status st = selvi_mapping_reserve(x);
    st = st ? st : selvi_accesses_add(&s->scratch.accesses, a);
    st = st ? st : selvi_mappings_take(s, t, &a);
    t->command = (selvi_command){.kind = SELVI_COMMAND_SVM_MAP,
                                 .dst_pointer = m->address,
                                 .bytes = m->end - m->begin,
                                 .map_flags = CL_MAP_READ | (m->writes ? CL_MAP_WRITE : 0)};
    st = st ? st : selvi_submit(s, t, &s->scratch);
    if (st || t->cause)
        return st;
    m->epoch = t->epoch;
    return selvi_mapping_add(selvi_allocation_at(&s->allocations, slot), m);
}
