/* Buffers and SVM blocks: made, named, released; SVM of the user's own, tracked. */
#include "base/memory.h"
#include "base/status.h"
#include "scheduler/mappings.h"
#include "scheduler/resolve.h"
#include "scheduler/sub_buffers.h"
#include "scheduler/told.h"
#include "scheduler/waiting.h"

#include <inttypes.h>

/* --- buffers --- */

static bool out_of_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
}

static cl_mem create(selv_scheduler *s, size_t bytes, const void *init, cl_int *code)
{
    return clCreateBuffer(s->devices.context, CL_MEM_READ_WRITE | (init ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                          (void *)(uintptr_t)init, code);
}

static selv_status no_memory(selv_scheduler *s, cl_int code, const char *what, size_t bytes)
{
    return selvi_fail(code,
                      "%s of %zu bytes could not be made (%s): the device has %" PRIu64 " bytes, at most %" PRIu64
                      " in one piece, and this scheduler holds %" PRIu64 " of them; release what is no longer needed",
                      what, bytes, selvi_status_name(code), (uint64_t)s->devices.at[0].memory,
                      (uint64_t)s->devices.at[0].allocation_most, s->garbage.held);
}

/* What waits in the garbage may be all that is missing. */
static selv_status make_buffer(selv_scheduler *s, size_t bytes, const void *init, cl_mem *out)
{
    cl_int code;
    *out = create(s, bytes, init, &code);
    if (out_of_memory(code)) {
        selvi_reap(s);
        *out = create(s, bytes, init, &code);
    }
    return code ? no_memory(s, code, "a buffer", bytes) : SELV_OK;
}

static void count_init(selv_scheduler *s, size_t bytes, bool init)
{
    s->uploads += init;
    s->bytes_up += init ? bytes : 0;
}

static selv_status know_buffer(selv_scheduler *s, cl_mem m, size_t bytes, bool init)
{
    const selvi_need need = {.kind = SELVI_NEED_VIEW, .mem = m};
    selv_status st = selvi_provide(s, &need);
    if (st)
        return st;
    selvi_lock(s);
    selvi_view *v = selvi_view_find(&s->allocations, m);
    selvi_allocation_at(&s->allocations, v->slot)->ours = true;
    s->garbage.held += bytes;
    count_init(s, bytes, init);
    selvi_unlock(s);
    return SELV_OK;
}

static selv_status buffer(selv_scheduler *s, size_t bytes, const void *init, cl_mem *out)
{
    cl_mem m;
    if (!out || !bytes)
        return selvi_fail(SELV_INVALID, "selv_buffer: %s",
                          out ? "0 bytes; expected 1 or more" : "the place for the buffer is NULL");
    selv_status st = make_buffer(s, bytes, init, &m);
    if (!st && (st = know_buffer(s, m, bytes, init != NULL)))
        clReleaseMemObject(m);
    if (!st)
        *out = m;
    return st;
}

selv_status selv_buffer(selv_scheduler *s, size_t bytes, const void *init, cl_mem *out)
{
    return s ? selvi_report(s, buffer(s, bytes, init, out)) : selvi_null("selv_buffer", "scheduler");
}

/* --- release --- */

static selv_status check_unmapped(const selvi_allocation *x, const selvi_view *v, const char *call)
{
    char text[128];
    size_t i = selvi_mapping_in(x, v->begin, v->begin + v->bytes);
    if (i == SIZE_MAX || !x->extras->mappings[i].by_user)
        return SELV_OK;
    selvi_allocation_text(x, text, sizeof text);
    return selvi_fail(SELV_MAPPED, "%s: %s is mapped by selv_map; call selv_unmap first", call, text);
}

static selv_status bury(selv_scheduler *s, uint32_t slot, cl_mem m, void *svm, uint64_t bytes)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, slot);
    selv_status st = selvi_garbage_add(&s->garbage, &s->lanes, &x->parts,
                                       (selvi_rubbish){.mem = m, .svm = svm, .bytes = bytes, .ours = x->ours});
    if (!st)
        x->ours &= !bytes; /* counted in the garbage from now on */
    return st;
}

/* The handle is dead for the scheduler whoever else holds it: the driver's count cannot tell, since it counts commands
 * in flight on some drivers (PoCL 3.1). */
static selv_status release_attempt(selv_scheduler *s, selvi_task *t)
{
    cl_mem m = t->user;
    selvi_place place;
    const selv_arg arg = selv_arg_of(m);
    selv_status st = selvi_resolve(s, t, &arg, false, &place);
    if (st)
        return st;
    selvi_allocation *x = selvi_allocation_at(&s->allocations, place.slot);
    bool root = x->object.mem == m;
    if ((st = check_unmapped(x, place.view, "selv_release")))
        return st;
    st = root ? selvi_sub_buffers_drop(s, place.slot) : SELV_OK;
    st = st ? st : bury(s, place.slot, m, NULL, root ? place.view->bytes : 0);
    if (!st)
        place.view->released = true;
    return st;
}

