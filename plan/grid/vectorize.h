/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element-wise bodies over contiguous arrays, several elements at a time.
 *
 *     for (i...) for (j...) y[i][j] = 2 * x[i][j];
 *  =>
 *     float xs[4], ys[4];                          x: the number of the group of four
 *     for (u = 0; u < 4; u++) xs[u] = x[4 * x + u];
 *     for (u = 0; u < 4; u++) ys[u] = 2 * xs[u];
 *     for (u = 0; u < 4; u++) y[4 * x + u] = ys[u];
 *
 * Where arrays are aligned, compilers make one access of each of the loops. */
#ifndef MIKGEN_PLAN_GRID_VECTORIZE_H
#define MIKGEN_PLAN_GRID_VECTORIZE_H

#include "ir/node.h"

typedef struct Vector {
    int width;   /* elements at a time: `pieces` of 16 bytes of the widest */
    Sym *point, *group; /* T_INDEX parameters of */
    Node *one;   /* what one element needs, all loops in one, `point` its number */
    Node *all;   /* what `group` of `width` elements needs */
} Vector;

/* False when the body is of another kind: elements in the order of the loops, variables nowhere else, are needed. */
bool find_vector(Ir *ir, Node *const *loops, int nloops, Node *body, int pieces, Vector *v);

#endif
