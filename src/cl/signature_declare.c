/* What selv_signature says, held against what is known. */
#include "cl/signature.h"

#include "base/memory.h"
#include "base/status.h"

#include <ctype.h>

/* One item, taken apart. */
typedef struct item {
    const char *text; /* in the declaration */
    int length;
    unsigned index;
    bool has_mode, untracked, pointer, is_const, has_access, typed;
    selv_mode mode;
    selv_mode access;          /* of an image: read_only, write_only, read_write */
    selvi_parameter_kind kind; /* UNKNOWN: not said */
    selvi_type type;
    char words[96]; /* the type, single blanks between its words */
} item;

#define SHOWN(i) (i)->index, (i)->length, (i)->text

static selv_status contradicts(const selvi_signature *sig, const item *i, const char *why)
{
    char parameter[256];
    selvi_parameter_text(sig, i->index, parameter, sizeof parameter);
    return selvi_fail(SELV_INVALID, "item %u of the signature, \"%.*s\", does not go with %s: %s", SHOWN(i), parameter,
                      why);
}

static selv_status unknown_word(const item *i, const char *word, int length)
{
    return selvi_fail(
        SELV_INVALID,
        "item %u of the signature, \"%.*s\": \"%.*s\" is not known here; expected is [in|out|inout|accum|"
        "untracked] and a type (a built-in value type, one that ends in *, local, an image type, sampler_t), "
        "or - for what is known already",
        SHOWN(i), length, word);
}

/* reading an item */

static bool is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && !memcmp(word, name, length);
}

static bool take_mode(item *i, const char *word, size_t length)
{
    static const struct {
        const char *name;
        selv_mode mode;
    } modes[] = {{"in", SELV_READ}, {"out", SELV_WRITE}, {"inout", SELV_READ_WRITE}, {"accum", SELV_ACCUMULATE}};
    i->untracked = is(word, length, "untracked");
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++)
        if (is(word, length, modes[m].name)) {
            i->has_mode = true;
            i->mode = modes[m].mode;
        }
    return i->has_mode || i->untracked;
}

static bool take_space(item *i, const char *word, size_t length)
{
    static const struct {
        const char *name;
        selvi_parameter_kind kind;
    } spaces[] = {{"global", SELVI_PARAMETER_GLOBAL},     {"__global", SELVI_PARAMETER_GLOBAL},
                  {"constant", SELVI_PARAMETER_CONSTANT}, {"__constant", SELVI_PARAMETER_CONSTANT},
                  {"local", SELVI_PARAMETER_LOCAL},       {"__local", SELVI_PARAMETER_LOCAL}};
    for (size_t s = 0; s < sizeof spaces / sizeof spaces[0]; s++)
        if (is(word, length, spaces[s].name)) {
            i->kind = spaces[s].kind;
            return true;
        }
    return false;
}

static bool take_access(item *i, const char *word, size_t length)
{
    static const struct {
        const char *names[2];
        selv_mode mode;
    } accesses[] = {{{"read_only", "__read_only"}, SELV_READ},
                    {{"write_only", "__write_only"}, SELV_WRITE},
                    {{"read_write", "__read_write"}, SELV_READ_WRITE}};
    for (size_t a = 0; a < sizeof accesses / sizeof accesses[0]; a++)
        if (is(word, length, accesses[a].names[0]) || is(word, length, accesses[a].names[1])) {
            i->has_access = true;
            i->access = accesses[a].mode;
            return true;
        }
    return false;
}

static bool take_qualifier(item *i, const char *word, size_t length)
{
    i->is_const = i->is_const || is(word, length, "const");
    return is(word, length, "const") || is(word, length, "volatile") || is(word, length, "restrict");
}

static bool take_type_word(item *i, const char *word, size_t length)
{
    size_t used = strlen(i->words);
    if (used + length + 2 > sizeof i->words)
        return false;
    if (used)
        i->words[used++] = ' ';
    memcpy(i->words + used, word, length);
    return true;
}

static bool take_word(item *i, const char *word, size_t length, bool first)
{
    if (first && take_mode(i, word, length))
        return true;
    if (first && is(word, length, "-"))
        return true;
    if (is(word, length, "*"))
        return i->pointer = true;
    return !i->pointer ? take_space(i, word, length) || take_access(i, word, length) ||
                             take_qualifier(i, word, length) || take_type_word(i, word, length)
                       : is(word, length, "const") || is(word, length, "restrict") || is(word, length, "volatile");
}

/* A word, or one sign. */
static size_t word_length(const char *p, const char *end)
{
    size_t length = 0;
    while (p + length < end && (isalnum((unsigned char)p[length]) || p[length] == '_'))
        length++;
    return length ? length : 1;
}

