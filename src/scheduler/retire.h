/* Retirement: how far each lane has come, and what failed on the way. The only way back up from the device. */
#ifndef SELVI_SCHEDULER_RETIRE_H
#define SELVI_SCHEDULER_RETIRE_H

#include "scheduler/scheduler.h"

/* Under the lock. Polls one ordinary lane in turn and every lane with foreign work. */
void selvi_retire_some(selv_scheduler *s);
/* Polls every lane until nothing moves any more. */
void selvi_retire_all(selv_scheduler *s);
/* The view's object is gone, or is another by now. */
void selvi_forget_view(selv_scheduler *s, uint32_t view, uint64_t watch);
/* Doubtful views with nothing pending are forgotten; under the lock. */
void selvi_forget_doubtful(selv_scheduler *s);
/* Forgets memory objects that are gone; under the lock. */
void selvi_drain_watches(selv_scheduler *s);

#endif
