#include "cl/signature.h"

#include "base/memory.h"
#include "base/status.h"
#include "cl/info.h"
#include "cl/source.h"

/* What all parameters of one kernel share while they are read. */
typedef struct reading {
    cl_kernel kernel;
    cl_program program;
    cl_device_id device;
    char *source, *options; /* "" where the program has none */
} reading;

/* one parameter */

static cl_uint ask_uint(const reading *r, cl_uint index, cl_kernel_arg_info what, cl_uint otherwise)
{
    cl_uint value = otherwise;
    clGetKernelArgInfo(r->kernel, index, what, sizeof value, &value, NULL);
    return value;
}

static cl_kernel_arg_type_qualifier ask_qualifiers(const reading *r, cl_uint index)
{
    cl_kernel_arg_type_qualifier value = 0;
    clGetKernelArgInfo(r->kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof value, &value, NULL);
    return value;
}

static bool is_opaque(const char *type)
{
    static const char *const names[] = {"queue_t", "clk_event_t", "event_t", "reserve_id_t", "ndrange_t"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(type, names[i]))
            return true;
    return !strncmp(type, "pipe ", 5);
}

/* Images first: they stand in the global address space, and a typedef may hide their name but not their access
 * qualifier. */
static selvi_parameter_kind kind_of(const char *type, cl_uint address, cl_uint access, cl_kernel_arg_type_qualifier q)
{
    if (q & CL_KERNEL_ARG_TYPE_PIPE || is_opaque(type))
        return SELVI_PARAMETER_QUEUE;
    if (access != CL_KERNEL_ARG_ACCESS_NONE || selvi_type_is_image(type))
        return SELVI_PARAMETER_IMAGE;
    if (!strcmp(type, "sampler_t"))
        return SELVI_PARAMETER_SAMPLER;
    switch (address) {
    case CL_KERNEL_ARG_ADDRESS_GLOBAL: return SELVI_PARAMETER_GLOBAL;
    case CL_KERNEL_ARG_ADDRESS_CONSTANT: return SELVI_PARAMETER_CONSTANT;
    case CL_KERNEL_ARG_ADDRESS_LOCAL: return SELVI_PARAMETER_LOCAL;
    default: return SELVI_PARAMETER_VALUE;
    }
}

static selv_mode image_mode(cl_uint access)
{
    switch (access) {
    case CL_KERNEL_ARG_ACCESS_WRITE_ONLY: return SELV_WRITE;
    case CL_KERNEL_ARG_ACCESS_READ_WRITE: return SELV_READ_WRITE;
    default: return SELV_READ; /* what OpenCL C takes an image without a qualifier for */
    }
}

static void find_mode(selvi_parameter *p, cl_uint access, cl_kernel_arg_type_qualifier q)
{
    if (p->kind == SELVI_PARAMETER_IMAGE)
        p->mode = image_mode(access);
    else if (p->kind == SELVI_PARAMETER_CONSTANT || (p->kind == SELVI_PARAMETER_GLOBAL && q & CL_KERNEL_ARG_TYPE_CONST))
        p->mode = SELV_READ;
    else if (p->kind == SELVI_PARAMETER_GLOBAL)
        p->mode = SELV_READ_WRITE;
    p->assumed = p->kind == SELVI_PARAMETER_GLOBAL && p->mode == SELV_READ_WRITE;
}

static selv_status read_texts(const reading *r, cl_uint index, selvi_parameter *p)
{
    const selvi_subject who = {.object = r->kernel, .index = index};
    selv_status st = selvi_info_text(selvi_ask_argument, who, CL_KERNEL_ARG_TYPE_NAME, &p->type_name);
    return st ? st : selvi_info_text(selvi_ask_argument, who, CL_KERNEL_ARG_NAME, &p->name);
}

static selv_status read_parameter(const reading *r, cl_uint index, selvi_parameter *p)
{
    selv_status st = read_texts(r, index, p);
    if (st)
        return st;
    cl_uint access = ask_uint(r, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_NONE);
    cl_kernel_arg_type_qualifier q = ask_qualifiers(r, index);
    p->kind = (uint8_t)kind_of(
        p->type_name, ask_uint(r, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ADDRESS_PRIVATE), access, q);
    find_mode(p, access, q);
    if (p->kind == SELVI_PARAMETER_VALUE && !selvi_type_find(p->type_name, &p->type))
        selvi_source_resolve(r->source, r->options, p->type_name, &p->type);
    return SELV_OK;
}

static void forget(selvi_parameter *p)
{
    selvi_free(p->type_name);
    selvi_free(p->name);
    *p = (selvi_parameter){.mode = SELV_READ_WRITE, .assumed = true};
}

