/* The shortest useful program: two kernels, of which the second reads what the first one writes. Nobody says so. The
   scheduler sees it from the arguments, puts the wait in, and can tell of it in words. */
#include <selvedge/graph.h>
#include <selvedge/selvedge.h>
#include <stdio.h>

enum { N = 1024 };

/* `const` is all that a kernel has to say: x is read. A pointer without it is read and written. */
static const char source[] = "kernel void square(global float *y, global const float *x)"
                             "{ size_t i = get_global_id(0); y[i] = x[i] * x[i]; }"
                             "kernel void shift(global float *z, global const float *y, float by)"
                             "{ size_t i = get_global_id(0); z[i] = y[i] + by; }";

int main(void)
{
    selv_scheduler *s = NULL;
    cl_program program = NULL;
    cl_kernel square = NULL, shift = NULL;
    cl_mem x = NULL, y = NULL, z = NULL;
    float in[N], out[N];
    char reasons[512];

    for (int i = 0; i < N; i++)
        in[i] = (float)i;

    /* Recording is for the words at the end. Without it, NULL in place of the configuration does. */
    if (selv_open(&(selv_config){.flags = SELV_RECORD}, &s) || selv_build(s, source, NULL, &program) ||
        selv_kernel(s, program, "square", &square) || selv_kernel(s, program, "shift", &shift) ||
        selv_buffer(s, sizeof in, in, &x) || selv_buffer(s, sizeof in, NULL, &y) ||
        selv_buffer(s, sizeof out, NULL, &z) || selv_name(s, y, "squares"))
        return puts(selv_error()), 1;

    selv_launch(s, square, selv_1d(N), y, x);
    selv_task last = selv_launch(s, shift, selv_1d(N), z, y, 0.5f);

    /* selv_read waits for z, and so for all that z needed. */
    if (selv_read(s, out, z, sizeof out) || selv_explain(s, last, reasons, sizeof reasons))
        return puts(selv_error()), 1;
    fputs(reasons, stdout);

    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += out[i] != in[i] * in[i] + 0.5f;
    printf("%d of %d values are wrong\n", wrong, N);

    /* Kernels and programs are OpenCL's own, and yours. Closing tells of any failure that nobody has asked about. */
    clReleaseKernel(square), clReleaseKernel(shift), clReleaseProgram(program);
    selv_release(s, x), selv_release(s, y), selv_release(s, z);
    return selv_close(s) ? puts(selv_error()), 1 : wrong != 0;
}
