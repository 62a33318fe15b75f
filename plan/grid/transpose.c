/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for a load that is near along y and far along x in a body whose stores are the other way round. */
#include "plan/grid/transpose.h"

#include "depend/env.h"
#include "ir/walk.h"
#include "plan/grid/accesses.h"
#include "plan/grid/stride.h"

typedef struct Fetching {
    Ir *ir;
    const Tile *tile;
} Fetching;

static Node *fetched_post(void *user, Node *n)
{
    const Fetching *f = user;
    return n == f->tile->load ? mk_var(f->ir, f->tile->value) : n;
}

/* Scalars of the body are not known where the element is fetched. */
static bool uses_only_outside(Node *load, Node *body)
{
    bool ok = true;
    for (int i = 0; i < (body->kind == N_BLOCK ? body->nkids : 0); i++)
        if (body->kid[i]->kind == N_DECL && uses_sym(load, body->kid[i]->sym))
            ok = false;
    return ok;
}

bool find_tile(Ir *ir, Node *const *loops, int nloops, int x, Node *body, Tile *tile)
{
    Vec accesses = {0};
    *tile = (Tile){.along = -1};
    if (nloops < 2 || !body_accesses(ir, body, &accesses))
        return false;
    const Map defs = find_defs(ir, body);
    int far = 0;
    for (int i = 0; i < accesses.count; i++) {
        const BodyAccess *a = accesses.items[i];
        if (nearness_of(ir, a->node, loops[x]->sym, loops[x]->u.i, &defs) >= 0)
            continue;
        far++;
        for (int j = 0; j < nloops; j++)
            if (j != x && nearness_of(ir, a->node, loops[j]->sym, loops[j]->u.i, &defs) > 0)
                tile->along = j;
        if (a->stored || !a->certain || !uses_only_outside(a->node, body))
            return false;
        tile->load = a->node;
    }
    if (far != 1 || tile->along < 0)
        return false;
    tile->value = sym_new(ir, S_PARAM, tile->load->type, "fetched", tile->load->loc);
    Fetching f = {ir, tile};
    tile->body = rewrite(&(Rewriter){.ir = ir, .post = fetched_post, .user = &f}, body);
    return true;
}
