#include "problem.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double centre = 0.25, width = 0.11; /* of the blob, at the beginning on the x axis */
static const double taper_from = 0.85, taper_to = 1;
static const double cfl = 0.25; /* dt / dx; the largest speed is below 1 */

typedef struct vector {
    double x, y;
} vector;

/* B at time t: the curl of A_z, whose centre has turned by t radians. */
static vector exact(double x, double y, double t)
{
    double dx = x - centre * cos(t), dy = y - centre * sin(t);
    double slope = exp(-(dx * dx + dy * dy) / (2 * width * width)) / width;
    return (vector){-dy * slope, dx * slope};
}

static vector velocity(double x, double y)
{
    double s = fmin(fmax((taper_to - hypot(x, y)) / (taper_to - taper_from), 0), 1);
    double turn = s * s * s * (10 - 15 * s + 6 * s * s);
    return (vector){-y * turn, x * turn};
}

static double position(const problem *p, size_t i)
{
    return -1 + ((double)i + 0.5) * p->dx;
}

static double get(const problem *p, const void *numbers, size_t i)
{
    return p->real_bytes == sizeof(float) ? (double)((const float *)numbers)[i] : ((const double *)numbers)[i];
}

static void set(const problem *p, void *numbers, size_t i, double value)
{
    if (p->real_bytes == sizeof(float))
        ((float *)numbers)[i] = (float)value;
    else
        ((double *)numbers)[i] = value;
}

static void fill(problem *p)
{
    for (size_t i = 0; i < p->cells; i++) {
        double x = position(p, i % p->n), y = position(p, i / p->n);
        vector b = exact(x, y, 0), u = velocity(x, y);
        double values[] = {b.x, b.y, u.x, u.y};
        for (size_t k = 0; k < 4; k++)
            set(p, p->start, k * p->cells + i, values[k]);
    }
}

bool problem_make(problem *out, size_t n, size_t real_bytes, size_t steps)
{
    problem p = {.n = n, .cells = n * n, .real_bytes = real_bytes, .dx = 2.0 / (double)n};
    size_t quarter = (size_t)ceil(pi / 2 / (cfl * p.dx));
    p.dt = pi / 2 / (double)quarter;
    p.steps = steps && steps < quarter ? steps : quarter;
    p.cleanings = p.steps / CLEAN_EVERY;
    p.result_count = 2 * p.cells + p.steps + 1 + 2 * p.cleanings;
    p.start = malloc(4 * p.cells * real_bytes);
    p.result = malloc(p.result_count * real_bytes);
    *out = p;
    if (!p.start || !p.result)
        return problem_free(out), false;
    fill(out);
    return true;
}

void problem_free(problem *p)
{
    free(p->start);
    free(p->result);
    *p = (problem){0};
}

size_t problem_bytes(const problem *p, size_t numbers)
{
    return numbers * p->real_bytes;
}

static double error(const problem *p)
{
    double difference = 0, all = 0, end = p->dt * (double)p->steps;
    for (size_t i = 0; i < p->cells; i++) {
        vector b = exact(position(p, i % p->n), position(p, i / p->n), end);
        double x = get(p, p->result, i) - b.x, y = get(p, p->result, p->cells + i) - b.y;
        difference += x * x + y * y;
        all += b.x * b.x + b.y * b.y;
    }
    return sqrt(difference / all);
}

/* fmax() would lose what is not a number. */
static double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

norms problem_norms(const problem *p)
{
    size_t energies = 2 * p->cells, divergences = energies + p->steps + 1;
    double first = get(p, p->result, energies);
    norms out = {.error = error(p), .energy = get(p, p->result, energies + p->steps) / first};
    for (size_t i = 0; i <= p->steps; i++)
        out.drift = larger(out.drift, fabs(get(p, p->result, energies + i) / first - 1));
    if (p->cleanings) {
        out.div_before = sqrt(get(p, p->result, divergences)) * p->dx;
        out.div_after = sqrt(get(p, p->result, divergences + 2 * p->cleanings - 1)) * p->dx;
    }
    return out;
}
