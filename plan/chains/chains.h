/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that follow one another hand arrays on row by row: a product's rows to a softmax, its rows to the next product. They run by
 * row tiles, each tile through all stages, so that of an array that nothing else touches there need only be the rows of a block:
 *
 *     S = Q K^T                                    for (some rows r at a time)
 *     P = softmax of each row of S         =>          S = Q[r] K^T;  P = softmax of S's rows;  O[r] = P V
 *     O = P V
 *
 * A stage whose rows are read by the neighbours of a block, too, computes these again for each block (overlapped tiling: Krishnamoorthy
 * et al., PLDI 2007). Blocks depend on nothing of one another, so threads share them. The emitted file decides at run time: products read
 * their B again for every block, which can cost more than the arrays. Values are those of one stage after the other. */
#ifndef MIKGEN_PLAN_CHAINS_CHAINS_H
#define MIKGEN_PLAN_CHAINS_CHAINS_H

#include "plan/plan.h"

/* The plan's chains, of its contractions and host nests, whose loops are as split_host() has made them; N_LAUNCH of these in the operator's
 * body. */
void make_chains(Ir *ir, Plan *plan, const PlanOptions *opt);

#endif
