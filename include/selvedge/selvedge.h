/* Selvedge: launch OpenCL kernels with plain arguments; the waits insert themselves. */
#ifndef SELVEDGE_SELVEDGE_H
#define SELVEDGE_SELVEDGE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SELV_VERSION_MAJOR 0
#define SELV_VERSION_MINOR 1
#define SELV_VERSION_PATCH 0
#define SELV_VERSION (SELV_VERSION_MAJOR * 10000 + SELV_VERSION_MINOR * 100 + SELV_VERSION_PATCH)

#ifdef __cplusplus
#include <cstring>
#include <type_traits>
extern "C" {
#endif

typedef struct selv_scheduler selv_scheduler;
typedef int selv_status;   /* 0, or negative */
typedef int64_t selv_task; /* positive, or a negative selv_status */

/* One row for each status of ours: name, number, what it means. OpenCL's codes (above -31000) pass through. */
#define SELV_STATUS_TABLE(row) \
    row(SELV_INTERNAL, -31001, "an invariant of the library is broken: please report it") \
    row(SELV_INVALID, -31002, "an argument of the call itself is not valid (NULL, an unknown flag, a size of 0)") \
    row(SELV_UNSUPPORTED, -31003, "the device or the kind of memory cannot do this") \
    row(SELV_ARGUMENT_COUNT, -31004, "the kernel has another number of parameters") \
    row(SELV_ARGUMENT_KIND, -31005, "the argument is of another kind than the parameter") \
    row(SELV_ARGUMENT_VALUE, -31006, "the number or the bytes do not fit the parameter") \
    row(SELV_OTHER_CONTEXT, -31007, "the object belongs to another OpenCL context") \
    row(SELV_UNKNOWN_POINTER, -31008, "no known allocation holds this address") \
    row(SELV_OUT_OF_RANGE, -31009, "the part reaches outside its allocation") \
    row(SELV_RELEASED, -31010, "the memory was released or freed before this call") \
    row(SELV_MAPPED, -31011, "the memory is mapped for the host") \
    row(SELV_TASK_FAILED, -31012, "a task failed, or one that it depends on") \
    row(SELV_NO_DEVICE, -31013, "there is no such device") \
    row(SELV_MISALIGNED, -31014, "no sub-buffer can begin at this offset") \
    row(SELV_UNKNOWN_TASK, -31015, "no task has this number") \
    row(SELV_BAD_SETTING, -31016, "a setting in the environment has an unknown name or value")

enum selv_status_code {
    SELV_OK = 0,
#define SELVI_STATUS_ROW(name, number, meaning) name = number,
    SELV_STATUS_TABLE(SELVI_STATUS_ROW)
#undef SELVI_STATUS_ROW
    SELV_STATUS_LAST = -31999
};

typedef enum selv_mode {
    SELV_NONE = 0,
    SELV_READ = 1,
    SELV_WRITE = 2, /* the whole part is overwritten */
    SELV_READ_WRITE = 3,
    SELV_ACCUMULATE = 4 /* commuting atomics */
} selv_mode;

/* How to open. Zeroed means: everything as usual. */
typedef struct selv_config {
    size_t size;                 /* sizeof(selv_config), or 0 */
    cl_context context;          /* adopt this one (retained), or NULL */
    const cl_device_id *devices; /* these of it, or NULL: all of it */
    cl_uint device_count;
    cl_device_type device_type; /* without a context: what to look for; 0: first GPU, else first device */
    const char *device_name;    /* part of its name, or NULL */
    unsigned lanes_per_device;  /* in-order queues; 0: what suits the device */
    size_t tasks_in_flight;     /* submitting waits beyond this many; 0: 4096 */
    unsigned flags;             /* SELV_ORDER_DISJOINT_PARTS, SELV_RECORD */
    void (*log)(void *user, const char *text);
    void *log_user;
} selv_config;

#define SELV_ORDER_DISJOINT_PARTS 1u /* treat every access to a buffer as one to all of it */
#define SELV_RECORD 2u               /* keep records for <selvedge/graph.h> */

typedef struct selv_statistics {
    uint64_t tasks;         /* submitted */
    uint64_t waits;         /* events put into wait lists */
    uint64_t hazards;       /* found, before any was dropped */
    uint64_t failed;        /* tasks that failed, or never ran for that reason */
    uint64_t tasks_running; /* submitted, not yet known to be complete */
    uint64_t live_events;   /* cl_event objects held */
    uint64_t allocations;   /* tracked */
    uint64_t parts;         /* in all allocations */
    uint64_t records;       /* of tasks, kept for the graph */
    uint64_t lanes;         /* in-order queues */
    uint64_t bytes_held;    /* of memory made by the library and not yet given back to OpenCL */
    uint64_t uploads, downloads, bytes_up, bytes_down; /* copies between host memory and a device */
} selv_statistics;

typedef struct selv_range {
    unsigned dims;
    int device; /* index, or -1: where it suits */
    size_t global[3], local[3], offset[3];
} selv_range;

/* One argument. Opaque: made by the macros below, used at once. */
typedef struct selv_arg {
    unsigned char kind, flags, type, mode; /* selvi_kind, selvi_flag, selvi_type, selv_mode */
    unsigned inline_bytes;                 /* how much of value counts */
    size_t base;                           /* selv_part: the kernel sees this offset as its first byte */
    size_t offset, bytes;                  /* the part accessed, counted from the handle or pointer itself */
    size_t rows, pitch;                    /* selv_strided: so many ranges of `bytes`, `pitch` apart; 0: one */
    const void *pointer;                   /* handle, address, or where a large value stands */
    union {
        unsigned char raw[128];
        int64_t i;
        uint64_t u;
        double f;
    } value;
} selv_arg;

/* opening */
selv_status selv_open_version(unsigned version, const selv_config *config, selv_scheduler **out);
#define selv_open(config, out) selv_open_version(SELV_VERSION, config, out)
selv_status selv_close(selv_scheduler *s);
selv_status selv_failure(selv_scheduler *s);
const char *selv_error(void);
const char *selv_status_name(selv_status status);
cl_context selv_context(const selv_scheduler *s);
cl_device_id selv_device(const selv_scheduler *s, unsigned index);
selv_status selv_stats(const selv_scheduler *s, selv_statistics *out);

/* kernels */
selv_status selv_build(selv_scheduler *s, const char *source, const char *options, cl_program *out);
selv_status selv_kernel(selv_scheduler *s, cl_program program, const char *name, cl_kernel *out);
selv_status selv_signature(selv_scheduler *s, cl_kernel k, const char *signature);
selv_status selv_forget_kernel(selv_scheduler *s, cl_kernel k);

/* memory */
selv_status selv_buffer(selv_scheduler *s, size_t bytes, const void *init, cl_mem *out);
selv_status selv_release(selv_scheduler *s, cl_mem m);
selv_status selv_svm_alloc(selv_scheduler *s, size_t bytes, void *out); /* under selv_svm(s, bytes, T **out) */
selv_status selv_svm_free(selv_scheduler *s, void *p);
selv_status selv_track(selv_scheduler *s, void *svm, size_t bytes);
selv_status selv_untrack(selv_scheduler *s, void *svm);
selv_status selv_name_arg(selv_scheduler *s, selv_arg x, const char *name);

/* tasks */
selv_task selv_launch_args(selv_scheduler *s, cl_kernel k, selv_range range, size_t n, const selv_arg *args);
selv_task selv_copy_args(selv_scheduler *s, selv_arg dst, selv_arg src, size_t bytes);
selv_task selv_fill_args(selv_scheduler *s, selv_arg dst, selv_arg value, size_t bytes);
selv_task selv_zero_arg(selv_scheduler *s, selv_arg dst, size_t bytes);
selv_status selv_read_arg(selv_scheduler *s, void *host, selv_arg src, size_t bytes);
selv_status selv_write_arg(selv_scheduler *s, selv_arg dst, const void *host, size_t bytes);

/* host access and waiting */
selv_status selv_wait_arg(selv_scheduler *s, selv_arg x);
selv_status selv_edit_arg(selv_scheduler *s, selv_arg x);
selv_status selv_ready_arg(selv_scheduler *s, selv_arg x);
selv_status selv_map_mem(selv_scheduler *s, cl_mem m, selv_mode mode, void *out); /* under selv_map(s, m, mode, T **out) */
selv_task selv_unmap(selv_scheduler *s, cl_mem m);
selv_status selv_wait_task(selv_scheduler *s, selv_task t);
selv_status selv_finish(selv_scheduler *s);
selv_status selv_flush(selv_scheduler *s);

/* beside explicit OpenCL */
selv_task selv_adopt_args(selv_scheduler *s, cl_event done, size_t n, const selv_arg *accesses);
selv_status selv_export_args(selv_scheduler *s, cl_event *out, size_t n, const selv_arg *accesses);

#ifdef __cplusplus
}
#endif
/* ranges: functions, not macros, since a macro's {a, b} would be cut at its commas by selv_launch */
static inline selv_range selv_3d(size_t w, size_t h, size_t d)
{
    selv_range r;
    r.dims = 3; r.device = -1;
    r.global[0] = w; r.global[1] = h; r.global[2] = d;
    r.local[0] = r.local[1] = r.local[2] = 0;
    r.offset[0] = r.offset[1] = r.offset[2] = 0;
    return r;
}
static inline selv_range selv_2d(size_t w, size_t h) { selv_range r = selv_3d(w, h, 1); r.dims = 2; return r; }
static inline selv_range selv_1d(size_t n) { selv_range r = selv_3d(n, 1, 1); r.dims = 1; return r; }
static inline selv_range selv_group(selv_range r, size_t x, size_t y, size_t z)
{ r.local[0] = x; r.local[1] = y; r.local[2] = z; return r; }
static inline selv_range selv_on(selv_range r, int device) { r.device = device; return r; }

