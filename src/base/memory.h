/* Host memory: zeroed blocks and growing arrays. The only callers of malloc in the library. */
#ifndef SELVI_BASE_MEMORY_H
#define SELVI_BASE_MEMORY_H

#include "selvedge/selvedge.h"

/* Zeroed, or NULL with the failure's text set. */
void *selvi_alloc(size_t bytes);
void selvi_free(void *p);
char *selvi_copy_text(const char *text);

/* Makes room for `need` elements in the array at *array (a T **), doubling; the old contents stay, new room is zeroed.
   On failure array and capacity are as they were. */
selv_status selvi_grow(void *array, size_t *capacity, size_t need, size_t element_bytes);

#endif
