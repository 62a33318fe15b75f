/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that carry something from column to column, side by side: one in each lane.
 *
 *     for (i = 0; i < m; i++)                       for (i = 0; i < m; i += 16)
 *         for (j = 1; j < n; j++)           =>          for (j = 1; j < n; j++)
 *             y[i][j] += y[i][j - 1];                       y[i .. i + 15][j] += y[i .. i + 15][j - 1]
 */
#ifndef MIKGEN_PLAN_VECTORS_VECTOR_ROWS_H
#define MIKGEN_PLAN_VECTORS_VECTOR_ROWS_H

#include "ir/node.h"

/* Has a loop inside whose iterations have an order? */
bool carries_inside(Node *loop);

/* Should the loop's iterations be lanes for such loops inside? neighbours: some of the lanes' elements are neighbours. Then the others
 * have to be worth it. */
bool goes_over_rows(Ir *ir, Node *loop, bool neighbours);

#endif
