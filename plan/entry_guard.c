/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes conditions off the body from outside in, and leaves those away without which the loops do nothing either. */
#include "plan/entry_guard.h"

#include "depend/poly.h"
#include "ir/walk.h"

static bool note_other(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD || n->kind == N_CALL || (n->kind == N_VAR && n->sym->kind != S_PARAM);
}

/* Scalar parameters keep their values. */
static bool is_of_arguments(Node *cond) { return !any_node(cond, note_other, NULL); }

/* The condition around everything but declarations at its beginning; NULL: there is none. */
static Node *outer_if(const Node *body)
{
    Node *last = body->nkids ? body->kid[body->nkids - 1] : NULL;
    for (int i = 0; i + 1 < body->nkids; i++)
        if (body->kid[i]->kind != N_DECL || (body->kid[i]->nkids && !is_of_arguments(body->kid[i]->kid[0])))
            return NULL;
    return last && last->kind == N_IF && last->nkids == 2 && is_of_arguments(last->kid[0]) ? last : NULL;
}

/* The body of outer_if() behind the declarations. */
static Node *without(Ir *ir, Node *body, Node *inner)
{
    if (body->nkids == 1 && inner->kind == N_BLOCK)
        return inner;
    Node **kids = arena_new_array(ir->arena, Node *, body->nkids);
    for (int i = 0; i < body->nkids; i++)
        kids[i] = i + 1 < body->nkids ? body->kid[i] : inner;
    return mk_block(ir, body->nkids, kids, body->loc);
}

/* ---------------------------------------------------------------- what loops say themselves */

/* A comparison of integers as *more > 0; not of 64 bits without sign, where differences wrap. */
static bool as_positive(Ir *ir, const Node *cond, Poly **more)
{
    const bool up = cond->kind == N_GT || cond->kind == N_GE, down = cond->kind == N_LT || cond->kind == N_LE;
    if ((!up && !down) || !type_is_integer((Type)cond->kid[0]->type) ||
        (type_bits((Type)cond->kid[0]->type) == 64 && !type_is_signed((Type)cond->kid[0]->type)))
        return false;
    *more = poly_sub(ir, poly_of(ir, cond->kid[down]), poly_of(ir, cond->kid[up]));
    if (cond->kind == N_GE || cond->kind == N_LE)
        *more = poly_add(ir, *more, poly_int(ir, 1));
    return true;
}

/* Whether `cond` holds wherever `other` does. */
static bool follows_from(Ir *ir, Node *cond, const Node *other)
{
    Poly *mine, *others;
    int64_t more;
    if (other->kind == N_LAND)
        return follows_from(ir, cond, other->kid[0]) || follows_from(ir, cond, other->kid[1]);
    if (cond == other)
        return true;
    if (cond->kind == N_NE) /* what is above is not equal */
        return follows_from(ir, mk_binary(ir, N_GT, cond->kid[0], cond->kid[1]), other) ||
               follows_from(ir, mk_binary(ir, N_LT, cond->kid[0], cond->kid[1]), other);
    return as_positive(ir, cond, &mine) && as_positive(ir, other, &others) && poly_const(poly_sub(ir, mine, others), &more) && more >= 0;
}

/* Whether the statement does nothing where `cond` does not hold. */
static bool needs(Ir *ir, Node *n, Node *cond)
{
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            if (!needs(ir, n->kid[i], cond))
                return false;
        return true;
    case N_DECL: return true;
    case N_FOR: return follows_from(ir, cond, substitute(ir, n->kid[1], n->sym, n->kid[0])) || needs(ir, n->kid[2], cond);
    case N_IF: return n->nkids == 2 && (follows_from(ir, cond, n->kid[0]) || needs(ir, n->kid[1], cond));
    default: return false;
    }
}

/* What of `guard` the body does not say itself; NULL: nothing. */
static Node *rest_of(Ir *ir, Node *guard, Node *body)
{
    if (guard->kind != N_LAND)
        return needs(ir, body, guard) ? NULL : guard;
    Node *a = rest_of(ir, guard->kid[0], body), *b = rest_of(ir, guard->kid[1], body);
    return a && b ? mk_binary(ir, N_LAND, a, b) : a ? a : b;
}

Node *take_guard(Ir *ir, Func *f)
{
    Node *guard = NULL;
    for (const Node *outer; (outer = outer_if(f->body)) != NULL;) {
        guard = guard ? mk_binary(ir, N_LAND, guard, outer->kid[0]) : outer->kid[0];
        f->body = without(ir, f->body, outer->kid[1]);
    }
    return guard ? rest_of(ir, guard, f->body) : NULL;
}

void put_guard(Ir *ir, Func *f, Node *guard)
{
    Node *whole = mk_if(ir, guard, f->body, NULL, f->body->loc);
    f->body = mk_block(ir, 1, &whole, f->body->loc);
}
