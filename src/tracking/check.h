/* assert() that lives in release builds too, for the _check() functions and nothing else: the tests call them in every
   build, the library itself only within SELVI_DEBUG_ONLY(). */
#ifndef SELVI_TRACKING_CHECK_H
#define SELVI_TRACKING_CHECK_H

#ifdef NDEBUG
#define SELVI_DEBUG_ONLY(call) ((void)0)
#undef NDEBUG
#else
#define SELVI_DEBUG_ONLY(call) (call)
#endif
#include <assert.h>

#endif
