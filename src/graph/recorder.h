/* Keeps what the scheduler tells (observer.h) and finds the edges by tracking of its own, in which every task is a
 * lane: so the edges do not depend on timing, placement or on what was complete. Pure: no lock, no OpenCL; the caller
 * holds the submission mutex over every call.
 *
 * Bounded: the oldest tasks are forgotten, and their number is remembered.                                          */
#ifndef SELVI_GRAPH_RECORDER_H
#define SELVI_GRAPH_RECORDER_H

#include "graph/observer.h"

#include "selvedge/graph.h"

typedef struct selvi_recorder selvi_recorder;

enum { SELVI_MOST_RECORDS = 65536 };

/* most_tasks 0: SELVI_MOST_RECORDS. *observer becomes the table to tell; it may be copied. */
selv_status selvi_recorder_create(size_t most_tasks, selvi_recorder **out, selvi_observer *observer);
void selvi_recorder_destroy(selvi_recorder *r); /* NULL is fine */

/* Tasks were not told, or will not be: no edge is to lead from what is recorded now to what comes. */
void selvi_recorder_gap(selvi_recorder *r);

/* How many tasks are kept, and how many were and are no longer. */
size_t selvi_recorder_tasks(const selvi_recorder *r);
uint64_t selvi_recorder_forgotten(const selvi_recorder *r);

/* What the public functions of the same ending do. r NULL: nothing was ever recorded, which is an empty graph. */
selv_status selvi_recorder_edges(const selvi_recorder *r, selv_edge *out, size_t capacity, size_t *count);
selv_status selvi_graph_write(const selvi_recorder *r, selv_graph_format format, FILE *out);
selv_status selvi_graph_save(const selvi_recorder *r, const char *path);
selv_status selvi_graph_explain(const selvi_recorder *r, selv_task t, char *text, size_t bytes);

/* The writers underneath. `redundant`: draw redundant edges too, grey and dotted. */
selv_status selvi_graph_dot(const selvi_recorder *r, bool redundant, FILE *out);
selv_status selvi_graph_text(const selvi_recorder *r, FILE *out);

#endif
