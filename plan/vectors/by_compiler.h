/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that compilers vectorize. */
#ifndef MIKGEN_PLAN_VECTORS_BY_COMPILER_H
#define MIKGEN_PLAN_VECTORS_BY_COMPILER_H

#include "ir/node.h"
#include "plan/vector_shape.h"

/* Do compilers vectorize the loop for the set, without reordering floating-point sums? Loops inside must be such as they unroll. */
bool suits_compilers(Ir *ir, Node *loop, VectorSetId set);

#endif
