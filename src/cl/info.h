/* What the clGet*Info calls answer, read in one way: texts of any length, and texts put together piece by piece. */
#ifndef SELVI_CL_INFO_H
#define SELVI_CL_INFO_H

#include "selvedge/selvedge.h"

/* Who is asked. `device` and `index` only where the call takes them. */
typedef struct selvi_subject {
    void *object; /* cl_platform_id, cl_device_id, cl_program, cl_kernel */
    cl_device_id device;
    cl_uint index;
} selvi_subject;

typedef cl_int (*selvi_ask)(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed);
cl_int selvi_ask_platform(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed);
cl_int selvi_ask_device(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed);
cl_int selvi_ask_program(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed);
cl_int selvi_ask_build(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed);
cl_int selvi_ask_kernel(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed);
cl_int selvi_ask_argument(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed);

/* The whole text, to be freed with selvi_free; "" where the answer has no bytes at all. The driver's code if it
   refuses, and then no text of failure is set: what it means is known by the caller only. */
selv_status selvi_info_text(selvi_ask ask, selvi_subject who, cl_uint what, char **out);

/* The text as far as it fits; "" if the driver refuses. */
void selvi_info_short(selvi_ask ask, selvi_subject who, cl_uint what, char *out, size_t bytes);

/* CL_DEVICE_VERSION times 100: 120, 300; 0 if it cannot be read. */
unsigned selvi_device_version(cl_device_id device);

/* Adds to the text in `out`, which has room for `bytes`; what does not fit is cut off. */
void selvi_append(char *out, size_t bytes, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