static void reap_if_full(selv_scheduler *s)
{
    selvi_lock(s);
    bool full = selvi_garbage_full(&s->garbage);
    selvi_unlock(s);
    if (full)
        selvi_reap(s);
}

selv_status selv_release(selv_scheduler *s, cl_mem m)
{
    if (!s)
        return selvi_null("selv_release", "scheduler");
    if (!m)
        return selvi_report(s, selvi_null("selv_release", "buffer"));
    selvi_task t = {.kind = "release", .name = "release", .user = m};
    selv_status st = selvi_attempts(s, &t, release_attempt);
    if (st < 0)
        selvi_fail_within(st, "selv_release");
    reap_if_full(s);
    return selvi_report(s, st);
}

/* --- SVM --- */

static selv_status know_block(selv_scheduler *s, void *p, size_t bytes, bool ours)
{
    uint32_t slot;
    selv_status st = selvi_allocation_add(&s->allocations, SELVI_SVM, bytes, &slot);
    if (st)
        return st;
    selvi_allocation *x = selvi_allocation_at(&s->allocations, slot);
    const selvi_mapping fresh = {.end = bytes, .writes = true, .address = p};
    x->object.svm = p;
    x->ours = ours;
    st = ours ? selvi_mapping_add(x, &fresh) : SELV_OK;
    st = st ? st
            : selvi_addresses_add(&s->allocations.addresses,
                                  (selvi_address_range){(uintptr_t)p, (uintptr_t)p + bytes, slot});
    if (st)
        selvi_allocation_remove(&s->allocations, slot);
    else if (ours)
        s->garbage.held += bytes;
    return st;
}

/* Fresh memory may be written by the host at once: it is mapped, and the first task that names it unmaps. */
static selv_status map_fresh(selv_scheduler *s, void *p, size_t bytes)
{
    cl_int code = clEnqueueSVMMap(s->service, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, bytes, 0, NULL, NULL);
    return code ? selvi_fail(code, "clEnqueueSVMMap was refused for a fresh block (%s)", selvi_status_name(code))
                : SELV_OK;
}

static void *allocate(selv_scheduler *s, size_t bytes)
{
    void *p = clSVMAlloc(s->devices.context, CL_MEM_READ_WRITE, bytes, 0);
    if (p)
        return p;
    selvi_reap(s);
    return clSVMAlloc(s->devices.context, CL_MEM_READ_WRITE, bytes, 0);
}

static selv_status check_svm(const selv_scheduler *s, const char *call)
{
    return s->devices.svm ? SELV_OK
                          : selvi_fail(SELV_UNSUPPORTED, "%s: device %s has no shared virtual memory; use selv_buffer",
                                       call, s->devices.at[0].name);
}

static selv_status svm(selv_scheduler *s, size_t bytes, void *out)
{
    selv_status st = check_svm(s, "selv_svm");
    if (st)
        return st;
    if (!out || !bytes)
        return selvi_fail(SELV_INVALID, "selv_svm: %s",
                          out ? "0 bytes; expected 1 or more" : "the place for the pointer is NULL");
    void *p = allocate(s, bytes);
    if (!p)
        return no_memory(s, CL_MEM_OBJECT_ALLOCATION_FAILURE, "an SVM block", bytes);
    if (!(st = map_fresh(s, p, bytes))) {
        selvi_lock(s);
        st = know_block(s, p, bytes, true);
        selvi_unlock(s);
    }
    if (st)
        clSVMFree(s->devices.context, p);
    else
        memcpy(out, &p, sizeof p);
    return st;
}

selv_status selv_svm_alloc(selv_scheduler *s, size_t bytes, void *out)
{
    return s ? selvi_report(s, svm(s, bytes, out)) : selvi_null("selv_svm", "scheduler");
}

static selv_status find_block(selv_scheduler *s, const void *p, bool ours, const char *call, selvi_address_range *out)
{
    if (selvi_allocations_was_freed(&s->allocations, p) && !selvi_allocations_lookup(&s->allocations, p, out))
        return selvi_fail(SELV_RELEASED, "%s: the block at %p was freed or untracked before", call, p);
    if (!selvi_allocations_lookup(&s->allocations, p, out) ||
        selvi_allocation_at(&s->allocations, (uint32_t)out->value)->kind != SELVI_SVM)
        return selvi_fail(SELV_UNKNOWN_POINTER, "%s: no SVM block is known at %p", call, p);
    if (out->begin != (uintptr_t)p)
        return selvi_fail(SELV_UNKNOWN_POINTER,
                          "%s: %p lies inside a block, %" PRIu64
                          " bytes behind its beginning: pass the pointer that was allocated",
                          call, p, (uintptr_t)p - out->begin);
    if (selvi_allocation_at(&s->allocations, (uint32_t)out->value)->ours != ours)
        return selvi_fail(SELV_INVALID,
                          ours
                              ? "%s: the block at %p is your own (selv_track): call selv_untrack, then free it yourself"
                              : "%s: the block at %p was made by selv_svm: free it with selv_svm_free",
                          call, p);
    return SELV_OK;
}

