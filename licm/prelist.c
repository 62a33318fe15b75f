/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The declarations in front of a loop. */
#include "ir/condition.h"
#include "licm/hoist.h"

Node *read_as(Ir *ir, Sym *sym, Type type) { return mk_cast(ir, type, mk_var(ir, sym)); }

static bool asks_truth(const Node *e, int kid)
{
    switch ((Kind)e->kind) {
    case N_LAND:
    case N_LOR:
    case N_LNOT: return true;
    case N_SEL: return kid == 0;
    case N_CAST: return e->type == T_BOOL;
    default: return false;
    }
}

Node *rebuild(Ir *ir, Node *e, Node **kids)
{
    for (int i = 0; i < e->nkids; i++)
        if (asks_truth(e, i))
            kids[i] = truth_of(kids[i]);
    if (e->kind == N_CAST && kids[0]->type == e->type)
        return kids[0];
    return with_kids(ir, e, e->nkids, kids);
}

/* Tidying: where one definition contains another's value, it uses that one's symbol; the other comes first.
 * This ends, since a definition's strict subtrees are smaller, and what they use was made before it. */
typedef struct Tidy {
    Licm *licm;
    Stmts *out;
    Map by_value, by_sym; /* Node.id, Sym.id: Def */
} Tidy;

static void emit_def(Tidy *t, Def *def);

static Node *tidy_expr(Tidy *t, Node *e, const Def *whole)
{
    Def *def = e->kind == N_VAR ? map_get(&t->by_sym, e->sym->id) : map_get(&t->by_value, e->id);
    if (def && def != whole) {
        emit_def(t, def);
        return e->kind == N_VAR ? e : read_as(t->licm->facts->ir, def->sym, e->type);
    }
    if (e->nkids == 0)
        return e;
    Node **kids = arena_new_array(t->licm->facts->ir->scratch, Node *, e->nkids);
    for (int i = 0; i < e->nkids; i++)
        kids[i] = tidy_expr(t, e->kid[i], whole);
    return rebuild(t->licm->facts->ir, e, kids);
}

static void emit_def(Tidy *t, Def *def)
{
    if (def->is_emitted)
        return;
    def->is_emitted = true;
    Ir *ir = t->licm->facts->ir;
    Node *value = tidy_expr(t, def->value, def);
    if (def->sym->type == T_BOOL)
        value = mk_cast(ir, T_BOOL, truth_of(value));
    stmts_add(t->out, mk_decl(ir, def->sym, value, def->sym->loc));
}

void emit_defs(Licm *l, const Loop *loop, Stmts *out)
{
    Tidy t = {.licm = l, .out = out};
    for (int i = 0; i < loop->defs.count; i++) {
        Def *def = loop->defs.items[i];
        *map_at(l->facts->ir->scratch, &t.by_sym, def->sym->id) = def;
        *map_at(l->facts->ir->scratch, &t.by_value, def->value->id) = def;
        *map_at(l->facts->ir->scratch, &t.by_value, def->unwrapped->id) = def;
    }
    for (int i = 0; i < loop->defs.count; i++)
        emit_def(&t, loop->defs.items[i]);
}