enum selvi_kind { SELVI_MEM = 1, SELVI_SAMPLER, SELVI_QUEUE, SELVI_POINTER, SELVI_SIGNED, SELVI_UNSIGNED,
                  SELVI_REAL, SELVI_VECTOR, SELVI_BYTES, SELVI_LOCAL };
enum selvi_flag { SELVI_PART = 1, SELVI_WITHIN = 2, SELVI_ALSO = 4, SELVI_UNTRACKED = 8, SELVI_HAS_MODE = 16 };

enum selvi_type { SELVI_T_none, SELVI_T_bool, SELVI_T_char, SELVI_T_schar, SELVI_T_uchar, SELVI_T_short, SELVI_T_ushort, SELVI_T_int, SELVI_T_uint, SELVI_T_long, SELVI_T_ulong, SELVI_T_llong, SELVI_T_ullong, SELVI_T_float, SELVI_T_double, SELVI_T_cl_char2, SELVI_T_cl_char4, SELVI_T_cl_char8, SELVI_T_cl_char16, SELVI_T_cl_uchar2, SELVI_T_cl_uchar4, SELVI_T_cl_uchar8, SELVI_T_cl_uchar16, SELVI_T_cl_short2, SELVI_T_cl_short4, SELVI_T_cl_short8, SELVI_T_cl_short16, SELVI_T_cl_ushort2, SELVI_T_cl_ushort4, SELVI_T_cl_ushort8, SELVI_T_cl_ushort16, SELVI_T_cl_int2, SELVI_T_cl_int4, SELVI_T_cl_int8, SELVI_T_cl_int16, SELVI_T_cl_uint2, SELVI_T_cl_uint4, SELVI_T_cl_uint8, SELVI_T_cl_uint16, SELVI_T_cl_long2, SELVI_T_cl_long4, SELVI_T_cl_long8, SELVI_T_cl_long16, SELVI_T_cl_ulong2, SELVI_T_cl_ulong4, SELVI_T_cl_ulong8, SELVI_T_cl_ulong16, SELVI_T_cl_half2, SELVI_T_cl_half4, SELVI_T_cl_half8, SELVI_T_cl_half16, SELVI_T_cl_float2, SELVI_T_cl_float4, SELVI_T_cl_float8, SELVI_T_cl_float16, SELVI_T_cl_double2, SELVI_T_cl_double4, SELVI_T_cl_double8, SELVI_T_cl_double16 };

