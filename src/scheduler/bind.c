/* What a parameter takes (DESIGN sections 3.4, 3.5 and 4, "Numbers"), a function for each kind. */
#include "scheduler/bind.h"

#include "base/memory.h"
#include "base/status.h"
#include "cl/types.h"
#include "scheduler/resolve.h"
#include "scheduler/sub_buffers.h"

/* --- texts --- */

static const char *kind_of_argument(const selv_arg *arg)
{
    switch (arg->kind) {
    case SELVI_MEM: return "a cl_mem";
    case SELVI_SAMPLER: return "a sampler";
    case SELVI_QUEUE: return "a queue";
    case SELVI_POINTER: return "a pointer";
    case SELVI_LOCAL: return "selv_local";
    case SELVI_VECTOR: return "a vector";
    case SELVI_BYTES: return "bytes of selv_value";
    default: return "a number";
    }
}

static selv_status wrong_kind(const char *expected, const selv_arg *arg)
{
    return selvi_fail(SELV_ARGUMENT_KIND, "expected %s, and %s came", expected, kind_of_argument(arg));
}

/* --- memory --- */

/* A cl_mem that is NULL is no null pointer but one that could not be made: a program that checks nothing would have its
   kernel write to address 0. */
static bool is_null(const selv_arg *arg)
{
    bool zero = (arg->kind == SELVI_SIGNED || arg->kind == SELVI_UNSIGNED) && arg->value.u == 0;
    return zero || (arg->kind == SELVI_POINTER && !arg->pointer);
}

static void bind_value(selvi_bound *b, size_t bytes, const void *value)
{
    *b = (selvi_bound){.kind = SELVI_BOUND_VALUE, .bytes = bytes, .value = value};
}

static void bind_mem(selvi_bound *b, cl_mem m)
{
    bind_value(b, sizeof m, &b->small.mem);
    b->small.mem = m;
}

/* Without argument information the memory object's own flags say what a kernel may do with it (DESIGN 3.4). */
static void found_mode(const selvi_parameter *p, cl_mem_flags memory, selv_mode *mode, unsigned *flags)
{
    *mode = (selv_mode)p->mode;
    *flags = p->assumed ? SELVI_ACCESS_ASSUMED : 0;
    if (p->declared && p->mode == SELV_WRITE)
        *flags |= SELVI_ACCESS_OVERWRITES;
    if (p->kind != SELVI_PARAMETER_UNKNOWN || p->declared)
        return;
    if (memory & CL_MEM_READ_ONLY)
        *mode = SELV_READ;
    else if (memory & CL_MEM_WRITE_ONLY)
        *mode = SELV_WRITE;
    else
        *mode = SELV_READ_WRITE;
}

/* The access is to all of a sub-buffer, ours or the user's own. With selv_within it is to some of one, which another
 * argument may share. */
static bool is_sub_buffer(selv_scheduler *s, const selv_arg *arg, const selvi_place *place)
{
    if (!place->view || place->view->shape || arg->flags & (SELVI_WITHIN | SELVI_STRIDED))
        return false;
    return arg->flags & SELVI_PART || place->view->mem != selvi_allocation_at(&s->allocations, place->slot)->object.mem;
}

static selv_status add_access(selv_scheduler *s, const selvi_parameter *p, const selv_arg *arg,
                              const selvi_place *place, unsigned index)
{
    selv_mode mode;
    unsigned flags;
    found_mode(p, place->view ? place->view->flags : 0, &mode, &flags);
    if (is_sub_buffer(s, arg, place))
        flags |= SELVI_ACCESS_SUB_BUFFER;
    if (p->untracked && !(arg->flags & SELVI_HAS_MODE))
        return SELV_OK;
    return selvi_resolve_access(s, &s->scratch.accesses, arg, place, SIZE_MAX, mode, flags, (uint16_t)index);
}

/* What the kernel is given: the handle, or for selv_part a sub-buffer. selv_within of a selv_part leaves the part to be
 * the argument, up to the end of the handle's range. */
