/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an iteration stores and the next one reads, in a scalar:
 *
 *                                                           float last;
 *     for (j = 1; j < n; j++)                               if (n > 1) last = y[0];
 *         y[j] = a * y[j-1] + x[j];               =>        for (j = 1; j < n; j++) {
 *                                                               const float stored = a * last + x[j];
 *                                                               y[j] = stored;
 *                                                               last = stored;
 *                                                           }
 *
 * The next iteration waits for the value then, not for the store and a load of it; and an array that the loop only stores to may be
 * turned round in tiles. Bits are the same. */
#ifndef MIKGEN_PLAN_NESTS_SCALAR_REPLACEMENT_CARRIED_H
#define MIKGEN_PLAN_NESTS_SCALAR_REPLACEMENT_CARRIED_H

#include "ir/node.h"

/* Of loops with none inside, that are not marked FOR_PARALLEL. `body` itself when there is nothing to carry. */
Node *replace_carried_elements(Ir *ir, Node *body);

#endif