/* the address is taken, nothing is read: without this gcc warns of uninitialised destinations */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define SELVI_ADDRESS_ONLY __attribute__((access(none, 1)))
#else
#define SELVI_ADDRESS_ONLY
#endif
static inline selv_arg selvi_base(int kind, int type, unsigned bytes, uintptr_t pointer)
{
    selv_arg a;                    /* value is left as it is: nobody reads more than inline_bytes */
    a.kind = (unsigned char)kind; a.flags = 0; a.type = (unsigned char)type; a.mode = 0;
    a.inline_bytes = bytes; a.offset = 0; a.bytes = 0; a.pointer = (const void *)pointer;
    return a;
}
static inline selv_arg selvi_arg_same(selv_arg a) { return a; }
static inline selv_arg selvi_arg_mem(cl_mem m) { return selvi_base(SELVI_MEM, 0, 0, (uintptr_t)m); }
static inline selv_arg selvi_arg_sampler(cl_sampler m) { return selvi_base(SELVI_SAMPLER, 0, 0, (uintptr_t)m); }
static inline selv_arg selvi_arg_queue(cl_command_queue m) { return selvi_base(SELVI_QUEUE, 0, 0, (uintptr_t)m); }
SELVI_ADDRESS_ONLY static inline selv_arg selvi_arg_pointer(const volatile void *p) { return selvi_base(SELVI_POINTER, 0, 0, (uintptr_t)p); }

static inline selv_arg selvi_arg_bool(bool v) { selv_arg a = selvi_base(SELVI_UNSIGNED, SELVI_T_bool, 8, 0); a.value.u = (uint64_t)v; return a; }
static inline selv_arg selvi_arg_char(char v) { selv_arg a = selvi_base(SELVI_SIGNED, SELVI_T_char, 8, 0); a.value.i = (int64_t)v; return a; }
static inline selv_arg selvi_arg_schar(signed char v) { selv_arg a = selvi_base(SELVI_SIGNED, SELVI_T_schar, 8, 0); a.value.i = (int64_t)v; return a; }
static inline selv_arg selvi_arg_uchar(unsigned char v) { selv_arg a = selvi_base(SELVI_UNSIGNED, SELVI_T_uchar, 8, 0); a.value.u = (uint64_t)v; return a; }
static inline selv_arg selvi_arg_short(short v) { selv_arg a = selvi_base(SELVI_SIGNED, SELVI_T_short, 8, 0); a.value.i = (int64_t)v; return a; }
static inline selv_arg selvi_arg_ushort(unsigned short v) { selv_arg a = selvi_base(SELVI_UNSIGNED, SELVI_T_ushort, 8, 0); a.value.u = (uint64_t)v; return a; }
static inline selv_arg selvi_arg_int(int v) { selv_arg a = selvi_base(SELVI_SIGNED, SELVI_T_int, 8, 0); a.value.i = (int64_t)v; return a; }
static inline selv_arg selvi_arg_uint(unsigned int v) { selv_arg a = selvi_base(SELVI_UNSIGNED, SELVI_T_uint, 8, 0); a.value.u = (uint64_t)v; return a; }
static inline selv_arg selvi_arg_long(long v) { selv_arg a = selvi_base(SELVI_SIGNED, SELVI_T_long, 8, 0); a.value.i = (int64_t)v; return a; }
static inline selv_arg selvi_arg_ulong(unsigned long v) { selv_arg a = selvi_base(SELVI_UNSIGNED, SELVI_T_ulong, 8, 0); a.value.u = (uint64_t)v; return a; }
static inline selv_arg selvi_arg_llong(long long v) { selv_arg a = selvi_base(SELVI_SIGNED, SELVI_T_llong, 8, 0); a.value.i = (int64_t)v; return a; }
static inline selv_arg selvi_arg_ullong(unsigned long long v) { selv_arg a = selvi_base(SELVI_UNSIGNED, SELVI_T_ullong, 8, 0); a.value.u = (uint64_t)v; return a; }
static inline selv_arg selvi_arg_float(float v) { selv_arg a = selvi_base(SELVI_REAL, SELVI_T_float, 8, 0); a.value.f = (double)v; return a; }
static inline selv_arg selvi_arg_double(double v) { selv_arg a = selvi_base(SELVI_REAL, SELVI_T_double, 8, 0); a.value.f = (double)v; return a; }

static inline selv_arg selvi_bytes_of(int kind, int type, const volatile void *p, size_t bytes)
{ selv_arg a = selvi_base(kind, type, 0, (uintptr_t)p); a.bytes = bytes; return a; }
static inline selv_arg selvi_value(const void *p, size_t bytes) /* copied if it fits: no dangling compound literal */
{
    selv_arg a = selvi_base(SELVI_BYTES, 0, 0, (uintptr_t)p);
    a.bytes = bytes;
    if (bytes <= sizeof a.value.raw) { memcpy(a.value.raw, p, bytes); a.inline_bytes = (unsigned)bytes; a.pointer = NULL; }
    return a;
}
static inline selv_arg selvi_with_mode(selv_arg a, int mode) { a.mode = (unsigned char)mode; a.flags |= SELVI_HAS_MODE; return a; }
static inline selv_arg selvi_with_flag(selv_arg a, int flag) { a.flags = (unsigned char)(a.flags | flag); return a; }
static inline selv_arg selvi_with_part(selv_arg a, int flag, size_t offset, size_t bytes)
{ a.flags = (unsigned char)(a.flags | flag); a.offset += offset; a.bytes = bytes; return a; }
static inline selv_arg selv_local(size_t bytes) { return selvi_bytes_of(SELVI_LOCAL, 0, NULL, bytes); }

