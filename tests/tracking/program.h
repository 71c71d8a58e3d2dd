/* A random program over one allocation, run by the tracker and by the naive model at the same time. Every step is one
 * task: queried, compared byte by byte, reserved, then applied or given up; the tracker's own check runs after each
 * change. */
#ifndef SELVI_TESTS_TRACKING_PROGRAM_H
#define SELVI_TESTS_TRACKING_PROGRAM_H

#include "support/naive.h"

enum { PROGRAM_LANES = 4, PROGRAM_STEPS = 300 };

typedef enum program_horizon {
    HORIZON_NONE,  /* nothing is ever known to be complete */
    HORIZON_GROWS, /* every lane completes, now and then */
    HORIZON_STUCK  /* one lane has seen a failure early on */
} program_horizon;

typedef struct program {
    selvi_parts parts;
    selvi_accesses task;
    selvi_hazards found;
    uint64_t last[PROGRAM_LANES], complete[PROGRAM_LANES];
    selvi_horizon horizon;
    program_horizon kind;
    unsigned seed;
    size_t applied, given_up, out_of_memory;
    naive_model naive; /* last: it is large, and begins with no events instead of all zero */
} program;

void program_begin(program *g, unsigned seed, program_horizon kind);
void program_step(program *g);
void program_end(program *g);

unsigned test_seed(void); /* from TEST_SEED, else the time; printed */

#endif
