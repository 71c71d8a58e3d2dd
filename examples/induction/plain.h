/* What most programs in plain OpenCL have beside them: opening a device, building, and launching in one call. Nothing
   here knows what waits for what; that is left to the caller. */
#ifndef INDUCTION_PLAIN_H
#define INDUCTION_PLAIN_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: its successor is missing on devices of 1.2 */
#endif
#include <CL/cl.h>
#include <stdbool.h>

/* One argument of a kernel: a value, or `bytes` of local memory. */
typedef struct arg {
    size_t bytes;
    bool local;
    union {
        cl_mem memory;
        cl_int integer;
        cl_double twice;
        cl_float single;
    } value;
} arg;

arg memory_arg(cl_mem m);
arg integer_arg(size_t value);
arg real_arg(size_t real_bytes, double value);
arg local_arg(size_t bytes);

typedef struct range {
    cl_uint dims;
    size_t global[2], local; /* local: 0 leaves it to the driver */
} range;

/* Ends the program, and names the call and the code, if an OpenCL call failed. */
void plain_check(const char *what, cl_int code);

/* The first GPU, else the first device. */
cl_device_id plain_device(void);
cl_program plain_build(cl_context context, cl_device_id device, const char *source, const char *options);

/* clSetKernelArg for each, then clEnqueueNDRangeKernel. `done` may be NULL. */
void plain_launch(cl_command_queue queue, cl_kernel kernel, range range, cl_uint arg_count, const arg *args,
                  cl_uint wait_count, const cl_event *waits, cl_event *done);

#endif
