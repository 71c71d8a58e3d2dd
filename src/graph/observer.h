/* What the scheduler tells whoever watches: plain facts, no pointers that outlive the call. The scheduler calls through
   this table and knows nothing of who stands behind it. All calls are made under the submission mutex, in the order of
   the tasks. */
#ifndef SELVI_GRAPH_OBSERVER_H
#define SELVI_GRAPH_OBSERVER_H

#include "tracking/access.h"
#include "tracking/clock.h"

typedef struct selvi_fact_access {
    uint64_t allocation;       /* a number that is never used again */
    uint64_t begin, end;       /* bytes; for host memory, addresses */
    uint16_t argument;         /* SELVI_NO_ARGUMENT for copies and the like: then argument_name says "source" */
    uint8_t mode, flags;       /* selv_mode, selvi_access_flag */
    const char *argument_name; /* or NULL */
} selvi_fact_access;

enum { SELVI_NO_ARGUMENT = 0xffff };

typedef struct selvi_fact_task {
    selv_task task;   /* rises from task to task */
    const char *kind; /* "launch", "copy", "fill", "read", "write", "map", "unmap", "adopted" */
    const char *name; /* the kernel's name, or the kind */
    selvi_epoch epoch;
    int device;
    bool failed; /* it was not run, since something that it needs had failed */
    size_t access_count, wait_count;
    const selvi_fact_access *accesses; /* disjoint, one mode for each range */
    const selvi_epoch *waits;          /* whose events stand in its wait list */
    selvi_horizon horizon;             /* what was known to be complete when it was submitted */
} selvi_fact_task;

typedef struct selvi_fact_allocation {
    uint64_t allocation;
    const char *kind; /* "buffer", "image", "SVM", "host memory", "program" */
    const char *name; /* what selv_name said, or NULL */
    uint64_t bytes;
} selvi_fact_allocation;

typedef struct selvi_observer {
    void *self;
    /* Room for the record: the only call that may fail. Of the task's facts `task`, `epoch`, `failed` and `horizon` are
       not looked at yet; the others are those that task() will tell. The task may be given up: the next reserve then
       takes its place. */
    selv_status (*reserve)(void *self, const selvi_fact_task *task);
    void (*task)(void *self, const selvi_fact_task *task); /* the one that was reserved last */
    /* First seen, or named. Must not fail: if there is no room, the name is lost. */
    void (*allocation)(void *self, const selvi_fact_allocation *allocation);
    void (*released)(void *self,
                     uint64_t allocation); /* no later task will name it; its name may be forgotten in time */
    void (*failed)(void *self, selv_task task, const char *why);
    size_t (*records)(void *self); /* tasks kept */
} selvi_observer;

#endif
