/* OpenCL C's types by name: what a kernel parameter of that type takes. */
#ifndef SELVI_CL_TYPES_H
#define SELVI_CL_TYPES_H

#include "selvedge/selvedge.h"

typedef enum selvi_class {
    SELVI_CLASS_UNKNOWN = 0, /* a typedef nobody resolved, a struct, an enum, no argument information */
    SELVI_CLASS_SIGNED,
    SELVI_CLASS_UNSIGNED,
    SELVI_CLASS_BOOL,
    SELVI_CLASS_REAL,
    SELVI_CLASS_HALF
} selvi_class;

typedef struct { /* without a tag: the public header has an enum selvi_type, of the types of a selv_arg */
    selvi_class class_;
    uint8_t bytes; /* of one element: 1, 2, 4, 8 */
    uint8_t width; /* 1: scalar; 2, 3, 4, 8, 16: vector. A vector of 3 takes the room of 4 */
} selvi_type;

/* "unsigned int", "uint4", "size_t", "const float", "struct p": spaces, const, volatile and restrict do not matter;
 * false if it is no built-in type. */
bool selvi_type_find(const char *name, selvi_type *out);
/* The next word of a type's name that is no qualifier; *at is moved behind it. False at the end, or at a sign such as
 * '*'. */
bool selvi_type_next_word(const char **at, const char **word, size_t *length);
bool selvi_type_is_image(const char *name); /* "image2d_t", and the other names of OpenCL C */
size_t selvi_type_bytes(selvi_type t);      /* 12-byte vectors do not exist: float3 is 16 */

/* A number (arg->kind SIGNED, UNSIGNED, REAL) to a parameter of scalar type `to`, by the rules of DESIGN section 4,
   "Numbers". Writes to.bytes bytes. SELV_ARGUMENT_VALUE, with a text like "300 does not fit uchar (0 to 255)" or "2.5
   is no whole number, and the parameter is an int". Half is rounded to nearest even. */
selv_status selvi_convert(const selv_arg *arg, selvi_type to, void *out);

/* A host vector (arg->kind VECTOR, arg->type SELVI_T_cl_float4 ...) as selvi_type; for arithmetic types too. False for
 * anything else. */
bool selvi_type_of_arg(const selv_arg *arg, selvi_type *out);
/* "float4", "uchar": for texts. Writes at most `bytes`. */
void selvi_type_name(selvi_type t, char *out, size_t bytes);

#endif
