/* Telling the observer: facts about a task, made only while somebody records. */
#ifndef SELVI_SCHEDULER_TOLD_H
#define SELVI_SCHEDULER_TOLD_H

#include "scheduler/task.h"

selv_status selvi_told_reserve(selv_scheduler *s, const selvi_task *t, selvi_scratch *x, int device, size_t wait_count);
void selvi_told_task(selv_scheduler *s, const selvi_task *t, const selvi_scratch *x, int device, size_t wait_count);
void selvi_told_gone(selv_scheduler *s, const selvi_allocation *a);
void selvi_told_name(selv_scheduler *s, selvi_allocation *a);

#endif
