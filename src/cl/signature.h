/* What a kernel's parameters are: from its argument information, from its program's source, and from what
 * selv_signature said. */
#ifndef SELVI_CL_SIGNATURE_H
#define SELVI_CL_SIGNATURE_H

#include "cl/types.h"

typedef enum selvi_parameter_kind {
    SELVI_PARAMETER_UNKNOWN = 0, /* no argument information */
    SELVI_PARAMETER_GLOBAL,      /* global or generic pointer: buffer, SVM */
    SELVI_PARAMETER_CONSTANT,    /* constant pointer: buffer, SVM */
    SELVI_PARAMETER_LOCAL,
    SELVI_PARAMETER_IMAGE,
    SELVI_PARAMETER_SAMPLER,
    SELVI_PARAMETER_QUEUE, /* and other opaque types (pipe, queue_t) */
    SELVI_PARAMETER_VALUE
} selvi_parameter_kind;

typedef struct selvi_parameter {
    uint8_t kind, mode; /* selvi_parameter_kind, selv_mode (pointers and images) */
    bool assumed;       /* read-write for want of better: a plain non-const pointer, or no information */
    bool declared;      /* selv_signature said the mode (then SELV_WRITE promises an overwrite) */
    bool untracked;     /* selv_signature said "untracked" */
    selvi_type type;    /* of a value; class UNKNOWN if it is no built-in type and was not resolved */
    char *type_name;    /* as the driver reports it, "float*", "real"; NULL without information */
    char *name;         /* NULL without information */
} selvi_parameter;

typedef struct selvi_signature {
    char *name; /* of the kernel */
    unsigned count;
    bool informed;    /* argument information was there */
    bool has_globals; /* its program has program-scope variables */
    selvi_parameter *parameters;
} selvi_signature;

/* clGetKernelInfo, clGetKernelArgInfo, clGetProgramInfo(SOURCE), clGetProgramBuildInfo(OPTIONS,
   GLOBAL_VARIABLE_TOTAL_SIZE where the header and driver have it). const or constant pointer: read. Image: by its
   access qualifier (none: read_only, as OpenCL C says). Other pointers: read-write, assumed. */
selv_status selvi_signature_read(cl_kernel k, cl_device_id device, selvi_signature *out);

/* "out float*, in float*, float, uint": one item for each parameter, separated by commas. An item:
   [in|out|inout|accum|untracked] [type]; empty or "-": as found. A type that ends in * (or a mode) says pointer;
   "local"; an image type name (image2d_t ...); "sampler_t"; any built-in value type. Contradictions with argument
   information (a mode for a value, a value type of another size than the built-in type found), another number of items
   than parameters, and unknown words are refused with SELV_INVALID and a text that shows the item and what was
   expected; then nothing has changed. */
selv_status selvi_signature_declare(selvi_signature *sig, const char *text);

void selvi_signature_destroy(selvi_signature *sig);

/* "argument 2 (x, global float*) of kernel blur": for texts. */
void selvi_parameter_text(const selvi_signature *sig, unsigned index, char *out, size_t bytes);

#endif
