#include "cl/device.h"

#include "base/memory.h"
#include "base/status.h"
#include "cl/device_find.h"
#include "cl/info.h"

/* what a device can do */

static size_t read_size(cl_device_id id, cl_device_info what)
{
    size_t value = 0;
    clGetDeviceInfo(id, what, sizeof value, &value, NULL);
    return value;
}

static cl_uint read_uint(cl_device_id id, cl_device_info what)
{
    cl_uint value = 0;
    clGetDeviceInfo(id, what, sizeof value, &value, NULL);
    return value;
}

static cl_ulong read_ulong(cl_device_id id, cl_device_info what)
{
    cl_ulong value = 0;
    clGetDeviceInfo(id, what, sizeof value, &value, NULL);
    return value;
}

/* OpenCL counts the alignment in bits; a driver that answers nothing gets the largest type's, 128 bytes. */
static size_t alignment_of(cl_device_id id)
{
    cl_uint bits = read_uint(id, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    return bits >= 8 ? bits / 8 : 128;
}

static void read_limits(selvi_device *d)
{
    d->alignment = alignment_of(d->id);
    d->work_group_most = read_size(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    d->memory = read_ulong(d->id, CL_DEVICE_GLOBAL_MEM_SIZE);
    d->allocation_most = read_ulong(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    d->units = read_uint(d->id, CL_DEVICE_MAX_COMPUTE_UNITS);
    size_t sizes[16] = {0}; /* as many as the device has dimensions, three at least */
    if (!clGetDeviceInfo(d->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL))
        memcpy(d->work_item_most, sizes, sizeof d->work_item_most);
}

static selv_status read_device(cl_device_id id, selvi_device *d)
{
    d->id = id;
    selvi_device_name(id, d->name, sizeof d->name);
    selvi_info_short(selvi_ask_device, (selvi_subject){.object = id}, CL_DRIVER_VERSION, d->driver, sizeof d->driver);
    d->version = selvi_device_version(id);
    if (d->version < 120)
        return selvi_fail(SELV_UNSUPPORTED, "device %s speaks OpenCL %u.%u, and 1.2 is the least that will do", d->name,
                          d->version / 100, d->version / 10 % 10);
    read_limits(d);
    d->images = read_uint(id, CL_DEVICE_IMAGE_SUPPORT) != 0;
    d->svm = d->version >= 200 ? read_ulong(id, CL_DEVICE_SVM_CAPABILITIES) : 0;
    return SELV_OK;
}

/* opening */

static selv_status fill(const selvi_id_list *devices, selvi_devices *out)
{
    out->at = selvi_alloc(devices->count * sizeof *out->at);
    if (!out->at)
        return CL_OUT_OF_HOST_MEMORY;
    out->svm = ~(cl_device_svm_capabilities)0;
    for (; out->count < devices->count; out->count++) {
        selv_status st = read_device(devices->at[out->count], &out->at[out->count]);
        if (st)
            return st;
        out->svm &= out->at[out->count].svm;
    }
    clGetDeviceInfo(out->at[0].id, CL_DEVICE_PLATFORM, sizeof out->platform, &out->platform, NULL);
    return SELV_OK;
}

static selv_status make_context(selvi_devices *out)
{
    cl_device_id ids[64];
    cl_int st = CL_SUCCESS;
    if (out->count > 64)
        return selvi_fail(SELV_UNSUPPORTED,
                          "%u devices were asked for, and one context holds at most 64 here: set "
                          "device_count in the config",
                          out->count);
    for (unsigned i = 0; i < out->count; i++)
        ids[i] = out->at[i].id;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)out->platform, 0};
    out->context = clCreateContext(properties, out->count, ids, NULL, NULL, &st);
    if (!st && out->context)
        return SELV_OK;
    out->context = NULL;
    return selvi_fail(st ? st : CL_INVALID_CONTEXT,
                      "%s: no context could be made for %u devices, the first of them %s; "
                      "devices of one context must be of one platform",
                      selvi_status_name(st), out->count, out->at[0].name);
}

static selv_status list_context(cl_context context, selvi_id_list *out)
{
    size_t bytes = 0;
    *out = (selvi_id_list){0};
    cl_int st = clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
    if (st)
        return selvi_fail(st, "%s: the config's context %p does not tell its devices; is it a living cl_context?",
                          selvi_status_name(st), (void *)context);
    out->at = selvi_alloc(bytes);
    if (!out->at)
        return CL_OUT_OF_HOST_MEMORY;
    if (!clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, out->at, NULL))
        out->count = (cl_uint)(bytes / sizeof *out->at);
    return SELV_OK;
}

