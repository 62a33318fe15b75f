/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the loads and stores of a body, and refuses those that may meet under two spellings. */
#include "plan/grid/accesses.h"

#include "ir/sym_map.h"

typedef struct AccessSearch {
    Ir *ir;
    Vec *accesses;
    Map known; /* by id of the node: the BodyAccess of it */
    bool certain, fits;
} AccessSearch;

static BodyAccess *access_named(AccessSearch *l, Node *node)
{
    void **known = map_at(l->ir->arena, &l->known, node->id);
    if (*known)
        return *known;
    BodyAccess *a = *known = arena_alloc(l->ir->arena, sizeof *a);
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

/* Of an array that is stored to, is one element all that is touched? */
static bool are_alone(Ir *ir, const Vec *accesses)
{
    Map last = {0}; /* by id of the array: the access met last */
    for (int i = 0; i < accesses->count; i++) {
        BodyAccess *a = accesses->items[i];
        void **before = map_at(ir->arena, &last, a->node->sym->id);
        if (*before && (a->stored || ((BodyAccess *)*before)->stored))
            return false;
        *before = a;
    }
    return true;
}

bool body_accesses(Ir *ir, Node *body, Vec *accesses)
{
    AccessSearch l = {.ir = ir, .accesses = accesses, .certain = true, .fits = true};
    accesses->count = 0;
    look_at(&l, body);
    return l.fits && are_alone(ir, accesses);
}