static selv_status bind_buffer(selv_scheduler *s, selvi_task *t, const selv_arg *arg, const selvi_place *place,
                               selvi_bound *b)
{
    cl_mem sub;
    uint64_t bytes = arg->flags & SELVI_WITHIN || arg->flags & SELVI_STRIDED ? place->bytes - arg->base : arg->bytes;
    if (!(arg->flags & SELVI_PART) || (arg->base == 0 && bytes == place->bytes)) {
        bind_mem(b, place->view->mem);
        return SELV_OK;
    }
    selv_status st = arg->base > place->bytes || bytes > place->bytes - arg->base
                         ? selvi_fail(SELV_OUT_OF_RANGE, "bytes [%zu, %zu) reach outside a buffer of %llu bytes",
                                      arg->base, arg->base + (size_t)bytes, (unsigned long long)place->bytes)
                         : selvi_sub_buffer(s, t, place->slot, place->begin + arg->base, bytes, &sub);
    if (!st)
        bind_mem(b, sub);
    return st;
}

static selv_status bind_memory(selv_scheduler *s, selvi_task *t, selvi_call *c, const selvi_parameter *p,
                               const selv_arg *arg, unsigned index)
{
    selvi_place place;
    selvi_bound *b = &c->bound[index];
    selv_status st = selvi_resolve(s, t, arg, false, &place);
    st = st ? st : add_access(s, p, arg, &place, index);
    if (st)
        return st;
    if (place.view)
        return bind_buffer(s, t, arg, &place, b);
    *b = (selvi_bound){.kind = SELVI_BOUND_SVM, .value = (const char *)arg->pointer + arg->base};
    c->svm_mask |= UINT64_C(1) << index;
    return SELV_OK;
}

static bool is_image(selv_scheduler *s, const selv_arg *arg)
{
    const selvi_view *v = arg->kind == SELVI_MEM ? selvi_view_find(&s->allocations, (cl_mem)arg->pointer) : NULL;
    return v && v->shape;
}

static selv_status bind_pointer(selv_scheduler *s, selvi_task *t, selvi_call *c, const selvi_parameter *p,
                                const selv_arg *arg, unsigned index)
{
    if (is_null(arg)) {
        bind_value(&c->bound[index], sizeof(cl_mem), NULL);
        return SELV_OK;
    }
    if (arg->kind != SELVI_MEM && arg->kind != SELVI_POINTER)
        return wrong_kind("a buffer, an SVM pointer or NULL", arg);
    selv_status st = bind_memory(s, t, c, p, arg, index);
    return !st && is_image(s, arg)
               ? selvi_fail(SELV_ARGUMENT_KIND, "expected a buffer, an SVM pointer or NULL, and an image came")
               : st;
}

static selv_status bind_image(selv_scheduler *s, selvi_task *t, selvi_call *c, const selvi_parameter *p,
                              const selv_arg *arg, unsigned index)
{
    if (arg->kind != SELVI_MEM)
        return wrong_kind("an image", arg);
    selv_status st = bind_memory(s, t, c, p, arg, index);
    return !st && !is_image(s, arg) ? selvi_fail(SELV_ARGUMENT_KIND, "expected an image, and a buffer came") : st;
}

/* --- values --- */

static const void *bytes_of(const selv_arg *arg)
{
    return arg->inline_bytes ? arg->value.raw : arg->pointer;
}

selv_status selvi_bind_hidden(selv_scheduler *s, void *block)
{
    selvi_scratch *x = &s->scratch;
    for (size_t i = 0; i < x->hidden_count; i++)
        if (x->hidden[i] == block)
            return SELV_OK;
    selv_status st = selvi_grow(&x->hidden, &x->hidden_room, x->hidden_count + 1, sizeof *x->hidden);
    if (!st)
        x->hidden[x->hidden_count++] = block;
    return st;
}

/* A pointer hidden in memory is an access too (DESIGN 3.5): every aligned word of a value that lies inside a known SVM
 * block. */
