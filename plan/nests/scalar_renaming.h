/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers that a block sets more than once have a name for each value, so that what they stand for is known:
 *
 *     int q = j + b;                         const int q = j + b;
 *     if (q < 0)                    =>       const int q_1 = q < 0 ? 0 : q;
 *         q = 0;                             s += x[q_1];
 *     s += x[q];
 */
#ifndef MIKGEN_PLAN_NESTS_SCALAR_RENAMING_H
#define MIKGEN_PLAN_NESTS_SCALAR_RENAMING_H

#include "ir/node.h"

/* Of scalars that are declared with a value, and written by assignments in the same block alone, or by single ones under a condition there.
 * `body` itself when there are none. */
Node *rename_scalars(Ir *ir, Node *body);

#endif
