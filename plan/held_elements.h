/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The element at the best place so far, which a search compares with in each iteration, in a scalar:
 *
 *                                                   float held = n > 1 ? x[best] : 0;
 *     for (j = 1; j < n; j++)                       for (j = 1; j < n; j++)
 *         if (x[j] > x[best])             =>            if (x[j] > held) {
 *             best = j;                                     best = j;
 *                                                           held = x[j];
 *                                                       }
 *
 * The next iteration waits neither for the place nor for a load then. Bits are the same. */
#ifndef MIKGEN_PLAN_HELD_ELEMENTS_H
#define MIKGEN_PLAN_HELD_ELEMENTS_H

#include "ir/node.h"

/* Of the operator's loops with none inside. `body` itself when there is nothing to hold. */
Node *hold_elements(Ir *ir, const Func *f, Node *body);

#endif
