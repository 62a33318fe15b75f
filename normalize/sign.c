/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proves intervals of unsigned arithmetic, and casts its leaves where they fit. */
#include "normalize/sign.h"

#include <string.h>

#include "ir/range.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

/* An unsigned expression's equal in int; `value` NULL if there is none. */
typedef struct Signed {
    Node *value;
    bool reads_index; /* of a thread or block */
} Signed;

typedef struct Pass {
    Ir *ir;
    Ranges *ranges;
    Map known; /* by Node.id: Signed */
} Pass;

static bool is_index_variable(const Sym *sym) { return sym->kind == S_PARAM && sym->has_range && strchr(sym->name, '.'); }

static bool fits_int(Pass *p, Node *e) { return range_within(range_of(p->ranges, e), (Range){0, type_range(T_INT).hi}); }

static const Signed *signed_form(Pass *p, Node *e);

static Signed leaf(Pass *p, Node *e)
{
    if (!fits_int(p, e))
        return (Signed){NULL, false};
    if (e->kind == N_INT)
        return (Signed){mk_int(p->ir, T_INT, e->u.i), false};
    bool is_index = e->kind == N_VAR && is_index_variable(e->sym);
    return (Signed){mk_cast(p->ir, T_INT, e), is_index};
}

/* (unsigned)x, x of a signed or narrower type: x itself, if it is not negative. */
static Signed conversion(Pass *p, Node *e)
{
    Node *x = e->kid[0];
    if (!type_is_integer(x->type) || type_bits(x->type) > type_bits(T_INT) || !fits_int(p, x))
        return (Signed){NULL, false};
    if ((Type)x->type == T_INT && x->kind == N_CAST && (Type)x->kid[0]->type == T_UINT)
        return *signed_form(p, x->kid[0]);
    return (Signed){mk_cast(p->ir, T_INT, x), false};
}

/* The operation on the operands' int forms, if its exact result is an int again. */
static Signed operation(Pass *p, Node *e)
{
    Node *kids[2];
    bool reads_index = false;
    for (int i = 0; i < e->nkids; i++) {
        const Signed *kid = (Type)e->kid[i]->type == T_UINT ? signed_form(p, e->kid[i]) : NULL;
        bool is_count = i == 1 && (e->kind == N_SHL || e->kind == N_SHR);
        if (!is_count && (!kid || !kid->value))
            return (Signed){NULL, false};
        kids[i] = is_count ? e->kid[i] : kid->value;
        reads_index |= kid && kid->reads_index;
    }
    Node *value = mk_binary(p->ir, e->kind, kids[0], kids[1]);
    bool undefined = expr_flags(p->ranges, value) & (EXPR_TRAPS | EXPR_OVERFLOWS);
    return undefined || !fits_int(p, value) ? (Signed){NULL, false} : (Signed){value, reads_index};
}

static Signed find_form(Pass *p, Node *e)
{
    switch ((Kind)e->kind) {
    case N_INT:
    case N_VAR: return leaf(p, e);
    case N_CAST: return conversion(p, e);
    case N_ADD:
    case N_SUB:
    case N_MUL:
    case N_DIV:
    case N_MOD:
    case N_AND:
    case N_OR:
    case N_XOR:
    case N_SHL:
    case N_SHR:
    case N_MIN:
    case N_MAX: return operation(p, e);
    default: return (Signed){NULL, false};
    }
}

static const Signed *signed_form(Pass *p, Node *e)
{
    Signed *known = map_get(&p->known, e->id);
    if (!known) {
        known = arena_alloc(p->ir->scratch, sizeof *known);
        *known = find_form(p, e);
        *map_at(p->ir->scratch, &p->known, e->id) = known;
    }
    return known;
}

/* `e`, whose value matters and whose type does not. */
static Node *any_type(Pass *p, Node *e)
{
    if ((Type)e->type != T_UINT)
        return e;
    const Signed *s = signed_form(p, e);
    return s->value && s->reads_index ? s->value : e;
}

static Node *change_subscripts(Pass *p, Node *n, int count)
{
    Node **kids = arena_new_array(p->ir->scratch, Node *, n->nkids);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = i < count ? any_type(p, n->kid[i]) : n->kid[i];
    return with_kids(p->ir, n, n->nkids, kids);
}

static Node *change_compare(Pass *p, Node *n)
{
    if (n->nkids != 2 || (Type)n->kid[0]->type != T_UINT || (Type)n->kid[1]->type != T_UINT)
        return n;
    const Signed *a = signed_form(p, n->kid[0]), *b = signed_form(p, n->kid[1]);
    if (!a->value || !b->value || !(a->reads_index || b->reads_index))
        return n;
    return mk_binary(p->ir, n->kind, a->value, b->value);
}

static Node *change(void *user, Node *n)
{
    Pass *p = user;
    switch ((Kind)n->kind) {
    case N_LOAD: return change_subscripts(p, n, n->nkids);
    case N_STORE: return change_subscripts(p, n, n->nkids - 1);
    case N_CAST: {
        Node *value = any_type(p, n->kid[0]);
        return value == n->kid[0] || value->kind == N_CAST ? n : mk_cast(p->ir, n->type, value);
    }
    case N_LT:
    case N_LE:
    case N_GT:
    case N_GE:
    case N_EQ:
    case N_NE: return change_compare(p, n);
    default: return n;
    }
}

Node *int_where_proven(Ir *ir, Node *body)
{
    Pass p = {.ir = ir, .ranges = ranges_new(ir, body)};
    body = rewrite(&(Rewriter){.ir = ir, .post = change, .user = &p}, body);
    arena_reset(ir->scratch);
    return body;
}
