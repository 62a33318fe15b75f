/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars that hand what one iteration computes to the next one alone (first-order recurrences) are computed again there, so that the
 * iterations need no order:
 *
 *     int last = 0;                               int last = 0;
 *     for (i = 0; i < n; i++) {                   if (0 < n) {
 *         y[i] = x[i] - last;              =>         y[0] = x[0] - last;
 *         last = x[i];                                last = x[0];
 *     }                                           }
 *                                                 for (i = 1; i < n; i++)
 *                                                     y[i] = x[i] - x[i - 1];
 *                                                 if (1 < n) last = x[n - 1];        where somebody reads it
 *
 * What is computed again is made of the loop's variable, of what does not change in the loop, and of little else. */
#ifndef MIKGEN_PLAN_NESTS_RECURRENCE_ELIMINATION_H
#define MIKGEN_PLAN_NESTS_RECURRENCE_ELIMINATION_H

#include "ir/node.h"

/* Of loops whose iterations may run in any order, or are a prefix sum, once that is done; `strict`: sums of floats have an order.
 * The values are the same, bit for bit. `body` itself when there are none. */
Node *eliminate_recurrences(Ir *ir, Node *body, bool strict);

#endif
