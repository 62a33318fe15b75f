/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions: which expressions are truth values, chains of && and || ordered by rank under C's short circuit, and negation. */
#ifndef MIKGEN_IR_CONDITION_H
#define MIKGEN_IR_CONDITION_H

#include "ir/facts.h"

/* The operands in `op` (N_LAND or N_LOR) chains, sorted by rank at the present position and grouped:
 *     i < n && m < 8 && j < n   ->   m < 8 && (i < n && j < n)     with i and j varying deeper than m
 * Operands that are chains of the same operator are flattened; duplicates are dropped. Operands with effects
 * stay where they are, and nothing passes them. Operands are in normal form themselves. The result is for
 * a place where a scalar is asked for its truth. */
Node *condition_chain(Facts *facts, Kind op, int n, Node *const *operands);

/* Appends the operands of chain `e` of `op` to `out`, in order; `e` itself if it is no such chain. */
void condition_operands(Facts *facts, Kind op, Node *e, Vec *out);

/* Is it 0 or 1, whatever its type says? */
bool is_truth(const Node *e);
/* `e` where only its truth matters: without conversions of a truth value. */
Node *truth_of(Node *e);
/* `e` where 0 or 1 is needed. */
Node *truth_value(Facts *facts, Node *e);

/* The contrary of `e`, for a place where only truth matters: !(a < b) is b <= a for integers (not for floating
 * operands: NaN), and !!a is a. */
Node *negation(Facts *facts, Node *e);

#endif
