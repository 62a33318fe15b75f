/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums down the columns of large matrices, a few rows at a time:
 *
 *     for (n = 0; n < N; n++) {                 if (N < 512 || M * N < 1 << 19) as it was
 *         float s = 0;                          else {
 *         for (m = 0; m < M; m++)                   for (n = 0; n < N; n++) y[n] = 0;
 *             s += x[m][n];               =>        for (r = 0; r < M; r += 8)
 *         y[n] = s;                                     for (n = 0; n < N; n++) {
 *     }                                                     float s = y[n];
 *                                                           for (m = r; m < r + 8; m++) s += x[m][n];
 *                                                           y[n] = s;
 *                                                       }
 *                                               }
 *
 * Down all rows at once vectors of columns take a little of each row, which lie pages apart; memory gives more to whole rows. Columns add
 * up in their order. */
#ifndef MIKGEN_PLAN_NESTS_COLUMN_REDUCTION_H
#define MIKGEN_PLAN_NESTS_COLUMN_REDUCTION_H

#include "ir/node.h"

/* The nest itself when it is no such loop, marked FOR_PARALLEL. */
Node *block_column_reductions(Ir *ir, Node *nest);

#endif
