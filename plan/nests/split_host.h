/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C target: which of an operator's statements are functions of their own. */
#ifndef MIKGEN_PLAN_NESTS_SPLIT_HOST_H
#define MIKGEN_PLAN_NESTS_SPLIT_HOST_H

#include "plan/plan.h"

/* Take non-GEMM loops out of the operator's body, where an N_LAUNCH stands for each of the plan's host nests, and mark
 * those whose iterations need no order (FOR_PARALLEL). What stays are contractions, loops around them, and scalars. */
void split_host(Ir *ir, Plan *plan, const PlanOptions *opt);

#endif
