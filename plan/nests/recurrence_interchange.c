/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums down columns are left alone: what they add may come from several rows at a time (plan/nests/column_reduction.h). */
#include "plan/nests/recurrence_interchange.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/fitted.h"

/* ---------------------------------------------------------------- state */

typedef struct State {
    const Sym *row, *element; /* variables of the two loops */
    Node *body;
    bool carries; /* some element is read and stored in each row, and what is stored is no mere sum */
    bool fits;
} State;

static bool uses_in_subscripts(const Node *access, const Sym *var)
{
    bool uses = false;
    for (int d = 0; d < access->sym->rank; d++)
        uses = uses || uses_sym(access->kid[d], var);
    return uses;
}

/* Neighbours in the loop over elements have to be neighbours in memory, but for state, which is touched once. */
static bool is_along(const Node *access, const Sym *element)
{
    for (int d = 0; d < access->sym->rank - 1; d++)
        if (uses_sym(access->kid[d], element))
            return false;
    return true;
}

static bool look_at(void *user, Node *n)
{
    State *s = user;
    s->fits = s->fits && n->kind != N_FOR && n->kind != N_CONTRACT && n->kind != N_LAUNCH && !(n->kind == N_DECL && n->sym->rank);
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return s->fits;
    if (uses_in_subscripts(n, s->row))
        s->fits = s->fits && is_along(n, s->element);
    else if (n->kind == N_STORE && uses_in_subscripts(n, s->element))
        s->carries = s->carries || (!compound_operand(n) && reads_array(s->body, n->sym));
    return s->fits;
}

/* ---------------------------------------------------------------- loops */

static bool counts_by_one(Node *loop)
{
    Bounds b;
    return for_bounds(loop, &b) && b.step == 1;
}

static bool may_interchange(Ir *ir, Node *rows, Node *elements)
{
    return counts_by_one(rows) && counts_by_one(elements) && !uses_sym(elements->kid[0], rows->sym) &&
           !uses_sym(elements->kid[1], rows->sym) && !reads_array(elements->kid[0], NULL) && !reads_array(elements->kid[1], NULL) &&
           !loop_is_parallel(ir, rows) && iterations_are_independent(ir, rows, elements, NULL, 0);
}

static Node *with_body(Ir *ir, Node *loop, Node *body)
{
    Node *kids[] = {loop->kid[0], loop->kid[1], body};
    return with_kids(ir, loop, 3, kids);
}

/* A statement of the operator's body. */
typedef struct Interchange {
    Ir *ir;
    Node *pays; /* where this holds, rows are neither short nor long; NULL: always */
} Interchange;

static bool search_local(void *user, Node *n)
{
    bool *known = user;
    *known = *known && n->kind != N_LOAD && (n->kind != N_VAR || n->sym->kind == S_PARAM);
    return *known;
}

/* Adds to what has to hold; false: it never does, or a call does not know. */
static bool pays(Interchange *x, Node *elements)
{
    Ir *ir = x->ir;
    Node *trips = trip_count_of_running(ir, elements);
    bool known = trips != NULL;
    if (trips)
        walk(&(Walker){.pre = search_local, .user = &known}, trips);
    if (!known || trips->kind == N_INT)
        return known && trips->u.i >= CARRIED_LEAST && trips->u.i <= CARRIED_MOST;
    Node *least = mk_binary(ir, N_GE, trips, ix_int(ir, CARRIED_LEAST)), *most = mk_binary(ir, N_LE, trips, ix_int(ir, CARRIED_MOST));
    Node *enough = mk_binary(ir, N_LAND, least, most);
    x->pays = !x->pays ? enough : x->pays == enough ? enough : mk_binary(ir, N_LAND, x->pays, enough);
    return true;
}

static Node *interchange(void *user, Node *rows)
{
    Interchange *x = user;
    Ir *ir = x->ir;
    Node *elements = rows->kind == N_FOR ? only_loop(rows->kid[2]) : NULL;
    if (!elements)
        return rows;
    State s = {.row = rows->sym, .element = elements->sym, .body = elements->kid[2], .fits = true};
    walk(&(Walker){.pre = look_at, .user = &s}, elements->kid[2]);
    if (!s.fits || !s.carries || !may_interchange(ir, rows, elements) || !pays(x, elements))
        return rows;
    return with_body(ir, elements, with_body(ir, rows, elements->kid[2]));
}

Node *interchange_recurrences(Ir *ir, Node *body)
{
    if (body->kind == N_BLOCK) {
        Vec out = {0};
        for (int i = 0; i < body->nkids; i++)
            vec_push(ir->arena, &out, interchange_recurrences(ir, body->kid[i]));
        return with_kids(ir, body, out.count, (Node **)out.items);
    }
    Interchange x = {.ir = ir};
    Node *turned = rewrite(&(Rewriter){.ir = ir, .post = interchange, .user = &x}, body);
    return x.pays ? mk_if(ir, x.pays, turned, body, body->loc) : turned;
}
