/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neighbours in memory are loaded together; lanes that are filled one by one cost more than they save. */
#include "plan/vectors/vector_profit.h"

#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/reduce.h"
#include "depend/scan.h"
#include "ir/walk.h"
#include "plan/vectors/vector_loop.h"
#include "plan/vectors/vector_rows.h"

static bool search_loop(void *user, Node *n)
{
    int *loops = user;
    *loops += n->kind == N_FOR;
    return !is_expr(n);
}

int count_loops(Node *n)
{
    int loops = 0;
    walk(&(Walker){.pre = search_loop, .user = &loops}, n);
    return loops;
}

/* Iterations, where they are a constant number, or the variable's range says that there are no more. */
static int64_t most_iterations(Ir *ir, Node *loop)
{
    const Node *count = trip_count(ir, loop);
    if (count && count->kind == N_INT)
        return count->u.i;
    return loop->sym->has_range && is_int(loop->kid[0], 0) && loop->sym->hi < INT64_MAX ? loop->sym->hi + 1 : INT64_MAX;
}

bool is_short(Ir *ir, Node *loop, VectorSetId set)
{
    const int64_t most = most_iterations(ir, loop);
    if (most > vector_sets[set].bytes)
        return false;
    const int lanes =
        vector_shape(set, vector_loop_width(ir, loop, NULL) == LANES_64 ? LANES_64 : LANES_32).lanes; /* narrow ones take the same time */
    return most < (vector_sets[set].masks ? (lanes + 1) / 2 : lanes);
}

static bool search_narrow(void *user, Node *n)
{
    (void)user;
    return (n->kind == N_LOAD || n->kind == N_STORE) && type_bits(n->sym->type) < 32;
}

bool fits_half(Ir *ir, Node *loop, VectorSetId set)
{
    enum { FEWEST = 3 }; /* two are a pair, which pays less */
    const Node *count = trip_count(ir, loop);
    const int lanes = vector_shape(set, LANES_64).lanes;
    if (!count || count->kind != N_INT || count->u.i < FEWEST || count->u.i > lanes || !vector_sets[set].masks)
        return false;
    return !(any_node(loop->kid[2], search_narrow, NULL) && count->u.i < lanes) && vector_loop_width(ir, loop, NULL) == LANES_32;
}

typedef struct NeighbourSearch {
    Ir *ir;
    Node *loop;
    Neighbours seen;
} NeighbourSearch;

/* A subscript that depends on names of the body is taken to go from neighbour to neighbour. */
static bool goes_by_one(const NeighbourSearch *s, Node *subscript)
{
    Poly *coef, *rest;
    Sym *var = s->loop->sym;
    return !poly_affine(s->ir, poly_of(s->ir, subscript), &var, 1, &coef, &rest) || poly_is(coef, 1);
}

static bool is_grouped(const NeighbourSearch *s, const Node *access)
{
    return is_interleaved(s->ir, s->loop, access) || is_in_row(s->ir, s->loop, access);
}

static bool search_neighbours(void *user, Node *n)
{
    NeighbourSearch *s = user;
    const bool accesses = n->kind == N_LOAD || n->kind == N_STORE;
    s->seen.found = s->seen.found || (accesses && (goes_by_one(s, n->kid[0]) || is_grouped(s, n)));
    s->seen.pays = s->seen.pays || s->seen.found || n->kind == N_CALL || n->kind == N_DIV;
    return !s->seen.found;
}

Neighbours neighbours_of(Ir *ir, Node *loop)
{
    NeighbourSearch s = {ir, loop, {false, false}};
    walk(&(Walker){.pre = search_neighbours, .user = &s}, loop->kid[2]);
    return s.seen;
}

bool only_scatters(Ir *ir, Node *loop)
{
    return !reads_array(loop->kid[2], NULL) && has_kind(loop->kid[2], N_STORE) && !neighbours_of(ir, loop).pays;
}

enum { NEAR = 8 }; /* elements so far apart share lines */

static bool search_apart(void *user, Node *n)
{
    NeighbourSearch *s = user;
    Poly *coef, *rest;
    Sym *var = s->loop->sym;
    const bool affine = n->kind == N_LOAD && poly_affine(s->ir, poly_of(s->ir, n->kid[0]), &var, 1, &coef, &rest);
    int64_t stride;
    s->seen.found = s->seen.found || (affine && !(poly_const(coef, &stride) && stride >= -NEAR && stride <= NEAR));
    return !s->seen.found;
}

bool sums_far_apart(Ir *ir, Node *loop, bool strict)
{
    NeighbourSearch s = {ir, loop, {false, false}};
    Vec found = {0};
    const char *why;
    find_reductions(ir, loop, strict, &found, &why);
    for (int i = 0; i < found.count; i++) {
        const Reduction *r = found.items[i];
        if (!r->acc || !type_is_integer(r->acc->type))
            return false;
    }
    walk(&(Walker){.pre = search_apart, .user = &s}, loop->kid[2]);
    return s.seen.found;
}

bool is_far_apart(Ir *ir, Node *loop)
{
    return count_loops(loop) == 1 && !has_kind(loop->kid[2], N_DECL) && !neighbours_of(ir, loop).found;
}

enum { MOST_GUARDED = 4 }; /* elements that are looked at only if others say so */

typedef struct GuardedSearch {
    NeighbourSearch neighbours;
    int guards, found;
} GuardedSearch;

static bool is_lazy(const Node *n) { return n->kind == N_LAND || n->kind == N_LOR || n->kind == N_SEL; }

static void count_guarded(GuardedSearch *s, Node *n)
{
    const bool apart = n->kind == N_LOAD && !goes_by_one(&s->neighbours, n->kid[0]) && !is_grouped(&s->neighbours, n);
    s->found += apart && s->guards > 0;
    for (int i = 0; i < n->nkids; i++) {
        const bool guarded = is_lazy(n) && i > 0;
        s->guards += guarded;
        count_guarded(s, n->kid[i]);
        s->guards -= guarded;
    }
}

/* Of many such elements scalars look at the first ones alone. */
static bool guards_many(Ir *ir, Node *loop)
{
    GuardedSearch s = {.neighbours = {ir, loop, {false, false}}};
    count_guarded(&s, loop->kid[2]);
    return s.found > MOST_GUARDED;
}

const char *why_scalar(Ir *ir, Node *loop, const LoopPlace *place, bool wished, Neighbours neighbours, bool apart)
{
    const bool sums_before = loop->aux & FOR_SCAN && place->inner && vector_sets[place->set].bytes >= 32; /* by instructions */
    if (!(loop->aux & FOR_PARALLEL) && !sums_before)
        return "its iterations have an order";
    if (place->sums && loop->aux & FOR_FEW)
        return "it has few iterations";
    if (!place->half && is_short(ir, loop, place->set))
        return "it has fewer iterations than vectors have lanes";
    if (wished)
        return NULL;
    if (guards_many(ir, loop))
        return "conditions guard many elements that are no neighbours";
    const bool filled = place->inner && !place->sums && !neighbours.pays; /* lanes, one by one, and emptied so */
    const bool one_of_two = apart && has_kind(loop->kid[2], N_DECL);      /* loops: only one may have it */
    const bool carries = !place->inner && !place->sums && !place->over_rows && !neighbours.found && carries_inside(loop);
    return filled || one_of_two || carries ? FAR_APART : NULL;
}
