/* The job of both programs: a blob of magnetic field that a rigid rotation carries around the middle of a square.
 *
 *      1 +-------------+     A_z = w exp(-d^2 / 2 w^2), d the distance from the centre of the blob; B = curl A.
 *        |      _      |     u = (-y, x) carries A along unchanged, so that B turns with its blob: the exact solution.
 *        |     ( ) <-. |     Near the border the rotation dies away, so that u is periodic; any u = f(r) (-y, x) has
 *        |        (_)' |     no divergence. There B is below 1e-5 of its largest value, and so is what that changes.
 *     -1 +-------------+     */
#ifndef INDUCTION_PROBLEM_H
#define INDUCTION_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#define CLEAN_EVERY 4 /* steps */
#define SWEEPS 4      /* of Jacobi in each cleaning; even, as they go to and fro between two fields */
#define GROUPS 16     /* partial sums of a norm */
#define GROUP_SIZE 64

#define NOMINAL_ORDER 4     /* of the differences in space: the steps in time are so short that theirs (3) is hidden */
#define ORDER_TOLERANCE 0.3 /* how far below the nominal order the last two grids may be */
#define ENERGY_TOLERANCE 0.001 /* how far the energy may be from the first, as a part of it */

typedef struct problem {
    size_t n, cells; /* n x n points */
    size_t steps, cleanings;
    size_t real_bytes; /* of a number on the device: 8, or 4 */
    double dx, dt;
    void *start;         /* bx, by, ux, uy: one upload */
    size_t result_count; /* numbers in: */
    void *result;        /* bx, by, energies[steps + 1], divergences[2 * cleanings]: one download */
} problem;

typedef struct norms {
    double error;                 /* L2 norm of B - exact, by that of exact */
    double energy;                /* at the end, by that of the beginning */
    double drift;                 /* largest |energy / first energy - 1| of all steps */
    double div_before, div_after; /* L2 norms of div B before the first and after the last cleaning */
} norms;

/* At most `steps` steps, or 0: a quarter of a turn. False if there is not enough memory. */
bool problem_make(problem *out, size_t n, size_t real_bytes, size_t steps);
void problem_free(problem *p);

/* Of so many numbers on the device. */
size_t problem_bytes(const problem *p, size_t numbers);

norms problem_norms(const problem *p);

#endif
