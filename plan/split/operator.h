/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contractions of one operator: nests give way to them, and what they share with the rest of the operator is settled. */
#ifndef MIKGEN_PLAN_SPLIT_OPERATOR_H
#define MIKGEN_PLAN_SPLIT_OPERATOR_H

#include "plan/plan.h"

/* Plan one operator whose helpers are inlined. Never fails: what is not recognised stays loops. */
Plan *plan_operator(Ir *ir, Func *f, const PlanOptions *opt);

#endif
