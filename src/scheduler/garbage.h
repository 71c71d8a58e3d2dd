/* Memory that the user has let go, kept until the device is done with it. Releasing it earlier blocks the host on some
   drivers until the kernel ends (NVIDIA 580), and is undefined while a command waits on an unset user event. */
#ifndef SELVI_SCHEDULER_GARBAGE_H
#define SELVI_SCHEDULER_GARBAGE_H

#include "scheduler/lanes.h"
#include "tracking/parts.h"

typedef struct selvi_rubbish {
    cl_mem mem; /* or NULL: */
    void *svm;
    uint64_t bytes;
    bool ours;         /* counted as held */
    selvi_clock until; /* everything that still uses it */
} selvi_rubbish;

typedef struct selvi_garbage {
    selvi_rubbish *at;
    size_t count, room;
    uint64_t held;    /* bytes made by the library, live or waiting here */
    uint64_t waiting; /* bytes waiting here */
} selvi_garbage;

/* `what` (its clock is not looked at) stays until all that these parts know of is complete. */
selv_status selvi_garbage_add(selvi_garbage *g, const selvi_lanes *lanes, const selvi_parts *parts, selvi_rubbish what);
/* So much has gathered that it should be looked through. A little is kept on purpose, so that a handle used after its
 * release is still known for what it is. */
bool selvi_garbage_full(const selvi_garbage *g);

/* Moves up to `most` pieces that nothing uses any longer to `out`; returns how many. They are given back by
 * selvi_rubbish_free, without the lock. */
size_t selvi_garbage_take(selvi_garbage *g, const selvi_lanes *lanes, selvi_rubbish *out, size_t most);
void selvi_rubbish_free(cl_context context, selvi_rubbish *r);
void selvi_garbage_destroy(selvi_garbage *g, cl_context context);

#endif
