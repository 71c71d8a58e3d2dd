/* One OpenCL command, as data: filled in while arguments are checked, put into a queue in one step (the one that cannot
 * be taken back). */
#ifndef SELVI_CL_COMMAND_H
#define SELVI_CL_COMMAND_H

#include "selvedge/selvedge.h"

typedef enum selvi_command_kind {
    SELVI_COMMAND_MARKER = 0, /* keeps a place: a launch of no work-items, an export */
    SELVI_COMMAND_LAUNCH,
    SELVI_COMMAND_COPY_BUFFER,
    SELVI_COMMAND_READ_BUFFER,
    SELVI_COMMAND_WRITE_BUFFER,
    SELVI_COMMAND_FILL_BUFFER,
    SELVI_COMMAND_COPY_IMAGE,
    SELVI_COMMAND_READ_IMAGE,
    SELVI_COMMAND_WRITE_IMAGE,
    SELVI_COMMAND_FILL_IMAGE,
    SELVI_COMMAND_IMAGE_TO_BUFFER,
    SELVI_COMMAND_BUFFER_TO_IMAGE,
    SELVI_COMMAND_MAP_BUFFER,
    SELVI_COMMAND_UNMAP_BUFFER,
    SELVI_COMMAND_SVM_COPY,
    SELVI_COMMAND_SVM_FILL,
    SELVI_COMMAND_SVM_MAP,
    SELVI_COMMAND_SVM_UNMAP
} selvi_command_kind;

enum { SELVI_MOST_ARGUMENTS = 64, SELVI_VALUE_BYTES = 128 };

/* A value for clSetKernelArg, or an address for clSetKernelArgSVMPointer. */
typedef struct selvi_bound {
    enum { SELVI_BOUND_VALUE, SELVI_BOUND_SVM } kind;
    size_t bytes;
    const void *value; /* NULL with bytes: local memory; or the SVM address itself */
    union {            /* where a small value stands; samplers and queues as raw bytes */
        cl_mem mem;
        unsigned char raw[8];
    } small;
} selvi_bound;

typedef struct selvi_launch {
    cl_kernel kernel; /* the private copy, whose arguments nobody else sets */
    selv_range range;
    unsigned count;
    selvi_bound *bound;
    void **hidden; /* SVM blocks that the kernel reaches through pointers in memory */
    size_t hidden_count;
} selvi_launch;

typedef struct selvi_command {
    selvi_command_kind kind;
    cl_mem dst, src;
    void *dst_pointer;
    const void *src_pointer;
    uint64_t dst_offset, src_offset, bytes;
    size_t region[3]; /* of images */
    cl_map_flags map_flags;
    void **mapped; /* MAP_BUFFER: where the address goes */
    const void *pattern;
    size_t pattern_bytes;
    selvi_launch *launch;
} selvi_command;

/* Puts the command into the queue. On failure nothing was put there, and the driver's code comes back; the text names
   the call (and for a launch, what the driver disliked: work-group size, arguments). */
selv_status selvi_command_enqueue(const selvi_command *c, cl_command_queue queue, cl_uint wait_count,
                                  const cl_event *waits, cl_event *out);

/* Is this launch's range something the kernel can run with? The text says which limit is exceeded. */
selv_status selvi_range_check(const selv_range *r, size_t work_group_most, const size_t *item_most);
bool selvi_range_empty(const selv_range *r);

#endif
