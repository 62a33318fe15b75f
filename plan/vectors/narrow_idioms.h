/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sets compute in narrow lanes with one instruction, or a few, although steps on the way do not fit them:
 *
 *     (a + b + 1) >> 1                                   average(a, b)
 *     a + b > 255 ? 255 : a + b                          add_sat(a, b)
 *     (a * b) >> 16, (a * b + 0x4000) >> 15       =>     mul_high(a, b), mul_round(a, b)
 */
#ifndef MIKGEN_PLAN_VECTORS_NARROW_IDIOMS_H
#define MIKGEN_PLAN_VECTORS_NARROW_IDIOMS_H

#include "plan/vectors/narrow_lanes.h"

typedef enum IdiomKind {
    IDIOM_AVERAGE,
    IDIOM_SATURATED_SUM,
    IDIOM_SATURATED_DIFFERENCE,
    IDIOM_HIGH_PRODUCT,
    IDIOM_ROUNDED_SHIFT
} IdiomKind;

typedef struct NarrowIdiom {
    IdiomKind kind;
    Type element;  /* of the lanes of both operands, and of the result */
    Node *a, *b;   /* which these lanes hold */
    bool rounds;   /* an average, a product: to the nearest number, else down */
    int shift;     /* of a product, 1 to 31; of a number, which is both operands, fewer than lanes have bits */
    bool saturates; /* a product: the one result that 16 bits with a sign do not hold, 32768, is 32767 */
} NarrowIdiom;

/* Is the expression such an operation in these lanes? */
bool narrow_find_idiom(const NarrowLanes *lanes, Node *e, NarrowIdiom *found);

/* The value that is stored in bytes, of lanes of 16 bits, if the nearest of the array's numbers is what the stored one is; else NULL. */
Node *narrow_saturated(const NarrowLanes *lanes, const Sym *array, Node *stored);

#endif