static selv_status read_words(item *i)
{
    const char *end = i->text + i->length;
    bool first = true, closed = false;
    for (const char *p = i->text; p < end;) {
        if (isspace((unsigned char)*p)) {
            p++;
            continue;
        }
        size_t length = word_length(p, end);
        bool known = isalnum((unsigned char)*p) || strchr("_*-", *p);
        if (!known || closed || !take_word(i, p, length, first))
            return unknown_word(i, p, (int)length);
        closed = *p == '-'; /* nothing may follow it */
        first = false;
        p += length;
    }
    return SELV_OK;
}

/* A word that is the driver's own name for the type says nothing new, and is right. */
static bool is_reported(const selvi_parameter *p, const char *words)
{
    return p->type_name && !strcmp(p->type_name, words);
}

static selv_status find_kind(const selvi_parameter *p, item *i)
{
    bool pointing = i->pointer || i->kind != SELVI_PARAMETER_UNKNOWN;
    if (pointing) {
        i->kind = i->kind ? i->kind
                  : p->kind == SELVI_PARAMETER_CONSTANT || p->kind == SELVI_PARAMETER_LOCAL
                      ? (selvi_parameter_kind)p->kind
                      : SELVI_PARAMETER_GLOBAL;
        return SELV_OK;
    }
    if (!i->words[0])
        return i->has_access || i->is_const ? unknown_word(i, i->text, i->length) : SELV_OK;
    if (selvi_type_find(i->words, &i->type)) {
        i->kind = SELVI_PARAMETER_VALUE;
        i->typed = true;
    } else if (selvi_type_is_image(i->words)) {
        i->kind = SELVI_PARAMETER_IMAGE;
    } else if (!strcmp(i->words, "sampler_t")) {
        i->kind = SELVI_PARAMETER_SAMPLER;
    } else if (!strcmp(i->words, "queue_t")) {
        i->kind = SELVI_PARAMETER_QUEUE;
    } else if (!is_reported(p, i->words)) {
        return unknown_word(i, i->words, (int)strlen(i->words));
    }
    return SELV_OK;
}

static selv_status read_item(const selvi_parameter *p, item *i)
{
    selv_status st = read_words(i);
    return st ? st : find_kind(p, i);
}

/* holding it against the parameter */

static bool takes_modes(selvi_parameter_kind kind)
{
    return kind == SELVI_PARAMETER_GLOBAL || kind == SELVI_PARAMETER_CONSTANT || kind == SELVI_PARAMETER_IMAGE;
}

static const char *kind_name(selvi_parameter_kind kind)
{
    static const char *const names[] = {"of unknown kind", "a global pointer", "a constant pointer", "a local pointer",
                                        "an image",        "a sampler",        "an opaque object",   "a value"};
    return names[kind];
}

static selv_status check_kind(const selvi_signature *sig, const selvi_parameter *p, const item *i)
{
    char why[128];
    if (!p->kind || !i->kind || p->kind == i->kind)
        return SELV_OK;
    strcpy(why, "it is ");
    strcat(strcat(strcat(why, kind_name(p->kind)), ", and the item says "), kind_name(i->kind));
    return contradicts(sig, i, why);
}

static bool is_integer(selvi_class c)
{
    return c == SELVI_CLASS_SIGNED || c == SELVI_CLASS_UNSIGNED || c == SELVI_CLASS_BOOL;
}

/* A typedef that nobody resolved may be anything that the user says; what is known may change its sign only. */
static selv_status check_type(const selvi_signature *sig, const selvi_parameter *p, const item *i)
{
    bool record = p->type_name && (!strncmp(p->type_name, "struct ", 7) || !strncmp(p->type_name, "union ", 6));
    if (!i->typed)
        return SELV_OK;
    if (record)
        return contradicts(sig, i, "it is a structure, and takes selv_value(...); write - for it");
    if (p->type.class_ == SELVI_CLASS_UNKNOWN)
        return SELV_OK;
    if (p->type.bytes != i->type.bytes || p->type.width != i->type.width)
        return contradicts(sig, i, "the two types are of another size");
    if (p->type.class_ != i->type.class_ && !(is_integer(p->type.class_) && is_integer(i->type.class_)))
        return contradicts(sig, i, "one is a whole number, the other a floating-point one");
    return SELV_OK;
}

static bool writes(const item *i)
{
    return i->has_mode && i->mode != SELV_READ;
}

/* What a constant pointer or an image's access qualifier forbids cannot be declared either. A const pointer can be:
   OpenCL C lets a kernel cast that away. */
