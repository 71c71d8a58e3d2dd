/* Telling the observer: facts about a task, made only while somebody records. All under the lock. */
#ifndef SELVI_SCHEDULER_TOLD_H
#define SELVI_SCHEDULER_TOLD_H

#include "scheduler/task.h"

/* Before the enqueue: all that telling may need, for after it nothing may fail. `device` is where the task is to run;
 * x holds its accesses, hazards and, in front of x->epochs, its waits. */
selv_status selvi_told_reserve(selv_scheduler *s, const selvi_task *t, selvi_scratch *x, int device, size_t wait_count);
/* At commit. Cannot fail after the reserve. */
void selvi_told_task(selv_scheduler *s, const selvi_task *t, const selvi_scratch *x, int device, size_t wait_count);
/* The memory is released or freed: nothing where the observer never heard of it. */
void selvi_told_gone(selv_scheduler *s, const selvi_allocation *a);
/* What the memory is, and how it is called now; from then on the observer has heard of it. */
void selvi_told_name(selv_scheduler *s, selvi_allocation *a);

#endif
