/* Selvedge: launch OpenCL kernels with plain arguments; the waits insert themselves.

    #include <selvedge/selvedge.h>
    #include <stdio.h>
    #define KERNEL "kernel void "

    int main(void)
    {
        const char *source = KERNEL "twice(global float *y, global const float *x) { *y = 2 * *x; }"
                             KERNEL "third(global float *z, global const float *x) { *z = *x / 3; }"
                             KERNEL "add(global float *y, global const float *z, float a) { *y += a * *z; }";
        selv_scheduler *s = NULL;
        cl_program program = NULL;
        cl_kernel twice = NULL, third = NULL, add = NULL;
        cl_mem x = NULL, y = NULL, z = NULL;
        float in = 6, out = 0;

        if (selv_open(NULL, &s) || selv_build(s, source, NULL, &program) || selv_kernel(s, program, "twice", &twice) ||
            selv_kernel(s, program, "third", &third) || selv_kernel(s, program, "add", &add))
            return puts(selv_error()), 1;
        selv_buffer(s, sizeof in, &in, &x), selv_buffer(s, sizeof in, NULL, &y), selv_buffer(s, sizeof in, NULL, &z);
        selv_launch(s, twice, selv_1d(1), y, x);
        selv_launch(s, third, selv_1d(1), z, x);
        selv_launch(s, add, selv_1d(1), y, z, 0.5f);
        selv_read(s, &out, y, sizeof out);
        printf("%g, and 13 was expected\n", (double)out);
        return selv_close(s) ? puts(selv_error()), 1 : 0;
    }

   `third` runs beside `twice`, since both only read x; `add` waits for the two of them, and nothing else waits.

   House rules
   - The result is that of running all tasks one after another in the order of the calls. Two tasks wait for each
     other only if they touch the same bytes of the same memory and one of them writes.
   - Calls that make a task return at once, with a selv_task: a positive number, nothing to free. Other calls return a
     selv_status. A negative value of either is a failure: OpenCL's codes as they are, ours below -31000.
   - selv_error() tells in words what went wrong, where, and what to do.
   - A refused call changes nothing. Check every call, or once: selv_finish and selv_close return the first failure
     that nobody asked about.
   - A task may be submitted while the tasks before it still run. Submitting may wait for the device (too many tasks in
     flight), never for your program. Every function may be called from every thread.
   - Kernels, programs and memory objects are OpenCL's own. Sizes and offsets are in bytes, ranges in work-items.
   - X, DST and SRC below name memory: a cl_mem, an SVM pointer (also into the middle of a block), host memory with its
     size (`selv_part(p, 0, bytes)`), or any of them in an annotation. A number there does not compile.
   - Each macro has a function under it (selv_launch_args, selv_wait_arg, ...) for other languages. */
#ifndef SELVEDGE_SELVEDGE_H
#define SELVEDGE_SELVEDGE_H

#ifdef __cplusplus
#if __cplusplus < 201703L
#error "selvedge/selvedge.h needs C++17 or later: compile with -std=c++17"
#endif
#elif !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "selvedge/selvedge.h needs C11 or later: compile with -std=c11"
#endif

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __cplusplus
#include <type_traits>
#endif

#define SELV_VERSION_MAJOR 0
#define SELV_VERSION_MINOR 1
#define SELV_VERSION_PATCH 0
#define SELV_VERSION (SELV_VERSION_MAJOR * 10000 + SELV_VERSION_MINOR * 100 + SELV_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Types ---------------------------------------------------------------------------------------------------- */

typedef struct selv_scheduler selv_scheduler;
typedef int selv_status;   /* 0, or negative */
typedef int64_t selv_task; /* positive, or a negative selv_status */

/* One row for each status of ours: name, number, what it means. OpenCL's codes (above -31000) pass through. */
/* clang-format off */
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
/* clang-format on */

/* What a task does to memory. */
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

/* The work-items of a launch: made by selv_1d, selv_2d or selv_3d. */
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

/* ---- Opening -------------------------------------------------------------------------------------------------- */

/* selv_open(config, &s). NULL for the usual: the first GPU, else the first device. SELVEDGE_DEVICE in the environment
   wins over the configuration. SELV_NO_DEVICE if nothing matches; the text lists what there is. */
selv_status selv_open_version(unsigned version, const selv_config *config, selv_scheduler **out);
#define selv_open(...) selv_open_version(SELV_VERSION, __VA_ARGS__) /* variadic: a compound literal has commas */

/* Finishes all work, then frees the scheduler, whatever is returned: the first failure since selv_failure,
   selv_finish or selv_close was called last; a status that was returned before does not count as seen. Kernels
   and programs stay yours. NULL is fine. */
selv_status selv_close(selv_scheduler *s);

/* The first failure since the last such question that nobody has seen, or 0; forgets it. */
selv_status selv_failure(selv_scheduler *s);

/* The text of this thread's last failure: kernel, argument, what was expected, what came, what to do. Never NULL;
   valid until this thread's next call. */
const char *selv_error(void);

/* "SELV_MAPPED", "CL_OUT_OF_RESOURCES", or "unknown status". */
const char *selv_status_name(selv_status status);

/* For your own OpenCL calls; not retained for you. NULL where there is no such device. */
cl_context selv_context(const selv_scheduler *s);
cl_device_id selv_device(const selv_scheduler *s, unsigned index);

/* Counters since opening, and what is held at this moment. */
selv_status selv_stats(const selv_scheduler *s, selv_statistics *out);

/* ---- Kernels -------------------------------------------------------------------------------------------------- */

/* clCreateProgramWithSource and clBuildProgram, with -cl-kernel-arg-info added to `options` (may be NULL): from there
   come the modes. The text of a failure holds the build log. clReleaseProgram when done. */
selv_status selv_build(selv_scheduler *s, const char *source, const char *options, cl_program *out);

/* clCreateKernel; the text of a failure lists the kernels that there are. clReleaseKernel when done. */
selv_status selv_kernel(selv_scheduler *s, cl_program program, const char *name, cl_kernel *out);

/* Says what the kernel does with its parameters, one item for each: "out float*, in float*, float, uint". An item is
   [in|out|inout|accum|untracked] [type]; empty or "-": as found. Needed where a kernel was built without argument
   information, and for types behind a typedef. "out" promises that the whole part is overwritten. */
selv_status selv_signature(selv_scheduler *s, cl_kernel k, const char *signature);

/* Drops what is kept of a kernel (a private copy, its signature). Never needed; saves memory if kernels come and go. */
selv_status selv_forget_kernel(selv_scheduler *s, cl_kernel k);

