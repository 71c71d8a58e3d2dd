/* Sub-buffers made for selv_part of a cl_mem, and alias buffers over SVM blocks; both are kept for the next time. */
#ifndef SELVI_SCHEDULER_SUB_BUFFERS_H
#define SELVI_SCHEDULER_SUB_BUFFERS_H

#include "scheduler/task.h"

enum { SELVI_CACHED_MOST = 64 }; /* for each allocation; then the oldest goes */

/* Under the lock. The range [begin, begin + bytes) of a buffer, or of the alias buffer of an SVM block. SELVI_AGAIN
 * with t->need; SELV_MISALIGNED names the alignment. */
selv_status selvi_sub_buffer(selv_scheduler *s, selvi_task *t, uint32_t slot, uint64_t begin, uint64_t bytes,
                             cl_mem *out);
selv_status selvi_sub_buffer_provide(selv_scheduler *s, const selvi_need *need);

/* All that are cached for the allocation go to the garbage, behind what uses it. */
selv_status selvi_sub_buffers_drop(selv_scheduler *s, uint32_t slot);
/* Drops those that alone keep alive a buffer that the user has let go; true if there were any. Looks at so many
 * allocations, from where the last call stopped. Asks the driver: not for the launch path. */
enum { SELVI_TIDY_ALL = 0, SELVI_TIDY_SOME = 1024 };
bool selvi_sub_buffers_tidy(selv_scheduler *s, size_t most);

#endif
