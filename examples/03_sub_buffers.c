/* Parts of one buffer: two halves are worked on side by side, then the whole.

       numbers   |---- left ----|---- right ----|
       add 1     |==============|                      argument: selv_part, the scheduler makes the sub-buffer
       add 2                    |===============|      argument: a sub-buffer that you made yourself
       double    |==============================|      waits for both

   Parts that have no byte in common never wait for each other, whatever handle names them. */
#include <selvedge/graph.h>
#include <selvedge/selvedge.h>
#include <stdio.h>
#include <stdlib.h>

/* A sub-buffer begins at a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN, 128 or 512 bytes on the devices that this was
   tried on. A part that begins elsewhere is refused, in words that name the alignment. */
enum { HALF = 1 << 14, N = 2 * HALF };
#define HALF_BYTES (HALF * sizeof(cl_int))

static const char source[] = "kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }"
                             "kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }";

static void check(selv_task status)
{
    if (status < 0)
        puts(selv_error()), exit(1);
}

static cl_mem upper_half(cl_mem all)
{
    cl_int code;
    const cl_buffer_region region = {HALF_BYTES, HALF_BYTES};
    cl_mem half = clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code)
        printf("clCreateSubBuffer: %d\n", code), exit(1);
    return half;
}

/* What a task depended on, in sentences. */
static void tell(selv_scheduler *s, selv_task task)
{
    char text[1024];
    check(selv_explain(s, task, text, sizeof text));
    fputs(text, stdout);
}

int main(void)
{
    static cl_int out[N];
    selv_scheduler *s = NULL;
    cl_program program = NULL;
    cl_kernel add = NULL, twice = NULL;
    cl_mem numbers = NULL;

    check(selv_open(&(selv_config){.flags = SELV_RECORD}, &s));
    check(selv_build(s, source, NULL, &program));
    check(selv_kernel(s, program, "add", &add));
    check(selv_kernel(s, program, "twice", &twice));
    /* Said once for every launch: neither pointer is const, and both kernels really read and write. */
    check(selv_signature(s, add, "inout, -"));
    check(selv_signature(s, twice, "inout"));
    check(selv_buffer(s, sizeof out, NULL, &numbers));
    check(selv_name(s, numbers, "numbers"));
    check(selv_zero(s, numbers, sizeof out));
    cl_mem right = upper_half(numbers);

    selv_task on_left = selv_launch(s, add, selv_1d(HALF), selv_part(numbers, 0, HALF_BYTES), 1);
    selv_task on_right = selv_launch(s, add, selv_1d(HALF), right, 2);
    selv_task on_all = selv_launch(s, twice, selv_1d(N), numbers);
    check(selv_read(s, out, numbers, sizeof out));
    tell(s, on_left);
    tell(s, on_right);
    tell(s, on_all);

    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += out[i] != (i < HALF ? 2 : 4);
    printf("%d of %d values are wrong\n", wrong, N);

    clReleaseKernel(add), clReleaseKernel(twice), clReleaseProgram(program);
    selv_release(s, right), selv_release(s, numbers);
    check(selv_close(s));
    return wrong != 0;
}