#ifndef __cplusplus
#include <string.h>
#define SELVI_VECTOR_FN(T) static inline selv_arg selvi_arg_##T(T v) \
    { selv_arg a = selvi_base(SELVI_VECTOR, SELVI_T_##T, sizeof v, 0); memcpy(a.value.raw, &v, sizeof v); return a; }
SELVI_VECTOR_FN(cl_char2)
SELVI_VECTOR_FN(cl_char4)
SELVI_VECTOR_FN(cl_char8)
SELVI_VECTOR_FN(cl_char16)
SELVI_VECTOR_FN(cl_uchar2)
SELVI_VECTOR_FN(cl_uchar4)
SELVI_VECTOR_FN(cl_uchar8)
SELVI_VECTOR_FN(cl_uchar16)
SELVI_VECTOR_FN(cl_short2)
SELVI_VECTOR_FN(cl_short4)
SELVI_VECTOR_FN(cl_short8)
SELVI_VECTOR_FN(cl_short16)
SELVI_VECTOR_FN(cl_ushort2)
SELVI_VECTOR_FN(cl_ushort4)
SELVI_VECTOR_FN(cl_ushort8)
SELVI_VECTOR_FN(cl_ushort16)
SELVI_VECTOR_FN(cl_int2)
SELVI_VECTOR_FN(cl_int4)
SELVI_VECTOR_FN(cl_int8)
SELVI_VECTOR_FN(cl_int16)
SELVI_VECTOR_FN(cl_uint2)
SELVI_VECTOR_FN(cl_uint4)
SELVI_VECTOR_FN(cl_uint8)
SELVI_VECTOR_FN(cl_uint16)
SELVI_VECTOR_FN(cl_long2)
SELVI_VECTOR_FN(cl_long4)
SELVI_VECTOR_FN(cl_long8)
SELVI_VECTOR_FN(cl_long16)
SELVI_VECTOR_FN(cl_ulong2)
SELVI_VECTOR_FN(cl_ulong4)
SELVI_VECTOR_FN(cl_ulong8)
SELVI_VECTOR_FN(cl_ulong16)
SELVI_VECTOR_FN(cl_half2)
SELVI_VECTOR_FN(cl_half4)
SELVI_VECTOR_FN(cl_half8)
SELVI_VECTOR_FN(cl_half16)
SELVI_VECTOR_FN(cl_float2)
SELVI_VECTOR_FN(cl_float4)
SELVI_VECTOR_FN(cl_float8)
SELVI_VECTOR_FN(cl_float16)
SELVI_VECTOR_FN(cl_double2)
SELVI_VECTOR_FN(cl_double4)
SELVI_VECTOR_FN(cl_double8)
SELVI_VECTOR_FN(cl_double16)

/* Mistakes that compile as "some pointer" otherwise. Declared only: using one is an error at compile time. */
#if defined(__GNUC__) && !defined(__clang__)
#define SELVI_MISTAKE(text) __attribute__((error(text)))
#elif defined(__clang__) && __has_attribute(error)
#define SELVI_MISTAKE(text) __attribute__((error(text)))
#else
#define SELVI_MISTAKE(text)
#endif
SELVI_MISTAKE("pass the cl_mem itself, not its address")
selv_arg selvi_mistake_address_of_cl_mem(const volatile void *p);
SELVI_MISTAKE("this OpenCL handle cannot be a kernel argument")
selv_arg selvi_mistake_handle(const volatile void *p);
SELVI_MISTAKE("selv_value copies bytes: memory named by a handle or pointer would go untracked")
selv_arg selvi_mistake_value(const volatile void *p, size_t bytes);
SELVI_MISTAKE("a number stands where memory is meant")
selv_arg selvi_mistake_number(double v);

#define SELVI_ARG(x) _Generic((x), \
    selv_arg: selvi_arg_same, cl_mem: selvi_arg_mem, cl_sampler: selvi_arg_sampler, cl_command_queue: selvi_arg_queue, \
    cl_mem *: selvi_mistake_address_of_cl_mem, const cl_mem *: selvi_mistake_address_of_cl_mem, \
    cl_kernel: selvi_mistake_handle, cl_event: selvi_mistake_handle, cl_program: selvi_mistake_handle, \
    cl_context: selvi_mistake_handle, \
    _Bool: selvi_arg_bool, \
    char: selvi_arg_char, \
    signed char: selvi_arg_schar, \
    unsigned char: selvi_arg_uchar, \
    short: selvi_arg_short, \
    unsigned short: selvi_arg_ushort, \
    int: selvi_arg_int, \
    unsigned int: selvi_arg_uint, \
    long: selvi_arg_long, \
    unsigned long: selvi_arg_ulong, \
    long long: selvi_arg_llong, \
    unsigned long long: selvi_arg_ullong, \
    float: selvi_arg_float, \
    double: selvi_arg_double, \
    cl_char2: selvi_arg_cl_char2, \
    cl_char4: selvi_arg_cl_char4, \
    cl_char8: selvi_arg_cl_char8, \
    cl_char16: selvi_arg_cl_char16, \
    cl_uchar2: selvi_arg_cl_uchar2, \
    cl_uchar4: selvi_arg_cl_uchar4, \
    cl_uchar8: selvi_arg_cl_uchar8, \
    cl_uchar16: selvi_arg_cl_uchar16, \
    cl_short2: selvi_arg_cl_short2, \
    cl_short4: selvi_arg_cl_short4, \
    cl_short8: selvi_arg_cl_short8, \
    cl_short16: selvi_arg_cl_short16, \
    cl_ushort2: selvi_arg_cl_ushort2, \
    cl_ushort4: selvi_arg_cl_ushort4, \
    cl_ushort8: selvi_arg_cl_ushort8, \
    cl_ushort16: selvi_arg_cl_ushort16, \
    cl_int2: selvi_arg_cl_int2, \
    cl_int4: selvi_arg_cl_int4, \
    cl_int8: selvi_arg_cl_int8, \
    cl_int16: selvi_arg_cl_int16, \
    cl_uint2: selvi_arg_cl_uint2, \
    cl_uint4: selvi_arg_cl_uint4, \
    cl_uint8: selvi_arg_cl_uint8, \
    cl_uint16: selvi_arg_cl_uint16, \
    cl_long2: selvi_arg_cl_long2, \
    cl_long4: selvi_arg_cl_long4, \
    cl_long8: selvi_arg_cl_long8, \
    cl_long16: selvi_arg_cl_long16, \
    cl_ulong2: selvi_arg_cl_ulong2, \
    cl_ulong4: selvi_arg_cl_ulong4, \
    cl_ulong8: selvi_arg_cl_ulong8, \
    cl_ulong16: selvi_arg_cl_ulong16, \
    cl_half2: selvi_arg_cl_half2, \
    cl_half4: selvi_arg_cl_half4, \
    cl_half8: selvi_arg_cl_half8, \
    cl_half16: selvi_arg_cl_half16, \
    cl_float2: selvi_arg_cl_float2, \
    cl_float4: selvi_arg_cl_float4, \
    cl_float8: selvi_arg_cl_float8, \
    cl_float16: selvi_arg_cl_float16, \
    cl_double2: selvi_arg_cl_double2, \
    cl_double4: selvi_arg_cl_double4, \
    cl_double8: selvi_arg_cl_double8, \
    cl_double16: selvi_arg_cl_double16, \
    default: selvi_arg_pointer)(x)


/* what names data: handles, pointers, annotated arguments; a number here is a mistake, and an error at compile time */
#define SELVI_X(x) _Generic((x), \
    selv_arg: selvi_arg_same, cl_mem: selvi_arg_mem, \
    cl_mem *: selvi_mistake_address_of_cl_mem, const cl_mem *: selvi_mistake_address_of_cl_mem, \
    cl_kernel: selvi_mistake_handle, cl_event: selvi_mistake_handle, cl_program: selvi_mistake_handle, \
    cl_context: selvi_mistake_handle, cl_sampler: selvi_mistake_handle, cl_command_queue: selvi_mistake_handle, \
    _Bool: selvi_mistake_number, char: selvi_mistake_number, signed char: selvi_mistake_number, unsigned char: selvi_mistake_number, short: selvi_mistake_number, unsigned short: selvi_mistake_number, int: selvi_mistake_number, unsigned int: selvi_mistake_number, long: selvi_mistake_number, unsigned long: selvi_mistake_number, long long: selvi_mistake_number, unsigned long long: selvi_mistake_number, float: selvi_mistake_number, double: selvi_mistake_number, \
    default: selvi_arg_pointer)(x)

