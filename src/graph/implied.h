/* By which wait the other orders of a task were implied. Found on demand, from lanes and waits as they were. */
#ifndef SELVI_GRAPH_IMPLIED_H
#define SELVI_GRAPH_IMPLIED_H

#include "graph/record.h"

/* by[i], for the task at first + i: 1 + the place of the task that `to` waited for (or that ran before it on its lane)
   and that came after task i; 0: none did. Freed with selvi_free(). */
selv_status selvi_implied_by(const selvi_recorder *r, uint64_t to, uint64_t **by);

#endif
