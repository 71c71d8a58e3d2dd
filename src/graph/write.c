/* Which writer, and whether the stream took it. */
#include "base/status.h"
#include "graph/recorder.h"

#include <errno.h>

static selv_status write_by(const selvi_recorder *r, selv_graph_format format, FILE *out)
{
    switch (format) {
    case SELV_GRAPH_DOT: return selvi_graph_dot(r, false, out);
    case SELV_GRAPH_TEXT: return selvi_graph_text(r, out);
    }
    return selvi_fail(SELV_INVALID, "graph format %d: expected SELV_GRAPH_DOT or SELV_GRAPH_TEXT", (int)format);
}

selv_status selvi_graph_write(const selvi_recorder *r, selv_graph_format format, FILE *out)
{
    if (!out)
        return selvi_fail(SELV_INVALID, "the stream to write the graph to is NULL: expected one that is open");
    selv_status st = write_by(r, format, out);
    if (st)
        return st;
    if (fflush(out) || ferror(out))
        return selvi_fail(SELV_INVALID, "the stream did not take the graph: %s", strerror(errno));
    return SELV_OK;
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && !strcmp(path + length - tail, end);
}

static selv_status format_of(const char *path, selv_graph_format *out)
{
    if (path && ends_in(path, ".dot"))
        *out = SELV_GRAPH_DOT;
    else if (path && ends_in(path, ".txt"))
        *out = SELV_GRAPH_TEXT;
    else
        return selvi_fail(SELV_INVALID, "graph file '%s': expected a name that ends in .dot or .txt",
                          path ? path : "NULL");
    return SELV_OK;
}

selv_status selvi_graph_save(const selvi_recorder *r, const char *path)
{
    selv_graph_format format = SELV_GRAPH_TEXT;
    selv_status st = format_of(path, &format);
    if (st)
        return st;
    FILE *out = fopen(path, "w");
    if (!out)
        return selvi_fail(SELV_INVALID, "graph file '%s' cannot be written: %s", path, strerror(errno));
    st = selvi_graph_write(r, format, out);
    if (fclose(out) && !st)
        st = selvi_fail(SELV_INVALID, "graph file '%s' could not be finished: %s", path, strerror(errno));
    return st ? selvi_fail_within(st, "graph file '%s'", path) : SELV_OK;
}
