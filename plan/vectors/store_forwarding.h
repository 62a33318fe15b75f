/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a block has just stored is read from a scalar, and what it stores again is stored once:
 *
 *     y[8 * n] = exp(x[8 * n]);                 const float y_1 = exp(x[8 * n]);
 *     s += y[8 * n];                     =>     s += y_1;
 *     y[8 * n] = y[8 * n] / s;                  y[8 * n] = y_1 / s;
 */
#ifndef MIKGEN_PLAN_VECTORS_STORE_FORWARDING_H
#define MIKGEN_PLAN_VECTORS_STORE_FORWARDING_H

#include "ir/node.h"

/* Of all blocks in `body`, whose arrays have one subscript each. The body itself if there is nothing such. */
Node *forward_stores(Ir *ir, Node *body);

#endif
