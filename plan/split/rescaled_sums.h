/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums that are rescaled whenever a running maximum moves, as online softmax and FlashAttention have them, are summed up when the maximum
 * of all is known:
 *
 *     for (l) {                                        for (l) {
 *         float s = ...;                                   float s = ...;
 *         float next = fmaxf(m, s);                        row[l] = s;
 *         float c = expf(m - next);                        m = fmaxf(m, s);
 *         float p = expf(s - next);            =>      }
 *         sum = sum * c + p;                           for (l) {
 *         for (d) acc[d] = acc[d] * c + p * v[l][d];       float p = expf(row[l] - m);
 *         m = next;                                        sum += p;
 *     }                                                    for (d) acc[d] += p * v[l][d];
 *                                                      }
 *
 * The first loop is about the scores and their maximum. The second one is what the loop does where the maximum stays. Both may be split,
 * vectorized, or become contractions. Sums are rounded otherwise than in the spec, so --fp=strict leaves them alone. They become NaN where
 * those of the spec do: also if the first score is -INFINITY, and the maximum with it. */
#ifndef MIKGEN_PLAN_SPLIT_RESCALED_SUMS_H
#define MIKGEN_PLAN_SPLIT_RESCALED_SUMS_H

#include "ir/node.h"

/* The operator's body, whose loops count (plan/own_counters.h); the body itself when there are no such loops, or with `strict`. */
Node *sum_rescaled(Ir *ir, const Func *f, Node *body, bool strict);

#endif
