#include "cl/source.h"

#include "cl/source_tokens.h"

#include <ctype.h>

/* What the program says of one name. The answer is plain if there is one definition, and that one is. */
typedef struct definition {
    unsigned count;
    bool plain;
    char words[128]; /* "unsigned int": what stands before the name, or is the macro's body */
} definition;

typedef struct program {
    selvi_tokens tokens;
    const char *options;
} program;

static void note(definition *d, bool plain, const char *words, size_t length)
{
    d->count++;
    d->plain = plain && length < sizeof d->words;
    if (!d->plain)
        return;
    memcpy(d->words, words, length);
    d->words[length] = 0;
}

static bool same(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && !memcmp(a, b, a_length);
}

static bool is_name(const selvi_token *t, const char *name, size_t length)
{
    return t->kind == SELVI_TOKEN_WORD && same(t->text, t->length, name, length);
}

/* typedefs */

/* One comma's worth of a typedef: [begin, end), of which the first `words` tokens are words. */
typedef struct segment {
    size_t begin, end, words;
} segment;

static segment segment_at(const selvi_tokens *t, size_t begin, size_t limit)
{
    segment s = {begin, begin, 0};
    bool in_words = true;
    while (s.end < limit && !selvi_token_is(&t->at[s.end], ",") && !selvi_token_is(&t->at[s.end], ";")) {
        in_words = in_words && t->at[s.end].kind == SELVI_TOKEN_WORD;
        s.words += in_words;
        s.end = in_words || t->at[s.end].kind != SELVI_TOKEN_SIGN || !strchr("({[", *t->at[s.end].text)
                    ? s.end + 1
                    : selvi_group_end(t, s.end);
    }
    return s;
}

static bool all_words(segment s)
{
    return s.words == s.end - s.begin;
}

static bool mentions(const selvi_tokens *t, size_t begin, size_t end, const char *name, size_t length)
{
    for (size_t i = begin; i < end; i++)
        if (is_name(&t->at[i], name, length))
            return true;
    return false;
}

/* The text of the tokens [begin, end), between which only blanks stand. */
static void note_words(const selvi_tokens *t, size_t begin, size_t end, bool plain, definition *d)
{
    if (!plain || begin >= end) {
        note(d, false, "", 0);
        return;
    }
    const char *from = t->at[begin].text, *to = t->at[end - 1].text + t->at[end - 1].length;
    note(d, true, from, (size_t)(to - from));
}

/* `typedef` is at first - 1. The first segment holds the words of the type; the last of them is a name, unless a '*' or
   a bracket comes before the name. */
static void read_typedef(const selvi_tokens *t, size_t first, size_t limit, const char *name, size_t length,
                         definition *d)
{
    segment s = segment_at(t, first, limit);
    bool plain = all_words(s) && s.words >= 2 && !t->at[first].conditional;
    size_t type_end = s.begin + (all_words(s) && s.words ? s.words - 1 : s.words);
    bool typed = type_end > first; /* false for `typedef struct { ... } x`: the brace comes first, or behind its tag */
    if (s.words && is_name(&t->at[s.begin + s.words - 1], name, length) && (all_words(s) || s.words > 1))
        note_words(t, first, type_end, plain && typed, d);
    else if (mentions(t, s.begin + s.words, s.end, name, length))
        note(d, false, "", 0);
    bool braces = mentions(t, first, type_end, "struct", 6) || mentions(t, first, type_end, "union", 5) ||
                  mentions(t, first, type_end, "enum", 4) || !typed;
    while (s.end < limit && selvi_token_is(&t->at[s.end], ",")) {
        s = segment_at(t, s.end + 1, limit);
        if (mentions(t, s.begin, s.end, name, length))
            note_words(t, first, typed ? type_end : first + 1,
                       !braces && all_words(s) && s.words == 1 && !t->at[first].conditional, d);
    }
}

static bool has_directive(const selvi_tokens *t, const selvi_declaration *d)
{
    for (size_t i = d->begin; i < d->end; i++)
        if (t->at[i].kind == SELVI_TOKEN_DIRECTIVE)
            return true;
    return false;
}

static void read_declaration(const selvi_tokens *t, const selvi_declaration *d, const char *name, size_t length,
                             definition *out)
{
    if (d->body < d->end || !mentions(t, d->begin, d->end, "typedef", 7) ||
        !mentions(t, d->begin, d->end, name, length))
        return;
    if (!d->complete || !selvi_token_is(&t->at[d->begin], "typedef") || has_directive(t, d))
        note(out, false, "", 0);
    else
        read_typedef(t, d->begin + 1, d->end, name, length, out);
}