static bool holds(const selvi_id_list *l, cl_uint count, const void *id)
{
    for (cl_uint i = 0; i < count; i++)
        if (l->at[i] == id)
            return true;
    return false;
}

/* The config's devices, each once and all of `all` (NULL: whatever they are), in the config's order. */
static selv_status copy_devices(const selv_config *config, const selvi_id_list *all, selvi_id_list *out)
{
    *out = (selvi_id_list){selvi_alloc(config->device_count * sizeof *out->at), 0};
    if (!out->at)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < config->device_count; i++) {
        void *id = config->devices[i];
        char name[128] = "NULL";
        if (id)
            selvi_device_name(id, name, sizeof name);
        if (!id || holds(out, i, id))
            return selvi_fail(SELV_INVALID, "the config's device %u (%s) is %s: name each device once", i, name,
                              id ? "there twice" : "no device");
        if (all && !holds(all, all->count, id))
            return selvi_fail(SELV_NO_DEVICE,
                              "the config's device %u (%s) is not one of the %u devices of the config's "
                              "context: name devices of that context only",
                              i, name, all->count);
        out->at[out->count++] = id;
    }
    return SELV_OK;
}

static selv_status check_count(const selv_config *config)
{
    if (!config->devices == !config->device_count || (!config->devices && !config->context))
        return SELV_OK;
    if (config->devices)
        return selvi_fail(SELV_INVALID, "the config has devices, and device_count is 0: set it to their number");
    return selvi_fail(SELV_INVALID,
                      "the config has a context and a device_count of %u, and devices is NULL: name the devices, or "
                      "leave device_count 0 for all devices of the context",
                      config->device_count);
}

/* The program's own context, or devices of its choice for a context of ours. */
static selv_status choose_given(const selv_config *config, const char *wanted, selvi_id_list *out)
{
    selvi_id_list all = {0};
    selv_status st = config->context ? list_context(config->context, &all) : SELV_OK;
    if (!st && config->devices)
        st = copy_devices(config, config->context ? &all : NULL, out);
    else
        *out = all;
    if (config->devices)
        selvi_id_list_free(&all);
    return st ? st : selvi_device_check_wanted(out, wanted);
}

static selv_status take_context(const selv_config *config, selvi_devices *out)
{
    if (!config->context)
        return make_context(out);
    cl_int st = clRetainContext(config->context);
    if (st)
        return selvi_fail(st, "%s: the config's context cannot be retained", selvi_status_name(st));
    out->context = config->context;
    return SELV_OK;
}

static void find_habits(selvi_devices *d)
{
    char name[64] = "";
    clGetPlatformInfo(d->platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    bool pocl = strcmp(name, "Portable Computing Language") == 0;
    d->reads_host_early = d->calls_back_late = !pocl;
    d->aborts_on_mixed_waits = pocl;
}

selv_status selvi_devices_open(const selv_config *config, const char *wanted, selvi_devices *out)
{
    selvi_id_list chosen = {0};
    *out = (selvi_devices){0};
    selv_status st = check_count(config);
    if (!st && (config->context || config->devices))
        st = choose_given(config, wanted, &chosen);
    else if (!st)
        st = selvi_device_find(config, wanted, &chosen);
    if (!st)
        st = fill(&chosen, out);
    if (!st)
        st = take_context(config, out);
    selvi_id_list_free(&chosen);
    if (st)
        selvi_devices_close(out);
    else
        find_habits(out);
    return st;
}

void selvi_devices_close(selvi_devices *d)
{
    if (d->context)
        clReleaseContext(d->context);
    selvi_free(d->at);
    *d = (selvi_devices){0};
}
