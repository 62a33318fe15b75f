/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of products of 16 bits, as filters have them: two products at a time, by an instruction that adds neighbours. */
#ifndef MIKGEN_PLAN_VECTORS_PRODUCT_PAIRS_H
#define MIKGEN_PLAN_VECTORS_PRODUCT_PAIRS_H

#include "plan/targets.h"

/* A loop whose iterations add products of a vector's neighbours in memory and of what all lanes have, to two vectors that lie side by side:
 *     for (k) { s_0 += load(x + k) * all(h[k]);  s_1 += load(x + k + LANES) * all(h[k]); }
 * Of vectors with twice as many lanes of 16 bits, one has even lanes' sums, and one odd ones':
 *     for (k by 2) { even += dot(load(x + k), pairs(h[k], h[k + 1]));  odd += dot(load(x + k + 1), pairs(h[k], h[k + 1])); }
 *     for (the last k) ...
 *     s_0 += zip_low(even, odd);  s_1 += zip_high(even, odd); */
Node *pair_products(Ir *ir, Node *body, VectorSetId set);

#endif
