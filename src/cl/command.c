#include "cl/command.h"

#include "base/status.h"

static const size_t zero[3];

static selv_status set_one(cl_kernel kernel, unsigned index, const selvi_bound *b)
{
    cl_int code = b->kind == SELVI_BOUND_SVM ? clSetKernelArgSVMPointer(kernel, index, b->value)
                                             : clSetKernelArg(kernel, index, b->bytes, b->value);
    if (!code)
        return SELV_OK;
    return selvi_fail(code,
                      "argument %u: the driver refuses %zu bytes for it (%s): the type at the call and in the kernel "
                      "differ; declare it with selv_signature, or pass a value of the right size with selv_value",
                      index, b->bytes, selvi_status_name(code));
}

/* NVIDIA's driver refuses an empty list (-30), so a list is only ever replaced; kernels without one are other copies
 * (src/scheduler/kernels.h). */
static selv_status set_hidden(const selvi_launch *l)
{
    if (!l->hidden_count)
        return SELV_OK;
    cl_int code =
        clSetKernelExecInfo(l->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, l->hidden_count * sizeof *l->hidden, l->hidden);
    return code ? selvi_fail(code, "the driver refuses the list of SVM blocks reached through pointers in memory (%s)",
                             selvi_status_name(code))
                : SELV_OK;
}

static selv_status set_arguments(const selvi_launch *l)
{
    selv_status st = set_hidden(l);
    for (unsigned i = 0; !st && i < l->count; i++)
        st = set_one(l->kernel, i, &l->bound[i]);
    return st;
}

static selv_status launch_refused(cl_int code, const selv_range *r)
{
    return selvi_fail(
        code,
        "the driver refuses the launch (%s): %u dimension%s, global size %zu x %zu x %zu, work-group %zu x %zu x %zu. "
        "A work-group has to divide the global size and stay within what the kernel and the device allow; "
        "leave selv_group out and the driver chooses",
        selvi_status_name(code), r->dims, r->dims == 1 ? "" : "s", r->global[0], r->global[1], r->global[2],
        r->local[0], r->local[1], r->local[2]);
}

static selv_status launch(const selvi_launch *l, cl_command_queue q, cl_uint n, const cl_event *waits, cl_event *out)
{
    selv_status st = set_arguments(l);
    if (st)
        return st;
    const selv_range *r = &l->range;
    cl_int code = clEnqueueNDRangeKernel(q, l->kernel, r->dims, r->offset, r->global, r->local[0] ? r->local : NULL, n,
                                         waits, out);
    return code ? launch_refused(code, r) : SELV_OK;
}

static cl_int map_buffer(const selvi_command *c, cl_command_queue q, cl_uint n, const cl_event *w, cl_event *out)
{
    cl_int code;
    *c->mapped = clEnqueueMapBuffer(q, c->src, CL_FALSE, c->map_flags, c->src_offset, c->bytes, n, w, out, &code);
    return code;
}

/* n == 0 needs waits == NULL. */
static cl_int put(const selvi_command *c, cl_command_queue q, cl_uint n, const cl_event *w, cl_event *out)
{
    switch (c->kind) {
    case SELVI_COMMAND_MARKER: return clEnqueueMarkerWithWaitList(q, n, w, out);
    case SELVI_COMMAND_COPY_BUFFER:
        return clEnqueueCopyBuffer(q, c->src, c->dst, c->src_offset, c->dst_offset, c->bytes, n, w, out);
    case SELVI_COMMAND_READ_BUFFER:
        return clEnqueueReadBuffer(q, c->src, CL_FALSE, c->src_offset, c->bytes, c->dst_pointer, n, w, out);
    case SELVI_COMMAND_WRITE_BUFFER:
        return clEnqueueWriteBuffer(q, c->dst, CL_FALSE, c->dst_offset, c->bytes, c->src_pointer, n, w, out);
    case SELVI_COMMAND_FILL_BUFFER:
        return clEnqueueFillBuffer(q, c->dst, c->pattern, c->pattern_bytes, c->dst_offset, c->bytes, n, w, out);
    case SELVI_COMMAND_COPY_IMAGE: return clEnqueueCopyImage(q, c->src, c->dst, zero, zero, c->region, n, w, out);
    case SELVI_COMMAND_READ_IMAGE:
        return clEnqueueReadImage(q, c->src, CL_FALSE, zero, c->region, 0, 0, c->dst_pointer, n, w, out);
    case SELVI_COMMAND_WRITE_IMAGE:
        return clEnqueueWriteImage(q, c->dst, CL_FALSE, zero, c->region, 0, 0, c->src_pointer, n, w, out);
    case SELVI_COMMAND_FILL_IMAGE: return clEnqueueFillImage(q, c->dst, c->pattern, zero, c->region, n, w, out);
    case SELVI_COMMAND_IMAGE_TO_BUFFER:
        return clEnqueueCopyImageToBuffer(q, c->src, c->dst, zero, c->region, c->dst_offset, n, w, out);
    case SELVI_COMMAND_BUFFER_TO_IMAGE:
        return clEnqueueCopyBufferToImage(q, c->src, c->dst, c->src_offset, zero, c->region, n, w, out);
    case SELVI_COMMAND_MAP_BUFFER: return map_buffer(c, q, n, w, out);
    case SELVI_COMMAND_UNMAP_BUFFER: return clEnqueueUnmapMemObject(q, c->src, c->dst_pointer, n, w, out);
    case SELVI_COMMAND_SVM_COPY:
        return clEnqueueSVMMemcpy(q, CL_FALSE, c->dst_pointer, c->src_pointer, c->bytes, n, w, out);
    case SELVI_COMMAND_SVM_FILL:
        return clEnqueueSVMMemFill(q, c->dst_pointer, c->pattern, c->pattern_bytes, c->bytes, n, w, out);
    case SELVI_COMMAND_SVM_MAP: return clEnqueueSVMMap(q, CL_FALSE, c->map_flags, c->dst_pointer, c->bytes, n, w, out);
    case SELVI_COMMAND_SVM_UNMAP: return clEnqueueSVMUnmap(q, c->dst_pointer, n, w, out);
    case SELVI_COMMAND_LAUNCH: break;
    }
    return CL_INVALID_OPERATION;
}