/* ---- Memory ---------------------------------------------------------------------------------------------------
   Any other cl_mem of the context, images too, works as well, unannounced. */

/* clCreateBuffer, read-write. `init`: `bytes` bytes that are copied before the return, or NULL. */
selv_status selv_buffer(selv_scheduler *s, size_t bytes, const void *init, cl_mem *out);

/* clReleaseMemObject: the handle is dead for you at once, the storage lives until its last task is complete. */
selv_status selv_release(selv_scheduler *s, cl_mem m);

/* selv_svm(s, bytes, &p), where p is any pointer: shared virtual memory (clSVMAlloc), which the host may write at once,
   until the first task that names it. SELV_UNSUPPORTED on devices without it. */
selv_status selv_svm_alloc(selv_scheduler *s, size_t bytes, void *out);

/* Frees the block that begins at p once its last task is complete; does not wait for that. NULL is fine. */
selv_status selv_svm_free(selv_scheduler *s, void *p);

/* Tells of SVM that you got from clSVMAlloc yourself, and forgets it: before you free it. */
selv_status selv_track(selv_scheduler *s, void *svm, size_t bytes);
selv_status selv_untrack(selv_scheduler *s, void *svm);

/* selv_name(s, X, "name"): what error texts and graphs call this memory. The name is copied. */
selv_status selv_name_arg(selv_scheduler *s, selv_arg x, const char *name);

/* ---- Tasks ---------------------------------------------------------------------------------------------------- */

/* selv_launch(s, kernel, range, ...arguments...): clSetKernelArg for each, then clEnqueueNDRangeKernel. Arguments are
   memory (X), samplers, selv_local(bytes), numbers, OpenCL vectors, and selv_value(v) for everything else; none to 64.
   NULL and 0 are null for a pointer parameter; a cl_mem variable that is NULL is refused. A number is converted to the
   parameter's type if its value fits, and -1 is all ones for an unsigned one. Modes come from annotations at the call,
   else from selv_signature, else from the kernel: a const or constant pointer reads, images by their qualifier, any
   other pointer reads and writes. The arguments of `kernel` itself stay as they are. */
selv_task selv_launch_args(selv_scheduler *s, cl_kernel k, selv_range range, size_t n, const selv_arg *args);

/* selv_copy(s, DST, SRC, bytes): between buffers, SVM, whole images (rows without gaps) and host memory, in all
   combinations but host to host. Host memory must stay until the task is complete. */
selv_task selv_copy_args(selv_scheduler *s, selv_arg dst, selv_arg src, size_t bytes);

/* selv_fill(s, DST, value, bytes): repeats a number (0.0f: four bytes), a vector, or selv_value(v) (1, 2, 4, ... 128
   bytes), as clEnqueueFillBuffer and clEnqueueSVMMemFill do; `bytes` is a multiple of it. selv_zero(s, DST, bytes). */
selv_task selv_fill_args(selv_scheduler *s, selv_arg dst, selv_arg value, size_t bytes);
selv_task selv_zero_arg(selv_scheduler *s, selv_arg dst, size_t bytes);

/* selv_read(s, host, SRC, bytes): waits, the data is there on return. selv_write(s, DST, host, bytes): `host` may be
   reused on return. */
selv_status selv_read_arg(selv_scheduler *s, void *host, selv_arg src, size_t bytes);
selv_status selv_write_arg(selv_scheduler *s, selv_arg dst, const void *host, size_t bytes);

/* ---- Host access and waiting ---------------------------------------------------------------------------------- */

/* selv_wait(s, X): until the host may read X; that holds until the next task that writes X. SVM is mapped underneath; a
   cl_mem is only waited for. SELV_TASK_FAILED, and the text names the first cause, if X was not made. */
selv_status selv_wait_arg(selv_scheduler *s, selv_arg x);

/* selv_edit(s, X): until the host may read and write X; that holds until the next task that names X. For SVM and host
   memory; for a cl_mem use selv_map. */
selv_status selv_edit_arg(selv_scheduler *s, selv_arg x);

/* selv_ready(s, X): 1 if selv_wait would not wait (or would fail), 0 if it would, or negative. Never blocks. */
selv_status selv_ready_arg(selv_scheduler *s, selv_arg x);

/* selv_map(s, m, mode, &p), where p is any pointer: clEnqueueMapBuffer of all of a buffer, and waits for it. `mode` is
   SELV_READ, SELV_WRITE (the old contents are lost) or SELV_READ_WRITE. Until selv_unmap, a task that writes m, or
   reads what is mapped for writing, is refused with SELV_MAPPED. */
selv_status selv_map_mem(selv_scheduler *s, cl_mem m, selv_mode mode, void *out);
selv_task selv_unmap(selv_scheduler *s, cl_mem m);

/* One task, or all of them. A failed task gives its failure; selv_finish the first one that nobody has seen. */
selv_status selv_wait_task(selv_scheduler *s, selv_task t);
selv_status selv_finish(selv_scheduler *s);

/* clFlush wherever something is held back: all submitted work is on its way. Waits for nothing. */
selv_status selv_flush(selv_scheduler *s);

/* ---- Beside explicit OpenCL -----------------------------------------------------------------------------------
   Accesses are X with a mode: selv_in(m), selv_out(selv_within(m, 0, 64)). Without one: read and write. */

/* selv_adopt(s, done, ...accesses...): a command that you enqueued yourself makes these accesses, `done` is its event
   (retained). Later tasks wait for it; if it fails, so do they. Flush its queue. */
selv_task selv_adopt_args(selv_scheduler *s, cl_event done, size_t n, const selv_arg *accesses);

/* selv_export(s, &event, ...accesses...): for the wait list of your own command that makes these accesses. Always a
   valid event, flushed; clReleaseEvent when done. Reserves nothing: selv_adopt the command afterwards. */
