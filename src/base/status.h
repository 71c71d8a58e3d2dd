/* The text of the last failure, one per thread. Every failure in the library begins in selvi_fail(). */
#ifndef SELVI_BASE_STATUS_H
#define SELVI_BASE_STATUS_H

#include "selvedge/selvedge.h"

#include <stdarg.h>

#define SELVI_TEXT_BYTES 2048

/* Keeps the text for selv_error() and returns `status`, so that a check reads `return selvi_fail(...)`. */
selv_status selvi_fail(selv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "context: " before the text that is there: the outer call names the kernel, the inner one the fault. */
selv_status selvi_fail_within(selv_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Replaces this thread's text, as it is: a failure that another thread met is told here. */
void selvi_error_set(const char *text);

/* "CL_OUT_OF_RESOURCES", "SELV_MAPPED", or "unknown status"; never NULL. */
const char *selvi_status_name(selv_status status);

/* The two ways in which memory runs out, each with its text. */
selv_status selvi_fail_memory(size_t bytes);

#endif
