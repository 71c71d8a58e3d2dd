#include "stubs.h"

seen last;

/* Returns n, so that a test sees that the result is passed on. */
static int record(const char *function, size_t n, const selv_arg *args, size_t bytes, const void *other)
{
    last.function = function;
    last.n = n;
    for (size_t i = 0; i < n && i < 64; i++)
        last.arg[i] = args[i];
    last.bytes = bytes;
    last.other = other;
    return (int)n;
}

static int record_two(const char *function, selv_arg a, selv_arg b, size_t bytes)
{
    selv_arg both[2] = {a, b};
    return record(function, 2, both, bytes, NULL);
}

selv_task selv_launch_args(selv_scheduler *s, cl_kernel k, selv_range range, size_t n, const selv_arg *args)
{
    (void)s;
    last.range = range;
    return record("launch", n, args, 0, k);
}

selv_task selv_adopt_args(selv_scheduler *s, cl_event done, size_t n, const selv_arg *accesses)
{
    (void)s;
    return record("adopt", n, accesses, 0, done);
}

selv_status selv_export_args(selv_scheduler *s, cl_event *out, size_t n, const selv_arg *accesses)
{
    (void)s;
    return record("export", n, accesses, 0, out);
}

selv_status selv_open_version(unsigned version, const selv_config *config, selv_scheduler **out)
{
    (void)config;
    return record("open", 0, NULL, version, out);
}

selv_status selv_svm_alloc(selv_scheduler *s, size_t bytes, void *out)
{
    (void)s;
    return record("svm", 0, NULL, bytes, out);
}

selv_status selv_map_mem(selv_scheduler *s, cl_mem m, selv_mode mode, void *out)
{
    (void)s, (void)m;
    last.mode = mode;
    return record("map", 0, NULL, 0, out);
}

selv_status selv_name_arg(selv_scheduler *s, selv_arg x, const char *name)
{
    (void)s;
    return record("name", 1, &x, 0, name);
}

selv_task selv_copy_args(selv_scheduler *s, selv_arg dst, selv_arg src, size_t bytes)
{
    (void)s;
    return record_two("copy", dst, src, bytes);
}

selv_task selv_fill_args(selv_scheduler *s, selv_arg dst, selv_arg value, size_t bytes)
{
    (void)s;
    return record_two("fill", dst, value, bytes);
}

selv_task selv_zero_arg(selv_scheduler *s, selv_arg dst, size_t bytes)
{
    (void)s;
    return record("zero", 1, &dst, bytes, NULL);
}

selv_status selv_read_arg(selv_scheduler *s, void *host, selv_arg src, size_t bytes)
{
    (void)s;
    return record("read", 1, &src, bytes, host);
}

selv_status selv_write_arg(selv_scheduler *s, selv_arg dst, const void *host, size_t bytes)
{
    (void)s;
    return record("write", 1, &dst, bytes, host);
}

selv_status selv_wait_arg(selv_scheduler *s, selv_arg x)
{
    (void)s;
    return record("wait", 1, &x, 0, NULL);
}

selv_status selv_edit_arg(selv_scheduler *s, selv_arg x)
{
    (void)s;
    return record("edit", 1, &x, 0, NULL);
}

selv_status selv_ready_arg(selv_scheduler *s, selv_arg x)
{
    (void)s;
    return record("ready", 1, &x, 0, NULL);
}
