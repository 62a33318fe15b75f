/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far conditions let a contraction's loops go: `if (l <= t)` around the store of its sums, `l <= t ? p[t][l] : 0` as a factor. */
#ifndef MIKGEN_PLAN_ITERATION_LIMIT_H
#define MIKGEN_PLAN_ITERATION_LIMIT_H

#include "plan/plan.h"

/* How many of the first values from 0 on a condition on the variable lets through, T_INDEX, perhaps less than none; NULL: it is another
 * condition. */
Node *reach_of(Ir *ir, const Node *condition, const Sym *var);

/* An epilogue's only store, behind statements about scalars, which are added to *scalars unless that is NULL, and the condition on it,
 * NULL if there is none; NULL: it is more than that. */
Node *stored_last(Ir *ir, const Contraction *c, Node **condition, Vec *scalars);

/* The load that is the first factor, and the condition where it is not 0 instead, NULL if there is none; NULL: it is something else. */
Node *loaded_factor(const Contraction *c, Node **condition);

#endif
