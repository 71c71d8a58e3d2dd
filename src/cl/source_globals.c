/* Program-scope variables, found in the source. The mistakes are not alike: a variable that is overlooked lets two
   kernels race, one that is imagined costs overlap only. So what cannot be told counts. */
#include "cl/source.h"

#include "cl/source_tokens.h"

/* What stands at the top level of a declaration, outside all brackets. */
typedef struct outline {
    unsigned words;       /* but for storage classes, qualifiers and attributes */
    unsigned after_body;  /* such words after a struct's or an enum's braces */
    unsigned lists;       /* groups in parentheses that are no attribute's */
    unsigned before_list; /* such words, and '*', before the first list, its name among them */
    bool after_list;      /* anything but an attribute behind the list */
    bool record, body, assigned, named_types, foreign;
    bool macro_list; /* the list's name is a macro of the program's */
    bool function_pointer;
} outline;

static bool one_of(const selvi_token *t, const char *const *names)
{
    for (; *names; names++)
        if (selvi_token_is(t, *names))
            return true;
    return false;
}

static const char *const qualifiers[] = {
    "static",        "extern",   "inline",   "__inline",  "__inline__", "const",     "volatile",      "restrict",
    "__restrict",    "register", "kernel",   "__kernel",  "global",     "__global",  "constant",      "__constant",
    "local",         "__local",  "private",  "__private", "generic",    "__generic", "__attribute__", "__attribute",
    "__extension__", "_Pragma",  "__pragma", "_Alignas",  "__declspec", NULL};
static const char *const records[] = {"struct", "union", "enum", NULL};
static const char *const named_types[] = {"typedef", "_Static_assert", "static_assert", NULL};
static const char *const foreign[] = {"namespace", "class", "template", "using", "asm", "__asm", "__asm__", NULL};

/* Variables of these nobody writes: not counted. A sampler at file scope is none in memory at all. */
static const char *const constants[] = {"constant", "__constant", "const", "__const", "sampler_t", NULL};

/* macros whose bodies matter */

static bool is_macro_with(const selvi_tokens *t, const selvi_token *word, const char *text)
{
    selvi_macro m;
    for (size_t i = 0; i < t->count; i++)
        if (selvi_token_macro(&t->at[i], &m) && !m.undefined && m.name_length == word->length &&
            !memcmp(m.name, word->text, word->length) && selvi_macro_holds(&m, text))
            return true;
    return false;
}

/* A macro that ends or fills declarations of its own. */
static bool hides_declarations(const selvi_tokens *t, const selvi_token *word)
{
    return is_macro_with(t, word, ";") || is_macro_with(t, word, "=");
}

/* the outline */

static void note_word(const selvi_tokens *t, const selvi_token *word, outline *o)
{
    o->record = o->record || one_of(word, records);
    o->named_types = o->named_types || one_of(word, named_types);
    o->foreign = o->foreign || one_of(word, foreign) || hides_declarations(t, word);
    if (one_of(word, qualifiers) || selvi_is_attribute(t, word))
        return;
    o->words++;
    o->after_body += o->body;
    o->before_list += !o->lists;
    o->after_list = o->after_list || o->lists;
}

static void note_list(const selvi_tokens *t, size_t open, outline *o)
{
    const selvi_token *name = open ? &t->at[open - 1] : &t->at[open], *inner = &t->at[open + 1];
    if (!o->lists) {
        o->macro_list = name->kind == SELVI_TOKEN_WORD && is_macro_with(t, name, "");
        o->function_pointer =
            name->kind != SELVI_TOKEN_WORD || selvi_token_is(inner, "*") || selvi_token_is(inner, "^");
    }
    o->lists++;
}

static void note_group(const selvi_tokens *t, size_t open, outline *o)
{
    if (selvi_token_is(&t->at[open], "{"))
        o->body = true;
    else if (selvi_token_is(&t->at[open], "(") && !(open && selvi_is_attribute(t, &t->at[open - 1])))
        note_list(t, open, o);
    else if (selvi_token_is(&t->at[open], "["))
        o->after_list = o->after_list || o->lists;
}

static void note_sign(const selvi_token *sign, outline *o)
{
    o->assigned = o->assigned || selvi_token_is(sign, "=");
    o->before_list += selvi_token_is(sign, "*") && !o->lists;
    o->after_list = o->after_list || (o->lists && !selvi_token_is(sign, ";"));
}