#define SELVI_PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, n, ...) n
#define SELVI_REST(...) SELVI_PICK(__VA_ARGS__, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define SELVI_FIRST(...) SELVI_FIRST_(__VA_ARGS__, 0)
#define SELVI_FIRST_(a, ...) a
#define SELVI_CAT(a, b) SELVI_CAT_(a, b)
#define SELVI_CAT_(a, b) a##b
#define SELVI_E0(r)
#define SELVI_E1(r, a) , SELVI_ARG(a)
#define SELVI_E2(r, a, ...) , SELVI_ARG(a) SELVI_E1(r, __VA_ARGS__)
#define SELVI_E3(r, a, ...) , SELVI_ARG(a) SELVI_E2(r, __VA_ARGS__)
#define SELVI_E4(r, a, ...) , SELVI_ARG(a) SELVI_E3(r, __VA_ARGS__)
#define SELVI_E5(r, a, ...) , SELVI_ARG(a) SELVI_E4(r, __VA_ARGS__)
#define SELVI_E6(r, a, ...) , SELVI_ARG(a) SELVI_E5(r, __VA_ARGS__)
#define SELVI_E7(r, a, ...) , SELVI_ARG(a) SELVI_E6(r, __VA_ARGS__)
#define SELVI_E8(r, a, ...) , SELVI_ARG(a) SELVI_E7(r, __VA_ARGS__)
#define SELVI_E9(r, a, ...) , SELVI_ARG(a) SELVI_E8(r, __VA_ARGS__)
#define SELVI_E10(r, a, ...) , SELVI_ARG(a) SELVI_E9(r, __VA_ARGS__)
#define SELVI_E11(r, a, ...) , SELVI_ARG(a) SELVI_E10(r, __VA_ARGS__)
#define SELVI_E12(r, a, ...) , SELVI_ARG(a) SELVI_E11(r, __VA_ARGS__)
#define SELVI_E13(r, a, ...) , SELVI_ARG(a) SELVI_E12(r, __VA_ARGS__)
#define SELVI_E14(r, a, ...) , SELVI_ARG(a) SELVI_E13(r, __VA_ARGS__)
#define SELVI_E15(r, a, ...) , SELVI_ARG(a) SELVI_E14(r, __VA_ARGS__)
#define SELVI_E16(r, a, ...) , SELVI_ARG(a) SELVI_E15(r, __VA_ARGS__)
#define SELVI_E17(r, a, ...) , SELVI_ARG(a) SELVI_E16(r, __VA_ARGS__)
#define SELVI_E18(r, a, ...) , SELVI_ARG(a) SELVI_E17(r, __VA_ARGS__)
#define SELVI_E19(r, a, ...) , SELVI_ARG(a) SELVI_E18(r, __VA_ARGS__)
#define SELVI_E20(r, a, ...) , SELVI_ARG(a) SELVI_E19(r, __VA_ARGS__)
#define SELVI_E21(r, a, ...) , SELVI_ARG(a) SELVI_E20(r, __VA_ARGS__)
#define SELVI_E22(r, a, ...) , SELVI_ARG(a) SELVI_E21(r, __VA_ARGS__)
#define SELVI_E23(r, a, ...) , SELVI_ARG(a) SELVI_E22(r, __VA_ARGS__)
#define SELVI_E24(r, a, ...) , SELVI_ARG(a) SELVI_E23(r, __VA_ARGS__)
#define SELVI_E25(r, a, ...) , SELVI_ARG(a) SELVI_E24(r, __VA_ARGS__)
#define SELVI_E26(r, a, ...) , SELVI_ARG(a) SELVI_E25(r, __VA_ARGS__)
#define SELVI_E27(r, a, ...) , SELVI_ARG(a) SELVI_E26(r, __VA_ARGS__)
#define SELVI_E28(r, a, ...) , SELVI_ARG(a) SELVI_E27(r, __VA_ARGS__)
#define SELVI_E29(r, a, ...) , SELVI_ARG(a) SELVI_E28(r, __VA_ARGS__)
#define SELVI_E30(r, a, ...) , SELVI_ARG(a) SELVI_E29(r, __VA_ARGS__)
#define SELVI_E31(r, a, ...) , SELVI_ARG(a) SELVI_E30(r, __VA_ARGS__)
#define SELVI_E32(r, a, ...) , SELVI_ARG(a) SELVI_E31(r, __VA_ARGS__)
#define SELVI_E33(r, a, ...) , SELVI_ARG(a) SELVI_E32(r, __VA_ARGS__)
#define SELVI_E34(r, a, ...) , SELVI_ARG(a) SELVI_E33(r, __VA_ARGS__)
#define SELVI_E35(r, a, ...) , SELVI_ARG(a) SELVI_E34(r, __VA_ARGS__)
#define SELVI_E36(r, a, ...) , SELVI_ARG(a) SELVI_E35(r, __VA_ARGS__)
#define SELVI_E37(r, a, ...) , SELVI_ARG(a) SELVI_E36(r, __VA_ARGS__)
#define SELVI_E38(r, a, ...) , SELVI_ARG(a) SELVI_E37(r, __VA_ARGS__)
#define SELVI_E39(r, a, ...) , SELVI_ARG(a) SELVI_E38(r, __VA_ARGS__)
#define SELVI_E40(r, a, ...) , SELVI_ARG(a) SELVI_E39(r, __VA_ARGS__)
#define SELVI_E41(r, a, ...) , SELVI_ARG(a) SELVI_E40(r, __VA_ARGS__)
#define SELVI_E42(r, a, ...) , SELVI_ARG(a) SELVI_E41(r, __VA_ARGS__)
#define SELVI_E43(r, a, ...) , SELVI_ARG(a) SELVI_E42(r, __VA_ARGS__)
#define SELVI_E44(r, a, ...) , SELVI_ARG(a) SELVI_E43(r, __VA_ARGS__)
#define SELVI_E45(r, a, ...) , SELVI_ARG(a) SELVI_E44(r, __VA_ARGS__)
#define SELVI_E46(r, a, ...) , SELVI_ARG(a) SELVI_E45(r, __VA_ARGS__)
#define SELVI_E47(r, a, ...) , SELVI_ARG(a) SELVI_E46(r, __VA_ARGS__)
#define SELVI_E48(r, a, ...) , SELVI_ARG(a) SELVI_E47(r, __VA_ARGS__)
#define SELVI_E49(r, a, ...) , SELVI_ARG(a) SELVI_E48(r, __VA_ARGS__)
#define SELVI_E50(r, a, ...) , SELVI_ARG(a) SELVI_E49(r, __VA_ARGS__)
#define SELVI_E51(r, a, ...) , SELVI_ARG(a) SELVI_E50(r, __VA_ARGS__)
#define SELVI_E52(r, a, ...) , SELVI_ARG(a) SELVI_E51(r, __VA_ARGS__)
#define SELVI_E53(r, a, ...) , SELVI_ARG(a) SELVI_E52(r, __VA_ARGS__)
#define SELVI_E54(r, a, ...) , SELVI_ARG(a) SELVI_E53(r, __VA_ARGS__)
#define SELVI_E55(r, a, ...) , SELVI_ARG(a) SELVI_E54(r, __VA_ARGS__)
#define SELVI_E56(r, a, ...) , SELVI_ARG(a) SELVI_E55(r, __VA_ARGS__)
#define SELVI_E57(r, a, ...) , SELVI_ARG(a) SELVI_E56(r, __VA_ARGS__)
#define SELVI_E58(r, a, ...) , SELVI_ARG(a) SELVI_E57(r, __VA_ARGS__)
#define SELVI_E59(r, a, ...) , SELVI_ARG(a) SELVI_E58(r, __VA_ARGS__)
#define SELVI_E60(r, a, ...) , SELVI_ARG(a) SELVI_E59(r, __VA_ARGS__)
#define SELVI_E61(r, a, ...) , SELVI_ARG(a) SELVI_E60(r, __VA_ARGS__)
#define SELVI_E62(r, a, ...) , SELVI_ARG(a) SELVI_E61(r, __VA_ARGS__)
#define SELVI_E63(r, a, ...) , SELVI_ARG(a) SELVI_E62(r, __VA_ARGS__)
#define SELVI_E64(r, a, ...) , SELVI_ARG(a) SELVI_E63(r, __VA_ARGS__)
/* first element is a dummy, so that zero arguments make a legal array */
#define SELVI_ARGS(...) SELVI_REST(__VA_ARGS__), \
    ((const selv_arg[]){ selvi_base(0, 0, 0, 0) SELVI_CAT(SELVI_E, SELVI_REST(__VA_ARGS__))(__VA_ARGS__) } + 1)

