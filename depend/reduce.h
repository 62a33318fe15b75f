/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reductions in loops: scalars that outlive the iterations and only gather something up. Their iterations may be dealt
 * out to several threads, each with a part of its own, and the parts be combined in a fixed order.
 *
 *     for j: s += a[j]                        a sum of s
 *     for j: top = fmaxf(top, a[j])           a maximum
 *     for j: if (a[j] > a[best]) best = j     the place of the first greatest one
 */
#ifndef MIKGEN_DEPEND_REDUCE_H
#define MIKGEN_DEPEND_REDUCE_H

#include "ir/node.h"

typedef enum ReduceOp {
    RED_NONE,
    RED_SUM,
    RED_PRODUCT,    /* + and -, *                                                          */
    RED_FMAX,
    RED_FMIN,      /* libm's                                                              */
    RED_GREATEST,
    RED_LEAST, /* e > s ? e : s, if (e > s) s = e; what is no number is passed over   */
    RED_AND,
    RED_OR,
    RED_XOR,
    RED_ALL,
    RED_ANY,        /* && and ||                                                           */
    RED_FIRST_GREATEST,
    RED_FIRST_LEAST, /* if (e > s) { s = e; others = ... }: the first such iteration decides */
    RED_COUNT
} ReduceOp;

typedef struct Reduction {
    Sym *acc;     /* of at least 32 bits, no narrow float; RED_FIRST_*: NULL when only the place is kept */
    ReduceOp op;
    /* RED_FIRST_*: */
    Node *choice;      /* the N_IF */
    Node *value;       /* e */
    Node *held;        /* what e is compared with: `acc`, or an element whose subscripts depend on the scalars below */
    Sym **others;      /* scalars assigned together with it */
    int nothers;
} Reduction;

/* The reductions of `loop`, as Reduction in *found: every scalar that it assigns and does not declare. False when one of
 * them is no reduction or may not be reordered (`strict`: no floating-point sum or product may); *why then says so. */
bool find_reductions(Ir *ir, Node *loop, bool strict, Vec *found, const char **why);

/* May the loop's iterations run in any order, but for what they reduce into scalars? False may be wrong. */
bool loop_is_unordered(Ir *ir, Node *loop, bool strict);

/* Or from the last to the first, without a word to those who combine the parts? Not where the place of an extreme is looked for: of equal ones
 * the first that is met counts. */
bool loop_is_reversible(Ir *ir, Node *loop, bool strict);

#endif