selv_status selv_export_args(selv_scheduler *s, cl_event *out, size_t n, const selv_arg *accesses);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* ---- Ranges and arguments -------------------------------------------------------------------------------------
   Annotations tell what a kernel does with memory x. They nest: selv_out(selv_part(x, 0, 64)). An outer part counts
   from the inner one and lies inside it. Modes that contradict each other are refused by the call they are given to.

   selv_in(x)          the kernel only reads x
   selv_out(x)         it overwrites all of x
   selv_inout(x)       it reads and writes x
   selv_accum(x)       it changes x by commuting atomics only: such tasks run side by side
   selv_untracked(x)   nothing waits for this access, and it waits for nothing

   selv_part(x, offset, bytes)      this part is the argument: the kernel sees its first byte as the first. In a buffer,
                                    where a sub-buffer may begin (CL_DEVICE_MEM_BASE_ADDR_ALIGN)
   selv_within(x, offset, bytes)    the kernel sees all of x, and touches only this part
   selv_strided(x, offset, bytes, rows, pitch)    the same for a tile or column: `rows` times `bytes`, `pitch` apart

   selv_also(x)        no argument, but memory that the kernel reaches through others: selv_also(selv_in(nodes))
   selv_local(bytes)   local memory
   selv_value(v)       the bytes of a struct; in C of a variable or compound literal. Up to 128 are copied at the call
   selv_arg_of(x)      an annotated or plain argument as a selv_arg, for the functions ..._args */

#ifdef __cplusplus
#define SELVI_INLINE inline
#else /* not inline: eight arguments would be kilobytes of code at each launch, and most of the time of compiling */
#define SELVI_INLINE __attribute__((unused, noinline)) static
#endif

/* Functions: a macro would end in {a, b}, whose comma selv_launch would take for its own. */
SELVI_INLINE selv_range selv_3d(size_t w, size_t h, size_t d)
{
    selv_range r;
    memset(&r, 0, sizeof r);
    r.dims = 3;
    r.device = -1;
    r.global[0] = w;
    r.global[1] = h;
    r.global[2] = d;
    return r;
}

SELVI_INLINE selv_range selv_2d(size_t w, size_t h)
{
    selv_range r = selv_3d(w, h, 1);
    r.dims = 2;
    return r;
}

SELVI_INLINE selv_range selv_1d(size_t n)
{
    selv_range r = selv_3d(n, 1, 1);
    r.dims = 1;
    return r;
}

/* The work-group size; without it the driver chooses. Unused dimensions are 1. */
SELVI_INLINE selv_range selv_group(selv_range range, size_t x, size_t y, size_t z)
{
    range.local[0] = x;
    range.local[1] = y;
    range.local[2] = z;
    return range;
}

/* Where get_global_id begins. Unused dimensions are 0. */
SELVI_INLINE selv_range selv_offset(selv_range range, size_t x, size_t y, size_t z)
{
    range.offset[0] = x;
    range.offset[1] = y;
    range.offset[2] = z;
    return range;
}

/* Runs on the device of this index; without it where most of its data is. */
SELVI_INLINE selv_range selv_on(selv_range range, int device)
{
    range.device = device;
    return range;
}

/* ==== Below this line: machinery. Nothing to learn from it about using the library. ============================ */

enum selvi_kind {
    SELVI_MEM = 1,
    SELVI_SAMPLER,
    SELVI_QUEUE,
    SELVI_POINTER,
    SELVI_SIGNED,   /* value.i */
    SELVI_UNSIGNED, /* value.u */
    SELVI_REAL,     /* value.f */
    SELVI_VECTOR,   /* value.raw, inline_bytes of it */
    SELVI_BYTES,    /* `bytes` of them: in value.raw if inline_bytes, else at pointer */
    SELVI_LOCAL     /* bytes */
};

enum selvi_flag {
    SELVI_PART = 1,
    SELVI_WITHIN = 2,
    SELVI_STRIDED = 4,
    SELVI_ALSO = 8,
    SELVI_UNTRACKED = 16,
    SELVI_HAS_MODE = 32,
    SELVI_CONFLICT = 64, /* two modes, or a mode and untracked */
    SELVI_OUTSIDE = 128  /* a part does not lie inside the part that it was taken of, or its end overflows */
};

/* Numbers: name, C type, kind, member of selv_arg.value, type of that member. */
/* clang-format off */
#define SELVI_NUMBERS(row) \
    row(bool, bool, UNSIGNED, u, uint64_t) \
    row(char, char, SIGNED, i, int64_t) \
    row(schar, signed char, SIGNED, i, int64_t) \
    row(uchar, unsigned char, UNSIGNED, u, uint64_t) \
    row(short, short, SIGNED, i, int64_t) \
    row(ushort, unsigned short, UNSIGNED, u, uint64_t) \
    row(int, int, SIGNED, i, int64_t) \
    row(uint, unsigned, UNSIGNED, u, uint64_t) \
    row(long, long, SIGNED, i, int64_t) \
    row(ulong, unsigned long, UNSIGNED, u, uint64_t) \
    row(llong, long long, SIGNED, i, int64_t) \
    row(ullong, unsigned long long, UNSIGNED, u, uint64_t) \
    row(float, float, REAL, f, double) \
    row(double, double, REAL, f, double)

/* OpenCL's vectors. A vector of three is the same C type as one of four. */
#define SELVI_WIDTHS(row, name) row(name##2) row(name##4) row(name##8) row(name##16)
#define SELVI_VECTORS(row) \
    SELVI_WIDTHS(row, cl_char) SELVI_WIDTHS(row, cl_uchar) SELVI_WIDTHS(row, cl_short) SELVI_WIDTHS(row, cl_ushort) \
    SELVI_WIDTHS(row, cl_int) SELVI_WIDTHS(row, cl_uint) SELVI_WIDTHS(row, cl_long) SELVI_WIDTHS(row, cl_ulong) \
    SELVI_WIDTHS(row, cl_half) SELVI_WIDTHS(row, cl_float) SELVI_WIDTHS(row, cl_double)

enum selvi_type {
    SELVI_T_none,
#define SELVI_ROW(name, type, kind, member, wide) SELVI_T_##name,
    SELVI_NUMBERS(SELVI_ROW)
#undef SELVI_ROW
#define SELVI_ROW(name) SELVI_T_##name,
    SELVI_VECTORS(SELVI_ROW)
#undef SELVI_ROW
    SELVI_T_count
};
/* clang-format on */

/* An address that is only taken: without this gcc warns of destinations that are not initialised yet. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define SELVI_ADDRESS_ONLY __attribute__((access(none, 1)))
#else
#define SELVI_ADDRESS_ONLY
#endif

/* `value` is left as it is: nobody reads more of it than inline_bytes. */
SELVI_INLINE selv_arg selvi_base(int kind, int type, size_t inline_bytes, uintptr_t pointer)
{
    selv_arg a;
    a.kind = (unsigned char)kind;
    a.type = (unsigned char)type;
    a.flags = a.mode = 0;
    a.inline_bytes = (unsigned)inline_bytes;
    a.base = a.offset = a.bytes = a.rows = a.pitch = 0;
    a.pointer = (const void *)pointer;
    return a;
}

