/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA: which of an operator's loops the host runs, and which are grids. */
#ifndef MIKGEN_PLAN_GRID_SPLIT_DEVICE_H
#define MIKGEN_PLAN_GRID_SPLIT_DEVICE_H

#include "plan/plan.h"

/* Take the operator's body apart into what the host does (loops and conditions over scalars it knows, N_CONTRACT, N_LAUNCH)
 * and device nests. What cannot be taken apart is reported through ir->diag. */
void split_device(Ir *ir, Plan *plan, const PlanOptions *opt);

#endif
