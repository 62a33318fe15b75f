/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers that are clamped step by step get a name for each step, so that each name has one value:
 *
 *     int v = a[i] - b[i];                        int v = a[i] - b[i];
 *     v = v < 0 ? 0 : v;                 =>       const int v1 = v < 0 ? 0 : v;
 *     v = v > 255 ? 255 : v;                      const int v2 = v1 > 255 ? 255 : v1;
 *     y[i] = v;                                   y[i] = v2;
 */
#ifndef MIKGEN_PLAN_VECTORS_NAME_CLAMPS_H
#define MIKGEN_PLAN_VECTORS_NAME_CLAMPS_H

#include "ir/node.h"

/* Of a loop's body that reads or stores integers of less than 32 bits; another one itself. */
Node *name_clamps(Ir *ir, Node *body);

#endif
