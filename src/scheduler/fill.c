/* Fills: a value, over and over; zero is one of them. */
#include "base/status.h"
#include "cl/types.h"
#include "scheduler/resolve.h"

typedef struct filling {
    const selv_arg *dst, *value; /* value NULL: zero */
    size_t bytes;
    unsigned char pattern[128];
    size_t pattern_bytes;
} filling;

static selv_status number_pattern(filling *f)
{
    selvi_type type;
    if (!selvi_type_of_arg(f->value, &type))
        return selvi_fail(SELV_ARGUMENT_KIND, "the value is no number, vector or selv_value(...)");
    f->pattern_bytes = selvi_type_bytes(type);
    if (f->value->kind == SELVI_VECTOR) {
        memcpy(f->pattern, f->value->value.raw, f->pattern_bytes);
        return SELV_OK;
    }
    return selvi_convert(f->value, type, f->pattern);
}

static selv_status bytes_pattern(filling *f)
{
    size_t n = f->value->bytes;
    if (n > sizeof f->pattern || !n || (n & (n - 1)))
        return selvi_fail(SELV_ARGUMENT_VALUE, "a value of %zu bytes: OpenCL fills with 1, 2, 4, 8, 16, 32, 64 or 128",
                          n);
    memcpy(f->pattern, f->value->value.raw, n);
    f->pattern_bytes = n;
    return SELV_OK;
}

/* The widest that fits where it begins and how far it goes. */
static void zero_pattern(filling *f, uint64_t begin)
{
    f->pattern_bytes = 16;
    while (begin % f->pattern_bytes || f->bytes % f->pattern_bytes)
        f->pattern_bytes /= 2;
}

static selv_status check_multiple(const filling *f, uint64_t begin)
{
    if (begin % f->pattern_bytes == 0 && f->bytes % f->pattern_bytes == 0)
        return SELV_OK;
    return selvi_fail(SELV_ARGUMENT_VALUE,
                      "%zu bytes at byte %llu: both have to be multiples of the value's size, %zu bytes", f->bytes,
                      (unsigned long long)begin, f->pattern_bytes);
}

static selv_status image_command(selvi_task *t, const filling *f, const selvi_place *p)
{
    const selvi_shape *shape = p->view->shape;
    if (f->value && f->pattern_bytes != 16)
        return selvi_fail(SELV_ARGUMENT_VALUE,
                          "an image is filled with a colour of four components (a cl_float4, cl_int4 or cl_uint4 by "
                          "its format), and %zu bytes came",
                          f->pattern_bytes);
    if (f->bytes != shape->tight_bytes)
        return selvi_fail(SELV_OUT_OF_RANGE, "%zu bytes for an image of %llu: images are filled whole", f->bytes,
                          (unsigned long long)shape->tight_bytes);
    t->command = (selvi_command){.kind = SELVI_COMMAND_FILL_IMAGE, .dst = p->view->mem, .pattern = f->pattern};
    memcpy(t->command.region, shape->region, sizeof shape->region);
    return SELV_OK;
}

static selv_status memory_command(selv_scheduler *s, selvi_task *t, filling *f, const selvi_place *p)
{
    uint64_t begin, length;
    selv_status st = selvi_resolve_range(s, f->dst, p, f->bytes, &begin, &length);
    if (st)
        return st;
    if (!f->value)
        zero_pattern(f, begin);
    const selvi_allocation *x = selvi_allocation_at(&s->allocations, p->slot);
    t->command = (selvi_command){.kind = p->view ? SELVI_COMMAND_FILL_BUFFER : SELVI_COMMAND_SVM_FILL,
                                 .pattern = f->pattern,
                                 .pattern_bytes = f->pattern_bytes,
                                 .dst_offset = begin,
                                 .bytes = f->bytes};
    if (p->view)
        t->command.dst = x->object.mem;
    else
        t->command.dst_pointer = (char *)x->object.svm + begin;
    return check_multiple(f, begin);
}

static selv_status fill_attempt(selv_scheduler *s, selvi_task *t)
{
    filling *f = t->user;
    selvi_place p;
    selv_status st = selvi_resolve(s, t, f->dst, false, &p);
    if (st)
        return st;
    bool image = p.view && p.view->shape;
    selvi_accesses_clear(&s->scratch.accesses);
    st = image ? image_command(t, f, &p) : memory_command(s, t, f, &p);
    st = st ? st
            : selvi_resolve_access(s, &s->scratch.accesses, f->dst, &p, image ? SIZE_MAX : f->bytes, SELV_WRITE,
                                   SELVI_ACCESS_OVERWRITES, 0);
    return st ? st : selvi_submit(s, t, &s->scratch);
}

static selv_task fill(selv_scheduler *s, const char *call, const selv_arg *dst, const selv_arg *value, size_t bytes)
{
    filling f = {.dst = dst, .value = value, .bytes = bytes};
    selvi_task t = {.kind = "fill", .name = "fill", .labels = {"destination"}, .device = -1, .user = &f};
    if (!s)
        return selvi_null(call, "scheduler");
    selv_status st = selvi_check_bytes(bytes);
    if (!st && value)
        st = value->kind == SELVI_BYTES ? bytes_pattern(&f) : number_pattern(&f);
    st = st ? st : selvi_run(s, &t, fill_attempt);
    return selvi_task_result(s, &t, st < 0 ? selvi_fail_within(st, "%s", call) : st);
}

selv_task selv_fill_args(selv_scheduler *s, selv_arg dst, selv_arg value, size_t bytes)
{
    return fill(s, "selv_fill", &dst, &value, bytes);
}

selv_task selv_zero_arg(selv_scheduler *s, selv_arg dst, size_t bytes)
{
    return fill(s, "selv_zero", &dst, NULL, bytes);
}
