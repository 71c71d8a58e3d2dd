/* What the host holds of an allocation, and what happens when a task names it. */
#ifndef SELVI_SCHEDULER_MAPPINGS_H
#define SELVI_SCHEDULER_MAPPINGS_H

#include "scheduler/task.h"

/* Before a task goes on: what selv_map holds refuses it with SELV_MAPPED; what selv_wait and selv_edit mapped
 * underneath is unmapped, by tasks of their own. */
selv_status selvi_mappings_yield(selv_scheduler *s, selvi_task *t, const selvi_accesses *list);

/* Before a new mapping underneath: every other one that touches its bytes is unmapped. */
selv_status selvi_mappings_take(selv_scheduler *s, selvi_task *t, const selvi_access *a);

/* Maps [m->begin, m->end) of an SVM block for the host, by the task t; what the host held of it is unmapped first.
 * Under the lock. */
selv_status selvi_mapping_submit(selv_scheduler *s, selvi_task *t, uint32_t slot, selvi_mapping *m);

selv_status selvi_mapping_add(selvi_allocation *x, const selvi_mapping *m);
selv_status selvi_mapping_reserve(selvi_allocation *x); /* room for one more: then add cannot fail */
void selvi_mapping_remove(selvi_allocation *x, size_t index);
/* The first mapping that shares a byte with [begin, end); SIZE_MAX: none. */
size_t selvi_mapping_in(const selvi_allocation *x, uint64_t begin, uint64_t end);

/* A task was refused: what it had taken back is mapped for the host again. Without the lock. */
void selvi_mappings_restore(selv_scheduler *s, selvi_task *t);

#endif
