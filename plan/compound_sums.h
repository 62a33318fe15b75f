/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums that are written out are written as others are:
 *
 *     s = s + a[i];                s += a[i];
 *     y[i] = a[i] + y[i];          y[i] += a[i];
 */
#ifndef MIKGEN_PLAN_COMPOUND_SUMS_H
#define MIKGEN_PLAN_COMPOUND_SUMS_H

#include "ir/node.h"

/* A function's body; `body` itself when nothing changed. `strict`: operands of floating-point sums keep their sides, as NaNs may tell. */
Node *compound_sums(Ir *ir, Node *body, bool strict);

#endif
