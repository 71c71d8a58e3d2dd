#include "cl/source_tokens.h"

#include "base/memory.h"

#include <ctype.h>

/* cleaning: a text of the same length at most, made in two passes over one copy */

static bool begins(const char *p, const char *with)
{
    return !strncmp(p, with, strlen(with));
}

static bool has_trigraph(const char *p)
{
    for (p = strstr(p, "??"); p; p = strstr(p + 1, "??"))
        if (p[2] && strchr("=/'()!<>-", p[2]))
            return true;
    return false;
}

/* Behind a backslash: the line's end, blanks before it allowed as compilers do. NULL if something else comes. */
static const char *after_line_end(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    if (begins(p, "\r\n"))
        return p + 2;
    return *p == '\n' || *p == '\r' ? p + 1 : NULL;
}

static void join_lines(char *text)
{
    char *to = text;
    for (const char *p = text; *p;) {
        const char *next = *p == '\\' ? after_line_end(p + 1) : NULL;
        if (next) {
            p = next;
        } else if (*p == '\r') {
            p += p[1] == '\n' ? 2 : 1;
            *to++ = '\n';
        } else {
            *to++ = *p++;
        }
    }
    *to = 0;
}

static const char *skip_comment(const char *p)
{
    const char *end = begins(p, "//") ? strchr(p, '\n') : strstr(p + 2, "*/");
    if (!end)
        return p + strlen(p);
    return *p == '/' && p[1] == '*' ? end + 2 : end;
}

/* A quote that no other one ends (as in the words of an #error) ends with its line. */
static const char *skip_quoted(const char *p)
{
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] && p[1] != '\n' ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

static char digraph(const char *p)
{
    static const char *const from[] = {"<%", "%>", "<:", ":>", "%:"};
    for (size_t i = 0; i < 5; i++)
        if (begins(p, from[i]))
            return "{}[]#"[i];
    return 0;
}

static void drop_comments(char *text)
{
    char *to = text, sign;
    for (const char *p = text; *p;) {
        if (begins(p, "//") || begins(p, "/*")) {
            p = skip_comment(p);
            *to++ = ' ';
        } else if (*p == '"' || *p == '\'') {
            const char *end = skip_quoted(p);
            *to++ = '"';
            p = end;
        } else if ((sign = digraph(p)) != 0) {
            *to++ = sign;
            p += 2;
        } else {
            *to++ = *p++;
        }
    }
    *to = 0;
}

/* tokens */

#define NESTING 64

typedef struct reader {
    selvi_tokens *out;
    const char *at;
    bool line_begins;
    long open;             /* brackets of all kinds */
    long open_at[NESTING]; /* at each #if */
    unsigned conditional;
} reader;

static selv_status add(reader *r, selvi_token_kind kind, const char *end)
{
    selvi_tokens *t = r->out;
    selv_status st = selvi_grow(&t->at, &t->capacity, t->count + 1, sizeof *t->at);
    if (st)
        return st;
    t->at[t->count++] = (selvi_token){kind, r->conditional, r->at, (size_t)(end - r->at)};
    r->at = end;
    return SELV_OK;
}

static bool is_word_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *word_end(const char *p)
{
    while (is_word_letter(*p))
        p++;
    return p;
}

static const char *number_end(const char *p)
{
    while (is_word_letter(*p) || *p == '.' || ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
        p++;
    return p;
}

static const char *directive_name(const char *p)
{
    for (p++; *p == ' ' || *p == '\t'; p++)
        ;
    return p;
}

/* Every branch of an #if must leave the brackets as it found them; otherwise no reading without a preprocessor is
 * right. */
static void note_conditional(reader *r, const char *name)
{
    bool opens = begins(name, "if"), closes = begins(name, "endif"), turns = begins(name, "el");
    if (opens ? r->conditional == NESTING
              : (closes || turns) && (!r->conditional || r->open_at[r->conditional - 1] != r->open))
        r->out->odd = true;
    else if (opens)
        r->open_at[r->conditional++] = r->open;
    if (closes && r->conditional)
        r->conditional--;
}

static selv_status read_directive(reader *r)
{
    const char *end = strchr(r->at, '\n');
    note_conditional(r, directive_name(r->at));
    return add(r, SELVI_TOKEN_DIRECTIVE, end ? end : r->at + strlen(r->at));
}

static void count_bracket(reader *r, char c)
{
    if (strchr("({[", c))
        r->open++;
    if (strchr(")}]", c) && --r->open < 0)
        r->out->odd = true;
}

static selv_status read_token(reader *r)
{
    char c = *r->at;
    if (c == '#' && r->line_begins)
        return read_directive(r);
    r->line_begins = false;
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)r->at[1])))
        return add(r, SELVI_TOKEN_LITERAL, number_end(r->at + 1));
    if (is_word_letter(c))
        return add(r, SELVI_TOKEN_WORD, word_end(r->at));
    count_bracket(r, c);
    return add(r, c == '"' ? SELVI_TOKEN_LITERAL : SELVI_TOKEN_SIGN, r->at + 1);
}

static selv_status read_all(reader *r)
{
    selv_status st = SELV_OK;
    while (*r->at && !st) {
        if (!isspace((unsigned char)*r->at)) {
            st = read_token(r);
            continue;
        }
        r->line_begins = r->line_begins || *r->at == '\n';
        r->at++;
    }
    if (r->open || r->conditional)
        r->out->odd = true;
    return st;
}