#define selv_launch(s, k, ...) selv_launch_args(s, k, SELVI_FIRST(__VA_ARGS__), SELVI_ARGS(__VA_ARGS__))
#define selv_host(s, fn, ...) selv_host_args(s, fn, SELVI_FIRST(__VA_ARGS__), SELVI_ARGS(__VA_ARGS__))
#define selv_enqueue(s, fn, ...) selv_enqueue_args(s, fn, SELVI_FIRST(__VA_ARGS__), SELVI_ARGS(__VA_ARGS__))

#define selv_arg_of(x) SELVI_ARG(x)
#define selv_in(x) selvi_with_mode(SELVI_X(x), SELV_READ)
#define selv_out(x) selvi_with_mode(SELVI_X(x), SELV_WRITE)
#define selv_inout(x) selvi_with_mode(SELVI_X(x), SELV_READ_WRITE)
#define selv_accum(x) selvi_with_mode(SELVI_X(x), SELV_ACCUMULATE)
#define selv_untracked(x) selvi_with_flag(SELVI_X(x), SELVI_UNTRACKED)
#define selv_also(x) selvi_with_flag(SELVI_X(x), SELVI_ALSO)
#define selv_part(x, offset, bytes) selvi_with_part(SELVI_X(x), SELVI_PART, offset, bytes)
#define selv_within(x, offset, bytes) selvi_with_part(SELVI_X(x), SELVI_WITHIN, offset, bytes)
#define selv_value(...) _Generic((__VA_ARGS__), cl_mem: selvi_mistake_value, cl_sampler: selvi_mistake_value, \
    void *: selvi_mistake_value, default: selvi_value)(&(__VA_ARGS__), sizeof(__VA_ARGS__))

