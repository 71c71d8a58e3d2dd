/* One recorded task, and the reasons for which it came after others. Inside this folder only. */
#ifndef SELVI_GRAPH_RECORD_H
#define SELVI_GRAPH_RECORD_H

#include "graph/known.h"
#include "graph/names.h"
#include "graph/recorder.h"

/* One side of a hazard. */
typedef struct selvi_side {
    const char *argument_name; /* "": none */
    uint16_t argument;         /* or SELVI_NO_ARGUMENT */
    uint8_t mode, flags;       /* selv_mode, selvi_access_flag */
} selvi_side;

typedef struct selvi_record_access {
    uint64_t allocation, begin, end;
    selvi_side side;
} selvi_record_access;

/* All bytes by which two tasks meet in one allocation, with one kind of hazard and one argument on each side. */
typedef struct selvi_reason {
    uint64_t from; /* place of the producer in the recording */
    uint64_t allocation, begin, end;
    selvi_side from_side, to_side;
    uint32_t ranges; /* more than 1: [begin, end) is their hull */
    uint8_t kind, fate;
} selvi_reason;

typedef struct selvi_reasons { /* a growing array; zeroed is empty */
    selvi_reason *at;
    size_t count, capacity;
} selvi_reasons;

typedef struct selvi_record {
    selv_task task;
    const char *kind, *name;
    char *why; /* it failed, or NULL */
    selvi_epoch epoch;
    int device;
    bool failed, not_run;
    size_t access_count, wait_count;
    selvi_record_access *accesses;
    selvi_epoch *waits;
    selvi_reasons reasons; /* ordered by from, allocation, kind and sides */
} selvi_record;

/*  place       0 ... first ........ next            forgotten | kept | to come
 *  slot        place % most_tasks                   lane of the recorder's own tracking
 *  generation  place / most_tasks + 1               position in this lane
 * A slot is used again only when its task is forgotten, so a lane never holds two kept tasks, and the number of lanes
 * is bounded. complete[slot] is the last generation that is forgotten: the horizon. */
struct selvi_recorder {
    uint64_t first, next;
    size_t most_tasks, most_items; /* an item is an access or a reason */
    size_t items, items_at_sweep;
    uint64_t swept; /* how far `next` was */
    selvi_record *slots;
    uint64_t *complete;
    size_t slot_capacity, complete_capacity;
    selvi_record pending; /* reserved, not yet told */
    bool is_pending;
    selvi_known allocations;
    selvi_names names;
    selvi_hazards hazards; /* scratch */
};

const selvi_record *selvi_recorder_at(const selvi_recorder *r, uint64_t place); /* first <= place < next */

/* Place of a kept task. SELV_UNKNOWN_TASK, with its text, if there is none. r may be NULL. */
selv_status selvi_recorder_find(const selvi_recorder *r, selv_task task, uint64_t *place);

#endif
