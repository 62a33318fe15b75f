/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Masks that are long have names: each condition in a chain of them is evaluated for the lanes that those in front of it leave, and would
 * spell these out, whose loads spell out what is in front of them. */
#include "depend/env.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

enum {
    MOST_OF_LANES = 32, /* nodes: s->here.where stands in every load and store */
    MOST = 200,         /* of other masks */
    MOST_UNNAMED = 2000 /* where there is no room for a declaration */
};

static Node *named(VectorState *s, Node *mask, int most)
{
    if (tree_size(mask, most + 1) <= most)
        return mask;
    if (!s->here.now)
        return tree_size(mask, MOST_UNNAMED + 1) <= MOST_UNNAMED ? mask : vector_refuse(s, "a condition is too long");
    Sym *here = sym_new(s->ir, S_LOCAL, (Type)mask->type, "here", mask->loc);
    here->is_const = true;
    vec_push(s->ir->arena, s->here.now, mk_decl(s->ir, here, mask, mask->loc));
    *map_at(s->ir->arena, &s->masks.syms, here->id) = here;
    s->masks.count++;
    return mk_var(s->ir, here);
}

Node *vector_named_mask(VectorState *s, Node *mask) { return named(s, mask, MOST); }

Node *vector_mask_within(VectorState *s, Node *outer, Node *mask) { return named(s, vector_and(s->ir, outer, mask), MOST_OF_LANES); }

typedef struct Uses {
    Arena *arena;
    const MaskNames *masks;
    Map used; /* by symbol id */
    int dropped;
} Uses;

static bool note_use(void *user, Node *n)
{
    Uses *u = user;
    if (n->kind == N_VAR && map_get(&u->masks->syms, n->sym->id))
        *map_at(u->arena, &u->used, n->sym->id) = n;
    return true;
}

static Node *drop_unused(void *user, Node *n)
{
    Uses *u = user;
    const bool unused = n->kind == N_DECL && map_get(&u->masks->syms, n->sym->id) && !map_get(&u->used, n->sym->id);
    u->dropped += unused;
    return unused ? NULL : n;
}

static Node *skip_expressions(void *user, Node *n)
{
    (void)user;
    return is_expr(n) ? n : NULL;
}

Node *vector_drop_unused_masks(Ir *ir, const MaskNames *masks, Node *body)
{
    for (int dropped = masks->count; dropped > 0;) {
        Uses u = {.arena = ir->arena, .masks = masks};
        walk(&(Walker){.pre = note_use, .user = &u}, body);
        body = rewrite(&(Rewriter){.ir = ir, .pre = skip_expressions, .post = drop_unused, .user = &u}, body);
        dropped = u.dropped;
    }
    return body;
}
