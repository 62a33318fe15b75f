/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges the bounds of such loops. */
#include "plan/upward.h"

#include "depend/reduce.h"
#include "ir/walk.h"

typedef struct Turning {
    Ir *ir;
    bool strict;
} Turning;

/* The last value that the loop's variable has, in its type; NULL: a bound of another type, or one behind which there may be no number. */
static Node *least(Ir *ir, const Bounds *b)
{
    const Type type = b->var->type;
    if (b->hi->kind != N_INT)
        return (Type)b->hi->type == type && b->cmp == N_GE ? b->hi : NULL;
    const int64_t last = b->hi->u.i + (b->cmp == N_GT && b->hi->u.i < INT64_MAX);
    return last <= type_max(type) ? mk_int(ir, type, last) : NULL;
}

/* i <= n - 1 as i < n. */
static Node *up_to(Ir *ir, Sym *var, Node *last)
{
    Node *i = mk_var(ir, var);
    if (last->kind == N_SUB && is_int(last->kid[1], 1))
        return mk_binary(ir, N_LT, i, last->kid[0]);
    return mk_binary(ir, N_LE, i, last);
}

static Node *turn(void *user, Node *n)
{
    const Turning *t = user;
    Bounds b;
    if (n->kind != N_FOR || !loop_declares(n) || !for_bounds(n, &b) || b.step != -1 || (b.cmp != N_GT && b.cmp != N_GE) ||
        !type_is_signed(b.var->type) || type_bits(b.var->type) < 32)
        return n;
    Node *from = least(t->ir, &b);
    if (!from || !loop_is_reversible(t->ir, n, t->strict))
        return n;
    Node *up = mk_for(t->ir, b.var, from, up_to(t->ir, b.var, b.lo), 1, n->kid[2], true, n->loc);
    up->aux |= n->aux;
    return up;
}

Node *count_upward(Ir *ir, Node *body, bool strict)
{
    Turning turning = {ir, strict};
    return rewrite(&(Rewriter){.ir = ir, .post = turn, .user = &turning}, body);
}
