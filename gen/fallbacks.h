/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nobody asked for and wants to know: products and other reductions that run one element at a time. */
#ifndef MIKGEN_GEN_FALLBACKS_H
#define MIKGEN_GEN_FALLBACKS_H

#include "ir/node.h"
#include "plan/plan.h"

/* One line for each nest of the operator on standard error: the place, the reason, what to write instead. The plan has been through all
 * passes. `strict`: sums keep their order because the user has asked for it. */
void tell_fallbacks(Ir *ir, const Plan *plan, bool strict);

#endif
