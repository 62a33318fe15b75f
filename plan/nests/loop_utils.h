/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small pieces that the planner's steps share. */
#ifndef MIKGEN_PLAN_NESTS_LOOP_UTILS_H
#define MIKGEN_PLAN_NESTS_LOOP_UTILS_H

#include "depend/poly.h"
#include "ir/branch.h" /* only_loop */
#include "ir/sym_map.h"

/* Iterations begin to end (T_INDEX, from 0) of a loop that counts up by one, with another body. */
Node *some_iterations(Ir *ir, Node *loop, Node *begin, Node *end, Node *body);

/* A constant of the value's type, T_INDEX, declared in `out`, in its place; literals and variables stay. */
Node *name_index(Ir *ir, Vec *out, const char *name, Node *value);

/* The expression with what names stand for in their place; values: by symbol id, Node *. */
Node *expand_names(Ir *ir, const Map *values, Node *e);

/* A comparison of signed integers as a sum that is not negative where it holds; NULL: it is no such comparison. */
Poly *guard_sum(Ir *ir, Node *cond);

/* Is there a loop in the statement, of those marked FOR_PARALLEL, whose iterations may run at once? */
bool has_parallel_loop(Ir *ir, Node *n);

#endif
