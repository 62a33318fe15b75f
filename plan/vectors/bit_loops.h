/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that count bits as they clear them become population counts, which vectors have:
 *
 *     while (v) {                          c += popcount(v);
 *         v &= v - 1;             =>       v = 0;
 *         c++;
 *     }
 *     for (; v; v >>= 1)          =>       likewise
 *         c += v & 1;
 */
#ifndef MIKGEN_PLAN_VECTORS_BIT_LOOPS_H
#define MIKGEN_PLAN_VECTORS_BIT_LOOPS_H

#include "ir/node.h"

/* `body` itself when there is none. */
Node *count_bits_at_once(Ir *ir, Node *body);

#endif
