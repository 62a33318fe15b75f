/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the inside out: what a guard says of loops further out becomes the guard of the loop. */
#include "plan/nests/bound_tightening.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

typedef struct Tightening {
    Ir *ir;
    Map lanes;  /* by symbol id: variables of loops around that are vectorized */
} Tightening;

typedef struct Guarded {
    Ir *ir;
    Node *loop;
    Map values;     /* by symbol id: what names of the body stand for */
    Node *branch;   /* the N_IF */
    Vec decls;      /* before it */
    Node *from, *to; /* T_INDEX; NULL: as it is */
    Vec outer, kept; /* comparisons that do not change in the loop; those that stay */
    bool reads;      /* the guard or the bounds read arrays */
    bool apart;      /* the bounds read other elements in each lane: the loop around is not vectorized after all */
    const Tightening *around;
} Guarded;

/* ---------------------------------------------------------------- the body */

static bool add_statement(Guarded *g, Node *n)
{
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            if (!add_statement(g, n->kid[i]))
                return false;
        return true;
    }
    if (n->kind == N_DECL && n->sym->rank == 0 && n->nkids && type_is_integer(n->sym->type) && !g->branch) {
        *map_at(g->ir->arena, &g->values, n->sym->id) = n->kid[0];
        vec_push(g->ir->arena, &g->decls, n);
        return true;
    }
    if (n->kind != N_IF || n->nkids != 2 || g->branch)
        return false;
    g->branch = n;
    return true;
}

static bool search_load(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD || n->kind == N_CALL || n->kind == N_DIV || n->kind == N_MOD;
}

/* Evaluating it in iterations that are left out makes no difference, and neither does not evaluating it. */
static bool is_simple(Node *e) { return !any_node(e, search_load, NULL); }

static bool may_not_be_evaluated(void *user, Node *n)
{
    (void)user;
    return n->kind == N_STORE || n->kind == N_CALL || n->kind == N_DIV || n->kind == N_MOD || n->kind == N_LAND || n->kind == N_LOR ||
           n->kind == N_SEL;
}

static bool writes_more(void *user, Node *n)
{
    (void)user;
    return n->kind == N_CALL ||
           (!is_expr(n) && n->kind != N_BLOCK && n->kind != N_IF && n->kind != N_ASSIGN && n->kind != N_DECL && n->kind != N_FOR);
}

/* A guard, or bounds, that read arrays, while the loop writes scalars alone: each iteration evaluates all of them, so that they can be
 * before the loop where it runs at all. */
static bool reads_alone(const Node *loop, const Bounds *b, Node *branch)
{
    Node *const evaluated[] = {b->lo, b->hi, branch->kid[0]};
    for (size_t i = 0; i < sizeof evaluated / sizeof *evaluated; i++)
        if (any_node(evaluated[i], may_not_be_evaluated, NULL))
            return false;
    return !any_node(loop->kid[2], writes_more, NULL) && !uses_sym(b->hi, b->var);
}

static bool search_assigned(void *user, Node *n)
{
    Map *values = user;
    return n->kind == N_ASSIGN && map_get(values, n->sym->id);
}

/* ---------------------------------------------------------------- guards */

static bool is_lane(void *user, Node *n)
{
    const Guarded *g = user;
    return n->kind == N_VAR && map_get(&g->around->lanes, n->sym->id);
}

static bool has_lanes(const Guarded *g, Node *e) { return any_node(e, is_lane, (void *)g); }

/* sum >= 0 as a bound of the loop's variable. */
static bool becomes_bound(Guarded *g, Poly *sum)
{
    Ir *ir = g->ir;
    Sym *var = g->loop->sym;
    Poly *coef, *rest;
    if (!poly_affine(ir, sum, &var, 1, &coef, &rest))
        return false;
    Node *limit = poly_node(ir, poly_is(coef, 1) ? poly_sub(ir, poly_int(ir, 0), rest) : poly_add(ir, rest, poly_int(ir, 1)));
    if ((has_lanes(g, limit) && !g->apart) || uses_sym(limit, var))
        return false;
    if (poly_is(coef, 1)) /* var >= -rest */
        g->from = g->from ? ix_max(ir, g->from, limit) : limit;
    else if (poly_is(coef, -1)) /* var <= rest */
        g->to = g->to ? ix_min(ir, g->to, limit) : limit;
    else
        return false;
    return true;
}

static bool is_changed(void *user, Node *n)
{
    const Guarded *g = user;
    return n->kind == N_VAR && writes_sym(g->loop->kid[2], n->sym);
}

/* What the loop itself assigns may end a guard, or begin it. */
static bool changes(const Guarded *g, Node *e) { return any_node(e, is_changed, (void *)g); }

