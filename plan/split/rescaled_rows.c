/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds in terms of loops around give way to their extremes. */
#include "depend/env.h"
#include "depend/index.h"
#include "depend/loop_range.h"
#include "ir/walk.h"
#include "plan/split/rescaled_loop.h"

typedef struct Extremes {
    const RescaledLoop *r;
    LoopRange *ranges; /* of the loops around */
} Extremes;

static bool note_other(void *user, Node *n)
{
    bool *fits = user;
    *fits = *fits && n->kind != N_LOAD && n->kind != N_CALL && (n->kind != N_VAR || n->sym->kind == S_PARAM);
    return *fits;
}

/* `e` over all iterations of the loops around; NULL: nobody knows. */
static Poly *extreme_of(const Extremes *x, Node *e, bool most)
{
    const RescaledLoop *r = x->r;
    Poly *p = extreme_over(r->ir, r->func, poly_of(r->ir, e), x->ranges, r->around->count, most);
    bool fits = p != NULL;
    if (p)
        walk(&(Walker){.pre = note_other, .user = &fits}, poly_node(r->ir, p));
    return fits ? p : NULL;
}

/* Of a ? b : c, which is the least or the greatest of two: is it? */
static bool is_extreme_of_two(const Node *e, bool most)
{
    const Node *c = e->kid[0];
    while (c->kind == N_CAST)
        c = c->kid[0];
    if (c->kind < N_LT || c->kind > N_GE)
        return false;
    const bool greater = c->kind == N_GT || c->kind == N_GE;
    const bool straight = c->kid[0] == e->kid[1] && c->kid[1] == e->kid[2], turned = c->kid[0] == e->kid[2] && c->kid[1] == e->kid[1];
    return (straight && greater == most) || (turned && greater != most);
}

/* Something that `e` never is beyond. */
static Poly *limit_of(const Extremes *x, Node *e)
{
    Poly *p = NULL;
    while (e->kind == N_CAST && type_is_integer((Type)e->kid[0]->type) && type_bits((Type)e->kid[0]->type) <= type_bits((Type)e->type))
        e = e->kid[0];
    const bool selects = e->kind == N_SEL && is_extreme_of_two(e, false);
    if (e->kind == N_MIN || selects)
        for (int i = selects; i < e->nkids && !p; i++)
            p = limit_of(x, e->kid[i]);
    return p ? p : extreme_of(x, e, true);
}

/* Is it never negative? */
static bool is_from_zero(const Extremes *x, Node *e)
{
    if (e->kind == N_INT)
        return e->u.i >= 0;
    if (e->kind == N_MAX || (e->kind == N_SEL && is_extreme_of_two(e, true)))
        for (int i = e->kind == N_SEL; i < e->nkids; i++)
            if (is_from_zero(x, e->kid[i]))
                return true;
    const Poly *p = extreme_of(x, e, false);
    return p && known_nonnegative(x->r->ir, x->r->func, p);
}

typedef struct Definitions {
    Ir *ir;
    Map defs;
} Definitions;

static Node *with_definition(void *user, Node *n)
{
    const Definitions *d = user;
    Node *def = n->kind == N_VAR ? map_get(&d->defs, n->sym->id) : NULL;
    return def ? mk_cast(d->ir, (Type)n->type, def) : n;
}

Node *row_extent(const RescaledLoop *r)
{
    Ir *ir = r->ir;
    Definitions d = {ir, find_defs(ir, r->body)};
    const Rewriter definitions = {.ir = ir, .post = with_definition, .user = &d};
    Extremes x = {r, arena_new_array(ir->arena, LoopRange, r->around->count + 1)};
    for (int i = 0; i < r->around->count; i++) {
        Node *loop = r->around->items[i],
             *kids[] = {rewrite(&definitions, loop->kid[0]), rewrite(&definitions, loop->kid[1]), loop->kid[2]};
        x.ranges[i] = range_of_loop(ir, with_kids(ir, loop, 3, kids));
    }
    Poly *most = limit_of(&x, rewrite(&definitions, r->b.hi));
    if (!most || !is_from_zero(&x, rewrite(&definitions, r->b.lo)))
        return NULL;
    most = poly_add(ir, most, poly_int(ir, r->b.cmp == N_LE));
    Node *extent = poly_node(ir, most);
    return known_nonnegative(ir, r->func, most) ? extent : ix_max(ir, extent, ix_int(ir, 0));
}