/* All or nothing: a driver that tells some parameters only is taken for one that tells none. */
static selv_status read_parameters(const reading *r, selvi_signature *sig)
{
    selv_status st = SELV_OK;
    for (unsigned i = 0; i < sig->count && !st; i++)
        st = read_parameter(r, i, &sig->parameters[i]);
    if (st == CL_OUT_OF_HOST_MEMORY)
        return selvi_fail(st, "out of host memory while the parameters of kernel %s were read", sig->name);
    sig->informed = st == SELV_OK;
    for (unsigned i = 0; i < sig->count && !sig->informed; i++)
        forget(&sig->parameters[i]);
    return SELV_OK;
}

/* the program */

/* Without -cl-std a program is of OpenCL C 1.x, which has no such variables: so only a program that asks for more may
   bring them in from a file that nobody sees here. */
static bool may_include_globals(const reading *r)
{
    return (strstr(r->options, "-cl-std=CL2") || strstr(r->options, "-cl-std=CL3") ||
            strstr(r->options, "-cl-std=CLC")) &&
           selvi_source_includes(r->source);
}

static bool has_globals(const reading *r)
{
    size_t bytes = 0;
#ifdef CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE
    if (selvi_device_version(r->device) >= 200)
        clGetProgramBuildInfo(r->program, r->device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof bytes, &bytes,
                              NULL);
#endif
    return bytes || selvi_source_has_globals(r->source) || may_include_globals(r);
}

/* A program made from binaries or linked has no source: as if it were empty. */
static selv_status text_or_empty(selvi_ask ask, selvi_subject who, cl_uint what, char **out)
{
    selv_status st = selvi_info_text(ask, who, what, out);
    if (!st || st == CL_OUT_OF_HOST_MEMORY) /* a source taken for empty would have no typedefs and no variables */
        return st;
    *out = selvi_copy_text("");
    return *out ? SELV_OK : CL_OUT_OF_HOST_MEMORY;
}

static selv_status read_program(reading *r)
{
    const selvi_subject program = {.object = r->program, .device = r->device};
    selv_status st = text_or_empty(selvi_ask_program, program, CL_PROGRAM_SOURCE, &r->source);
    return st ? st : text_or_empty(selvi_ask_build, program, CL_PROGRAM_BUILD_OPTIONS, &r->options);
}

/* the kernel */

static selv_status read_kernel(reading *r, selvi_signature *sig)
{
    const selvi_subject who = {.object = r->kernel};
    cl_uint count = 0;
    selv_status st = clGetKernelInfo(r->kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    st = st ? st : clGetKernelInfo(r->kernel, CL_KERNEL_PROGRAM, sizeof r->program, &r->program, NULL);
    st = st ? st : selvi_info_text(selvi_ask_kernel, who, CL_KERNEL_FUNCTION_NAME, &sig->name);
    if (st == CL_OUT_OF_HOST_MEMORY)
        return selvi_fail(st, "out of host memory while a kernel was looked at");
    if (st)
        return selvi_fail(st, "%s: %p is no kernel that the driver knows; was it released?", selvi_status_name(st),
                          (void *)r->kernel);
    sig->parameters = selvi_alloc(count * sizeof *sig->parameters);
    if (!sig->parameters)
        return CL_OUT_OF_HOST_MEMORY;
    sig->count = count;
    return SELV_OK;
}

selv_status selvi_signature_read(cl_kernel k, cl_device_id device, selvi_signature *out)
{
    reading r = {.kernel = k, .device = device};
    *out = (selvi_signature){0};
    if (!k)
        return selvi_fail(SELV_INVALID, "the kernel is NULL: pass one that selv_kernel or clCreateKernel made");
    selv_status st = read_kernel(&r, out);
    st = st ? st : read_program(&r);
    st = st ? st : read_parameters(&r, out);
    if (!st)
        out->has_globals = has_globals(&r);
    selvi_free(r.source);
    selvi_free(r.options);
    if (st)
        selvi_signature_destroy(out);
    return st;
}

void selvi_signature_destroy(selvi_signature *sig)
{
    for (unsigned i = 0; i < sig->count; i++) {
        selvi_free(sig->parameters[i].type_name);
        selvi_free(sig->parameters[i].name);
    }
    selvi_free(sig->parameters);
    selvi_free(sig->name);
    *sig = (selvi_signature){0};
}

/* texts */

static const char *space_of(const selvi_parameter *p)
{
    switch (p->kind) {
    case SELVI_PARAMETER_GLOBAL: return "global ";
    case SELVI_PARAMETER_CONSTANT: return "constant ";
    case SELVI_PARAMETER_LOCAL: return "local ";
    default: return "";
    }
}

void selvi_parameter_text(const selvi_signature *sig, unsigned index, char *out, size_t bytes)
{
    const selvi_parameter *p = index < sig->count ? &sig->parameters[index] : NULL;
    out[0] = 0;
    selvi_append(out, bytes, "argument %u", index);
    if (p && p->type_name)
        selvi_append(out, bytes, " (%s, %s%s)", p->name && p->name[0] ? p->name : "unnamed", space_of(p), p->type_name);
    selvi_append(out, bytes, " of kernel %s", sig->name);
}
