/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a declared integer stands for is the same wherever it is seen, when neither it nor what it is made of is assigned. */
#include "plan/nests/subscripts.h"

#include "depend/index.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

typedef struct Spelling {
    Ir *ir;
    bool *changes; /* per symbol id: scalars that are assigned, or count in loops that do not declare them */
    Map values;    /* by symbol id: Node *, sums that are declared under the name */
    bool *reads;   /* per symbol id: scalars whose values are still used */
} Spelling;

static bool note_change(void *user, Node *n)
{
    Spelling *s = user;
    if (n->kind == N_ASSIGN || (n->kind == N_FOR && !loop_declares(n)))
        s->changes[n->sym->id] = true;
    return !is_expr(n);
}

static bool is_sum(const Spelling *s, const Node *e)
{
    if (!type_is_integer(e->type) || !type_is_signed(e->type) || !computes_as_index(e->type))
        return false;
    switch ((Kind)e->kind) {
    case N_INT: return true;
    case N_VAR: return !s->changes[e->sym->id];
    case N_ADD:
    case N_SUB: return is_sum(s, e->kid[0]) && is_sum(s, e->kid[1]);
    case N_MUL: return (e->kid[0]->kind == N_INT || e->kid[1]->kind == N_INT) && is_sum(s, e->kid[0]) && is_sum(s, e->kid[1]);
    default: return false;
    }
}

static bool note_value(void *user, Node *n)
{
    Spelling *s = user;
    if (n->kind == N_DECL && n->nkids && n->sym->rank == 0 && !s->changes[n->sym->id] && n->sym->type == n->kid[0]->type &&
        is_sum(s, n->kid[0]))
        *map_at(s->ir->arena, &s->values, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

static Node *spell(void *user, Node *n)
{
    const Spelling *s = user;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return n;
    const int rank = n->kind == N_STORE ? n->nkids - 1 : n->nkids;
    Node **kids = arena_new_array(s->ir->arena, Node *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = i < rank ? expand_names(s->ir, &s->values, n->kid[i]) : n->kid[i];
    return with_kids(s->ir, n, n->nkids, kids);
}

static Node *value_of(const Spelling *s, const Node *n) { return map_get(&s->values, n->sym->id); }

/* What a name stands for is read where the name is. */
static bool note_read(void *user, Node *n)
{
    Spelling *s = user;
    if (n->kind == N_VAR && !s->reads[n->sym->id]) {
        s->reads[n->sym->id] = true;
        if (value_of(s, n))
            walk(&(Walker){.pre = note_read, .user = s}, value_of(s, n));
    }
    return n->kind != N_DECL || !value_of(s, n);
}

static Node *drop_unread(void *user, Node *n)
{
    const Spelling *s = user;
    return n->kind == N_DECL && value_of(s, n) && !s->reads[n->sym->id] ? NULL : n;
}

Node *spell_subscripts(Ir *ir, Node *body)
{
    Spelling s = {
        .ir = ir, .changes = arena_new_array(ir->arena, bool, ir->nsyms + 1), .reads = arena_new_array(ir->arena, bool, ir->nsyms + 1)};
    walk(&(Walker){.pre = note_change, .user = &s}, body);
    walk(&(Walker){.pre = note_value, .user = &s}, body);
    body = rewrite(&(Rewriter){.ir = ir, .post = spell, .user = &s}, body);
    walk(&(Walker){.pre = note_read, .user = &s}, body);
    return rewrite(&(Rewriter){.ir = ir, .post = drop_unread, .user = &s}, body);
}
