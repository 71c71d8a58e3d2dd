/* Beside code that keeps its own queue and events: another library, or the part of your program that stays as it is.

       own queue     upload x                         read y
                        adopt \             export /      \ adopt
       scheduler                square: y = x * x           times: y = y * x

   An event comes in by selv_adopt: "this command of mine does so much to that memory". One goes out by selv_export:
   "complete when a command of mine may do so much". Nothing else is needed, and nothing else may be left out. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue, which every platform has */
#include <selvedge/graph.h>
#include <selvedge/selvedge.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4096 };

static const char source[] = "kernel void square(global float *y, global const float *x)"
                             "{ size_t i = get_global_id(0); y[i] = x[i] * x[i]; }"
                             "kernel void times(global float *y, global const float *x)"
                             "{ size_t i = get_global_id(0); y[i] *= x[i]; }";

static void check(selv_task status)
{
    if (status < 0)
        puts(selv_error()), exit(1);
}

static void check_cl(const char *call, cl_int code)
{
    if (code)
        printf("%s: %d\n", call, code), exit(1);
}

/* What a task depended on, in sentences. */
static void tell(selv_scheduler *s, selv_task task)
{
    char text[1024];
    check(selv_explain(s, task, text, sizeof text));
    fputs(text, stdout);
}

static cl_command_queue own_queue(selv_scheduler *s)
{
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(selv_context(s), selv_device(s, 0), 0, &code);
    check_cl("clCreateCommandQueue", code);
    return queue;
}

/* A command of our own fills x. Its event becomes a task that writes all of x; the event stays ours to release. */
static void upload(selv_scheduler *s, cl_command_queue queue, cl_mem x, const float *from)
{
    cl_event done = NULL;
    check_cl("write", clEnqueueWriteBuffer(queue, x, CL_FALSE, 0, N * sizeof *from, from, 0, NULL, &done));
    check_cl("flush", clFlush(queue));
    check(selv_adopt(s, done, selv_out(x)));
    clReleaseEvent(done);
}

/* A command of our own reads y: it waits for the event that says it may, and is adopted, since a task that overwrites y
   has to wait for it in turn. Selvedge does not know of it otherwise: an export reserves nothing. */
static void read_back(selv_scheduler *s, cl_command_queue queue, cl_mem y, float *to)
{
    cl_event may = NULL, done = NULL;
    check(selv_export(s, &may, selv_in(y)));
    check_cl("read", clEnqueueReadBuffer(queue, y, CL_FALSE, 0, N * sizeof *to, to, 1, &may, &done));
    check_cl("flush", clFlush(queue));
    check(selv_adopt(s, done, selv_in(y)));
    clReleaseEvent(may), clReleaseEvent(done);
}

int main(void)
{
    static float in[N], squares[N], cubes[N];
    selv_scheduler *s = NULL;
    cl_program program = NULL;
    cl_kernel square = NULL, times = NULL;
    cl_mem x = NULL, y = NULL;
    for (int i = 0; i < N; i++)
        in[i] = (float)(i % 100);

    /* A context of your own is adopted with selv_config.context; here the scheduler's is used by both. */
    check(selv_open(&(selv_config){.flags = SELV_RECORD}, &s));
    check(selv_build(s, source, NULL, &program));
    check(selv_kernel(s, program, "square", &square));
    check(selv_kernel(s, program, "times", &times));
    check(selv_buffer(s, sizeof in, NULL, &x));
    check(selv_buffer(s, sizeof in, NULL, &y));
    selv_name(s, x, "x"), selv_name(s, y, "y");
    cl_command_queue queue = own_queue(s);

    upload(s, queue, x, in);
    selv_task squared = selv_launch(s, square, selv_1d(N), selv_out(y), x); /* waits for the upload */
    read_back(s, queue, y, squares);                                        /* waits for `square` */
    selv_task cubed = selv_launch(s, times, selv_1d(N), selv_inout(y), x);  /* waits for the read: it writes y */
    check(selv_read(s, cubes, y, sizeof cubes)); /* waits for `times`, and so for everything */
    tell(s, squared);
    tell(s, cubed);

    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += squares[i] != in[i] * in[i] || cubes[i] != in[i] * in[i] * in[i];
    printf("%d of %d values are wrong\n", wrong, N);

    clReleaseKernel(square), clReleaseKernel(times), clReleaseProgram(program), clReleaseCommandQueue(queue);
    selv_release(s, x), selv_release(s, y);
    check(selv_close(s));
    return wrong != 0;
}
