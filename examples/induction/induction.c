/* The induction equation, as one thinks of it. What runs side by side follows from the arguments: x and y components,
   norms and the next step. induction_explicit.c is the same program with events kept by hand. */
#include "common.h"
#include "induction_kernels.h"
#include <selvedge/graph.h>
#include <selvedge/selvedge.h>

KERNELS(DECLARE_KERNEL)
BUFFERS(DECLARE_BUFFER)
static selv_scheduler *s;
static selv_range all;
const bool draws = true;
const char *const columns[MOST_COLUMNS] = {"tasks", "waits", "uploads", "downloads"};

static void check(const char *what, selv_status status)
{
    must(what, status < 0 ? selv_error() : NULL);
}

size_t begin(const command *c)
{
    cl_program program;
    cl_device_fp_config fp64 = 0;
    check("opening", selv_open(&(selv_config){.flags = c->graph ? SELV_RECORD : 0}, &s));
    clGetDeviceInfo(selv_device(s, 0), CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    bool twice = fp64 && !c->single;
    check("induction.cl", selv_build(s, induction_kernels, twice ? "-D real=double" : "-D real=float", &program));
#define MAKE_KERNEL(name) check(#name, selv_kernel(s, program, #name, &name));
    KERNELS(MAKE_KERNEL)
    clReleaseProgram(program);
    return twice ? sizeof(double) : sizeof(float);
}

static void upload(const problem *p)
{
#define MAKE_BUFFER(name, n) check(#name, selv_buffer(s, problem_bytes(p, n), NULL, &name)), selv_name(s, name, #name);
    BUFFERS(MAKE_BUFFER)
    cl_mem fields[] = {bx, by, ux, uy};
    size_t bytes = problem_bytes(p, p->cells);
    all = selv_2d(p->n, p->n);
    selv_write(s, start, p->start, 4 * bytes);
    for (size_t i = 0; i < 4; i++)
        selv_copy(s, fields[i], selv_part(start, i * bytes, bytes), bytes);
}

/* to = keep * b + (1 - keep) * (from + dt * curl(u x from)) */
static void stage(const problem *p, cl_mem to_x, cl_mem to_y, cl_mem from_x, cl_mem from_y, double keep)
{
    selv_launch(s, emf, all, e, from_x, from_y, ux, uy);
    selv_launch(s, rate_x, all, slope_x, e);
    selv_launch(s, rate_y, all, slope_y, e);
    selv_launch(s, update, all, to_x, bx, from_x, slope_x, keep, p->dt);
    selv_launch(s, update, all, to_y, by, from_y, slope_y, keep, p->dt);
}

static void advance(const problem *p)
{
    stage(p, mid_x, mid_y, bx, by, 0);
    stage(p, mid_x, mid_y, mid_x, mid_y, 3.0 / 4);
    stage(p, bx, by, mid_x, mid_y, 1.0 / 3);
}

static void measure(const problem *p, cl_mem history, size_t slot, cl_mem parts, cl_mem a, cl_mem b)
{
    selv_range groups = selv_group(selv_1d(GROUPS * GROUP_SIZE), GROUP_SIZE, 1, 1);
    selv_launch(s, squares, groups, parts, a, b, selv_local(GROUP_SIZE * p->real_bytes), p->cells);
    selv_launch(s, total, selv_1d(1), history, parts, GROUPS, slot);
}

static void clean(const problem *p, size_t cleaning)
{
    selv_launch(s, divergence, all, div_b, bx, by);
    measure(p, divergences, 2 * cleaning, div_parts, div_b, div_b);
    selv_zero(s, phi, p->cells * p->real_bytes);
    for (int i = 0; i < SWEEPS; i++)
        selv_launch(s, sweep, all, i % 2 ? phi : phi_next, i % 2 ? phi_next : phi, div_b);
    selv_launch(s, project_x, all, bx, phi);
    selv_launch(s, project_y, all, by, phi);
    selv_launch(s, divergence, all, div_b, bx, by);
    measure(p, divergences, 2 * cleaning + 1, div_parts, div_b, div_b);
}

/* Launches are not checked one by one: the scheduler keeps the first refusal, and selv_finish asks for it. */
static void download(const problem *p)
{
    cl_mem made[] = {bx, by, energies, divergences};
    size_t at = 0, field = problem_bytes(p, p->cells);
    size_t bytes[] = {field, field, problem_bytes(p, p->steps + 1), problem_bytes(p, 2 * p->cleanings)};
    for (size_t i = 0; i < 4; at += bytes[i++])
        selv_copy(s, selv_part(result, at, bytes[i]), made[i], bytes[i]);
    selv_read(s, p->result, result, at);
    check("the tasks", selv_finish(s));
#define RELEASE_BUFFER(name, count) selv_release(s, name);
    BUFFERS(RELEASE_BUFFER)
}

void solve(const problem *p, uint64_t *more)
{
    selv_statistics now;
    upload(p);
    measure(p, energies, 0, energy_parts, bx, by);
    for (size_t step = 1; step <= p->steps; step++) {
        advance(p);
        if (step % CLEAN_EVERY == 0)
            clean(p, step / CLEAN_EVERY - 1);
        measure(p, energies, step, energy_parts, bx, by);
    }
    download(p);
    selv_stats(s, &now);
    more[0] = now.tasks, more[1] = now.waits, more[2] = now.uploads, more[3] = now.downloads;
}

void end(const command *c)
{
    if (c->graph)
        check(c->graph, selv_graph_save(s, c->graph));
    KERNELS(RELEASE_KERNEL)
    check("closing", selv_close(s));
}
