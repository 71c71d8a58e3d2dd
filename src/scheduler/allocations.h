/* Allocations, and the handles and addresses that lead to them.
 *
 *   cl_mem ---- views ----> {allocation slot, range, shape}     sub-buffers and images lead to their root
 *   address --- ranges ---> allocation slot                     SVM, and buffers' mapped pointers
 *   plain host memory ----> slot 0, whose bytes are addresses
 *
 * A handle value is reused by drivers at once, so a view is forgotten when the object's destructor callback comes:
 * watch.c.      */
#ifndef SELVI_SCHEDULER_ALLOCATIONS_H
#define SELVI_SCHEDULER_ALLOCATIONS_H

#include "base/table.h"
#include "cl/memobj.h"
#include "scheduler/watch.h"
#include "tracking/addresses.h"
#include "tracking/parts.h"

typedef enum selvi_allocation_kind {
    SELVI_FREE_SLOT,
    SELVI_BUFFER,
    SELVI_IMAGE,
    SELVI_SVM,
    SELVI_HOST,
    SELVI_PROGRAM
} selvi_allocation_kind;

typedef struct selvi_mapping { /* bytes that the host holds */
    uint64_t begin, end;
    selvi_epoch epoch; /* of the task that maps; position 0: mapped when it was allocated */
    bool writes;       /* mapped for writing too: no task may touch it */
    bool by_user; /* selv_map: tasks in conflict are refused. Else underneath selv_wait and selv_edit: they unmap */
    void *address;
    cl_mem mem;
} selvi_mapping;

typedef struct selvi_cached { /* a sub-buffer made for selv_part, or the alias buffer over an SVM block */
    cl_mem mem;
    uint64_t begin, bytes;
} selvi_cached;

typedef struct selvi_extras { /* what most allocations never have */
    selvi_mapping *mappings;
    size_t mapping_count, mapping_room;
    selvi_cached *cached;
    size_t cached_count, cached_room;
    bool counted; /* the driver's reference count of the root counts its sub-buffers */
} selvi_extras;

typedef struct selvi_allocation {
    selvi_parts parts;
    uint64_t number; /* never used again */
    uint64_t bytes;
    char *name;
    selvi_extras *extras;
    union {
        cl_mem mem; /* BUFFER, IMAGE: the root */
        void *svm;
        cl_program program;
    } object;
    uint32_t generation;
    uint32_t last_lane; /* the lane that wrote it last, 0: none: a hint for placement */
    int16_t device;     /* the one that wrote it last; -1: none */
    uint8_t kind;
    bool ours;   /* made by selv_buffer or selv_svm: counted as held */
    bool shared; /* used on more than one device: see selvi_access_seen */
    bool loose;  /* some part of it was accessed otherwise than through a sub-buffer */
    bool told;   /* the observer knows it */
} selvi_allocation;

typedef struct selvi_shape { /* of an image */
    size_t region[3], element_bytes;
    uint64_t tight_bytes;
} selvi_shape;

typedef struct selvi_view { /* a cl_mem that was seen */
    cl_mem mem;
    uint64_t begin, bytes;     /* the range of its root */
    selvi_shape *shape;        /* NULL: a buffer */
    uint64_t watch;            /* watch.h */
    uint32_t slot, generation; /* of the allocation; another generation: the root is gone, and this view is stale */
    cl_mem_flags flags;
    bool released;  /* by selv_release: waiting for the device */
    bool unwatched; /* no destructor callback may come (an image made from a buffer, PoCL 3.1): looked at again each
                       time */
    bool doubtful;  /* its object is gone, and the handle may be another's whose tasks are pending: it has no watch */
} selvi_view;

typedef struct selvi_allocations {
    selvi_allocation *at; /* by slot; may move when one is added */
    size_t count, room;
    uint32_t *free_slots;
    size_t free_count, free_room;
    selvi_view **views; /* by index; a view never moves */
    size_t view_count, view_room;
    uint32_t *free_views;
    size_t free_view_count, free_view_room;
    selvi_table by_handle;         /* cl_mem -> view index */
    selvi_table by_program;        /* cl_program -> slot */
    selvi_addresses addresses;     /* -> slot */
    selvi_address_range freed[16]; /* SVM lately freed, for texts: a ring */
    unsigned freed_next;
    uint64_t last_number;
    size_t live;
} selvi_allocations;

enum { SELVI_HOST_SLOT = 0 };

selv_status selvi_allocations_open(selvi_allocations *a);
void selvi_allocations_destroy(selvi_allocations *a);

selvi_allocation *selvi_allocation_at(selvi_allocations *a, uint32_t slot);
selv_status selvi_allocation_add(selvi_allocations *a, selvi_allocation_kind kind, uint64_t bytes, uint32_t *out);
void selvi_allocation_remove(selvi_allocations *a, uint32_t slot);
selvi_extras *selvi_allocation_extras(selvi_allocation *x); /* made if there are none; NULL: out of memory */
/* "buffer image (4096 bytes)", "SVM block of 64 bytes": for texts */
void selvi_allocation_text(const selvi_allocation *x, char *out, size_t bytes);
const char *selvi_allocation_kind_name(const selvi_allocation *x);

/* OpenCL leaves writing a buffer beside a sub-buffer of it undefined. One device does it right; between devices, whose
   copies the driver moves as a whole, only distinct sub-buffers are parts, and everything else of one buffer is the
   whole (DESIGN 3.2). */
selvi_access selvi_access_seen(const selvi_allocation *x, selvi_access a, int device);

selvi_view *selvi_view_find(selvi_allocations *a, cl_mem m);
/* A view of a memory object as it was read, and of its root if that is new. Both get a watch. */
selv_status selvi_view_add(selvi_allocations *a, struct selv_scheduler *s, cl_mem m, const selvi_memobj *info,
                           bool from_buffer);
/* A doubtful view whose handle has been looked at anew gets a watch over the object that is there now. */
selv_status selvi_view_watch_again(selvi_allocations *a, struct selv_scheduler *s, selvi_view *v);
/* The view's object is gone: forgets it, and its allocation if it was the root. */
void selvi_view_remove(selvi_allocations *a, uint32_t index, uint64_t watch);

/* The SVM block or mapped buffer around an address. */
bool selvi_allocations_lookup(const selvi_allocations *a, const void *p, selvi_address_range *out);
/* The range that begins at p, if it leads to this slot: memory mapped over a known block is no range of its own. */
void selvi_allocations_forget_address(selvi_allocations *a, const void *p, uint32_t slot);
void selvi_allocations_note_freed(selvi_allocations *a, selvi_address_range range);
bool selvi_allocations_was_freed(const selvi_allocations *a, const void *p);

#endif