static outline outline_of(const selvi_tokens *t, const selvi_declaration *d)
{
    outline o = {0};
    for (size_t i = d->begin; i < d->body; i++) {
        const selvi_token *one = &t->at[i];
        if (one->kind == SELVI_TOKEN_WORD) {
            note_word(t, one, &o);
        } else if (one->kind == SELVI_TOKEN_SIGN && strchr("({[", *one->text)) {
            note_group(t, i, &o);
            i = selvi_group_end(t, i) - 1;
        } else if (one->kind == SELVI_TOKEN_SIGN) {
            note_sign(one, &o);
        } else if (one->kind == SELVI_TOKEN_LITERAL && !o.assigned) {
            o.foreign = true; /* extern "C" { ... } */
        }
    }
    return o;
}

/* address spaces */

/* `constant int a = 2 * 3`: yes. `constant int *a`: that is a pointer, and what it points to is constant. Each name of
   a list counts, since `constant int a, *b` declares both. */
static bool is_constant(const selvi_tokens *t, size_t begin, size_t end)
{
    bool constant = false, value = false;
    for (size_t i = begin; i < end; i++) {
        const selvi_token *one = &t->at[i];
        if (one->kind == SELVI_TOKEN_SIGN && strchr("({[", *one->text))
            i = selvi_group_end(t, i) - 1;
        else if (selvi_token_is(one, "=") || selvi_token_is(one, ","))
            value = selvi_token_is(one, "=");
        else if (!value)
            constant = selvi_token_is(one, "*") ? false : constant || one_of(one, constants);
        if (!constant && selvi_token_is(one, ","))
            return false;
    }
    return constant;
}

/* functions: their `static` variables live as long as the program */

static size_t statement_begin(const selvi_tokens *t, size_t at, size_t least)
{
    while (at > least && !selvi_token_is(&t->at[at - 1], ";") && !selvi_token_is(&t->at[at - 1], "{") &&
           !selvi_token_is(&t->at[at - 1], "}"))
        at--;
    return at;
}

static size_t statement_end(const selvi_tokens *t, size_t at, size_t most)
{
    while (at < most && !selvi_token_is(&t->at[at], ";"))
        at++;
    return at;
}

static bool body_has_globals(const selvi_tokens *t, const selvi_declaration *d)
{
    for (size_t i = d->body; i < d->end; i++) {
        if (t->at[i].kind != SELVI_TOKEN_WORD)
            continue;
        if (is_macro_with(t, &t->at[i], "static"))
            return true;
        if (selvi_token_is(&t->at[i], "static") &&
            !is_constant(t, statement_begin(t, i, d->body), statement_end(t, i, d->end)))
            return true;
    }
    return false;
}

/* the verdict */

static bool is_prototype(const outline *o)
{
    return o->lists == 1 && o->before_list >= 2 && !o->assigned && !o->after_list && !o->macro_list &&
           !o->function_pointer;
}

/* struct s { ... };  struct s;  enum { A, B }; */
static bool only_names_a_record(const outline *o)
{
    return o->record && !o->lists && !o->assigned && (o->body ? !o->after_body : o->words <= 2);
}

static bool declares_globals(const selvi_tokens *t, const selvi_declaration *d)
{
    outline o = outline_of(t, d);
    if (o.foreign || !d->complete)
        return o.foreign || o.words || o.lists;
    if (d->body < d->end)
        return o.lists != 1 || body_has_globals(t, d);
    if (o.named_types || d->end - d->begin == 1 || is_prototype(&o) || only_names_a_record(&o))
        return false;
    return !is_constant(t, d->begin, d->end);
}

bool selvi_source_has_globals(const char *source)
{
    selvi_tokens t;
    selvi_declaration d;
    if (selvi_tokens_read(source, &t))
        return true;
    bool found = t.odd;
    for (size_t at = 0; !found && selvi_declaration_next(&t, &at, &d);)
        found = declares_globals(&t, &d);
    selvi_tokens_destroy(&t);
    return found;
}

bool selvi_source_includes(const char *source)
{
    selvi_tokens t;
    bool found = false;
    if (selvi_tokens_read(source, &t))
        return true;
    for (size_t i = 0; !found && i < t.count; i++)
        found = selvi_token_includes(&t.at[i]);
    selvi_tokens_destroy(&t);
    return found;
}
