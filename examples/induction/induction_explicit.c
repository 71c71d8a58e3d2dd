/* The same as induction.c in plain OpenCL, with events kept by hand over three in-order queues: X has the x components
   and what both need, Y the y components, N the norms. Each event below stands for the last command of its kind.
   Whoever moves a line has to find again which of them still say enough, and why. */
#include "common.h"
#include "induction_kernels.h"
#include "plain.h"

KERNELS(DECLARE_KERNEL)
BUFFERS(DECLARE_BUFFER)
static cl_context context;
static cl_command_queue X, Y, N;
static cl_event x_ready, y_ready; /* the newest bx and by are written */
static cl_event e_ready;          /* e is written */
static cl_event energy_read;      /* the energy has read bx and by */
static cl_event div_ready;        /* div_b is written */
static cl_event div_read;         /* its norm has read div_b */
static cl_event phi_ready;        /* phi is written */
static range all;

const bool draws = false;
const char *const columns[MOST_COLUMNS] = {NULL};

#define M memory_arg
/* clang-format off */
#define LIST(type, ...) sizeof((type[]){__VA_ARGS__}) / sizeof(type), (type[]){__VA_ARGS__}
/* clang-format on */
#define ARGS(...) LIST(arg, __VA_ARGS__)
#define WAIT(...) LIST(cl_event, __VA_ARGS__)
#define NO_WAIT 0, NULL

/* Where to put a new event in place of the old one, which has been waited for by all who had to. */
static cl_event *renew(cl_event *event)
{
    if (*event)
        plain_check("clReleaseEvent", clReleaseEvent(*event));
    *event = NULL;
    return event;
}

static cl_command_queue make_queue(cl_device_id device)
{
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    plain_check("clCreateCommandQueue", code);
    return queue;
}

size_t begin(const command *c)
{
    cl_int code;
    cl_device_fp_config fp64 = 0;
    cl_device_id device = plain_device();
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    plain_check("clCreateContext", code);
    X = make_queue(device), Y = make_queue(device), N = make_queue(device);
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof fp64, &fp64, NULL);
    bool twice = fp64 && !c->single;
    const char *options = twice ? "-D real=double" : "-D real=float";
    cl_program program = plain_build(context, device, induction_kernels, options);
#define MAKE_KERNEL(name) name = clCreateKernel(program, #name, &code), plain_check(#name, code);
    KERNELS(MAKE_KERNEL)
    clReleaseProgram(program);
    return twice ? sizeof(double) : sizeof(float);
}

