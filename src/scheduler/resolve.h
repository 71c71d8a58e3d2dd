/* From what stands in an argument to the allocation it names, and to the access it means. */
#ifndef SELVI_SCHEDULER_RESOLVE_H
#define SELVI_SCHEDULER_RESOLVE_H

#include "scheduler/task.h"

typedef struct selvi_place {
    uint32_t slot;
    selvi_view *view; /* of a cl_mem; NULL: an address */
    /* where the handle or address stands in its allocation, and how many bytes there are from there on */
    uint64_t begin, bytes;
    /* what the bare argument means: the handle's range; the whole block of a pointer */
    uint64_t whole_begin, whole_bytes;
} selvi_place;

/* Under the lock. A cl_mem, or a pointer: into SVM, or (host_too) plain host memory. SELVI_AGAIN with t->need where the
 * handle was never seen. */
selv_status selvi_resolve(selv_scheduler *s, selvi_task *t, const selv_arg *arg, bool host_too, selvi_place *out);

/* The range that the annotations mean; `bytes`: how many of them for a copy and the like, SIZE_MAX: as annotated, or
 * the whole. Checks it against the place and against the flags. */
selv_status selvi_resolve_range(selv_scheduler *s, const selv_arg *arg, const selvi_place *p, size_t bytes,
                                uint64_t *begin, uint64_t *length);

/* Appends the access, rows and all. mode and flags are what is found where the argument does not say. */
selv_status selvi_resolve_access(selv_scheduler *s, selvi_accesses *list, const selv_arg *arg, const selvi_place *p,
                                 size_t bytes, selv_mode mode, unsigned flags, uint16_t argument);

/* X of selv_wait and the like: resolves and appends with that mode. Host memory has to be named with its size. */
selv_status selvi_resolve_x(selv_scheduler *s, selvi_task *t, const selv_arg *arg, selv_mode mode, uint16_t argument,
                            selvi_place *out);

/* Of a copy or fill: 0 is refused, and SIZE_MAX, which means "as annotated" above. */
selv_status selvi_check_bytes(size_t bytes);
bool selvi_has_part(const selv_arg *arg);

#endif
