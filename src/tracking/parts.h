/* The parts of one allocation: who wrote and who read which bytes last.
 *
 *  begin                                        end
 *    |--- part ---|--- part ---|---- part ----|      sorted, no gap, no overlap, none empty,
 *    | W R A      | (untouched)| W R A        |      equal neighbours merged, except where a reserved access
 *                                                    begins or ends
 *
 * A part's state is three clocks: the last writers W, the readers since R, the accumulators since A.
 *      read        waits for W, A          then R is raised
 *      write       waits for W, R, A       then W is this task alone, R and A are empty
 *      read-write  as write, and reads
 *      accumulate  waits for W, R          then A is raised; the other accumulators are reported too, as hazards
 *                                          that commute
 *
 * Cost: O(log parts + touched parts). Nothing here knows tasks, events or OpenCL. */
#ifndef SELVI_TRACKING_PARTS_H
#define SELVI_TRACKING_PARTS_H

#include "tracking/access.h"
#include "tracking/clock.h"
#include "tracking/tree.h"

typedef enum selvi_hazard_kind {
    SELVI_RAW = 1, /* the producer wrote (or accumulated), this task reads: read, read-write or accumulate */
    SELVI_WAR = 2, /* the producer read, this task writes or accumulates */
    SELVI_WAW = 3  /* the producer wrote or accumulated, this task writes without reading */
} selvi_hazard_kind;

typedef struct selvi_hazard {
    selvi_epoch producer;
    uint8_t kind;
    bool commutes;       /* both accumulate: an order is needed only between devices */
    bool accumulated;    /* the producer is one of the part's accumulators */
    uint32_t access;     /* index in the task's accesses */
    uint64_t begin, end; /* the bytes both touch */
} selvi_hazard;

typedef struct selvi_hazards { /* a growing array; zeroed is empty */
    selvi_hazard *at;
    size_t count, capacity;
} selvi_hazards;

void selvi_hazards_clear(selvi_hazards *list);
void selvi_hazards_destroy(selvi_hazards *list);

typedef struct selvi_parts { /* 40 bytes; each part but an untouched only one has a node of 112 */
    uint64_t begin, end;
    selvi_tree_node *root; /* NULL: all untouched */
    size_t count;          /* parts, 1 at least */
    size_t pruned_at;      /* how many parts the last full prune left */
} selvi_parts;

void selvi_parts_init(selvi_parts *p, uint64_t begin, uint64_t end);
void selvi_parts_destroy(selvi_parts *p); /* a zeroed one may be destroyed */

/* What this access would have to wait for, appended to `out` in no particular order. Each hazard has exact bytes: those
   of one (producer, kind) in neighbouring parts are one hazard; where other parts lie between, there are several.
   Entries at or below the horizon are left out; h NULL: nothing is known to be complete. Changes nothing in p. `index`
   goes to hazard.access. The caller has checked the bounds (SELV_INTERNAL). On failure `out` is as it was. */
selv_status selvi_parts_query(const selvi_parts *p, const selvi_access *a, uint32_t index, const selvi_horizon *h,
                              selvi_hazards *out);

/* Everything that apply may need: splits and room in clocks. It may be called for several disjoint accesses before they
   are all applied. Changes nothing that a query could see. A failed reserve has undone itself; when the task is given
   up, call selvi_parts_undo for each access that was reserved (for others it does no harm). */
selv_status selvi_parts_reserve(selvi_parts *p, const selvi_access *a);
void selvi_parts_undo(selvi_parts *p, const selvi_access *a);

/* The task at epoch e makes the access. Cannot fail after reserve. Touched parts forget what h covers, and equal
   neighbours are merged. SELV_NONE changes nothing. h may be NULL. */
void selvi_parts_apply(selvi_parts *p, const selvi_access *a, selvi_epoch e, const selvi_horizon *h);

/* Forgets everything complete and merges. selvi_parts_apply calls it by itself when the parts have doubled since
   the last time (amortized O(1)). */
void selvi_parts_prune(selvi_parts *p, const selvi_horizon *h);

/* Joins every entry of every part that h does not cover into `out`: what must be complete before the memory may go. */
selv_status selvi_parts_clock(const selvi_parts *p, const selvi_horizon *h, selvi_clock *out);

void selvi_parts_check(const selvi_parts *p); /* asserts the picture above */

/* For every part that touches [begin, end), in order: its range and its three clocks. */
typedef void (*selvi_parts_visit)(void *user, uint64_t begin, uint64_t end, const selvi_clock *writers,
                                  const selvi_clock *readers, const selvi_clock *accumulators);
void selvi_parts_each(const selvi_parts *p, uint64_t begin, uint64_t end, selvi_parts_visit visit, void *user);

#endif
