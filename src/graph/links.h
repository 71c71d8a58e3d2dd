/* The graph as the writers draw it: one link for each ordered pair of tasks, with all its reasons, and whether a path
 * over other tasks makes it redundant (transitive reduction).
 *
 *      1 --> 2 --> 3          1 -> 3 is redundant                                                         */
#ifndef SELVI_GRAPH_LINKS_H
#define SELVI_GRAPH_LINKS_H

#include "graph/record.h"

typedef struct selvi_link {
    uint64_t from, to; /* places in the recording, both kept, from before to */
    const selvi_reason *reasons;
    size_t count;
    bool redundant;
} selvi_link;

typedef struct selvi_links {
    selvi_link *at; /* ordered by to, then from */
    size_t count, capacity;
    uint64_t first; /* place of the first task */
    size_t tasks;
    size_t *begin; /* the links that lead to task first + i: at[begin[i]] to at[begin[i + 1]], excluded */
} selvi_links;

selv_status selvi_links_build(const selvi_recorder *r, selvi_links *out); /* on failure `out` is empty; r may be NULL */
void selvi_links_destroy(selvi_links *links);

#endif
