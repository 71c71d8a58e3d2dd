/* A launch: the arguments are checked and turned into kernel arguments and accesses; submit.c does the rest. */
#include "base/status.h"
#include "scheduler/bind.h"
#include "scheduler/resolve.h"

static selv_status also(selv_scheduler *s, selvi_task *t, const selvi_call *c, const selv_arg *arg)
{
    selvi_place place;
    selv_status st = selvi_resolve(s, t, arg, false, &place);
    st = st ? st
            : selvi_resolve_access(s, &s->scratch.accesses, arg, &place, SIZE_MAX, SELV_READ_WRITE, 0,
                                   (uint16_t)c->known->signature.count);
    if (!st && !place.view)
        st = selvi_bind_hidden(s, selvi_allocation_at(&s->allocations, place.slot)->object.svm);
    return st;
}

static selv_status wrong_count(const selvi_call *c, size_t came)
{
    const selvi_signature *sig = &c->known->signature;
    char next[256] = "";
    if (came < sig->count)
        selvi_parameter_text(sig, (unsigned)came, next, sizeof next);
    return selvi_fail(SELV_ARGUMENT_COUNT, "kernel %s takes %u argument%s, and %zu came%s%s%s", sig->name, sig->count,
                      sig->count == 1 ? "" : "s", came, *next ? ": the first missing one is " : ": leave out the last ",
                      *next ? next : "", *next ? "" : "ones");
}

static selv_status bind_all(selv_scheduler *s, selvi_task *t, selvi_call *c)
{
    unsigned index = 0;
    selv_status st = SELV_OK;
    for (size_t i = 0; !st && i < c->count; i++) {
        if (c->args[i].flags & SELVI_ALSO)
            st = also(s, t, c, &c->args[i]);
        else
            st = selvi_bind(s, t, c, &c->args[i], index++);
    }
    return st;
}

/* PoCL 3.1 accepts any amount, and ends the program when the kernel starts. */
static selv_status check_local(const selv_scheduler *s, const selvi_call *c)
{
    const selv_range *r = &c->launch.range;
    cl_ulong most = 0;
    size_t sum = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].kind == SELVI_LOCAL)
            sum = c->args[i].bytes > SIZE_MAX - sum ? SIZE_MAX : sum + c->args[i].bytes;
    if (!sum || clGetDeviceInfo(s->devices.at[r->device < 0 ? 0 : r->device].id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most,
                                &most, NULL))
        return SELV_OK;
    return sum <= most ? SELV_OK
                       : selvi_fail(SELV_ARGUMENT_VALUE,
                                    "kernel %s: selv_local asks for %zu bytes in all, and the device has %llu",
                                    c->known->signature.name, sum, (unsigned long long)most);
}

static selv_status check_count(const selvi_call *c)
{
    size_t came = 0;
    for (size_t i = 0; i < c->count; i++)
        came += !(c->args[i].flags & SELVI_ALSO);
    return came == c->known->signature.count ? SELV_OK : wrong_count(c, came);
}

static selv_status program_access(selv_scheduler *s, const selvi_call *c)
{
    uint64_t slot;
    selv_status st = SELV_OK;
    if (!c->known->signature.has_globals)
        return SELV_OK;
    if (!selvi_table_get(&s->allocations.by_program, (uintptr_t)c->known->program, &slot)) {
        uint32_t made;
        st = selvi_allocation_add(&s->allocations, SELVI_PROGRAM, 1, &made);
        slot = made;
        st = st ? st : selvi_table_put(&s->allocations.by_program, (uintptr_t)c->known->program, slot);
    }
    if (st)
        return st;
    return selvi_accesses_add(
        &s->scratch.accesses,
        (selvi_access){(uint32_t)slot, selvi_allocation_at(&s->allocations, (uint32_t)slot)->generation, 0, 1,
                       (uint16_t)c->known->signature.count, SELV_READ_WRITE, SELVI_ACCESS_ASSUMED});
}

static selv_status find_kernel(selv_scheduler *s, selvi_task *t, selvi_call *c)
{
    c->known = selvi_kernel_find(&s->kernels, c->kernel);
    if (c->known)
        return SELV_OK;
    t->need = (selvi_need){.kind = SELVI_NEED_KERNEL, .kernel = c->kernel};
    return SELVI_AGAIN;
}

