/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loop's neighbours are neighbours in memory, counted over all accesses. */
#include "plan/nests/interchange.h"

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

enum { MOST_LOOPS = 8, NEAR = 8, MOST_MEMBERS = 4 };

typedef struct Nest {
    Ir *ir;
    Node *loop[MOST_LOOPS]; /* outermost first */
    int nloops;
    Node *body;
    int cost[MOST_LOOPS];   /* of its iterations' accesses: see access_cost() */
    int far[MOST_LOOPS];    /* accesses that move by more than an element along it */
    int turned[MOST_LOOPS][MOST_LOOPS]; /* loads with other steps along the first that go from element to element along the second */
    bool has_loop;
    Sym *member; /* of a loop over the few members of elements, as y[i][c] has for c of 0 to 2; NULL: there is none */
} Nest;

static bool is_rectangular(const Nest *nest, const Node *loop)
{
    for (int i = 0; i < nest->nloops; i++)
        if (uses_sym(loop->kid[0], nest->loop[i]->sym) || uses_sym(loop->kid[1], nest->loop[i]->sym))
            return false;
    return true;
}

static bool collect_loops(Nest *nest, Node *n)
{
    for (Node *loop = only_loop(n); loop; loop = only_loop(loop->kid[2])) {
        Bounds b;
        if (nest->nloops == MOST_LOOPS || !is_rectangular(nest, loop) || !for_bounds(loop, &b) || b.step != 1 ||
            !loop_is_parallel(nest->ir, loop))
            return false;
        nest->loop[nest->nloops++] = loop;
        nest->body = loop->kid[2];
    }
    return nest->nloops > 1;
}

/* Is it one member of an element of `count` neighbours, all of which the loop over `var` goes along? */
static bool is_member(Ir *ir, const Node *access, Sym *var, int64_t count)
{
    const int last = access->sym->rank - 1;
    Poly *coef, *rest;
    return last > 0 && is_int(access->sym->extent[last], count) && poly_affine(ir, poly_of(ir, access->kid[last]), &var, 1, &coef, &rest) &&
           poly_is(coef, 1) && poly_is(rest, 0);
}

typedef struct MemberSearch {
    Ir *ir;
    Sym *var;
    int64_t count;
} MemberSearch;

static bool accesses_member(void *user, Node *n)
{
    const MemberSearch *s = user;
    return (n->kind == N_LOAD || n->kind == N_STORE) && is_member(s->ir, n, s->var, s->count);
}

static Sym *find_member(const Nest *nest)
{
    for (int i = 0; i < nest->nloops; i++) {
        const Node *count = trip_count(nest->ir, nest->loop[i]);
        if (!is_int(nest->loop[i]->kid[0], 0) || !count || count->kind != N_INT || count->u.i < 2 || count->u.i > MOST_MEMBERS)
            continue;
        MemberSearch s = {nest->ir, nest->loop[i]->sym, count->u.i};
        if (any_node(nest->body, accesses_member, &s))
            return s.var;
    }
    return NULL;
}

/* By how many elements the access moves along a loop: 0, 1, 2: another number, 3: one so small that neighbours share lines. */
static int step_along(const Nest *nest, const Node *access, Sym *var)
{
    const bool whole = nest->member && var != nest->member && access->sym->rank > 1 &&
                       uses_sym(access->kid[access->sym->rank - 1], nest->member);
    const int rank = access->sym->rank - whole; /* neighbours of whole elements are neighbours */
    int step = 0;
    for (int d = 0; d < rank; d++) {
        Poly *coef, *rest, *p = poly_of(nest->ir, access->kid[d]);
        int64_t by;
        if (!poly_uses(p, var))
            continue;
        if (d < rank - 1 || !poly_affine(nest->ir, p, &var, 1, &coef, &rest) || !poly_const(coef, &by) || by < 1 || by > NEAR)
            return 2;
        step = by == 1 ? 1 : 3;
    }
    return step;
}

/* What neighbouring iterations pay: nothing for the same element, a share of a vector, or an access of their own, for which a store
 * brings a line that it then does not fill. */
static int access_cost(int step, bool stores) { return step == 0 ? 0 : step == 1 ? 1 : stores ? 32 : 16; }

static bool count_access(void *user, Node *n)
{
    Nest *nest = user;
    int step[MOST_LOOPS];
    nest->has_loop = nest->has_loop || n->kind == N_FOR;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return true;
    for (int i = 0; i < nest->nloops; i++) {
        step[i] = step_along(nest, n, nest->loop[i]->sym);
        nest->cost[i] += access_cost(step[i], n->kind == N_STORE);
        nest->far[i] += step[i] > 1;
    }
    for (int i = 0; n->kind == N_LOAD && i < nest->nloops; i++)
        for (int j = 0; j < nest->nloops; j++)
            nest->turned[i][j] += step[i] == 2 && step[j] % 2 == 1;
    return true;
}

void order_costs(Ir *ir, Node *const *loop, int n, Node *body, int *cost)
{
    Nest nest = {.ir = ir, .nloops = n < MOST_LOOPS ? n : MOST_LOOPS, .body = body};
    for (int i = 0; i < nest.nloops; i++)
        nest.loop[i] = loop[i];
    walk(&(Walker){.pre = count_access, .user = &nest}, body);
    for (int i = 0; i < nest.nloops; i++)
        cost[i] = nest.cost[i];
}