#define selv_copy(s, dst, src, bytes) selv_copy_args(s, SELVI_X(dst), SELVI_X(src), bytes)
#define selv_fill(s, dst, value, bytes) selv_fill_args(s, SELVI_X(dst), SELVI_ARG(value), bytes)
#define selv_read(s, host, src, bytes) selv_read_arg(s, host, SELVI_X(src), bytes)
#define selv_write(s, dst, host, bytes) selv_write_arg(s, SELVI_X(dst), host, bytes)
#define selv_wait(s, x) selv_wait_arg(s, SELVI_X(x))
#define selv_edit(s, x) selv_edit_arg(s, SELVI_X(x))
#define selv_ready(s, x) selv_ready_arg(s, SELVI_X(x))
#define selv_name(s, x, name) selv_name_arg(s, SELVI_X(x), name)
#define selv_adopt(s, x, mode, done) selv_adopt_arg(s, SELVI_X(x), mode, done)
#define selv_export(s, x, mode, out) selv_export_arg(s, SELVI_X(x), mode, out)

#else /* C++17 */
#include <cstring>

template <class T> struct selvi_vector : std::integral_constant<int, 0> {};
template <> struct selvi_vector<cl_char2> : std::integral_constant<int, SELVI_T_cl_char2> {};
template <> struct selvi_vector<cl_char4> : std::integral_constant<int, SELVI_T_cl_char4> {};
template <> struct selvi_vector<cl_char8> : std::integral_constant<int, SELVI_T_cl_char8> {};
template <> struct selvi_vector<cl_char16> : std::integral_constant<int, SELVI_T_cl_char16> {};
template <> struct selvi_vector<cl_uchar2> : std::integral_constant<int, SELVI_T_cl_uchar2> {};
template <> struct selvi_vector<cl_uchar4> : std::integral_constant<int, SELVI_T_cl_uchar4> {};
template <> struct selvi_vector<cl_uchar8> : std::integral_constant<int, SELVI_T_cl_uchar8> {};
template <> struct selvi_vector<cl_uchar16> : std::integral_constant<int, SELVI_T_cl_uchar16> {};
template <> struct selvi_vector<cl_short2> : std::integral_constant<int, SELVI_T_cl_short2> {};
template <> struct selvi_vector<cl_short4> : std::integral_constant<int, SELVI_T_cl_short4> {};
template <> struct selvi_vector<cl_short8> : std::integral_constant<int, SELVI_T_cl_short8> {};
template <> struct selvi_vector<cl_short16> : std::integral_constant<int, SELVI_T_cl_short16> {};
template <> struct selvi_vector<cl_ushort2> : std::integral_constant<int, SELVI_T_cl_ushort2> {};
template <> struct selvi_vector<cl_ushort4> : std::integral_constant<int, SELVI_T_cl_ushort4> {};
template <> struct selvi_vector<cl_ushort8> : std::integral_constant<int, SELVI_T_cl_ushort8> {};
template <> struct selvi_vector<cl_ushort16> : std::integral_constant<int, SELVI_T_cl_ushort16> {};
template <> struct selvi_vector<cl_int2> : std::integral_constant<int, SELVI_T_cl_int2> {};
template <> struct selvi_vector<cl_int4> : std::integral_constant<int, SELVI_T_cl_int4> {};
template <> struct selvi_vector<cl_int8> : std::integral_constant<int, SELVI_T_cl_int8> {};
template <> struct selvi_vector<cl_int16> : std::integral_constant<int, SELVI_T_cl_int16> {};
template <> struct selvi_vector<cl_uint2> : std::integral_constant<int, SELVI_T_cl_uint2> {};
template <> struct selvi_vector<cl_uint4> : std::integral_constant<int, SELVI_T_cl_uint4> {};
template <> struct selvi_vector<cl_uint8> : std::integral_constant<int, SELVI_T_cl_uint8> {};
template <> struct selvi_vector<cl_uint16> : std::integral_constant<int, SELVI_T_cl_uint16> {};
template <> struct selvi_vector<cl_long2> : std::integral_constant<int, SELVI_T_cl_long2> {};
template <> struct selvi_vector<cl_long4> : std::integral_constant<int, SELVI_T_cl_long4> {};
template <> struct selvi_vector<cl_long8> : std::integral_constant<int, SELVI_T_cl_long8> {};
template <> struct selvi_vector<cl_long16> : std::integral_constant<int, SELVI_T_cl_long16> {};
template <> struct selvi_vector<cl_ulong2> : std::integral_constant<int, SELVI_T_cl_ulong2> {};
template <> struct selvi_vector<cl_ulong4> : std::integral_constant<int, SELVI_T_cl_ulong4> {};
template <> struct selvi_vector<cl_ulong8> : std::integral_constant<int, SELVI_T_cl_ulong8> {};
template <> struct selvi_vector<cl_ulong16> : std::integral_constant<int, SELVI_T_cl_ulong16> {};
template <> struct selvi_vector<cl_half2> : std::integral_constant<int, SELVI_T_cl_half2> {};
template <> struct selvi_vector<cl_half4> : std::integral_constant<int, SELVI_T_cl_half4> {};
template <> struct selvi_vector<cl_half8> : std::integral_constant<int, SELVI_T_cl_half8> {};
template <> struct selvi_vector<cl_half16> : std::integral_constant<int, SELVI_T_cl_half16> {};
template <> struct selvi_vector<cl_float2> : std::integral_constant<int, SELVI_T_cl_float2> {};
template <> struct selvi_vector<cl_float4> : std::integral_constant<int, SELVI_T_cl_float4> {};
template <> struct selvi_vector<cl_float8> : std::integral_constant<int, SELVI_T_cl_float8> {};
template <> struct selvi_vector<cl_float16> : std::integral_constant<int, SELVI_T_cl_float16> {};
template <> struct selvi_vector<cl_double2> : std::integral_constant<int, SELVI_T_cl_double2> {};
template <> struct selvi_vector<cl_double4> : std::integral_constant<int, SELVI_T_cl_double4> {};
template <> struct selvi_vector<cl_double8> : std::integral_constant<int, SELVI_T_cl_double8> {};
template <> struct selvi_vector<cl_double16> : std::integral_constant<int, SELVI_T_cl_double16> {};
template <class T> struct selvi_no : std::false_type {};