static selv_status check_mode(const selvi_signature *sig, const selvi_parameter *p, const item *i)
{
    selvi_parameter_kind kind = i->kind ? i->kind : (selvi_parameter_kind)p->kind;
    bool reads_only = kind == SELVI_PARAMETER_CONSTANT || (p->kind == SELVI_PARAMETER_IMAGE && p->mode == SELV_READ);
    if (!i->has_mode && !i->untracked)
        return SELV_OK;
    if (kind && !takes_modes(kind))
        return contradicts(sig, i,
                           "in, out, inout, accum and untracked are for global and constant pointers and images");
    if (reads_only && writes(i) && !p->declared)
        return contradicts(sig, i, "the kernel can only read it");
    if (p->kind == SELVI_PARAMETER_IMAGE && p->mode == SELV_WRITE && !p->declared && i->has_mode &&
        i->mode != SELV_WRITE)
        return contradicts(sig, i, "the kernel can only write it");
    return SELV_OK;
}

static selv_status check(const selvi_signature *sig, const selvi_parameter *p, const item *i)
{
    selv_status st = check_kind(sig, p, i);
    st = st ? st : check_type(sig, p, i);
    return st ? st : check_mode(sig, p, i);
}

/* taking it over */

static void set_mode(selvi_parameter *p, selv_mode mode)
{
    p->mode = (uint8_t)mode;
    p->assumed = false;
    p->declared = true;
}

/* A mode alone on a parameter nobody knows says pointer. */
static void find_unknown(selvi_parameter *p, const item *i)
{
    if (p->kind)
        return;
    p->kind = i->kind                       ? (uint8_t)i->kind
              : i->has_mode || i->untracked ? SELVI_PARAMETER_GLOBAL
                                            : SELVI_PARAMETER_UNKNOWN;
    if (p->kind == SELVI_PARAMETER_CONSTANT)
        p->mode = SELV_READ;
    if (p->kind == SELVI_PARAMETER_IMAGE && i->has_access)
        p->mode = (uint8_t)i->access;
    else if (p->kind && !takes_modes((selvi_parameter_kind)p->kind))
        p->mode = SELV_NONE;
    p->assumed = p->mode == SELV_READ_WRITE && !i->has_access;
}

static void take(selvi_parameter *p, const item *i)
{
    find_unknown(p, i);
    if (i->typed)
        p->type = i->type;
    if (i->has_mode)
        set_mode(p, i->mode);
    else if (p->kind == SELVI_PARAMETER_GLOBAL && i->pointer && i->is_const)
        set_mode(p, SELV_READ);
    if (i->has_mode || i->untracked)
        p->untracked = i->untracked;
    if (i->untracked)
        p->assumed = false;
}

/* the whole text */

static unsigned count_items(const char *text)
{
    unsigned count = 1;
    if (!text[strspn(text, " \t\r\n")])
        return 0;
    for (const char *p = strchr(text, ','); p; p = strchr(p + 1, ','))
        count++;
    return count;
}

static selv_status check_count(const selvi_signature *sig, const char *text)
{
    unsigned came = count_items(text);
    if (came == sig->count || (came == 0 && sig->count == 1))
        return SELV_OK;
    return selvi_fail(
        SELV_INVALID,
        "the signature \"%.400s\" has %u items, and kernel %s has %u parameters: write one item for each, "
        "separated by commas, and - for what is known already",
        text, came, sig->name, sig->count);
}

static item item_at(const char *text, unsigned index)
{
    text += strspn(text, " \t\r\n");
    size_t length = strcspn(text, ",");
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return (item){.text = text, .length = (int)length, .index = index};
}

/* Into copies, so that a refusal changes nothing. */
static selv_status declare_all(const selvi_signature *sig, const char *text, selvi_parameter *parameters)
{
    for (unsigned index = 0; index < sig->count; index++) {
        item i = item_at(text, index);
        selv_status st = read_item(&parameters[index], &i);
        st = st ? st : check(sig, &parameters[index], &i);
        if (st)
            return st;
        take(&parameters[index], &i);
        text += strcspn(text, ",");
        text += *text == ',';
    }
    return SELV_OK;
}

selv_status selvi_signature_declare(selvi_signature *sig, const char *text)
{
    if (!text)
        return selvi_fail(SELV_INVALID,
                          "the signature of kernel %s is NULL: pass a text such as \"out float*, in float*, "
                          "uint\"",
                          sig->name);
    selv_status st = check_count(sig, text);
    if (st)
        return st;
    size_t bytes = sig->count * sizeof *sig->parameters;
    selvi_parameter *parameters = selvi_alloc(bytes);
    if (!parameters)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(parameters, sig->parameters, bytes);
    st = declare_all(sig, text, parameters);
    if (!st)
        memcpy(sig->parameters, parameters, bytes);
    selvi_free(parameters);
    return st ? selvi_fail_within(st, "kernel %s", sig->name) : SELV_OK;
}
