/* Makes, without the lock, what an attempt lacked; see task.h. Two threads may make the same thing: the second finds it
 * there and gives its own back. */
#include "base/status.h"
#include "scheduler/retire.h"
#include "scheduler/sub_buffers.h"
#include "scheduler/task.h"
#include "scheduler/waiting.h"

selv_status selvi_need_view(selvi_task *t, cl_mem m)
{
    t->need = (selvi_need){.kind = SELVI_NEED_VIEW, .mem = m};
    return SELVI_AGAIN;
}

/* --- a handle that was never seen --- */

static selv_status add_view(selv_scheduler *s, cl_mem m, const selvi_memobj *info, bool from_buffer)
{
    selvi_lock(s);
    selvi_drain_watches(s);
    selv_status st =
        selvi_view_find(&s->allocations, m) ? SELV_OK : selvi_view_add(&s->allocations, s, m, info, from_buffer);
    selvi_unlock(s);
    return st;
}

static selv_status provide_view(selv_scheduler *s, cl_mem m)
{
    selvi_memobj info, root;
    selv_status st = selvi_memobj_read(m, s->devices.context, &info);
    if (st || info.root == m)
        return st ? st : add_view(s, m, &info, false);
    st = selvi_memobj_read(info.root, s->devices.context, &root);
    st = st ? st : add_view(s, info.root, &root, false);
    return st ? st : add_view(s, m, &info, info.is_image);
}

/* --- kernels --- */

static selv_status provide_kernel(selv_scheduler *s, cl_kernel kernel)
{
    selvi_kernel *made, *old, *spare;
    selv_status st = selvi_kernel_make(kernel, s->devices.context, s->devices.at[0].id, &made);
    if (st)
        return st;
    selvi_lock(s);
    bool there = selvi_kernel_find(&s->kernels, kernel) != NULL;
    st = there ? SELV_OK : selvi_kernel_add(&s->kernels, made);
    spare = there || st ? made : NULL;
    old = selvi_kernel_evict(&s->kernels);
    selvi_unlock(s);
    if (spare)
        selvi_kernel_free(spare);
    if (old)
        selvi_kernel_free(old);
    return st;
}

/* The interned name: it outlives the kernel, and a name may have any length. */
static selv_status program_and_name(selv_scheduler *s, cl_kernel kernel, cl_program *program, const char **name)
{
    selvi_lock(s);
    const selvi_kernel *k = selvi_kernel_find(&s->kernels, kernel);
    *program = k ? k->program : NULL;
    *name = k ? selvi_failures_name(&s->failures, k->signature.name) : NULL;
    selvi_unlock(s);
    return !k ? SELVI_AGAIN : *name ? SELV_OK : CL_OUT_OF_HOST_MEMORY;
}

static selv_status provide_copy(selv_scheduler *s, cl_kernel kernel, uint64_t mask, bool hidden)
{
    const char *name;
    cl_program program;
    cl_kernel copy;
    selv_status st = program_and_name(s, kernel, &program, &name);
    if (st)
        return st == SELVI_AGAIN ? SELV_OK : st;
    if ((st = selvi_kernel_make_copy(program, name, &copy)))
        return st;
    selvi_lock(s);
    selvi_kernel *k = selvi_kernel_find(&s->kernels, kernel);
    bool wanted = k && !selvi_kernel_copy(k, mask, hidden);
    st = wanted ? selvi_kernel_add_copy(k, mask, hidden, copy) : SELV_OK;
    selvi_unlock(s);
    if (!wanted || st)
        clReleaseKernel(copy);
    return st;
}

/* --- lanes --- */

/* The older call is deprecated, and the only one that OpenCL 1.2 has. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static selv_status make_queue(selv_scheduler *s, int device, cl_command_queue *out)
{
    cl_int code;
    const selvi_device *d = &s->devices.at[device];
    *out = d->version >= 200 ? clCreateCommandQueueWithProperties(s->devices.context, d->id, NULL, &code)
                             : clCreateCommandQueue(s->devices.context, d->id, 0, &code);
    return code ? selvi_fail(code, "an in-order queue on device %d (%s) could not be made (%s)", device, d->name,
                             selvi_status_name(code))
                : SELV_OK;
}

static selv_status provide_lane(selv_scheduler *s, selvi_lane_kind kind, int device)
{
    cl_command_queue queue = NULL;
    selvi_lane *lane;
    selv_status st = kind == SELVI_LANE_FOREIGN ? SELV_OK : make_queue(s, device, &queue);
    if (st)
        return st;
    selvi_lock(s);
    st = selvi_lanes_add(&s->lanes, kind, device, queue, &lane);
    selvi_unlock(s);
    if (st && queue)
        clReleaseCommandQueue(queue);
    return st;
}

selv_status selvi_flush_lane(selv_scheduler *s, uint32_t number)
{
    selvi_lock(s);
    selvi_lane *lane = selvi_lane_at(&s->lanes, number);
    uint64_t target = lane->tail;
    cl_command_queue queue = lane->flushed < target ? lane->queue : NULL;
    if (queue)
        clRetainCommandQueue(queue);
    selvi_unlock(s);
    if (!queue)
        return SELV_OK;
    cl_int code = clFlush(queue);
    clReleaseCommandQueue(queue);
    selvi_lock(s);
    if (!code && lane->flushed < target)
        lane->flushed = target;
    selvi_unlock(s);
    return code ? selvi_fail(code, "clFlush failed (%s)", selvi_status_name(code)) : SELV_OK;
}

/* A program that goes on seeing new buffers has let old ones go: our sub-buffers must not keep them alive. */
static selv_status tidy_now_and_then(selv_scheduler *s, selv_status st)
{
    enum { EVERY = 16 };
    selvi_lock(s);
    bool tidied = ++s->seen_count % EVERY == 0 && selvi_sub_buffers_tidy(s, SELVI_TIDY_SOME);
    selvi_unlock(s);
    if (tidied)
        selvi_reap(s);
    return st;
}

selv_status selvi_provide(selv_scheduler *s, const selvi_need *need)
{
    switch (need->kind) {
    case SELVI_NEED_VIEW: return tidy_now_and_then(s, provide_view(s, need->mem));
    case SELVI_NEED_SUB_BUFFER: return tidy_now_and_then(s, selvi_sub_buffer_provide(s, need));
    case SELVI_NEED_KERNEL: return provide_kernel(s, need->kernel);
    case SELVI_NEED_COPY: return provide_copy(s, need->kernel, need->svm_mask, need->hidden);
    case SELVI_NEED_LANE: return provide_lane(s, need->lane_kind, need->device);
    case SELVI_NEED_FLUSH: return selvi_flush_lane(s, need->lane);
    case SELVI_NEED_ROOM: return selvi_wait_for_room(s);
    case SELVI_NEED_COMPLETE: return selvi_wait_epoch(s, need->producer);
    case SELVI_NEED_ANOTHER_TRY: return SELV_OK;
    case SELVI_NEED_NOTHING: break;
    }
    return selvi_fail(SELV_INTERNAL, "an attempt asked for nothing");
}
