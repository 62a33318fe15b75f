/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step of every access along the outer loop is the inner one's number of iterations times its step along that. */
#include "plan/collapse.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/reduce.h"
#include "ir/branch.h"
#include "ir/walk.h"

typedef struct Pair {
    Ir *ir;
    Node *outer, *inner;
    Poly *trips;  /* of the inner one */
    bool fails;
} Pair;

/* Row-major offset in elements. */
static Poly *offset_of(Ir *ir, const Node *access)
{
    Poly *at = poly_of(ir, access->kid[0]);
    for (int d = 1; d < access->sym->rank; d++)
        at = poly_add(ir, poly_mul(ir, at, poly_of(ir, widen(ir, access->sym->extent[d]))), poly_of(ir, access->kid[d]));
    return at;
}

static bool look(void *user, Node *n);

/* Subscripts may be sums, of which only the offset counts. */
static void look_at_access(Pair *p, Node *n)
{
    Ir *ir = p->ir;
    Sym *vars[] = {p->outer->sym, p->inner->sym};
    Poly *coef[2], *rest;
    for (int d = 0; d < n->sym->rank; d++)
        if (!n->sym->extent[d])
            p->fails = true;
    if (p->fails || !poly_affine(ir, offset_of(ir, n), vars, 2, coef, &rest) || !poly_equal(coef[0], poly_mul(ir, coef[1], p->trips)))
        p->fails = true;
    if (n->kind == N_STORE)
        walk(&(Walker){.pre = look, .user = p}, stmt_value(n));
}

static bool look(void *user, Node *n)
{
    Pair *p = user;
    if (n->kind == N_LOAD || n->kind == N_STORE) {
        look_at_access(p, n);
        return false;
    }
    if (n->kind == N_VAR && (n->sym == p->outer->sym || n->sym == p->inner->sym))
        p->fails = true;
    return !p->fails;
}

static bool from_zero(Node *loop) { return counted_from_zero(loop) && type_is_signed(loop->sym->type) && type_bits(loop->sym->type) >= 32; }

/* Subscripts in index arithmetic: both loops' iterations may be more than an int counts. */
static Node *widen_subscripts(void *user, Node *n)
{
    Ir *ir = user;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return n;
    Node **kids = arena_new_array(ir->arena, Node *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = i < n->sym->rank && n->kid[i]->kind != N_VAR ? widen(ir, n->kid[i]) : n->kid[i];
    return with_kids(ir, n, n->nkids, kids);
}

typedef struct Merging {
    const Sym *inner;
    Node *both; /* T_INDEX */
} Merging;

static Node *merge_variable(void *user, Node *n)
{
    const Merging *m = user;
    if (n->kind == N_CAST && n->type == n->kid[0]->type) /* of the variable, which had another type */
        return n->kid[0];
    return n->kind == N_VAR && n->sym == m->inner ? m->both : n;
}

static Node *collapsed(Ir *ir, Node *outer, Node *inner)
{
    Node *body = rewrite(&(Rewriter){.ir = ir, .post = widen_subscripts, .user = ir}, inner->kid[2]);
    Sym *var = sym_new(ir, S_LOOP, T_INDEX, inner->sym->name, inner->loc);
    body = substitute(ir, body, outer->sym, mk_int(ir, outer->sym->type, 0));
    body = rewrite(&(Rewriter){.ir = ir, .post = merge_variable, .user = &(Merging){inner->sym, mk_var(ir, var)}}, body);
    Node *trips = ix_mul(ir, trip_count(ir, outer), trip_count(ir, inner));
    Node *loop = mk_for(ir, var, ix_int(ir, 0), mk_binary(ir, N_LT, mk_var(ir, var), trips), 1, body, true, outer->loc);
    loop->aux = outer->aux;
    return loop;
}

static Node *collapse(Ir *ir, Node *n, bool (*fits)(Ir *, Node *))
{
    if (n->kind == N_BLOCK && n->nkids == 1) {
        Node *kid = collapse(ir, n->kid[0], fits);
        return with_kids(ir, n, 1, &kid);
    }
    if (n->kind != N_FOR || n->aux & FOR_VECTOR)
        return n;
    Node *inner = only_loop(n->kid[2]);
    if (inner) {
        Node *kids[] = {n->kid[0], n->kid[1], collapse(ir, n->kid[2], fits)};
        n = with_kids(ir, n, 3, kids);
        inner = only_loop(n->kid[2]);
    }
    Pair p = {.ir = ir, .outer = n, .inner = inner};
    if (!inner || inner->aux & FOR_VECTOR || has_kind(inner->kid[2], N_FOR) || !from_zero(n) || !from_zero(inner) ||
        uses_sym(inner->kid[1], n->sym) || !fits(ir, n) || !fits(ir, inner))
        return n;
    p.trips = poly_of(ir, trip_count_of_running(ir, inner));
    walk(&(Walker){.pre = look, .user = &p}, inner->kid[2]);
    return p.fails ? n : collapsed(ir, n, inner);
}

static bool is_unordered(Ir *ir, Node *loop) { return loop_is_unordered(ir, loop, false); }

Node *collapse_loops(Ir *ir, Node *nest) { return collapse(ir, nest, loop_is_parallel); }
Node *collapse_sums(Ir *ir, Node *nest) { return collapse(ir, nest, is_unordered); }
