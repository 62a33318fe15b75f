/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a vectorized loop inside reduces stays in vectors while the loop around adds it up:
 *
 *     for (b) {                                        sums = all(-0)
 *         s_0 = all(-0)                                for (b) {
 *         for (i ...) s_0 = s_0 + x * q                    s_0 = all(-0)
 *         s = 0 + fold(s_0)                    =>          for (i ...) s_0 = s_0 + x * q
 *         sum += d[b] * s                                  sums = sums + all(d[b]) * s_0
 *     }                                                }
 *                                                      sum += fold(sums)
 *
 * Adding a vector's lanes takes longer than short loops do. Sums change their order. */
#ifndef MIKGEN_PLAN_VECTORS_ACCUMULATOR_PROMOTION_H
#define MIKGEN_PLAN_VECTORS_ACCUMULATOR_PROMOTION_H

#include "ir/node.h"

/* Of a body whose inner loops are vectorized. *reorders is set where a sum of floating-point numbers is. */
Node *promote_accumulators(Ir *ir, Node *body, bool *reorders);

#endif