SELVI_INLINE selv_arg selvi_arg_same(selv_arg a)
{
    return a;
}

SELVI_INLINE selv_arg selvi_arg_mem(cl_mem m)
{
    return selvi_base(SELVI_MEM, 0, 0, (uintptr_t)m);
}

SELVI_INLINE selv_arg selvi_arg_sampler(cl_sampler m)
{
    return selvi_base(SELVI_SAMPLER, 0, 0, (uintptr_t)m);
}

SELVI_INLINE selv_arg selvi_arg_queue(cl_command_queue m)
{
    return selvi_base(SELVI_QUEUE, 0, 0, (uintptr_t)m);
}

/* The parameter's name is what the compiler says when a struct comes here. */
SELVI_ADDRESS_ONLY SELVI_INLINE selv_arg selvi_arg_pointer(const volatile void *a_struct_needs_selv_value)
{
    return selvi_base(SELVI_POINTER, 0, 0, (uintptr_t)a_struct_needs_selv_value);
}

/* clang-format off */
#define SELVI_ROW(name, type_, kind_, member, wide) \
    SELVI_INLINE selv_arg selvi_arg_##name(type_ v) \
    { \
        selv_arg a = selvi_base(SELVI_##kind_, SELVI_T_##name, sizeof(wide), 0); \
        a.value.member = (wide)v; \
        return a; \
    }
SELVI_NUMBERS(SELVI_ROW)
#undef SELVI_ROW
/* clang-format on */

SELVI_INLINE selv_arg selvi_vector(int type, const void *p, size_t bytes)
{
    selv_arg a = selvi_base(SELVI_VECTOR, type, bytes, 0);
    memcpy(a.value.raw, p, bytes);
    return a;
}

/* Copied if it fits, so that a compound literal or temporary may die. */
SELVI_INLINE selv_arg selvi_value(const void *p, size_t bytes)
{
    selv_arg a = selvi_base(SELVI_BYTES, 0, 0, (uintptr_t)p);
    a.bytes = bytes;
    if (bytes <= sizeof a.value.raw) {
        memcpy(a.value.raw, p, bytes);
        a.inline_bytes = (unsigned)bytes;
        a.pointer = NULL;
    }
    return a;
}

SELVI_INLINE selv_arg selv_local(size_t bytes)
{
    selv_arg a = selvi_base(SELVI_LOCAL, 0, 0, 0);
    a.bytes = bytes;
    return a;
}

SELVI_INLINE selv_arg selvi_with_flag(selv_arg a, int flag)
{
    a.flags = (unsigned char)(a.flags | flag);
    if ((a.flags & SELVI_UNTRACKED) && (a.flags & SELVI_HAS_MODE))
        a.flags = (unsigned char)(a.flags | SELVI_CONFLICT);
    return a;
}

SELVI_INLINE selv_arg selvi_with_mode(selv_arg a, selv_mode mode)
{
    if ((a.flags & SELVI_HAS_MODE) && a.mode != (unsigned char)mode)
        a.flags = (unsigned char)(a.flags | SELVI_CONFLICT);
    a.mode = (unsigned char)mode;
    return selvi_with_flag(a, SELVI_HAS_MODE);
}

/* From the first byte of the first range to the last byte of the last; SIZE_MAX if that overflows. */
SELVI_INLINE size_t selvi_span(size_t bytes, size_t rows, size_t pitch)
{
    if (rows < 2)
        return bytes;
    return pitch > (SIZE_MAX - bytes) / (rows - 1) ? SIZE_MAX : bytes + (rows - 1) * pitch;
}

/* A new frame of `bytes` (in each of `rows`) at `offset` of the frame that there is; no frame yet: of everything. */
SELVI_INLINE selv_arg selvi_framed(selv_arg a, int flag, size_t offset, size_t bytes, size_t rows, size_t pitch)
{
    bool framed = (a.flags & (SELVI_PART | SELVI_WITHIN | SELVI_STRIDED)) != 0;
    size_t room = framed ? selvi_span(a.bytes, a.rows, a.pitch) : SIZE_MAX - a.offset;
    size_t span = selvi_span(bytes, rows, pitch);
    if (offset > room || span > room - offset || span == SIZE_MAX)
        return selvi_with_flag(a, flag | SELVI_OUTSIDE);
    a.offset += offset;
    a.bytes = bytes;
    a.rows = rows;
    a.pitch = pitch;
    return selvi_with_flag(a, flag);
}

SELVI_INLINE selv_arg selvi_part(selv_arg a, size_t offset, size_t bytes)
{
    a = selvi_framed(a, SELVI_PART, offset, bytes, 0, 0);
    a.base = a.offset;
    return a;
}

SELVI_INLINE selv_arg selvi_within(selv_arg a, size_t offset, size_t bytes)
{
    return selvi_framed(a, SELVI_WITHIN, offset, bytes, 0, 0);
}

/* No rows at all: a part of no bytes. */
SELVI_INLINE selv_arg selvi_strided(selv_arg a, size_t offset, size_t bytes, size_t rows, size_t pitch)
{
    return selvi_framed(a, SELVI_STRIDED, offset, rows ? bytes : 0, rows, pitch);
}

/* clang-format off */
#ifndef __cplusplus

#define SELVI_ROW(name) \
    static inline selv_arg selvi_arg_##name(name v) \
    { \
        return selvi_vector(SELVI_T_##name, &v, sizeof v); \
    }
SELVI_VECTORS(SELVI_ROW)
#undef SELVI_ROW

/* Mistakes that would compile as some pointer, or be converted. Declared only: to call one is a compile error. */
#if defined(__has_attribute)
#if __has_attribute(error)
#define SELVI_MISTAKE(text) __attribute__((error(text)))
#endif
#endif
#ifndef SELVI_MISTAKE
#define SELVI_MISTAKE(text)
#endif
SELVI_MISTAKE("pass the cl_mem itself, not its address")
selv_arg selvi_mistake_address(const volatile void *p);
SELVI_MISTAKE("this object cannot be an argument: pass memory, a sampler, a number or selv_value()")
selv_arg selvi_mistake_handle(const volatile void *p);
SELVI_MISTAKE("selv_value copies bytes: memory named by a handle or pointer would go untracked; pass it plainly")
selv_arg selvi_mistake_value(const void *p, size_t bytes);
SELVI_MISTAKE("a number stands where memory is meant (for a task there is selv_wait_task)")
selv_arg selvi_mistake_number(long double v);
SELVI_MISTAKE("OpenCL has no number of this type: cast it to double or to a 64-bit integer")
selv_arg selvi_mistake_wide(long double v);
SELVI_MISTAKE("the last argument must be the address of a pointer variable")
void *selvi_mistake_out(const volatile void *out, size_t unused);

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 selvi_int128;
__extension__ typedef unsigned __int128 selvi_uint128;
#define SELVI_WIDE(function) long double : function, selvi_int128 : function, selvi_uint128 : function,
#else
#define SELVI_WIDE(function) long double : function,
#endif
#define SELVI_HANDLES \
    cl_mem * : selvi_mistake_address, const cl_mem * : selvi_mistake_address, cl_kernel : selvi_mistake_handle, \
    cl_event : selvi_mistake_handle, cl_program : selvi_mistake_handle, cl_context : selvi_mistake_handle, \
    cl_device_id : selvi_mistake_handle, cl_platform_id : selvi_mistake_handle, \
    selv_scheduler * : selvi_mistake_handle, selv_arg * : selvi_mistake_handle, const selv_arg * : selvi_mistake_handle,

#define SELVI_TO_ARG(name, type, kind, member, wide) type : selvi_arg_##name,
#define SELVI_TO_VECTOR(name) name : selvi_arg_##name,
#define SELVI_TO_NUMBER(name, type, kind, member, wide) type : selvi_mistake_number,
#define SELVI_TO_OUT(name, type, kind, member, wide) type : selvi_mistake_out,

/* gcc gives bit-fields types of their own (unsigned char:3), which meet no row: their class tells them apart. */
#define SELVI_POINTER_OR_BITS(x) \
    __builtin_choose_expr(__builtin_classify_type(x) == __builtin_classify_type(0), selvi_arg_llong, selvi_arg_pointer)

/* A plain argument of a launch. */
#define SELVI_ARG(x) \
    _Generic((x), selv_arg : selvi_arg_same, cl_mem : selvi_arg_mem, cl_sampler : selvi_arg_sampler, \
             cl_command_queue : selvi_arg_queue, SELVI_HANDLES SELVI_NUMBERS(SELVI_TO_ARG) \
             SELVI_WIDE(selvi_mistake_wide) SELVI_VECTORS(SELVI_TO_VECTOR) default : SELVI_POINTER_OR_BITS(x))(x)

/* What names memory; a number here is a mistake. */
#define SELVI_X(x) \
    _Generic((x), selv_arg : selvi_arg_same, cl_mem : selvi_arg_mem, cl_sampler : selvi_mistake_handle, \
             cl_command_queue : selvi_mistake_handle, SELVI_HANDLES SELVI_NUMBERS(SELVI_TO_NUMBER) \
             SELVI_WIDE(selvi_mistake_number) default : selvi_arg_pointer)(x)

/* The address of a pointer variable, of whatever type. The second argument refuses structs, and is not evaluated. */
#define SELVI_OUT(out) \
    _Generic(*(out), SELVI_NUMBERS(SELVI_TO_OUT) SELVI_WIDE(selvi_mistake_out) default : selvi_out)( \
        out, sizeof(selvi_out_points_to(*(out))))
static inline void *selvi_out(void *out, size_t unused)
{
    (void)unused;
    return out;
}
char selvi_out_points_to(const volatile void *the_last_argument_must_be_the_address_of_a_pointer_variable);

/* A pointer, of whatever type, but no array. */
#define SELVI_IS_POINTER(x) \
    (__builtin_classify_type(x) == __builtin_classify_type((char *)0) && \
     __builtin_types_compatible_p(__typeof__(x), __typeof__(1 ? (x) : (x))))

/* How many arguments follow the first one: at most 64, else more_than_64_arguments, which the compiler then shows. */
#define SELVI_REST(...) SELVI_REST_(__VA_ARGS__, SELVI_64_MORE, SELVI_64_TO_0, 0)
#define SELVI_REST_(...) SELVI_PICK(__VA_ARGS__)
#define SELVI_4_MORE more_than_64_arguments, more_than_64_arguments, more_than_64_arguments, more_than_64_arguments
#define SELVI_16_MORE SELVI_4_MORE, SELVI_4_MORE, SELVI_4_MORE, SELVI_4_MORE
#define SELVI_64_MORE SELVI_16_MORE, SELVI_16_MORE, SELVI_16_MORE, SELVI_16_MORE
#define SELVI_64_TO_0 \
    64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, \
    36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, \
    8, 7, 6, 5, 4, 3, 2, 1, 0
#define SELVI_PICK( \
    _0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, _20, _21, _22, _23, \
    _24, _25, _26, _27, _28, _29, _30, _31, _32, _33, _34, _35, _36, _37, _38, _39, _40, _41, _42, _43, _44, _45, \
    _46, _47, _48, _49, _50, _51, _52, _53, _54, _55, _56, _57, _58, _59, _60, _61, _62, _63, _64, _65, _66, _67, \
    _68, _69, _70, _71, _72, _73, _74, _75, _76, _77, _78, _79, _80, _81, _82, _83, _84, _85, _86, _87, _88, _89, \
    _90, _91, _92, _93, _94, _95, _96, _97, _98, _99, _100, _101, _102, _103, _104, _105, _106, _107, _108, _109, \
    _110, _111, _112, _113, _114, _115, _116, _117, _118, _119, _120, _121, _122, _123, _124, _125, _126, _127, \
    _128, count, ...) count
#define SELVI_FIRST(...) SELVI_FIRST_(__VA_ARGS__, 0)
#define SELVI_FIRST_(first, ...) first
#define SELVI_CAT(a, b) SELVI_CAT_(a, b)
#define SELVI_CAT_(a, b) a##b

/* ", to(a), to(b), ..." of everything but the first, f. */
#define SELVI_E0(to, f)
#define SELVI_E1(to, f, a) , to(a)
#define SELVI_E2(to, f, a, ...) , to(a) SELVI_E1(to, f, __VA_ARGS__)
#define SELVI_E3(to, f, a, ...) , to(a) SELVI_E2(to, f, __VA_ARGS__)
#define SELVI_E4(to, f, a, ...) , to(a) SELVI_E3(to, f, __VA_ARGS__)
#define SELVI_E5(to, f, a, ...) , to(a) SELVI_E4(to, f, __VA_ARGS__)
#define SELVI_E6(to, f, a, ...) , to(a) SELVI_E5(to, f, __VA_ARGS__)
#define SELVI_E7(to, f, a, ...) , to(a) SELVI_E6(to, f, __VA_ARGS__)
#define SELVI_E8(to, f, a, ...) , to(a) SELVI_E7(to, f, __VA_ARGS__)
#define SELVI_E9(to, f, a, ...) , to(a) SELVI_E8(to, f, __VA_ARGS__)
#define SELVI_E10(to, f, a, ...) , to(a) SELVI_E9(to, f, __VA_ARGS__)
#define SELVI_E11(to, f, a, ...) , to(a) SELVI_E10(to, f, __VA_ARGS__)
#define SELVI_E12(to, f, a, ...) , to(a) SELVI_E11(to, f, __VA_ARGS__)
#define SELVI_E13(to, f, a, ...) , to(a) SELVI_E12(to, f, __VA_ARGS__)
#define SELVI_E14(to, f, a, ...) , to(a) SELVI_E13(to, f, __VA_ARGS__)
#define SELVI_E15(to, f, a, ...) , to(a) SELVI_E14(to, f, __VA_ARGS__)
#define SELVI_E16(to, f, a, ...) , to(a) SELVI_E15(to, f, __VA_ARGS__)
#define SELVI_E17(to, f, a, ...) , to(a) SELVI_E16(to, f, __VA_ARGS__)
#define SELVI_E18(to, f, a, ...) , to(a) SELVI_E17(to, f, __VA_ARGS__)
#define SELVI_E19(to, f, a, ...) , to(a) SELVI_E18(to, f, __VA_ARGS__)
#define SELVI_E20(to, f, a, ...) , to(a) SELVI_E19(to, f, __VA_ARGS__)
#define SELVI_E21(to, f, a, ...) , to(a) SELVI_E20(to, f, __VA_ARGS__)
#define SELVI_E22(to, f, a, ...) , to(a) SELVI_E21(to, f, __VA_ARGS__)
#define SELVI_E23(to, f, a, ...) , to(a) SELVI_E22(to, f, __VA_ARGS__)
#define SELVI_E24(to, f, a, ...) , to(a) SELVI_E23(to, f, __VA_ARGS__)
#define SELVI_E25(to, f, a, ...) , to(a) SELVI_E24(to, f, __VA_ARGS__)
#define SELVI_E26(to, f, a, ...) , to(a) SELVI_E25(to, f, __VA_ARGS__)
#define SELVI_E27(to, f, a, ...) , to(a) SELVI_E26(to, f, __VA_ARGS__)
#define SELVI_E28(to, f, a, ...) , to(a) SELVI_E27(to, f, __VA_ARGS__)
#define SELVI_E29(to, f, a, ...) , to(a) SELVI_E28(to, f, __VA_ARGS__)
#define SELVI_E30(to, f, a, ...) , to(a) SELVI_E29(to, f, __VA_ARGS__)
#define SELVI_E31(to, f, a, ...) , to(a) SELVI_E30(to, f, __VA_ARGS__)
#define SELVI_E32(to, f, a, ...) , to(a) SELVI_E31(to, f, __VA_ARGS__)
#define SELVI_E33(to, f, a, ...) , to(a) SELVI_E32(to, f, __VA_ARGS__)
#define SELVI_E34(to, f, a, ...) , to(a) SELVI_E33(to, f, __VA_ARGS__)
#define SELVI_E35(to, f, a, ...) , to(a) SELVI_E34(to, f, __VA_ARGS__)
#define SELVI_E36(to, f, a, ...) , to(a) SELVI_E35(to, f, __VA_ARGS__)
#define SELVI_E37(to, f, a, ...) , to(a) SELVI_E36(to, f, __VA_ARGS__)
#define SELVI_E38(to, f, a, ...) , to(a) SELVI_E37(to, f, __VA_ARGS__)
#define SELVI_E39(to, f, a, ...) , to(a) SELVI_E38(to, f, __VA_ARGS__)
#define SELVI_E40(to, f, a, ...) , to(a) SELVI_E39(to, f, __VA_ARGS__)
#define SELVI_E41(to, f, a, ...) , to(a) SELVI_E40(to, f, __VA_ARGS__)
#define SELVI_E42(to, f, a, ...) , to(a) SELVI_E41(to, f, __VA_ARGS__)
#define SELVI_E43(to, f, a, ...) , to(a) SELVI_E42(to, f, __VA_ARGS__)
#define SELVI_E44(to, f, a, ...) , to(a) SELVI_E43(to, f, __VA_ARGS__)
#define SELVI_E45(to, f, a, ...) , to(a) SELVI_E44(to, f, __VA_ARGS__)
#define SELVI_E46(to, f, a, ...) , to(a) SELVI_E45(to, f, __VA_ARGS__)
#define SELVI_E47(to, f, a, ...) , to(a) SELVI_E46(to, f, __VA_ARGS__)
#define SELVI_E48(to, f, a, ...) , to(a) SELVI_E47(to, f, __VA_ARGS__)
#define SELVI_E49(to, f, a, ...) , to(a) SELVI_E48(to, f, __VA_ARGS__)
#define SELVI_E50(to, f, a, ...) , to(a) SELVI_E49(to, f, __VA_ARGS__)
#define SELVI_E51(to, f, a, ...) , to(a) SELVI_E50(to, f, __VA_ARGS__)
#define SELVI_E52(to, f, a, ...) , to(a) SELVI_E51(to, f, __VA_ARGS__)
#define SELVI_E53(to, f, a, ...) , to(a) SELVI_E52(to, f, __VA_ARGS__)
#define SELVI_E54(to, f, a, ...) , to(a) SELVI_E53(to, f, __VA_ARGS__)
#define SELVI_E55(to, f, a, ...) , to(a) SELVI_E54(to, f, __VA_ARGS__)
#define SELVI_E56(to, f, a, ...) , to(a) SELVI_E55(to, f, __VA_ARGS__)
#define SELVI_E57(to, f, a, ...) , to(a) SELVI_E56(to, f, __VA_ARGS__)
#define SELVI_E58(to, f, a, ...) , to(a) SELVI_E57(to, f, __VA_ARGS__)
#define SELVI_E59(to, f, a, ...) , to(a) SELVI_E58(to, f, __VA_ARGS__)
#define SELVI_E60(to, f, a, ...) , to(a) SELVI_E59(to, f, __VA_ARGS__)
#define SELVI_E61(to, f, a, ...) , to(a) SELVI_E60(to, f, __VA_ARGS__)
#define SELVI_E62(to, f, a, ...) , to(a) SELVI_E61(to, f, __VA_ARGS__)
#define SELVI_E63(to, f, a, ...) , to(a) SELVI_E62(to, f, __VA_ARGS__)
#define SELVI_E64(to, f, a, ...) , to(a) SELVI_E63(to, f, __VA_ARGS__)

/* "n, array": the array begins with a dummy, so that none at all is legal too. */
#define SELVI_ARGS(to, ...) \
    SELVI_REST(__VA_ARGS__), \
        ((const selv_arg[]){selvi_base(0, 0, 0, 0) SELVI_CAT(SELVI_E, SELVI_REST(__VA_ARGS__))(to, __VA_ARGS__)} + 1)

#define selv_launch(s, k, ...) selv_launch_args(s, k, SELVI_FIRST(__VA_ARGS__), SELVI_ARGS(SELVI_ARG, __VA_ARGS__))
#define selv_adopt(s, ...) selv_adopt_args(s, SELVI_FIRST(__VA_ARGS__), SELVI_ARGS(SELVI_X, __VA_ARGS__))
#define selv_export(s, ...) selv_export_args(s, SELVI_FIRST(__VA_ARGS__), SELVI_ARGS(SELVI_X, __VA_ARGS__))

#define selv_arg_of(x) SELVI_ARG(x)
#define selv_in(x) selvi_with_mode(SELVI_X(x), SELV_READ)
#define selv_out(x) selvi_with_mode(SELVI_X(x), SELV_WRITE)
#define selv_inout(x) selvi_with_mode(SELVI_X(x), SELV_READ_WRITE)
#define selv_accum(x) selvi_with_mode(SELVI_X(x), SELV_ACCUMULATE)
#define selv_untracked(x) selvi_with_flag(SELVI_X(x), SELVI_UNTRACKED)
#define selv_also(x) selvi_with_flag(SELVI_X(x), SELVI_ALSO)
#define selv_part(x, offset, bytes) selvi_part(SELVI_X(x), offset, bytes)
#define selv_within(x, offset, bytes) selvi_within(SELVI_X(x), offset, bytes)
#define selv_strided(x, offset, bytes, rows, pitch) selvi_strided(SELVI_X(x), offset, bytes, rows, pitch)
#define selv_value(...) \
    __builtin_choose_expr(SELVI_IS_POINTER((__VA_ARGS__)), selvi_mistake_value, selvi_value)(&(__VA_ARGS__), \
                                                                                            sizeof(__VA_ARGS__))

#define selv_svm(s, bytes, out) selv_svm_alloc(s, bytes, SELVI_OUT(out))
#define selv_map(s, m, mode, out) selv_map_mem(s, m, mode, SELVI_OUT(out))
#define selv_name(s, x, name) selv_name_arg(s, SELVI_X(x), name)
#define selv_copy(s, dst, src, bytes) selv_copy_args(s, SELVI_X(dst), SELVI_X(src), bytes)
#define selv_fill(s, dst, value, bytes) selv_fill_args(s, SELVI_X(dst), SELVI_ARG(value), bytes)
#define selv_zero(s, dst, bytes) selv_zero_arg(s, SELVI_X(dst), bytes)
#define selv_read(s, host, src, bytes) selv_read_arg(s, host, SELVI_X(src), bytes)
#define selv_write(s, dst, host, bytes) selv_write_arg(s, SELVI_X(dst), host, bytes)
#define selv_wait(s, x) selv_wait_arg(s, SELVI_X(x))
#define selv_edit(s, x) selv_edit_arg(s, SELVI_X(x))
#define selv_ready(s, x) selv_ready_arg(s, SELVI_X(x))

/* clang-format on */
#else /* C++: overloads instead of _Generic, static_assert instead of the error attribute */

/* clang-format off */
template <class T> struct selvi_vector_type : std::integral_constant<int, 0> {};
#define SELVI_ROW(name) template <> struct selvi_vector_type<name> : std::integral_constant<int, SELVI_T_##name> {};
SELVI_VECTORS(SELVI_ROW)
#undef SELVI_ROW

template <class T> struct selvi_is_number : std::false_type {};
#define SELVI_ROW(name, type_, kind_, member, wide) \
    template <> struct selvi_is_number<type_> : std::true_type {}; \
    inline selv_arg selvi_arg_number(type_ v) { return selvi_arg_##name(v); }
SELVI_NUMBERS(SELVI_ROW)
#undef SELVI_ROW
/* clang-format on */

template <class T, class... U> constexpr bool selvi_one_of = (std::is_same_v<T, U> || ...);

template <class T> inline selv_arg selvi_arg_integer(T v) /* wchar_t, char16_t, enums: as the integer under it */
{
    static_assert(sizeof v <= 8, "OpenCL has no number of this type: cast it to a 64-bit integer");
    if constexpr (std::is_enum_v<T>)
        return selvi_arg_integer(static_cast<std::underlying_type_t<T>>(v));
    else if constexpr (selvi_is_number<T>::value)
        return selvi_arg_number(v);
    else if constexpr (std::is_signed_v<T>)
        return selvi_arg_integer(static_cast<std::make_signed_t<T>>(v));
    else
        return selvi_arg_integer(static_cast<std::make_unsigned_t<T>>(v));
}

template <class T> inline selv_arg selvi_arg_address(T p)
{
    using P = std::remove_cv_t<std::remove_pointer_t<T>>;
    static_assert(!std::is_same_v<P, cl_mem>, "pass the cl_mem itself, not its address");
    static_assert(!selvi_one_of<T, cl_event, cl_kernel, cl_program, cl_context, cl_device_id, cl_platform_id> &&
                      !selvi_one_of<P, selv_scheduler, selv_arg>,
                  "this object cannot be an argument: pass memory, a sampler, a number or selv_value()");
    static_assert(!std::is_function_v<P>, "a function cannot be an argument");
    if constexpr (std::is_function_v<P>)
        return selv_arg();
    else
        return selvi_arg_pointer(p);
}

/* A plain argument of a launch. */
template <class X> inline selv_arg selvi_arg(const X &x)
{
    using T = std::decay_t<const X>;
    if constexpr (std::is_same_v<T, selv_arg>)
        return x;
    else if constexpr (std::is_same_v<T, std::nullptr_t>)
        return selvi_arg_pointer(nullptr);
    else if constexpr (std::is_same_v<T, cl_sampler>)
        return selvi_arg_sampler(x);
    else if constexpr (std::is_same_v<T, cl_command_queue>)
        return selvi_arg_queue(x);
    else if constexpr (std::is_convertible_v<const X &, cl_mem>)
        return selvi_arg_mem(x);
    else if constexpr (std::is_pointer_v<T>)
        return selvi_arg_address<T>(x);
    else if constexpr (selvi_is_number<T>::value)
        return selvi_arg_number(x);
    else if constexpr (std::is_integral_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, long long>))
        return selvi_arg_integer<T>(x);
    else if constexpr (selvi_vector_type<T>::value != 0)
        return selvi_vector(selvi_vector_type<T>::value, &x, sizeof x);
    else {
        static_assert(!std::is_arithmetic_v<T>, "OpenCL has no number of this type: cast it to double");
        static_assert(!std::is_enum_v<T>, "a scoped enum is no number: cast it to an integer");
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "a struct needs selv_value()");
        return selv_arg();
    }
}

