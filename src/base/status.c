#include "base/status.h"

#include <stdio.h>

static _Thread_local char text[SELVI_TEXT_BYTES];

selv_status selvi_fail(selv_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return status;
}

selv_status selvi_fail_within(selv_status status, const char *format, ...)
{
    char context[SELVI_TEXT_BYTES / 4], inner[SELVI_TEXT_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(context, sizeof context, format, list);
    va_end(list);
    memcpy(inner, text, sizeof inner);
    snprintf(text, sizeof text, "%s: %.*s", context, (int)(sizeof text - sizeof context - 4), inner);
    return status;
}

void selvi_error_set(const char *from)
{
    snprintf(text, sizeof text, "%s", from);
}

const char *selv_error(void)
{
    return text;
}

selv_status selvi_fail_memory(size_t bytes)
{
    return selvi_fail(CL_OUT_OF_HOST_MEMORY,
                      "out of host memory: %zu bytes for the scheduler's own records could not be allocated; "
                      "nothing was changed, so the call may be tried again once memory is free",
                      bytes);
}

/* OpenCL's codes by name, for texts; the numbers are those of CL/cl.h. */
/* clang-format off */
#define CL_NAMES(row) \
    row(CL_SUCCESS) row(CL_DEVICE_NOT_FOUND) row(CL_DEVICE_NOT_AVAILABLE) row(CL_COMPILER_NOT_AVAILABLE) \
    row(CL_MEM_OBJECT_ALLOCATION_FAILURE) row(CL_OUT_OF_RESOURCES) row(CL_OUT_OF_HOST_MEMORY) \
    row(CL_PROFILING_INFO_NOT_AVAILABLE) row(CL_MEM_COPY_OVERLAP) row(CL_IMAGE_FORMAT_MISMATCH) \
    row(CL_IMAGE_FORMAT_NOT_SUPPORTED) row(CL_BUILD_PROGRAM_FAILURE) row(CL_MAP_FAILURE) \
    row(CL_MISALIGNED_SUB_BUFFER_OFFSET) row(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) \
    row(CL_COMPILE_PROGRAM_FAILURE) row(CL_LINKER_NOT_AVAILABLE) row(CL_LINK_PROGRAM_FAILURE) \
    row(CL_DEVICE_PARTITION_FAILED) row(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) row(CL_INVALID_VALUE) \
    row(CL_INVALID_DEVICE_TYPE) row(CL_INVALID_PLATFORM) row(CL_INVALID_DEVICE) row(CL_INVALID_CONTEXT) \
    row(CL_INVALID_QUEUE_PROPERTIES) row(CL_INVALID_COMMAND_QUEUE) row(CL_INVALID_HOST_PTR) \
    row(CL_INVALID_MEM_OBJECT) row(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) row(CL_INVALID_IMAGE_SIZE) \
    row(CL_INVALID_SAMPLER) row(CL_INVALID_BINARY) row(CL_INVALID_BUILD_OPTIONS) row(CL_INVALID_PROGRAM) \
    row(CL_INVALID_PROGRAM_EXECUTABLE) row(CL_INVALID_KERNEL_NAME) row(CL_INVALID_KERNEL_DEFINITION) \
    row(CL_INVALID_KERNEL) row(CL_INVALID_ARG_INDEX) row(CL_INVALID_ARG_VALUE) row(CL_INVALID_ARG_SIZE) \
    row(CL_INVALID_KERNEL_ARGS) row(CL_INVALID_WORK_DIMENSION) row(CL_INVALID_WORK_GROUP_SIZE) \
    row(CL_INVALID_WORK_ITEM_SIZE) row(CL_INVALID_GLOBAL_OFFSET) row(CL_INVALID_EVENT_WAIT_LIST) \
    row(CL_INVALID_EVENT) row(CL_INVALID_OPERATION) row(CL_INVALID_GL_OBJECT) row(CL_INVALID_BUFFER_SIZE) \
    row(CL_INVALID_MIP_LEVEL) row(CL_INVALID_GLOBAL_WORK_SIZE) row(CL_INVALID_PROPERTY) \
    row(CL_INVALID_IMAGE_DESCRIPTOR) row(CL_INVALID_COMPILER_OPTIONS) row(CL_INVALID_LINKER_OPTIONS) \
    row(CL_INVALID_DEVICE_PARTITION_COUNT)
/* clang-format on */

const char *selvi_status_name(selv_status status)
{
    switch (status) {
        /* clang-format off */
#define CL_ROW(name) case name: return #name;
        CL_NAMES(CL_ROW)
#undef CL_ROW
#define SELV_ROW(name, number, meaning) case name: return #name;
        SELV_STATUS_TABLE(SELV_ROW)
#undef SELV_ROW
        /* clang-format on */
    default: return "unknown status";
    }
}

const char *selv_status_name(selv_status status)
{
    return selvi_status_name(status);
}
