/* C target: loops around products whose extents memory holds, as those of a mixture of experts or of sequences of unequal length:
 *
 *     for (g)                                     launch ragged #0:
 *         int first = off[g];                         group(index): g = index, first = off[g], end = off[g + 1]
 *         int end = off[g + 1];            =>         contract #0
 *         contract #0 into C
 *
 * Workers share the products of all iterations, instead of those of each. They may where no iteration touches what another one writes:
 * each has its own number as a subscript of all that is written, or rows from `first` to `end`, of which a call finds out whether
 * they follow one another.
 */
#ifndef MIKGEN_PLAN_CONTRACT_FIND_RAGGED_H
#define MIKGEN_PLAN_CONTRACT_FIND_RAGGED_H

#include "plan/plan.h"

/* plan->ragged: of plan->contractions, with their hooks; N_LAUNCH with LAUNCH_RAGGED in the operator's body. Remarks say which. Conditions
 * that only leave small products to loops are dropped. */
void find_ragged(Ir *ir, Plan *plan);

#endif
