#include "scheduler/resolve.h"

#include "base/status.h"
#include "scheduler/retire.h"

#include <inttypes.h>
#include <stdio.h>

bool selvi_has_part(const selv_arg *arg)
{
    return arg->flags & (SELVI_PART | SELVI_WITHIN | SELVI_STRIDED);
}

static selv_status check_flags(const selv_arg *arg)
{
    if (arg->flags & SELVI_CONFLICT)
        return selvi_fail(SELV_INVALID,
                          "annotations that contradict each other, such as selv_in(selv_out(x)): leave one");
    if (arg->flags & SELVI_OUTSIDE)
        return selvi_fail(SELV_OUT_OF_RANGE,
                          "a part of a part reaches outside the part it is taken from (or its size overflows)");
    return SELV_OK;
}

/* --- cl_mem --- */

/* Where no destructor callback comes, or only late, the handle may be another object's by now: ask again. */
static bool still_the_same(selv_scheduler *s, const selvi_view *v)
{
    selvi_memobj now;
    if (selvi_allocation_at(&s->allocations, v->slot)->generation != v->generation)
        return false;
    return !selvi_memobj_read(v->mem, s->devices.context, &now) && now.offset == v->begin && now.bytes == v->bytes &&
           now.root == selvi_allocation_at(&s->allocations, v->slot)->object.mem;
}

static bool is_in_doubt(selv_scheduler *s, const selvi_view *v)
{
    return v->unwatched || s->devices.calls_back_late ||
           selvi_allocation_at(&s->allocations, v->slot)->generation != v->generation;
}

static selvi_view *find_view(selv_scheduler *s, cl_mem m)
{
    selvi_view *v = selvi_view_find(&s->allocations, m);
    uint64_t index;
    if (!v || v->released || !is_in_doubt(s, v))
        return v;
    if (still_the_same(s, v) && !selvi_view_watch_again(&s->allocations, s, v))
        return v;
    if (selvi_table_get(&s->allocations.by_handle, (uintptr_t)m, &index))
        selvi_forget_view(s, (uint32_t)index, v->watch);
    return NULL;
}

static selv_status released(selv_scheduler *s, const selvi_view *v)
{
    char text[128];
    selvi_allocation_text(selvi_allocation_at(&s->allocations, v->slot), text, sizeof text);
    return selvi_fail(
        SELV_RELEASED,
        "%s was given to selv_release before this call: release it after the last call that names it (and give "
        "references of your own back with clReleaseMemObject)",
        text);
}

static selv_status resolve_mem(selv_scheduler *s, selvi_task *t, cl_mem m, selvi_place *out)
{
    if (!m)
        return selvi_fail(
            SELV_INVALID,
            "a NULL cl_mem: expected a buffer or an image (was it made? For a null pointer pass NULL itself)");
    selvi_view *v = find_view(s, m);
    if (!v)
        return selvi_need_view(t, m);
    if (v->released)
        return released(s, v);
    *out = (selvi_place){v->slot, v, v->begin, v->bytes, v->begin, v->bytes};
    return SELV_OK;
}

/* --- addresses --- */

static selv_status unknown_pointer(selv_scheduler *s, const void *p)
{
    selvi_address_range before;
    if (selvi_allocations_was_freed(&s->allocations, p))
        return selvi_fail(SELV_RELEASED,
                          "address %p is inside an SVM block that was freed or untracked before this call", p);
    if (selvi_allocations_lookup(&s->allocations, (const char *)p - 1, &before))
        return selvi_fail(SELV_UNKNOWN_POINTER,
                          "address %p is one past the end of an SVM block of %" PRIu64
                          " bytes: pass an address inside it",
                          p, before.end - before.begin);
    return selvi_fail(SELV_UNKNOWN_POINTER,
                      "no allocation is known at address %p: pass memory of selv_svm, announce SVM of your own with "
                      "selv_track, or copy host "
                      "memory with selv_write or selv_copy first",
                      p);
}

static selv_status resolve_pointer(selv_scheduler *s, const void *p, bool host_too, selvi_place *out)
{
    selvi_address_range r;
    if (!p)
        return selvi_fail(SELV_INVALID, "a NULL pointer: expected memory");
    if (selvi_allocations_lookup(&s->allocations, p, &r)) {
        const selvi_allocation *x = selvi_allocation_at(&s->allocations, (uint32_t)r.value);
        if (x->kind == SELVI_SVM) {
            uint64_t at = (uintptr_t)p - r.begin;
            *out = (selvi_place){(uint32_t)r.value, NULL, at, x->bytes - at, 0, x->bytes};
            return SELV_OK;
        }
        if (!host_too)
            return selvi_fail(SELV_ARGUMENT_KIND,
                              "address %p is where a buffer is mapped for the host: pass the cl_mem, after selv_unmap",
                              p);
    }
    if (!host_too)
        return unknown_pointer(s, p);
    *out = (selvi_place){SELVI_HOST_SLOT, NULL, (uintptr_t)p, UINT64_MAX - (uintptr_t)p, (uintptr_t)p, 0};
    return SELV_OK;
}

selv_status selvi_resolve(selv_scheduler *s, selvi_task *t, const selv_arg *arg, bool host_too, selvi_place *out)
{
    selv_status st = check_flags(arg);
    if (st)
        return st;
    if (arg->kind == SELVI_MEM)
        return resolve_mem(s, t, (cl_mem)arg->pointer, out);
    if (arg->kind == SELVI_POINTER)
        return resolve_pointer(s, arg->pointer, host_too, out);
    return selvi_fail(SELV_ARGUMENT_KIND, "a value stands where memory is meant: expected a cl_mem or a pointer");
}

