/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the loads and stores of a body, and refuses those that may meet under two spellings. */
#include "plan/grid/accesses.h"

#include "ir/walk.h"

typedef struct AccessSearch {
    Ir *ir;
    Vec *accesses;
    bool certain, fits;
} AccessSearch;

static BodyAccess *access_named(AccessSearch *l, Node *node)
{
    for (int i = 0; i < l->accesses->count; i++)
        if (((BodyAccess *)l->accesses->items[i])->node == node)
            return l->accesses->items[i];
    BodyAccess *a = arena_alloc(l->ir->arena, sizeof *a);
    a->node = node;
    vec_push(l->ir->arena, l->accesses, a);
    return a;
}

static void look(AccessSearch *l, Node *e)
{
    bool certain = l->certain;
    for (int i = 0; i < e->nkids; i++) {
        l->certain = certain && !(kind_info[e->kind].flags & F_LAZY && i > 0);
        look(l, e->kid[i]);
    }
    l->certain = certain;
    if (e->kind == N_LOAD) {
        BodyAccess *a = access_named(l, e);
        a->read = true;
        a->certain = a->certain || certain;
    }
}

static void look_at(AccessSearch *l, Node *n)
{
    bool certain = l->certain;
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            look_at(l, n->kid[i]);
        break;
    case N_IF:
        look(l, n->kid[0]);
        l->certain = false;
        for (int i = 1; i < n->nkids; i++)
            look_at(l, n->kid[i]);
        l->certain = certain;
        break;
    case N_DECL: l->fits = l->fits && !n->sym->rank; /* fall through */
    case N_ASSIGN:
        for (int i = 0; i < n->nkids; i++)
            look(l, n->kid[i]);
        break;
    case N_STORE: {
        for (int i = 0; i < n->nkids; i++)
            look(l, n->kid[i]);
        BodyAccess *a = access_named(l, mk_load(l->ir, n->sym, n->nkids - 1, n->kid));
        a->stored = true;
        a->certain = a->certain || certain;
        break;
    }
    default: l->fits = false;
    }
}

bool body_accesses(Ir *ir, Node *body, Vec *accesses)
{
    AccessSearch l = {ir, accesses, true, true};
    accesses->count = 0;
    look_at(&l, body);
    for (int i = 0; l.fits && i < accesses->count; i++)
        for (int j = 0; j < i; j++) {
            const BodyAccess *a = accesses->items[i], *b = accesses->items[j];
            if (a->node->sym == b->node->sym && (a->stored || b->stored))
                l.fits = false;
        }
    return l.fits;
}
