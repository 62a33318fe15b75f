/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the operator are reached anyway. */
#include "plan/captures.h"

#include "ir/sym_map.h"
#include "ir/walk.h"

void capture_all(Captures *c, Sym *const *syms, int n)
{
    for (int i = 0; i < n; i++) {
        bool known = syms[i] == c->without;
        for (int j = 0; j < c->found.count; j++)
            known = known || c->found.items[j] == syms[i];
        if (!known)
            vec_push(c->ir->arena, &c->found, syms[i]);
    }
}

typedef struct Reading {
    Captures *captures;
    Map own; /* by symbol id: declared there */
} Reading;

static bool note_own(void *user, Node *n)
{
    Reading *r = user;
    if (n->kind == N_DECL || loop_declares(n))
        *map_at(r->captures->ir->arena, &r->own, n->sym->id) = n;
    return !is_expr(n);
}

static bool note_read(void *user, Node *n)
{
    const Reading *r = user;
    if (n->kind == N_VAR && n->sym->kind != S_PARAM && !map_get(&r->own, n->sym->id))
        capture_all(r->captures, &n->sym, 1);
    return true;
}

void capture_used(Captures *c, Node *n)
{
    Reading r = {.captures = c};
    if (n)
        walk(&(Walker){.pre = note_read, .user = &r}, n);
}

void capture_free(Captures *c, Node *n)
{
    Reading r = {.captures = c};
    walk(&(Walker){.pre = note_own, .user = &r}, n);
    walk(&(Walker){.pre = note_read, .user = &r}, n);
}

Node **handed_over(Ir *ir, const Vec *captured, Loc loc)
{
    Node **kids = arena_new_array(ir->arena, Node *, captured->count + 1);
    for (int i = 0; i < captured->count; i++) {
        Sym *sym = captured->items[i];
        kids[i] = sym->rank ? mk_expr(ir, N_REF, sym->type, sym, 0, NULL, loc) : mk_var(ir, sym);
    }
    return kids;
}
