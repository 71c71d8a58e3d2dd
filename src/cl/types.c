#include "cl/types.h"

#include <ctype.h>
#include <stdio.h>

/* One row for each name of a single word. `int` and its relatives of several words are counted instead. */
static const struct {
    const char *name;
    selvi_class class_;
    uint8_t bytes;
    bool vectors; /* char4 exists, size_t4 does not */
} words[] = {
    {"bool", SELVI_CLASS_BOOL, 1, false},       {"char", SELVI_CLASS_SIGNED, 1, true},
    {"uchar", SELVI_CLASS_UNSIGNED, 1, true},   {"short", SELVI_CLASS_SIGNED, 2, true},
    {"ushort", SELVI_CLASS_UNSIGNED, 2, true},  {"int", SELVI_CLASS_SIGNED, 4, true},
    {"uint", SELVI_CLASS_UNSIGNED, 4, true},    {"long", SELVI_CLASS_SIGNED, 8, true},
    {"ulong", SELVI_CLASS_UNSIGNED, 8, true},   {"half", SELVI_CLASS_HALF, 2, true},
    {"float", SELVI_CLASS_REAL, 4, true},       {"double", SELVI_CLASS_REAL, 8, true},
    {"size_t", SELVI_CLASS_UNSIGNED, 8, false}, {"ptrdiff_t", SELVI_CLASS_SIGNED, 8, false},
    {"intptr_t", SELVI_CLASS_SIGNED, 8, false}, {"uintptr_t", SELVI_CLASS_UNSIGNED, 8, false},
};
#define WORD_COUNT (sizeof words / sizeof words[0])

static bool equals(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && !memcmp(word, name, length);
}

