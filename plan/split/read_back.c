/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Up to the next statement that changes the scalar, the array, or where in it the element lies. */
#include "plan/split/read_back.h"

#include "ir/sym_map.h"
#include "ir/walk.h"

/* Scalars, by symbol id, that loops have summed up, or that come from such. */
typedef struct Sums {
    Ir *ir;
    Map sums;
} Sums;

static void note_sum(Sums *s, Sym *scalar) { *map_at(s->ir->arena, &s->sums, scalar->id) = scalar; }

static bool note_assigned(void *user, Node *n)
{
    if (n->kind == N_ASSIGN)
        note_sum(user, n->sym);
    return !is_expr(n);
}

static bool is_sum(void *user, Node *n)
{
    const Sums *s = user;
    return n->kind == N_VAR && map_get(&s->sums, n->sym->id);
}

/* What the statement adds to them. */
static void note_sums(Sums *s, Node *n)
{
    if (n->kind == N_FOR)
        walk(&(Walker){.pre = note_assigned, .user = s}, n);
    if ((n->kind != N_DECL && n->kind != N_ASSIGN) || !n->nkids)
        return;
    if (any_node(n->kid[0], is_sum, s))
        note_sum(s, n->sym);
}

/* Does the statement change the element's value, or which one it is? */
static bool disturbs(Node *n, const Node *store)
{
    if (writes_sym(n, store->sym) || writes_sym(n, stmt_value(store)->sym))
        return true;
    for (int i = 0; i < store->nkids - 1; i++)
        if (reads_array(store->kid[i], NULL))
            return true;
    return false;
}

typedef struct Locals {
    Node *const *subscripts;
    int n;
    bool shadowed;
} Locals;

/* A loop inside may count, or a statement assign, what the subscripts use. */
static bool note_written(void *user, Node *n)
{
    Locals *l = user;
    for (int i = 0; i < l->n && !is_expr(n); i++)
        l->shadowed = l->shadowed ||
                      (n->sym && (n->kind == N_FOR || n->kind == N_ASSIGN || n->kind == N_DECL) && uses_sym(l->subscripts[i], n->sym));
    return !is_expr(n);
}

static bool may_move_to(Node *n, const Node *store)
{
    Locals l = {store->kid, store->nkids - 1, false};
    walk(&(Walker){.pre = note_written, .user = &l}, n);
    return !l.shadowed && !disturbs(n, store);
}

void read_back(Ir *ir, Vec *list)
{
    Sums sums = {.ir = ir};
    for (int i = 0; i + 1 < list->count; i++) {
        Node *store = list->items[i];
        note_sums(&sums, store);
        if (store->kind != N_STORE || store->aux || stmt_value(store)->kind != N_VAR || stmt_value(store)->type != store->sym->type)
            continue;
        Sym *scalar = stmt_value(store)->sym;
        if (scalar->kind != S_LOCAL || !map_get(&sums.sums, scalar->id))
            continue;
        Node *element = mk_load(ir, store->sym, store->nkids - 1, store->kid);
        for (int j = i + 1; j < list->count && may_move_to(list->items[j], store); j++)
            list->items[j] = substitute(ir, list->items[j], scalar, element);
    }
}
