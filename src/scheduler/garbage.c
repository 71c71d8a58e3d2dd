#include "scheduler/garbage.h"

#include "base/memory.h"

selv_status selvi_garbage_add(selvi_garbage *g, const selvi_lanes *lanes, const selvi_parts *parts, selvi_rubbish what)
{
    selvi_horizon horizon = selvi_lanes_horizon(lanes);
    what.until = (selvi_clock){0};
    selv_status st = selvi_grow(&g->at, &g->room, g->count + 1, sizeof *g->at);
    st = st ? st : selvi_parts_clock(parts, &horizon, &what.until);
    if (st) {
        selvi_clock_destroy(&what.until);
        return st;
    }
    g->at[g->count++] = what;
    g->waiting += what.bytes;
    return SELV_OK;
}

enum { KEPT_PIECES = 32, KEPT_BYTES = 8 << 20 };

bool selvi_garbage_full(const selvi_garbage *g)
{
    return g->count > KEPT_PIECES || g->waiting > KEPT_BYTES;
}

static bool in_use(const selvi_lanes *lanes, const selvi_clock *until)
{
    const selvi_epoch *at = selvi_clock_epochs(until);
    for (uint32_t i = 0; i < until->count; i++)
        if (!selvi_lanes_retired(lanes, at[i]))
            return true;
    return false;
}

size_t selvi_garbage_take(selvi_garbage *g, const selvi_lanes *lanes, selvi_rubbish *out, size_t most)
{
    size_t taken = 0, kept = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (taken < most && !in_use(lanes, &g->at[i].until))
            out[taken++] = g->at[i];
        else
            g->at[kept++] = g->at[i];
    }
    g->count = kept;
    for (size_t i = 0; i < taken; i++) {
        g->held -= out[i].ours ? out[i].bytes : 0;
        g->waiting -= out[i].bytes;
    }
    return taken;
}

void selvi_rubbish_free(cl_context context, selvi_rubbish *r)
{
    if (r->mem)
        clReleaseMemObject(r->mem);
    if (r->svm)
        clSVMFree(context, r->svm);
    selvi_clock_destroy(&r->until);
}

void selvi_garbage_destroy(selvi_garbage *g, cl_context context)
{
    for (size_t i = 0; i < g->count; i++)
        selvi_rubbish_free(context, &g->at[i]);
    selvi_free(g->at);
    memset(g, 0, sizeof *g);
}
