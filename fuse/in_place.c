/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuse/in_place.h"

#include "depend/index.h"
#include "ir/walk.h"

enum { MOST_LOOPS = 16 };

/* Where something is: the loops around, from the outside in. */
typedef struct Site {
    const Node *node; /* N_LOAD or N_STORE */
    const Node *loop[MOST_LOOPS];
    int depth;
} Site;

typedef struct Placing {
    Arena *arena;
    Sym *from, *to;
    Site at;    /* of the statement that is looked at */
    Site store; /* the first use of `to`; its node NULL: it has not come yet */
    Vec others; /* Site *: of `from` before it */
    bool fits;
} Placing;

static bool same_subscripts(const Node *load, const Node *store)
{
    for (int d = 0; d < load->nkids; d++)
        if (load->kid[d] != store->kid[d])
            return false;
    return true;
}

static void use_from(Placing *p, const Node *n)
{
    Site *site = arena_alloc(p->arena, sizeof *site);
    *site = p->at;
    site->node = n;
    vec_push(p->arena, &p->others, site);
    p->fits = p->fits && !p->store.node;
}

typedef struct Making {
    const Placing *p;
    const Node *store;
    bool makes, fits; /* of an element of `from`; of no other one, and of none of `to` */
} Making;

static bool look_at_value(void *user, Node *n)
{
    Making *m = user;
    const bool reads = n->kind == N_LOAD || n->kind == N_REF;
    if (reads && n->sym == m->p->to)
        m->fits = false;
    if (reads && n->sym == m->p->from) {
        m->makes = true;
        m->fits = m->fits && n->kind == N_LOAD && same_subscripts(n, m->store);
    }
    return m->fits;
}

/* Is it the first use of `to`, made of the same element of `from`? */
static bool begins(Placing *p, Node *n)
{
    Making m = {p, n, false, true};
    if (p->store.node || n->kind != N_STORE || n->sym != p->to)
        return false;
    for (int i = 0; i < n->nkids && m.fits; i++)
        walk(&(Walker){.pre = look_at_value, .user = &m}, n->kid[i]);
    return m.makes && m.fits;
}

static bool look(void *user, Node *n)
{
    Placing *p = user;
    if (begins(p, n)) {
        p->store = p->at;
        p->store.node = n;
        return false;
    }
    const bool uses = n->kind == N_LOAD || n->kind == N_STORE || n->kind == N_REF;
    p->fits = p->fits && !(uses && n->sym == p->to && !p->store.node) && !(n->kind == N_REF && n->sym == p->from) &&
              (is_expr(n) || n->kind == N_BLOCK || n->kind == N_DECL || n->kind == N_ASSIGN || n->kind == N_STORE || n->kind == N_FOR ||
               n->kind == N_IF);
    if (uses && n->sym == p->from)
        use_from(p, n);
    if (n->kind == N_FOR && p->fits) {
        p->fits = p->at.depth < MOST_LOOPS;
        for (int i = 0; i < 2 && p->fits; i++)
            walk(&(Walker){.pre = look, .user = p}, n->kid[i]);
        if (p->fits) {
            p->at.loop[p->at.depth++] = n;
            walk(&(Walker){.pre = look, .user = p}, n->kid[2]);
            p->at.depth--;
        }
        return false;
    }
    return p->fits;
}

/* The dimension of the store that is the loop's variable; -1: none is. */
static int dimension_of(const Node *store, const Node *loop)
{
    for (int d = 0; d < store->sym->rank; d++)
        if (is_converted_var(store->kid[d], loop->sym))
            return d;
    return -1;
}

/* Every iteration around the store makes elements of its own, and uses of `from` in the same loops are of the same iteration's. */
static bool keeps_apart(const Placing *p)
{
    const Site *s = &p->store;
    for (int l = 0; l < s->depth; l++)
        if (dimension_of(s->node, s->loop[l]) < 0)
            return false;
    for (int i = 0; i < p->others.count; i++) {
        const Site *other = p->others.items[i];
        for (int l = 0; l < s->depth && l < other->depth && other->loop[l] == s->loop[l]; l++) {
            const int d = dimension_of(s->node, s->loop[l]);
            if (other->node->kid[d] != s->node->kid[d])
                return false;
        }
    }
    return true;
}

static bool are_alike(const Sym *a, const Sym *b)
{
    bool alike = a->kind == S_LOCAL_ARRAY && b->kind == S_LOCAL_ARRAY && a->type == b->type && a->rank == b->rank;
    for (int d = 0; alike && d < a->rank; d++)
        alike = a->extent[d] && a->extent[d] == b->extent[d];
    return alike;
}

static int declaration_of(const Node *block, const Sym *array)
{
    for (int i = 0; i < block->nkids; i++)
        if (block->kid[i]->kind == N_DECL && block->kid[i]->sym == array)
            return i;
    return -1;
}

Node *store_in_place(Ir *ir, Node *body, Sym *from, Sym *to)
{
    Placing p = {.arena = ir->arena, .from = from, .to = to, .fits = true};
    const int declared = body->kind == N_BLOCK ? declaration_of(body, to) : -1;
    if (from == to || !are_alike(from, to) || declared < 0 || declaration_of(body, from) < 0)
        return NULL;
    walk(&(Walker){.pre = look, .user = &p}, body);
    if (!p.fits || !p.store.node || !p.others.count || !keeps_apart(&p))
        return NULL;
    Vec kept = {0};
    for (int i = 0; i < body->nkids; i++)
        if (i != declared)
            vec_push(ir->arena, &kept, body->kid[i]);
    return rename_sym(ir, mk_block(ir, kept.count, (Node **)kept.items, body->loc), to, from);
}
