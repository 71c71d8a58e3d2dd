#include "cl/build.h"

#include "base/memory.h"
#include "base/status.h"
#include "cl/info.h"

#include <stdio.h>

#define ARGUMENT_INFO "-cl-kernel-arg-info"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool has_option(const char *options, const char *option)
{
    size_t length = strlen(option);
    for (const char *p = strstr(options, option); p; p = strstr(p + length, option))
        if ((p == options || is_space(p[-1])) && (!p[length] || is_space(p[length])))
            return true;
    return false;
}

/* NULL only when memory is out. */
static char *complete_options(const char *options)
{
    if (!options || !options[0])
        return selvi_copy_text(ARGUMENT_INFO);
    if (has_option(options, ARGUMENT_INFO))
        return selvi_copy_text(options);
    size_t bytes = strlen(options) + sizeof " " ARGUMENT_INFO;
    char *all = selvi_alloc(bytes);
    if (all)
        snprintf(all, bytes, "%s " ARGUMENT_INFO, options);
    return all;
}

/* the text of a failed build */

static cl_build_status build_status(cl_program program, cl_device_id device)
{
    cl_build_status st = CL_BUILD_NONE;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof st, &st, NULL);
    return st;
}

static const selvi_device *first_failed(const selvi_devices *d, cl_program program)
{
    for (unsigned i = 0; i < d->count; i++)
        if (build_status(program, d->at[i].id) == CL_BUILD_ERROR)
            return &d->at[i];
    return &d->at[0];
}

static const char *skip_blank(const char *log)
{
    while (is_space(*log))
        log++;
    return log;
}

/* Some drivers sort the errors to the front of the log, others leave them between a hundred warnings. */
const char *selvi_build_log_shown(const char *log, size_t room)
{
    const char *begin = skip_blank(log), *p = strlen(begin) > room ? strcasestr(begin, "error") : NULL;
    while (p && p > begin && p[-1] != '\n')
        p--;
    return p ? p : begin;
}

static selv_status fail_build(const selvi_devices *d, cl_program program, const char *options, cl_int st)
{
    const selvi_device *device = first_failed(d, program);
    const selvi_subject who = {.object = program, .device = device->id};
    char head[640], *log = NULL;
    snprintf(head, sizeof head, "%s: the program does not build (%s, options \"%.300s\")", device->name,
             selvi_status_name(st), options);
    selvi_info_text(selvi_ask_build, who, CL_PROGRAM_BUILD_LOG, &log);
    const char *shown = selvi_build_log_shown(log ? log : "", SELVI_TEXT_BYTES - strlen(head) - 64);
    if (shown[0])
        selvi_fail(st, "%s; mend what its log names:\n%s", head, shown);
    else
        selvi_fail(st, "%s, and the driver wrote no log: check the options, and that the device has a compiler", head);
    selvi_free(log);
    return st;
}

static cl_int build_for_all(const selvi_devices *d, cl_program program, const char *options)
{
    cl_device_id ids[64];
    unsigned count = d->count < 64 ? d->count : 64; /* selvi_devices_open allows no more */
    for (unsigned i = 0; i < count; i++)
        ids[i] = d->at[i].id;
    return clBuildProgram(program, count, ids, options, NULL, NULL);
}

static selv_status create(const selvi_devices *d, const char *source, cl_program *out)
{
    cl_int st = CL_SUCCESS;
    *out = clCreateProgramWithSource(d->context, 1, &source, NULL, &st);
    if (!st && *out)
        return SELV_OK;
    *out = NULL;
    return selvi_fail(st ? st : CL_OUT_OF_RESOURCES, "%s: the driver makes no program of this source (%zu bytes)",
                      selvi_status_name(st), strlen(source));
}

static selv_status create_and_build(const selvi_devices *d, const char *source, const char *options, cl_program *out)
{
    cl_program program;
    selv_status st = create(d, source, &program);
    if (st)
        return st;
    st = build_for_all(d, program, options);
    if (st) {
        fail_build(d, program, options, st);
        clReleaseProgram(program);
        return st;
    }
    *out = program;
    return SELV_OK;
}

selv_status selvi_build_program(const selvi_devices *d, const char *source, const char *options, cl_program *out)
{
    if (!source || !out)
        return selvi_fail(SELV_INVALID, "%s is NULL: pass %s", source ? "the place for the program" : "the source",
                          source ? "the address of a cl_program" : "the program's text, ended by a zero byte");
    char *all = complete_options(options);
    if (!all)
        return CL_OUT_OF_HOST_MEMORY;
    selv_status st = create_and_build(d, source, all, out);
    selvi_free(all);
    return st;
}

/* kernels */

/* "a;b;c" as drivers give it, to "a, b, c", in a text of its own. */
static void list_kernels(cl_program program, char *out, size_t bytes)
{
    char *names;
    out[0] = 0;
    if (selvi_info_text(selvi_ask_program, (selvi_subject){.object = program}, CL_PROGRAM_KERNEL_NAMES, &names))
        return;
    for (const char *p = names; *p; p++)
        selvi_append(out, bytes, "%.*s", *p == ';' ? 2 : 1, *p == ';' ? ", " : p);
    selvi_free(names);
}

static selv_status fail_kernel(cl_program program, const char *name, cl_int st)
{
    char names[1200];
    if (st == CL_INVALID_PROGRAM_EXECUTABLE)
        return selvi_fail(st,
                          "kernel %s: the program is not built for any device yet; build it with selv_build or "
                          "clBuildProgram first",
                          name);
    list_kernels(program, names, sizeof names);
    if (st == CL_INVALID_KERNEL_NAME)
        return selvi_fail(st, "the program has no kernel \"%s\"; it has %s", name, names[0] ? names : "none at all");
    return selvi_fail(st, "%s: kernel %s could not be made; the program has %s", selvi_status_name(st), name,
                      names[0] ? names : "no kernel");
}

selv_status selvi_build_kernel(cl_program program, const char *name, cl_kernel *out)
{
    cl_int st = CL_SUCCESS;
    if (!program || !name || !out)
        return selvi_fail(SELV_INVALID,
                          "%s is NULL: pass a built program, the kernel's name and the address of a "
                          "cl_kernel",
                          !program ? "the program"
                          : !name  ? "the name"
                                   : "the place for the kernel");
    cl_kernel k = clCreateKernel(program, name, &st);
    if (st || !k)
        return fail_kernel(program, name, st ? st : CL_INVALID_KERNEL_NAME);
    *out = k;
    return SELV_OK;
}
