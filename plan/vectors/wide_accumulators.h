/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of what 64-bit lanes hold stay in such lanes:
 *
 *     int c;                                  int64_t wide = 0;
 *     for (w) c += (int)(x[w] >> 56);    =>   for (w) wide += (int64_t)(x[w] >> 56);
 *                                             c += (int)wide; */
#ifndef MIKGEN_PLAN_VECTORS_WIDE_ACCUMULATORS_H
#define MIKGEN_PLAN_VECTORS_WIDE_ACCUMULATORS_H

#include "ir/node.h"

/* The loop with these sums in new scalars; itself if there are none. To *before what declares them is added, to *behind what adds them. */
Node *widen_accumulators(Ir *ir, Node *loop, Vec *before, Vec *behind);

#endif
