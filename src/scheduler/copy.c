/* Copies, fills, reads and writes: which OpenCL command moves bytes between two kinds of memory, and the accesses it
 * makes. */
#include "base/status.h"
#include "cl/types.h"
#include "scheduler/resolve.h"
#include "scheduler/sub_buffers.h"
#include "scheduler/waiting.h"

#include <stdio.h>

typedef enum place_kind { BUFFER, IMAGE, SVM, HOST, PLACE_KINDS } place_kind;

typedef struct copying {
    const char *call;
    const selv_arg *dst, *src;
    size_t bytes;
    selvi_place to, from;
    place_kind to_kind, from_kind;
    uint64_t to_begin, from_begin, length;
} copying;

enum { DESTINATION, SOURCE };

/* by destination, then source */
static const selvi_command_kind commands[PLACE_KINDS][PLACE_KINDS] = {
    [BUFFER] = {SELVI_COMMAND_COPY_BUFFER, SELVI_COMMAND_IMAGE_TO_BUFFER, SELVI_COMMAND_COPY_BUFFER,
                SELVI_COMMAND_WRITE_BUFFER},
    [IMAGE] = {SELVI_COMMAND_BUFFER_TO_IMAGE, SELVI_COMMAND_COPY_IMAGE, SELVI_COMMAND_BUFFER_TO_IMAGE,
               SELVI_COMMAND_WRITE_IMAGE},
    [SVM] = {SELVI_COMMAND_COPY_BUFFER, SELVI_COMMAND_IMAGE_TO_BUFFER, SELVI_COMMAND_SVM_COPY, SELVI_COMMAND_SVM_COPY},
    [HOST] = {SELVI_COMMAND_READ_BUFFER, SELVI_COMMAND_READ_IMAGE, SELVI_COMMAND_SVM_COPY, SELVI_COMMAND_MARKER},
};

static place_kind kind_of(selv_scheduler *s, const selvi_place *p)
{
    if (p->view)
        return p->view->shape ? IMAGE : BUFFER;
    return selvi_allocation_at(&s->allocations, p->slot)->kind == SELVI_SVM ? SVM : HOST;
}

static selv_status check_image(const selvi_place *p, size_t bytes)
{
    if (!p->view || !p->view->shape || p->view->shape->tight_bytes == bytes)
        return SELV_OK;
    return selvi_fail(SELV_OUT_OF_RANGE,
                      "%zu bytes for an image of %zu x %zu x %zu elements of %zu bytes: images are copied whole and "
                      "without padding, %llu bytes",
                      bytes, p->view->shape->region[0], p->view->shape->region[1], p->view->shape->region[2],
                      p->view->shape->element_bytes, (unsigned long long)p->view->shape->tight_bytes);
}

/* An image covers more bytes of its allocation than are copied where its rows are padded. */
static size_t accessed_bytes(const selvi_place *p, size_t bytes)
{
    return p->view && p->view->shape ? SIZE_MAX : bytes;
}

static selv_status add(selv_scheduler *s, const copying *c, bool destination)
{
    const selvi_place *p = destination ? &c->to : &c->from;
    return selvi_resolve_access(s, &s->scratch.accesses, destination ? c->dst : c->src, p, accessed_bytes(p, c->bytes),
                                destination ? SELV_WRITE : SELV_READ, destination ? SELVI_ACCESS_OVERWRITES : 0,
                                destination ? DESTINATION : SOURCE);
}

static selv_status check_overlap(const copying *c)
{
    bool same = c->to.slot == c->from.slot && c->to_kind != IMAGE && c->from_kind != IMAGE;
    if (!same || c->to_begin + c->bytes <= c->from_begin || c->from_begin + c->bytes <= c->to_begin)
        return SELV_OK;
    return selvi_fail(CL_MEM_COPY_OVERLAP,
                      "source bytes [%llu, %llu) and destination bytes [%llu, %llu) of one allocation overlap: copy "
                      "through other memory",
                      (unsigned long long)c->from_begin, (unsigned long long)(c->from_begin + c->bytes),
                      (unsigned long long)c->to_begin, (unsigned long long)(c->to_begin + c->bytes));
}