/* What names memory; a number here is a mistake. */
template <class X> inline selv_arg selvi_x(const X &x)
{
    using T = std::decay_t<const X>;
    static_assert(!std::is_arithmetic_v<T> && !std::is_enum_v<T>,
                  "a number stands where memory is meant (for a task there is selv_wait_task)");
    static_assert(!selvi_one_of<T, cl_sampler, cl_command_queue>, "this object cannot be an argument: it is no memory");
    return selvi_arg(x);
}

template <class... A> inline selv_task selv_launch(selv_scheduler *s, cl_kernel k, selv_range range, const A &...x)
{
    static_assert(sizeof...(x) <= 64, "more_than_64_arguments");
    const selv_arg a[] = {selvi_base(0, 0, 0, 0), selvi_arg(x)...};
    return selv_launch_args(s, k, range, sizeof...(x), a + 1);
}

template <class... A> inline selv_task selv_adopt(selv_scheduler *s, cl_event done, const A &...x)
{
    const selv_arg a[] = {selvi_base(0, 0, 0, 0), selvi_x(x)...};
    return selv_adopt_args(s, done, sizeof...(x), a + 1);
}

template <class... A> inline selv_status selv_export(selv_scheduler *s, cl_event *out, const A &...x)
{
    const selv_arg a[] = {selvi_base(0, 0, 0, 0), selvi_x(x)...};
    return selv_export_args(s, out, sizeof...(x), a + 1);
}

