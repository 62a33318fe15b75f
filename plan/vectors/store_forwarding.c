/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Store-to-load forwarding and dead store elimination, within one block. */
#include "plan/vectors/store_forwarding.h"

#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

enum { MOST_STORES = 64 }; /* of a block, that are remembered at a time */

/* An element, and the scalar that has its value. */
typedef struct Stored {
    Node *store;
    Sym *value;
    int at; /* the statement's number in Forwarding.out */
    bool read; /* by something that could not have the scalar instead */
} Stored;

typedef struct Forwarding {
    Ir *ir;
    Stored known[MOST_STORES];
    int count;
    Vec out;
    bool changed;
} Forwarding;

static bool is_elsewhere(Ir *ir, Node *a, Node *b)
{
    int64_t apart;
    return poly_const(poly_sub(ir, poly_of(ir, a), poly_of(ir, b)), &apart) && apart != 0;
}

static bool is_same(Ir *ir, Node *a, Node *b)
{
    int64_t apart;
    return a == b || (poly_const(poly_sub(ir, poly_of(ir, a), poly_of(ir, b)), &apart) && apart == 0);
}

static void forget(Forwarding *f, int i) { f->known[i] = f->known[--f->count]; }

static void forget_all(Forwarding *f) { f->count = 0; }

/* A load that is no known element, but may be: that must have been stored. */
static void note_load(Forwarding *f, const Node *load)
{
    for (int i = 0; i < f->count; i++)
        f->known[i].read = f->known[i].read || (vector_share_bytes(f->known[i].store->sym, load->sym) &&
                                                !is_elsewhere(f->ir, f->known[i].store->kid[0], load->kid[0]));
}

static Node *read_scalar(void *user, Node *n)
{
    Forwarding *f = user;
    if (n->kind != N_LOAD || n->nkids != 1)
        return n;
    for (int i = 0; i < f->count; i++)
        if (f->known[i].store->sym == n->sym && is_same(f->ir, f->known[i].store->kid[0], n->kid[0])) {
            f->changed = true;
            return mk_var(f->ir, f->known[i].value);
        }
    note_load(f, n);
    return n;
}

static bool search_number(void *user, Node *n)
{
    const Sym *stored = user;
    return n->kind == N_LOAD && vector_share_bytes(n->sym, stored);
}

/* Elements whose number the store may have changed are others now. */
static void forget_numbers(Forwarding *f, const Sym *stored)
{
    for (int i = f->count - 1; i >= 0; i--) {
        if (any_node(f->known[i].store->kid[0], search_number, (void *)stored))
            forget(f, i);
    }
}

/* Elements are in registers as they are in memory. */
static bool is_plain(const Node *store)
{
    const Type type = store->sym->type;
    const bool plain = type == T_FLOAT || type == T_DOUBLE || (type_is_integer(type) && type != T_BOOL);
    return plain && store->nkids == 2 && (Kind)store->aux == N_NONE && store->kid[1]->type == type && !store->sym->is_volatile;
}

static void add_store(Forwarding *f, Node *store)
{
    Ir *ir = f->ir;
    forget_numbers(f, store->sym);
    for (int i = f->count - 1; i >= 0; i--) {
        Stored *s = &f->known[i];
        if (!vector_share_bytes(s->store->sym, store->sym) || is_elsewhere(ir, s->store->kid[0], store->kid[0]))
            continue;
        if (s->store->sym == store->sym && is_same(ir, s->store->kid[0], store->kid[0]) && !s->read) {
            f->out.items[s->at] = NULL;
            f->changed = true;
        }
        forget(f, i);
    }
    if (!is_plain(store) || f->count == MOST_STORES) {
        vec_push(ir->arena, &f->out, store);
        return;
    }
    Sym *value = sym_new(ir, S_LOCAL, store->sym->type, store->sym->name, store->loc);
    value->is_const = true;
    vec_push(ir->arena, &f->out, mk_decl(ir, value, store->kid[1], store->loc));
    Node *kids[] = {store->kid[0], mk_var(ir, value)};
    f->known[f->count++] = (Stored){store, value, f->out.count, false};
    vec_push(ir->arena, &f->out, with_kids(ir, store, 2, kids));
}

static void add_assignment(Forwarding *f, Node *n)
{
    vec_push(f->ir->arena, &f->out, n);
    for (int i = f->count - 1; i >= 0; i--)
        if (uses_sym(f->known[i].store->kid[0], n->sym))
            forget(f, i);
}

/* Of a store whose value is other than it was, as the element that it changes may be a scalar now: what it was spelled by no longer holds. */
static Node *with_scalars(Forwarding *f, Node *store)
{
    const Rewriter reads = {.ir = f->ir, .post = read_scalar, .user = f};
    const int subscripts = store->nkids - 1;
    Node **kids = arena_new_array(f->ir->arena, Node *, store->nkids);
    for (int i = 0; i < store->nkids; i++)
        kids[i] = rewrite(&reads, store->kid[i]);
    const Kind compound = kids[subscripts] == store->kid[subscripts] ? (Kind)store->aux : N_NONE;
    return mk_store(f->ir, store->sym, subscripts, kids, kids[subscripts], compound, store->loc);
}

/* Statements of blocks inside as well: names of all are different. */
static void add_statement(Forwarding *f, Node *n)
{
    for (int i = 0; n->kind == N_BLOCK && i < n->nkids; i++)
        add_statement(f, n->kid[i]);
    if (n->kind == N_BLOCK)
        return;
    const bool simple = n->kind == N_DECL || n->kind == N_ASSIGN || n->kind == N_STORE;
    if (!simple) {
        forget_all(f);
        vec_push(f->ir->arena, &f->out, n);
        return;
    }
    if (n->kind == N_STORE)
        add_store(f, with_scalars(f, n));
    else
        add_assignment(f, rewrite(&(Rewriter){.ir = f->ir, .post = read_scalar, .user = f}, n));
}

static Node *forward(void *user, Node *n)
{
    Forwarding f = {.ir = user};
    Vec kept = {0};
    if (n->kind != N_BLOCK)
        return n;
    for (int i = 0; i < n->nkids; i++)
        add_statement(&f, n->kid[i]);
    for (int i = 0; i < f.out.count; i++)
        if (f.out.items[i])
            vec_push(f.ir->arena, &kept, f.out.items[i]);
    return f.changed ? mk_block(f.ir, kept.count, (Node **)kept.items, n->loc) : n;
}

Node *forward_stores(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = forward, .user = ir}, body); }
