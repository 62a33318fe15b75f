/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of loops that are known to run once, the body; of those that never run, nothing:
 *
 *     for (c = 0; c < 0; c += 16) ...
 *     for (c = 0; c < 8; c += 8)                  store(t + u * 8, s);
 *         store(t + u * 8 + c, s);          =>
 */
#ifndef MIKGEN_PLAN_VECTORS_SINGLE_ITERATION_H
#define MIKGEN_PLAN_VECTORS_SINGLE_ITERATION_H

#include "ir/node.h"

/* Of a body whose loops are vectorized; the same pointer: it has none. */
Node *enter_single_iterations(Ir *ir, Node *body);

#endif
