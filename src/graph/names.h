/* Texts kept once: the names of kernels and parameters come again with every launch. They live as long as the table. */
#ifndef SELVI_GRAPH_NAMES_H
#define SELVI_GRAPH_NAMES_H

#include "base/table.h"

typedef struct selvi_names {
    selvi_table by_hash;     /* hash -> the newest name of this hash */
    struct selvi_name *last; /* all of them, newest first */
} selvi_names;

/* The kept copy, or NULL where there is no room (the failure's text is set). text NULL: "". */
const char *selvi_names_keep(selvi_names *names, const char *text);
void selvi_names_destroy(selvi_names *names);

#endif
