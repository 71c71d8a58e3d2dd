/* selv_map and selv_unmap: the host holds a buffer until it gives it back. */
#include "base/status.h"
#include "scheduler/mappings.h"
#include "scheduler/resolve.h"
#include "scheduler/waiting.h"

typedef struct holding {
    cl_mem m;
    selv_mode mode;
    void *address;
    uint32_t slot, generation;
} holding;

static cl_map_flags flags_of(selv_mode mode)
{
    return mode == SELV_READ    ? CL_MAP_READ
           : mode == SELV_WRITE ? CL_MAP_WRITE_INVALIDATE_REGION
                                : CL_MAP_READ | CL_MAP_WRITE;
}

static selv_status check(const selvi_allocation *x, const selvi_place *p)
{
    char text[128];
    selvi_allocation_text(x, text, sizeof text);
    if (p->view->shape)
        return selvi_fail(SELV_UNSUPPORTED,
                          "%s is an image, whose rows may be padded when mapped: copy it with selv_read and selv_write",
                          text);
    if (selvi_mapping_in(x, p->begin, p->begin + p->bytes) != SIZE_MAX)
        return selvi_fail(SELV_MAPPED, "%s is mapped already: call selv_unmap first", text);
    return SELV_OK;
}

/* The address is known as the buffer's, so that a launch that is given it can say what to pass instead. A copy from or
   to it has host memory for its side. Where the driver maps over memory known already (CL_MEM_USE_HOST_PTR over SVM),
   that stays what it is. */
static void know_address(selv_scheduler *s, const holding *h, const selvi_place *p)
{
    selvi_addresses_add(&s->allocations.addresses,
                        (selvi_address_range){(uintptr_t)h->address, (uintptr_t)h->address + p->bytes, p->slot});
}

static selv_status map_attempt(selv_scheduler *s, selvi_task *t)
{
    holding *h = t->user;
    selvi_place p;
    const selv_arg arg = selv_arg_of(h->m);
    unsigned overwrites = h->mode == SELV_WRITE ? SELVI_ACCESS_OVERWRITES : 0;
    selv_status st = selvi_resolve(s, t, &arg, false, &p);
    if (st)
        return st;
    selvi_allocation *x = selvi_allocation_at(&s->allocations, p.slot);
    selvi_accesses_clear(&s->scratch.accesses);
    if ((st = check(x, &p)) || (st = selvi_mapping_reserve(x)) ||
        (st = selvi_resolve_access(s, &s->scratch.accesses, &arg, &p, SIZE_MAX, h->mode, overwrites, 0)))
        return st;
    t->command = (selvi_command){.kind = SELVI_COMMAND_MAP_BUFFER,
                                 .src = h->m,
                                 .bytes = p.bytes,
                                 .map_flags = flags_of(h->mode),
                                 .mapped = &h->address};
    if ((st = selvi_submit(s, t, &s->scratch)) || t->cause)
        return st;
    h->slot = p.slot;
    h->generation = x->generation;
    know_address(s, h, &p);
    return selvi_mapping_add(
        x, &(selvi_mapping){p.begin, p.begin + p.bytes, t->epoch, h->mode != SELV_READ, true, h->address, h->m});
}

/* By address: another thread may have unmapped meanwhile. */
static void forget(selv_scheduler *s, const holding *h)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, h->slot);
    for (size_t i = 0; x->generation == h->generation && x->extras && i < x->extras->mapping_count; i++)
        if (x->extras->mappings[i].address == h->address) {
            selvi_mapping_remove(x, i);
            selvi_allocations_forget_address(&s->allocations, h->address, h->slot);
            return;
        }
}

static selv_status wait_for_map(selv_scheduler *s, const selvi_task *t, const holding *h)
{
    selv_status st = t->cause ? SELV_OK : selvi_wait_epoch(s, t->epoch);
    st = st ? st : selvi_task_failure(s, t->id);
    if (st && !t->cause) {
        selvi_lock(s);
        forget(s, h);
        selvi_unlock(s);
    }
    return st;
}