static selv_status host_to_host(selv_scheduler *s, const copying *c)
{
    bool to_freed = selvi_allocations_was_freed(&s->allocations, c->dst->pointer);
    if (to_freed || selvi_allocations_was_freed(&s->allocations, c->src->pointer))
        return selvi_fail(SELV_RELEASED, "the %s is inside an SVM block that was freed or untracked before this call",
                          to_freed ? "destination" : "source");
    return selvi_fail(SELV_UNKNOWN_POINTER, "neither address is in a known allocation: host memory to host memory is "
                                            "memcpy's work; SVM of your own is announced with selv_track");
}

static selv_status resolve_both(selv_scheduler *s, selvi_task *t, copying *c)
{
    selv_status st = selvi_resolve(s, t, c->dst, true, &c->to);
    st = st ? st : selvi_resolve(s, t, c->src, true, &c->from);
    if (st)
        return st;
    c->to_kind = kind_of(s, &c->to);
    c->from_kind = kind_of(s, &c->from);
    if (c->to_kind == HOST && c->from_kind == HOST)
        return host_to_host(s, c);
    st = check_image(&c->to, c->bytes);
    return st ? st : check_image(&c->from, c->bytes);
}

static selv_status find_ranges(selv_scheduler *s, copying *c)
{
    uint64_t length;
    selv_status st = selvi_resolve_range(s, c->dst, &c->to, accessed_bytes(&c->to, c->bytes), &c->to_begin, &length);
    st =
        st ? st : selvi_resolve_range(s, c->src, &c->from, accessed_bytes(&c->from, c->bytes), &c->from_begin, &length);
    return st ? st : check_overlap(c);
}

/* The memory object that stands for one side, and where in it; an SVM block beside a buffer or image goes by its alias
 * buffer. */
static selv_status object(selv_scheduler *s, selvi_task *t, const selvi_place *p, place_kind kind, place_kind other,
                          cl_mem *out)
{
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, p->slot);
    if (kind == SVM && (other == BUFFER || other == IMAGE))
        return selvi_sub_buffer(s, t, p->slot, 0, x->bytes, out);
    *out = kind == IMAGE ? p->view->mem : kind == BUFFER ? x->object.mem : NULL;
    return SELV_OK;
}

/* Offsets are counted from the root, so a sub-buffer of the user's goes by its root. */
static void *address(selv_scheduler *s, const selvi_place *p, place_kind kind, uint64_t begin)
{
    if (kind == HOST)
        return (void *)(uintptr_t)begin;
    return kind == SVM ? (char *)selvi_allocation_at(&s->allocations, p->slot)->object.svm + begin : NULL;
}

static selv_status fill_command(selv_scheduler *s, selvi_task *t, const copying *c)
{
    selvi_command *k = &t->command;
    const selvi_place *image = c->to_kind == IMAGE ? &c->to : c->from_kind == IMAGE ? &c->from : NULL;
    *k = (selvi_command){.kind = commands[c->to_kind][c->from_kind],
                         .dst_offset = c->to_begin,
                         .src_offset = c->from_begin,
                         .bytes = c->bytes};
    k->dst_pointer = address(s, &c->to, c->to_kind, c->to_begin);
    k->src_pointer = address(s, &c->from, c->from_kind, c->from_begin);
    if (image)
        memcpy(k->region, image->view->shape->region, sizeof k->region);
    selv_status st = object(s, t, &c->to, c->to_kind, c->from_kind, &k->dst);
    return st ? st : object(s, t, &c->from, c->from_kind, c->to_kind, &k->src);
}

static void count(selv_scheduler *s, const copying *c)
{
    bool up = c->from_kind == HOST, down = c->to_kind == HOST;
    s->uploads += up;
    s->downloads += down;
    s->bytes_up += up ? c->bytes : 0;
    s->bytes_down += down ? c->bytes : 0;
}

