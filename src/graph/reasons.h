/* From hazards (one for each producer, kind and range) to reasons (one for each pair of arguments). */
#ifndef SELVI_GRAPH_REASONS_H
#define SELVI_GRAPH_REASONS_H

#include "graph/record.h"

/* Adds to `to` the reasons behind hazard h, whose producer is `from` at the given place. */
selv_status selvi_reasons_add(selvi_record *to, const selvi_hazard *h, const selvi_record *from, uint64_t place);

/* Sorts, and joins what differs in its bytes only. */
void selvi_reasons_normalise(selvi_reasons *list);

/* How the order to a producer at this epoch was kept. */
selv_fate selvi_fate_of(const selvi_fact_task *task, selvi_epoch producer);

#endif
