/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the planner says of places of the spec. */
#ifndef MIKGEN_PLAN_ADD_REMARK_H
#define MIKGEN_PLAN_ADD_REMARK_H

#include "plan/plan.h"

/* is_of_nest: as in PlanRemark. What has been said of the place in the same words is not said again. */
void add_remark(Ir *ir, Vec *remarks, Loc loc, RemarkKind kind, bool is_of_nest, const char *text);

#endif
