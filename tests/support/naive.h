/* The tracker as one would write it without caring for time: for each byte, everything that ever happened to it.
 *
 *    byte 7:  W t1, R t2, R t3, W t4, R t5        an access looks back to the last write and no further */
#ifndef SELVI_TESTS_NAIVE_H
#define SELVI_TESTS_NAIVE_H

#include "tracking/parts.h"

enum { NAIVE_BYTES = 24, NAIVE_EVENTS = 512 };

typedef struct naive_event {
    selvi_epoch epoch;
    selv_mode mode;
} naive_event;

typedef struct naive_byte {
    naive_event events[NAIVE_EVENTS];
    size_t count;
} naive_byte;

typedef struct naive_model {
    naive_byte bytes[NAIVE_BYTES];
} naive_model;

void naive_clear(naive_model *m);

/* One byte's hazards for an access in this mode: the latest in each lane of those that wrote, read and accumulated
   since the last write, without what h covers. Only producer, kind, commutes and accumulated are set. */
size_t naive_query(const naive_model *m, uint64_t byte, selv_mode mode, const selvi_horizon *h, selvi_hazard *out);
void naive_apply(naive_model *m, const selvi_access *a, selvi_epoch e); /* bytes outside the model are left out */

#endif
