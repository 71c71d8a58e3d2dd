/* A diamond: one upload, two kernels that both read it, one that needs them both.

                  upload
                 /      \
           brighten    darken        side by side: neither writes what the other touches
                 \      /
                  middle

   The text of the calls is that of a program with one queue; the order in it is the only thing said about order. What
   came of it is printed as the graph that the scheduler saw. */
#include <selvedge/graph.h>
#include <selvedge/selvedge.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16 };

static const char source[] = "kernel void brighten(global float *out, global const float *in, float by)"
                             "{ size_t i = get_global_id(0); out[i] = in[i] + by; }"
                             "kernel void darken(global float *out, global const float *in, float by)"
                             "{ size_t i = get_global_id(0); out[i] = in[i] - by; }"
                             "kernel void middle(global float *out, global const float *a, global const float *b)"
                             "{ size_t i = get_global_id(0); out[i] = (a[i] + b[i]) / 2; }";

/* Every call gives a negative number where it fails; what went wrong stands in selv_error(). */
static void check(selv_task status)
{
    if (status < 0)
        puts(selv_error()), exit(1);
}

static cl_mem buffer(selv_scheduler *s, const char *name)
{
    cl_mem m = NULL;
    check(selv_buffer(s, N * sizeof(float), NULL, &m));
    check(selv_name(s, m, name));
    return m;
}

int main(void)
{
    static float pixels[N], result[N];
    selv_scheduler *s = NULL;
    cl_program program = NULL;
    cl_kernel brighten = NULL, darken = NULL, middle = NULL;
    for (int i = 0; i < N; i++)
        pixels[i] = (float)(i % 256);

    check(selv_open(&(selv_config){.flags = SELV_RECORD}, &s));
    check(selv_build(s, source, NULL, &program));
    check(selv_kernel(s, program, "brighten", &brighten));
    check(selv_kernel(s, program, "darken", &darken));
    check(selv_kernel(s, program, "middle", &middle));
    cl_mem image = buffer(s, "image"), bright = buffer(s, "bright"), dark = buffer(s, "dark");

    /* The copy does not wait: its host memory has to stay as it is until it is done. */
    check(selv_copy(s, image, pixels, sizeof pixels));
    check(selv_launch(s, brighten, selv_1d(N), bright, image, 3.0f));
    check(selv_launch(s, darken, selv_1d(N), dark, image, 1.0f));

    /* `image` is used again, for the result: that this has to wait for both who read it is seen as well. */
    check(selv_launch(s, middle, selv_1d(N), selv_out(image), bright, dark));
    check(selv_read(s, result, image, sizeof result));
    check(selv_graph_write(s, SELV_GRAPH_TEXT, stdout));

    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += result[i] != pixels[i] + 1;
    printf("%d of %d values are wrong\n", wrong, N);

    clReleaseKernel(brighten), clReleaseKernel(darken), clReleaseKernel(middle), clReleaseProgram(program);
    selv_release(s, image), selv_release(s, bright), selv_release(s, dark);
    check(selv_close(s));
    return wrong != 0;
}
