/* What a task does to memory, and the merging of what its several arguments say (DESIGN 3.3). */
#ifndef SELVI_TRACKING_ACCESS_H
#define SELVI_TRACKING_ACCESS_H

#include "selvedge/selvedge.h"

enum selvi_access_flag {
    SELVI_ACCESS_ASSUMED = 1,    /* the mode was assumed, not known: read-write for want of better */
    SELVI_ACCESS_OVERWRITES = 2, /* the user promises that the whole part is overwritten: ends a failure */
    SELVI_ACCESS_HULL = 4,       /* the range is the hull of more ranges than the bound */
    SELVI_ACCESS_SUB_BUFFER = 8, /* made through a sub-buffer of exactly this range */
    SELVI_ACCESS_MERGED = 16     /* several arguments of the task name these bytes */
};

typedef struct selvi_access {
    uint32_t allocation, generation; /* slot in the scheduler's table of allocations */
    uint64_t begin, end;             /* bytes, end excluded; never empty */
    uint16_t argument;               /* which argument says so (the first, where several do) */
    uint8_t mode;                    /* selv_mode */
    uint8_t flags;
} selvi_access;

typedef struct selvi_accesses { /* a growing array; zeroed is empty */
    selvi_access *at;
    size_t count, capacity;
} selvi_accesses;

selv_status selvi_accesses_add(selvi_accesses *list, selvi_access a); /* SELV_INVALID if empty */

/* `rows` ranges of `bytes`, `pitch` apart, beginning at a.begin (a.end is not looked at), as a set of ranges: rows that
   touch or overlap are exactly one; beyond SELVI_MOST_ROWS the others become their hull, flagged. */
enum { SELVI_MOST_ROWS = 256 };
selv_status selvi_accesses_add_rows(selvi_accesses *list, selvi_access a, uint64_t bytes, uint64_t rows,
                                    uint64_t pitch);

/* Sorts by allocation and begin, makes the ranges of one allocation disjoint, and merges modes where several arguments
   name the same bytes: equal modes stay (two that only write still read nothing), anything else is read-write; in
   whatever order they stand. Drops SELV_NONE. Flags of merged bytes: OVERWRITES survives where all say so and none
   reads, ASSUMED where all say so, HULL where any does, SUB_BUFFER where all say so of exactly this range; MERGED is
   added. Neighbours with equal mode, flags and argument become one, except sub-buffers. On failure the list is as it
   was. */
selv_status selvi_accesses_normalise(selvi_accesses *list);

void selvi_accesses_clear(selvi_accesses *list);
void selvi_accesses_destroy(selvi_accesses *list);

bool selvi_mode_writes(selv_mode m); /* write, read-write, accumulate */

#endif
