/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C target: vectorized forms of nests and hooks, one for each instruction set. */
#ifndef MIKGEN_PLAN_VECTORS_VECTOR_NEST_H
#define MIKGEN_PLAN_VECTORS_VECTOR_NEST_H

#include "plan/plan.h"

/* nest->vectors, from nest->loops with one subscript for each array, and nest->chosen.knobs; remarks go to the
 * plan. What another call, with other knobs, has left there is gone. */
void vectorize_nest(Ir *ir, Plan *plan, HostNest *nest, const PlanOptions *opt);

/* The form for a set with other knobs, for who compares them; NULL: none of the loops is vectorized. */
Func *vectorized_form(Ir *ir, const HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt);

/* Adds such a form to nest->vectors.more[set]. */
void vectorize_more(Ir *ir, HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt);

/* Unrolls short loops of nest->loops where some set has no form: gcc -O2 does so only where the text becomes no longer. After all of the above. */
void unroll_scalar_nest(Ir *ir, HostNest *nest, const PlanOptions *opt);

/* form[] of a contraction's hooks likewise, whose loops over lines that may be done at once are marked (FOR_PARALLEL). */
void vectorize_hooks(Ir *ir, Plan *plan, Contraction *c, const PlanOptions *opt);

#endif