static bool is_over_members(const Nest *nest, int i) { return nest->loop[i]->sym == nest->member; }

/* The loop along which accesses cost least, of equals the innermost; not that over members. */
static int best_loop(const Nest *nest)
{
    int best = -1;
    for (int i = nest->nloops - 1; i >= 0; i--)
        if (!is_over_members(nest, i) && (best < 0 || nest->cost[i] < nest->cost[best]))
            best = i;
    return best;
}

/* The loop along which something is read that `across` reads with other steps; -1: none. */
static int other_loop(const Nest *nest, int across)
{
    for (int i = nest->nloops - 1; i >= 0; i--)
        if (nest->turned[across][i] && !is_over_members(nest, i))
            return i;
    return -1;
}

static Node *with_body(Ir *ir, Node *loop, Node *body, unsigned flags)
{
    Node *kids[] = {loop->kid[0], loop->kid[1], body};
    Node *n = mk_for(ir, loop->sym, kids[0], kids[1], loop->u.i, kids[2], true, loop->loc);
    n->aux = (uint16_t)(loop->aux | flags);
    return n;
}

Node *interchange(Ir *ir, Node *n)
{
    Nest nest = {.ir = ir};
    if (!collect_loops(&nest, n))
        return n;
    nest.member = has_kind(nest.body, N_FOR) ? NULL : find_member(&nest);
    walk(&(Walker){.pre = count_access, .user = &nest}, nest.body);
    const int vector = best_loop(&nest), last = nest.nloops - 1, along = nest.has_loop ? -1 : other_loop(&nest, vector);
    const bool members_are_last = nest.member && is_over_members(&nest, last);
    if (nest.has_loop && nest.far[vector])
        return n; /* loops inside may be the ones to vectorize, if no vector of this one is as it lies */
    if (along < 0 && vector == last - members_are_last && (members_are_last || !nest.member))
        return n;
    Node *body = nest.body;
    for (int i = 0; i < nest.nloops; i++)
        body = is_over_members(&nest, i) ? with_body(ir, nest.loop[i], body, 0) : body;
    if (along >= 0)
        body = with_body(ir, nest.loop[along], body, 0);
    body = with_body(ir, nest.loop[vector], body, along >= 0 ? FOR_VECTOR : 0);
    for (int i = last; i >= 0; i--)
        if (i != vector && i != along && !is_over_members(&nest, i))
            body = with_body(ir, nest.loop[i], body, 0);
    return body;
}

/* ---------------------------------------------------------------- sums */

typedef struct Element {
    const Node *store;
    Node *const *sub;
    bool alone; /* the array's other elements are not touched */
} Element;

static bool search_other(void *user, Node *n)
{
    Element *e = user;
    if ((n->kind == N_STORE && n != e->store) || (n->kind == N_LOAD && n->sym == e->store->sym))
        for (int d = 0; d < e->store->sym->rank; d++)
            e->alone = e->alone && n->kind == N_LOAD && n->kid[d] == e->sub[d];
    return true;
}

static bool uses_in_subscript(const Node *store, const Sym *var)
{
    bool found = false;
    for (int d = 0; d < store->sym->rank; d++)
        found = found || uses_sym(store->kid[d], var);
    return found;
}

/* Every iteration of `inner` has an element of its own, which is all that one of `outer` leaves for the next. */
static bool sums_up(Ir *ir, Node *outer, Node *inner, const Node *store)
{
    Element e = {store, store->kid, true};
    for (int i = 0; i < 2; i++)
        e.alone = e.alone && !reads_array(inner->kid[i], store->sym) && !reads_array(outer->kid[i], store->sym);
    walk(&(Walker){.pre = search_other, .user = &e}, inner->kid[2]);
    return e.alone && !uses_in_subscript(store, outer->sym) && uses_in_subscript(store, inner->sym) && loop_is_parallel(ir, inner);
}

static Node *only_store(Node *n)
{
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return n->kind == N_STORE ? n : NULL;
}

static Node *turn(void *user, Node *outer)
{
    Ir *ir = user;
    Bounds b;
    Node *inner = outer->kind == N_FOR ? only_loop(outer->kid[2]) : NULL, *store = inner ? only_store(inner->kid[2]) : NULL;
    if (!store || !loop_declares(outer) || !loop_declares(inner) || !for_bounds(outer, &b) || !for_bounds(inner, &b) ||
        uses_sym(inner->kid[0], outer->sym) || uses_sym(inner->kid[1], outer->sym) || !sums_up(ir, outer, inner, store))
        return outer;
    Nest nest = {.ir = ir, .loop = {outer, inner}, .nloops = 2, .body = inner->kid[2]};
    walk(&(Walker){.pre = count_access, .user = &nest}, nest.body);
    if (nest.cost[0] >= nest.cost[1])
        return outer;
    return with_body(ir, inner, with_body(ir, outer, inner->kid[2], 0), 0);
}

Node *turn_sums(Ir *ir, Node *nest) { return rewrite(&(Rewriter){.ir = ir, .post = turn, .user = ir}, nest); }
