#include "graph/links.h"

#include "base/memory.h"

static selv_status add_links_to(selvi_links *links, const selvi_recorder *r, uint64_t to)
{
    const selvi_reasons *reasons = &selvi_recorder_at(r, to)->reasons;
    selv_status st = selvi_grow(&links->at, &links->capacity, links->count + reasons->count, sizeof *links->at);
    for (size_t i = 0; !st && i < reasons->count; i++) {
        const selvi_reason *reason = &reasons->at[i];
        selvi_link *last = i && reasons->at[i - 1].from == reason->from ? &links->at[links->count - 1] : NULL;
        if (reason->from < r->first)
            continue; /* its producer is forgotten */
        if (last)
            last->count++;
        else
            links->at[links->count++] = (selvi_link){.from = reason->from, .to = to, .reasons = reason, .count = 1};
    }
    return st;
}

static selv_status add_links(selvi_links *links, const selvi_recorder *r)
{
    selv_status st = SELV_OK;
    for (size_t i = 0; !st && i < links->tasks; i++) {
        links->begin[i] = links->count;
        st = add_links_to(links, r, links->first + i);
    }
    links->begin[links->tasks] = links->count;
    return st;
}

/* A walk backwards from one task, `to`, along the links that lead to it. */
typedef struct walk {
    const selvi_links *links;
    uint64_t to, oldest; /* nothing before the oldest producer matters */
    uint64_t *stack;
    uint64_t *seen,
        *producer;      /* by task; == to: a path over another task leads from it to `to`; it has a link to `to` */
    size_t depth, open; /* open: producers that are not seen, and whose turn has not come */
} walk;

static void meet(walk *w, uint64_t place)
{
    size_t task = (size_t)(place - w->links->first);
    if (place < w->oldest || w->seen[task] == w->to)
        return;
    w->seen[task] = w->to;
    w->open -= w->producer[task] == w->to;
    w->stack[w->depth++] = place;
}

static void walk_from(walk *w, uint64_t place)
{
    const size_t *begin = w->links->begin;
    w->depth = 0;
    w->stack[w->depth++] = place;
    while (w->depth && w->open) {
        size_t task = (size_t)(w->stack[--w->depth] - w->links->first);
        for (size_t i = begin[task]; i < begin[task + 1]; i++)
            meet(w, w->links->at[i].from);
    }
}

/* From the nearest producer to the farthest: a path from one to another leads to an older one, so when a producer's
   turn comes, every path to it has been walked. Mostly the walk is short, since links that are redundant themselves
   are walked too: to find out that a loop reads what was filled once, one step is enough. */
static void reduce(walk *w, selvi_link *at, size_t count)
{
    w->to = at[0].to;
    w->oldest = at[0].from;
    w->open = count;
    for (size_t i = 0; i < count; i++)
        w->producer[at[i].from - w->links->first] = w->to;
    for (size_t i = count; i--;) {
        at[i].redundant = w->seen[at[i].from - w->links->first] == w->to;
        if (at[i].redundant)
            continue;
        w->open--;
        walk_from(w, at[i].from);
    }
}

/* Zero marks nothing: a task that has a producer is never the one at place 0. */
static selv_status reduce_all(selvi_links *links)
{
    uint64_t *scratch = selvi_alloc(3 * links->tasks * sizeof *scratch);
    if (!scratch)
        return CL_OUT_OF_HOST_MEMORY;
    walk w = {.links = links, .stack = scratch, .seen = scratch + links->tasks, .producer = scratch + 2 * links->tasks};
    for (size_t i = 0; i < links->tasks; i++) {
        size_t count = links->begin[i + 1] - links->begin[i];
        if (count > 1)
            reduce(&w, links->at + links->begin[i], count);
    }
    selvi_free(scratch);
    return SELV_OK;
}

selv_status selvi_links_build(const selvi_recorder *r, selvi_links *out)
{
    *out = (selvi_links){.first = selvi_recorder_forgotten(r), .tasks = selvi_recorder_tasks(r)};
    out->begin = selvi_alloc((out->tasks + 1) * sizeof *out->begin);
    selv_status st = out->begin ? SELV_OK : CL_OUT_OF_HOST_MEMORY;
    if (!st)
        st = add_links(out, r);
    if (!st)
        st = reduce_all(out);
    if (st)
        selvi_links_destroy(out);
    return st;
}

void selvi_links_destroy(selvi_links *links)
{
    selvi_free(links->at);
    selvi_free(links->begin);
    memset(links, 0, sizeof *links);
}
