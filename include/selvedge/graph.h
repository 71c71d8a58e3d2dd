/* Selvedge, seen from outside: what depended on what, why, and what came of it.
 *
 *     selv_record(s, true);                                       or SELV_RECORD in selv_config.flags,
 *     selv_launch(s, blur, selv_2d(w, h), small, image);          or SELVEDGE_GRAPH=file.dot in the environment
 *     selv_task mixed = selv_launch(s, mix, selv_2d(w, h), image, small, edges, 0.5f);
 *
 *     char text[1024];
 *     selv_explain(s, mixed, text, sizeof text);    "t2 mix waits for t1 blur: RAW on small [0, 4 MiB): ..."
 *     selv_graph_save(s, "mix.dot");                then: dot -Tsvg mix.dot -o mix.svg
 *
 * The graph shows hazards, not luck: an edge is there whatever lane its tasks ran on, and also where the first task had
 * finished before the second was given. Only tasks given while recording was on are in it. The newest 65536 tasks are
 * kept (fewer where they have very many accesses); the writers and selv_explain tell how many were forgotten. */
#ifndef SELVEDGE_GRAPH_H
#define SELVEDGE_GRAPH_H

#include "selvedge/selvedge.h"

#include <stdio.h>

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* recording */

/* Begins or stops recording. What was recorded stays until selv_close; recording again after a stop goes on in the same
   graph, but no edge leads across the gap. While it is off the calls below show what there is: nothing, if it never was
   on. */
selv_status selv_record(selv_scheduler *s, bool on);

/* edges */

typedef enum selv_hazard {
    SELV_RAW = 1, /* `from` wrote or accumulated, `to` reads or accumulates */
    SELV_WAR = 2, /* `from` read, `to` writes or accumulates */
    SELV_WAW = 3  /* `from` wrote or accumulated, `to` writes without reading */
} selv_hazard;

/* How the order was kept when `to` was submitted. This depends on timing and placement; the edge itself does not. */
typedef enum selv_fate {
    SELV_FATE_WAIT = 1,      /* the event of `from` is in the wait list of `to` */
    SELV_FATE_SAME_LANE = 2, /* both run on one in-order queue, which keeps the order */
    SELV_FATE_IMPLIED = 3,   /* another wait, or a task before `to` on its lane, comes after `from` */
    SELV_FATE_COMPLETE = 4   /* `from` was known to be complete */
} selv_fate;

#define SELV_EDGE_NAME_BYTES 64 /* longer names are cut */

/* One reason for an order between two tasks. Two tasks that meet in several allocations, or by several arguments, have
   an edge for each. */
typedef struct selv_edge {
    selv_task from, to;
    selv_hazard kind;
    selv_fate fate;
    bool redundant; /* a path over other tasks of the graph orders `from` before `to` as well */
    bool assumed;   /* the mode of one side or both was assumed, not known: see from_assumed, to_assumed */
    bool from_assumed, to_assumed;
    uint64_t allocation; /* a number that is never used again */
    size_t begin, end;   /* the bytes that both touch; host memory: addresses */
    size_t ranges;       /* 1; more: [begin, end) is the hull of so many ranges */
    bool hull;           /* one side has so many rows that only their hull was looked at: the edge may be needless */
    int from_argument, to_argument; /* index, or -1: not an argument, as in a copy */
    selv_mode from_mode, to_mode;
    char from_name[SELV_EDGE_NAME_BYTES]; /* the kernel, or "copy", "fill", ... */
    char to_name[SELV_EDGE_NAME_BYTES];
    char allocation_name[SELV_EDGE_NAME_BYTES];    /* as selv_name said, or "buffer #3" */
    char from_argument_name[SELV_EDGE_NAME_BYTES]; /* or "" */
    char to_argument_name[SELV_EDGE_NAME_BYTES];
} selv_edge;

/* Writes the first `capacity` edges, redundant ones too, ordered by `to`, then by `from`; *count becomes how many there
   are. With capacity 0, out may be NULL: that asks for the count. Edges from forgotten tasks are left out. */
selv_status selv_edges(selv_scheduler *s, selv_edge *out, size_t capacity, size_t *count);

/* writing */

/* DOT is for graphviz. A box is a task, coloured by its kind, red-rimmed if it failed; an arrow is all edges between
   two tasks, coloured by hazard and dashed where every reason rests on an assumed mode. Redundant edges are left out.

   TEXT is for diff: nothing in it depends on timing, placement or addresses. Lines are ordered by task.

       # selvedge graph 1                                first line; the number is that of the format
       # forgotten 0                                     tasks that are no longer kept
       task t1 launch blur                               kind, name
       task t2 launch mix
       edge t1 t2 RAW small [0, 4194304) 0 dst write -> 1 a read
                                                         from, to, hazard, allocation, bytes, then argument index and
                                                         name, mode (and "assumed") of both sides; "-" for what there
                                                         is not
       edge t1 t2 RAW host memory 4096 bytes - source read -> ...
                                                         host memory has a size in place of addresses

   One "edge" line for each reason of each edge that is not redundant, after the line of the task it leads to. In names,
   control characters and backslashes are written \xHH. Errors: SELV_INVALID where the stream refuses the bytes. */
typedef enum selv_graph_format { SELV_GRAPH_DOT = 1, SELV_GRAPH_TEXT = 2 } selv_graph_format;

selv_status selv_graph_write(selv_scheduler *s, selv_graph_format format, FILE *out);

/* The format is told by the end of the path: .dot or .txt. An existing file is replaced. */
selv_status selv_graph_save(selv_scheduler *s, const char *path);

/* explaining */

/* What task t depended on, in sentences: a line for each edge, ended by a newline; at most `bytes` with the closing
   zero. What does not fit is cut off after a whole line, and the last line is then "...".
   SELV_UNKNOWN_TASK: never recorded, or forgotten by now; the text of selv_error() says which. */
selv_status selv_explain(selv_scheduler *s, selv_task t, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif
