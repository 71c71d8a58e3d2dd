/* A task on its way, and what it may lack. */
#ifndef SELVI_SCHEDULER_TASK_H
#define SELVI_SCHEDULER_TASK_H

#include "cl/command.h"
#include "scheduler/scheduler.h"

/* Creating, releasing and flushing are never done under the lock. An attempt that lacks something says so and returns
   SELVI_AGAIN; the lock is given back, the thing is provided, and the attempt begins anew, since everything may have
   changed. */
enum { SELVI_AGAIN = 1 };

typedef enum selvi_need_kind {
    SELVI_NEED_NOTHING,
    SELVI_NEED_VIEW,
    SELVI_NEED_SUB_BUFFER,
    SELVI_NEED_KERNEL,
    SELVI_NEED_COPY,
    SELVI_NEED_LANE,
    SELVI_NEED_FLUSH,
    SELVI_NEED_ROOM,
    SELVI_NEED_COMPLETE,
    SELVI_NEED_ANOTHER_TRY
} selvi_need_kind;

typedef struct selvi_need {
    selvi_need_kind kind;
    cl_mem mem;                /* VIEW */
    uint32_t slot, generation; /* SUB_BUFFER: of that allocation (an SVM block: its alias buffer), */
    uint64_t begin, bytes;     /* that range */
    cl_kernel kernel;          /* KERNEL, COPY */
    uint64_t svm_mask;         /* COPY: see kernels.h */
    bool hidden;
    selvi_lane_kind lane_kind; /* LANE */
    int device;
    uint32_t lane;        /* FLUSH */
    selvi_epoch producer; /* COMPLETE */
} selvi_need;

typedef struct selvi_given { /* what the host held of SVM, and this task took back */
    uint32_t slot, generation;
    uint64_t begin, end;
    bool writes;
} selvi_given;

typedef struct selvi_task selvi_task;
struct selvi_task {
    const char *kind, *name;          /* for records and texts: "launch", and the kernel */
    const selvi_signature *signature; /* of a launch: argument names */
    const char *labels[2];            /* of other tasks: what access 0 and 1 are, "destination", "source" */
    selvi_command command;
    int device;       /* wanted; -1: where it suits */
    bool silent;      /* a map or unmap underneath selv_wait and the like: not recorded */
    bool touches_map; /* is itself a map or an unmap */
    bool alone; /* selv_export: only its event is wanted. On a quarantine lane with nothing else, and its accesses leave
                   no trace */
    cl_event foreign; /* adopted: there is no command */
    void *user;       /* for attempts */

    selvi_need need;
    selvi_given *given; /* so that a refusal can give it again: mappings.h */
    size_t given_count, given_room;
    /* what came of it */
    selv_task id;
    selvi_epoch epoch;
    uint32_t cause;   /* it did not run: why */
    bool wants_flush; /* once the lock is given back */
};

typedef selv_status (*selvi_attempt)(selv_scheduler *s, selvi_task *t);

/* Runs attempts until one has it all. The attempt is called under the lock; it fills s->scratch.accesses and the
 * command, then calls selvi_submit. */
selv_status selvi_run(selv_scheduler *s, selvi_task *t, selvi_attempt attempt);
/* The same without what belongs to a task: flushing after, one task at a time where SELVEDGE_SERIAL says so. */
selv_status selvi_attempts(selv_scheduler *s, selvi_task *t, selvi_attempt attempt);

/* The list of DESIGN section 5; under the lock. The accesses stand in `scratch->accesses`. */
selv_status selvi_submit(selv_scheduler *s, selvi_task *t, selvi_scratch *scratch);

/* provide.c. Without the lock: gets what an attempt lacked, which is no promise that the next one finds it. */
selv_status selvi_provide(selv_scheduler *s, const selvi_need *need);
selv_status selvi_need_view(selvi_task *t, cl_mem m); /* t->need, and SELVI_AGAIN */

selv_status selvi_start_recording(selv_scheduler *s); /* inspect.c; under the lock, or before anybody else has s */

/* What the public functions of tasks end with: the id, or the refusal remembered and logged. */
selv_task selvi_task_result(selv_scheduler *s, const selvi_task *t, selv_status st);
/* The same for other calls: remembers and logs a negative status, passes all through. */
selv_status selvi_report(selv_scheduler *s, selv_status st);
void selvi_log(selv_scheduler *s, const char *text); /* without the lock */
void selvi_notice(selv_scheduler *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
selv_status selvi_flush_lane(selv_scheduler *s, uint32_t number); /* without the lock */
selv_status selvi_null(const char *call, const char *what);       /* SELV_INVALID: NULL came for `what` */

#endif
