/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements in order: their expressions, nested and neighbouring `if`s, and copies of immutable variables. */
#include "ir/assign.h"
#include "ir/branch.h"
#include "ir/condition.h"
#include "normalize/norm.h"

static void norm_stmt(Norm *n, Stmts *out, Node *s);

Node *norm_body(Norm *n, Node *body)
{
    Stmts *list = stmts_new(n->facts, true);
    if (body->kind == N_BLOCK)
        for (int i = 0; i < body->nkids; i++)
            norm_stmt(n, list, body->kid[i]);
    else
        norm_stmt(n, list, body);
    return stmts_body(list, body);
}

/* `int x = y` with y never changing: users of x see the rank of y, which may be lower than the place of x. */
static bool is_copy(const Norm *n, const Node *decl, const Node *init)
{
    const Ranges *r = n->facts->ranges;
    return n->facts->opt->mode == LICM_FULL && init->kind == N_VAR && is_immutable(r, init->sym) && is_let(r, decl->sym) &&
           !is_pinned(r, decl->sym) && is_never_hidden(n->facts, init->sym);
}

/* Of what a declaration, an assignment or a store holds. */
static Place place_of(const Node *s) { return s->kind != N_STORE && type_is_integer(s->sym->type) ? PLACE_ADDRESS : PLACE_VALUE; }

static void norm_decl(Norm *n, Stmts *out, Node *s)
{
    if (s->nkids == 0) {
        stmts_add(out, s);
        return;
    }
    Node *init = norm_at(n, place_of(s), s->kid[0]);
    if (is_copy(n, s, init)) {
        *map_at(n->facts->ir->scratch, &n->copies, s->sym->id) = init->sym;
        return;
    }
    if (is_let(n->facts->ranges, s->sym))
        rank_let(n->facts->ranks, s->sym, rank_of(n->facts->ranks, init));
    stmts_add(out, with_kids(n->facts->ir, s, 1, &init));
}

static Node *norm_assign(Norm *n, Node *s)
{
    Node **subscripts = arena_new_array(n->facts->ir->scratch, Node *, s->nkids);
    for (int i = 0; i + 1 < s->nkids; i++)
        subscripts[i] = norm_at(n, PLACE_SUBSCRIPT, s->kid[i]);
    return with_right_operand(n->facts->ir, s, subscripts, norm_at(n, place_of(s), right_operand(s)));
}

static Node *norm_operands(Norm *n, Node *s)
{
    Node **kids = arena_new_array(n->facts->ir->scratch, Node *, s->nkids);
    for (int i = 0; i < s->nkids; i++)
        kids[i] = norm_expr(n, s->kid[i]);
    return with_kids(n->facts->ir, s, s->nkids, kids);
}

/* A statement without others inside. */
static Node *norm_leaf(Norm *n, Node *s)
{
    switch ((Kind)s->kind) {
    case N_ASSIGN:
    case N_STORE: return norm_assign(n, s);
    case N_EVAL:
    case N_RETURN: return norm_operands(n, s);
    default: return s; /* names symbols only */
    }
}

/* A counted loop keeps the shape of its condition, which says what its bounds are. */
static Node *norm_loop_condition(Norm *n, const Node *loop)
{
    Bounds b;
    Node *cond = loop->kid[1];
    if (!for_bounds(loop, &b))
        return norm_truth(n, cond);
    Node *sides[] = {norm_expr(n, cond->kid[0]), norm_expr(n, cond->kid[1])};
    return with_kids(n->facts->ir, cond, 2, sides);
}

static Node *norm_for(Norm *n, Node *s)
{
    Node *kids[3];
    kids[0] = norm_expr(n, s->kid[0]);
    ranks_enter(n->facts->ranks, s);
    kids[1] = norm_loop_condition(n, s);
    kids[2] = norm_body(n, s->kid[2]);
    ranks_leave(n->facts->ranks);
    return with_kids(n->facts->ir, s, 3, kids);
}

/* Declarations of a loop's start stay with it: inside, they count as changed by it. */
static Node *norm_init(Norm *n, Node *init)
{
    Node **stmts = arena_new_array(n->facts->ir->scratch, Node *, init->nkids + 1);
    for (int i = 0; i < init->nkids; i++) {
        Node *s = init->kid[i];
        Node *value = s->kind == N_DECL && s->nkids ? norm_expr(n, s->kid[0]) : NULL;
        if (value)
            stmts[i] = with_kids(n->facts->ir, s, 1, &value);
        else
            stmts[i] = s->kind == N_DECL ? s : norm_leaf(n, s);
    }
    return with_kids(n->facts->ir, init, init->nkids, stmts);
}

static Node *norm_loop(Norm *n, Node *s)
{
    Node *kids[4];
    kids[0] = norm_init(n, s->kid[0]);
    ranks_enter(n->facts->ranks, s);
    kids[1] = norm_truth(n, s->kid[1]);
    kids[2] = norm_body(n, s->kid[2]);
    kids[3] = norm_body(n, s->kid[3]);
    ranks_leave(n->facts->ranks);
    return with_kids(n->facts->ir, s, 4, kids);
}

/* Nested ifs without else are taken together before their condition is sorted, once. */
static Node *norm_if(Norm *n, Node *s)
{
    Facts *f = n->facts;
    if (f->opt->mode != LICM_FULL) {
        Node *kids[] = {norm_truth(n, s->kid[0]), norm_body(n, s->kid[1]), NULL};
        kids[2] = s->nkids == 3 ? norm_body(n, s->kid[2]) : NULL;
        return with_kids(f->ir, s, s->nkids, kids);
    }
    Vec conditions = {0};
    vec_push(f->ir->scratch, &conditions, norm_truth(n, s->kid[0]));
    Node *then = s->kid[1];
    while (s->nkids == 2 && only_statement(then)->kind == N_IF && only_statement(then)->nkids == 2) {
        then = only_statement(then);
        vec_push(f->ir->scratch, &conditions, norm_truth(n, then->kid[0]));
        then = then->kid[1];
    }
    Node *cond = conditions.items[0];
    if (conditions.count > 1)
        cond = condition_chain(f, N_LAND, conditions.count, (Node **)conditions.items);
    return if_statement(f, s, cond, norm_body(n, then), s->nkids == 3 ? norm_body(n, s->kid[2]) : NULL);
}

static void norm_stmt(Norm *n, Stmts *out, Node *s)
{
    switch ((Kind)s->kind) {
    case N_BLOCK: stmts_add(out, norm_body(n, s)); break;
    case N_DECL: norm_decl(n, out, s); break;
    case N_FOR: stmts_add(out, norm_for(n, s)); break;
    case N_LOOP: stmts_add(out, norm_loop(n, s)); break;
    case N_IF: stmts_add(out, norm_if(n, s)); break;
    case N_SWITCH: stmts_add(out, with_kids(n->facts->ir, s, 2, (Node *[]){norm_expr(n, s->kid[0]), norm_body(n, s->kid[1])})); break;
    default: stmts_add(out, norm_leaf(n, s));
    }
}
