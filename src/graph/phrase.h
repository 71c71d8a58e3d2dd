/* The words that explain, text and DOT share. Each writes at most `bytes` with the closing zero, and returns out. */
#ifndef SELVI_GRAPH_PHRASE_H
#define SELVI_GRAPH_PHRASE_H

#include "graph/record.h"

enum { SELVI_PHRASE_BYTES = 512 };

const char *selvi_hazard_name(int kind); /* "RAW" */
const char *selvi_mode_verb(int mode);   /* "reads and writes" */

/* "small", or "buffer #3". */
const char *selvi_phrase_allocation(const selvi_recorder *r, uint64_t number, char *out, size_t bytes);
bool selvi_is_host_memory(const selvi_recorder *r, uint64_t number);

/* "4 MiB" if whole, else "4194305". */
const char *selvi_phrase_size(uint64_t size, char *out, size_t bytes);

/* "small [0, 4 MiB)", with ranges and hulls told: for people. */
const char *selvi_phrase_part(const selvi_recorder *r, const selvi_reason *reason, char *out, size_t bytes);

/* "blur argument 0 (dst) writes". */
const char *selvi_phrase_side(const char *task, const selvi_side *side, char *out, size_t bytes);

/* "RAW on small [0, 4 MiB): blur argument 0 (dst) writes, mix argument 1 (a) reads". */
const char *selvi_phrase_reason(const selvi_recorder *r, const selvi_record *to, const selvi_reason *reason, char *out,
                                size_t bytes);

/* Control characters, backslashes, `quote` and bytes that are no UTF-8 become \xHH; with `quote` 0 quotes stay. */
const char *selvi_escape(const char *text, char quote, char *out, size_t bytes);

#endif
