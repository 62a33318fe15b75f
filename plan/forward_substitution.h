/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars of the operator's body that are made of parameters alone are computed where they are read: a stage of which nothing needs to
 * be handed over may be planned, and are row-tiled with others, before the body runs.
 *
 *     const float scale = 1 / sqrtf(n);
 *     for (...) y[i] = scale * x[i];           =>     for (...) y[i] = 1 / sqrtf(n) * x[i];
 *
 * Of floating types only: integers end in subscripts and bounds, where their definitions are known anyway. But integers that are constants
 * by name, `const int by = -3`, give way to their values where something is divided by them, since vectors divide by constants alone. What does not change in a
 * loop is hoisted out of it later. */
#ifndef MIKGEN_PLAN_FORWARD_SUBSTITUTION_H
#define MIKGEN_PLAN_FORWARD_SUBSTITUTION_H

#include "ir/node.h"

/* body: a block. The values are the same, bit for bit. */
Node *substitute_forward(Ir *ir, Node *body);

#endif
