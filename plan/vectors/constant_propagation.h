/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What unrolled loops name that is one number there. */
#ifndef MIKGEN_PLAN_VECTORS_CONSTANT_PROPAGATION_H
#define MIKGEN_PLAN_VECTORS_CONSTANT_PROPAGATION_H

#include "ir/node.h"

/* The body with integers in the place of the constants that are declared as such, and of those that follow from them:
 *     const int a = 7;  const int b = a - 4;  y = x >> b;
 *     y = x >> 3; */
Node *propagate_constants(Ir *ir, Node *body);

#endif