static bool is_qualifier(const char *word, size_t length)
{
    static const char *const names[] = {"const",      "volatile",     "restrict",  "__const", "__volatile",
                                        "__restrict", "__volatile__", "__const__", "private", "__private"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (equals(word, length, names[i]))
            return true;
    return false;
}

/* The width behind the letters of "float16"; 1 where there is none, 0 where it is none of OpenCL's. */
static uint8_t width_of(const char *digits, size_t length)
{
    static const char *const names[] = {"2", "3", "4", "8", "16"};
    static const uint8_t widths[] = {2, 3, 4, 8, 16};
    if (!length)
        return 1;
    for (size_t i = 0; i < 5; i++)
        if (equals(digits, length, names[i]))
            return widths[i];
    return 0;
}

static bool find_word(const char *word, size_t length, selvi_type *out)
{
    size_t letters = length;
    while (letters && isdigit((unsigned char)word[letters - 1]))
        letters--;
    uint8_t width = width_of(word + letters, length - letters);
    for (size_t i = 0; width && i < WORD_COUNT; i++)
        if (equals(word, letters, words[i].name) && (width == 1 || words[i].vectors)) {
            *out = (selvi_type){words[i].class_, words[i].bytes, width};
            return true;
        }
    return false;
}

/* "unsigned short int", in any order. */
typedef struct c_words {
    unsigned is_signed, is_unsigned, chars, shorts, ints, longs;
} c_words;

static bool count_word(c_words *c, const char *word, size_t length)
{
    const struct {
        const char *name;
        unsigned *count;
    } known[] = {{"signed", &c->is_signed}, {"unsigned", &c->is_unsigned},
                 {"char", &c->chars},       {"short", &c->shorts},
                 {"int", &c->ints},         {"long", &c->longs}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (equals(word, length, known[i].name))
            return ++*known[i].count == 1; /* `long long` is reserved in OpenCL C */
    return false;
}

static bool type_of_words(const c_words *c, selvi_type *out)
{
    if (c->is_signed + c->is_unsigned > 1 || c->chars + c->shorts + c->longs > 1 || (c->chars && c->ints))
        return false;
    uint8_t bytes = c->chars ? 1 : c->shorts ? 2 : c->longs ? 8 : 4;
    *out = (selvi_type){c->is_unsigned ? SELVI_CLASS_UNSIGNED : SELVI_CLASS_SIGNED, bytes, 1};
    return true;
}

static bool is_word_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool selvi_type_next_word(const char **at, const char **word, size_t *length)
{
    do {
        while (isspace((unsigned char)**at))
            ++*at;
        *word = *at;
        while (is_word_letter(**at))
            ++*at;
        *length = (size_t)(*at - *word);
    } while (*length && is_qualifier(*word, *length));
    return *length != 0;
}

bool selvi_type_find(const char *name, selvi_type *out)
{
    const char *word, *last = NULL;
    size_t length, last_length = 0, count = 0;
    bool counted = true;
    c_words c = {0};
    while (selvi_type_next_word(&name, &word, &length)) {
        counted = count_word(&c, word, length) && counted;
        last = word;
        last_length = length;
        count++;
    }
    if (*name || !count)
        return false;
    return (count == 1 && find_word(last, last_length, out)) || (counted && type_of_words(&c, out));
}

bool selvi_type_is_image(const char *name)
{
    static const char *const names[] = {"image1d_t",
                                        "image1d_array_t",
                                        "image1d_buffer_t",
                                        "image2d_t",
                                        "image2d_array_t",
                                        "image3d_t",
                                        "image2d_depth_t",
                                        "image2d_array_depth_t",
                                        "image2d_msaa_t",
                                        "image2d_array_msaa_t",
                                        "image2d_msaa_depth_t",
                                        "image2d_array_msaa_depth_t"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

size_t selvi_type_bytes(selvi_type t)
{
    return (size_t)t.bytes * (t.width == 3 ? 4 : t.width);
}

/* by the number that the header's macros put into a selv_arg */

/* The formatter moves the words of these tables about at every run. */
/* clang-format off */
#define SCALARS(row) \
    row(bool, BOOL, bool) row(char, SIGNED, char) row(schar, SIGNED, char) row(uchar, UNSIGNED, char) \
    row(short, SIGNED, short) row(ushort, UNSIGNED, short) row(int, SIGNED, int) row(uint, UNSIGNED, int) \
    row(long, SIGNED, long) row(ulong, UNSIGNED, long) row(llong, SIGNED, long long) row(ullong, UNSIGNED, long long) \
    row(float, REAL, float) row(double, REAL, double)
#define WIDTHS(row, name, kind) row(name, kind, 2) row(name, kind, 4) row(name, kind, 8) row(name, kind, 16)
#define VECTORS(row) \
    WIDTHS(row, char, SIGNED) WIDTHS(row, uchar, UNSIGNED) WIDTHS(row, short, SIGNED) WIDTHS(row, ushort, UNSIGNED) \
    WIDTHS(row, int, SIGNED) WIDTHS(row, uint, UNSIGNED) WIDTHS(row, long, SIGNED) WIDTHS(row, ulong, UNSIGNED) \
    WIDTHS(row, half, HALF) WIDTHS(row, float, REAL) WIDTHS(row, double, REAL)
/* clang-format on */

static const selvi_type of_arg[] = {
#define SCALAR_ROW(name, kind, host) [SELVI_T_##name] = {SELVI_CLASS_##kind, sizeof(host), 1},
    SCALARS(SCALAR_ROW)
#undef SCALAR_ROW
#define VECTOR_ROW(name, kind, width) [SELVI_T_cl_##name##width] = {SELVI_CLASS_##kind, sizeof(cl_##name), width},
        VECTORS(VECTOR_ROW)
#undef VECTOR_ROW
};

bool selvi_type_of_arg(const selv_arg *arg, selvi_type *out)
{
    bool number = arg->kind == SELVI_SIGNED || arg->kind == SELVI_UNSIGNED || arg->kind == SELVI_REAL;
    if (!number && arg->kind != SELVI_VECTOR)
        return false;
    if (arg->type >= sizeof of_arg / sizeof of_arg[0] || of_arg[arg->type].class_ == SELVI_CLASS_UNKNOWN)
        return false;
    *out = of_arg[arg->type];
    if (arg->kind == SELVI_UNSIGNED && out->class_ == SELVI_CLASS_SIGNED)
        out->class_ = SELVI_CLASS_UNSIGNED; /* `char` is unsigned on some machines */
    return true;
}

static const char *scalar_name(selvi_type t)
{
    bool is_unsigned = t.class_ == SELVI_CLASS_UNSIGNED;
    if (t.class_ == SELVI_CLASS_BOOL || t.class_ == SELVI_CLASS_HALF)
        return t.class_ == SELVI_CLASS_BOOL ? "bool" : "half";
    if (t.class_ == SELVI_CLASS_REAL)
        return t.bytes == 4 ? "float" : "double";
    switch (t.bytes) {
    case 1: return is_unsigned ? "uchar" : "char";
    case 2: return is_unsigned ? "ushort" : "short";
    case 4: return is_unsigned ? "uint" : "int";
    default: return is_unsigned ? "ulong" : "long";
    }
}

void selvi_type_name(selvi_type t, char *out, size_t bytes)
{
    if (t.class_ == SELVI_CLASS_UNKNOWN)
        snprintf(out, bytes, "unknown type");
    else if (t.width > 1)
        snprintf(out, bytes, "%s%u", scalar_name(t), t.width);
    else
        snprintf(out, bytes, "%s", scalar_name(t));
}
