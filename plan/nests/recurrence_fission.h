/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that carry a scalar from iteration to iteration are split, a strip at a time, so that all else in them may be vectorized
 * (strip-mining, scalar expansion and loop distribution: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001):
 *
 *     for (i = 0; i < n; i++) {            for (row = 0; row < n; row += STRIP) {
 *         s = a * s + expf(x[i]);              float e[STRIP], t[STRIP];
 *         y[i] = sqrtf(1 + s * s);     =>      for (i in the strip) e[i - row] = expf(x[i]);
 *     }                                        for (i in the strip) { s = a * s + e[i - row]; t[i - row] = s; }
 *                                              for (i in the strip) y[i] = sqrtf(1 + t[i - row] * t[i - row]);
 *                                          }
 */
#ifndef MIKGEN_PLAN_NESTS_RECURRENCE_FISSION_H
#define MIKGEN_PLAN_NESTS_RECURRENCE_FISSION_H

#include "ir/node.h"

/* The nest with such innermost loops split, where the rest is much work beside the recurrence. So are those that store to what only
 * earlier iterations read: their stores have a loop of their own. Scalars that are carried stay as they are, bit for bit; `strict`:
 * floating-point sums may not be reordered. */
Node *split_recurrences(Ir *ir, Node *nest, bool strict);

#endif
