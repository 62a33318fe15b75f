/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in memory that a loop goes along, more of them than there are registers, as sums of a few bases and a few distances:
 *
 *     t0 = W * i; t1 = t0 + C; t2 = t0 + 2 * C;           t0 = W * i; t3 = W * (i + 1);
 *     t3 = W * (i + 1); t4 = t3 + C; ...
 *     for (c ...) {                                =>     for (c ...) {
 *         x[t0 + c] ... x[t1 + c] ... x[t2 + c]               x[t0 + c] ... x[t0 + c + C] ... x[t0 + c + C * 2]
 *         x[t3 + c] ... x[t4 + c] ...                         x[t3 + c] ... x[t3 + c + C] ...
 *     }
 *
 * Processors add both as they load. */
#ifndef MIKGEN_PLAN_VECTORS_ADDRESS_BASES_H
#define MIKGEN_PLAN_VECTORS_ADDRESS_BASES_H

#include "ir/node.h"

/* In innermost loops of a body whose loops are vectorized. */
Node *share_bases(Ir *ir, Node *body);

#endif
