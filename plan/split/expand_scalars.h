/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one part of a loop's body hands to another gets an element for each iteration, so that the parts may have loops of their own
 * (scalar and array expansion: Padua and Wolfe, CACM 1986):
 *
 *     for (i) {                                        float s[M][N];
 *         float s[N];                                  for (i)
 *         for (j) s[j] = a[i][j];              =>          for (j) s[i][j] = a[i][j];
 *         for (j) b[i][j] = s[j];                      for (i)
 *     }                                                    for (j) b[i][j] = s[i][j];
 */
#ifndef MIKGEN_PLAN_SPLIT_EXPAND_SCALARS_H
#define MIKGEN_PLAN_SPLIT_EXPAND_SCALARS_H

#include "plan/split/pieces.h"

/* Arrays that the statements of a loop's body declare are expanded, before it is known which parts there are: a contraction stores to
 * another element for each iteration. Their declarations leave the list, and `expansions` gets ArrayExpansion *. Others stay: the number
 * of iterations is no expression of parameters. CUDA: nor may those that stand for scalars become larger than what the spec stores to, as
 * there are no row tiles that would bound them. */
void expand_arrays(const NestContext *context, const PlanOptions *opt, Node *loop, Vec *list, Vec *expansions);

/* Statements of one piece alone declare what they alone touch, arrays as they were before. `arrays` gets the declarations of all others,
 * which belong in front of the loop. False: something would have to be an array that cannot, for the loop's iterations are not counted
 * from 0 or their number is no expression of parameters. */
bool expand_scalars(const NestContext *context, Node *loop, Pieces *pieces, const Vec *expansions, Vec *arrays);

#endif
