/* Two questions to the source of a program, answered without a compiler. A token scanner that knows comments, strings,
   line continuations, and directives; nothing is guessed: what is not plain is "unknown". */
#ifndef SELVI_CL_SOURCE_H
#define SELVI_CL_SOURCE_H

#include "cl/types.h"

/* The built-in type behind a typedef name: `typedef float real;`, chains of them, and `typedef float *pointer` is no
   answer. Plain means: exactly one typedef of that name at file scope, no #define or -D (in `options`, may be NULL) of
   any word in it, and not inside #if (any conditional); a simple `#define real float`, unconditional and alone, is
   resolved as well. */
bool selvi_source_resolve(const char *source, const char *options, const char *name, selvi_type *out);

/* Does the program declare variables at file scope in the global address space (OpenCL C 2.0 section 6.5.1)? `constant`
   ones do not count. A declaration that cannot be told from one (a macro call at file scope) counts. */
bool selvi_source_has_globals(const char *source);

#endif