static selv_status find_copy(selv_scheduler *s, selvi_task *t, selvi_call *c, selvi_copy **out)
{
    bool hidden = s->scratch.hidden_count != 0;
    *out = selvi_kernel_copy(c->known, c->svm_mask, hidden);
    if (*out)
        return SELV_OK;
    t->need = (selvi_need){.kind = SELVI_NEED_COPY, .kernel = c->kernel, .svm_mask = c->svm_mask, .hidden = hidden};
    return SELVI_AGAIN;
}

static selv_status check_range(selv_scheduler *s, const selvi_call *c)
{
    const selv_range *r = &c->launch.range;
    if (r->device >= (int)s->devices.count || r->device < -1)
        return selvi_fail(SELV_NO_DEVICE, "kernel %s: selv_on names device %d, and this scheduler has %u (0 to %u)",
                          c->known->signature.name, r->device, s->devices.count, s->devices.count - 1);
    const selvi_device *d = &s->devices.at[r->device < 0 ? 0 : r->device];
    selv_status st = selvi_range_check(r, d->work_group_most, d->work_item_most);
    return st ? selvi_fail_within(st, "kernel %s", c->known->signature.name) : SELV_OK;
}

static selv_status prepare(selv_scheduler *s, selvi_task *t, selvi_call *c)
{
    selv_status st;
    selvi_accesses_clear(&s->scratch.accesses);
    s->scratch.hidden_count = 0;
    c->svm_mask = 0;
    c->lacking[0] = '\0';
    if ((st = find_kernel(s, t, c)) || (st = check_range(s, c)) || (st = check_count(c)) || (st = check_local(s, c)) ||
        (st = bind_all(s, t, c)))
        return st;
    if (!c->known->name)
        c->known->name = selvi_failures_name(&s->failures, c->known->signature.name);
    t->name = c->known->name;
    t->signature = &c->known->signature;
    c->notice |= !c->known->noticed && !c->known->signature.informed && !c->known->declared;
    c->known->noticed = true;
    return t->name ? program_access(s, c) : CL_OUT_OF_HOST_MEMORY;
}

static void fill_command(selv_scheduler *s, selvi_task *t, selvi_call *c, const selvi_copy *copy)
{
    c->launch.kernel = copy->kernel;
    c->launch.count = c->known->signature.count;
    c->launch.bound = c->bound;
    c->launch.hidden = s->scratch.hidden;
    c->launch.hidden_count = s->scratch.hidden_count;
    t->command =
        (selvi_command){.kind = selvi_range_empty(&c->launch.range) ? SELVI_COMMAND_MARKER : SELVI_COMMAND_LAUNCH,
                        .launch = &c->launch};
}

static selv_status attempt(selv_scheduler *s, selvi_task *t)
{
    selvi_call *c = t->user;
    selvi_copy *copy;
    selv_status st = prepare(s, t, c);
    if (st || (st = find_copy(s, t, c, &copy)))
        return st;
    fill_command(s, t, c, copy);
    st = selvi_submit(s, t, &s->scratch);
    return st < 0 ? selvi_fail_within(st, "kernel %s", c->known->signature.name) : st;
}

selv_task selv_launch_args(selv_scheduler *s, cl_kernel k, selv_range range, size_t n, const selv_arg *args)
{
    if (!s)
        return selvi_null("selv_launch", "scheduler");
    if (!k || (n && !args))
        return selvi_report(s, selvi_null("selv_launch", k ? "argument list" : "kernel"));
    selvi_call c;
    c.kernel = k;
    c.count = n;
    c.args = args;
    c.notice = false;
    c.lacking[0] = '\0';
    c.launch = (selvi_launch){.range = range};
    selvi_task t = {.kind = "launch", .name = "launch", .device = range.device, .user = &c};
    selv_status st = selvi_run(s, &t, attempt);
    if (st < 0 && t.need.kind != SELVI_NEED_NOTHING && c.lacking[0]) /* what an argument lacked could not be had */
        selvi_fail_within(st, "%s", c.lacking);
    if (c.notice)
        selvi_notice(s,
                     "kernel %s has no argument information, so every pointer counts as read and written: build with "
                     "selv_build or -cl-kernel-arg-info, or say the modes with selv_signature",
                     t.name);
    return selvi_task_result(s, &t, st);
}
