#include "base/settings.h"

#include "base/status.h"

#include <errno.h>
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
#define ROW(field, NAME, kind, lowest, highest, value, help) { PREFIX #NAME, value, help, kind, lowest, highest },
    SELVI_SETTINGS(ROW)
#undef ROW
};
enum { SETTINGS = sizeof table / sizeof *table };

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

static size_t common_letters(const char *a, const char *b, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += strchr(b, a[i]) != NULL;
    return n;
}

static const char *nearest(const char *entry)
{
    const char *best = table[0].name;
    size_t most = 0, prefix = strlen(PREFIX);
    for (size_t i = 0; i < SETTINGS; i++) {
        size_t n = common_letters(entry + prefix, table[i].name + prefix, name_length(entry) - prefix);
        size_t longer = strlen(table[i].name) > name_length(entry) ? strlen(table[i].name) - name_length(entry) : 0;
        if (4 * n + 1 > most + longer) {
            best = n * 4 > most ? table[i].name : best;
            most = n * 4 > most ? n * 4 : most;
        }
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
    if (errno || *end || end == text || *text == '-' || n < row->lowest || n > row->highest)
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
    return selvi_fail(SELV_BAD_SETTING, "SELVEDGE_GRAPH=%s: expected a file name that ends in .dot or .txt", out->graph);
}

selv_status selvi_settings_read(selvi_settings *out)
{
    const char *text;
    size_t i = 0;
    memset(out, 0, sizeof *out);
    selv_status st = check_names();
#define READ_NUMBER(field) read_number(&table[i], text, &out->field)
#define READ_TEXT(field) read_text(&table[i], text, &out->field)
#define READ(field, NAME, kind, lowest, highest, value, help) \
    text = getenv(table[i].name); \
    if (!st && text) \
        st = READ_##kind(field); \
    i++;
    SELVI_SETTINGS(READ)
#undef READ
    return st ? st : check_graph(out);
}

void selvi_settings_print(void (*line)(void *user, const char *text), void *user)
{
    char text[512];
    for (size_t i = 0; i < SETTINGS; i++) {
        snprintf(text, sizeof text, "| `%s` | `%s` | %s |", table[i].name, table[i].value, table[i].help);
        line(user, text);
    }
}
