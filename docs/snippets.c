/* Runs every block of C in a page (snippets.sh makes functions of them) with the names that the page uses. Each has to
   leave a scheduler behind that has nothing to complain of. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <selvedge/selvedge.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOATS = 1024 };

static const char source[] =
    "kernel void scale(global float *y, global const float *x, float by)"
    "{ size_t i = get_global_id(0); y[i] = by * x[i]; }"
    "kernel void add(global float *z, global const float *x, global const float *y)"
    "{ size_t i = get_global_id(0); z[i] = x[i] + y[i]; }"
    "kernel void invert(write_only image2d_t to, read_only image2d_t from)"
    "{ int2 at = (int2)(get_global_id(0), get_global_id(1)); write_imagef(to, at, 1 - read_imagef(from, at)); }";

static selv_scheduler *s;
static cl_context context;
static cl_command_queue queue, copies, unordered;
static cl_program program;
static cl_kernel scale, add, invert;
static cl_mem a, b, c, picture, negative;
static float host[FLOATS], result[FLOATS];
static unsigned char pixels[16 * 16 * 4];
static size_t n = FLOATS, bytes = sizeof host;

typedef void (*snippet)(void);
#include BLOCKS

static void check(const char *what, int status)
{
    if (status)
        printf("%s: %s\n", what, selv_error()), exit(1);
}

static void open_opencl(void)
{
    cl_platform_id platform;
    cl_device_id device;
    check("platform", clGetPlatformIDs(1, &platform, NULL));
    check("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    copies = clCreateCommandQueue(context, device, 0, NULL);
    unordered = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
}

static cl_mem image(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    return clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, NULL);
}

static void open_selvedge(void)
{
    selv_config config = {.context = context};
    check("open", selv_open(&config, &s));
    check("build", selv_build(s, source, NULL, &program));
    check("scale", selv_kernel(s, program, "scale", &scale));
    check("add", selv_kernel(s, program, "add", &add));
    check("invert", selv_kernel(s, program, "invert", &invert));
    cl_mem *buffers[] = {&a, &b, &c};
    for (size_t i = 0; i < 3; i++)
        check("buffer", selv_buffer(s, bytes, host, buffers[i]));
    picture = image();
    negative = image();
}

int main(void)
{
    open_opencl();
    open_selvedge();
    for (size_t i = 0; i < sizeof snippets / sizeof *snippets; i++) {
        char name[32];
        snprintf(name, sizeof name, "block %zu", i + 1);
        snippets[i]();
        check(name, clFinish(queue) || clFinish(copies) || clFinish(unordered));
        check(name, selv_finish(s));
    }
    printf("%zu blocks ran\n", sizeof snippets / sizeof *snippets);
    clReleaseMemObject(picture), clReleaseMemObject(negative);
    selv_release(s, a), selv_release(s, b), selv_release(s, c);
    clReleaseKernel(scale), clReleaseKernel(add), clReleaseKernel(invert), clReleaseProgram(program);
    clReleaseCommandQueue(queue), clReleaseCommandQueue(copies), clReleaseCommandQueue(unordered);
    check("close", selv_close(s));
    return clReleaseContext(context);
}
