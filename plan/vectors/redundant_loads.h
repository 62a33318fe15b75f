/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors that a block makes of elements more than once, with stores between, have a name:
 *
 *     store(f, load(f) - even(u) * a);                floats u_0 = even(u);
 *     store(g, load(g) - even(u) * b);         =>     store(f, load(f) - u_0 * a);
 *                                                     store(g, load(g) - u_0 * b);
 *
 * Compilers load again behind a store, and do all that follows from it again. Plain loads are left to them: these are operands. */
#ifndef MIKGEN_PLAN_VECTORS_REDUNDANT_LOADS_H
#define MIKGEN_PLAN_VECTORS_REDUNDANT_LOADS_H

#include "ir/node.h"

/* Of a body whose loops are vectorized. The body itself if there is nothing such. */
Node *eliminate_redundant_loads(Ir *ir, Node *body);

#endif