/* --- ranges --- */

static selv_status outside(selv_scheduler *s, const selvi_place *p, uint64_t offset, uint64_t length)
{
    char text[128];
    selvi_allocation_text(selvi_allocation_at(&s->allocations, p->slot), text, sizeof text);
    return selvi_fail(SELV_OUT_OF_RANGE,
                      "bytes [%" PRIu64 ", %" PRIu64
                      ") reach outside %s: from where the argument stands there are %" PRIu64,
                      offset, offset + length, text, p->bytes);
}

static uint64_t annotated_length(const selv_arg *arg)
{
    if (arg->rows < 2)
        return arg->bytes;
    return (uint64_t)(arg->rows - 1) * arg->pitch + arg->bytes;
}

selv_status selvi_resolve_range(selv_scheduler *s, const selv_arg *arg, const selvi_place *p, size_t bytes,
                                uint64_t *begin, uint64_t *length)
{
    bool part = selvi_has_part(arg);
    uint64_t offset = part ? arg->offset : 0;
    if (!part && bytes == SIZE_MAX) {
        *begin = p->whole_begin;
        *length = p->whole_bytes;
    } else {
        *begin = p->begin + offset;
        *length = bytes == SIZE_MAX ? annotated_length(arg) : bytes;
        if (part && bytes != SIZE_MAX && bytes > annotated_length(arg))
            return selvi_fail(SELV_OUT_OF_RANGE, "%zu bytes are asked for, and the part has %" PRIu64, bytes,
                              annotated_length(arg));
        if (offset > p->bytes || *length > p->bytes - offset)
            return outside(s, p, offset, *length);
    }
    if (p->view && p->view->shape && part && (offset || *length != p->bytes))
        return selvi_fail(SELV_UNSUPPORTED, "a part of an image: images are passed and copied whole");
    return *length ? SELV_OK : selvi_fail(SELV_INVALID, "a part or copy of 0 bytes: expected 1 or more");
}

selv_status selvi_check_bytes(size_t bytes)
{
    if (bytes == SIZE_MAX)
        return selvi_fail(SELV_OUT_OF_RANGE, "%zu bytes: no memory has so many", bytes);
    return bytes ? SELV_OK : selvi_fail(SELV_INVALID, "0 bytes; expected 1 or more");
}

static selv_mode said_mode(const selv_arg *arg, selv_mode found)
{
    return arg->flags & SELVI_HAS_MODE ? (selv_mode)arg->mode : found;
}

static unsigned said_flags(const selv_arg *arg, unsigned found)
{
    if (!(arg->flags & SELVI_HAS_MODE))
        return found;
    return (found & SELVI_ACCESS_SUB_BUFFER) | (arg->mode == SELV_WRITE ? SELVI_ACCESS_OVERWRITES : 0u);
}

/* SELV_ORDER_DISJOINT_PARTS: every access to a buffer is one to all of it. A write of a part then promises nothing
 * about the rest. */
static void widen(const selv_scheduler *s, const selvi_allocation *x, selvi_access *a)
{
    if (!(s->flags & SELV_ORDER_DISJOINT_PARTS) || x->kind != SELVI_BUFFER || (a->begin == 0 && a->end == x->bytes))
        return;
    a->begin = 0;
    a->end = x->bytes;
    a->flags &= (uint8_t)~SELVI_ACCESS_OVERWRITES;
}

selv_status selvi_resolve_access(selv_scheduler *s, selvi_accesses *list, const selv_arg *arg, const selvi_place *p,
                                 size_t bytes, selv_mode mode, unsigned flags, uint16_t argument)
{
    uint64_t begin, length;
    selv_status st = selvi_resolve_range(s, arg, p, bytes, &begin, &length);
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, p->slot);
    if (st || (arg->flags & SELVI_UNTRACKED))
        return st;
    selvi_access a = {p->slot,
                      x->generation,
                      begin,
                      begin + length,
                      argument,
                      (uint8_t)said_mode(arg, mode),
                      (uint8_t)said_flags(arg, flags)};
    widen(s, x, &a);
    if ((arg->flags & SELVI_STRIDED) && arg->rows > 1 && bytes == SIZE_MAX)
        return selvi_accesses_add_rows(list, a, arg->bytes, arg->rows, arg->pitch);
    return selvi_accesses_add(list, a);
}

selv_status selvi_resolve_x(selv_scheduler *s, selvi_task *t, const selv_arg *arg, selv_mode mode, uint16_t argument,
                            selvi_place *out)
{
    selv_status st = selvi_resolve(s, t, arg, true, out);
    if (st)
        return st;
    if (out->slot == SELVI_HOST_SLOT && !selvi_has_part(arg) &&
        selvi_allocations_was_freed(&s->allocations, arg->pointer))
        return unknown_pointer(s, arg->pointer);
    if (out->slot == SELVI_HOST_SLOT && !selvi_has_part(arg))
        return selvi_fail(SELV_UNKNOWN_POINTER,
                          "address %p is in no known allocation: plain host memory is named with its size, "
                          "selv_part(p, 0, bytes); SVM of your own "
                          "is announced with selv_track",
                          arg->pointer);
    return selvi_resolve_access(s, &s->scratch.accesses, arg, out, SIZE_MAX, mode, 0, argument);
}
