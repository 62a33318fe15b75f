/* May an expression leave a loop? Only safety is decided here. */
#include "licm/hoist.h"

static bool stays_where_it_is(const Licm *l, const Node *e, unsigned flags)
{
    if (e->nkids == 0 || is_immediate(e))
        return true;
    return flags & EXPR_LOADS && !l->facts->opt->loads_proven;
}

int legal_depth(const Licm *l, Node *e, Position at)
{
    unsigned flags = expr_flags(l->facts->ranges, e);
    if (stays_where_it_is(l, e, flags))
        return at.depth;
    /* Invariance: a loop in which it changes cannot be left. */
    int depth = rank_of(l->facts->ranks, e);
    /* What may trap must not run unless it ran anyway: in a loop without trips, or under a condition, it did
     * not. */
    bool pinned = flags & EXPR_TRAPS;
    /* Overflow likewise, unless it can be made harmless. */
    pinned = pinned || (flags & EXPR_OVERFLOWS && l->facts->opt->overflow == OVERFLOW_KEEP);
    return pinned && at.pin > depth ? at.pin : depth;
}

bool needs_wrapping(const Licm *l, Node *e, Position at, int depth)
{
    return l->facts->opt->overflow == OVERFLOW_WRAP && at.pin > depth &&
           expr_flags(l->facts->ranges, e) & EXPR_OVERFLOWS;
}
