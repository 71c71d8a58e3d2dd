/* Opening and closing a scheduler, and the graph that SELVEDGE_GRAPH asks for. */
#include "base/memory.h"
#include "base/status.h"
#include "scheduler/sub_buffers.h"
#include "scheduler/task.h"
#include "scheduler/waiting.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Schedulers whose graph has to be written when the program ends without closing them. */
static pthread_mutex_t open_mutex = PTHREAD_MUTEX_INITIALIZER;
static selv_scheduler *open_list; /* guard: open_mutex */
static bool at_exit_is_set;       /* guard: open_mutex */

static void write_graph(selv_scheduler *s)
{
    if (s->settings.graph && selvi_graph_save(s->recorder, s->settings.graph))
        selvi_log(s, selv_error());
}

static void write_graphs_at_exit(void)
{
    pthread_mutex_lock(&open_mutex);
    for (selv_scheduler *s = open_list; s; s = s->next_open)
        write_graph(s);
    pthread_mutex_unlock(&open_mutex);
}

static void remember_open(selv_scheduler *s)
{
    pthread_mutex_lock(&open_mutex);
    s->next_open = open_list;
    open_list = s;
    if (!at_exit_is_set)
        at_exit_is_set = !atexit(write_graphs_at_exit);
    pthread_mutex_unlock(&open_mutex);
}

static void forget_open(selv_scheduler *s)
{
    pthread_mutex_lock(&open_mutex);
    for (selv_scheduler **at = &open_list; *at; at = &(*at)->next_open)
        if (*at == s) {
            *at = s->next_open;
            break;
        }
    pthread_mutex_unlock(&open_mutex);
}

/* --- parts of a scheduler --- */

static unsigned lanes_wanted(const selv_scheduler *s, const selv_config *config)
{
    unsigned units = s->devices.at[0].units;
    if (s->settings.serial)
        return 1;
    if (s->settings.lanes)
        return s->settings.lanes;
    if (config->lanes_per_device)
        return config->lanes_per_device;
    return units < 2 ? 2 : units > 8 ? 8 : units;
}

static selv_status open_lanes(selv_scheduler *s, unsigned per_device)
{
    selvi_lane *never;
    selv_status st = selvi_lanes_add(&s->lanes, SELVI_LANE_NEVER, -1, NULL, &never);
    for (unsigned d = 0; d < s->devices.count; d++)
        for (unsigned i = 0; !st && i < per_device; i++)
            st = selvi_provide(
                s, &(selvi_need){.kind = SELVI_NEED_LANE, .lane_kind = SELVI_LANE_ORDINARY, .device = (int)d});
    return st;
}

static selv_status open_service(selv_scheduler *s)
{
    cl_int code = CL_SUCCESS;
    if (s->devices.svm) /* so the device is of OpenCL 2.0 or later, and the call is there */
        s->service = clCreateCommandQueueWithProperties(s->devices.context, s->devices.at[0].id, NULL, &code);
    return code ? selvi_fail(code, "a queue on %s could not be made (%s)", s->devices.at[0].name,
                             selvi_status_name(code))
                : SELV_OK;
}

static selv_status open_log(selv_scheduler *s)
{
    if (!s->settings.log)
        return SELV_OK;
    s->log_file = !strcmp(s->settings.log, "stderr") ? stderr : fopen(s->settings.log, "a");
    return s->log_file ? SELV_OK
                       : selvi_fail(SELV_BAD_SETTING,
                                    "SELVEDGE_LOG=%s: the file cannot be written (%s); expected 'stderr' or a path",
                                    s->settings.log, strerror(errno));
}

static size_t common_alignment(const selvi_devices *d)
{
    size_t most = 1;
    for (unsigned i = 0; i < d->count; i++)
        most = d->at[i].alignment > most ? d->at[i].alignment : most;
    return most;
}

static void take_config(selv_scheduler *s, const selv_config *config)
{
    s->tasks_most = config->tasks_in_flight ? config->tasks_in_flight : 4096;
    s->flags = config->flags;
    s->log = config->log;
    s->log_user = config->log_user;
}

static selv_status fill(selv_scheduler *s, const selv_config *config)
{
    selv_status st;
    take_config(s, config);
    if ((st = selvi_settings_read(&s->settings)) || (st = open_log(s)) ||
        (st = selvi_devices_open(config, s->settings.device, &s->devices)))
        return st;
    s->alignment = common_alignment(&s->devices);
    if ((st = selvi_allocations_open(&s->allocations)) || (st = open_service(s)) ||
        (st = open_lanes(s, lanes_wanted(s, config))))
        return st;
    return s->settings.graph || config->flags & SELV_RECORD ? selvi_start_recording(s) : SELV_OK;
}

