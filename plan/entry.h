/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every call that gets past an operator's entry point guarantees: the checks that emit/ prints. */
#ifndef MIKGEN_PLAN_ENTRY_H
#define MIKGEN_PLAN_ENTRY_H

#include "plan/plan.h"

/* Give the operator's parameters the ranges that its entry checks prove: an integer that is an array's extent by
 * itself is not negative. Passes may rely on Sym.has_range, unlike on hints. */
void note_entry_facts(const Func *f);

/* Fill in plan->touches and plan->works from the spec's own loops, `source`: when a call uses an array, as far as the loops and
 * conditions around the accesses depend on integer arguments alone. What a contraction does more than its loops say, when its
 * sums have no steps, counts too. The conditions may be evaluated once no extent is negative or too large. */
void entry_touches(Ir *ir, Plan *plan, Node *source);

#endif
