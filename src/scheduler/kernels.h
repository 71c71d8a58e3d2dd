/* Kernels that were seen: what their parameters are, and private copies whose arguments nobody else sets.
 *
 * A kernel has no destructor callback, so each one seen is retained: its handle cannot be used again for another. Those
 * that the user has let go are given back when there are more than SELVI_KERNELS_MOST. */
#ifndef SELVI_SCHEDULER_KERNELS_H
#define SELVI_SCHEDULER_KERNELS_H

#include "base/table.h"
#include "cl/signature.h"

enum { SELVI_KERNELS_MOST = 256 };

/* Two states of a kernel object cannot be taken back, so there is a copy for each.
 * svm_mask: the parameters that take SVM pointers. NVIDIA 580 refuses every launch (-52) of a kernel that was given an
 * SVM pointer for a parameter and later a cl_mem.
 * hidden: it is given lists of SVM blocks that are reached through pointers in memory. A list can be replaced, not
 * emptied (NVIDIA 580: -30): a launch without one would name blocks that are freed by then. */
typedef struct selvi_copy {
    uint64_t svm_mask;
    bool hidden;
    cl_kernel kernel;
} selvi_copy;

typedef struct selvi_kernel {
    cl_kernel user; /* retained */
    cl_program program;
    selvi_signature signature;
    const char *name; /* of its tasks: outlives the kernel (failure.c) */
    selvi_copy *copies;
    size_t copy_count, copy_room;
    uint64_t last_use;
    bool declared; /* by selv_signature */
    bool noticed;  /* the log has been told that it has no argument information */
} selvi_kernel;

typedef struct selvi_kernels {
    selvi_kernel **at;
    size_t count, room;
    selvi_table by_handle; /* cl_kernel -> index + 1 */
    uint64_t clock;
} selvi_kernels;

selvi_kernel *selvi_kernel_find(selvi_kernels *k, cl_kernel kernel);

/* Made without the lock, added under it. `selvi_kernel_make` retains the user's kernel and reads its signature. */
selv_status selvi_kernel_make(cl_kernel kernel, cl_context context, cl_device_id device, selvi_kernel **out);
/* Takes over `made`, unless the kernel is there already or memory runs out: then it stays the caller's. */
selv_status selvi_kernel_add(selvi_kernels *k, selvi_kernel *made);
/* One kernel that the user has let go and that nobody used lately, taken out of the table; NULL: none needs to go. */
selvi_kernel *selvi_kernel_evict(selvi_kernels *k);
selvi_kernel *selvi_kernel_remove(selvi_kernels *k, cl_kernel kernel);
void selvi_kernel_free(selvi_kernel *k); /* without the lock */

selvi_copy *selvi_kernel_copy(selvi_kernel *k, uint64_t svm_mask, bool hidden);           /* NULL: has to be made */
selv_status selvi_kernel_make_copy(cl_program program, const char *name, cl_kernel *out); /* without the lock */
selv_status selvi_kernel_add_copy(selvi_kernel *k, uint64_t svm_mask, bool hidden, cl_kernel copy);

void selvi_kernels_destroy(selvi_kernels *k);

#endif