selv_status selvi_tokens_read(const char *source, selvi_tokens *out)
{
    *out = (selvi_tokens){.odd = has_trigraph(source)};
    out->clean = selvi_copy_text(source);
    if (!out->clean)
        return CL_OUT_OF_HOST_MEMORY;
    join_lines(out->clean);
    drop_comments(out->clean);
    reader r = {.out = out, .at = out->clean, .line_begins = true};
    selv_status st = read_all(&r);
    if (st)
        selvi_tokens_destroy(out);
    return st;
}

void selvi_tokens_destroy(selvi_tokens *t)
{
    selvi_free(t->clean);
    selvi_free(t->at);
    *t = (selvi_tokens){0};
}

bool selvi_token_includes(const selvi_token *t)
{
    if (t->kind != SELVI_TOKEN_DIRECTIVE)
        return false;
    const char *name = directive_name(t->text);
    return begins(name, "include") || begins(name, "import");
}

bool selvi_token_is(const selvi_token *t, const char *text)
{
    return t->kind != SELVI_TOKEN_DIRECTIVE && t->length == strlen(text) && !memcmp(t->text, text, t->length);
}

/* macros */

bool selvi_token_macro(const selvi_token *t, selvi_macro *out)
{
    if (t->kind != SELVI_TOKEN_DIRECTIVE)
        return false;
    const char *end = t->text + t->length, *name = directive_name(t->text), *after = word_end(name);
    bool undefines = begins(name, "undef");
    if (!undefines && !begins(name, "define"))
        return false;
    while (after < end && isspace((unsigned char)*after))
        after++;
    *out = (selvi_macro){.name = after, .undefined = undefines};
    after = word_end(after);
    out->name_length = (size_t)(after - out->name);
    out->function_like = after < end && *after == '(';
    out->body = after;
    out->body_length = (size_t)(end - after);
    return true;
}

bool selvi_macro_holds(const selvi_macro *m, const char *text)
{
    return memmem(m->body, m->body_length, text, strlen(text)) != NULL;
}

/* declarations */

size_t selvi_group_end(const selvi_tokens *t, size_t open)
{
    long depth = 0;
    for (size_t i = open; i < t->count; i++) {
        if (t->at[i].kind != SELVI_TOKEN_SIGN)
            continue;
        depth += strchr("({[", *t->at[i].text) ? 1 : strchr(")}]", *t->at[i].text) ? -1 : 0;
        if (!depth)
            return i + 1;
    }
    return t->count;
}

/* #define REQUIRE(x) __attribute__((reqd_work_group_size(x, 1, 1))) is an attribute under a name of the program's own.
 */
static bool is_attribute_macro(const selvi_tokens *t, const selvi_token *word)
{
    bool found = false;
    selvi_macro m;
    for (size_t i = 0; i < t->count; i++) {
        if (!selvi_token_macro(&t->at[i], &m) || m.undefined || m.name_length != word->length ||
            memcmp(m.name, word->text, word->length))
            continue;
        found = m.function_like && selvi_macro_holds(&m, "__attribute__") && !selvi_macro_holds(&m, ";") &&
                !selvi_macro_holds(&m, "=");
        if (!found)
            return false;
    }
    return found;
}

bool selvi_is_attribute(const selvi_tokens *t, const selvi_token *word)
{
    static const char *const names[] = {"__attribute__", "__attribute", "_Pragma",    "__pragma", "_Alignas",
                                        "__declspec",    "typeof",      "__typeof__", "__typeof"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (selvi_token_is(word, names[i]))
            return true;
    return word->kind == SELVI_TOKEN_WORD && is_attribute_macro(t, word);
}

static void finish(selvi_declaration *d, size_t end, size_t body)
{
    d->end = end;
    d->body = body;
    d->complete = true;
}

/* A brace that opens behind a parameter list, and behind no '=', is the body of a function; every other one is a
   struct's, an enum's or an initializer's. */
static void find_end(const selvi_tokens *t, selvi_declaration *d)
{
    const selvi_token *before = NULL;
    bool list = false, assigned = false;
    for (size_t i = d->begin; i < t->count && !d->complete; before = &t->at[i], i++) {
        const selvi_token *one = &t->at[i];
        if (selvi_token_is(one, ";"))
            finish(d, i + 1, i + 1);
        else if (selvi_token_is(one, "{") && list && !assigned)
            finish(d, selvi_group_end(t, i), i);
        assigned = assigned || selvi_token_is(one, "=");
        if (d->complete || one->kind != SELVI_TOKEN_SIGN || !strchr("({[", *one->text))
            continue;
        list = list || (*one->text == '(' && !(before && selvi_is_attribute(t, before)));
        i = selvi_group_end(t, i) - 1;
    }
}

static size_t skip_directives(const selvi_tokens *t, size_t at)
{
    while (at < t->count && t->at[at].kind == SELVI_TOKEN_DIRECTIVE)
        at++;
    return at;
}

bool selvi_declaration_next(const selvi_tokens *t, size_t *at, selvi_declaration *out)
{
    size_t begin = skip_directives(t, *at);
    if (begin >= t->count)
        return false;
    *out = (selvi_declaration){begin, t->count, t->count, false};
    find_end(t, out);
    *at = out->end;
    return true;
}
