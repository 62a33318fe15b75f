/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops from the inside out; only what every iteration gathers. */
#include "plan/vectors/hoist_gathers.h"

#include "ir/walk.h"

enum { MOST = 16 }; /* the compiler keeps in memory what registers do not hold: a load in the place of as many as there are lanes */

typedef struct Hoisting {
    Ir *ir;
    Node *loop;
    Node *gather[MOST]; /* with the conversions around it */
    Sym *same[MOST];
    int count;
} Hoisting;

typedef struct Asking {
    Node *loop;
    bool changes;
} Asking;

static bool search_change(void *user, Node *n)
{
    Asking *a = user;
    const bool reads = n->kind == N_VAR || n->kind == N_LOAD || n->kind == N_VLOAD || n->kind == N_MEMBER || n->kind == N_GATHER;
    a->changes = a->changes || (reads && writes_sym(a->loop, n->sym));
    return !a->changes;
}

static bool is_gather(const Node *n)
{
    while (n->kind == N_CAST)
        n = n->kid[0];
    return n->kind == N_GATHER;
}

static bool note_gather(void *user, Node *n)
{
    Hoisting *h = user;
    Asking a = {h->loop, false};
    if (!is_expr(n))
        return n->kind != N_IF && n->kind != N_FOR;
    if (!is_gather(n))
        return true;
    if (h->count == MOST)
        return false;
    for (int i = 0; i < h->count; i++)
        a.changes = a.changes || h->gather[i] == n;
    walk(&(Walker){.pre = search_change, .user = &a}, n);
    if (a.changes)
        return false;
    h->gather[h->count++] = n;
    return false;
}

static Node *use_same(void *user, Node *n)
{
    const Hoisting *h = user;
    for (int i = 0; i < h->count; i++)
        if (h->gather[i] == n)
            return mk_var(h->ir, h->same[i]);
    return NULL;
}

static Node *hoist(void *user, Node *n)
{
    Ir *ir = user;
    Hoisting h = {.ir = ir, .loop = n};
    Vec out = {0};
    if (n->kind != N_FOR || !n->aux)
        return n;
    walk(&(Walker){.pre = note_gather, .user = &h}, n->kid[2]);
    if (!h.count)
        return n;
    for (int i = 0; i < h.count; i++) {
        const Node *gather = h.gather[i];
        while (gather->kind == N_CAST)
            gather = gather->kid[0];
        h.same[i] = sym_new(ir, S_LOCAL, (Type)h.gather[i]->type, arena_printf(ir->arena, "%s_same", gather->sym->name), n->loc);
        h.same[i]->is_const = true;
        vec_push(ir->arena, &out, mk_decl(ir, h.same[i], h.gather[i], n->loc));
    }
    vec_push(ir->arena, &out, with_kid(ir, n, 2, rewrite(&(Rewriter){.ir = ir, .pre = use_same, .user = &h}, n->kid[2])));
    Node *runs = substitute(ir, n->kid[1], n->sym, n->kid[0]);
    return mk_if(ir, runs, mk_block(ir, out.count, (Node **)out.items, n->loc), NULL, n->loc);
}

Node *hoist_gathers(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = hoist, .user = ir}, body); }
