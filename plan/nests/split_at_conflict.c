/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the one iteration that stores what the others load, and splits the loop there if the iterations of each part are independent. */
#include "plan/nests/split_at_conflict.h"

#include "depend/env.h"
#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"

typedef struct Conflict {
    Ir *ir;
    Bounds bounds; /* of the loop */
    const Node *store;
    const Node *load; /* of the element that the iteration stores to; NULL: none is found */
    Poly *at;         /* the iteration */
    Sym *held;        /* what the others load; NULL: they do so themselves */
} Conflict;

static bool is_fixed(const Conflict *m, const Node *load)
{
    for (int d = 0; d < load->nkids; d++)
        if (uses_sym(load->kid[d], m->bounds.var) || has_load(load->kid[d]))
            return false;
    return true;
}

/* The iteration that stores to the element that is loaded, as the first dimension says in which the store moves with the loop. */
static bool search_conflict(void *user, Node *n)
{
    Conflict *m = user;
    Poly *coef, *rest;
    if (m->load || n->kind != N_LOAD || n->sym != m->store->sym || !is_fixed(m, n))
        return !m->load;
    for (int d = 0; !m->load && d < n->nkids; d++)
        if (poly_affine(m->ir, poly_of(m->ir, m->store->kid[d]), &m->bounds.var, 1, &coef, &rest) && poly_is(coef, 1)) {
            m->load = n;
            m->at = poly_sub(m->ir, poly_of(m->ir, n->kid[d]), rest);
        }
    return true;
}

static Node *only_store(Node *n)
{
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return n->kind == N_STORE ? n : NULL;
}

static bool is_load(const Conflict *m, const Node *n)
{
    if (n->kind != N_LOAD || n->sym != m->load->sym)
        return false;
    for (int d = 0; d < n->nkids; d++)
        if (!poly_equal(poly_of(m->ir, n->kid[d]), poly_of(m->ir, m->load->kid[d])))
            return false;
    return true;
}

/* Does every iteration load it, whatever conditions say? */
static bool is_certain(const Conflict *m, const Node *n)
{
    const bool first = n->kind == N_SEL || n->kind == N_LAND || n->kind == N_LOR;
    if (is_load(m, n))
        return true;
    for (int i = 0; i < (first ? 1 : n->nkids); i++)
        if (is_certain(m, n->kid[i]))
            return true;
    return false;
}

static Node *hold(void *user, Node *n)
{
    const Conflict *m = user;
    return is_load(m, n) ? mk_var(m->ir, m->held) : n;
}

/* Iterations from `lo` until before `hi`, of the loop's type, with names of their own; pushed to `out`. */
static void add_part(Conflict *m, Node *loop, Node *lo, Node *hi, Vec *out)
{
    Ir *ir = m->ir;
    Sym *old = loop->sym, *var = sym_new(ir, old->kind, old->type, old->name, old->loc);
    Node *body = rename_sym(ir, loop->kid[2], old, var);
    if (is_certain(m, m->store)) {
        m->held = sym_new(ir, S_LOCAL, m->load->sym->type, "held", m->load->loc);
        body = rewrite(&(Rewriter){.ir = ir, .post = hold, .user = m}, body);
        Node *load = mk_assign(ir, m->held, (Node *)m->load, N_NONE, loop->loc);
        vec_push(ir->arena, out, mk_decl(ir, m->held, NULL, loop->loc));
        vec_push(ir->arena, out, mk_if(ir, mk_binary(ir, N_LT, lo, hi), load, NULL, loop->loc));
    }
    Node *n = mk_for(ir, var, lo, mk_binary(ir, N_LT, mk_var(ir, var), hi), 1, body, true, loop->loc);
    n->aux = (uint16_t)(loop->aux | FOR_PARALLEL);
    vec_push(ir->arena, out, n);
}

/* Within the loop's bounds, or its first iteration. */
static Node *clamped(const Conflict *m, Node *at)
{
    Ir *ir = m->ir;
    return mk_cast(ir, m->bounds.var->type, ix_max(ir, widen(ir, m->bounds.lo), ix_min(ir, widen(ir, m->bounds.hi), at)));
}

/* Are the iterations independent that are before it (N_LT) or behind it (N_GT)? */
static bool independent(const Conflict *m, Node *loop, Kind side)
{
    Ir *ir = m->ir;
    Node *here = mk_binary(ir, side, widen(ir, mk_var(ir, loop->sym)), poly_node(ir, m->at));
    Node *kids[] = {loop->kid[0], loop->kid[1], mk_if(ir, here, loop->kid[2], NULL, loop->loc)};
    return loop_is_parallel(ir, with_kids(ir, loop, 3, kids));
}

static bool finds_conflict(Conflict *m, Node *loop)
{
    m->store = only_store(loop->kid[2]);
    if (!m->store || loop->aux & FOR_PARALLEL || !loop_declares(loop) || !for_bounds(loop, &m->bounds) || m->bounds.step != 1 ||
        m->bounds.cmp != N_LT || !type_is_signed(loop->sym->type) || type_bits(loop->sym->type) < 32)
        return false;
    walk(&(Walker){.pre = search_conflict, .user = m}, (Node *)m->store);
    return m->load && independent(m, loop, N_LT) && independent(m, loop, N_GT);
}

static Node *split(void *user, Node *loop)
{
    Conflict m = {.ir = user};
    Ir *ir = user;
    if (loop->kind != N_FOR || !finds_conflict(&m, loop))
        return loop;
    Node *at = poly_node(ir, m.at), *lo = widen(ir, m.bounds.lo), *hi = widen(ir, m.bounds.hi);
    Node *runs = mk_binary(ir, N_LAND, mk_binary(ir, N_GE, at, lo), mk_binary(ir, N_LT, at, hi));
    Node *one = substitute(ir, loop->kid[2], loop->sym, mk_cast(ir, loop->sym->type, at));
    Vec out = {0};
    add_part(&m, loop, m.bounds.lo, clamped(&m, at), &out);
    vec_push(ir->arena, &out, mk_if(ir, runs, one, NULL, loop->loc));
    add_part(&m, loop, clamped(&m, ix_add(ir, at, ix_int(ir, 1))), m.bounds.hi, &out);
    return mk_block(ir, out.count, (Node **)out.items, loop->loc);
}

Node *split_at_conflicts(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = split, .user = ir}, body); }
