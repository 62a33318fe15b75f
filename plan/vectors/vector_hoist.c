/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every iteration computes alike, from what the loop does not change, is computed once before it: loads, which are known not to
 * fault where an iteration runs, divisions and calls. In a branch likewise once for all its statements. */
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

typedef struct Hoisting {
    const LoopFacts *facts;
    bool stays;  /* the loop changes what it depends on */
    bool pays;
} Hoisting;

static bool look(void *user, Node *n)
{
    Hoisting *h = user;
    const LoopFacts *facts = h->facts;
    if (n->kind == N_VAR && (n->sym->id >= facts->nsyms || vector_fact(facts, n->sym, OWN | ASSIGNED)))
        h->stays = true;
    if (n->kind == N_LOAD && vector_fact(facts, n->sym, STORED))
        h->stays = true;
    if (n->kind == N_LOAD || n->kind == N_CALL || n->kind == N_DIV || n->kind == N_MOD)
        h->pays = true;
    return !h->stays;
}

Node *vector_before_loop(VectorState *s, Node *e)
{
    Hoisting h = {&s->loop, s->here.depth > 0, false};
    walk(&(Walker){.pre = look, .user = &h}, e);
    if (h.stays || !h.pays)
        return e;
    Node *named = map_get(&s->before.hoisted, e->id);
    if (!named) {
        Sym *sym = sym_new(s->ir, S_LOCAL, (Type)e->type, "same", e->loc);
        sym->is_const = true;
        vec_push(s->ir->arena, &s->before.decls, mk_decl(s->ir, sym, e, e->loc));
        named = mk_var(s->ir, sym);
        *map_at(s->ir->arena, &s->before.hoisted, e->id) = named;
    }
    return named;
}

static bool look_for_changes(void *user, Node *n)
{
    Hoisting *h = user;
    const LoopFacts *facts = h->facts;
    h->stays = h->stays || (n->kind == N_VAR && (n->sym->id >= facts->nsyms || vector_fact(facts, n->sym, ASSIGNED))) ||
               (n->kind == N_LOAD && vector_fact(facts, n->sym, STORED));
    return !h->stays;
}

Node *vector_shared(VectorState *s, Node *e, Node *value, int copy)
{
    Hoisting h = {&s->loop, !s->here.branch.out || s->here.where[copy] != s->here.branch.taken[copy], true};
    walk(&(Walker){.pre = look_for_changes, .user = &h}, e);
    if (h.stays)
        return value;
    const int number = e->id * MOST_COPIES + copy;
    Node *named = map_get(&s->here.branch.shared, number);
    if (!named) {
        Sym *sym = sym_new(s->ir, S_LOCAL, (Type)e->type, "same", e->loc);
        sym->is_const = true;
        vec_push(s->ir->arena, s->here.branch.out, mk_decl(s->ir, sym, value, e->loc));
        named = mk_var(s->ir, sym);
        *map_at(s->ir->arena, &s->here.branch.shared, number) = named;
    }
    return named;
}
