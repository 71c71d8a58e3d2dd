#include "tracking/addresses.h"

#include "base/memory.h"
#include "base/status.h"
#include "tracking/check.h"

typedef struct range_node {
    selvi_tree_node node; /* key: where the range begins */
    uint64_t end, value;
} range_node;

static range_node *as_range(selvi_tree_node *n)
{
    return (range_node *)n;
}

static void destroy_range(selvi_tree_node *n)
{
    selvi_free(as_range(n));
}

static bool tell(const range_node *n, selvi_address_range *out)
{
    if (n && out)
        *out = (selvi_address_range){n->node.key, n->end, n->value};
    return n != NULL;
}

static range_node *holding(const selvi_addresses *m, uint64_t address)
{
    range_node *n = as_range(selvi_tree_floor(m->root, address));
    return n && address < n->end ? n : NULL;
}

static range_node *first_in(const selvi_addresses *m, uint64_t begin, uint64_t end)
{
    range_node *n = as_range(selvi_tree_floor(m->root, begin));
    if (begin >= end || (n && begin < n->end))
        return begin < end ? n : NULL;
    n = as_range(n ? selvi_tree_next(&n->node) : selvi_tree_first(m->root));
    return n && n->node.key < end ? n : NULL;
}

static selv_status check_free(const selvi_addresses *m, const selvi_address_range *r)
{
    if (r->begin >= r->end)
        return selvi_fail(SELV_INVALID, "the address range [0x%llx, 0x%llx) is empty: it must hold at least one byte",
                          (unsigned long long)r->begin, (unsigned long long)r->end);
    const range_node *other = first_in(m, r->begin, r->end);
    if (other)
        return selvi_fail(SELV_INVALID,
                          "the address range [0x%llx, 0x%llx) overlaps [0x%llx, 0x%llx), which is known already: "
                          "remove that one first, or name a part of it",
                          (unsigned long long)r->begin, (unsigned long long)r->end, (unsigned long long)other->node.key,
                          (unsigned long long)other->end);
    return SELV_OK;
}

selv_status selvi_addresses_add(selvi_addresses *m, selvi_address_range r)
{
    selv_status st = check_free(m, &r);
    if (st)
        return st;
    range_node *n = selvi_alloc(sizeof *n);
    if (!n)
        return CL_OUT_OF_HOST_MEMORY;
    n->node.key = r.begin;
    n->end = r.end;
    n->value = r.value;
    selvi_tree_insert(&m->root, &n->node);
    m->count++;
    return SELV_OK;
}

bool selvi_addresses_find(const selvi_addresses *m, uint64_t address, selvi_address_range *out)
{
    return tell(holding(m, address), out);
}

bool selvi_addresses_first_in(const selvi_addresses *m, uint64_t begin, uint64_t end, selvi_address_range *out)
{
    return tell(first_in(m, begin, end), out);
}

bool selvi_addresses_remove(selvi_addresses *m, uint64_t begin, selvi_address_range *out)
{
    range_node *n = holding(m, begin);
    if (!n || n->node.key != begin)
        return false;
    tell(n, out);
    selvi_tree_remove(&m->root, &n->node);
    destroy_range(&n->node);
    m->count--;
    return true;
}

void selvi_addresses_destroy(selvi_addresses *m)
{
    selvi_tree_destroy(&m->root, destroy_range);
    memset(m, 0, sizeof *m);
}

void selvi_addresses_check(const selvi_addresses *m)
{
    uint64_t behind = 0; /* the end of the range before */
    assert(selvi_tree_check(m->root) == m->count);
    for (selvi_tree_node *n = selvi_tree_first(m->root); n; n = selvi_tree_next(n)) {
        assert(behind <= n->key && n->key < as_range(n)->end);
        behind = as_range(n)->end;
    }
}
