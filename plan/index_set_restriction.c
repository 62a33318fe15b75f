/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the outside in, with the ranges of the loops around; conditions that are left over stay in the loop. */
#include "plan/index_set_restriction.h"

#include "depend/loop_range.h"
#include "ir/walk.h"

enum { MOST_AROUND = 16 };

typedef struct Restricting {
    Ir *ir;
    const Func *func; /* NULL: the body assigns to parameters, so that its extents say nothing of them */
    LoopRange around[MOST_AROUND];
    int count;
} Restricting;

/* ---------------------------------------------------------------- conditions */

/* Is p never negative while the loops around run? */
static bool never_negative(const Restricting *r, Poly *p)
{
    Poly *least = extreme_inside(r->ir, r->func, p, r->around, r->count, false);
    return least && known_nonnegative(r->ir, r->func, least);
}

static bool is_place(Type type) { return type_is_integer(type) && type_is_signed(type) && type_bits(type) >= 32; }

/* What the condition makes of the loop, when it is nothing but a bound within the loop's own ones. */
static Node *with_bound(const Restricting *r, Node *loop, Node *cond)
{
    Ir *ir = r->ir;
    Bounds b;
    Kind cmp;
    Node *place;
    for_bounds(loop, &b);
    if (!bound_on(cond, b.var, false, &cmp, &place) || !is_place(place->type) || !is_stable_in(loop->kid[2], place))
        return NULL;
    const Poly *end = poly_add(ir, poly_of(ir, b.hi), poly_int(ir, b.cmp == N_LE));
    Poly *behind = poly_add(ir, poly_of(ir, place), poly_int(ir, cmp == N_LE || cmp == N_GT));
    if (cmp != N_GE && !never_negative(r, poly_sub(ir, end, behind))) /* below a number of the type, that is */
        return NULL;
    if (cmp == N_LT || cmp == N_LE)
        return with_kid(ir, loop, 1, cond);
    if ((cmp != N_GE && cmp != N_GT) || (Type)place->type != (Type)b.var->type ||
        !never_negative(r, poly_sub(ir, behind, poly_of(ir, b.lo))))
        return NULL;
    return with_kid(ir, loop, 0, cmp == N_GE ? place : mk_binary(ir, N_ADD, place, mk_int(ir, place->type, 1)));
}

/* Of the conditions that all have to hold, those that do not become bounds; NULL: all do. */
static Node *restrict_by(const Restricting *r, Node **loop, Node *cond)
{
    if (cond->kind != N_LAND) {
        Node *bounded = with_bound(r, *loop, cond);
        *loop = bounded ? bounded : *loop;
        return bounded ? NULL : cond;
    }
    Node *a = restrict_by(r, loop, cond->kid[0]), *b = restrict_by(r, loop, cond->kid[1]);
    return a && b ? (a == cond->kid[0] && b == cond->kid[1] ? cond : mk_binary(r->ir, N_LAND, a, b)) : a ? a : b;
}

/* ---------------------------------------------------------------- loops */

static bool is_counted(Node *loop)
{
    Bounds b;
    return loop_declares(loop) && for_bounds(loop, &b) && b.step == 1 && (b.cmp == N_LT || b.cmp == N_LE) && is_place(b.var->type) &&
           !writes_sym(loop->kid[2], b.var) && is_stable_in(loop->kid[2], b.lo) && is_stable_in(loop->kid[2], b.hi);
}

/* By the guards that are all of its body, one after the other. */
static Node *restricted(const Restricting *r, Node *loop)
{
    Node *branch = loop->kid[2];
    while (branch->kind == N_BLOCK && branch->nkids == 1)
        branch = branch->kid[0];
    if (branch->kind != N_IF || branch->nkids != 2)
        return loop;
    Node *kept = restrict_by(r, &loop, branch->kid[0]);
    if (kept == branch->kid[0])
        return loop;
    loop = with_kid(r->ir, loop, 2, kept ? mk_if(r->ir, kept, branch->kid[1], NULL, branch->loc) : branch->kid[1]);
    return kept ? loop : restricted(r, loop);
}

static Node *restrict_all(Restricting *r, Node *n)
{
    if (is_expr(n))
        return n;
    const bool counted = n->kind == N_FOR && is_counted(n) && r->count < MOST_AROUND;
    n = counted ? restricted(r, n) : n;
    if (counted)
        r->around[r->count++] = range_of_loop(r->ir, n);
    Node **kids = arena_new_array(r->ir->arena, Node *, n->nkids + 1);
    bool changed = false;
    for (int i = 0; i < n->nkids; i++) {
        kids[i] = restrict_all(r, n->kid[i]);
        changed = changed || kids[i] != n->kid[i];
    }
    r->count -= counted;
    return changed ? with_kids(r->ir, n, n->nkids, kids) : n;
}

Node *restrict_index_sets(Ir *ir, const Func *func)
{
    Restricting r = {.ir = ir, .func = func};
    for (int i = 0; i < func->nparams; i++)
        if (!func->params[i]->rank && writes_sym(func->body, func->params[i]))
            r.func = NULL;
    return restrict_all(&r, func->body);
}
