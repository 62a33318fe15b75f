/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the two target languages spell what C99 and CUDA C++ spell differently. Spelling only: no decision is
 * taken here. */
#ifndef MIKGEN_EMIT_DIALECT_H
#define MIKGEN_EMIT_DIALECT_H

#include <jansson.h>

#include "ir/node.h"

typedef struct Dialect {
    bool cuda;
    const char *restrict_word; /* "restrict", "__restrict__" */
    const char *bool_name;     /* "_Bool", "bool" */
    /* From 64-bit integers, of which double rounds some; long double to float, so that its narrowing is right. */
    const char *long_to_bf16, *ulong_to_bf16, *round_to_odd;
    /* What functions return: the type; no fault; an extent that cannot be. */
    const char *status_type, *status_ok, *status_extent;
} Dialect;

extern const Dialect dialect_c, dialect_cuda;

/* The type's name in the target language. */
const char *dialect_type(const Dialect *d, Type type);

/* The functions that convert a narrow float to float, and float and double to it; from double to 8 bits there is none: NULL. */
const char *dialect_to_float(const Dialect *d, Type narrow);
const char *dialect_from_float(const Dialect *d, Type narrow);
const char *dialect_from_double(const Dialect *d, Type narrow);

/* What modules in other languages and self-checks call the types: of each by its name in a spec an object with "numpy", "rust" and "check", ""
 * where there is no such type, and "added", the name under which packages add it to NumPy. The caller owns it. */
json_t *dialect_types(void);

#endif
