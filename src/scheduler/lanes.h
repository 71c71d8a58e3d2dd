/* Lanes: in-order queues, and what is in flight on each.
 *
 *   position   1 .. done | done+1 .............. tail |
 *              retired   | flights, oldest first      |   one flight for each position, in a ring
 *   flushed    anywhere up to tail                        tasks rise with positions, and so do failures
 *   complete   as done, until the first failure; it stays where it was then
 *
 * Four kinds. ORDINARY lanes run the work. A QUARANTINE lane takes only a chain of tasks behind unfinished foreign
 * events, so that their failure cannot spread to others over the queue's order. A FOREIGN lane has no queue: its
 * flights are events adopted from elsewhere, one at a time. Lane 0 is the lane of tasks that NEVER ran: all of its
 * positions have failed. A lane that has seen a failure takes nothing more, for some drivers fail everything behind a
 * failed command; its number is never used again.           */
#ifndef SELVI_SCHEDULER_LANES_H
#define SELVI_SCHEDULER_LANES_H

#include "tracking/clock.h"

typedef enum selvi_lane_kind {
    SELVI_LANE_NEVER,
    SELVI_LANE_ORDINARY,
    SELVI_LANE_QUARANTINE,
    SELVI_LANE_FOREIGN
} selvi_lane_kind;

typedef struct selvi_flight { /* a task that is not yet known to be complete */
    cl_event event;
    selv_task task;
    const char *name;   /* interned: failure.c */
    selvi_clock before; /* snapshot of what comes before this task */
    selvi_epoch *needs; /* the tasks it has a hazard with: they tell why it failed */
    size_t need_count, need_room;
} selvi_flight;

typedef struct selvi_lane_failure {
    uint64_t position;
    uint32_t cause; /* failure.h */
} selvi_lane_failure;

typedef struct selvi_lane {
    uint32_t number;
    uint8_t kind;
    bool dead;  /* has seen a failure: takes nothing more */
    bool stuck; /* a command may stay in the queue for ever (PoCL, behind an event that had failed before): the queue is
                   never released */
    int device; /* index; -1: none */
    cl_command_queue queue;
    uint64_t tail, done, flushed; /* positions: last submitted, last retired, last flushed */
    selvi_clock clock;            /* what comes before the next task of this lane, its own tail included */
    selvi_flight *ring;           /* position p stands at p & (room - 1) */
    size_t room;
    selvi_lane_failure *failed; /* rising positions */
    size_t failed_count, failed_room;
} selvi_lane;

enum { SELVI_FAILED_EVENTS_KEPT = 64 };

typedef struct selvi_lanes {
    selvi_lane **at; /* by number; a lane never moves */
    size_t count, room;
    uint64_t *complete; /* the horizon: by number */
    size_t complete_room;
    size_t running;               /* flights that count towards the limit: not those behind foreign events */
    size_t events;                /* live ones: in rings, in the trash, among failed_events */
    size_t next_poll, next_place; /* where to begin looking */
    cl_event *trash;              /* to be released once the lock is given back */
    size_t trash_count, trash_room;
    /* Of the last failed commands, released only after many more. PoCL 3.1: the thread that completes one event of a
       wait list may still look at the waiting command while another thread sees that fail and releases it; PoCL then
       aborts the program (EINVAL in pocl_lock_events_inorder). Eight threads, each with a fill, a user event that
       fails, and a command that waits for both, show it at once without this library. */
    cl_event failed_events[SELVI_FAILED_EVENTS_KEPT];
    size_t failed_events_next;
    cl_command_queue *old_queues; /* of lanes that are dead and drained: released like the trash */
    size_t old_queue_count, old_queue_room;
} selvi_lanes;

selvi_horizon selvi_lanes_horizon(const selvi_lanes *l);
selvi_lane *selvi_lane_at(const selvi_lanes *l, uint32_t number);
selvi_flight *selvi_lane_flight(const selvi_lane *lane, uint64_t position); /* in flight only */
size_t selvi_lane_backlog(const selvi_lane *lane);
bool selvi_lane_open(const selvi_lane *lane); /* takes tasks */

/* A new lane; takes over the queue (NULL for FOREIGN and NEVER), which stays the caller's if this fails. */
selv_status selvi_lanes_add(selvi_lanes *l, selvi_lane_kind kind, int device, cl_command_queue queue, selvi_lane **out);
void selvi_lanes_destroy(selvi_lanes *l); /* releases queues and events: everything has to be complete */

/* In flight and behind a foreign event that is not finished. */
bool selvi_lanes_gated(const selvi_lanes *l, selvi_epoch e);
/* The first foreign event before e that is not finished, or a zero epoch. */
selvi_epoch selvi_lanes_gate(const selvi_lanes *l, selvi_epoch e);

/* Complete, whether it failed or not. */
bool selvi_lanes_retired(const selvi_lanes *l, selvi_epoch e);
/* 0: did not fail (as far as known). accumulated: then anything at or before e on its lane counts, since a later
 * accumulator stands for the earlier ones. */
uint32_t selvi_lanes_cause(const selvi_lanes *l, selvi_epoch e, bool accumulated);

/* Room for one more task on the lane with a clock of so many entries and so many needs; then the commit, which cannot
 * fail. The flight takes over the event. */
selv_status selvi_lane_reserve(selvi_lanes *l, selvi_lane *lane, const selvi_clock *before, size_t needs);
uint64_t selvi_lane_commit(selvi_lanes *l, selvi_lane *lane, const selvi_clock *before, cl_event event, selv_task task,
                           const char *name, const selvi_epoch *needs, size_t need_count);

/* The oldest flight is complete, or has failed (retire.c: selvi_lane_fail comes first then). Its event goes to the
 * trash. */
void selvi_lane_advance(selvi_lanes *l, selvi_lane *lane);
/* The lane takes nothing more from then on, unless it is lane 0. Cannot fail after the task's reserve. */
selv_status selvi_lane_fail(selvi_lane *lane, uint64_t position, uint32_t cause);

void selvi_lanes_check(const selvi_lanes *l); /* asserts the picture above */

#endif
