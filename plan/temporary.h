/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local arrays of an operator that live in the workspace of a call. */
#ifndef MIKGEN_PLAN_TEMPORARY_H
#define MIKGEN_PLAN_TEMPORARY_H

#include "plan/plan.h"

bool contraction_uses(const Contraction *c, const Sym *array);

/* Those that no contraction reads or writes, as Sym *. */
Vec temporaries_of_loops(Ir *ir, const Plan *plan);

/* What temporaries_of_loops() gave shrinks to `left`. */
void drop_temporaries(Ir *ir, Plan *plan, const Vec *of_loops, const Vec *left);

#endif
