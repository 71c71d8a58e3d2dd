/* A hash table from a 64-bit key (a handle, an address, a number) to a 64-bit value.
   uthash is wrapped here and nowhere else. */
#ifndef SELVI_BASE_TABLE_H
#define SELVI_BASE_TABLE_H

#include "selvedge/selvedge.h"

typedef struct selvi_table {
    struct selvi_table_row *rows; /* uthash's head; NULL: empty */
} selvi_table;

/* Replaces the value of a key that is there already. */
selv_status selvi_table_put(selvi_table *t, uint64_t key, uint64_t value);
bool selvi_table_get(const selvi_table *t, uint64_t key, uint64_t *out);
bool selvi_table_remove(selvi_table *t, uint64_t key);
size_t selvi_table_count(const selvi_table *t);
void selvi_table_destroy(selvi_table *t);

#endif
