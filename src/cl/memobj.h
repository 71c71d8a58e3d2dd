/* What a cl_mem is: asked once when it is first seen. */
#ifndef SELVI_CL_MEMOBJ_H
#define SELVI_CL_MEMOBJ_H

#include "selvedge/selvedge.h"

typedef struct selvi_memobj {
    cl_mem root;             /* the buffer or image whose storage this is; itself, if it has no parent */
    uint64_t root_bytes;     /* of the root's storage (an image: CL_MEM_SIZE, at least its tight size) */
    uint64_t offset, bytes;  /* the range of the root that this handle covers. An image made from a buffer: from the
                                origin of that buffer (sub-buffers resolved), bytes = row pitch * rows */
    cl_mem_object_type type; /* of the handle itself */
    cl_mem_flags flags;      /* of the handle itself: access flags as given or inherited */
    bool is_image;
    size_t width, height, depth; /* an image's size, 1 where a dimension is missing; array layers count as height (1D
                                    arrays) or depth (2D arrays) */
    size_t element_bytes;
    uint64_t tight_bytes; /* width * height * depth * element_bytes */
} selvi_memobj;

/* SELV_OTHER_CONTEXT if it is not of `context`, SELV_INVALID for NULL or what the driver calls no memory object (pipes
 * are SELV_UNSUPPORTED). */
selv_status selvi_memobj_read(cl_mem m, cl_context context, selvi_memobj *out);

#endif
