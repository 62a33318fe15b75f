/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two loops over neighbouring elements as one:
 *
 *     for (h = 0; h < H; h++)
 *         for (w = 0; w < W; w++)                     for (hw = 0; hw < H * W; hw++)
 *             y[c][h][w] = x[c][h][w] * g[c];    =>       y[c][0][hw] = x[c][0][hw] * g[c];
 *
 * Elements of an array follow one another, so that a subscript may go on where a row ends. */
#ifndef MIKGEN_PLAN_COLLAPSE_H
#define MIKGEN_PLAN_COLLAPSE_H

#include "ir/node.h"

/* Of independent loops with nothing between them. */
Node *collapse_loops(Ir *ir, Node *nest);

/* Of such loops that may gather something up in scalars, in another order. */
Node *collapse_sums(Ir *ir, Node *nest);

#endif
