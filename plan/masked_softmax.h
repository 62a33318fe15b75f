/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iteration domains of a softmax whose mask sets scores to -INFINITY: maximum, exponentials, sum and product leave masked elements out.
 *
 *     for (l = 0; l <= t; l++) s[l] = ...;                  for (l = 0; l <= t; l++) s[l] = ...;
 *     for (l = t + 1; l < L; l++) s[l] = -INFINITY;
 *     for (l = 0; l < L; l++) m = fmaxf(m, s[l]);           for (l = 0; l <= t; l++) m = fmaxf(m, s[l]);
 *     for (l = 0; l < L; l++) {                       =>    for (l = 0; l <= t; l++) {
 *         s[l] = expf(s[l] - m); sum += s[l];                   s[l] = expf(s[l] - m); sum += s[l];
 *     }                                                     }
 *     for (l = 0; l < L; l++) o += s[l] * v[l][d];          for (l = 0; l <= t; l++) o += s[l] * v[l][d];
 *                                                           o = last[d] > t ? NAN : o;
 *
 * A masked weight is exp(-INFINITY) = 0, or NaN where all weights of its row are. 0 times a number of v adds nothing; 0 times an infinity or a NaN
 * makes the sum a NaN. So `last`, which is computed once, has the last row of v that is not finite, or -1. */
#ifndef MIKGEN_PLAN_MASKED_SOFTMAX_H
#define MIKGEN_PLAN_MASKED_SOFTMAX_H

#include "ir/node.h"

/* The operator's body, whose loops split_at_guards() has split; the body itself when nothing changed. */
Node *restrict_masked_softmax(Ir *ir, const Func *func);

#endif
