/* selv_build, selv_kernel, selv_signature, selv_forget_kernel. */
#include "base/status.h"
#include "cl/build.h"
#include "scheduler/task.h"

selv_status selv_build(selv_scheduler *s, const char *source, const char *options, cl_program *out)
{
    if (!s)
        return selvi_null("selv_build", "scheduler");
    if (!source || !out)
        return selvi_report(s, selvi_null("selv_build", source ? "place for the program" : "source"));
    return selvi_report(s, selvi_build_program(&s->devices, source, options, out));
}

selv_status selv_kernel(selv_scheduler *s, cl_program program, const char *name, cl_kernel *out)
{
    if (!s)
        return selvi_null("selv_kernel", "scheduler");
    if (!program || !name || !out)
        return selvi_report(s, selvi_null("selv_kernel", !program ? "program"
                                                         : !name  ? "name"
                                                                  : "place for the kernel"));
    return selvi_report(s, selvi_build_kernel(program, name, out));
}

typedef struct declaring {
    cl_kernel kernel;
    const char *text;
} declaring;

static selv_status declare_attempt(selv_scheduler *s, selvi_task *t)
{
    const declaring *d = t->user;
    selvi_kernel *k = selvi_kernel_find(&s->kernels, d->kernel);
    if (!k) {
        t->need = (selvi_need){.kind = SELVI_NEED_KERNEL, .kernel = d->kernel};
        return SELVI_AGAIN;
    }
    selv_status st = selvi_signature_declare(&k->signature, d->text);
    k->declared |= !st;
    return st;
}

selv_status selv_signature(selv_scheduler *s, cl_kernel kernel, const char *signature)
{
    declaring d = {kernel, signature};
    selvi_task t = {.kind = "signature", .name = "signature", .user = &d};
    if (!s)
        return selvi_null("selv_signature", "scheduler");
    if (!kernel || !signature)
        return selvi_report(s, selvi_null("selv_signature", kernel ? "signature" : "kernel"));
    return selvi_report(s, selvi_attempts(s, &t, declare_attempt));
}

/* A kernel that was never seen is forgotten already. The commands that use the copies keep what they need (OpenCL 3.0,
 * clReleaseKernel). */
selv_status selv_forget_kernel(selv_scheduler *s, cl_kernel kernel)
{
    if (!s)
        return selvi_null("selv_forget_kernel", "scheduler");
    if (!kernel)
        return selvi_report(s, selvi_null("selv_forget_kernel", "kernel"));
    selvi_lock(s);
    selvi_kernel *k = selvi_kernel_remove(&s->kernels, kernel);
    selvi_unlock(s);
    if (k)
        selvi_kernel_free(k);
    return SELV_OK;
}
