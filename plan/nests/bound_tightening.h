/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guards of loops as their bounds:
 *
 *     for (r = 0; r < R; r++) {                       for (r = max(0, -h0); r < min(R, H - h0); r++) {
 *         int h = h0 + r;                                 int h = h0 + r;
 *         for (s = 0; s < S; s++)              =>         for (s = max(0, -w0); s < min(S, W - w0); s++)
 *             if (0 <= h && h < H &&                          sum += x[h][w0 + s] * k[r][s];
 *                 0 <= w0 + s && w0 + s < W)
 *                 sum += x[h][w0 + s] * k[r][s];      }
 *     }
 *
 * Loops that do nothing where their guard fails, whose guard compares sums with their variable in them. Guards in which the variable of
 * a loop that is vectorized occurs stay: lanes would have bounds of their own. */
#ifndef MIKGEN_PLAN_NESTS_BOUND_TIGHTENING_H
#define MIKGEN_PLAN_NESTS_BOUND_TIGHTENING_H

#include "ir/node.h"

/* Of loops marked as partition_loops() leaves them. */
Node *tighten_bounds(Ir *ir, Node *body);

#endif
