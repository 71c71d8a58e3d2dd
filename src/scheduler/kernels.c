#include "scheduler/kernels.h"

#include "base/memory.h"
#include "base/status.h"
#include "cl/command.h"

selvi_kernel *selvi_kernel_find(selvi_kernels *k, cl_kernel kernel)
{
    uint64_t index;
    if (!selvi_table_get(&k->by_handle, (uintptr_t)kernel, &index))
        return NULL;
    k->at[index]->last_use = ++k->clock;
    return k->at[index];
}

static selv_status other_context(cl_kernel kernel)
{
    char name[128] = "(its name is too long)";
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    return selvi_fail(SELV_OTHER_CONTEXT,
                      "kernel %s belongs to another OpenCL context than this scheduler: build its program with "
                      "selv_build, or open the scheduler with selv_config.context",
                      name);
}

static selv_status check_context(cl_kernel kernel, cl_context context)
{
    cl_context own;
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof own, &own, NULL);
    if (code)
        return selvi_fail(code, "the driver does not know this kernel (%s): was it released?", selvi_status_name(code));
    return own == context ? SELV_OK : other_context(kernel);
}

static selv_status fill(selvi_kernel *k, cl_kernel kernel, cl_context context, cl_device_id device)
{
    selv_status st = check_context(kernel, context);
    if (st)
        return st;
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof k->program, &k->program, NULL);
    if (code)
        return selvi_fail(code, "clGetKernelInfo(CL_KERNEL_PROGRAM) was refused by the driver (%s)",
                          selvi_status_name(code));
    st = selvi_signature_read(kernel, device, &k->signature);
    if (!st && k->signature.count > SELVI_MOST_ARGUMENTS)
        st = selvi_fail(SELV_UNSUPPORTED, "kernel %s has %u parameters: selv_launch passes at most %d",
                        k->signature.name, k->signature.count, SELVI_MOST_ARGUMENTS);
    if (!st && !(code = clRetainKernel(kernel)))
        k->user = kernel;
    return st ? st : code;
}

selv_status selvi_kernel_make(cl_kernel kernel, cl_context context, cl_device_id device, selvi_kernel **out)
{
    selvi_kernel *k = selvi_alloc(sizeof *k);
    if (!k)
        return CL_OUT_OF_HOST_MEMORY;
    selv_status st = fill(k, kernel, context, device);
    if (st)
        selvi_kernel_free(k);
    else
        *out = k;
    return st;
}

selv_status selvi_kernel_add(selvi_kernels *k, selvi_kernel *made)
{
    selv_status st = selvi_grow(&k->at, &k->room, k->count + 1, sizeof *k->at);
    st = st ? st : selvi_table_put(&k->by_handle, (uintptr_t)made->user, k->count);
    if (st)
        return st;
    made->last_use = ++k->clock;
    k->at[k->count++] = made;
    return SELV_OK;
}

/* The last one takes the free place; its row is there already, so this needs no memory. */
static selvi_kernel *take(selvi_kernels *k, size_t index)
{
    selvi_kernel *taken = k->at[index], *last = k->at[--k->count];
    k->at[index] = last;
    selvi_table_put(&k->by_handle, (uintptr_t)last->user, index);
    selvi_table_remove(&k->by_handle, (uintptr_t)taken->user);
    return taken;
}

static bool let_go(const selvi_kernel *k)
{
    cl_uint references = 2;
    clGetKernelInfo(k->user, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL);
    return references == 1;
}

selvi_kernel *selvi_kernel_evict(selvi_kernels *k)
{
    size_t oldest = SIZE_MAX;
    if (k->count <= SELVI_KERNELS_MOST)
        return NULL;
    for (size_t i = 0; i < k->count; i++)
        if ((oldest == SIZE_MAX || k->at[i]->last_use < k->at[oldest]->last_use) && let_go(k->at[i]))
            oldest = i;
    return oldest == SIZE_MAX ? NULL : take(k, oldest);
}

selvi_kernel *selvi_kernel_remove(selvi_kernels *k, cl_kernel kernel)
{
    uint64_t index;
    return selvi_table_get(&k->by_handle, (uintptr_t)kernel, &index) ? take(k, (size_t)index) : NULL;
}

void selvi_kernel_free(selvi_kernel *k)
{
    for (size_t i = 0; i < k->copy_count; i++)
        clReleaseKernel(k->copies[i].kernel);
    if (k->user)
        clReleaseKernel(k->user);
    selvi_signature_destroy(&k->signature);
    selvi_free(k->copies);
    selvi_free(k);
}

selvi_copy *selvi_kernel_copy(selvi_kernel *k, uint64_t svm_mask, bool hidden)
{
    for (size_t i = 0; i < k->copy_count; i++)
        if (k->copies[i].svm_mask == svm_mask && k->copies[i].hidden == hidden)
            return &k->copies[i];
    return NULL;
}

selv_status selvi_kernel_make_copy(cl_program program, const char *name, cl_kernel *out)
{
    cl_int code;
    *out = clCreateKernel(program, name, &code);
    return code ? selvi_fail(code,
                             "kernel %s: clCreateKernel for a private copy was refused by the driver (%s); was its "
                             "program built again? Then call selv_forget_kernel before building",
                             name, selvi_status_name(code))
                : SELV_OK;
}

selv_status selvi_kernel_add_copy(selvi_kernel *k, uint64_t svm_mask, bool hidden, cl_kernel copy)
{
    selv_status st = selvi_grow(&k->copies, &k->copy_room, k->copy_count + 1, sizeof *k->copies);
    if (!st)
        k->copies[k->copy_count++] = (selvi_copy){svm_mask, hidden, copy};
    return st;
}

void selvi_kernels_destroy(selvi_kernels *k)
{
    for (size_t i = 0; i < k->count; i++)
        selvi_kernel_free(k->at[i]);
    selvi_table_destroy(&k->by_handle);
    selvi_free(k->at);
}
