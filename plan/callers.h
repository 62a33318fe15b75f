/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operator's parameters as its callers have them: an array of structs is one, whatever members stand for it. */
#ifndef MIKGEN_PLAN_CALLERS_H
#define MIKGEN_PLAN_CALLERS_H

#include "plan/plan.h"

/* Makes plan->callers. `reads` and `writes`, by symbols' ids: the operator loads from or stores to the array. */
void find_callers(Ir *ir, Plan *plan, const bool *reads, const bool *writes);

/* What parameter i of plan->func is for callers. */
const CallerParam *caller_of(const Plan *plan, int i);

#endif