template <class X> inline selv_arg selvi_arg(const X &x)
{
    using T = std::decay_t<const X>;
    using P = std::remove_cv_t<std::remove_pointer_t<T>>;
    if constexpr (std::is_same_v<T, selv_arg>) return x;
    else if constexpr (std::is_same_v<T, cl_mem>) return selvi_arg_mem(x);
    else if constexpr (std::is_same_v<T, cl_sampler>) return selvi_arg_sampler(x);
    else if constexpr (std::is_same_v<T, cl_command_queue>) return selvi_arg_queue(x);
    else if constexpr (std::is_same_v<T, std::nullptr_t>) return selvi_arg_pointer(nullptr);
    else if constexpr (std::is_same_v<T, bool>) return selvi_arg_bool(x);
    else if constexpr (std::is_same_v<T, float>) return selvi_arg_float(x);
    else if constexpr (std::is_same_v<T, double>) return selvi_arg_double(x);
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) return selvi_arg_llong(x);
    else if constexpr (std::is_integral_v<T>) return selvi_arg_ullong(x);
    else if constexpr (std::is_enum_v<T> && std::is_convertible_v<T, long long>) return selvi_arg_llong((long long)x);
    else if constexpr (selvi_vector<T>::value != 0) {
        selv_arg a = selvi_base(SELVI_VECTOR, selvi_vector<T>::value, sizeof x, 0);
        std::memcpy(a.value.raw, &x, sizeof x);
        return a;
    }
    else if constexpr (std::is_pointer_v<T>) {
        static_assert(!std::is_same_v<P, cl_mem>, "pass the cl_mem itself, not its address");
        static_assert(!std::is_same_v<T, cl_event> && !std::is_same_v<T, cl_kernel> && !std::is_same_v<T, cl_program> && !std::is_same_v<T, cl_context>, "this OpenCL handle cannot be a kernel argument");
        static_assert(!std::is_function_v<P>, "a function cannot be a kernel argument");
        return selvi_arg_pointer(x);
    }
    else if constexpr (std::is_convertible_v<const X &, cl_mem>) return selvi_arg_mem(x);
    else { static_assert(selvi_no<X>::value, "a struct needs selv_value()"); return selv_arg(); }
}
template <class X> inline selv_arg selvi_x(const X &x)
{ static_assert(!std::is_arithmetic_v<X> && !std::is_enum_v<X>, "a number stands where memory is meant"); return selvi_arg(x); }
template <class... A> inline selv_task selv_launch(selv_scheduler *s, cl_kernel k, selv_range r, const A &...x)
{ static_assert(sizeof...(x) <= 64, "at most 64 arguments"); const selv_arg a[] = { selvi_base(0, 0, 0, 0), selvi_arg(x)... }; return selv_launch_args(s, k, r, sizeof...(x), a + 1); }
template <class... A> inline selv_task selv_host(selv_scheduler *s, selv_host_fn f, void *user, const A &...x)
{ static_assert(sizeof...(x) <= 64, "at most 64 arguments"); const selv_arg a[] = { selvi_base(0, 0, 0, 0), selvi_arg(x)... }; return selv_host_args(s, f, user, sizeof...(x), a + 1); }
template <class... A> inline selv_task selv_enqueue(selv_scheduler *s, selv_enqueue_fn f, void *user, const A &...x)
{ static_assert(sizeof...(x) <= 64, "at most 64 arguments"); const selv_arg a[] = { selvi_base(0, 0, 0, 0), selvi_arg(x)... }; return selv_enqueue_args(s, f, user, sizeof...(x), a + 1); }
#define SELVI_CXX1(name, expr) template <class X> inline selv_arg name(const X &x) { return expr; }
SELVI_CXX1(selv_arg_of, selvi_arg(x))
SELVI_CXX1(selv_in, selvi_with_mode(selvi_x(x), SELV_READ))
SELVI_CXX1(selv_out, selvi_with_mode(selvi_x(x), SELV_WRITE))
SELVI_CXX1(selv_inout, selvi_with_mode(selvi_x(x), SELV_READ_WRITE))
SELVI_CXX1(selv_accum, selvi_with_mode(selvi_x(x), SELV_ACCUMULATE))
SELVI_CXX1(selv_untracked, selvi_with_flag(selvi_x(x), SELVI_UNTRACKED))
SELVI_CXX1(selv_also, selvi_with_flag(selvi_x(x), SELVI_ALSO))
template <class X> inline selv_arg selv_part(const X &x, size_t o, size_t n) { return selvi_with_part(selvi_x(x), SELVI_PART, o, n); }
template <class X> inline selv_arg selv_within(const X &x, size_t o, size_t n) { return selvi_with_part(selvi_x(x), SELVI_WITHIN, o, n); }
template <class X> inline selv_arg selv_value(const X &x) /* a temporary lives to the end of the whole call */
{ static_assert(std::is_trivially_copyable_v<X>, "bytes are copied"); static_assert(!std::is_pointer_v<X>, "memory named by a handle or pointer would go untracked"); return selvi_value(&x, sizeof x); }
template <class D, class S> inline selv_task selv_copy(selv_scheduler *s, const D &d, const S &x, size_t n) { return selv_copy_args(s, selvi_x(d), selvi_x(x), n); }
template <class D, class V> inline selv_task selv_fill(selv_scheduler *s, const D &d, const V &v, size_t n) { return selv_fill_args(s, selvi_x(d), selvi_arg(v), n); }
template <class X> inline selv_status selv_read(selv_scheduler *s, void *h, const X &x, size_t n) { return selv_read_arg(s, h, selvi_x(x), n); }
template <class X> inline selv_status selv_write(selv_scheduler *s, const X &x, const void *h, size_t n) { return selv_write_arg(s, selvi_x(x), h, n); }
template <class X> inline selv_status selv_wait(selv_scheduler *s, const X &x) { return selv_wait_arg(s, selvi_x(x)); }
template <class X> inline selv_status selv_edit(selv_scheduler *s, const X &x) { return selv_edit_arg(s, selvi_x(x)); }
template <class X> inline bool selv_ready(selv_scheduler *s, const X &x) { return selv_ready_arg(s, selvi_x(x)); }
template <class X> inline selv_status selv_name(selv_scheduler *s, const X &x, const char *n) { return selv_name_arg(s, selvi_x(x), n); }
template <class X> inline selv_status selv_adopt(selv_scheduler *s, const X &x, selv_mode m, cl_event e) { return selv_adopt_arg(s, selvi_x(x), m, e); }
template <class X> inline selv_status selv_export(selv_scheduler *s, const X &x, selv_mode m, cl_event *e) { return selv_export_arg(s, selvi_x(x), m, e); }
#endif
#endif
