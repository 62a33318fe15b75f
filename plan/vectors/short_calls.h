/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C target: calls whose work takes less than the checks, the choice of instruction sets and the stages around it. They run the spec's loops
 * as they are:
 *
 *     if (N <= 57 && arguments are as usual)
 *         for (n ...) y[n] = x[n] + 1;
 *     else
 *         checks, stages
 */
#ifndef MIKGEN_PLAN_VECTORS_SHORT_CALLS_H
#define MIKGEN_PLAN_VECTORS_SHORT_CALLS_H

#include "depend/linear.h"
#include "plan/plan.h"
#include "plan/short_call.h"

/* Sets plan->short_call, of plan->source; NULL: nobody knows how long calls take, or the file's interface wants otherwise. After the pass
 * vectors. */
void add_short_call(Ir *ir, Plan *plan, LinearMap *linear);

#endif
