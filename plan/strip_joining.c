/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the innermost loops outward, so that strips of strips become one loop, too. */
#include "plan/strip_joining.h"

#include "depend/poly.h"
#include "ir/walk.h"

static bool are_equal(Ir *ir, Node *a, Node *b) { return poly_equal(poly_of(ir, a), poly_of(ir, b)); }

/* The two arms of a choice of the smaller one; false: it is none. */
static bool takes_smaller(Ir *ir, Node *e, Node **a, Node **b)
{
    while (e->kind == N_CAST && type_is_signed(e->type) && type_bits(e->type) >= type_bits(e->kid[0]->type))
        e = e->kid[0];
    if (e->kind == N_MIN) {
        *a = e->kid[0];
        *b = e->kid[1];
        return true;
    }
    if (e->kind != N_SEL || e->kid[0]->nkids != 2)
        return false;
    Node *condition = e->kid[0], *first = condition->kid[0], *second = condition->kid[1];
    const bool less = condition->kind == N_LT || condition->kind == N_LE, more = condition->kind == N_GT || condition->kind == N_GE;
    *a = e->kid[1];
    *b = e->kid[2];
    return (less && are_equal(ir, first, *a) && are_equal(ir, second, *b)) ||
           (more && are_equal(ir, first, *b) && are_equal(ir, second, *a));
}

/* Does the strip that begins with the outer loop's variable end after `step` iterations, or where the outer loop does? */
static bool ends_strip(Ir *ir, Node *end, const Bounds *outer)
{
    Node *a, *b;
    if (!takes_smaller(ir, end, &a, &b))
        return false;
    const Poly *next = poly_add(ir, poly_of(ir, mk_var(ir, outer->var)), poly_int(ir, outer->step));
    const bool first = poly_equal(poly_of(ir, a), next);
    return (first || poly_equal(poly_of(ir, b), next)) && are_equal(ir, first ? b : a, outer->hi);
}

/* The loop over all strips' iterations; NULL: these are no such loops. */
static Node *joined(Ir *ir, Node *loop)
{
    Bounds outer, inner;
    Node *body = loop_body(loop), *strip = body->kind == N_BLOCK && body->nkids == 1 ? body->kid[0] : body;
    if (!loop_declares(loop) || !loop_declares(strip) || !for_bounds(loop, &outer) || !for_bounds(strip, &inner))
        return NULL;
    const bool fits = outer.step > 1 && outer.cmp == N_LT && inner.step == 1 && inner.cmp == N_LT && outer.var->type == inner.var->type &&
                      type_is_signed(inner.var->type);
    if (!fits || !are_equal(ir, inner.lo, mk_var(ir, outer.var)) || uses_sym(loop_body(strip), outer.var) ||
        !is_stable_in(body, outer.hi) || !ends_strip(ir, inner.hi, &outer))
        return NULL;
    Node *end = substitute(ir, loop->kid[1], outer.var, mk_var(ir, inner.var));
    Node *whole = mk_for(ir, inner.var, loop->kid[0], end, 1, loop_body(strip), true, loop->loc);
    whole->aux |= strip->aux;
    return whole;
}

static Node *join(void *user, Node *n)
{
    Node *whole = n->kind == N_FOR ? joined(user, n) : NULL;
    return whole ? whole : n;
}

Node *join_strips(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = join, .user = ir}, body); }
