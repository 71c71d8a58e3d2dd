#include "common.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: %s [--grids N,N,...] [--single]%s\n"
    "\n"
    "Carries a blob of magnetic field a quarter of a turn, by the linear induction equation.\n"
    "\n"
    "  --grids N,N,...  points along a side, from coarse to fine: 16 to 4096; 48,96,192 if not given\n"
    "  --single         single precision, also where the device has double precision\n"
    "%s"
    "  --help           this text\n"
    "\n"
    "The exit status is 1 if something failed, or if order or energy are not what they should be.\n";
static const char usage_graph[] = "  --graph FILE     only draws the tasks of a few steps, into FILE.dot or FILE.txt\n";

static const char *program;

typedef struct table {
    size_t rows, n[MOST_GRIDS];
    norms norms[MOST_GRIDS];
    uint64_t counters[MOST_COLUMNS]; /* after the last row */
} table;

static void print_usage(FILE *out)
{
    fprintf(out, usage, program, draws ? " [--graph FILE]" : "", draws ? usage_graph : "");
}

static void misuse(const char *argument, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n\n", program, argument, what);
    print_usage(stderr);
    exit(2);
}

static bool read_grids(command *c, const char *text)
{
    long last = 15;
    for (c->grid_count = 0; c->grid_count < MOST_GRIDS;) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end == text || n <= last || n > 4096 || (*end && *end != ','))
            return false;
        c->grids[c->grid_count++] = (size_t)n;
        if (!*end)
            return true;
        text = end + 1, last = n;
    }
    return false;
}

static command command_read(int argc, char **argv)
{
    command c = {.grids = {48, 96, 192}, .grid_count = 3};
    const char *slash = strrchr(argv[0], '/');
    program = slash ? slash + 1 : argv[0];
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--help")) {
            print_usage(stdout);
            exit(0);
        } else if (!strcmp(argv[i], "--single")) {
            c.single = true;
        } else if (!strcmp(argv[i], "--grids")) {
            if (!read_grids(&c, value))
                misuse(argv[i], "expected up to 8 rising numbers from 16 to 4096, with commas between them");
            i++;
        } else if (draws && !strcmp(argv[i], "--graph") && *value) {
            c.graph = argv[++i];
        } else {
            misuse(argv[i], draws && !strcmp(argv[i], "--graph") ? "the file is missing" : "there is no such option");
        }
    }
    return c;
}

void must(const char *what, const char *why)
{
    if (!why)
        return;
    fprintf(stderr, "%s: %s: %s\n", program, what, why);
    exit(1);
}

static double order(const table *t, size_t row)
{
    return log(t->norms[row - 1].error / t->norms[row].error) / log((double)t->n[row] / (double)t->n[row - 1]);
}

static void print_head(void)
{
    printf("grid  steps   L2 error  order  energy ratio  div before   div after");
    for (size_t i = 0; i < MOST_COLUMNS && columns[i]; i++)
        printf("  %9s", columns[i]);
    putchar('\n');
}

static void print_row(table *t, const problem *p, const uint64_t *more)
{
    norms norm = problem_norms(p);
    t->n[t->rows] = p->n;
    t->norms[t->rows] = norm;
    printf("%4zu  %5zu  %9.3e  ", p->n, p->steps, norm.error);
    if (t->rows)
        printf("%5.2f", order(t, t->rows));
    else
        printf("    -");
    printf("  %12.8f  %10.3e  %10.3e", norm.energy, norm.div_before, norm.div_after);
    for (size_t i = 0; i < MOST_COLUMNS && columns[i]; i++)
        printf("  %9" PRIu64, more[i] - t->counters[i]);
    memcpy(t->counters, more, sizeof t->counters);
    putchar('\n');
    t->rows++;
}

static bool order_is_right(const table *t)
{
    if (t->rows < 2)
        return true;
    double found = order(t, t->rows - 1);
    bool right = found >= NOMINAL_ORDER - ORDER_TOLERANCE;
    printf("order   %.2f between the last two grids, nominal %d: %s\n", found, NOMINAL_ORDER,
           right ? "right" : "WRONG");
    return right;
}

static bool energy_is_right(const table *t)
{
    bool right = true;
    for (size_t i = 0; i < t->rows; i++)
        right = right && t->norms[i].drift <= ENERGY_TOLERANCE;
    printf("energy  within %g of the first at all steps: %s\n", ENERGY_TOLERANCE, right ? "right" : "WRONG");
    return right;
}

/* Every norm exactly, so that two programs can be compared. */
static int verdict(const table *t)
{
    for (size_t i = 0; i < t->rows; i++)
        printf("exact   %zu %.17g %.17g %.17g %.17g %.17g\n", t->n[i], t->norms[i].error, t->norms[i].energy,
               t->norms[i].drift, t->norms[i].div_before, t->norms[i].div_after);
    bool right = order_is_right(t);
    return energy_is_right(t) && right ? 0 : 1;
}

static void solve_one(table *t, size_t n, size_t real_bytes, size_t steps)
{
    problem p;
    uint64_t more[MOST_COLUMNS] = {0};
    must("the fields", problem_make(&p, n, real_bytes, steps) ? NULL : "there is not enough memory");
    solve(&p, more);
    print_row(t, &p, more);
    problem_free(&p);
}

int main(int argc, char **argv)
{
    command c = command_read(argc, argv);
    table t = {0};
    size_t real_bytes = begin(&c);
    print_head();
    if (c.graph)
        solve_one(&t, c.grids[0], real_bytes, CLEAN_EVERY + 1);
    else
        for (size_t i = 0; i < c.grid_count; i++)
            solve_one(&t, c.grids[i], real_bytes, 0);
    end(&c);
    return verdict(&t);
}