static void upload(const problem *p)
{
    cl_int code;
    size_t bytes = problem_bytes(p, p->cells);
#define MAKE_BUFFER(name, n)                                                                                           \
    name = clCreateBuffer(context, CL_MEM_READ_WRITE, problem_bytes(p, n), NULL, &code), plain_check(#name, code);
    BUFFERS(MAKE_BUFFER)
    cl_mem fields[] = {bx, by, ux, uy};
    all = (range){2, {p->n, p->n}, 0};
    plain_check("start", clEnqueueWriteBuffer(X, start, CL_TRUE, 0, 4 * bytes, p->start, 0, NULL, NULL));
    for (size_t i = 0; i < 4; i++) /* even ones on X, odd ones on Y: the last event of each stands for both */
        plain_check("clEnqueueCopyBuffer", clEnqueueCopyBuffer(i % 2 ? Y : X, start, fields[i], i * bytes, 0, bytes,
                                                               NO_WAIT, renew(i % 2 ? &y_ready : &x_ready)));
    clFlush(X), clFlush(Y);
}

/* to = keep * b + (1 - keep) * (from + dt * curl(u x from)) */
static void stage(const problem *p, cl_mem to_x, cl_mem to_y, cl_mem from_x, cl_mem from_y, double keep)
{
    arg k = real_arg(p->real_bytes, keep), dt = real_arg(p->real_bytes, p->dt);
    /* y_ready also says that Y has read the e of the stage before, which is overwritten here. */
    plain_launch(X, emf, all, ARGS(M(e), M(from_x), M(from_y), M(ux), M(uy)), WAIT(y_ready), renew(&e_ready));
    clFlush(X);
    plain_launch(X, rate_x, all, ARGS(M(slope_x), M(e)), NO_WAIT, NULL);
    plain_launch(Y, rate_y, all, ARGS(M(slope_y), M(e)), WAIT(e_ready), NULL);
    /* Only the last stage overwrites what the energy reads: until then it runs beside the stages. */
    cl_uint waits = to_x == bx ? 1 : 0;
    plain_launch(X, update, all, ARGS(M(to_x), M(bx), M(from_x), M(slope_x), k, dt), waits, &energy_read,
                 renew(&x_ready));
    plain_launch(Y, update, all, ARGS(M(to_y), M(by), M(from_y), M(slope_y), k, dt), waits, &energy_read,
                 renew(&y_ready));
    clFlush(X), clFlush(Y);
}

static void advance(const problem *p)
{
    stage(p, mid_x, mid_y, bx, by, 0);
    stage(p, mid_x, mid_y, mid_x, mid_y, 3.0 / 4);
    stage(p, bx, by, mid_x, mid_y, 1.0 / 3);
}

static void measure(const problem *p, cl_mem history, size_t slot, cl_mem parts, cl_mem a, cl_mem b, cl_uint wait_count,
                    const cl_event *waits, cl_event *read)
{
    range groups = {1, {GROUPS * GROUP_SIZE}, GROUP_SIZE}, one = {1, {1}, 0};
    arg sums = local_arg(GROUP_SIZE * p->real_bytes), cells = integer_arg(p->cells);
    plain_launch(N, squares, groups, ARGS(M(parts), M(a), M(b), sums, cells), wait_count, waits, renew(read));
    plain_launch(N, total, one, ARGS(M(history), M(parts), integer_arg(GROUPS), integer_arg(slot)), NO_WAIT, NULL);
    clFlush(N);
}

static void clean(const problem *p, size_t cleaning)
{
    static const double zero = 0;
    /* The first time ever, no norm has read the div_b that is overwritten here. */
    plain_launch(X, divergence, all, ARGS(M(div_b), M(bx), M(by)), WAIT(y_ready, div_read ? div_read : y_ready),
                 renew(&div_ready));
    clFlush(X);
    measure(p, divergences, 2 * cleaning, div_parts, div_b, div_b, WAIT(div_ready), &div_read);
    /* phi was read on Y by the cleaning before; the stages since then have waited for what Y did after that. */
    plain_check("phi", clEnqueueFillBuffer(X, phi, &zero, p->real_bytes, 0, p->cells * p->real_bytes, NO_WAIT, NULL));
    for (int i = 0; i < SWEEPS; i++)
        plain_launch(X, sweep, all, ARGS(M(i % 2 ? phi : phi_next), M(i % 2 ? phi_next : phi), M(div_b)), NO_WAIT,
                     i == SWEEPS - 1 ? renew(&phi_ready) : NULL);
    clFlush(X);
    /* The energy of the step before has read bx and by: the last stage has waited for that. */
    plain_launch(X, project_x, all, ARGS(M(bx), M(phi)), NO_WAIT, renew(&x_ready));
    plain_launch(Y, project_y, all, ARGS(M(by), M(phi)), WAIT(phi_ready), renew(&y_ready));
    clFlush(X), clFlush(Y);
    plain_launch(X, divergence, all, ARGS(M(div_b), M(bx), M(by)), WAIT(y_ready, div_read), renew(&div_ready));
    clFlush(X);
    measure(p, divergences, 2 * cleaning + 1, div_parts, div_b, div_b, WAIT(div_ready), &div_read);
}

static void download(const problem *p)
{
    cl_mem made[] = {bx, by, energies, divergences};
    cl_command_queue queues[] = {X, Y, N, N};
    cl_event copied[4], *events[] = {&x_ready, &y_ready, &e_ready, &energy_read, &div_ready, &div_read, &phi_ready};
    size_t at = 0, field = problem_bytes(p, p->cells);
    size_t bytes[] = {field, field, problem_bytes(p, p->steps + 1), problem_bytes(p, 2 * p->cleanings)};
    for (size_t i = 0; i < 4; at += bytes[i++])
        plain_check("result", clEnqueueCopyBuffer(queues[i], made[i], result, 0, at, bytes[i], NO_WAIT, &copied[i]));
    clFlush(X), clFlush(Y), clFlush(N);
    plain_check("result", clEnqueueReadBuffer(X, result, CL_TRUE, 0, at, p->result, 4, copied, NULL));
    for (size_t i = 0; i < 4; i++)
        clReleaseEvent(copied[i]);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        renew(events[i]);
#define RELEASE_BUFFER(name, count) clReleaseMemObject(name);
    BUFFERS(RELEASE_BUFFER)
}

void solve(const problem *p, uint64_t *more)
{
    (void)more;
    upload(p);
    measure(p, energies, 0, energy_parts, bx, by, WAIT(x_ready, y_ready), &energy_read);
    for (size_t step = 1; step <= p->steps; step++) {
        advance(p);
        if (step % CLEAN_EVERY == 0)
            clean(p, step / CLEAN_EVERY - 1);
        measure(p, energies, step, energy_parts, bx, by, WAIT(x_ready, y_ready), &energy_read);
    }
    download(p);
}

void end(const command *c)
{
    (void)c;
    KERNELS(RELEASE_KERNEL)
    clReleaseCommandQueue(X), clReleaseCommandQueue(Y), clReleaseCommandQueue(N);
    clReleaseContext(context);
}
