/* A clock: for each lane, the latest position known. Sparse: a lane that is not there stands at 0; positions begin
 * at 1.
 *
 *    lane  0   2   7          sorted by lane, each lane once, no position 0
 *    pos  41   3   9          one entry is kept inside, more in a block                                     */
#ifndef SELVI_TRACKING_CLOCK_H
#define SELVI_TRACKING_CLOCK_H

#include "selvedge/selvedge.h"

/* Names a task for ordering: 12 bytes, never dangling. */
typedef struct selvi_epoch {
    uint64_t position;
    uint32_t lane;
} __attribute__((packed, aligned(4))) selvi_epoch;

typedef struct selvi_clock {
    uint32_t count, capacity; /* capacity 0: the entry inside */
    union {
        selvi_epoch one;
        selvi_epoch *many;
    } at;
} selvi_clock;

/* For each lane, the position up to which every task is complete *and did not fail*. It only grows. A lane that has
   seen a failure stays below it for ever, so that what the failed task wrote is never forgotten. */
typedef struct selvi_horizon {
    const uint64_t *complete;
    uint32_t lanes; /* a lane beyond: 0 */
} selvi_horizon;

bool selvi_horizon_covers(const selvi_horizon *h, selvi_epoch e);

const selvi_epoch *selvi_clock_epochs(const selvi_clock *c);
uint64_t selvi_clock_get(const selvi_clock *c, uint32_t lane);
bool selvi_clock_covers(const selvi_clock *c, selvi_epoch e); /* e is at or before the clock */
bool selvi_clock_equal(const selvi_clock *a, const selvi_clock *b);

selv_status selvi_clock_reserve(selvi_clock *c, uint32_t more);         /* room for so many new lanes */
void selvi_clock_raise(selvi_clock *c, selvi_epoch e);                  /* to at least e; never fails after a reserve */
selv_status selvi_clock_join(selvi_clock *c, const selvi_clock *other); /* maximum of both; reserves for itself */
selv_status selvi_clock_copy(selvi_clock *c, const selvi_clock *from);
void selvi_clock_prune(selvi_clock *c, const selvi_horizon *h); /* forgets entries that are complete */
void selvi_clock_clear(selvi_clock *c);                         /* empty, keeps its block */
void selvi_clock_destroy(selvi_clock *c);                       /* a zeroed clock may be destroyed */
void selvi_clock_check(const selvi_clock *c);                   /* asserts the picture above */

#endif