/* The bytes are copied, or a temporary lives to the end of the whole call. */
template <class X> inline selv_arg selv_value(const X &x)
{
    static_assert(std::is_trivially_copyable_v<X>, "selv_value copies bytes: this type cannot be copied so");
    static_assert(!std::is_pointer_v<std::remove_all_extents_t<X>> && !selvi_one_of<X, selv_arg, std::nullptr_t>,
                  "selv_value copies bytes: memory named by a handle or pointer would go untracked; pass it plainly");
    return selvi_value(&x, sizeof x);
}

/* Function, its parameters, what it calls. */
/* clang-format off */
#define SELVI_FORWARD(result, name, parameters, call) \
    template <class X> inline result name parameters { return call; }
SELVI_FORWARD(selv_arg, selv_arg_of, (const X &x), selvi_arg(x))
SELVI_FORWARD(selv_arg, selv_in, (const X &x), selvi_with_mode(selvi_x(x), SELV_READ))
SELVI_FORWARD(selv_arg, selv_out, (const X &x), selvi_with_mode(selvi_x(x), SELV_WRITE))
SELVI_FORWARD(selv_arg, selv_inout, (const X &x), selvi_with_mode(selvi_x(x), SELV_READ_WRITE))
SELVI_FORWARD(selv_arg, selv_accum, (const X &x), selvi_with_mode(selvi_x(x), SELV_ACCUMULATE))
SELVI_FORWARD(selv_arg, selv_untracked, (const X &x), selvi_with_flag(selvi_x(x), SELVI_UNTRACKED))
SELVI_FORWARD(selv_arg, selv_also, (const X &x), selvi_with_flag(selvi_x(x), SELVI_ALSO))
SELVI_FORWARD(selv_arg, selv_part, (const X &x, size_t offset, size_t bytes), selvi_part(selvi_x(x), offset, bytes))
SELVI_FORWARD(selv_arg, selv_within, (const X &x, size_t offset, size_t bytes), selvi_within(selvi_x(x), offset, bytes))
SELVI_FORWARD(selv_arg, selv_strided, (const X &x, size_t offset, size_t bytes, size_t rows, size_t pitch),
              selvi_strided(selvi_x(x), offset, bytes, rows, pitch))
