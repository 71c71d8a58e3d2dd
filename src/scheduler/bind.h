/* One argument of a launch: checked against its parameter, turned into what clSetKernelArg takes and into an access. */
#ifndef SELVI_SCHEDULER_BIND_H
#define SELVI_SCHEDULER_BIND_H

#include "scheduler/task.h"

typedef struct selvi_call { /* of selv_launch; lives on the caller's stack over all attempts */
    cl_kernel kernel;
    size_t count;
    const selv_arg *args;
    selvi_kernel *known;
    selvi_launch launch;
    selvi_bound bound[SELVI_MOST_ARGUMENTS];
    uint64_t svm_mask;
    bool notice;       /* the first launch of a kernel without argument information */
    char lacking[256]; /* the parameter whose argument lacks something (t->need); may be refused without the lock */
} selvi_call;

/* Under the lock. Fills c->bound[index] and appends the access to s->scratch.accesses; the text names the parameter.
 * SELVI_AGAIN with t->need. */
selv_status selvi_bind(selv_scheduler *s, selvi_task *t, selvi_call *c, const selv_arg *arg, unsigned index);

/* An SVM block that the kernel reaches through a pointer in memory. */
selv_status selvi_bind_hidden(selv_scheduler *s, void *block);

#endif
