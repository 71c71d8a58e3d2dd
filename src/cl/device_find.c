#include "cl/device_find.h"

#include "base/memory.h"
#include "base/status.h"
#include "cl/info.h"

/* What is looked for. */
typedef struct search {
    cl_device_type type; /* 0: any */
    const char *name;    /* part of it; NULL: any */
    cl_uint count;       /* 0: all that there are */
} search;

void selvi_id_list_free(selvi_id_list *l)
{
    selvi_free(l->at);
    *l = (selvi_id_list){0};
}

/* No platform and a loader that finds no driver (CL_PLATFORM_NOT_FOUND_KHR) both give an empty list. */
static selv_status list_platforms(selvi_id_list *out)
{
    cl_uint count = 0;
    *out = (selvi_id_list){0};
    if (clGetPlatformIDs(0, NULL, &count) || !count)
        return SELV_OK;
    out->at = selvi_alloc(count * sizeof *out->at);
    if (!out->at)
        return CL_OUT_OF_HOST_MEMORY;
    if (!clGetPlatformIDs(count, (cl_platform_id *)out->at, NULL))
        out->count = count;
    return SELV_OK;
}

/* The driver itself says which devices are of a type: so CL_DEVICE_TYPE_DEFAULT and _CUSTOM work as well. */
static selv_status list_devices(cl_platform_id platform, cl_device_type type, selvi_id_list *out)
{
    cl_uint count = 0;
    *out = (selvi_id_list){0};
    if (clGetDeviceIDs(platform, type, 0, NULL, &count) || !count)
        return SELV_OK;
    out->at = selvi_alloc(count * sizeof *out->at);
    if (!out->at)
        return CL_OUT_OF_HOST_MEMORY;
    if (!clGetDeviceIDs(platform, type, count, (cl_device_id *)out->at, NULL))
        out->count = count;
    return SELV_OK;
}

static bool available(cl_device_id id)
{
    cl_bool yes = CL_FALSE;
    return !clGetDeviceInfo(id, CL_DEVICE_AVAILABLE, sizeof yes, &yes, NULL) && yes;
}

static bool usable(cl_device_id id)
{
    return available(id) && selvi_device_version(id) >= 120;
}

static cl_device_type type_of(cl_device_id id)
{
    cl_device_type type = 0;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type;
}

static const char *type_name(cl_device_type type)
{
    return type & CL_DEVICE_TYPE_GPU           ? "gpu"
           : type & CL_DEVICE_TYPE_CPU         ? "cpu"
           : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
           : type & CL_DEVICE_TYPE_CUSTOM      ? "custom"
                                               : "default";
}

void selvi_device_name(cl_device_id id, char *out, size_t bytes)
{
    selvi_info_short(selvi_ask_device, (selvi_subject){.object = id}, CL_DEVICE_NAME, out, bytes);
}

static bool named(cl_device_id id, const char *name)
{
    char text[256];
    selvi_device_name(id, text, sizeof text);
    return !name || strcasestr(text, name) != NULL;
}

/* texts */

static void append_device(cl_device_id id, const char *platform, char *out, size_t bytes)
{
    char name[128], version[64];
    selvi_device_name(id, name, sizeof name);
    selvi_info_short(selvi_ask_device, (selvi_subject){.object = id}, CL_DEVICE_VERSION, version, sizeof version);
    selvi_append(out, bytes, "\n  %s (%s, %.10s, platform %s)%s%s", name, type_name(type_of(id)), version, platform,
                 available(id) ? "" : ", not available at present",
                 selvi_device_version(id) >= 120 ? "" : ", too old: OpenCL 1.2 is needed");
}

static cl_uint append_devices_of(cl_platform_id platform, char *out, size_t bytes)
{
    selvi_id_list devices;
    char name[64];
    selvi_info_short(selvi_ask_platform, (selvi_subject){.object = platform}, CL_PLATFORM_NAME, name, sizeof name);
    if (list_devices(platform, CL_DEVICE_TYPE_ALL, &devices))
        return 0;
    for (cl_uint i = 0; i < devices.count; i++)
        append_device(devices.at[i], name, out, bytes);
    cl_uint count = devices.count;
    selvi_id_list_free(&devices);
    return count;
}

