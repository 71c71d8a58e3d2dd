/* Which tasks failed and why, and the first refusal that nobody has asked about (DESIGN 3.7, 3.8).
 *
 *   runs    |t3 - t5|     |t9|t10 - t11|     rising, no overlap, none empty; each names a cause that is there
 *   cause       2           2      3         (1: there was no memory for one)                                     */
#ifndef SELVI_SCHEDULER_FAILURE_H
#define SELVI_SCHEDULER_FAILURE_H

#include "base/status.h"

#include <pthread.h>

typedef struct selvi_cause { /* what failed first; named by its index, from 2 on */
    selv_task task;
    char *text;
} selvi_cause;

typedef struct selvi_failed_run { /* tasks first..last, all for one cause; rising, no overlap */
    selv_task first, last;
    uint32_t cause;
} selvi_failed_run;

typedef struct selvi_failures {
    selvi_cause *causes; /* guard: s->mutex, as are runs and names */
    size_t cause_count, cause_room;
    selvi_failed_run *runs;
    size_t run_count, run_room;
    uint64_t failed_tasks;
    char **names; /* interned names of tasks */
    size_t name_count, name_room;
    pthread_mutex_t first_mutex; /* guards the two below; taken after s->mutex or alone, nothing is taken under it */
    selv_status first;
    char first_text[SELVI_TEXT_BYTES];
} selvi_failures;

void selvi_failures_open(selvi_failures *f);
void selvi_failures_destroy(selvi_failures *f);
void selvi_failures_check(const selvi_failures *f); /* asserts the picture above */

/* A text that lives as long as the scheduler; the same for equal names. NULL if memory runs out. */
const char *selvi_failures_name(selvi_failures *f, const char *name);

/* A cause of its own: task t, called name, failed: why. Never 0: where memory runs out, a cause that says so. */
uint32_t selvi_failures_cause(selvi_failures *f, selv_task t, const char *name, const char *why);
/* Room for so many tasks to be found failed: where that is found, nothing may fail any more. */
selv_status selvi_failures_reserve(selvi_failures *f, size_t tasks);
/* Task t failed, for that cause; remembers it as the first failure if there is none. */
void selvi_failures_add(selvi_failures *f, selv_task t, const char *name, uint32_t cause);
/* SELV_TASK_FAILED with the text, if t is known to have failed. */
selv_status selvi_failures_of(selvi_failures *f, selv_task t);
/* The text for something that depends on a cause: "x cannot be had: t5 scale failed: ..." */
selv_status selvi_failures_tell(selvi_failures *f, uint32_t cause, const char *what);

const char *selvi_failures_text(const selvi_failures *f, uint32_t cause);

void selvi_failures_remember(selvi_failures *f, selv_status st, const char *text);
selv_status selvi_failures_take(selvi_failures *f); /* returns and clears; the text becomes this thread's */

#endif