static selv_status find_hidden(selv_scheduler *s, const void *value, size_t bytes, unsigned index)
{
    selv_status st = SELV_OK;
    for (size_t at = 0; !st && s->allocations.addresses.count && at + 8 <= bytes; at += 8) {
        uint64_t word;
        selvi_address_range r;
        memcpy(&word, (const char *)value + at, sizeof word);
        if (!selvi_addresses_find(&s->allocations.addresses, word, &r))
            continue;
        const selvi_allocation *x = selvi_allocation_at(&s->allocations, (uint32_t)r.value);
        if (x->kind != SELVI_SVM)
            continue;
        st = selvi_accesses_add(&s->scratch.accesses,
                                (selvi_access){(uint32_t)r.value, x->generation, 0, x->bytes, (uint16_t)index,
                                               SELV_READ_WRITE, SELVI_ACCESS_ASSUMED});
        st = st ? st : selvi_bind_hidden(s, x->object.svm);
    }
    return st;
}

static selv_status check_bytes(const selvi_parameter *p, const selv_arg *arg)
{
    size_t expected = p->type.class_ ? selvi_type_bytes(p->type) : 0;
    if (!expected || expected == arg->bytes)
        return SELV_OK;
    return selvi_fail(SELV_ARGUMENT_VALUE, "expected %zu bytes (%s), and selv_value gave %zu", expected,
                      p->type_name ? p->type_name : "declared type", arg->bytes);
}

static selv_status bind_bytes(selv_scheduler *s, selvi_call *c, const selvi_parameter *p, const selv_arg *arg,
                              unsigned index)
{
    selv_status st = check_bytes(p, arg);
    bind_value(&c->bound[index], arg->bytes, bytes_of(arg));
    return st ? st : find_hidden(s, bytes_of(arg), arg->bytes, index);
}

static selv_status bind_vector(selvi_call *c, const selvi_parameter *p, const selv_arg *arg, unsigned index)
{
    char expected[32], came[32];
    selvi_type t = {0};
    selvi_type_of_arg(arg, &t);
    bool three = p->type.width == 3 && t.width == 4; /* a cl_float3 is a cl_float4 */
    bool known = p->type.class_ != SELVI_CLASS_UNKNOWN;
    bind_value(&c->bound[index], arg->inline_bytes, arg->value.raw);
    if (!known || (t.class_ == p->type.class_ && t.bytes == p->type.bytes && (three || t.width == p->type.width)))
        return SELV_OK;
    selvi_type_name(p->type, expected, sizeof expected);
    selvi_type_name(t, came, sizeof came);
    return selvi_fail(SELV_ARGUMENT_KIND, "expected %s, and %s came", expected, came);
}

static selv_status number_unknown(const selvi_parameter *p)
{
    return selvi_fail(SELV_ARGUMENT_VALUE,
                      "a number cannot be passed, since the parameter's type%s%s%s is not known: declare it, as in "
                      "selv_signature(s, k, \"..., "
                      "float\"), or pass exact bytes with selv_value((cl_float)x)%s",
                      p->type_name ? " '" : "", p->type_name ? p->type_name : "", p->type_name ? "'" : "",
                      p->type_name ? "" : "; selv_build, or the option -cl-kernel-arg-info, would make it known");
}

static selv_status bind_number(selv_scheduler *s, selvi_call *c, const selvi_parameter *p, const selv_arg *arg,
                               unsigned index)
{
    selvi_bound *b = &c->bound[index];
    if (p->type.class_ == SELVI_CLASS_UNKNOWN)
        return number_unknown(p);
    if (p->type.width != 1) {
        char expected[32];
        selvi_type_name(p->type, expected, sizeof expected);
        return selvi_fail(SELV_ARGUMENT_KIND, "expected %s, and a single number came: pass a cl_%s", expected,
                          expected);
    }
    bind_value(b, p->type.bytes, b->small.raw);
    selv_status st = selvi_convert(arg, p->type, b->small.raw);
    return st ? st : find_hidden(s, b->small.raw, p->type.bytes, index);
}

