/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether micro-kernels are worth it for a contraction. */
#ifndef MIKGEN_PLAN_CONTRACT_PROFITABILITY_H
#define MIKGEN_PLAN_CONTRACT_PROFITABILITY_H

#include "plan/contract/map.h"

/* Do the roles of the loops, and the extents as far as they are constant, give the kernels enough to do? */
bool is_profitable(const Mapping *m);
/* Is packing operands worth it? False: never; else what the extents have to fulfil becomes a part of the contraction's
 * condition. After the loops are folded. C target. */
bool packing_pays(const Mapping *m);
/* Leaves small products to the loops, by a condition on the extents. After the epilogue is mapped.
 * C target. */
void small_is_loops(const Mapping *m);

#endif
