#include "base/settings.h"

#include "base/status.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define PREFIX "SELVEDGE_"

extern char **environ;

typedef struct setting {
    const char *name, *value, *help;
    bool is_number;
    unsigned long lowest, highest;
} setting;

enum { NUMBER = 1, TEXT = 0 };

static const setting table[] = {
#define ROW(field, NAME, kind, lowest, highest, value, help) {PREFIX #NAME, value, help, kind, lowest, highest},
    SELVI_SETTINGS(ROW)
#undef ROW
};
enum { SETTINGS = sizeof table / sizeof *table, NAME_BYTES = 32, VALUE_BYTES = 128 };

#define ROW(field, NAME, kind, lowest, highest, value, help)                                                           \
    static_assert(sizeof PREFIX #NAME <= NAME_BYTES, "distance() has no room for this name");                          \
    static_assert(2 * sizeof value <= VALUE_BYTES, "escape_bars() has no room for this value");
SELVI_SETTINGS(ROW)
#undef ROW

static size_t name_length(const char *entry)
{
    return strcspn(entry, "=");
}

static bool is_known(const char *entry)
{
    size_t length = name_length(entry);
    for (size_t i = 0; i < SETTINGS; i++)
        if (strlen(table[i].name) == length && !strncmp(entry, table[i].name, length))
            return true;
    return false;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* How many letters have to be put in, taken out or changed to make `b` of the first `length` letters of `a` (the
   distance of Levenshtein), row by row. */
static unsigned distance(const char *a, size_t length, const char *b)
{
    unsigned row[NAME_BYTES];
    size_t width = strlen(b);
    for (size_t j = 0; j <= width; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= width; j++) {
            unsigned above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[width];
}

static const char *nearest(const char *entry)
{
    const char *best = table[0].name;
    unsigned fewest = UINT_MAX;
    for (size_t i = 0; i < SETTINGS; i++) {
        unsigned n = distance(entry, name_length(entry), table[i].name);
        best = n < fewest ? table[i].name : best;
        fewest = n < fewest ? n : fewest;
    }
    return best;
}

static selv_status check_names(void)
{
    for (char **entry = environ; entry && *entry; entry++)
        if (!strncmp(*entry, PREFIX, strlen(PREFIX)) && !is_known(*entry))
            return selvi_fail(SELV_BAD_SETTING,
                              "the environment sets %.*s, which Selvedge does not know; did you mean %s? "
                              "Unset it, or see the settings in docs/settings.md",
                              (int)name_length(*entry), *entry, nearest(*entry));
    return SELV_OK;
}

static selv_status read_number(const setting *row, const char *text, unsigned *out)
{
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (errno || *end || !isdigit((unsigned char)*text) || n < row->lowest || n > row->highest)
        return selvi_fail(SELV_BAD_SETTING, "%s=%s: expected a whole number from %lu to %lu (%s)", row->name, text,
                          row->lowest, row->highest, row->help);
    *out = (unsigned)n;
    return SELV_OK;
}

static selv_status read_text(const setting *row, const char *text, const char **out)
{
    if (!*text)
        return selvi_fail(SELV_BAD_SETTING, "%s is set but empty: expected %s (%s)", row->name, row->value, row->help);
    *out = text;
    return SELV_OK;
}

static selv_status check_graph(const selvi_settings *out)
{
    const char *dot = out->graph ? strrchr(out->graph, '.') : NULL;
    if (!out->graph || (dot && (!strcmp(dot, ".dot") || !strcmp(dot, ".txt"))))
        return SELV_OK;
    return selvi_fail(SELV_BAD_SETTING, "SELVEDGE_GRAPH=%s: expected a file name that ends in .dot or .txt",
                      out->graph);
}

selv_status selvi_settings_read(selvi_settings *out)
{
    const char *text;
    size_t i = 0;
    memset(out, 0, sizeof *out);
    selv_status st = check_names();
#define READ_NUMBER(field) read_number(&table[i], text, &out->field)
#define READ_TEXT(field) read_text(&table[i], text, &out->field)
#define READ(field, NAME, kind, lowest, highest, value, help)                                                          \
    text = getenv(table[i].name);                                                                                      \
    if (!st && text)                                                                                                   \
        st = READ_##kind(field);                                                                                       \
    i++;
    SELVI_SETTINGS(READ)
#undef READ
    return st ? st : check_graph(out);
}

/* In a table of Markdown a bar ends the cell, even within code. */
static void escape_bars(const char *text, char *out)
{
    for (; *text; *out++ = *text++)
        if (*text == '|')
            *out++ = '\\';
    *out = '\0';
}

void selvi_settings_print(void (*line)(void *user, const char *text), void *user)
{
    char text[512], value[VALUE_BYTES];
    for (size_t i = 0; i < SETTINGS; i++) {
        escape_bars(table[i].value, value);
        snprintf(text, sizeof text, "| `%s` | `%s` | %s |", table[i].name, value, table[i].help);
        line(user, text);
    }
}