/* SELV_NO_DEVICE, with `what` was looked for and all that there is. */
static selv_status no_device(const selvi_id_list *platforms, const char *what)
{
    char text[SELVI_TEXT_BYTES - 400] = "";
    cl_uint count = 0;
    for (cl_uint i = 0; i < platforms->count; i++)
        count += append_devices_of(platforms->at[i], text, sizeof text);
    if (!count)
        return selvi_fail(SELV_NO_DEVICE,
                          "there is no OpenCL device at all (%u platforms, looking for %s): install an OpenCL driver, "
                          "for instance the package pocl-opencl-icd, which runs on every CPU",
                          platforms->count, what);
    return selvi_fail(SELV_NO_DEVICE,
                      "no OpenCL device answers to %s; name one of these in SELVEDGE_DEVICE or in the config's "
                      "device_type and device_name:%s",
                      what, text);
}

static void describe(const search *want, char *out, size_t bytes)
{
    out[0] = 0;
    if (want->count > 1)
        selvi_append(out, bytes, "%u of ", want->count);
    if (want->type && want->type != CL_DEVICE_TYPE_ALL)
        selvi_append(out, bytes, "type %s (0x%llx)", type_name(want->type), (unsigned long long)want->type);
    else
        selvi_append(out, bytes, "any type");
    if (want->name)
        selvi_append(out, bytes, " and a name that holds \"%s\"", want->name);
}

/* searching */

static search by_word(const char *word, cl_uint count)
{
    static const struct {
        const char *word;
        cl_device_type type;
    } types[] = {{"gpu", CL_DEVICE_TYPE_GPU}, {"cpu", CL_DEVICE_TYPE_CPU}, {"accelerator", CL_DEVICE_TYPE_ACCELERATOR}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (!strcasecmp(word, types[i].word))
            return (search){.type = types[i].type, .count = count};
    return (search){.name = word, .count = count};
}

static bool answers(cl_device_id id, const search *want)
{
    return usable(id) && (!want->type || type_of(id) & want->type) && named(id, want->name);
}

/* Keeps the devices of one platform that answer, at most want->count of them. */
static selv_status find_in(cl_platform_id platform, const search *want, selvi_id_list *out)
{
    selv_status st = list_devices(platform, want->type ? want->type : CL_DEVICE_TYPE_ALL, out);
    cl_uint kept = 0;
    for (cl_uint i = 0; i < out->count; i++)
        if (usable(out->at[i]) && named(out->at[i], want->name) && (!want->count || kept < want->count))
            out->at[kept++] = out->at[i];
    out->count = kept;
    return st;
}

static selv_status find(const selvi_id_list *platforms, const search *want, selvi_id_list *out)
{
    *out = (selvi_id_list){0};
    for (cl_uint i = 0; i < platforms->count; i++) {
        selv_status st = find_in(platforms->at[i], want, out);
        if (st || (out->count && out->count >= want->count))
            return st;
        selvi_id_list_free(out);
    }
    return SELV_OK;
}

/* With nothing asked for: a GPU of any platform, else any device; one of them unless the config counts. */
static selv_status find_usual(const selvi_id_list *platforms, cl_uint count, selvi_id_list *out)
{
    search want = {.type = CL_DEVICE_TYPE_GPU, .count = count ? count : 1};
    selv_status st = find(platforms, &want, out);
    if (st || out->count)
        return st;
    want.type = 0;
    return find(platforms, &want, out);
}

static selv_status find_asked(const selvi_id_list *platforms, const selv_config *config, const char *wanted,
                              selvi_id_list *out)
{
    search want = {config->device_type, config->device_name, config->device_count};
    if (wanted)
        want = by_word(wanted, config->device_count);
    bool asked = want.type || want.name;
    selv_status st = asked ? find(platforms, &want, out) : find_usual(platforms, want.count, out);
    if (st || out->count)
        return st;
    char text[256];
    describe(&want, text, sizeof text);
    return no_device(platforms, text);
}

/* the two questions of the header */

selv_status selvi_device_find(const selv_config *config, const char *wanted, selvi_id_list *out)
{
    selvi_id_list platforms;
    selv_status st = list_platforms(&platforms);
    if (!st)
        st = find_asked(&platforms, config, wanted, out);
    selvi_id_list_free(&platforms);
    return st;
}

selv_status selvi_device_check_wanted(const selvi_id_list *devices, const char *wanted)
{
    if (!wanted)
        return SELV_OK;
    search want = by_word(wanted, 0);
    for (cl_uint i = 0; i < devices->count; i++)
        if (answers(devices->at[i], &want))
            return SELV_OK;
    char text[256], there[SELVI_TEXT_BYTES - 600] = "";
    describe(&want, text, sizeof text);
    for (cl_uint i = 0; i < devices->count; i++)
        append_device(devices->at[i], "of the program's choice", there, sizeof there);
    return selvi_fail(SELV_NO_DEVICE,
                      "SELVEDGE_DEVICE asks for %s, and the program brings its own devices, of which none "
                      "answers: unset it, or name one of these:%s",
                      text, there);
}
