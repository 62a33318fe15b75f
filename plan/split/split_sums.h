/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of several products, and sums of sums, as sums of one product each, which may be contractions:
 *
 *     re = 0;                                          C[m][n] = 0;
 *     for (k) re += a[m][k] * c[k][n]                  for (k) C[m][n] += a[m][k] * c[k][n];
 *                 - b[m][k] * d[k][n];         =>      for (k) C[m][n] -= b[m][k] * d[k][n];
 *     C[m][n] = re;
 *
 *     for (b) {                                        for (b)
 *         s = 0;                                           for (i)
 *         for (i) s += x[m][b][i] * q[n][b][i];                sum += scale[n][b] * (x[m][b][i] * q[n][b][i]);
 *         sum += scale[n][b] * s;
 *     }
 *
 * Floating-point sums change their order, so --fp=strict leaves them alone. */
#ifndef MIKGEN_PLAN_SPLIT_SPLIT_SUMS_H
#define MIKGEN_PLAN_SPLIT_SPLIT_SUMS_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

/* The statement with such sums taken apart: itself when there are none. *count: how many sums it then has in their place. */
Node *split_sums(const NestContext *context, const PlanOptions *opt, Node *stmt, int *count);

#endif
