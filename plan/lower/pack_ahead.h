/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays that never change: which contractions may read them prepacked (templates/engine/c/ahead.h). */
#ifndef MIKGEN_PLAN_LOWER_PACK_AHEAD_H
#define MIKGEN_PLAN_LOWER_PACK_AHEAD_H

#include "plan/plan.h"

/* C target, of a plan with all its nests: sets plan->constants, Contraction.ahead_a, Contraction.ahead_b and what belongs to them. A remark
 * says of each contraction that reads such an array what became of it. A quantized B is prepacked as codes, scales and so on, each in an
 * array that it is made of; where something stands against that, Contraction.quantized becomes NULL. */
void pack_constants(Ir *ir, Plan *plan);

/* CUDA: says of them that they are as all arrays. */
void leave_constants(Ir *ir, Plan *plan);

#endif
