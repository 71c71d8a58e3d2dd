#include "plain.h"

#include "common.h"

#include <stdio.h>

arg memory_arg(cl_mem m)
{
    return (arg){.bytes = sizeof m, .value.memory = m};
}

arg integer_arg(size_t value)
{
    return (arg){.bytes = sizeof(cl_int), .value.integer = (cl_int)value};
}

arg real_arg(size_t real_bytes, double value)
{
    arg a = {.bytes = real_bytes};
    if (real_bytes == sizeof(cl_double))
        a.value.twice = value;
    else
        a.value.single = (cl_float)value;
    return a;
}

arg local_arg(size_t bytes)
{
    return (arg){.bytes = bytes, .local = true};
}

void plain_check(const char *what, cl_int code)
{
    char why[64];
    snprintf(why, sizeof why, "OpenCL says %d", (int)code);
    must(what, code ? why : NULL);
}

cl_device_id plain_device(void)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint count = 0;
    plain_check("clGetPlatformIDs", clGetPlatformIDs(16, platforms, &count));
    for (size_t t = 0; t < 2; t++)
        for (cl_uint i = 0; i < count && i < 16; i++)
            if (!clGetDeviceIDs(platforms[i], types[t], 1, &device, NULL))
                return device;
    must("clGetDeviceIDs", "there is no OpenCL device: install a driver, such as pocl-opencl-icd");
    return NULL;
}

cl_program plain_build(cl_context context, cl_device_id device, const char *source, const char *options)
{
    static char log[16384];
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    plain_check("clCreateProgramWithSource", code);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL)) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        must("clBuildProgram", log);
    }
    return program;
}

void plain_launch(cl_command_queue queue, cl_kernel kernel, range range, cl_uint arg_count, const arg *args,
                  cl_uint wait_count, const cl_event *waits, cl_event *done)
{
    for (cl_uint i = 0; i < arg_count; i++)
        plain_check("clSetKernelArg", clSetKernelArg(kernel, i, args[i].bytes, args[i].local ? NULL : &args[i].value));
    plain_check("clEnqueueNDRangeKernel",
                clEnqueueNDRangeKernel(queue, kernel, range.dims, NULL, range.global, range.local ? &range.local : NULL,
                                       wait_count, wait_count ? waits : NULL, done));
}
