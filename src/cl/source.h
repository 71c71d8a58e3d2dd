/* Two questions to the source of a program, answered without a compiler. A token scanner that knows comments, strings,
   line continuations, and directives; nothing is guessed: what is not plain is "unknown". */
#ifndef SELVI_CL_SOURCE_H
#define SELVI_CL_SOURCE_H

#include "cl/types.h"

/* The built-in type behind a typedef name: `typedef float real;`, chains of them. `typedef float *pointer` is no
   answer. Plain means: exactly one definition of each name on the way, at file scope and in no #if. It may be a
   typedef, a simple
   `#define real float`, or `-DREAL=double` in `options` (NULL: none). Unknown is everything in a program with an
   #include, which may say anything of any word, and a built-in word that is a macro as well. */
bool selvi_source_resolve(const char *source, const char *options, const char *name, selvi_type *out);

/* Does the program declare variables in the global address space (OpenCL C 2.0 section 6.5.1): at file scope, or
   `static` ones in functions? `constant` and `const` ones do not count, nor do samplers. A declaration that cannot be
   told from one (a macro call at file scope) counts. */
bool selvi_source_has_globals(const char *source);

/* Is there an #include? What it brings is not looked at. */
bool selvi_source_includes(const char *source);

#endif
