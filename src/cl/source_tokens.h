/* A program's source as a row of tokens: comments gone, lines joined, directives whole. Nothing is preprocessed: both
   sides of an #if are there, and `odd` says when the row cannot be trusted. */
#ifndef SELVI_CL_SOURCE_TOKENS_H
#define SELVI_CL_SOURCE_TOKENS_H

#include "selvedge/selvedge.h"

typedef enum selvi_token_kind {
    SELVI_TOKEN_WORD,
    SELVI_TOKEN_LITERAL, /* a number, a text in quotes (only its quotes are left) */
    SELVI_TOKEN_SIGN,    /* one character */
    SELVI_TOKEN_DIRECTIVE
} selvi_token_kind;

typedef struct selvi_token {
    selvi_token_kind kind;
    unsigned conditional; /* so many #if are around it */
    const char *text;     /* in selvi_tokens.clean */
    size_t length;
} selvi_token;

typedef struct selvi_tokens {
    char *clean;
    selvi_token *at;
    size_t count, capacity;
    bool odd; /* trigraphs; brackets that do not match, or match only in one branch of an #if */
} selvi_tokens;

selv_status selvi_tokens_read(const char *source, selvi_tokens *out);
void selvi_tokens_destroy(selvi_tokens *t);

bool selvi_token_includes(const selvi_token *t); /* #include, or #import */
bool selvi_token_is(const selvi_token *t, const char *text);

/* One declaration at file scope, to its semicolon, or to the end of a function's body. */
typedef struct selvi_declaration {
    size_t begin, end;
    size_t body;   /* where the function's body begins; end, if there is none */
    bool complete; /* false: the source ended first */
} selvi_declaration;

/* *at is 0 at first. Declarations hold the directives between their tokens. */
bool selvi_declaration_next(const selvi_tokens *t, size_t *at, selvi_declaration *out);

/* The end of the group that opens at `open`: one past its closing bracket. */
size_t selvi_group_end(const selvi_tokens *t, size_t open);

/* Its next word is followed by a group in parentheses that belongs to it and declares nothing: __attribute__((...)). */
bool selvi_is_attribute(const selvi_tokens *t, const selvi_token *word);

typedef struct selvi_macro {
    const char *name, *body;
    size_t name_length, body_length;
    bool function_like, undefined; /* #undef */
} selvi_macro;

/* False if the token is no #define and no #undef. */
bool selvi_token_macro(const selvi_token *t, selvi_macro *out);
bool selvi_macro_holds(const selvi_macro *m, const char *text);

#endif