static selv_status map(selv_scheduler *s, cl_mem m, selv_mode mode, void *out)
{
    holding h = {.m = m, .mode = mode};
    selvi_task t = {.kind = "map", .name = "map", .labels = {"mapped"}, .device = -1, .touches_map = true, .user = &h};
    if (!out)
        return selvi_fail(SELV_INVALID, "the place for the address is NULL");
    if (mode != SELV_READ && mode != SELV_WRITE && mode != SELV_READ_WRITE)
        return selvi_fail(SELV_INVALID, "mode %d: expected SELV_READ, SELV_WRITE or SELV_READ_WRITE", (int)mode);
    selv_status st = selvi_run(s, &t, map_attempt);
    st = st ? st : wait_for_map(s, &t, &h);
    if (!st)
        memcpy(out, &h.address, sizeof h.address);
    return st;
}

selv_status selv_map_mem(selv_scheduler *s, cl_mem m, selv_mode mode, void *out)
{
    if (!s)
        return selvi_null("selv_map", "scheduler");
    selv_status st = map(s, m, mode, out);
    return selvi_report(s, st < 0 ? selvi_fail_within(st, "selv_map") : st);
}

static size_t held_by(const selvi_allocation *x, cl_mem m)
{
    for (size_t i = 0; x->extras && i < x->extras->mapping_count; i++)
        if (x->extras->mappings[i].by_user && x->extras->mappings[i].mem == m)
            return i;
    return SIZE_MAX;
}

/* A copy from or to the mapped address has the host memory for its side: the unmap waits for it, as a write of that. */
static selv_status add_unmap_accesses(selv_scheduler *s, const selv_arg *arg, const selvi_place *p,
                                      const selvi_mapping *held)
{
    uint64_t address = (uintptr_t)held->address;
    uint32_t generation = selvi_allocation_at(&s->allocations, SELVI_HOST_SLOT)->generation;
    selvi_accesses_clear(&s->scratch.accesses);
    selv_status st = selvi_resolve_access(s, &s->scratch.accesses, arg, p, SIZE_MAX,
                                          held->writes ? SELV_READ_WRITE : SELV_READ, 0, 0);
    return st ? st
              : selvi_accesses_add(&s->scratch.accesses,
                                   (selvi_access){SELVI_HOST_SLOT, generation, address,
                                                  address + (held->end - held->begin), 0, SELV_WRITE, 0});
}

static selv_status unmap_attempt(selv_scheduler *s, selvi_task *t)
{
    selvi_place p;
    cl_mem m = t->user;
    const selv_arg arg = selv_arg_of(m);
    selv_status st = selvi_resolve(s, t, &arg, false, &p);
    if (st)
        return st;
    selvi_allocation *x = selvi_allocation_at(&s->allocations, p.slot);
    size_t i = held_by(x, m);
    if (i == SIZE_MAX)
        return selvi_fail(SELV_INVALID, "the buffer is not mapped: selv_unmap gives back what selv_map gave");
    selvi_mapping held = x->extras->mappings[i];
    st = add_unmap_accesses(s, &arg, &p, &held);
    t->command = (selvi_command){.kind = SELVI_COMMAND_UNMAP_BUFFER, .src = m, .dst_pointer = held.address};
    if (st || (st = selvi_submit(s, t, &s->scratch)))
        return st;
    selvi_allocations_forget_address(&s->allocations, held.address, p.slot);
    selvi_mapping_remove(x, i);
    return SELV_OK;
}

selv_task selv_unmap(selv_scheduler *s, cl_mem m)
{
    selvi_task t = {
        .kind = "unmap", .name = "unmap", .labels = {"mapped"}, .device = -1, .touches_map = true, .user = m};
    if (!s)
        return selvi_null("selv_unmap", "scheduler");
    selv_status st = selvi_run(s, &t, unmap_attempt);
    return selvi_task_result(s, &t, st < 0 ? selvi_fail_within(st, "selv_unmap") : st);
}
