#include "scheduler/sub_buffers.h"

#include "base/memory.h"
#include "base/status.h"

#include <inttypes.h>

static selv_status check_alignment(const selv_scheduler *s, const selvi_allocation *x, uint64_t begin)
{
    if (x->kind != SELVI_BUFFER || begin % s->alignment == 0)
        return SELV_OK;
    return selvi_fail(SELV_MISALIGNED,
                      "selv_part at byte %" PRIu64
                      ": a sub-buffer can begin at multiples of %zu bytes on this device; pass the whole buffer with "
                      "selv_within and add the offset in the kernel, or use SVM, where any offset will do",
                      begin, s->alignment);
}

selv_status selvi_sub_buffer(selv_scheduler *s, selvi_task *t, uint32_t slot, uint64_t begin, uint64_t bytes,
                             cl_mem *out)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, slot);
    selv_status st = check_alignment(s, x, begin);
    for (size_t i = 0; !st && x->extras && i < x->extras->cached_count; i++)
        if (x->extras->cached[i].begin == begin && x->extras->cached[i].bytes == bytes) {
            *out = x->extras->cached[i].mem;
            return SELV_OK;
        }
    if (st)
        return st;
    t->need = (selvi_need){
        .kind = SELVI_NEED_SUB_BUFFER, .slot = slot, .generation = x->generation, .begin = begin, .bytes = bytes};
    return SELVI_AGAIN;
}

static cl_uint references(cl_mem m)
{
    cl_uint count = 0;
    clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

static selv_status make(selv_scheduler *s, const selvi_allocation *x, const selvi_need *need, cl_mem *out)
{
    cl_int code;
    cl_buffer_region region = {(size_t)need->begin, (size_t)need->bytes};
    if (x->kind == SELVI_SVM)
        *out = clCreateBuffer(s->devices.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, (size_t)need->bytes,
                              (char *)x->object.svm + need->begin, &code);
    else
        *out = clCreateSubBuffer(x->object.mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    return code ? selvi_fail(code, "a %s for bytes [%" PRIu64 ", %" PRIu64 ") could not be made (%s)",
                             x->kind == SELVI_SVM ? "buffer over SVM" : "sub-buffer", need->begin,
                             need->begin + need->bytes, selvi_status_name(code))
                : SELV_OK;
}

static selv_status drop_one(selv_scheduler *s, selvi_allocation *x, size_t index)
{
    selvi_cached *cached = x->extras->cached + index;
    selv_status st = selvi_garbage_add(&s->garbage, &s->lanes, &x->parts, (selvi_rubbish){.mem = cached->mem});
    if (st)
        return st;
    x->extras->cached_count--;
    memmove(cached, cached + 1, (x->extras->cached_count - index) * sizeof *cached);
    return SELV_OK;
}

static selv_status keep(selv_scheduler *s, selvi_allocation *x, const selvi_need *need, cl_mem made)
{
    selvi_extras *e = selvi_allocation_extras(x);
    selv_status st =
        e ? selvi_grow(&e->cached, &e->cached_room, e->cached_count + 1, sizeof *e->cached) : CL_OUT_OF_HOST_MEMORY;
    if (!st && e->cached_count == SELVI_CACHED_MOST)
        st = drop_one(s, x, 0);
    if (!st)
        e->cached[e->cached_count++] = (selvi_cached){made, need->begin, need->bytes};
    return st;
}

/* The allocation is looked up anew after the sub-buffer was made: meanwhile it may have gone. */
selv_status selvi_sub_buffer_provide(selv_scheduler *s, const selvi_need *need)
{
    cl_mem made, parent;
    selvi_lock(s);
    selvi_allocation now = *selvi_allocation_at(&s->allocations, need->slot);
    selvi_unlock(s);
    if (now.generation != need->generation)
        return SELV_OK; /* the next attempt finds out */
    parent = now.kind == SELVI_BUFFER ? now.object.mem : NULL;
    cl_uint before = parent ? references(parent) : 0;
    selv_status st = make(s, &now, need, &made);
    if (st)
        return st;
    selvi_lock(s);
    selvi_allocation *x = selvi_allocation_at(&s->allocations, need->slot);
    bool same = x->generation == need->generation;
    st = same ? keep(s, x, need, made) : SELV_OK;
    if (same && !st && parent)
        x->extras->counted = references(parent) > before;
    selvi_unlock(s);
    if (!same || st)
        clReleaseMemObject(made);
    return st;
}

selv_status selvi_sub_buffers_drop(selv_scheduler *s, uint32_t slot)
{
    selvi_allocation *x = selvi_allocation_at(&s->allocations, slot);
    selv_status st = SELV_OK;
    while (!st && x->extras && x->extras->cached_count)
        st = drop_one(s, x, x->extras->cached_count - 1);
    return st;
}

/* Where the driver does not count sub-buffers (NVIDIA 580) nobody can tell, and they stay until the parent is given to
 * selv_release or the scheduler closes. Giving them back early crashed that driver. */
static bool only_ours(const selvi_allocation *x)
{
    if (x->kind != SELVI_BUFFER || !x->extras || !x->extras->cached_count)
        return false;
    return x->extras->counted && references(x->object.mem) <= x->extras->cached_count;
}

bool selvi_sub_buffers_tidy(selv_scheduler *s, size_t most)
{
    size_t count = s->allocations.count, dropped = 0;
    size_t look = most && most < count ? most : count;
    for (size_t i = 0; i < look; i++) {
        uint32_t slot = (uint32_t)(s->tidy_next++ % count);
        if (only_ours(selvi_allocation_at(&s->allocations, slot)))
            dropped += !selvi_sub_buffers_drop(s, slot);
    }
    return dropped;
}
