#include "scheduler/allocations.h"

#include "base/memory.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>

selvi_allocation *selvi_allocation_at(selvi_allocations *a, uint32_t slot)
{
    return &a->at[slot];
}

/* Room for every slot to be free at once, so that removing needs no memory. */
static selv_status new_slot(selvi_allocations *a, uint32_t *out)
{
    if (a->free_count) {
        *out = a->free_slots[--a->free_count];
        return SELV_OK;
    }
    selv_status st = selvi_grow(&a->at, &a->room, a->count + 1, sizeof *a->at);
    st = st ? st : selvi_grow(&a->free_slots, &a->free_room, a->count + 1, sizeof *a->free_slots);
    if (!st)
        *out = (uint32_t)a->count++;
    return st;
}

selv_status selvi_allocation_add(selvi_allocations *a, selvi_allocation_kind kind, uint64_t bytes, uint32_t *out)
{
    selv_status st = new_slot(a, out);
    if (st)
        return st;
    selvi_allocation *x = &a->at[*out];
    uint32_t generation = x->generation + 1;
    memset(x, 0, sizeof *x);
    selvi_parts_init(&x->parts, 0, bytes);
    x->generation = generation;
    x->number = ++a->last_number;
    x->kind = (uint8_t)kind;
    x->bytes = bytes;
    x->device = -1;
    a->live++;
    return SELV_OK;
}

static void destroy_allocation(selvi_allocation *x)
{
    selvi_parts_destroy(&x->parts);
    selvi_free(x->name);
    if (x->extras) {
        selvi_free(x->extras->mappings);
        selvi_free(x->extras->cached);
    }
    selvi_free(x->extras);
    x->name = NULL;
    x->extras = NULL;
    x->kind = SELVI_FREE_SLOT;
    x->generation++;
}

void selvi_allocation_remove(selvi_allocations *a, uint32_t slot)
{
    if (a->at[slot].kind == SELVI_FREE_SLOT)
        return;
    destroy_allocation(&a->at[slot]);
    a->free_slots[a->free_count++] = slot;
    a->live--;
}

selvi_extras *selvi_allocation_extras(selvi_allocation *x)
{
    if (!x->extras)
        x->extras = selvi_alloc(sizeof *x->extras);
    return x->extras;
}

selv_status selvi_allocations_open(selvi_allocations *a)
{
    uint32_t slot;
    return selvi_allocation_add(a, SELVI_HOST, UINT64_MAX, &slot);
}

static void free_view(selvi_view *v)
{
    if (v)
        selvi_free(v->shape);
    selvi_free(v);
}

void selvi_allocations_destroy(selvi_allocations *a)
{
    for (size_t i = 0; i < a->count; i++)
        destroy_allocation(&a->at[i]);
    for (size_t i = 0; i < a->view_count; i++)
        free_view(a->views[i]);
    selvi_table_destroy(&a->by_handle);
    selvi_table_destroy(&a->by_program);
    selvi_addresses_destroy(&a->addresses);
    selvi_free(a->at);
    selvi_free(a->free_slots);
    selvi_free(a->views);
    selvi_free(a->free_views);
}

const char *selvi_allocation_kind_name(const selvi_allocation *x)
{
    static const char *const names[] = {"freed memory", "buffer", "image", "SVM", "host memory", "program"};
    return names[x->kind];
}

void selvi_allocation_text(const selvi_allocation *x, char *out, size_t bytes)
{
    if (x->kind == SELVI_HOST)
        snprintf(out, bytes, "host memory");
    else
        snprintf(out, bytes, "%s%s%s of %" PRIu64 " bytes", selvi_allocation_kind_name(x), x->name ? " " : "",
                 x->name ? x->name : "", x->bytes);
}

selvi_access selvi_access_seen(const selvi_allocation *x, selvi_access a, int device)
{
    bool several = x->shared || (x->device >= 0 && x->device != device);
    bool distinct = (a.flags & SELVI_ACCESS_SUB_BUFFER) && !x->loose;
    if (several && !distinct && (x->kind == SELVI_BUFFER || x->kind == SELVI_IMAGE)) {
        a.begin = 0;
        a.end = x->bytes;
    }
    return a;
}

selvi_view *selvi_view_find(selvi_allocations *a, cl_mem m)
{
    uint64_t index;
    return selvi_table_get(&a->by_handle, (uintptr_t)m, &index) ? a->views[index] : NULL;
}

static selv_status new_view(selvi_allocations *a, uint32_t *out)
{
    selvi_view *v = selvi_alloc(sizeof *v);
    if (!v)
        return CL_OUT_OF_HOST_MEMORY;
    selv_status st = SELV_OK;
    if (a->free_view_count) {
        *out = a->free_views[--a->free_view_count];
    } else {
        st = selvi_grow(&a->views, &a->view_room, a->view_count + 1, sizeof *a->views);
        st = st ? st : selvi_grow(&a->free_views, &a->free_view_room, a->view_count + 1, sizeof *a->free_views);
        if (st)
            selvi_free(v);
        else
            *out = (uint32_t)a->view_count++;
    }
    if (!st)
        a->views[*out] = v;
    return st;
}

