/* The scheduler's one object, and its one lock. Each family of fields belongs to the file that is named beside it. */
#ifndef SELVI_SCHEDULER_SCHEDULER_H
#define SELVI_SCHEDULER_SCHEDULER_H

#include "base/settings.h"
#include "base/table.h"
#include "cl/device.h"
#include "graph/recorder.h"
#include "scheduler/allocations.h"
#include "scheduler/failure.h"
#include "scheduler/garbage.h"
#include "scheduler/kernels.h"
#include "scheduler/lanes.h"
#include "tracking/addresses.h"
#include "tracking/parts.h"

#include <pthread.h>

/* What one attempt needs while it holds the lock; kept so that a launch allocates nothing. guard: mutex */
typedef struct selvi_scratch {
    selvi_accesses accesses;
    selvi_accesses seen; /* the same, as the observer is told: told.c */
    selvi_hazards hazards;
    selvi_clock clock; /* what will come before the task */
    cl_event *events;
    selvi_epoch *epochs; /* candidates for a wait, one for each lane; then the waits themselves */
    selvi_epoch *needs;  /* every producer that is not complete */
    void **hidden;       /* SVM blocks reached through pointers in memory */
    selvi_fact_access *facts;
    size_t event_room, epoch_room, need_room, hidden_room, hidden_count, fact_room;
} selvi_scratch;

struct selv_scheduler {
    /* set when it opens, then only read */
    selvi_devices devices;
    size_t alignment; /* of sub-buffer origins, over all devices */
    selvi_settings settings;
    cl_command_queue service; /* idle but for the mapping of fresh SVM */
    size_t tasks_most;        /* in flight */
    unsigned flags;
    void (*log)(void *user, const char *text);
    void *log_user;
    void *log_file; /* of SELVEDGE_LOG */

    /* From tracking to commit: see submit.c. It guards everything below, unless said otherwise. */
    pthread_mutex_t mutex;
    selv_task last_task;
    uint64_t waits_put, hazards_found, uploads, downloads, bytes_up, bytes_down;
    selvi_lanes lanes;             /* lanes.c */
    selvi_allocations allocations; /* allocations.c */
    selvi_kernels kernels;         /* kernels.c */
    selvi_garbage garbage;         /* garbage.c */
    selvi_failures failures;       /* failure.c; has a lock of its own for what a refusal touches */
    selvi_scratch scratch, inner;  /* inner: of an unmap that another task brings about */
    selvi_recorder *recorder;      /* NULL: nothing was ever recorded */
    selvi_observer observer;
    bool recording;
    size_t tidy_next;          /* slot where the next look for buffers let go begins: sub_buffers.c */
    size_t seen_count;         /* handles and parts seen: such a look comes now and then */
    selv_scheduler *next_open; /* guard: open.c's list */
};

void selvi_lock(selv_scheduler *s);
/* Gives the lock back, then the events that nobody needs any longer: releasing may enter the driver, and no lock is
 * held over that. */
void selvi_unlock(selv_scheduler *s);

#endif
