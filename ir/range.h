/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the values in one function body: intervals of integer expressions and, from them, whether
 * evaluating an expression somewhere else could trap or overflow.
 *
 * Intervals are computed bottom-up and hold wherever the expression is evaluated without undefined behaviour:
 * a variable has the union of everything ever written to it, a loop variable [lo, hi - 1], a parameter its
 * hinted range or its type's. Conditions around an expression do not narrow it, because an expression that is
 * moved runs without them. An operation that might overflow has its type's whole range.
 * T_INDEX arithmetic addresses arrays that exist, so it is taken not to overflow.
 */
#ifndef MIKGEN_IR_RANGE_H
#define MIKGEN_IR_RANGE_H

#include "ir/interval.h"

typedef struct Ranges Ranges;

/* Collects the writes in `body`. Owned by ir's arena. Nodes made later may be asked about too, as long as they
 * use symbols of `body` or ones announced by range_define. */
Ranges *ranges_new(Ir *ir, const Node *body);

/* `sym` is new, and `value` is the only thing ever written to it. */
void range_define(Ranges *ranges, const Sym *sym, Node *value);

/* The interval of an integer expression; of a floating one, an interval without meaning. */
Range range_of(Ranges *ranges, Node *e);
/* The same as far as types, facts about symbols and constants tell, whatever is written where. */
Range range_by_types(const Node *e);

/* Properties of an expression and everything below it. */
enum {
    EXPR_LOADS = 1,     /* reads an array                                                              */
    EXPR_TRAPS = 2,     /* may trap, or is undefined for a reason no unsigned form could cure          */
    EXPR_OVERFLOWS = 4, /* signed arithmetic that is not proven to fit its type                        */
    EXPR_IMPURE = 8,    /* a call with effects or a volatile read: as often, and in such order, as written */
    EXPR_CALLS = 16,    /* of these, a call: it may change memory, and may not return                  */
    EXPR_SHARED = 32,   /* reads a scalar that is_shared                                               */
    EXPR_FLOAT = 64,    /* has a floating-point operand or value                                       */
    EXPR_RAISES = 128,  /* may raise a floating-point exception, or set errno                          */
};
unsigned expr_flags(Ranges *ranges, Node *e);

/* Evaluating these two the other way round may make a difference. */
bool order_matters(Ranges *ranges, Node *a, Node *b);

/* A signed + - *, or a negation: what may overflow and has an unsigned form. */
bool is_signed_arithmetic(const Node *e);
/* Such a one, whose result is not proven to fit its type. */
bool may_overflow(Ranges *ranges, const Node *e);

/* A local with an initial value and no other write, by whatever way: its name stands for one value. */
bool is_let(const Ranges *ranges, const Sym *sym);
/* A scalar whose value never changes while it is in scope: a let, a loop's own variable, or
 * one that the body never writes (a parameter, or a variable of the function around a hook). */
bool is_immutable(const Ranges *ranges, const Sym *sym);
/* A statement refers to it by symbol in a way no rewrite of expressions reaches: it must stay as it is. */
bool is_pinned(const Ranges *ranges, const Sym *sym);

/* Proven to run its body at least once whenever it is reached. */
bool runs_at_least_once(Ranges *ranges, const Node *loop);

#endif
