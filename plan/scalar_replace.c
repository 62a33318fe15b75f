/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds an element that every iteration updates and nothing else touches, and moves it in front of the loop. */
#include "plan/scalar_replace.h"

#include "depend/carry.h"
#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/range.h"
#include "ir/walk.h"

enum { MAX_PATH = 6, MAX_RANK = 16 };

typedef struct Replacement {
    Ir *ir;
    Ranges *ranges; /* of all around the loop */
    Vec *around;    /* the loops around it, Node *, if they count */
    bool deep;
    Node *loop;
    bool *changes; /* per symbol id: declared, assigned or stored to in the loop */
    bool *maybe;   /* likewise: stored to in a branch, which compilers turn into moves in memory and into jumps in scalars */
    Node *store;   /* one that every iteration does, and the loops around it, the outermost first */
    Node *path[MAX_PATH];
    int npath;
    bool fits;
    Sym *scalar;
} Replacement;

static bool note_branch_store(void *user, Node *n)
{
    Replacement *h = user;
    if (n->kind == N_STORE)
        h->maybe[n->sym->id] = true;
    return !is_expr(n);
}

static bool note_change(void *user, Node *n)
{
    Replacement *h = user;
    if (n->kind == N_DECL || n->kind == N_ASSIGN || n->kind == N_STORE || n->kind == N_FOR)
        h->changes[n->sym->id] = true;
    if (n->kind == N_IF)
        walk(&(Walker){.pre = note_branch_store, .user = h}, n);
    return !is_expr(n);
}

static bool note_varying(void *user, Node *n)
{
    Replacement *h = user;
    if ((n->kind == N_VAR || n->kind == N_LOAD) && h->changes[n->sym->id])
        h->fits = false;
    return h->fits;
}

static bool is_fixed(Replacement *h, Node *e)
{
    h->fits = true;
    walk(&(Walker){.pre = note_varying, .user = h}, e);
    return h->fits;
}

/* Steps into a loop on the way to the store. */
static bool enter(Replacement *h, Node *n)
{
    Node *trip = n->aux && h->npath < MAX_PATH ? trip_count_of_running(h->ir, n) : NULL;
    if (!trip || !is_fixed(h, n->kid[0]) || !is_fixed(h, trip)) /* asked again behind the loop */
        return false;
    h->path[h->npath++] = n;
    return true;
}

/* Does the element stay the same one, and does nothing but loads and stores of it touch it? */
static bool is_alone(Replacement *h, Node *store)
{
    if (h->maybe[store->sym->id] || store->sym->rank > MAX_RANK || !reads_array(h->loop, store->sym))
        return false;
    for (int d = 0; d < store->sym->rank; d++)
        if (!is_fixed(h, store->kid[d]))
            return false;
    return !touched_otherwise(h->ir, h->around, h->loop, store);
}

/* Finds h->store, which every iteration of the loop and of the loops in it reaches. */
static bool find_store(Replacement *h, Node *n)
{
    const int depth = h->npath;
    switch ((Kind)n->kind) {
    case N_STORE: h->store = is_alone(h, n) ? n : NULL; break;
    case N_FOR:
        if (enter(h, n) && !find_store(h, n->kid[2]))
            h->npath = depth;
        break;
    case N_BLOCK:
        for (int i = 0; i < n->nkids && !h->store; i++)
            find_store(h, n->kid[i]);
        break;
    default: break;
    }
    return h->store != NULL;
}

static bool same_place(const Replacement *h, Node *const *a, Node *const *b)
{
    for (int d = 0; d < h->store->sym->rank; d++)
        if (!poly_equal(poly_of(h->ir, a[d]), poly_of(h->ir, b[d])))
            return false;
    return true;
}

static Node *replaced_post(void *user, Node *n)
{
    Replacement *h = user;
    if (n->kind == N_LOAD && n->sym == h->store->sym && same_place(h, n->kid, h->store->kid))
        return mk_var(h->ir, h->scalar);
    if (n->kind == N_STORE && n->sym == h->store->sym && same_place(h, n->kid, h->store->kid))
        return mk_assign(h->ir, h->scalar, stmt_value(n), (Kind)n->aux, n->loc);
    return n;
}

/* The statement where all loops run around the element: those that always do need not be asked. */
static Node *guarded(const Replacement *h, Node *stmt)
{
    Node *cond = NULL;
    for (int i = h->npath - 1; i >= 0; i--) {
        Node *trip = trip_count_of_running(h->ir, h->path[i]);
        if (range_of(h->ranges, trip).lo > 0)
            continue;
        Node *runs = mk_binary(h->ir, N_GT, trip, ix_int(h->ir, 0));
        cond = cond ? mk_binary(h->ir, N_LAND, runs, cond) : runs;
    }
    return cond ? mk_if(h->ir, cond, stmt, NULL, stmt->loc) : stmt;
}

static Node *replaced_in(const Replacement *outside, Node *body);

/* The loop with the element in a scalar, between the statements that load and store it. */
static Node *with_scalar(Replacement *h)
{
    Ir *ir = h->ir;
    const Loc loc = h->loop->loc;
    const Sym *array = h->store->sym;
    Node *sub[MAX_RANK];
    h->scalar = sym_new(ir, S_LOCAL, array->type, "held", h->store->loc);
    for (int d = 0; d < array->rank; d++)
        sub[d] = h->store->kid[d];
    Node *element = mk_load(ir, h->store->sym, array->rank, sub);
    Node *loop = replaced_in(h, rewrite(&(Rewriter){.ir = ir, .post = replaced_post, .user = h}, h->loop));
    Vec out = {0};
    vec_push(ir->arena, &out, mk_decl(ir, h->scalar, NULL, loc));
    vec_push(ir->arena, &out, guarded(h, mk_assign(ir, h->scalar, element, N_NONE, loc)));
    for (int i = 0; i < (loop->kind == N_BLOCK ? loop->nkids : 1); i++)
        vec_push(ir->arena, &out, loop->kind == N_BLOCK ? loop->kid[i] : loop);
    vec_push(ir->arena, &out, guarded(h, mk_store(ir, h->store->sym, array->rank, sub, mk_var(ir, h->scalar), N_NONE, loc)));
    return mk_block(ir, out.count, (Node **)out.items, loc);
}

static Node *replace_pre(void *user, Node *n)
{
    const Replacement *outside = user;
    Ir *ir = outside->ir;
    if (is_expr(n))
        return n;
    if (n->kind != N_FOR)
        return NULL;
    Replacement h = {.ir = ir, .ranges = outside->ranges, .around = outside->around, .deep = outside->deep, .loop = n};
    h.changes = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    h.maybe = arena_new_array(ir->scratch, bool, ir->nsyms + 1);
    walk(&(Walker){.pre = note_change, .user = &h}, n);
    if (find_store(&h, n))
        return with_scalar(&h);
    if (!h.deep)
        return NULL;
    vec_push(ir->arena, h.around, n);
    Node *kids[] = {n->kid[0], n->kid[1], replaced_in(&h, n->kid[2])};
    h.around->count--;
    return with_kids(ir, n, 3, kids);
}

static Node *replaced_in(const Replacement *outside, Node *body)
{
    return rewrite(&(Rewriter){.ir = outside->ir, .pre = replace_pre, .user = (void *)outside}, body);
}

Node *replace_elements(Ir *ir, Node *body, bool deep)
{
    Vec around = {0};
    return replaced_in(&(Replacement){.ir = ir, .ranges = ranges_new(ir, body), .around = &around, .deep = deep}, body);
}
