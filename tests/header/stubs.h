/* What the macros call, recorded: the tests of the header are linked without the library. */
#ifndef HEADER_STUBS_H
#define HEADER_STUBS_H

#include <selvedge/selvedge.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct seen {
    const char *function; /* that was called last */
    size_t n;             /* arguments, copied to arg */
    selv_arg arg[64];
    selv_range range;
    size_t bytes;
    selv_mode mode;
    const void *other; /* a host pointer, an event, an address for a result, a name: what is no selv_arg */
} seen;
extern seen last;

#ifdef __cplusplus
}
#endif
#endif