static void find_typedefs(const selvi_tokens *t, const char *name, size_t length, definition *out)
{
    selvi_declaration d;
    for (size_t at = 0; selvi_declaration_next(t, &at, &d);)
        read_declaration(t, &d, name, length, out);
}

/* macros, in the source and in the options */

static void find_defines(const selvi_tokens *t, const char *name, size_t length, definition *out)
{
    selvi_macro m;
    for (size_t i = 0; i < t->count; i++)
        if (selvi_token_macro(&t->at[i], &m) && same(m.name, m.name_length, name, length))
            note(out, !m.undefined && !m.function_like && !t->at[i].conditional, m.body, m.body_length);
}

/* "-DNAME=VALUE" or "-D NAME=VALUE": `p` is behind the letter. */
static const char *read_option(const char *p, bool defines, const char *name, size_t length, definition *out)
{
    while (isspace((unsigned char)*p))
        p++;
    size_t whole = strcspn(p, " \t\r\n"), named = strcspn(p, "= \t\r\n");
    const char *value = p + named + (named < whole);
    if (same(p, named, name, length))
        note(out, defines && named < whole, value, whole - (size_t)(value - p));
    return p + whole;
}

static void find_options(const char *options, const char *name, size_t length, definition *out)
{
    for (const char *p = options; *p;) {
        if (p[0] == '-' && (p[1] == 'D' || p[1] == 'U'))
            p = read_option(p + 2, p[1] == 'D', name, length, out);
        else
            p += strcspn(p, " \t\r\n");
        while (isspace((unsigned char)*p))
            p++;
    }
}

static definition macros_of(const program *p, const char *name, size_t length)
{
    definition d = {0};
    find_defines(&p->tokens, name, length, &d);
    find_options(p->options, name, length, &d);
    return d;
}

static bool is_macro(const program *p, const char *name, size_t length)
{
    return macros_of(p, name, length).count != 0;
}

/* Another file's text may say anything of any word. Quoted options are read by each driver in its own way. */
static bool is_whole(const program *p)
{
    if (p->tokens.odd || strpbrk(p->options, "\"'\\") || strstr(p->options, "-include") ||
        strstr(p->options, "-imacros"))
        return false;
    for (size_t i = 0; i < p->tokens.count; i++)
        if (selvi_token_includes(&p->tokens.at[i]))
            return false;
    return !is_macro(p, "typedef", 7);
}

/* following names */

#define LONGEST_CHAIN 16

static bool find_definition(const program *p, const char *name, size_t length, definition *out)
{
    *out = macros_of(p, name, length);
    find_typedefs(&p->tokens, name, length, out);
    return out->count == 1 && out->plain;
}

/* The one word of `words` that is a name of the program's own; NULL if there are several words. */
static const char *only_word(const char *words, size_t *length)
{
    const char *word, *more;
    size_t more_length;
    if (!selvi_type_next_word(&words, &word, length))
        return NULL;
    return !selvi_type_next_word(&words, &more, &more_length) && !*words ? word : NULL;
}

static bool any_macro(const program *p, const char *words)
{
    const char *word;
    size_t length;
    while (selvi_type_next_word(&words, &word, &length))
        if (is_macro(p, word, length))
            return true;
    return false;
}

/* Each step replaces words by those behind them, until they are a built-in type's. A built-in word that is a macro as
   well ends it: which of the two is meant depends on what comes first. */
static bool follow(const program *p, const char *name, selvi_type *out)
{
    definition d = {0};
    for (int step = 0; step < LONGEST_CHAIN; step++) {
        size_t length;
        const char *words = step ? d.words : name, *word = only_word(words, &length);
        if (step && selvi_type_find(words, out))
            return !any_macro(p, words);
        definition next;
        if (!word || !find_definition(p, word, length, &next))
            return false;
        d = next;
    }
    return false;
}

bool selvi_source_resolve(const char *source, const char *options, const char *name, selvi_type *out)
{
    program p = {.options = options ? options : ""};
    if (selvi_tokens_read(source, &p.tokens))
        return false;
    bool found = is_whole(&p) && follow(&p, name, out);
    selvi_tokens_destroy(&p.tokens);
    return found;
}
