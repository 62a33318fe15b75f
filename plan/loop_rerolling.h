/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that somebody unrolled are rolled up again, together with the loop over the rest. How far a loop is unrolled is decided later.
 *
 *     for (int k = 0; k < K / 2 * 2; k += 2) {         for (int k = 0; k < K; k++)
 *         s += x[k] * y[k];                                s += x[k] * y[k];
 *         s += x[k + 1] * y[k + 1];
 *     }
 *     for (int k = K / 2 * 2; k < K; k++)
 *         s += x[k] * y[k];
 *
 * Iterations keep their order. Where floating-point sums may lose it, copies may add to accumulators of their own, which begin with 0 and
 * are added up behind the loop: they become one. */
#ifndef MIKGEN_PLAN_LOOP_REROLLING_H
#define MIKGEN_PLAN_LOOP_REROLLING_H

#include "ir/node.h"

/* A function's body; `body` itself when nothing changed. `strict`: floating-point sums keep their order. */
Node *reroll_loops(Ir *ir, Node *body, bool strict);

#endif
