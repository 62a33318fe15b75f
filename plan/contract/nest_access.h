/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What subscripts do over a nest: which loops move them, by how much, which elements they reach. */
#ifndef MIKGEN_PLAN_CONTRACT_NEST_ACCESS_H
#define MIKGEN_PLAN_CONTRACT_NEST_ACCESS_H

#include "plan/contract/nest.h"

/* The nest's loops that occur in `e`, as a bit mask. */
unsigned loops_in(const Nest *nest, Node *e);
/* Can `e` be evaluated in every iteration, whatever guards there are around it? Its loads are inside their
 * arrays and its integer divisors are constants. */
bool always_defined(const Nest *nest, Node *e);
/* Does the subscripted element of the output lie outside all that the nest writes? */
bool is_other_part(const Nest *nest, Node *const *sub);
/* The same of an element that loops move, too: rows above those that the nest writes, say. */
bool is_beside(const Nest *nest, Node *const *sub);
/* Do different points of the outer loops write different elements? */
bool writes_each_once(const Nest *nest);
/* Coefficient of each loop's variable in the element offset of array[sub], and the rest; false when not affine.
 */
bool offset_of(const Nest *nest, const Sym *array, Node *const *sub, Poly **coef, Poly **rest);

#endif
