/* SPDX-License-Identifier: GPL-3.0-or-later */
/* May an expression leave a loop? Only safety is decided here. */
#include "licm/hoist.h"

static bool stays_where_it_is(const Licm *l, const Node *e, unsigned flags)
{
    const LicmOptions *opt = l->facts->opt;
    if (e->nkids == 0 || is_immediate(e) || e->kind == N_REF || e->type == T_VOID || flags & EXPR_IMPURE)
        return true;
    return (flags & EXPR_LOADS && !opt->loads_proven) || (flags & EXPR_FLOAT && opt->fp == FP_NONE);
}

static int max(int a, int b) { return a > b ? a : b; }

int legal_depth(const Licm *l, Node *e, Position at)
{
    unsigned flags = expr_flags(l->facts->ranges, e);
    if (stays_where_it_is(l, e, flags))
        return at.depth;
    /* Invariance: a loop in which it changes cannot be left. */
    int depth = rank_of(l->facts->ranks, e);
    if (!l->facts->opt->barrier_legal)
        depth = max(depth, barrier_depth(l->facts->ranks));
    /* What may trap must not run unless it ran anyway: in a loop without trips, under a condition, or behind a
     * jump, it did not. */
    const LicmOptions *opt = l->facts->opt;
    bool pinned = flags & EXPR_TRAPS || (flags & EXPR_RAISES && opt->fp != FP_SPECULATIVE);
    /* Overflow likewise, unless it can be made harmless. */
    const bool keeps = kind_info[e->kind].flags & F_REL ? !wraps_conditions(opt) && opt->overflow != OVERFLOW_ASSUME
                                                        : keeps_arithmetic(opt);
    pinned = pinned || (flags & EXPR_OVERFLOWS && keeps);
    return pinned ? max(depth, at.pin) : depth;
}

bool needs_wrapping(const Licm *l, Node *e, Position at, int depth)
{
    return wraps_conditions(l->facts->opt) && at.pin > depth && expr_flags(l->facts->ranges, e) & EXPR_OVERFLOWS;
}
