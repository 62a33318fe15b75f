/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops from the inside out; only what every iteration loads. Non-temporal stores are built-in functions that compilers expect to write
 * anywhere: beside these, what is loaded for all iterations moves here, too. */
#include "plan/vectors/invariant_load_hoisting.h"

#include "ir/simplify.h"
#include "ir/walk.h"

enum { MOST = 16 }; /* the compiler keeps in memory what registers do not hold: a load in the place of as many as there are lanes */

typedef struct Hoisting {
    Ir *ir;
    bool converted;
    Node *loop;
    Node *gather[MOST]; /* with the conversions around it */
    Sym *same[MOST];
    int count;
} Hoisting;

static bool is_changed(void *user, Node *n)
{
    Node *loop = user;
    const bool reads = n->kind == N_VAR || n->kind == N_LOAD || n->kind == N_VLOAD || n->kind == N_MEMBER || n->kind == N_ROW_LOAD ||
                       n->kind == N_GATHER;
    return reads && writes_sym(loop, n->sym);
}

/* Has the expression been noted? */
static bool is_noted(const Hoisting *h, const Node *n)
{
    for (int i = 0; i < h->count; i++)
        if (h->gather[i] == n)
            return true;
    return false;
}

static bool is_gather(const Node *n)
{
    while (n->kind == N_CAST)
        n = n->kid[0];
    return n->kind == N_GATHER;
}

typedef struct Parts {
    bool loads, converts, other;
} Parts;

static bool note_part(void *user, Node *n)
{
    Parts *p = user;
    const Kind k = (Kind)n->kind;
    p->loads = p->loads || k == N_VLOAD;
    p->converts = p->converts || k == N_CAST;
    p->other = p->other || (k != N_VLOAD && k != N_CAST && k != N_SPLAT && k != N_ADD && k != N_SUB && k != N_MUL);
    return k != N_VLOAD && k != N_SPLAT && !p->other;
}

/* Neighbours that are converted, and perhaps added to or multiplied. */
static bool is_converted(Node *n)
{
    Parts p = {false, false, false};
    if (type_is_vector((Type)n->type))
        walk(&(Walker){.pre = note_part, .user = &p}, n);
    return p.loads && p.converts && !p.other;
}

static bool note_name(void *user, Node *n)
{
    const char **name = user;
    if (!*name && (n->kind == N_GATHER || n->kind == N_VLOAD || n->kind == N_LOAD))
        *name = n->sym->name;
    return !*name;
}

static bool note_gather(void *user, Node *n)
{
    Hoisting *h = user;
    if (!is_expr(n))
        return n->kind != N_IF && n->kind != N_FOR;
    if (!is_gather(n) && !(h->converted && is_converted(n)))
        return true;
    if (h->count == MOST)
        return false;
    if (is_noted(h, n) || any_node(n, is_changed, h->loop))
        return !is_gather(n); /* a part of it may not */
    h->gather[h->count++] = n;
    return false;
}

static bool is_stream(void *user, Node *n)
{
    (void)user;
    return n->kind == N_VSTORE && n->aux == VSTORE_NON_TEMPORAL;
}

/* A scalar that all lanes get, or a part of a subscript. */
static bool is_loaded_scalar(Node *n)
{
    Node *scalar = n->kind == N_SPLAT ? n->kid[0] : n;
    return (n->kind == N_SPLAT || n->type == T_INDEX) && reads_array(scalar, NULL);
}

static bool note_scalar(void *user, Node *n)
{
    Hoisting *h = user;
    const bool expr = is_expr(n);
    if (expr ? kind_info[n->kind].flags & F_LAZY : n->kind == N_IF || n->kind == N_FOR)
        return false;
    if (!expr || h->count == MOST || !is_loaded_scalar(n))
        return h->count < MOST;
    if (is_noted(h, n))
        return false;
    if (any_node(n, is_changed, h->loop))
        return true;
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

typedef struct Wish {
    Ir *ir;
    bool converted;
} Wish;

static Node *hoist(void *user, Node *n)
{
    const Wish *wish = user;
    Ir *ir = wish->ir;
    Hoisting h = {.ir = ir, .converted = wish->converted, .loop = n};
    Vec out = {0};
    if (n->kind != N_FOR || !n->aux)
        return n;
    walk(&(Walker){.pre = note_gather, .user = &h}, n->kid[2]);
    const bool streams = any_stmt(n->kid[2], is_stream, NULL);
    if (streams)
        walk(&(Walker){.pre = note_scalar, .user = &h}, n->kid[2]);
    if (!h.count)
        return n;
    for (int i = 0; i < h.count; i++) {
        const char *name = NULL;
        walk(&(Walker){.pre = note_name, .user = &name}, h.gather[i]);
        h.same[i] = sym_new(ir, S_LOCAL, (Type)h.gather[i]->type, arena_printf(ir->arena, "%s_same", name), n->loc);
        h.same[i]->is_const = true;
        vec_push(ir->arena, &out, mk_decl(ir, h.same[i], h.gather[i], n->loc));
    }
    vec_push(ir->arena, &out, with_kid(ir, n, 2, rewrite(&(Rewriter){.ir = ir, .pre = use_same, .user = &h}, n->kid[2])));
    Node *runs = simplify(ir, substitute(ir, n->kid[1], n->sym, n->kid[0]));
    if (is_int(runs, 1))
        return mk_block(ir, out.count, (Node **)out.items, n->loc);
    return mk_if(ir, runs, mk_block(ir, out.count, (Node **)out.items, n->loc), NULL, n->loc);
}

Node *hoist_invariant_loads(Ir *ir, Node *body, bool converted)
{
    Wish wish = {ir, converted};
    return rewrite(&(Rewriter){.ir = ir, .post = hoist, .user = &wish}, body);
}
