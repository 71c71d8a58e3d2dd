/* Platforms, devices, contexts: finding them, and what they can do. Features are found once, at opening. */
#ifndef SELVI_CL_DEVICE_H
#define SELVI_CL_DEVICE_H

#include "selvedge/selvedge.h"

typedef struct selvi_device {
    cl_device_id id;
    char name[128], driver[128];
    unsigned version;       /* OpenCL version times 100: 120, 300 */
    size_t alignment;       /* of sub-buffer origins, bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN) */
    size_t work_group_most; /* CL_DEVICE_MAX_WORK_GROUP_SIZE */
    size_t work_item_most[3];
    cl_device_svm_capabilities svm; /* 0: none (and always 0 below OpenCL 2.0) */
    bool images;
    cl_ulong memory, allocation_most;
    unsigned units;
} selvi_device;

typedef struct selvi_devices { /* the devices of one context; zeroed is empty */
    cl_context context;        /* one reference is ours */
    cl_platform_id platform;
    selvi_device *at;
    unsigned count;
    cl_device_svm_capabilities svm; /* what all of them can */
    /* Habits of NVIDIA 580, assumed of every driver but PoCL, whose source says otherwise:
     * a non-blocking write may read host memory while it is enqueued, before what it waits for has filled it;
     * a destructor callback may come on a thread of the driver's, when the handle is another object's already. */
    bool reads_host_early, calls_back_late;
    /* PoCL 3.1 aborts when one event of a wait list fails while another of it completes. */
    bool aborts_on_mixed_waits;
} selvi_devices;

/* Opens or adopts, by config (never NULL here) and by `wanted`: SELVEDGE_DEVICE, or NULL. It is "gpu", "cpu",
   "accelerator", or a part of a device's name, in any case of letters, and wins over the config's device_type and
   device_name.
   Without a context: devices of one platform, that are available and of OpenCL 1.2 at least. Nothing asked for: the
   first GPU of any platform, else the first device (device_count of them, if that is set). Something asked for: of the
   first platform that has one *all* that match, or the first device_count; SELV_NO_DEVICE where there are not so many.
   With a context, or devices of the program's choice (of which a context is made then): these; `wanted` changes
   nothing, but none of them answering to it is SELV_NO_DEVICE. A device_count without devices is SELV_INVALID beside a
   context, and so are devices without a count, and one named twice. The context is retained. Errors name what was
   looked for and list every device that there is. */
selv_status selvi_devices_open(const selv_config *config, const char *wanted, selvi_devices *out);
void selvi_devices_close(selvi_devices *d);

#endif
