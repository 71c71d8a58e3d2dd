/* Host waits: always without the lock, always on events, never clFinish (a lane may hold commands that never end). */
#ifndef SELVI_SCHEDULER_WAITING_H
#define SELVI_SCHEDULER_WAITING_H

#include "scheduler/task.h"

/* Until the task at e is complete, whether it failed or not; flushes what has to be. */
selv_status selvi_wait_epoch(selv_scheduler *s, selvi_epoch e);
/* What became of a task that is complete: SELV_TASK_FAILED with the first cause, or 0. */
selv_status selvi_task_failure(selv_scheduler *s, selv_task t);
/* Every task that is submitted by now. */
selv_status selvi_wait_all(selv_scheduler *s);
selv_status selvi_wait_clock(selv_scheduler *s, const selvi_clock *c);

/* Back-pressure: returns once fewer tasks are in flight than the limit. Tasks behind foreign events do not count. */
selv_status selvi_wait_for_room(selv_scheduler *s);

/* Gives back what nothing uses any longer: memory let go by the user. Calls OpenCL, without the lock. */
void selvi_reap(selv_scheduler *s);

#endif
