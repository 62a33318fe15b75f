/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several iterations as one, which loads what some of them have in common once, and uses it at once wherever it is needed:
 *
 *     s = 0;                   s_1 = 0;                        s = 0; s_1 = 0;
 *     s += x[q] * k[0];        s_1 += x[q + 1] * k[0];         x_0 = x[q];     s += x_0 * k[0];
 *     s += x[q + 1] * k[1];    s_1 += x[q + 2] * k[1];    =>   x_1 = x[q + 1]; s += x_1 * k[1]; s_1 += x_1 * k[0];
 *     y[q] = s;                y[q + 1] = s_1;                 x_2 = x[q + 2]; s_1 += x_2 * k[1];
 *                                                              y[q] = s; y[q + 1] = s_1;
 *
 * Each iteration keeps its order. */
#ifndef MIKGEN_PLAN_NESTS_SHARED_LOADS_H
#define MIKGEN_PLAN_NESTS_SHARED_LOADS_H

#include "ir/node.h"

/* Different elements that are loaded, converted and guarded ones included. */
typedef struct LoadCount {
    int own;    /* whose place depends on the iteration, */
    int common; /* and others */
} LoadCount;

/* A block of declarations, assignments and stores without the integers that it names: their values stand for them. */
Node *without_integer_names(Ir *ir, Node *block);

/* Of `count` such blocks, independent of one another, with symbols of their own; arrays that they store to are not loaded. vars: the `nvars`
 * variables of their number. */
Node *share_loads(Ir *ir, Node *const *block, int count, Sym *const *vars, int nvars, LoadCount *loads);

#endif
