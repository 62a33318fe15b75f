/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a contraction to its hooks, which plan/plan.h lists. */
#ifndef MIKGEN_PLAN_LOWER_LOWER_H
#define MIKGEN_PLAN_LOWER_LOWER_H

#include "plan/plan.h"

/* Build the hooks of one contraction as IR functions: for the C target, for CUDA. */
void lower_host(Ir *ir, Plan *plan, Contraction *c);
void lower_device(Ir *ir, Plan *plan, Contraction *c);

#endif
