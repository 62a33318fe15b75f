/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements are told apart by their subscripts alone: equal expressions are one. */
#include "plan/split/read_bounds.h"

#include "ir/walk.h"

typedef struct Reading {
    Ir *ir;
    Node *loop;
    Vec loads;   /* Node *, each once */
    Vec scalars; /* Sym *: each load's */
    Vec *declarations;
    bool fits;
} Reading;

static bool search_changed(void *user, Node *n)
{
    Reading *r = user;
    if (n->kind == N_CALL || ((n->kind == N_VAR || n->kind == N_LOAD) && writes_sym(r->loop, n->sym)))
        r->fits = false;
    return r->fits;
}

/* Is the expression worth the same before the loop and in all of its iterations? */
static bool is_stable(const Reading *r, Node *e)
{
    Reading own = *r;
    own.fits = true;
    walk(&(Walker){.pre = search_changed, .user = &own}, e);
    return own.fits;
}

/* The names that such bounds have where people write them out. */
static const char *name_of(const Reading *r, bool is_first) { return r->loads.count > 1 ? "bound" : is_first ? "first" : "end"; }

/* Loads of the bound get scalars, which are read where `reached` holds, NULL: always. */
typedef struct Bound {
    Reading *r;
    Node *reached;
    bool is_first;
} Bound;

static bool declare_load(void *user, Node *n)
{
    const Bound *b = user;
    Reading *r = b->r;
    Ir *ir = r->ir;
    if (n->kind != N_LOAD)
        return r->fits;
    r->fits = r->fits && is_stable(r, n) && (n->type == T_INT || n->type == T_LONG);
    for (int i = 0; i < r->loads.count; i++)
        if (r->loads.items[i] == n)
            return false;
    if (!r->fits)
        return false;
    Sym *scalar = sym_new(ir, S_LOCAL, n->type, name_of(r, b->is_first), r->loop->loc);
    Node *value = b->reached ? mk_select(ir, b->reached, n, mk_int(ir, n->type, 0)) : n;
    vec_push(ir->arena, &r->loads, n);
    vec_push(ir->arena, &r->scalars, scalar);
    vec_push(ir->arena, r->declarations, mk_decl(ir, scalar, value, r->loop->loc));
    return false;
}

static Node *read_once(void *user, Node *n)
{
    const Reading *r = user;
    for (int i = 0; i < r->loads.count; i++)
        if (r->loads.items[i] == n)
            return mk_var(r->ir, r->scalars.items[i]);
    return n;
}

static Node *with_scalars(Reading *r, Node *n) { return rewrite(&(Rewriter){.ir = r->ir, .post = read_once, .user = r}, n); }

/* Bounds of the statement's loops; `known`: it is reached where `reached` holds. */
static void read_in(Reading *r, Node *n, Node *reached, bool known)
{
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            read_in(r, n->kid[i], reached, known);
    } else if (n->kind == N_IF) {
        for (int i = 1; i < n->nkids; i++)
            read_in(r, n->kid[i], reached, false);
    } else if (n->kind == N_FOR) {
        const bool reads = reads_array(n->kid[0], NULL) || reads_array(n->kid[1], NULL);
        for (int i = 0; i < 2 && reads; i++)
            walk(&(Walker){.pre = declare_load, .user = &(Bound){r, reached, i == 0}}, n->kid[i]);
        r->fits = r->fits && (known || !reads);
        if (!r->fits)
            return;
        Node *runs = with_scalars(r, substitute(r->ir, n->kid[1], n->sym, n->kid[0]));
        read_in(r, n->kid[2], reached ? mk_binary(r->ir, N_LAND, reached, runs) : runs, known && is_stable(r, runs));
    } else if (n->kind == N_LOOP) {
        r->fits = false;
    }
}

Node *read_bounds(Ir *ir, Node *loop, Vec *declarations)
{
    Reading r = {.ir = ir, .loop = loop, .declarations = declarations, .fits = true};
    read_in(&r, loop, NULL, true);
    return r.fits && r.loads.count ? with_scalars(&r, loop) : NULL;
}
