/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA: products that follow one another and have their first factor and its rows in common run as one launch (grouped products).
 *
 *     contract #0 into Q      of X and Wq
 *     contract #1 into K      of X and Wk          launch group #0
 *     contract #2 into V      of X and Wv
 *
 * They run side by side, each block having a tile of one of them. Where the epilogue of one reads, at its own element, what one
 * before has stored (the gate of a gated feed-forward network), each block computes its tile of all of them in turn, and all
 * have as many columns. */
#ifndef MIKGEN_PLAN_LOWER_GROUP_PRODUCTS_H
#define MIKGEN_PLAN_LOWER_GROUP_PRODUCTS_H

#include "plan/plan.h"

/* The plan's groups, of its contractions, which lower_device() has given their hooks; N_LAUNCH of these in the operator's
 * body, as split_device() has left it. Remarks say which. */
void group_products(Ir *ir, Plan *plan);

#endif
