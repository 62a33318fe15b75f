/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A value as the sum of its terms:
 *
 *     s + a * c - b * d               s, a * c, -(b * d)
 *     s + d * (t - 8 * u)             s, d * t, -(d * 8 * u)      with t and u among those that are multiplied out
 */
#ifndef MIKGEN_PLAN_CONTRACT_SUM_TERMS_H
#define MIKGEN_PLAN_CONTRACT_SUM_TERMS_H

#include "ir/node.h"

typedef struct Addend {
    Node *value;
    bool negative;
} Addend;

/* A call of fma() or fmaf(). */
bool is_fma(const Node *n);

/* Pushes Addend * to `terms`. Products are multiplied out where a factor is a sum that uses one of `inner`, Sym *. */
void addends_of(Ir *ir, Node *value, const Vec *inner, Vec *terms);

/* A term that has the scalar as a factor, once, perhaps converted, with a value in its place; NULL: it is no such term. */
Node *with_factor(Ir *ir, Node *term, const Sym *scalar, Node *value);

#endif
