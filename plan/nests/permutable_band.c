/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Independent loops with nothing between them, from the outermost one on whose iterations touch what others touch as well. */
#include "plan/nests/permutable_band.h"

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/interchange.h"
#include "plan/nests/loop_utils.h"

enum { MOST_ACCESSES = 32 };

typedef struct Free {
    Ir *ir;
    Node *loop[LONGEST_PERMUTABLE_BAND]; /* outermost first */
    int nloops;
    Node *body;
    Map values;                  /* by symbol id: Node *, what scalars of the body stand for */
    Vec inner;                   /* Sym *: variables of loops in the body */
    Node *access[MOST_ACCESSES];
    int naccesses;
} Free;

/* ---------------------------------------------------------------- may it be? */

static bool is_free(Ir *ir, const Free *c, Node *loop)
{
    Bounds b;
    for (int i = 0; i < c->nloops; i++)
        if (uses_sym(loop->kid[0], c->loop[i]->sym) || uses_sym(loop->kid[1], c->loop[i]->sym))
            return false;
    return loop_declares(loop) && for_bounds(loop, &b) && b.step == 1 && b.cmp == N_LT && type_is_signed(b.var->type) &&
           type_bits(b.var->type) >= 32 && !(loop->aux & (FOR_PEELED | FOR_BLOCKS | FOR_COMBINES)) && loop_is_parallel(ir, loop);
}

static void collect(Free *c, Node *body)
{
    for (Node *loop = only_loop(body); loop && c->nloops < LONGEST_PERMUTABLE_BAND && is_free(c->ir, c, loop);
         loop = only_loop(loop->kid[2])) {
        c->loop[c->nloops++] = loop;
        c->body = loop->kid[2];
    }
}

/* ---------------------------------------------------------------- may it pay? */

static bool look_inside(void *user, Node *n)
{
    Free *c = user;
    if (n->kind == N_DECL && n->nkids && !n->sym->rank && type_is_integer(n->sym->type))
        *map_at(c->ir->arena, &c->values, n->sym->id) = n->kid[0];
    if (n->kind == N_FOR)
        vec_push(c->ir->arena, &c->inner, n->sym);
    if ((n->kind == N_LOAD || n->kind == N_STORE) && n->sym->rank && c->naccesses < MOST_ACCESSES)
        c->access[c->naccesses++] = n;
    return true;
}

static Node *subscript(const Free *c, const Node *access, int d) { return expand_names(c->ir, &c->values, access->kid[d]); }

/* Does the subscript move with a loop further inside than number `place`, of those that are free? */
static bool moves_inside(const Free *c, Node *e, int place)
{
    for (int i = place + 1; i < c->nloops; i++)
        if (uses_sym(e, c->loop[i]->sym))
            return true;
    return false;
}

static bool slides(const Free *c, Node *e)
{
    for (int i = 0; i < c->inner.count; i++)
        if (uses_sym(e, c->inner.items[i]))
            return true;
    return false;
}

/* Elements that all iterations touch; windows that overlap. */
static bool shares(const Free *c, const Node *access, int place)
{
    bool own = false, inside = false, windows = false;
    for (int d = 0; d < access->sym->rank; d++) {
        Node *e = subscript(c, access, d);
        const bool is_own = uses_sym(e, c->loop[place]->sym);
        own = own || is_own;
        inside = inside || moves_inside(c, e, place);
        windows = windows || (is_own && slides(c, e));
    }
    return windows || (inside && !own);
}

/* Neighbours, which lie across loops inside. */
static bool is_across(const Free *c, const Node *access, int place)
{
    bool inside = false;
    Node *last = subscript(c, access, access->sym->rank - 1);
    for (int d = 0; d < access->sym->rank - 1; d++)
        inside = inside || moves_inside(c, subscript(c, access, d), place);
    return inside && uses_sym(last, c->loop[place]->sym) && !moves_inside(c, last, place);
}

/* A loop inside comes to other lines in between. */
static bool has_across(const Free *c, int place)
{
    for (int i = 0; i < c->naccesses && !c->inner.count; i++)
        if (is_across(c, c->access[i], place))
            return true;
    return false;
}

/* Iterations apart by a constant touch the same element of the two. */
static bool overlap(const Free *c, const Node *a, const Node *b, int place)
{
    bool found = false;
    for (int d = 0; a->sym == b->sym && d < a->sym->rank; d++) {
        Node *ea = subscript(c, a, d), *eb = subscript(c, b, d);
        int64_t apart;
        if (!uses_sym(ea, c->loop[place]->sym) || !uses_sym(eb, c->loop[place]->sym))
            continue;
        found = found || (poly_const(poly_sub(c->ir, poly_of(c->ir, ea), poly_of(c->ir, eb)), &apart) && apart != 0);
    }
    return found;
}

static bool is_reused(const Free *c, int place)
{
    for (int i = 0; i < c->naccesses; i++) {
        if (shares(c, c->access[i], place) || is_across(c, c->access[i], place))
            return true;
        for (int j = 0; j < i; j++)
            if (overlap(c, c->access[i], c->access[j], place))
                return true;
    }
    return false;
}

/* ---------------------------------------------------------------- orders */

static void move(Node **loop, int from, int to)
{
    Node *moved = loop[from];
    for (; from < to; from++)
        loop[from] = loop[from + 1];
    for (; from > to; from--)
        loop[from] = loop[from - 1];
    loop[to] = moved;
}

void order_loops(Node **loop, int n, int order)
{
    switch (order) {
    case ORDER_LAST_TWO: move(loop, n - 1, n - 2); return;
    case ORDER_FIRST_TWO: move(loop, 0, 1); return;
    case ORDER_LAST_FIRST: move(loop, n - 1, 0); return;
    case ORDER_FIRST_LAST: move(loop, 0, n - 1); return;
    default: return;
    }
}

static int place_among(Node *const *loop, const Node *one)
{
    int i = 0;
    while (loop[i] != one)
        i++;
    return i;
}

/* Of the last `n` loops. A loop that is vectorized with one inside keeps that. */
static unsigned orders_of(Free *f, int n)
{
    Node **loop = f->loop + f->nloops - n;
    int cost[LONGEST_PERMUTABLE_BAND];
    unsigned orders = 0;
    order_costs(f->ir, loop, n, f->body, cost);
    for (int order = ORDER_AS_PLANNED; order <= ORDER_FIRST_LAST; order++) {
        Node *turned[LONGEST_PERMUTABLE_BAND];
        for (int i = 0; i < n; i++)
            turned[i] = loop[i];
        order_loops(turned, n, order);
        const bool keeps = turned[n - 1] == loop[n - 1] && turned[n - 2] == loop[n - 2],
                   pays = cost[place_among(loop, turned[n - 1])] <= cost[n - 1];
        if (loop[n - 2]->aux & FOR_VECTOR ? keeps : pays)
            orders |= 1u << order;
    }
    return orders;
}

PermutableBand find_permutable_band(Ir *ir, Node *body)
{
    Free c = {.ir = ir};
    collect(&c, body);
    if (c.nloops < 2)
        return (PermutableBand){0};
    walk(&(Walker){.pre = look_inside, .user = &c}, c.body);
    for (int place = 0; place < c.nloops - 1; place++)
        if (is_reused(&c, place))
            return (PermutableBand){c.loop[place]->sym, c.nloops - place, orders_of(&c, c.nloops - place), has_across(&c, place)};
    return (PermutableBand){0};
}
