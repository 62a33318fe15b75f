/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What forms of an operator's nests are expected to take, at the shapes that are sampled for it. */
#ifndef MIKGEN_GEN_DRIVER_FORM_COSTS_H
#define MIKGEN_GEN_DRIVER_FORM_COSTS_H

#include "plan/plan.h"

/* By which plan's nests choose their forms. Owned by the Ir's arena. */
const FormCosts *form_costs(Ir *ir, const Plan *plan);

#endif
