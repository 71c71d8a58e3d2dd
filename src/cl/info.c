#include "cl/info.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

cl_int selvi_ask_platform(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed)
{
    return clGetPlatformInfo(who.object, what, bytes, out, needed);
}

cl_int selvi_ask_device(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed)
{
    return clGetDeviceInfo(who.object, what, bytes, out, needed);
}

cl_int selvi_ask_program(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed)
{
    return clGetProgramInfo(who.object, what, bytes, out, needed);
}

cl_int selvi_ask_build(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed)
{
    return clGetProgramBuildInfo(who.object, who.device, what, bytes, out, needed);
}

cl_int selvi_ask_kernel(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed)
{
    return clGetKernelInfo(who.object, what, bytes, out, needed);
}

cl_int selvi_ask_argument(selvi_subject who, cl_uint what, size_t bytes, void *out, size_t *needed)
{
    return clGetKernelArgInfo(who.object, who.index, what, bytes, out, needed);
}

selv_status selvi_info_text(selvi_ask ask, selvi_subject who, cl_uint what, char **out)
{
    size_t bytes = 0;
    *out = NULL;
    cl_int st = ask(who, what, 0, NULL, &bytes);
    if (st)
        return st;
    char *text = selvi_alloc(bytes + 1); /* zeroed: a driver that forgets the end of the text does no harm */
    if (!text)
        return CL_OUT_OF_HOST_MEMORY;
    st = bytes ? ask(who, what, bytes, text, NULL) : CL_SUCCESS;
    if (st) {
        selvi_free(text);
        return st;
    }
    *out = text;
    return SELV_OK;
}

void selvi_info_short(selvi_ask ask, selvi_subject who, cl_uint what, char *out, size_t bytes)
{
    char text[1024];
    size_t needed = 0;
    out[0] = 0;
    if (ask(who, what, 0, NULL, &needed) || needed > sizeof text || ask(who, what, needed, text, NULL))
        return;
    snprintf(out, bytes, "%.*s", (int)needed, text);
}

unsigned selvi_device_version(cl_device_id device)
{
    char text[64];
    unsigned major = 0, minor = 0;
    selvi_info_short(selvi_ask_device, (selvi_subject){.object = device}, CL_DEVICE_VERSION, text, sizeof text);
    return sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 ? major * 100 + minor * 10 : 0;
}

void selvi_append(char *out, size_t bytes, const char *format, ...)
{
    size_t used = strlen(out);
    va_list list;
    va_start(list, format);
    if (used < bytes)
        vsnprintf(out + used, bytes - used, format, list);
    va_end(list);
}
