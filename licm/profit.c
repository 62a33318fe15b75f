/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Should an expression leave a loop? Nothing here bears on correctness. */
#include "ir/walk.h"
#include "licm/hoist.h"

enum { COST_LIMIT = 1 << 20 }; /* costs of expressions that share subtrees could overflow */

/* Conversions between integers are free or nearly so; to and from floating types they are instructions. */
static int own_cost(const Node *e)
{
    if (e->kind == N_CAST)
        return type_is_float(e->type) != type_is_float(e->kid[0]->type);
    return kind_info[e->kind].cost;
}

bool is_immediate(const Node *e)
{
    while (e->kind == N_NEG || e->kind == N_CAST)
        e = e->kid[0];
    return e->kind == N_INT || e->kind == N_FLOAT;
}

int cost_of(Licm *l, Node *e)
{
    if (is_immediate(e))
        return 0;
    if (e->nkids == 0)
        return own_cost(e);
    int *known = map_get(&l->costs, e->id);
    if (known)
        return *known;
    int cost = own_cost(e);
    for (int i = 0; i < e->nkids && cost < COST_LIMIT; i++)
        cost += cost_of(l, e->kid[i]);
    known = arena_alloc(l->facts->ir->scratch, sizeof *known);
    *known = cost < COST_LIMIT ? cost : COST_LIMIT;
    *map_at(l->facts->ir->scratch, &l->costs, e->id) = known;
    return *known;
}

/* What a loop's trips are when they are unknown, or too many to be unrolled. */
enum { NOT_UNROLLED = 1 << 20 };

/* Of a loop with constant bounds. */
static int trips_of(const Facts *facts, const Node *loop)
{
    Bounds b;
    if (!for_bounds(loop, &b) || b.lo->kind != N_INT || b.hi->kind != N_INT)
        return NOT_UNROLLED;
    const double trips = bounds_steps(&b, (double)range_of(facts->ranges, b.lo).lo, (double)range_of(facts->ranges, b.hi).lo);
    return trips < NOT_UNROLLED ? (int)trips : NOT_UNROLLED;
}

static int copies_of(Facts *facts, const Node *loop);

typedef struct Inside {
    Facts *facts;
    int most; /* copies */
} Inside;

static bool find_copies(void *user, Node *n)
{
    Inside *i = user;
    if (is_expr(n) || i->most >= NOT_UNROLLED)
        return false;
    if (n->kind != N_FOR && n->kind != N_LOOP)
        return true;
    int copies = n->kind == N_FOR ? copies_of(i->facts, n) : NOT_UNROLLED;
    i->most = copies > i->most ? copies : i->most;
    return false;
}

/* How many copies of an innermost body there are once the loop and those inside it are unrolled. Compilers do that from
 * the inside out, until the text gets long: the taps of 3 x 3 x 3 are unrolled, tiles of 4 x 4 x 4 are not. A loop around
 * a long one stays a loop. */
static int copies_of(Facts *facts, const Node *loop)
{
    enum { MAX_COPIES = 32 };
    void **known = map_at(facts->ir->scratch, &facts->copies, loop->id);
    if (*known)
        return *(int *)*known;
    int trips = trips_of(facts, loop), *copies = arena_alloc(facts->ir->scratch, sizeof *copies);
    *copies = NOT_UNROLLED;
    *known = copies; /* the place is only good until the map grows */
    if (loop_is_unrolled(loop) || trips <= facts->opt->unroll_limit) {
        Inside inside = {facts, 1};
        walk(&(Walker){.pre = find_copies, .user = &inside}, loop->kid[2]);
        int64_t all = (int64_t)inside.most * trips;
        if (all <= MAX_COPIES)
            *copies = (int)all;
    }
    return *copies;
}

/* The target compiler unrolls such a loop, after which there is nothing to leave. */
bool is_small_loop(Facts *facts, const Node *loop)
{
    return loop_is_unrolled(loop) || (loop->kind == N_FOR && facts->opt->unroll_limit > 0 && copies_of(facts, loop) < NOT_UNROLLED);
}

/* Halide keeps where they are: conversions to wider types, and constant offsets, which addressing has for free.
 */
bool is_free_for_halide(const Node *e)
{
    if (e->kind == N_CAST)
        return type_bytes(e->type) > type_bytes(e->kid[0]->type);
    return (e->kind == N_ADD || e->kind == N_SUB) && e->type == T_INT && is_immediate(e->kid[1]);
}

/* In front of the outermost loop that is not small: small ones further out would only be left for nothing. */
int profitable_depth(const Licm *l, const Node *e, int legal, int from)
{
    int small = l->facts->opt->small;
    if (small == SMALL_CONDITIONS && kind_info[e->kind].flags & F_REL)
        return legal;
    if (small == SMALL_PAPER)
        return from > 0 && loop_at(l, from)->is_small ? from : legal;
    for (int depth = legal + 1; depth <= from; depth++)
        if (!loop_at(l, depth)->is_small)
            return depth - 1;
    return from;
}

/* A search (`while (p) { if (is_new) ... }`) may run once and seldom get there: what is cheap would cost more in front of it than it
 * saves inside. */
int rarely_profitable_depth(Licm *l, Node *e, int depth, Position at)
{
    enum { DEAR = 10 }; /* a call */
    return depth < at.rare && cost_of(l, e) < DEAR ? at.rare : depth;
}

/* Made safe from overflow it would hide what each trip of a loop around adds to it, for which gcc and clang keep a pointer; what they see,
 * they move themselves. As wide as a pointer it hides nothing. */
bool hides_step(const Licm *l, Node *e, Position at, int depth)
{
    bool steps = e->kind == N_ADD || e->kind == N_SUB || e->kind == N_MUL || e->kind == N_NEG;
    bool is_narrow = type_is_integer(e->type) && type_bits(e->type) < type_bits(T_INDEX);
    return l->facts->opt->shows_steps && steps && is_narrow && rank_of(l->facts->ranks, e) > 0 && needs_wrapping(l, e, at, depth);
}
