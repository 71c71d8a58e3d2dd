/* What both programs share beside the job itself: the command line, names, and the table that they print. */
#ifndef INDUCTION_COMMON_H
#define INDUCTION_COMMON_H

#include "problem.h"

#include <stdint.h>

#define MOST_GRIDS 8
#define MOST_COLUMNS 4

/* clang-format off */
/* One row for each buffer: name, how many numbers. */
#define BUFFERS(row) \
    row(bx, p->cells) row(by, p->cells) row(mid_x, p->cells) row(mid_y, p->cells) row(ux, p->cells) row(uy, p->cells) \
    row(e, p->cells) row(slope_x, p->cells) row(slope_y, p->cells) \
    row(div_b, p->cells) row(phi, p->cells) row(phi_next, p->cells) \
    row(energy_parts, GROUPS) row(energies, p->steps + 1) \
    row(div_parts, GROUPS) row(divergences, 2 * p->cleanings) \
    row(start, 4 * p->cells) row(result, p->result_count)

#define KERNELS(row) \
    row(emf) row(rate_x) row(rate_y) row(update) row(divergence) row(sweep) row(project_x) row(project_y) \
    row(squares) row(total)
/* clang-format on */
#define DECLARE_KERNEL(name) static cl_kernel name;
#define DECLARE_BUFFER(name, count) static cl_mem name;
#define RELEASE_KERNEL(name) clReleaseKernel(name);

typedef struct command {
    size_t grids[MOST_GRIDS], grid_count;
    const char *graph; /* where to draw a short run, or NULL */
    bool single;       /* precision, even where the device has more */
} command;

/* Ends the program if there is a reason `why`. */
void must(const char *what, const char *why);

/* What each of the two programs defines; main() is common. */
extern const bool draws;                        /* there is a --graph */
extern const char *const columns[MOST_COLUMNS]; /* counters beside the norms; NULL: no more */
size_t begin(const command *c);                 /* opens the device; sizeof of a number there */
void solve(const problem *p, uint64_t *more);   /* makes p->result; how far the counters are */
void end(const command *c);

#endif
