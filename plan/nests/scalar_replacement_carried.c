/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only store to its array, which every iteration does, and a load that every iteration does of what the one before has stored. */
#include "plan/nests/scalar_replacement_carried.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"

enum { MOST_RANK = 16 };

typedef struct Carrying {
    Ir *ir;
    Node *loop;
    Bounds bounds;
    Node *store;
    Node *before[MOST_RANK]; /* subscripts of the element that the iteration before stores */
    Node *load;              /* of that one, NULL: no iteration is certain to do it */
    int stores;              /* to the array */
    bool fixed;              /* subscripts depend on the loop's variable alone */
    bool behind;             /* the store is done */
    Sym *last, *stored;      /* what the iteration before has stored, and this one */
} Carrying;

/* ---------------------------------------------------------------- may it be? */

static bool count_store(void *user, Node *n)
{
    Carrying *c = user;
    c->stores += n->kind == N_STORE && n->sym == c->store->sym;
    return !is_expr(n);
}

static bool search_change(void *user, Node *n)
{
    Carrying *c = user;
    if ((n->kind == N_VAR && n->sym != c->loop->sym) || n->kind == N_LOAD)
        c->fixed = c->fixed && !writes_sym(c->loop->kid[2], n->sym);
    return c->fixed;
}

/* Has every iteration an element of its own? */
static bool moves(Carrying *c)
{
    bool found = false;
    c->fixed = true;
    for (int d = 0; d < c->store->sym->rank; d++) {
        Poly *coef, *rest;
        int64_t step;
        Node *e = c->store->kid[d];
        walk(&(Walker){.pre = search_change, .user = c}, e);
        found = found || (poly_affine(c->ir, poly_of(c->ir, e), &c->loop->sym, 1, &coef, &rest) && poly_const(coef, &step) && step != 0);
    }
    return found && c->fixed;
}

static bool is_at(const Carrying *c, const Node *load, Node *const *subscripts)
{
    if (load->kind != N_LOAD || load->sym != c->store->sym)
        return false;
    for (int d = 0; d < load->nkids; d++)
        if (!poly_equal(poly_of(c->ir, load->kid[d]), poly_of(c->ir, subscripts[d])))
            return false;
    return true;
}

/* Loads of the element before, but of branches those of their conditions only. */
static bool search_load(void *user, Node *n)
{
    Carrying *c = user;
    if (is_at(c, n, c->before))
        c->load = n;
    if (n->kind != N_IF && n->kind != N_SEL && !(kind_info[n->kind].flags & F_LAZY))
        return !c->load;
    walk(&(Walker){.pre = search_load, .user = c}, n->kid[0]);
    return false;
}

/* Numbers that have variables as they are in memory. */
static bool is_plain(Type type) { return type == T_DOUBLE || type == T_FLOAT || (type_is_integer(type) && type_bits(type) >= 32); }

static bool may_carry(Carrying *c)
{
    const Sym *array = c->store->sym, *var = c->loop->sym;
    if (!is_plain(array->type) || array->is_volatile || array->rank > MOST_RANK || !reads_array(c->loop->kid[2], array) || !moves(c))
        return false;
    walk(&(Walker){.pre = count_store, .user = c}, c->loop->kid[2]);
    Node *one = mk_int(c->ir, var->type, c->bounds.step), *earlier = mk_binary(c->ir, N_SUB, mk_var(c->ir, c->loop->sym), one);
    for (int d = 0; d < array->rank; d++)
        c->before[d] = substitute(c->ir, c->store->kid[d], c->loop->sym, earlier);
    walk(&(Walker){.pre = search_load, .user = c}, c->loop->kid[2]);
    return c->stores == 1 && c->load;
}

/* ---------------------------------------------------------------- do it */

static Node *replace(void *user, Node *n)
{
    Carrying *c = user;
    if (is_at(c, n, c->before))
        return mk_var(c->ir, c->last);
    return c->behind && is_at(c, n, c->store->kid) ? mk_var(c->ir, c->stored) : n;
}

static Node *replaced(Carrying *c, Node *n) { return rewrite(&(Rewriter){.ir = c->ir, .post = replace, .user = c}, n); }

static Node *carrying_body(Carrying *c)
{
    Ir *ir = c->ir;
    Node *body = c->loop->kid[2], *store = c->store;
    const Loc loc = store->loc;
    Vec out = {0};
    for (int i = 0; i < body->nkids; i++) {
        if (body->kid[i] != store) {
            vec_push(ir->arena, &out, replaced(c, body->kid[i]));
            continue;
        }
        vec_push(ir->arena, &out, mk_decl(ir, c->stored, replaced(c, stmt_value(store)), loc));
        vec_push(ir->arena, &out, mk_store(ir, store->sym, store->sym->rank, store->kid, mk_var(ir, c->stored), N_NONE, loc));
        c->behind = true;
    }
    vec_push(ir->arena, &out, mk_assign(ir, c->last, mk_var(ir, c->stored), N_NONE, loc));
    return mk_block(ir, out.count, (Node **)out.items, body->loc);
}

/* last_y of an array y. */
static Sym *own_symbol(const Carrying *c, const char *what)
{
    const Sym *array = c->store->sym;
    return sym_new(c->ir, S_LOCAL, array->type, arena_printf(c->ir->arena, "%s_%s", what, array->name), c->store->loc);
}

/* The loop behind what it begins with, with the store's element carried. */
static Node *carried(Carrying *c, Vec *out)
{
    Ir *ir = c->ir;
    const Loc loc = c->store->loc;
    c->last = own_symbol(c, "last");
    c->stored = own_symbol(c, "stored");
    c->stored->is_const = true;
    Node *runs = mk_binary(ir, N_GT, trip_count_of_running(ir, c->loop), ix_int(ir, 0));
    Node *first = substitute(ir, c->load, c->loop->sym, c->bounds.lo);
    vec_push(ir->arena, out, mk_decl(ir, c->last, NULL, loc));
    vec_push(ir->arena, out, mk_if(ir, runs, mk_assign(ir, c->last, first, N_NONE, loc), NULL, loc));
    Node *kids[] = {c->loop->kid[0], c->loop->kid[1], carrying_body(c)};
    return with_kids(ir, c->loop, 3, kids);
}

static Node *carry(void *user, Node *n)
{
    Ir *ir = user;
    Bounds b;
    Vec out = {0};
    if (n->kind != N_FOR || n->aux & FOR_PARALLEL || !loop_declares(n) || has_kind(n->kid[2], N_FOR) || !for_bounds(n, &b) ||
        !trip_count_of_running(ir, n) || !type_is_signed(b.var->type) || writes_sym(n->kid[2], b.var))
        return n;
    Node *body = n->kid[2]->kind == N_BLOCK ? n->kid[2] : mk_block(ir, 1, &n->kid[2], n->loc), *kids[] = {n->kid[0], n->kid[1], body};
    Node *loop = with_kids(ir, n, 3, kids);
    for (int i = 0; i < loop->kid[2]->nkids; i++) {
        Carrying c = {.ir = ir, .loop = loop, .bounds = b, .store = loop->kid[2]->kid[i]};
        if (c.store->kind == N_STORE && may_carry(&c)) {
            loop = carried(&c, &out);
            i++; /* the declaration */
        }
    }
    if (!out.count)
        return n;
    vec_push(ir->arena, &out, loop);
    return mk_block(ir, out.count, (Node **)out.items, n->loc);
}

Node *replace_carried_elements(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = carry, .user = ir}, body); }
