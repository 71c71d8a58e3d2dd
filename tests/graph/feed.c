#include "graph/feed.h"

#include <stdio.h>
#include <stdlib.h>

void feed_open(feed *f, size_t most_tasks)
{
    memset(f, 0, sizeof *f);
    ck_assert_int_eq(selvi_recorder_create(most_tasks, &f->r, &f->observer), SELV_OK);
}

void feed_close(feed *f)
{
    selvi_recorder_destroy(f->r);
}

void feed_name(feed *f, uint64_t allocation, const char *kind, const char *name)
{
    selvi_fact_allocation fact = {.allocation = allocation, .kind = kind, .name = name, .bytes = 1024};
    f->observer.allocation(f->observer.self, &fact);
}

selvi_fact_access feed_access(selv_mode mode, uint64_t allocation, uint64_t begin, uint64_t end, unsigned i,
                              const char *name)
{
    return (selvi_fact_access){.allocation = allocation,
                               .begin = begin,
                               .end = end,
                               .argument = (uint16_t)i,
                               .mode = (uint8_t)mode,
                               .argument_name = name};
}

static selvi_fact_task fact_of(const feed_task *t)
{
    return (selvi_fact_task){.kind = t->kind ? t->kind : "launch",
                             .name = t->name,
                             .device = t->device,
                             .access_count = t->access_count,
                             .wait_count = t->wait_count,
                             .accesses = t->accesses,
                             .waits = t->waits};
}

selv_status feed_try(feed *f, feed_task t)
{
    selvi_fact_task fact = fact_of(&t);
    selv_status st = f->observer.reserve(f->observer.self, &fact);
    if (st)
        return st;
    fact.task = ++f->last;
    fact.failed = t.failed;
    fact.horizon = t.horizon;
    if (!t.failed)
        fact.epoch = (selvi_epoch){.lane = t.lane, .position = ++f->positions[t.lane]};
    f->observer.task(f->observer.self, &fact);
    return SELV_OK;
}

selv_task feed_run(feed *f, feed_task t)
{
    ck_assert_int_eq(feed_try(f, t), SELV_OK);
    return f->last;
}

selv_task feed_one(feed *f, const char *name, selv_mode mode, uint64_t allocation)
{
    return feed_run(f, (feed_task){.name = name,
                                   .access_count = mode != SELV_NONE,
                                   .accesses = {feed_access(mode, allocation, 0, 1024, 0, "x")}});
}

selv_task feed_two(feed *f, const char *name, selv_mode m1, uint64_t a1, selv_mode m2, uint64_t a2)
{
    return feed_run(
        f, (feed_task){.name = name,
                       .access_count = 2,
                       .accesses = {feed_access(m1, a1, 0, 1024, 0, "x"), feed_access(m2, a2, 0, 1024, 1, "y")}});
}

static selv_edge *list_edges(const feed *f, size_t *count)
{
    ck_assert_int_eq(selvi_recorder_edges(f->r, NULL, 0, count), SELV_OK);
    selv_edge *edges = calloc(*count + 1, sizeof *edges);
    ck_assert_int_eq(selvi_recorder_edges(f->r, edges, *count, count), SELV_OK);
    return edges;
}

const char *feed_edges(const feed *f)
{
    static char text[4096];
    static const char *const kinds[] = {"", "RAW", "WAR", "WAW"};
    size_t count, used = 0;
    selv_edge *edges = list_edges(f, &count);
    text[0] = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld>%lld %s%s;", i ? " " : "",
                                 (long long)edges[i].from, (long long)edges[i].to, kinds[edges[i].kind],
                                 edges[i].redundant ? " r" : "");
    free(edges);
    return text;
}

selv_edge feed_edge(const feed *f, selv_task from, selv_task to)
{
    size_t count, found = 0;
    selv_edge edge = {0}, *edges = list_edges(f, &count);
    for (size_t i = 0; i < count; i++)
        if (edges[i].from == from && edges[i].to == to) {
            edge = edges[i];
            found++;
        }
    free(edges);
    ck_assert_msg(found == 1, "%zu edges from t%lld to t%lld", found, (long long)from, (long long)to);
    return edge;
}

static char *collect(const feed *f, int format, bool redundant)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    selv_status st = format == SELV_GRAPH_DOT ? selvi_graph_dot(f->r, redundant, out) : selvi_graph_text(f->r, out);
    fclose(out);
    ck_assert_int_eq(st, SELV_OK);
    return text;
}

char *feed_dot(const feed *f, bool redundant)
{
    return collect(f, SELV_GRAPH_DOT, redundant);
}

char *feed_text(const feed *f)
{
    return collect(f, SELV_GRAPH_TEXT, false);
}

const char *feed_explain(const feed *f, selv_task t)
{
    static char text[8192];
    ck_assert_int_eq(selvi_graph_explain(f->r, t, text, sizeof text), SELV_OK);
    return text;
}