static void destroy_scratch(selvi_scratch *x)
{
    selvi_accesses_destroy(&x->accesses);
    selvi_accesses_destroy(&x->seen);
    selvi_hazards_destroy(&x->hazards);
    selvi_clock_destroy(&x->clock);
    selvi_free(x->events);
    selvi_free(x->epochs);
    selvi_free(x->needs);
    selvi_free(x->hidden);
    selvi_free(x->facts);
}

/* Nothing is in flight any more. */
static void release_cached(selv_scheduler *s)
{
    for (size_t i = 0; i < s->allocations.count; i++) {
        selvi_extras *e = s->allocations.at[i].extras;
        for (size_t k = 0; e && k < e->cached_count; k++)
            clReleaseMemObject(e->cached[k].mem);
    }
}

/* What is cached goes first, then what the user let go, then the queues, then the context. */
static void destroy(selv_scheduler *s)
{
    if (s->devices.context) {
        release_cached(s);
        selvi_garbage_destroy(&s->garbage, s->devices.context);
    }
    selvi_watch_end_all(s);
    selvi_kernels_destroy(&s->kernels);
    selvi_lanes_destroy(&s->lanes);
    if (s->service)
        clReleaseCommandQueue(s->service);
    selvi_allocations_destroy(&s->allocations);
    destroy_scratch(&s->scratch);
    destroy_scratch(&s->inner);
    selvi_recorder_destroy(s->recorder);
    selvi_devices_close(&s->devices);
    selvi_failures_destroy(&s->failures);
    if (s->log_file && s->log_file != stderr)
        fclose(s->log_file);
    pthread_mutex_destroy(&s->mutex);
    selvi_free(s);
}

/* --- the calls --- */

static selv_status check_config(unsigned version, const selv_config *config, selv_scheduler **out)
{
    unsigned known = SELV_ORDER_DISJOINT_PARTS | SELV_RECORD;
    if (!out)
        return selvi_null("selv_open", "place for the scheduler");
    if (version / 10000 != SELV_VERSION_MAJOR)
        return selvi_fail(SELV_INVALID,
                          "selv_open: the program was compiled with the header of version %u.%u, and the library is "
                          "%d.%d: compile it again",
                          version / 10000, version / 100 % 100, SELV_VERSION_MAJOR, SELV_VERSION_MINOR);
    if (config && config->size && config->size > sizeof *config)
        return selvi_fail(
            SELV_INVALID,
            "selv_open: selv_config.size is %zu, and this library knows %zu bytes: set it to sizeof(selv_config)",
            config->size, sizeof *config);
    if (config && config->flags & ~known)
        return selvi_fail(SELV_INVALID, "selv_open: unknown bits 0x%x in selv_config.flags", config->flags & ~known);
    return SELV_OK;
}

/* A smaller struct of an older header leaves the rest zero. */
static selv_config full_config(const selv_config *config)
{
    selv_config full;
    memset(&full, 0, sizeof full);
    if (config)
        memcpy(&full, config, config->size ? config->size : sizeof full);
    return full;
}

selv_status selv_open_version(unsigned version, const selv_config *config, selv_scheduler **out)
{
    selv_status st = check_config(version, config, out);
    selv_scheduler *s = st ? NULL : selvi_alloc(sizeof *s);
    if (!s)
        return st ? st : CL_OUT_OF_HOST_MEMORY;
    const selv_config full = full_config(config);
    pthread_mutex_init(&s->mutex, NULL);
    selvi_failures_open(&s->failures);
    if ((st = fill(s, &full))) {
        selvi_log(s, selv_error());
        destroy(s);
        return st;
    }
    remember_open(s);
    *out = s;
    return SELV_OK;
}

selv_status selv_close(selv_scheduler *s)
{
    if (!s)
        return SELV_OK; /* as free() */
    selv_status st = selvi_wait_all(s);
    st = st ? st : selvi_failures_take(&s->failures);
    forget_open(s);
    write_graph(s);
    destroy(s);
    return st;
}

selv_status selv_failure(selv_scheduler *s)
{
    return s ? selvi_failures_take(&s->failures) : selvi_null("selv_failure", "scheduler");
}

cl_context selv_context(const selv_scheduler *s)
{
    return s ? s->devices.context : NULL;
}

cl_device_id selv_device(const selv_scheduler *s, unsigned index)
{
    return s && index < s->devices.count ? s->devices.at[index].id : NULL;
}
