/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the outside in, so that a chain of branches gets one scalar. */
#include "plan/nests/sink_stores.h"

#include "depend/poly.h"
#include "ir/walk.h"

static bool is_subscript(void *user, Node *n)
{
    const Node *store = user;
    bool found = false;
    for (int d = 0; (n->kind == N_DECL || n->kind == N_FOR) && d < store->sym->rank; d++)
        found = found || uses_sym(store->kid[d], n->sym);
    return found;
}

/* Do its subscripts depend on what only the branch declares? */
static bool is_inside(Node *branch, const Node *store) { return any_stmt(branch, is_subscript, (void *)store); }

static bool same_element(Ir *ir, const Node *a, const Node *b)
{
    if (a->sym != b->sym)
        return false;
    for (int d = 0; d < a->sym->rank; d++)
        if (!poly_equal(poly_of(ir, a->kid[d]), poly_of(ir, b->kid[d])))
            return false;
    return true;
}

/* Of the scalar that holds what goes to the array: narrow integers are held as int. T_VOID: none does. */
static Type held_type(Type element)
{
    if (type_is_integer(element))
        return type_bits(element) < 32 ? T_INT : element;
    return element == T_DOUBLE || element == T_FLOAT ? element : T_VOID;
}

/* Whatever way the statement takes, it ends in a store to the element of *store, which is set by the first. */
static bool ends_in_store(Ir *ir, Node *n, const Node **store)
{
    switch ((Kind)n->kind) {
    case N_BLOCK: return n->nkids > 0 && ends_in_store(ir, n->kid[n->nkids - 1], store);
    case N_IF: return n->nkids == 3 && ends_in_store(ir, n->kid[1], store) && ends_in_store(ir, n->kid[2], store);
    case N_STORE: *store = *store ? *store : n; return held_type(n->sym->type) != T_VOID && same_element(ir, n, *store);
    default: return false;
    }
}

/* The statement, of which each way ends in giving the scalar what it would store. */
static Node *assigning(Ir *ir, Node *n, Sym *scalar)
{
    if (n->kind == N_STORE)
        return mk_assign(ir, scalar, mk_cast(ir, scalar->type, stmt_value(n)), N_NONE, n->loc);
    Node **kids = arena_new_array(ir->arena, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = i == n->nkids - 1 || (n->kind == N_IF && i > 0) ? assigning(ir, n->kid[i], scalar) : n->kid[i];
    return with_kids(ir, n, n->nkids, kids);
}

static Node *sink(void *user, Node *n)
{
    Ir *ir = user;
    const Node *store = NULL;
    if (is_expr(n))
        return n;
    if (n->kind != N_IF || !ends_in_store(ir, n, &store) || is_inside(n, store))
        return NULL;
    Sym *scalar = sym_new(ir, S_LOCAL, held_type(store->sym->type), "stored", store->loc);
    Node *stmts[] = {
        mk_decl(ir, scalar, NULL, n->loc), sink_stores(ir, assigning(ir, n, scalar)),
        mk_store(ir, store->sym, store->sym->rank, store->kid, mk_cast(ir, store->sym->type, mk_var(ir, scalar)), N_NONE, store->loc)};
    return mk_block(ir, 3, stmts, n->loc);
}

Node *sink_stores(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .pre = sink, .user = ir}, body); }
