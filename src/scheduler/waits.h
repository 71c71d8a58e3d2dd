/* Which events must really stand in the wait list (DESIGN section 7). Pure: numbers in, numbers out. */
#ifndef SELVI_SCHEDULER_WAITS_H
#define SELVI_SCHEDULER_WAITS_H

#include "scheduler/lanes.h"

/* Of the candidates (one for each lane, none complete), moves those that come before another one behind the others:
   "before" is the snapshot at that candidate's position, never its lane's present clock. Returns how many stand in
   front, in the old order; these are needed on whatever lane the task goes to, unless its clock has them. */
size_t selvi_waits_needed(const selvi_lanes *lanes, selvi_epoch *candidates, size_t count);

/* Drops from these what the lane's own clock has. What is left, in the old order, is minimal; returns how many. */
size_t selvi_waits_on_lane(const selvi_lane *lane, selvi_epoch *needed, size_t count);

/* What comes before a task on that lane with those waits: the lane's clock, the waits and what comes before them,
 * without what is complete. */
selv_status selvi_waits_clock(const selvi_lanes *lanes, const selvi_lane *lane, const selvi_epoch *waits, size_t count,
                              selvi_clock *out);

#endif
