/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the two target languages spell what C99 and CUDA C++ spell differently. Spelling only: no decision is
 * taken here. */
#ifndef MIKGEN_EMIT_DIALECT_H
#define MIKGEN_EMIT_DIALECT_H

#include "ir/node.h"

typedef struct Dialect {
    bool cuda;
    const char *restrict_word; /* "restrict", "__restrict__" */
    const char *bool_name;     /* "_Bool", "bool" */
    const char *half_name, *bf16_name, *e4m3_name, *e5m2_name;
    /* Conversions of narrow floats: to float, from float, from double. */
    const char *half_to_float, *float_to_half, *double_to_half;
    const char *bf16_to_float, *float_to_bf16, *double_to_bf16;
    const char *e4m3_to_float, *float_to_e4m3, *e5m2_to_float, *float_to_e5m2;
    /* From 64-bit integers, of which double rounds some; long double to float, so that its narrowing is right. */
    const char *long_to_bf16, *ulong_to_bf16, *round_to_odd;
    /* What functions return: the type; no fault; an extent that cannot be; arrays that overlap. */
    const char *status_type, *status_ok, *status_extent, *status_overlap;
} Dialect;

extern const Dialect dialect_c, dialect_cuda;

/* The type's name in the target language. */
const char *dialect_type(const Dialect *d, Type type);

/* The functions that convert a narrow float to float and back. */
const char *dialect_to_float(const Dialect *d, Type narrow);
const char *dialect_from_float(const Dialect *d, Type narrow);

#endif
