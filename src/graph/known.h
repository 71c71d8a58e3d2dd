/* The allocations that recorded tasks name: what they are called, and the recorder's own tracking of each.
 *
 *    index: number -> allocation        at[]: the same, in no order
 * An allocation that no kept task uses has no parts; it is dropped if it was released, or if there are too many. */
#ifndef SELVI_GRAPH_KNOWN_H
#define SELVI_GRAPH_KNOWN_H

#include "base/table.h"
#include "tracking/parts.h"

typedef struct selvi_allocation {
    uint64_t number;
    const char *kind; /* kept by the recorder's names, or a literal */
    char *name;       /* or NULL */
    uint64_t used;    /* the last task that names it, by its place in the recording */
    bool released;
    selvi_parts parts; /* of [0, UINT64_MAX): the size need not be known, and host memory is told by its addresses */
} selvi_allocation;

typedef struct selvi_known {
    selvi_table index;
    selvi_allocation **at;
    size_t count, capacity;
} selvi_known;

selvi_allocation *selvi_known_find(const selvi_known *list, uint64_t number); /* or NULL */
/* Made if need be; NULL: no room. */
selvi_allocation *selvi_known_demand(selvi_known *list, uint64_t number);

/* Forgets tasks before `first`, which h covers, and allocations that only they used. */
void selvi_known_sweep(selvi_known *list, uint64_t first, const selvi_horizon *h, size_t most);
void selvi_known_destroy(selvi_known *list);

#endif
