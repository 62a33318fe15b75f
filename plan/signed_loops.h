/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that count with unsigned numbers count with signed ones of 64 bits, of which all later passes know more.
 *
 *     for (size_t i = 0; i < n; i++)                 for (long i = 0; i < (long)n; i++)
 *         y[i] = i * x[i];                               y[i] = (size_t)i * x[i];
 *
 * Values stay what they are: a loop of 64 bits that starts at 2^63 or more, as one does that starts at n - k with k > n, has no
 * iterations; a bound of 2^63 or more, to which no machine counts in its life, may end such a loop at once. A loop of 32 bits goes by ones. */
#ifndef MIKGEN_PLAN_SIGNED_LOOPS_H
#define MIKGEN_PLAN_SIGNED_LOOPS_H

#include "ir/node.h"

/* A function's body; `body` itself when nothing changed. */
Node *signed_loops(Ir *ir, Node *body);

#endif
