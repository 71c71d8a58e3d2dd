/* An ordered map from address ranges to numbers: interior addresses are found, one past the end is not.
 *
 *      [p, p+n) -> value     sorted, no overlap, none empty        */
#ifndef SELVI_TRACKING_ADDRESSES_H
#define SELVI_TRACKING_ADDRESSES_H

#include "tracking/tree.h"

typedef struct selvi_addresses { /* zeroed is empty */
    selvi_tree_node *root;
    size_t count;
} selvi_addresses;

typedef struct selvi_address_range {
    uint64_t begin, end, value;
} selvi_address_range;

/* SELV_INVALID if empty or overlapping; the text names both. */
selv_status selvi_addresses_add(selvi_addresses *m, selvi_address_range r);
bool selvi_addresses_find(const selvi_addresses *m, uint64_t address, selvi_address_range *out);
/* The first range that shares a byte with [begin, end). */
bool selvi_addresses_first_in(const selvi_addresses *m, uint64_t begin, uint64_t end, selvi_address_range *out);
/* Exactly the range that begins there; out may be NULL. */
bool selvi_addresses_remove(selvi_addresses *m, uint64_t begin, selvi_address_range *out);
void selvi_addresses_destroy(selvi_addresses *m);
void selvi_addresses_check(const selvi_addresses *m); /* asserts the picture above */

#endif
