/* What every iteration computes alike, from what the loop does not change, is computed once before it: loads, which are known not to
 * fault where an iteration runs, divisions and calls. */
#include "ir/walk.h"
#include "plan/nests/vector_state.h"

typedef struct Hoisting {
    const VectorState *s;
    bool stays;  /* the loop changes what it hangs on */
    bool pays;
} Hoisting;

static bool look(void *user, Node *n)
{
    Hoisting *h = user;
    const VectorState *s = h->s;
    if (n->kind == N_VAR && (n->sym->id >= s->nsyms || s->own[n->sym->id] || s->assigned[n->sym->id]))
        h->stays = true;
    if (n->kind == N_LOAD && s->stored[n->sym->id])
        h->stays = true;
    if (n->kind == N_LOAD || n->kind == N_CALL || n->kind == N_DIV || n->kind == N_MOD)
        h->pays = true;
    return !h->stays;
}

Node *vector_before_loop(VectorState *s, Node *e)
{
    Hoisting h = {s, s->depth > 0, false};
    walk(&(Walker){.pre = look, .user = &h}, e);
    if (h.stays || !h.pays)
        return e;
    Node *named = map_get(&s->hoisted, e->id);
    if (!named) {
        Sym *sym = sym_new(s->ir, S_LOCAL, (Type)e->type, "same", e->loc);
        sym->is_const = true;
        vec_push(s->ir->arena, &s->before, mk_decl(s->ir, sym, e, e->loc));
        named = mk_var(s->ir, sym);
        *map_at(s->ir->arena, &s->hoisted, e->id) = named;
    }
    return named;
}