static const char *const calls[] = {
    "clEnqueueMarkerWithWaitList",
    "clEnqueueNDRangeKernel",
    "clEnqueueCopyBuffer",
    "clEnqueueReadBuffer",
    "clEnqueueWriteBuffer",
    "clEnqueueFillBuffer",
    "clEnqueueCopyImage",
    "clEnqueueReadImage",
    "clEnqueueWriteImage",
    "clEnqueueFillImage",
    "clEnqueueCopyImageToBuffer",
    "clEnqueueCopyBufferToImage",
    "clEnqueueMapBuffer",
    "clEnqueueUnmapMemObject",
    "clEnqueueSVMMemcpy",
    "clEnqueueSVMMemFill",
    "clEnqueueSVMMap",
    "clEnqueueSVMUnmap",
};

selv_status selvi_command_enqueue(const selvi_command *c, cl_command_queue queue, cl_uint wait_count,
                                  const cl_event *waits, cl_event *out)
{
    const cl_event *list = wait_count ? waits : NULL;
    if (c->kind == SELVI_COMMAND_LAUNCH)
        return launch(c->launch, queue, wait_count, list, out);
    cl_int code = put(c, queue, wait_count, list, out);
    return code ? selvi_fail(code, "%s was refused by the driver (%s)", calls[c->kind], selvi_status_name(code))
                : SELV_OK;
}

bool selvi_range_empty(const selv_range *r)
{
    for (unsigned i = 0; i < r->dims; i++)
        if (!r->global[i])
            return true;
    return false;
}

static selv_status check_group(const selv_range *r, size_t work_group_most, const size_t *item_most)
{
    size_t product = 1;
    for (unsigned i = 0; i < r->dims; i++) {
        if (!r->local[i])
            return selvi_fail(CL_INVALID_WORK_GROUP_SIZE,
                              "work-group size %zu x %zu x %zu for %u dimensions: each has to be 1 or more "
                              "(or all 0: the driver chooses)",
                              r->local[0], r->local[1], r->local[2], r->dims);
        if (r->local[i] > item_most[i])
            return selvi_fail(CL_INVALID_WORK_ITEM_SIZE,
                              "work-group size %zu in dimension %u: the device allows at most %zu there", r->local[i],
                              i, item_most[i]);
        product *= r->local[i];
    }
    if (product > work_group_most)
        return selvi_fail(CL_INVALID_WORK_GROUP_SIZE,
                          "a work-group of %zu x %zu x %zu = %zu work-items: the device allows at most %zu",
                          r->local[0], r->local[1], r->local[2], product, work_group_most);
    return SELV_OK;
}

selv_status selvi_range_check(const selv_range *r, size_t work_group_most, const size_t *item_most)
{
    if (r->dims < 1 || r->dims > 3)
        return selvi_fail(CL_INVALID_WORK_DIMENSION,
                          "a range of %u dimensions: expected 1 to 3; make it with selv_1d, selv_2d or selv_3d",
                          r->dims);
    return r->local[0] || r->local[1] || r->local[2] ? check_group(r, work_group_most, item_most) : SELV_OK;
}
