/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a few iterations unrolled whole, so that the loop around them may become vectors:
 *
 *     for (n ...) {                            for (n ...) {
 *         float t[2];                              float t_0, t_1;
 *         for (c = 0; c < 2; c++)                  t_0 = x[2 * n];
 *             t[c] = x[2 * n + c];                 t_1 = x[2 * n + 1];
 *         y[n] = t[0] * t[1];                      y[n] = t_0 * t_1;
 *     }                                        }
 */
#ifndef MIKGEN_PLAN_VECTORS_FULL_UNROLLING_H
#define MIKGEN_PLAN_VECTORS_FULL_UNROLLING_H

#include "ir/node.h"

/* A nest's body, of arrays with one subscript, without such loops, and with scalars for local arrays of which only known elements are used.
 * The same pointer: it has none, or would have more than `most` nodes. */
Node *unroll_fully(Ir *ir, Node *body, int most);

/* Likewise without those innermost loops of a few iterations that have an order, as sums have, so that the loop around may fill vectors. */
Node *unroll_sums(Ir *ir, Node *body, int most);

/* Likewise without loops over the two members of pairs that lie side by side, as those over windows of two have them: lanes get both members
 * from the same vectors. */
Node *unroll_pairs(Ir *ir, Node *body);

#endif
