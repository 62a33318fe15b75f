/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local variables of less than 32 bits in which a loop reduces something become int or unsigned, which vectors and threads reduce:
 *
 *     uint16_t s = 0;                          unsigned s' = 0;
 *     for (...) s = (uint16_t)(s + x[i]);      for (...) s' = s' + (unsigned)x[i];
 *     y[0] = s;                                y[0] = (uint16_t)s';
 *
 * Values are the same: of sums, products and masks only the lower bits are read; extremes fit as they are. */
#ifndef MIKGEN_PLAN_WIDE_SUMS_H
#define MIKGEN_PLAN_WIDE_SUMS_H

#include "ir/node.h"

/* A function's body; `body` itself when nothing changed. */
Node *wide_sums(Ir *ir, Node *body);

#endif
