/* Host memory that runs out when a test says so. The program is linked with -Wl,--wrap for calloc, realloc and malloc.
 */
#ifndef TESTS_BASE_SCARCE_H
#define TESTS_BASE_SCARCE_H

#include <stdbool.h>
#include <stddef.h>

/* So many allocations of the library still succeed, then none does; -1: all. */
extern int scarce_left;

#endif
