/* Watches over memory objects: the destructor callback's user data is a number, looked up in a table of the process,
   since callbacks run inside clReleaseMemObject on the calling thread or on a driver's thread, and may come after
   selv_close. */
#ifndef SELVI_SCHEDULER_WATCH_H
#define SELVI_SCHEDULER_WATCH_H

#include "selvedge/selvedge.h"

/* A number for a view of that scheduler, 0 with the text set if memory runs out; then the callback is set. */
selv_status selvi_watch_begin(selv_scheduler *s, uint32_t view, cl_mem m, uint64_t *out);
/* The next view of this scheduler whose object is gone; false: none. Cheap when there is none. */
bool selvi_watch_next(selv_scheduler *s, uint32_t *view, uint64_t *watch);
void selvi_watch_end_all(selv_scheduler *s);

#endif
