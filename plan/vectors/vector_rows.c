/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops whose iterations, rows, go in order along a loop inside. */
#include "plan/vectors/vector_rows.h"

#include "depend/poly.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/vector_loop.h"

static bool search_ordered(void *user, Node *n)
{
    bool *found = user;
    *found = *found || (n->kind == N_FOR && !(n->aux & FOR_PARALLEL));
    return !is_expr(n);
}

bool carries_inside(Node *loop)
{
    bool ordered = false;
    walk(&(Walker){.pre = search_ordered, .user = &ordered}, loop->kid[2]);
    return ordered;
}

typedef struct Turned {
    Ir *ir;
    Sym *across, *along; /* variables of the loop and of one inside that carries something */
    Map names;           /* by symbol id: Node *, what constants of the body stand for */
} Turned;

static bool search_constant(void *user, Node *n)
{
    Turned *t = user;
    if (n->kind == N_DECL && n->sym->is_const && n->sym->type == T_INDEX && n->sym->rank == 0)
        *map_at(t->ir->arena, &t->names, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

/* One after the other along the loop inside, and further apart along the one around. */
static bool is_turned(void *user, Node *n)
{
    Turned *t = user;
    Sym *vars[] = {t->across, t->along};
    Poly *coef[2], *rest;
    int64_t apart = 3;
    return (n->kind == N_LOAD || n->kind == N_STORE) && vector_has_tiles(n->sym->type) &&
           poly_affine(t->ir, poly_of(t->ir, expand_names(t->ir, &t->names, n->kid[0])), vars, 2, coef, &rest) && poly_is(coef[1], 1) &&
           (!poly_const(coef[0], &apart) || apart > 2);
}

static bool is_turning_loop(void *user, Node *n)
{
    Turned *t = user;
    t->along = n->sym;
    return n->kind == N_FOR && !(n->aux & FOR_PARALLEL) && any_node(n->kid[2], is_turned, t);
}

/* Has a loop inside that carries something elements that tiles turn round? */
static bool turns(Ir *ir, Node *loop)
{
    Turned t = {.ir = ir, .across = loop->sym};
    walk(&(Walker){.pre = search_constant, .user = &t}, loop->kid[2]);
    return any_stmt(loop->kid[2], is_turning_loop, &t);
}

static bool is_nested(void *user, Node *n)
{
    (void)user;
    return n->kind == N_FOR && has_kind(n->kid[2], N_FOR);
}

static bool is_deep(Node *loop) { return any_stmt(loop->kid[2], is_nested, NULL); }

static bool search_quotient(void *user, Node *n)
{
    bool *found = user;
    if (n->kind == N_STORE)
        walk(&(Walker){.pre = search_quotient, .user = user}, stmt_value(n));
    *found = *found || ((n->kind == N_DIV || n->kind == N_MOD) && type_is_integer(n->type));
    return !*found && n->kind != N_LOAD && n->kind != N_STORE;
}

/* Divides integers other than to find elements: sets do that lane by lane, and scalars by constants without a division. */
static bool has_quotients(Node *loop)
{
    bool found = false;
    walk(&(Walker){.pre = search_quotient, .user = &found}, loop->kid[2]);
    return found;
}

bool goes_over_rows(Ir *ir, Node *loop, bool neighbours)
{
    return carries_inside(loop) && !is_deep(loop) && !has_quotients(loop) && (!neighbours || turns(ir, loop));
}
