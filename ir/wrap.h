/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signed arithmetic that may overflow, in unsigned arithmetic. */
#ifndef MIKGEN_IR_WRAP_H
#define MIKGEN_IR_WRAP_H

#include "ir/range.h"

/* `e` with every operation that may overflow done in unsigned arithmetic: defined for all operands, and equal
 * to `e` wherever that is defined (conversions to signed types are modulo 2^n on all our targets). */
Node *wrap_overflow(Ir *ir, Ranges *ranges, Node *e);
/* `e` with the constant of each signed sum that may overflow behind the sum's other terms, which is where unsigned sums have it:
 * (i*n + 16) + j becomes (i*n + j) + 16. Terms keep their order. */
Node *constants_last(Ir *ir, Ranges *ranges, Node *e);
/* One such operation: (int)((unsigned)a + (unsigned)b); `b` NULL for a unary one. */
Node *wrapped_op(Ir *ir, Kind kind, Node *a, Node *b);
/* `e` is one, or was written so: as an operand of another one its text would be a part of that one's chain. */
bool is_wrapped_op(const Node *e);

#endif
