#include "cl/memobj.h"

#include "base/status.h"

static bool is_image(cl_mem_object_type type)
{
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

static size_t mem_size(cl_mem m, cl_mem_info what)
{
    size_t value = 0;
    clGetMemObjectInfo(m, what, sizeof value, &value, NULL);
    return value;
}

static cl_mem_object_type mem_type(cl_mem m)
{
    cl_mem_object_type type = 0;
    clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof type, &type, NULL);
    return type;
}

static cl_mem_flags mem_flags(cl_mem m)
{
    cl_mem_flags flags = 0;
    clGetMemObjectInfo(m, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    return flags;
}

static size_t image_size(cl_mem m, cl_image_info what)
{
    size_t value = 0;
    clGetImageInfo(m, what, sizeof value, &value, NULL);
    return value;
}

/* OpenCL 2.0 tells an image's parent by CL_MEM_ASSOCIATED_MEMOBJECT, 1.2 by CL_IMAGE_BUFFER; drivers of 3.0 may know
   only one of them. */
static cl_mem parent_of(cl_mem m, cl_mem_object_type type)
{
    cl_mem parent = NULL;
    clGetMemObjectInfo(m, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL);
    if (!parent && is_image(type))
        clGetImageInfo(m, CL_IMAGE_BUFFER, sizeof parent, &parent, NULL);
    return parent == m ? NULL : parent;
}

/* Array layers stand where the missing dimension would. */
static void read_dimensions(cl_mem m, selvi_memobj *out)
{
    size_t layers = image_size(m, CL_IMAGE_ARRAY_SIZE);
    out->width = image_size(m, CL_IMAGE_WIDTH);
    out->height = image_size(m, CL_IMAGE_HEIGHT);
    out->depth = image_size(m, CL_IMAGE_DEPTH);
    if (out->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        out->height = layers;
    if (out->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        out->depth = layers;
    out->height = out->height ? out->height : 1;
    out->depth = out->depth ? out->depth : 1;
    out->element_bytes = image_size(m, CL_IMAGE_ELEMENT_SIZE);
    out->tight_bytes = (uint64_t)out->width * out->height * out->depth * out->element_bytes;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Whole rows of the buffer that the image lies in; the last one may be cut off by the buffer's end. */
static uint64_t image_bytes_in_buffer(cl_mem m, const selvi_memobj *o)
{
    uint64_t row = most(image_size(m, CL_IMAGE_ROW_PITCH), (uint64_t)o->width * o->element_bytes);
    return row * o->height;
}

static uint64_t own_bytes(cl_mem m, cl_mem_object_type type)
{
    selvi_memobj o = {.type = type};
    if (!is_image(type))
        return mem_size(m, CL_MEM_SIZE);
    read_dimensions(m, &o);
    return most(mem_size(m, CL_MEM_SIZE), o.tight_bytes);
}

/* Follows parents to the root. The first buffer on the way has the offset: a sub-buffer's parent is a root, says
   OpenCL, and NVIDIA (driver 580), which makes sub-buffers of sub-buffers, counts their CL_MEM_OFFSET from the root as
   well. */
static void resolve(cl_mem m, selvi_memobj *out)
{
    bool counted = false;
    out->root = m;
    for (cl_mem parent = parent_of(m, out->type); parent; parent = parent_of(parent, mem_type(parent))) {
        if (!counted && mem_type(out->root) == CL_MEM_OBJECT_BUFFER) {
            out->offset = mem_size(out->root, CL_MEM_OFFSET);
            counted = true;
        }
        out->root = parent;
    }
    out->root_bytes = own_bytes(out->root, mem_type(out->root));
}

static void read_range(cl_mem m, selvi_memobj *out)
{
    bool root_is_image = is_image(mem_type(out->root));
    if (out->is_image && root_is_image) /* the image itself, or another look at the same one */
        out->bytes = out->root_bytes;
    else
        out->bytes = out->is_image ? image_bytes_in_buffer(m, out) : mem_size(m, CL_MEM_SIZE);
    if (out->offset > out->root_bytes)
        out->offset = out->root_bytes;
    if (out->bytes > out->root_bytes - out->offset)
        out->bytes = out->root_bytes - out->offset;
}

#define ACCESS_FLAGS (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE)

/* A handle made without access flags has those of its parent; a root made without any is for both. */
static cl_mem_flags flags_of(cl_mem m)
{
    cl_mem_flags own = mem_flags(m), found = own;
    cl_mem parent = parent_of(m, mem_type(m));
    while (!(found & ACCESS_FLAGS) && parent) {
        found = mem_flags(parent);
        parent = parent_of(parent, mem_type(parent));
    }
    found &= ACCESS_FLAGS;
    return own | (found ? found : CL_MEM_READ_WRITE);
}

static selv_status check(cl_mem m, cl_context context)
{
    cl_context own = NULL;
    if (!m)
        return selvi_fail(SELV_INVALID,
                          "the memory object is NULL: pass a cl_mem that clCreateBuffer, clCreateImage or "
                          "selv_buffer made");
    cl_int st = clGetMemObjectInfo(m, CL_MEM_CONTEXT, sizeof own, &own, NULL);
    if (st)
        return selvi_fail(SELV_INVALID, "%p is no memory object (%s): was it released?", (void *)m,
                          selvi_status_name(st));
    if (own != context)
        return selvi_fail(
            SELV_OTHER_CONTEXT,
            "the memory object %p belongs to context %p, and the scheduler works in context %p: create it "
            "with selv_context(s), or open the scheduler with the other context",
            (void *)m, (void *)own, (void *)context);
    return SELV_OK;
}

static selv_status check_type(cl_mem m, cl_mem_object_type type)
{
    if (type == CL_MEM_OBJECT_BUFFER || is_image(type))
        return SELV_OK;
    if (type == CL_MEM_OBJECT_PIPE)
        return selvi_fail(SELV_UNSUPPORTED,
                          "the memory object %p is a pipe, whose accesses nobody can order from "
                          "outside: hand the data over in a buffer",
                          (void *)m);
    return selvi_fail(SELV_UNSUPPORTED, "the memory object %p is of type 0x%x, and only buffers and images are known",
                      (void *)m, (unsigned)type);
}

selv_status selvi_memobj_read(cl_mem m, cl_context context, selvi_memobj *out)
{
    selvi_memobj o = {0};
    selv_status st = check(m, context);
    if (st)
        return st;
    o.type = mem_type(m);
    st = check_type(m, o.type);
    if (st)
        return st;
    o.is_image = is_image(o.type);
    if (o.is_image)
        read_dimensions(m, &o);
    resolve(m, &o);
    read_range(m, &o);
    o.flags = flags_of(m);
    *out = o;
    return SELV_OK;
}
