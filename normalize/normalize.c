/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass: statements in order, with facts about the body around each. */
#include "normalize/normalize.h"

#include "ir/condition.h"
#include "normalize/norm.h"

typedef struct Done {
    int context;
    Node *result;
} Done;

/* Where the map has an expression of that place. */
static int done_key(const Norm *n, const Node *e) { return e->id * PLACES + (int)n->place; }

static Node *norm_kids(Norm *n, Node *e)
{
    enum { ON_STACK = 8 };
    Node *room[ON_STACK];
    Node **kids = e->nkids <= ON_STACK ? room : arena_new_array(n->facts->ir->scratch, Node *, e->nkids);
    for (int i = 0; i < e->nkids; i++)
        kids[i] = e->kind == N_LOAD || e->kind == N_REF ? norm_at(n, PLACE_SUBSCRIPT, e->kid[i]) : norm_expr(n, e->kid[i]);
    return with_kids(n->facts->ir, e, e->nkids, kids);
}

static bool are_numbers(const Node *e)
{
    for (int i = 0; i < e->nkids; i++)
        if (e->kid[i]->kind != N_INT)
            return false;
    return e->nkids > 0;
}

/* max(8, 2) << 3, once it is 8 << 3: a number, as which it would be read. What the source writes so stays as it is. */
static Node *norm_number(Norm *n, Node *e)
{
    Node *same = norm_kids(n, e);
    if (!type_is_integer(e->type) || e->kind == N_CAST || are_numbers(e) || !are_numbers(same))
        return same;
    Range value = range_of(n->facts->ranges, same);
    bool is_defined = !(expr_flags(n->facts->ranges, same) & (EXPR_TRAPS | EXPR_OVERFLOWS));
    return is_defined && value.lo == value.hi ? mk_int(n->facts->ir, e->type, (int64_t)(uint64_t)value.lo) : same;
}

/* a > b is b < a, so that equal conditions are equal trees; valid for NaN too. */
static Node *norm_compare(Norm *n, Node *e)
{
    Node *same = norm_kids(n, e);
    if (order_matters(n->facts->ranges, same->kid[0], same->kid[1]))
        return same;
    return mk_binary(n->facts->ir, e->kind == N_GT ? N_LT : N_LE, same->kid[1], same->kid[0]);
}

static Node *norm_full(Norm *n, Node *e)
{
    if (is_product(e))
        return norm_product(n, e);
    switch ((Kind)e->kind) {
    case N_GT:
    case N_GE: return norm_compare(n, e);
    case N_LNOT:
    case N_LAND:
    case N_LOR: return truth_value(n->facts, norm_truth(n, e));
    case N_SEL: return norm_select(n, e);
    case N_CAST: /* to bool: only the truth of the operand matters */
        if (e->type == T_BOOL)
            return mk_cast(n->facts->ir, T_BOOL, norm_truth(n, e->kid[0]));
        return norm_kids(n, e);
    default: return norm_number(n, e);
    }
}

static Node *norm_operation(Norm *n, Node *e)
{
    Place place = n->place;
    n->place = place == PLACE_SUBSCRIPT ? PLACE_ADDRESS : place; /* of its operands */
    Node *result;
    if (is_sum(e))
        result = norm_sum(n, place, e);
    else
        result = n->facts->opt->mode == LICM_FULL ? norm_full(n, e) : norm_kids(n, e);
    n->place = place;
    return result;
}

Node *norm_at(Norm *n, Place place, Node *e)
{
    Place around = n->place;
    n->place = place;
    e = norm_expr(n, e);
    n->place = around;
    return e;
}

Node *norm_expr(Norm *n, Node *e)
{
    if (e->kind == N_VAR) {
        Sym *copied = map_get(&n->copies, e->sym->id);
        return copied ? mk_var(n->facts->ir, copied) : e;
    }
    if (e->nkids == 0)
        return e;
    int context = ranks_context(n->facts->ranks);
    Done *done = map_get(&n->done, done_key(n, e));
    if (done && done->context == context)
        return done->result;
    Node *result = norm_operation(n, e);
    void **at = map_at(n->facts->ir->scratch, &n->done, done_key(n, e));
    if (!*at)
        *at = arena_alloc(n->facts->ir->scratch, sizeof(Done));
    *(Done *)*at = (Done){context, result};
    return result;
}

Node *normalize(Ir *ir, const Func *f, Node *body, const LicmOptions *opt)
{
    if (opt->mode == LICM_OFF)
        return body;
    Norm n = {.facts = facts_new(ir, f, body, opt)};
    body = norm_body(&n, body);
    arena_reset(ir->scratch);
    return body;
}
