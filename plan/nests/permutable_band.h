/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a nest that may run in any order and by tiles, where that may pay:
 *
 *     for (i) for (j) Y[i][j] = X[i][j] + b[j];               i, j: all i read the same row
 *     for (n) for (i) for (j) Y[n][j][i] = X[n][i][j];        i, j: neighbouring i share lines of Y
 *     for (i) for (j) Y[i][j] = 2 * X[i][j];                  none: whatever an iteration of i touches, no other does */
#ifndef MIKGEN_PLAN_NESTS_PERMUTABLE_BAND_H
#define MIKGEN_PLAN_NESTS_PERMUTABLE_BAND_H

#include "plan/plan.h"

/* Loops in another order, of which there are `n`. */
void order_loops(Node **loop, int n, int order);

/* Of the nest's loops while arrays have a subscript for each dimension. */
PermutableBand find_permutable_band(Ir *ir, Node *body);

#endif
