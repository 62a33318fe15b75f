/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that count down by one count up where the order of their iterations makes no difference, since that is how vectors and micro-kernels
 * go:
 *
 *     for (int i = n - 1; i >= 0; i--)   for (int i = 0; i < n; i++)
 *         y[i] = x[i];                       y[i] = x[i];
 */
#ifndef MIKGEN_PLAN_UPWARD_H
#define MIKGEN_PLAN_UPWARD_H

#include "ir/node.h"

/* A function's body; `body` itself when nothing changed. `strict`: floating-point sums keep their order. */
Node *count_upward(Ir *ir, Node *body, bool strict);

#endif