static void forget_block(selv_scheduler *s, selvi_address_range r)
{
    selvi_addresses_remove(&s->allocations.addresses, r.begin, NULL);
    selvi_allocations_note_freed(&s->allocations, r);
    selvi_told_gone(s, selvi_allocation_at(&s->allocations, (uint32_t)r.value));
    selvi_allocation_remove(&s->allocations, (uint32_t)r.value);
}

static selv_status free_block(selv_scheduler *s, void *p)
{
    selvi_address_range r;
    selv_status st = find_block(s, p, true, "selv_svm_free", &r);
    st = st ? st : selvi_sub_buffers_drop(s, (uint32_t)r.value);
    st = st ? st : bury(s, (uint32_t)r.value, NULL, p, r.end - r.begin);
    if (!st)
        forget_block(s, r);
    return st;
}

selv_status selv_svm_free(selv_scheduler *s, void *p)
{
    if (!s)
        return selvi_null("selv_svm_free", "scheduler");
    if (!p)
        return SELV_OK; /* as free() */
    selvi_lock(s);
    selv_status st = free_block(s, p);
    selvi_unlock(s);
    reap_if_full(s);
    return selvi_report(s, st);
}

static selv_status track(selv_scheduler *s, void *p, size_t bytes)
{
    selv_status st = check_svm(s, "selv_track");
    if (st)
        return st;
    if (!p || !bytes)
        return selvi_fail(SELV_INVALID, "selv_track: %s",
                          p ? "0 bytes; expected the size of the block" : "the pointer is NULL");
    selvi_lock(s);
    st = know_block(s, p, bytes, false);
    selvi_unlock(s);
    return st < 0 ? selvi_fail_within(st, "selv_track") : st;
}

selv_status selv_track(selv_scheduler *s, void *svm_block, size_t bytes)
{
    return s ? selvi_report(s, track(s, svm_block, bytes)) : selvi_null("selv_track", "scheduler");
}

/* A task of no work over the whole block: it is behind everything, and it takes back what the host holds. */
static selv_status untrack_attempt(selv_scheduler *s, selvi_task *t)
{
    selvi_address_range r;
    selv_status st = find_block(s, t->user, false, "selv_untrack", &r);
    if (st)
        return st;
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, (uint32_t)r.value);
    selvi_accesses_clear(&s->scratch.accesses);
    st = selvi_accesses_add(&s->scratch.accesses, (selvi_access){(uint32_t)r.value, x->generation, 0, x->bytes, 0,
                                                                 SELV_WRITE, SELVI_ACCESS_OVERWRITES});
    return st ? st : selvi_submit(s, t, &s->scratch);
}

static selv_status untrack(selv_scheduler *s, void *p)
{
    selvi_address_range r;
    selvi_task t = {.kind = "untrack", .name = "untrack", .device = -1, .silent = true, .user = p};
    selv_status st = selvi_run(s, &t, untrack_attempt);
    st = st ? st : selvi_wait_epoch(s, t.epoch);
    if (st)
        return st;
    selvi_lock(s);
    st = find_block(s, p, false, "selv_untrack", &r);
    st = st ? st : selvi_sub_buffers_drop(s, (uint32_t)r.value);
    if (!st)
        forget_block(s, r);
    selvi_unlock(s);
    selvi_reap(s); /* the alias buffer goes before the user frees the block */
    return st;
}

selv_status selv_untrack(selv_scheduler *s, void *svm_block)
{
    return s ? selvi_report(s, untrack(s, svm_block)) : selvi_null("selv_untrack", "scheduler");
}

/* --- names --- */

typedef struct naming {
    const selv_arg *x;
    const char *name;
} naming;

static selv_status name_attempt(selv_scheduler *s, selvi_task *t)
{
    const naming *n = t->user;
    selvi_place place;
    selv_status st = selvi_resolve(s, t, n->x, false, &place);
    char *copy = st ? NULL : selvi_copy_text(n->name);
    if (st || !copy)
        return st ? st : CL_OUT_OF_HOST_MEMORY;
    selvi_allocation *x = selvi_allocation_at(&s->allocations, place.slot);
    selvi_free(x->name);
    x->name = copy;
    selvi_told_name(s, x);
    return SELV_OK;
}

selv_status selv_name_arg(selv_scheduler *s, selv_arg x, const char *name)
{
    if (!s || !name)
        return s ? selvi_report(s, selvi_null("selv_name", "name")) : selvi_null("selv_name", "scheduler");
    naming n = {&x, name};
    selvi_task t = {.kind = "name", .name = "name", .user = &n};
    selv_status st = selvi_attempts(s, &t, name_attempt);
    return selvi_report(s, st < 0 ? selvi_fail_within(st, "selv_name") : st);
}
