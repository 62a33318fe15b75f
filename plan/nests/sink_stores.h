/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches that all end in a store to one element, with that store behind them:
 *
 *     if (i == 0)                              int stored;
 *         L[i][j] = 0;                         if (i == 0)
 *     else if (a[i] == b[j])                       stored = 0;
 *         L[i][j] = L[i-1][j-1] + 1;    =>     else if (a[i] == b[j])
 *     else                                         stored = L[i-1][j-1] + 1;
 *         L[i][j] = L[i-1][j];                 else
 *                                                  stored = L[i-1][j];
 *                                              L[i][j] = stored;
 *
 * Compilers see that of subscripts in several dimensions, and of the sums that become of these they do not: the processor then waits
 * for an element's store where it is read again soon. Vectors are stored whole. */
#ifndef MIKGEN_PLAN_NESTS_SINK_STORES_H
#define MIKGEN_PLAN_NESTS_SINK_STORES_H

#include "ir/node.h"

/* `body` itself when there are none. */
Node *sink_stores(Ir *ir, Node *body);

#endif
