#include "base/memory.h"

#include "base/status.h"

#include <stdlib.h>

void *selvi_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p)
        selvi_fail_memory(bytes);
    return p;
}

void selvi_free(void *p)
{
    free(p);
}

char *selvi_copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = selvi_alloc(bytes);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

static size_t doubled(size_t capacity, size_t need)
{
    size_t grown = capacity ? capacity : 4;
    while (grown < need)
        grown *= 2;
    return grown;
}

selv_status selvi_grow(void *array, size_t *capacity, size_t need, size_t element_bytes)
{
    if (need <= *capacity)
        return SELV_OK;
    if (need > SIZE_MAX / 2 / element_bytes)
        return selvi_fail_memory(SIZE_MAX);
    void *old, *grown;
    size_t count = doubled(*capacity, need);
    memcpy(&old, array, sizeof old);
    grown = realloc(old, count * element_bytes);
    if (!grown)
        return selvi_fail_memory(count * element_bytes);
    memset((char *)grown + *capacity * element_bytes, 0, (count - *capacity) * element_bytes);
    memcpy(array, &grown, sizeof grown);
    *capacity = count;
    return SELV_OK;
}
