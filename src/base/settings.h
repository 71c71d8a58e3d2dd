/* Every setting of the environment, in one table: the parser, the documentation and the tests read it. */
#ifndef SELVI_BASE_SETTINGS_H
#define SELVI_BASE_SETTINGS_H

#include "selvedge/selvedge.h"

/* row(field, NAME, kind, lowest, highest, "value", "what it does"); the environment's name is SELVEDGE_NAME.
   kind NUMBER: unsigned between lowest and highest. kind TEXT: any text but an empty one. */
/* clang-format off */
#define SELVI_SETTINGS(row) \
    row(serial, SERIAL, NUMBER, 0, 1, "1", \
        "one lane, and each task finished before the next: if a fault goes away with this, it is one of order") \
    row(lanes, LANES, NUMBER, 1, 64, "N", "so many in-order queues for each device, 1 to 64") \
    row(device, DEVICE, TEXT, 0, 0, "gpu|cpu|accelerator|NAME", \
        "the device to open: its kind, or any part of its name (upper and lower case are alike)") \
    row(log, LOG, TEXT, 0, 0, "stderr|FILE", "write every refusal, failure and notice there, a line each") \
    row(graph, GRAPH, TEXT, 0, 0, "FILE.dot|FILE.txt", \
        "record every task, and write the dependency graph when the scheduler closes or the program ends")
/* clang-format on */

typedef struct selvi_settings {
#define SELVI_NUMBER unsigned
#define SELVI_TEXT const char *
#define SELVI_SETTING_FIELD(field, NAME, kind, lowest, highest, value, help) SELVI_##kind field;
    SELVI_SETTINGS(SELVI_SETTING_FIELD)
#undef SELVI_SETTING_FIELD
#undef SELVI_TEXT
#undef SELVI_NUMBER
} selvi_settings;

/* Reads the environment. Not set: 0 or NULL. An unknown SELVEDGE_ name or a value that does not fit is
   SELV_BAD_SETTING, and the text names the nearest setting or the values that would do. Texts point into the
   environment. */
selv_status selvi_settings_read(selvi_settings *out);

/* Writes the table as Markdown rows, "| `SELVEDGE_LANES` | N | ... |": docs/settings.md is made by it. */
void selvi_settings_print(void (*line)(void *user, const char *text), void *user);

#endif