static selv_status copy_attempt(selv_scheduler *s, selvi_task *t)
{
    copying *c = t->user;
    selv_status st;
    selvi_accesses_clear(&s->scratch.accesses);
    if ((st = resolve_both(s, t, c)) || (st = find_ranges(s, c)) || (st = add(s, c, true)) || (st = add(s, c, false)) ||
        (st = fill_command(s, t, c)) || (st = selvi_submit(s, t, &s->scratch)))
        return st;
    if (!t->cause)
        count(s, c);
    return SELV_OK;
}

static selv_status run(selv_scheduler *s, selvi_task *t, const char *call, const selv_arg *dst, const selv_arg *src,
                       size_t bytes)
{
    copying c = {.call = call, .dst = dst, .src = src, .bytes = bytes};
    t->name = t->kind;
    t->device = -1;
    t->labels[DESTINATION] = "destination";
    t->labels[SOURCE] = "source";
    t->user = &c;
    selv_status st = selvi_check_bytes(bytes);
    st = st ? st : selvi_run(s, t, copy_attempt);
    return st < 0 ? selvi_fail_within(st, "%s", call) : st;
}

selv_task selv_copy_args(selv_scheduler *s, selv_arg dst, selv_arg src, size_t bytes)
{
    selvi_task t = {.kind = "copy"};
    return s ? selvi_task_result(s, &t, run(s, &t, "selv_copy", &dst, &src, bytes))
             : selvi_null("selv_copy", "scheduler");
}

/* The data is there, or the host memory free, when the task is complete. */
static selv_status and_wait(selv_scheduler *s, selvi_task *t, selv_status st)
{
    st = st ? st : selvi_wait_epoch(s, t->epoch);
    return selvi_report(s, st ? st : selvi_task_failure(s, t->id));
}

/* A task of no work that overwrites the host memory. */
static selv_status forget_attempt(selv_scheduler *s, selvi_task *t)
{
    const copying *c = t->user;
    selvi_place p;
    selv_status st = selvi_resolve(s, t, c->dst, true, &p);
    if (st || p.slot != SELVI_HOST_SLOT)
        return st;
    selvi_accesses_clear(&s->scratch.accesses);
    st = selvi_resolve_access(s, &s->scratch.accesses, c->dst, &p, c->bytes, SELV_WRITE, SELVI_ACCESS_OVERWRITES,
                              DESTINATION);
    return st ? st : selvi_submit(s, t, &s->scratch);
}

/* Plain C will fill the memory again, which nobody sees: no later copy from there may fail for this read. */
static void forget_failure(selv_scheduler *s, const selv_arg *dst, size_t bytes)
{
    char text[SELVI_TEXT_BYTES];
    copying c = {.dst = dst, .bytes = bytes};
    selvi_task t = {.kind = "read", .name = "read", .device = -1, .silent = true, .user = &c};
    snprintf(text, sizeof text, "%s", selv_error());
    selvi_run(s, &t, forget_attempt);
    selvi_error_set(text);
}

selv_status selv_read_arg(selv_scheduler *s, void *host, selv_arg src, size_t bytes)
{
    selvi_task t = {.kind = "read"};
    const selv_arg dst = selv_arg_of(host);
    if (!s)
        return selvi_null("selv_read", "scheduler");
    selv_status st = and_wait(s, &t, run(s, &t, "selv_read", &dst, &src, bytes));
    if (st == SELV_TASK_FAILED)
        forget_failure(s, &dst, bytes);
    return st;
}

selv_status selv_write_arg(selv_scheduler *s, selv_arg dst, const void *host, size_t bytes)
{
    selvi_task t = {.kind = "write"};
    const selv_arg src = selv_arg_of(host);
    return s ? and_wait(s, &t, run(s, &t, "selv_write", &dst, &src, bytes)) : selvi_null("selv_write", "scheduler");
}
