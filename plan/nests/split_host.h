/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C target: which of an operator's statements are functions of their own. */
#ifndef MIKGEN_PLAN_NESTS_SPLIT_HOST_H
#define MIKGEN_PLAN_NESTS_SPLIT_HOST_H

#include "plan/plan.h"

/* Reductions among the operator's own statements by blocks (plan/nests/reduction_blocking.h), where these are nests of their own and go into
 * no function with others. *found: Blocks of each. */
void block_host_reductions(Ir *ir, Plan *plan, const PlanOptions *opt, Vec *found);

/* Take non-GEMM loops out of the operator's body, where an N_LAUNCH stands for each of the plan's host nests, and mark
 * those whose iterations need no order (FOR_PARALLEL). What stays are contractions, loops around them, and scalars. `blocks`: those
 * that block_host_reductions() has found. */
void split_host(Ir *ir, Plan *plan, const PlanOptions *opt, const Vec *blocks);

#endif
