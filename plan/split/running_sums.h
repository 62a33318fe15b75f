/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that run in order because each iteration sums over what earlier ones have left, as triangular solves and factorisations do, by
 * blocks of iterations, where what is summed over earlier blocks is a product of matrices:
 *
 *     for (i = 0; i < N; i++)                        for (b = 0; b < N; b += 64) {
 *         for (j = 0; j < M; j++) {                      for (i = b; i < min(b + 64, N); i++)
 *             X[i][j] = B[i][j];                             for (j = 0; j < M; j++) {
 *             for (k = 0; k < i; k++)                            X[i][j] = B[i][j];
 *                 X[i][j] -= L[i][k] * X[k][j];                  for (k = 0; k < b; k++) X[i][j] -= L[i][k] * X[k][j];
 *             X[i][j] /= L[i][i];                =>          }
 *         }                                              for (i = b; i < min(b + 64, N); i++)
 *                                                            for (j = 0; j < M; j++) {
 *                                                                for (k = b; k < i; k++) X[i][j] -= L[i][k] * X[k][j];
 *                                                                X[i][j] /= L[i][i];
 *                                                            }
 *                                                    }
 *
 * The rest of a block goes by blocks of 8 in the same way. What is left then is short sums, which independent rows, if there are any, do
 * side by side.
 *
 * The sum may end at a loop inside of the outermost one (j < i, k < j), which then goes by blocks instead of it. Sums of floating numbers
 * are taken apart, so --fp=strict leaves them alone; no more is rounded than in the spec: a sum is handed over in an element of its type.
 * C target. */
#ifndef MIKGEN_PLAN_SPLIT_RUNNING_SUMS_H
#define MIKGEN_PLAN_SPLIT_RUNNING_SUMS_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

/* The operator's body with such loops so cut where a run-time condition says that it pays, and as they are elsewhere. Variables of loops
 * that do the rest of a block, and are no contraction, are pushed to `rest`. */
Node *cut_running_sums(const NestContext *context, const PlanOptions *opt, Plan *plan, Node *body, Vec *rest);

#endif