static void drop_view(selvi_allocations *a, uint32_t index)
{
    free_view(a->views[index]);
    a->views[index] = NULL;
    a->free_views[a->free_view_count++] = index;
}

static selv_status copy_shape(selvi_view *v, const selvi_memobj *info)
{
    if (!info->is_image)
        return SELV_OK;
    v->shape = selvi_alloc(sizeof *v->shape);
    if (!v->shape)
        return CL_OUT_OF_HOST_MEMORY;
    *v->shape = (selvi_shape){{info->width, info->height, info->depth}, info->element_bytes, info->tight_bytes};
    return SELV_OK;
}

static selv_status add_view(selvi_allocations *a, selv_scheduler *s, cl_mem m, const selvi_memobj *info, uint32_t slot,
                            bool unwatched)
{
    uint32_t index;
    selv_status st = new_view(a, &index);
    if (st)
        return st;
    selvi_view *v = a->views[index];
    v->mem = m;
    v->begin = info->offset;
    v->bytes = info->bytes;
    v->slot = slot;
    v->generation = a->at[slot].generation;
    v->flags = info->flags;
    v->unwatched = unwatched;
    st = copy_shape(v, info);
    st = st ? st : selvi_table_put(&a->by_handle, (uintptr_t)m, index);
    if (!st && (st = selvi_watch_begin(s, index, m, &v->watch)))
        selvi_table_remove(&a->by_handle, (uintptr_t)m);
    if (st)
        drop_view(a, index);
    return st;
}

static selv_status add_root(selvi_allocations *a, selv_scheduler *s, const selvi_memobj *root)
{
    uint32_t slot;
    selv_status st = selvi_allocation_add(a, root->is_image ? SELVI_IMAGE : SELVI_BUFFER, root->root_bytes, &slot);
    if (st)
        return st;
    a->at[slot].object.mem = root->root;
    st = add_view(a, s, root->root, root, slot, false);
    if (st)
        selvi_allocation_remove(a, slot);
    return st;
}

selv_status selvi_view_add(selvi_allocations *a, selv_scheduler *s, cl_mem m, const selvi_memobj *info,
                           bool from_buffer)
{
    if (info->root == m)
        return add_root(a, s, info);
    const selvi_view *root = selvi_view_find(a, info->root);
    return root ? add_view(a, s, m, info, root->slot, from_buffer)
                : selvi_fail(SELV_INTERNAL, "a sub-buffer was seen before its root");
}

selv_status selvi_view_watch_again(selvi_allocations *a, selv_scheduler *s, selvi_view *v)
{
    uint64_t index;
    if (!v->doubtful || !selvi_table_get(&a->by_handle, (uintptr_t)v->mem, &index))
        return SELV_OK;
    selv_status st = selvi_watch_begin(s, (uint32_t)index, v->mem, &v->watch);
    v->doubtful = st != SELV_OK;
    return st;
}

void selvi_allocations_forget_address(selvi_allocations *a, const void *p, uint32_t slot)
{
    selvi_address_range r;
    if (selvi_addresses_find(&a->addresses, (uintptr_t)p, &r) && r.value == slot)
        selvi_addresses_remove(&a->addresses, (uintptr_t)p, NULL);
}

static void forget_mapped_addresses(selvi_allocations *a, uint32_t slot)
{
    const selvi_allocation *x = &a->at[slot];
    for (size_t i = 0; x->extras && i < x->extras->mapping_count; i++)
        selvi_allocations_forget_address(a, x->extras->mappings[i].address, slot);
}

void selvi_view_remove(selvi_allocations *a, uint32_t index, uint64_t watch)
{
    selvi_view *v = index < a->view_count ? a->views[index] : NULL;
    if (!v || v->watch != watch)
        return;
    const selvi_allocation *x = &a->at[v->slot];
    uint64_t now;
    if (selvi_table_get(&a->by_handle, (uintptr_t)v->mem, &now) && now == index)
        selvi_table_remove(&a->by_handle, (uintptr_t)v->mem);
    if (x->generation == v->generation && x->object.mem == v->mem) {
        forget_mapped_addresses(a, v->slot);
        selvi_allocation_remove(a, v->slot);
    }
    drop_view(a, index);
}

bool selvi_allocations_lookup(const selvi_allocations *a, const void *p, selvi_address_range *out)
{
    return selvi_addresses_find(&a->addresses, (uintptr_t)p, out);
}

void selvi_allocations_note_freed(selvi_allocations *a, selvi_address_range range)
{
    a->freed[a->freed_next++ % 16] = range;
}

bool selvi_allocations_was_freed(const selvi_allocations *a, const void *p)
{
    for (unsigned i = 0; i < 16; i++)
        if (a->freed[i].begin <= (uintptr_t)p && (uintptr_t)p < a->freed[i].end)
            return true;
    return false;
}
