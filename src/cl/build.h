/* Programs and kernels made for the user. */
#ifndef SELVI_CL_BUILD_H
#define SELVI_CL_BUILD_H

#include "cl/device.h"

/* clCreateProgramWithSource + clBuildProgram for every device of d, with "-cl-kernel-arg-info" added to `options` (may
   be NULL) unless it is there. A failed build returns the driver's code; the text begins with the device and holds the
   build log, as much as there is room for, from its first "error" on where it is too long. */
selv_status selvi_build_program(const selvi_devices *d, const char *source, const char *options, cl_program *out);

/* Where to begin showing a log for which there is so much room: at its first words, or, where it is longer, at the line
   of its first "error". */
const char *selvi_build_log_shown(const char *log, size_t room);

/* clCreateKernel; if there is no such kernel, the text lists those that there are. */
selv_status selvi_build_kernel(cl_program program, const char *name, cl_kernel *out);

#endif
