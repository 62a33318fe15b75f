/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop over windows without its guards where they all hold:
 *
 *     for (q = 0; q < Q; q++)                              for (q = 0; q < from; q++) ...            the border, as it was
 *         for (s = 0; s < S; s++)                          for (q = from; q < to; q++)               the interior
 *             if (q + s - pad >= 0 && q + s - pad < W)  =>     for (s = 0; s < S; s++)
 *                 sum += x[q + s - pad] * k[s];                    sum += x[q + s - pad] * k[s];
 *                                                          for (q = to; q < Q; q++) ...              the border again
 *
 *     from = pad, to = W - S + 1 + pad, not beyond 0 and Q
 *
 * Only comparisons of sums in which the loop's variable occurs, beside variables of loops inside it and what does not change. */
#ifndef MIKGEN_PLAN_NESTS_LOOP_PARTITION_H
#define MIKGEN_PLAN_NESTS_LOOP_PARTITION_H

#include "ir/node.h"
#include "ir/sym_map.h"

/* Of loops marked FOR_PARALLEL that are to be vectorized. ends: by the id of a loop's variable, Node *: where the loop ends of which this one is
 * a part. */
Node *partition_loops(Ir *ir, const Map *ends, Node *body);

#endif