static selv_status bind_plain(selv_scheduler *s, selvi_call *c, const selvi_parameter *p, const selv_arg *arg,
                              unsigned index)
{
    switch (arg->kind) {
    case SELVI_SIGNED:
    case SELVI_UNSIGNED:
    case SELVI_REAL: return bind_number(s, c, p, arg, index);
    case SELVI_VECTOR: return bind_vector(c, p, arg, index);
    case SELVI_BYTES: return bind_bytes(s, c, p, arg, index);
    default: return wrong_kind("a value", arg);
    }
}

static selv_status bind_handle(selvi_call *c, const selv_arg *arg, unsigned index)
{
    selvi_bound *b = &c->bound[index];
    bind_value(b, sizeof(void *), b->small.raw);
    memcpy(b->small.raw, &arg->pointer, sizeof arg->pointer);
    return SELV_OK;
}

static selv_status bind_local(selvi_call *c, const selv_arg *arg, unsigned index)
{
    if (!arg->bytes)
        return selvi_fail(SELV_ARGUMENT_VALUE, "selv_local(0): expected 1 byte or more");
    bind_value(&c->bound[index], arg->bytes, NULL);
    return SELV_OK;
}

/* No argument information: the argument itself says what it is. */
static selv_status bind_unknown(selv_scheduler *s, selvi_task *t, selvi_call *c, const selvi_parameter *p,
                                const selv_arg *arg, unsigned index)
{
    switch (arg->kind) {
    case SELVI_MEM:
    case SELVI_POINTER:
        if (!is_null(arg))
            return bind_memory(s, t, c, p, arg, index);
        bind_value(&c->bound[index], sizeof(cl_mem), NULL);
        return SELV_OK;
    case SELVI_SAMPLER:
    case SELVI_QUEUE: return bind_handle(c, arg, index);
    case SELVI_LOCAL: return bind_local(c, arg, index);
    default: return bind_plain(s, c, p, arg, index);
    }
}

static selv_status bind(selv_scheduler *s, selvi_task *t, selvi_call *c, const selv_arg *arg, unsigned index)
{
    const selvi_parameter *p = &c->known->signature.parameters[index];
    if (arg->kind != SELVI_MEM && arg->kind != SELVI_POINTER && arg->flags)
        return selvi_fail(SELV_ARGUMENT_KIND,
                          "selv_in, selv_part and the like stand around memory, and here they stand around %s",
                          kind_of_argument(arg));
    switch (p->kind) {
    case SELVI_PARAMETER_GLOBAL:
    case SELVI_PARAMETER_CONSTANT: return bind_pointer(s, t, c, p, arg, index);
    case SELVI_PARAMETER_IMAGE: return bind_image(s, t, c, p, arg, index);
    case SELVI_PARAMETER_LOCAL:
        return arg->kind == SELVI_LOCAL ? bind_local(c, arg, index) : wrong_kind("selv_local(bytes)", arg);
    case SELVI_PARAMETER_SAMPLER:
        return arg->kind == SELVI_SAMPLER ? bind_handle(c, arg, index) : wrong_kind("a sampler", arg);
    case SELVI_PARAMETER_QUEUE:
        return arg->kind == SELVI_QUEUE ? bind_handle(c, arg, index) : wrong_kind("a queue", arg);
    case SELVI_PARAMETER_VALUE: return bind_plain(s, c, p, arg, index);
    default: return bind_unknown(s, t, c, p, arg, index);
    }
}

selv_status selvi_bind(selv_scheduler *s, selvi_task *t, selvi_call *c, const selv_arg *arg, unsigned index)
{
    selv_status st = bind(s, t, c, arg, index);
    if (!st)
        return SELV_OK;
    selvi_parameter_text(&c->known->signature, index, c->lacking, sizeof c->lacking);
    return st < 0 ? selvi_fail_within(st, "%s", c->lacking) : st;
}
