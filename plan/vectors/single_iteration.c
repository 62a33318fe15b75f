/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constant bounds tell; from the inside out. */
#include "plan/vectors/single_iteration.h"

#include "ir/simplify.h"
#include "ir/walk.h"

/* Subscripts and bounds, of which the variable was a part; what vectors compute stays as it is. */
static Node *fold_numbers(void *user, Node *n)
{
    bool plain = is_expr(n) && n->nkids && !type_is_vector((Type)n->type) && n->kind != N_LOAD;
    for (int i = 0; plain && i < n->nkids; i++)
        plain = !type_is_vector((Type)n->kid[i]->type);
    return plain && type_is_integer((Type)n->type) ? simplify(user, n) : n;
}

static bool runs_once(const Node *loop, bool *never)
{
    Bounds b;
    if (!for_bounds(loop, &b) || !loop_declares(loop) || b.lo->kind != N_INT || b.hi->kind != N_INT || b.cmp != N_LT || b.step <= 0)
        return false;
    *never = b.lo->u.i >= b.hi->u.i;
    return !*never && b.hi->u.i - b.lo->u.i <= b.step && !writes_sym(loop->kid[2], loop->sym);
}

static Node *enter(void *user, Node *n)
{
    Ir *ir = user;
    bool never = false;
    if (n->kind == N_IF && n->kid[0]->kind == N_LT && n->kid[0]->kid[0]->kind == N_INT && n->kid[0]->kid[1]->kind == N_INT &&
        n->kid[0]->kid[0]->u.i < n->kid[0]->kid[1]->u.i && type_is_signed((Type)n->kid[0]->kid[0]->type))
        return n->kid[1];
    if (n->kind != N_FOR || (!runs_once(n, &never) && !never))
        return n;
    if (never)
        return NULL;
    /* The part for the last iterations may declare the same scalars, and both come to lie in one block. */
    Node *body = copy_with_own_symbols(ir, substitute(ir, n->kid[2], n->sym, mk_int(ir, n->sym->type, n->kid[0]->u.i)));
    return rewrite(&(Rewriter){.ir = ir, .post = fold_numbers, .user = ir}, body);
}

Node *enter_single_iterations(Ir *ir, Node *body)
{
    Node *entered = rewrite(&(Rewriter){.ir = ir, .post = enter, .user = ir}, body);
    return entered ? entered : mk_block(ir, 0, NULL, body->loc);
}
