/* Tells a recorder what a scheduler would, by hand. */
#ifndef TESTS_GRAPH_FEED_H
#define TESTS_GRAPH_FEED_H

#include "graph/recorder.h"

#include <check.h>

typedef struct feed {
    selvi_recorder *r;
    selvi_observer observer;
    selv_task last;
    uint64_t positions[64]; /* of each lane */
} feed;

void feed_open(feed *f, size_t most_tasks);
void feed_close(feed *f);
void feed_name(feed *f, uint64_t allocation, const char *kind, const char *name);

/* An access by argument i, called `name`. */
selvi_fact_access feed_access(selv_mode mode, uint64_t allocation, uint64_t begin, uint64_t end, unsigned i,
                              const char *name);

/* The next task, of kind "launch", on a lane; waits: by task numbers' lane and position. */
typedef struct feed_task {
    const char *name, *kind; /* kind NULL: "launch" */
    uint32_t lane;
    int device;
    bool failed;
    size_t access_count, wait_count;
    selvi_fact_access accesses[8];
    selvi_epoch waits[4];
    selvi_horizon horizon;
} feed_task;

selv_status feed_try(feed *f, feed_task t); /* as it comes from reserve; the task is told if that is 0 */
selv_task feed_run(feed *f, feed_task t);

/* The shortest: one task that makes one or two whole accesses of 1024 bytes, on lane 0. Mode 0: no access. */
selv_task feed_one(feed *f, const char *name, selv_mode mode, uint64_t allocation);
selv_task feed_two(feed *f, const char *name, selv_mode m1, uint64_t a1, selv_mode m2, uint64_t a2);

/* All edges as one text, "1>2 RAW; 1>3 WAW r;" where r marks redundant ones. Static. */
const char *feed_edges(const feed *f);

/* The one edge between two tasks; fails the test if there are none or more. */
selv_edge feed_edge(const feed *f, selv_task from, selv_task to);

/* What a writer writes. Freed with free(). */
char *feed_dot(const feed *f, bool redundant);
char *feed_text(const feed *f);
const char *feed_explain(const feed *f, selv_task t); /* static */

#endif