static void sort_guards(Guarded *g, Node *cond)
{
    if (cond->kind == N_LAND) {
        sort_guards(g, cond->kid[0]);
        sort_guards(g, cond->kid[1]);
        return;
    }
    Node *whole = expand_names(g->ir, &g->values, cond);
    Poly *sum = guard_sum(g->ir, whole);
    if (changes(g, whole))
        vec_push(g->ir->arena, &g->kept, cond);
    else if (!uses_sym(whole, g->loop->sym))
        vec_push(g->ir->arena, &g->outer, whole);
    else if (!sum || !becomes_bound(g, sum))
        vec_push(g->ir->arena, &g->kept, cond);
}

static Node *all_of(Ir *ir, const Vec *conditions)
{
    Node *all = NULL;
    for (int i = 0; i < conditions->count; i++)
        all = all ? mk_binary(ir, N_LAND, all, conditions->items[i]) : conditions->items[i];
    return all;
}

/* ---------------------------------------------------------------- loops */

static Node *rebuilt(Guarded *g, const Bounds *b)
{
    Ir *ir = g->ir;
    Vec out = {0}, body = g->decls;
    Node *lo = widen(ir, b->lo), *hi = widen(ir, b->hi), *kept = all_of(ir, &g->kept), *outer = all_of(ir, &g->outer);
    lo = g->from ? name_index(ir, &out, "low", ix_min(ir, ix_max(ir, lo, g->from), hi)) : lo; /* within the variable's type */
    hi = g->to ? name_index(ir, &out, "high", ix_min(ir, hi, g->to)) : hi;
    vec_push(ir->arena, &body, kept ? mk_if(ir, kept, g->branch->kid[1], NULL, g->branch->loc) : g->branch->kid[1]);
    Node *kids[] = {mk_cast(ir, b->var->type, lo), mk_binary(ir, N_LT, widen(ir, mk_var(ir, b->var)), hi),
                    mk_block(ir, body.count, (Node **)body.items, g->loop->loc)};
    vec_push(ir->arena, &out, with_kids(ir, g->loop, 3, kids));
    Node *all = mk_block(ir, out.count, (Node **)out.items, g->loop->loc);
    if (g->reads)
        all = mk_if(ir, mk_binary(ir, N_LT, widen(ir, b->lo), widen(ir, b->hi)), all, NULL, g->loop->loc);
    return outer ? mk_if(ir, outer, all, NULL, g->loop->loc) : all;
}

static Node *tightened(const Tightening *t, Node *loop)
{
    Bounds b;
    Guarded g = {.ir = t->ir, .loop = loop, .around = t};
    if (!for_bounds(loop, &b) || b.step != 1 || b.cmp != N_LT || !loop_declares(loop) || !type_is_signed(b.var->type) ||
        type_bits(b.var->type) < 32 || !add_statement(&g, loop->kid[2]) || !g.branch)
        return loop;
    g.reads = !trip_count(t->ir, loop) || !is_simple(g.branch->kid[0]) || !is_simple(loop->kid[1]);
    if (g.reads && (!reads_alone(loop, &b, g.branch) || changes(&g, b.hi)))
        return loop;
    g.apart = has_lanes(&g, b.hi) && !is_simple(b.hi);
    const bool assigned = any_node(loop->kid[2], search_assigned, &g.values);
    for (int i = 0; i < g.decls.count; i++)
        if (!is_simple(((Node *)g.decls.items[i])->kid[0]))
            return loop;
    if (assigned || writes_sym(loop->kid[2], loop->sym))
        return loop;
    sort_guards(&g, g.branch->kid[0]);
    return g.from || g.to || (g.outer.count && !g.reads) ? rebuilt(&g, &b) : loop;
}

static bool goes_by_vectors(Ir *ir, Node *loop)
{
    if (loop->aux & (FOR_PEELED | FOR_VECTOR))
        return true;
    return loop->aux & FOR_PARALLEL && loop_is_parallel(ir, loop) && !has_parallel_loop(ir, loop->kid[2]);
}

static Node *tighten(Tightening *t, Node *n)
{
    if (is_expr(n))
        return n;
    const bool lanes = n->kind == N_FOR && goes_by_vectors(t->ir, n);
    if (lanes)
        *map_at(t->ir->arena, &t->lanes, n->sym->id) = n;
    Node **kids = arena_new_array(t->ir->arena, Node *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = tighten(t, n->kid[i]);
    Node *done = with_kids(t->ir, n, n->nkids, kids);
    return done->kind == N_FOR && !lanes ? tightened(t, done) : done;
}

Node *tighten_bounds(Ir *ir, Node *body)
{
    Tightening t = {.ir = ir};
    return tighten(&t, body);
}
