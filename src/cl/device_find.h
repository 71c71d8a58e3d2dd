/* Looking for devices: by type, by a part of the name, or by nothing at all; and the texts when there is none. */
#ifndef SELVI_CL_DEVICE_FIND_H
#define SELVI_CL_DEVICE_FIND_H

#include "selvedge/selvedge.h"

typedef struct selvi_id_list {
    void **at; /* cl_platform_id or cl_device_id */
    cl_uint count;
} selvi_id_list;

void selvi_id_list_free(selvi_id_list *l);

/* The devices of one platform that selvi_devices_open (device.h) describes. */
selv_status selvi_device_find(const selv_config *config, const char *wanted, selvi_id_list *out);

/* SELV_NO_DEVICE if `wanted` is said and none of these devices, which the program chose itself, answers to it. */
selv_status selvi_device_check_wanted(const selvi_id_list *devices, const char *wanted);

void selvi_device_name(cl_device_id id, char *out, size_t bytes);

#endif
