/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The element is a scalar from its first store, of a number, up to the last one of statements that touch nothing else of its array:
 * one loop, and stores. */
#include "plan/split/element_sums.h"

#include <string.h>

#include "ir/walk.h"

/* An element by its first store, and what statements do with its array. */
typedef struct Element {
    Ir *ir;
    const Node *first;
    Sym *held;
    bool alone, written; /* nothing else of the array is touched, nor the subscripts changed; it is stored to */
} Element;

/* Is it this element? What is spelled alike is the same: expressions are interned. */
static bool is_element(const Element *e, const Node *n)
{
    const int rank = e->first->nkids - 1;
    return n->sym == e->first->sym && memcmp(n->kid, e->first->kid, sizeof(Node *) * (size_t)rank) == 0;
}

static bool changes_subscripts(const Element *e, Node *n)
{
    const bool sets = n->kind == N_FOR || n->kind == N_ASSIGN || n->kind == N_DECL;
    for (int i = 0; sets && n->sym && i < e->first->nkids - 1; i++)
        if (uses_sym(e->first->kid[i], n->sym))
            return true;
    return false;
}

static bool note_use(void *user, Node *n)
{
    Element *e = user;
    const bool accesses = n->kind == N_LOAD || n->kind == N_STORE;
    if (n->sym == e->first->sym)
        e->alone = e->alone && accesses && is_element(e, n);
    e->written = e->written || (n->kind == N_STORE && n->sym == e->first->sym);
    e->alone = e->alone && !changes_subscripts(e, n);
    return e->alone;
}

static Node *to_scalar(void *user, Node *n)
{
    const Element *e = user;
    if (n->kind == N_LOAD && n->sym == e->first->sym)
        return mk_var(e->ir, e->held);
    if (n->kind == N_STORE && n->sym == e->first->sym)
        return mk_assign(e->ir, e->held, stmt_value(n), (Kind)n->aux, n->loc);
    return n;
}

static bool begins_sum(const Node *n)
{
    if (n->kind != N_STORE || n->aux || (n->sym->type != T_FLOAT && n->sym->type != T_DOUBLE) || stmt_value(n)->kind != N_FLOAT)
        return false;
    for (int i = 0; i < n->nkids - 1; i++)
        if (reads_array(n->kid[i], NULL))
            return false;
    return true;
}

/* The last of the stores behind the loop that sums it up, which is the statement after the first, or that loop; 0: there is none. */
static int last_store(Element *e, const Vec *list, int first)
{
    int last = 0;
    for (int i = first + 1; i < list->count; i++) {
        const Node *n = list->items[i];
        e->alone = true;
        e->written = false;
        walk(&(Walker){.pre = note_use, .user = e}, list->items[i]);
        if (!e->alone || (!last && !e->written) || (e->written && n->kind != (last ? N_STORE : N_FOR)))
            break;
        last = e->written ? i : last;
    }
    return last;
}

/* The element's last store in terms of the scalar. */
static void complete(const Element *e, Vec *out, Node *last)
{
    const int rank = e->first->nkids - 1;
    const Rewriter scalars = {.ir = e->ir, .post = to_scalar, .user = (void *)e};
    const bool stores = last->kind == N_STORE;
    Node *value = stores ? rewrite(&scalars, stmt_value(last)) : mk_var(e->ir, e->held);
    if (!stores)
        vec_push(e->ir->arena, out, rewrite(&scalars, last));
    vec_push(e->ir->arena, out, mk_store(e->ir, e->first->sym, rank, e->first->kid, value, N_NONE, last->loc));
}

void hold_element_sums(Ir *ir, Vec *list)
{
    Vec out = {0};
    for (int i = 0; i < list->count; i++) {
        Node *first = list->items[i];
        Element e = {.ir = ir, .first = first};
        const int last = begins_sum(first) ? last_store(&e, list, i) : 0;
        if (!last) {
            vec_push(ir->arena, &out, first);
            continue;
        }
        e.held = sym_new(ir, S_LOCAL, first->sym->type, "held", first->loc);
        vec_push(ir->arena, &out, mk_decl(ir, e.held, stmt_value(first), first->loc));
        for (int j = i + 1; j < last; j++)
            vec_push(ir->arena, &out, rewrite(&(Rewriter){.ir = ir, .post = to_scalar, .user = &e}, list->items[j]));
        complete(&e, &out, list->items[last]);
        i = last;
    }
    *list = out;
}
