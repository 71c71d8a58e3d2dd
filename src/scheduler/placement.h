/* On which lane a task goes (DESIGN section 7). */
#ifndef SELVI_SCHEDULER_PLACEMENT_H
#define SELVI_SCHEDULER_PLACEMENT_H

#include "scheduler/lanes.h"

typedef struct selvi_wish {
    int device;
    uint32_t last_writer;          /* lane that last wrote what the task writes, 0: none */
    const selvi_epoch *candidates; /* what the task depends on and what is not complete, one for each lane; */
    size_t count, needed;          /* the first of them are not implied by others: waits.h */
    bool one_producer;             /* all of it is one task */
} selvi_wish;

/* NULL: there is no lane for it. Then one has to be made of the kind that selvi_placement_kind says. */
selvi_lane *selvi_placement_choose(selvi_lanes *lanes, const selvi_wish *wish);
selvi_lane_kind selvi_placement_kind(const selvi_lanes *lanes, const selvi_wish *wish);

/* A quarantine lane with nothing in flight, or NULL. */
selvi_lane *selvi_placement_alone(selvi_lanes *lanes, int device);

/* A lane for an adopted event: a foreign one with nothing in flight, or NULL. */
selvi_lane *selvi_placement_foreign(selvi_lanes *lanes);

#endif