SELVI_FORWARD(selv_status, selv_svm, (selv_scheduler *s, size_t bytes, X **out), selv_svm_alloc(s, bytes, out))
SELVI_FORWARD(selv_status, selv_map, (selv_scheduler *s, cl_mem m, selv_mode mode, X **out),
              selv_map_mem(s, m, mode, out))
SELVI_FORWARD(selv_status, selv_name, (selv_scheduler *s, const X &x, const char *name),
              selv_name_arg(s, selvi_x(x), name))
SELVI_FORWARD(selv_task, selv_zero, (selv_scheduler *s, const X &x, size_t bytes), selv_zero_arg(s, selvi_x(x), bytes))
SELVI_FORWARD(selv_status, selv_read, (selv_scheduler *s, void *host, const X &x, size_t bytes),
              selv_read_arg(s, host, selvi_x(x), bytes))
SELVI_FORWARD(selv_status, selv_write, (selv_scheduler *s, const X &x, const void *host, size_t bytes),
              selv_write_arg(s, selvi_x(x), host, bytes))
SELVI_FORWARD(selv_status, selv_wait, (selv_scheduler *s, const X &x), selv_wait_arg(s, selvi_x(x)))
SELVI_FORWARD(selv_status, selv_edit, (selv_scheduler *s, const X &x), selv_edit_arg(s, selvi_x(x)))
SELVI_FORWARD(selv_status, selv_ready, (selv_scheduler *s, const X &x), selv_ready_arg(s, selvi_x(x)))
/* clang-format on */
#undef SELVI_FORWARD

template <class D, class S> inline selv_task selv_copy(selv_scheduler *s, const D &dst, const S &src, size_t bytes)
{
    return selv_copy_args(s, selvi_x(dst), selvi_x(src), bytes);
}

template <class D, class V> inline selv_task selv_fill(selv_scheduler *s, const D &dst, const V &value, size_t bytes)
{
    return selv_fill_args(s, selvi_x(dst), selvi_arg(value), bytes);
}

#endif /* __cplusplus */
#endif
