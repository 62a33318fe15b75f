/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a matched nest to a contraction: the roles of its loops, its operands, its epilogue. The steps share
 * this. */
#ifndef MIKGEN_PLAN_CONTRACT_MAP_H
#define MIKGEN_PLAN_CONTRACT_MAP_H

#include "plan/contract/nest.h"
#include "plan/plan.h"

typedef struct Mapping {
    Ir *ir;
    const PlanOptions *opt;
    Nest *nest;
    Contraction *c;
    Role role[MAX_LOOPS]; /* per loop of the nest */
    Node *sum_factor;     /* product of the factors that no reduction loop moves; NULL: 1 */
    Node *sum_guard;      /* the sum counts only where this holds; NULL: always */
    bool in_ragged;       /* it becomes part of a ragged batch: plan/split/ragged_loops.h */
} Mapping;

/* The contraction a loop nest is, or NULL when it is none or is better left as loops. Index and stem are not
 * set. */
Contraction *map_contraction(const NestContext *context, const PlanOptions *opt, Node *loop);

/* The context of what the statement has in it. */
NestContext context_in(const NestContext *context, const Node *stmt);

/* A product of matrices, perhaps a batch of them; not of a matrix and a vector. */
bool has_rows_and_columns(const Contraction *c);

/* Fills c->captured anew, after the epilogue changed. */
void capture_scalars(Ir *ir, Contraction *c);

/* plan/contract/replace.c */

/* The body with N_CONTRACT in place of every contraction; they are pushed to `found` in order. A nest right
 * before or after one that only initialises or updates its output, element by element, goes into the epilogue.
 */
Node *replace_contractions(const NestContext *context, const PlanOptions *opt, Node *body, Vec *found);

/* plan/lower/operand.c */

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
/* The element offset of array[sub] with every loop but the batch loops at its first iteration. */
Node *first_offset(const Mapping *m, const Sym *array, Node *const *sub);
/* Is the innermost-looking step of the output along this role 1? */
bool unit_stride_in_role(const Mapping *m, const Sym *array, Node *const *sub, Role role);
/* Order the loops within each role, decide which operands are in place and with which strides. */
void fold_loops(Mapping *m);

/* plan/contract/worth.c */

/* Do the roles of the loops, and the extents as far as they are constant, give the kernels enough to do? */
bool worth_it(const Mapping *m);
/* Is packing operands worth it? False: never; else what the extents have to fulfil becomes a part of the contraction's
 * condition. After the loops are folded. C target. */
bool packing_pays(const Mapping *m);
/* Leaves products of a handful of multiplications to the loops, by a condition on the extents. After the epilogue is mapped.
 * C target. */
void small_is_loops(const Mapping *m);

/* plan/contract/epilogue.c */

/* Kind, flags and statements of the epilogue; false when the output is read at other elements. */
bool map_epilogue(Mapping *m);
/* The same for a new stored value over c->sum, whose epilogue is that one store. */
void set_epilogue_value(Ir *ir, Contraction *c, Node *value);
/* The stored value when the epilogue is one store, else NULL. */
Node *epilogue_value(const Contraction *c);

#endif
