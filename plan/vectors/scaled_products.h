/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of 64 bits of which a shift leaves 32, as fixed-point numbers have them, become N_MUL_SHIFT, for lanes of 32 bits:
 *
 *     long p = (long)a[i] * b[i];               =>    v = mul_shift(a[i], b[i], 1 << 30, 31);
 *     v = (int)((p + (1 << 30)) >> 31); */
#ifndef MIKGEN_PLAN_VECTORS_SCALED_PRODUCTS_H
#define MIKGEN_PLAN_VECTORS_SCALED_PRODUCTS_H

#include "ir/node.h"

/* The loop, if it computes nothing else with 64 bits then; else as it is. */
Node *match_scaled_products(Ir *ir, Node *loop);

#endif
