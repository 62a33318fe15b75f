/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of a nest that fold into one dimension of a contraction, and the strides of its operands. */
#ifndef MIKGEN_PLAN_CONTRACT_FOLD_LOOPS_H
#define MIKGEN_PLAN_CONTRACT_FOLD_LOOPS_H

#include "plan/contract/map.h"

/* The element offset of array[sub] with every loop but the batch loops at its first iteration. */
Node *first_offset(const Mapping *m, const Sym *array, Node *const *sub);
/* Is the innermost-looking step of the output along this role 1? */
bool unit_stride_in_role(const Mapping *m, const Sym *array, Node *const *sub, Role role);
/* The least constant stride, in elements, that some loop of the role has in the array; INT64_MAX: none has one. */
int64_t least_stride_in_role(const Mapping *m, const Sym *array, Node *const *sub, Role role);
/* Do sums of neighbours overlap: does a loop of the sum move over the elements that one of the role, or one around the nest, moves over? */
bool slides_along(const Mapping *m, const Sym *array, Node *const *sub, Role role);
/* Order the loops within each role, decide which operands are in place and with which strides. */
void fold_loops(Mapping *m);

#endif
