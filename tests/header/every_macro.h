/* Every macro of the public header, once: compiled as C and as C++, with all warnings as errors, and run with stubs.
   expand_all() is the text; what differs between the languages is in the file that includes this. */
#include <selvedge/selvedge.h>

struct pair {
    int a, b;
};

static int negative(selv_task t)
{
    return t < 0;
}

static int expand_opening(selv_scheduler **s, const selv_config *config)
{
    return selv_open(NULL, s) + selv_open(config, s) + (SELV_VERSION < 1) +
           (SELV_VERSION != SELV_VERSION_MAJOR * 10000 + SELV_VERSION_MINOR * 100 + SELV_VERSION_PATCH);
}

static int expand_memory(selv_scheduler *s, cl_mem m, struct pair *pairs)
{
    void *nothing = NULL;
    const float *reals = NULL;
    struct pair **table = NULL;
    selv_status st = selv_svm(s, 64, &nothing) + selv_svm(s, 64, &reals) + selv_svm(s, sizeof *pairs, &pairs) +
                     selv_svm(s, 64, &table);
    st += selv_map(s, m, SELV_READ, &nothing) + selv_map(s, m, SELV_WRITE, &pairs) + selv_map(s, m, SELV_READ, &reals);
    return st + selv_name(s, m, "m") + selv_name(s, selv_part(m, 0, 16), "head of m");
}

static int expand_tasks(selv_scheduler *s, cl_kernel k, cl_mem m, float *p, struct pair pair)
{
    const cl_float4 four = {{1, 2, 3, 4}};
    int failed = negative(selv_launch(s, k, selv_1d(1)));
    failed += negative(selv_launch(s, k, selv_2d(4, 4), m, p, 1, 2.0f, four));
    failed += negative(selv_launch(s, k, selv_on(selv_offset(selv_group(selv_3d(4, 4, 4), 2, 2, 1), 1, 1, 1), 0),
                                   selv_in(m), selv_out(p), selv_inout(p + 1), selv_accum(m), selv_untracked(m),
                                   selv_local(64), selv_value(pair), selv_also(selv_in(p)), selv_arg_of(3u), NULL, 0));
    failed +=
        negative(selv_launch(s, k, selv_1d(1), selv_part(m, 0, 4), selv_within(p, 4, 4), selv_strided(m, 0, 4, 8, 64)));
    failed += negative(selv_copy(s, m, p, 16)) + negative(selv_copy(s, selv_part(m, 16, 16), m, 16));
    failed += negative(selv_fill(s, m, 0.0f, 16)) + negative(selv_fill(s, p, selv_value(pair), 16)) +
              negative(selv_fill(s, m, four, 64)) + negative(selv_zero(s, m, 16));
    return failed + selv_read(s, p, m, 16) + selv_write(s, m, p, 16);
}

static int expand_waiting(selv_scheduler *s, cl_mem m, const float *p, cl_event event)
{
    int failed = selv_wait(s, m) + selv_edit(s, p) + selv_ready(s, selv_part(p, 0, 4));
    failed += negative(selv_adopt(s, event)) + negative(selv_adopt(s, event, m, selv_in(p)));
    return failed + selv_export(s, &event) + selv_export(s, &event, selv_out(m), selv_within(p, 0, 4));
}

static int expand_all(void)
{
    selv_scheduler *s = NULL;
    selv_config config;
    struct pair pairs[2] = {{1, 2}, {3, 4}};
    float reals[4] = {1, 2, 3, 4};
    memset(&config, 0, sizeof config);
    return expand_opening(&s, &config) + expand_memory(s, NULL, pairs) + expand_tasks(s, NULL, NULL, reals, pairs[0]) +
           expand_waiting(s, NULL, reals, NULL);
}
