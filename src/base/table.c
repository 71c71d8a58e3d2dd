#include "base/table.h"

#include "base/memory.h"
#include "base/status.h"

/* Without this uthash ends the program when memory runs out. With it, a row that could not be added has no hh.tbl. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(row) (void)(row)
#define uthash_malloc(bytes) selvi_alloc(bytes)
#define uthash_free(block, bytes) selvi_free(block)
#include <uthash.h>

struct selvi_table_row {
    uint64_t key, value;
    UT_hash_handle hh;
};

static struct selvi_table_row *find(const selvi_table *t, uint64_t key)
{
    struct selvi_table_row *row;
    HASH_FIND(hh, t->rows, &key, sizeof key, row);
    return row;
}

static selv_status add(selvi_table *t, uint64_t key, uint64_t value)
{
    struct selvi_table_row *row = selvi_alloc(sizeof *row);
    if (!row)
        return CL_OUT_OF_HOST_MEMORY;
    row->key = key;
    row->value = value;
    HASH_ADD(hh, t->rows, key, sizeof row->key, row);
    if (row->hh.tbl)
        return SELV_OK;
    selvi_free(row);
    return selvi_fail_memory(sizeof *row);
}

selv_status selvi_table_put(selvi_table *t, uint64_t key, uint64_t value)
{
    struct selvi_table_row *row = find(t, key);
    if (!row)
        return add(t, key, value);
    row->value = value;
    return SELV_OK;
}

bool selvi_table_get(const selvi_table *t, uint64_t key, uint64_t *out)
{
    struct selvi_table_row *row = find(t, key);
    if (row)
        *out = row->value;
    return row != NULL;
}

bool selvi_table_remove(selvi_table *t, uint64_t key)
{
    struct selvi_table_row *row = find(t, key);
    if (!row)
        return false;
    HASH_DEL(t->rows, row);
    selvi_free(row);
    return true;
}

size_t selvi_table_count(const selvi_table *t)
{
    return HASH_COUNT(t->rows);
}

void selvi_table_destroy(selvi_table *t)
{
    struct selvi_table_row *row, *next;
    HASH_ITER(hh, t->rows, row, next)
    {
        HASH_DEL(t->rows, row);
        selvi_free(row);
    }
}
