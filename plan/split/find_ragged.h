/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops around products whose extents memory holds, as those of a mixture of experts or of sequences of unequal length:
 *
 *     for (g)                                     launch ragged #0:
 *         int first = off[g];                         group(index): g = index, first = off[g], end = off[g + 1]
 *         int end = off[g + 1];            =>         contract #0
 *         contract #0 into C
 *
 * Workers share the products of all iterations, instead of those of each; on a GPU these are one launch. They may where no iteration
 * touches what another one writes: each has its own number as a subscript of all that is written, or rows from `first` to `end`, of
 * which a call finds out whether they follow one another, on a GPU the kernels themselves.
 */
#ifndef MIKGEN_PLAN_SPLIT_FIND_RAGGED_H
#define MIKGEN_PLAN_SPLIT_FIND_RAGGED_H

#include "plan/plan.h"

/* The plan's ragged batches, of its contractions, with their hooks; N_LAUNCH of these in the operator's body. Remarks say which. Conditions
 * that only leave small products to loops are dropped. CUDA: of loops whose iterations begin with what they read of parameters, and that
 * read no scalars of the operator's body; products get what the host takes their extents to be. */
void find_ragged(Ir *ir, Plan *plan, const PlanOptions *opt);

/* Would the loop, around contractions of the plan, become one? */
bool is_ragged_loop(Ir *ir, const Plan *plan, const PlanOptions *opt, Node *loop);

#endif
