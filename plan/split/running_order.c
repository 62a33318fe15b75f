/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each pair of accesses that blocks may do in another order is put to isl: do they meet? */
#include "depend/access.h"
#include "depend/carry.h"
#include "ir/walk.h"
#include "plan/split/running_piece.h"

/* Where in a piece an access stands. */
typedef enum Place { PLACE_NONE, PLACE_BEFORE, PLACE_SUM, PLACE_AFTER } Place;

typedef struct Order {
    const Running *r;
    Ir *ir;
    Accesses in;
    Place *place;     /* per statement's id */
    int *piece;       /* likewise */
    Place now;        /* of the statements that note_place() sees, */
    int at;           /* and their piece */
    const Sym *block; /* stands for the first turn of a block, or of running down the last one */
} Order;

/* Of a pair of accesses, of which the spec has the first one earlier. */
typedef struct Pair {
    const Access *x, *y;
    int px, py; /* their pieces */
    Place lx, ly;
} Pair;

static bool note_place(void *user, Node *n)
{
    Order *o = user;
    if (is_expr(n))
        return false;
    o->place[n->id] = o->now;
    o->piece[n->id] = o->at;
    return true;
}

static void note_places(Order *o, const Vec *list, Node *one, Place place)
{
    const Walker w = {.pre = note_place, .user = o};
    o->now = place;
    for (int i = 0; list && i < list->count; i++)
        walk(&w, list->items[i]);
    if (one)
        walk(&w, one);
}

static void add(Order *o, Vec *list, Node *n)
{
    if (n)
        vec_push(o->ir->arena, list, n);
}

/* Statements with a path of their own: one access in two places would count as one else. */
static Node *apart(Order *o, int n, Node *const *list)
{
    Node *block = mk_block(o->ir, n, list, o->r->source->loc);
    return n ? mk_if(o->ir, mk_int(o->ir, T_INT, 1), block, NULL, o->r->source->loc) : NULL;
}

/* The root with sums handed over in elements. */
static Node *region_of(Order *o)
{
    const Running *r = o->r;
    Vec body = {0};
    for (int at = 0; at < r->npieces; at++) {
        const Piece *p = &r->piece[at];
        Vec leaf = {0};
        for (int i = 0; i < p->before.count; i++)
            add(o, &leaf, p->before.items[i]);
        add(o, &leaf, p->sum);
        add(o, &leaf, p->hand_over);
        add(o, &leaf, apart(o, p->take_over != NULL, &p->take_over));
        add(o, &leaf, apart(o, p->after.count, (Node **)p->after.items));
        Node *nest = mk_block(o->ir, leaf.count, (Node **)leaf.items, r->source->loc);
        for (int l = p->nloops - 1; l >= 0; l--)
            nest = loop_over(o->ir, &p->loop[l], p->loop[l].lo, p->loop[l].hi, nest);
        add(o, &body, nest);
    }
    return loop_over(o->ir, &r->root, r->root.lo, r->root.hi, mk_block(o->ir, body.count, (Node **)body.items, r->source->loc));
}

static void note_pieces(Order *o)
{
    for (o->at = 0; o->at < o->r->npieces; o->at++) {
        const Piece *p = &o->r->piece[o->at];
        note_places(o, &p->before, p->hand_over, PLACE_BEFORE);
        note_places(o, &p->after, p->take_over, PLACE_AFTER);
        note_places(o, NULL, p->sum, PLACE_SUM);
    }
}

/* ---------------------------------------------------------------- constraints */

static Sym *turn_of(const Order *o, int piece) { return turn_loop(o->r, &o->r->piece[piece])->var; }

static bool runs_down(const Order *o) { return turn_loop(o->r, &o->r->piece[0])->down; }

/* The variable of side 1 minus that of side 0, or the contrary if the loop runs down: it is later by that. */
static Form later_by(System *sys, const Sym *first, const Sym *second, bool down)
{
    Form f = {{0}, 0};
    f.coef[system_iterator(sys, 0, first)] = down ? 1 : -1;
    f.coef[system_iterator(sys, 1, second)] = down ? -1 : 1;
    return f;
}

/* `side` has its turn in the block. */
static void within_block(Order *o, System *sys, int side, int piece)
{
    const int turn = system_iterator(sys, side, turn_of(o, piece)), block = system_iterator(sys, 2, o->block);
    const int sign = runs_down(o) ? -1 : 1;
    Form ahead = {{0}, 0};
    ahead.coef[turn] = sign;
    ahead.coef[block] = -sign;
    system_at_least(sys, ahead, 0);
    Form left = {{0}, o->r->block - 1};
    left.coef[turn] = -sign;
    left.coef[block] = sign;
    system_at_least(sys, left, 0);
}

/* A term of the sum is over what earlier blocks, or over what this one has done. */
static void term_is(Order *o, System *sys, int side, int piece, bool earlier)
{
    const int term = system_iterator(sys, side, o->r->piece[piece].sum_loop.var), block = system_iterator(sys, 2, o->block);
    const int sign = runs_down(o) == earlier ? 1 : -1; /* terms of earlier blocks are below the block, or above */
    Form apart = {{0}, 0};
    apart.coef[term] = sign;
    apart.coef[block] = -sign;
    system_at_least(sys, apart, earlier ? 1 : 0);
}

static bool may_meet(Order *o, System *sys, const Pair *p)
{
    for (int d = 0; d < p->x->node->sym->rank; d++) {
        Form fx, fy;
        if (remainders_differ(&o->in, p->x->node->kid[d], p->y->node->kid[d]))
            return false;
        if (!access_form(&o->in, sys, 0, p->x->path, p->x->node->kid[d], &fx) ||
            !access_form(&o->in, sys, 1, p->y->path, p->y->node->kid[d], &fy))
            continue;
        system_equal(sys, form_sub(&fx, &fy));
    }
    return true;
}

/* May they meet, under the constraints of `sys`, with the first one earlier in the spec? `within`: of two accesses of one iteration of the
 * root, those of a piece before another count. */
static bool meet_in_order(Order *o, const System *base, const Pair *p, bool within)
{
    const Sym *root = o->r->root.var;
    System sys = *base;
    system_at_least(&sys, later_by(&sys, root, root, o->r->root.down), 1);
    if (!system_is_empty(&sys))
        return true;
    System same = *base;
    system_equal(&same, later_by(&same, root, root, false));
    if (p->px != p->py)
        return within && p->px < p->py && !system_is_empty(&same);
    const Piece *piece = &o->r->piece[p->px];
    for (int l = 0; l < piece->nloops; l++) {
        const Counted *c = &piece->loop[l];
        sys = same;
        system_at_least(&sys, later_by(&sys, c->var, c->var, c->down), 1);
        if (!system_is_empty(&sys))
            return true;
        system_equal(&same, later_by(&same, c->var, c->var, false));
    }
    return false;
}

static System system_of(Order *o, const Pair *p, bool *differ)
{
    System sys;
    system_init(&sys, o->ir);
    *differ = !may_meet(o, &sys, p);
    add_path(&o->in, &sys, 0, p->x->path);
    add_path(&o->in, &sys, 1, p->y->path);
    return sys;
}

/* ---------------------------------------------------------------- what blocks change */

/* Is the second one in an earlier block? */
static bool blocks_swap(Order *o, const System *base, const Pair *p)
{
    System sys = *base;
    system_at_least(&sys, later_by(&sys, turn_of(o, p->px), turn_of(o, p->py), !runs_down(o)), 1);
    return meet_in_order(o, &sys, p, true);
}

/* In one block, is the second one among what is done first there? The first one is of the rest, or goes with another instance of it. */
static bool phases_swap(Order *o, const System *base, const Pair *p)
{
    if (p->ly == PLACE_AFTER)
        return false;
    System sys = *base;
    within_block(o, &sys, 0, p->px);
    within_block(o, &sys, 1, p->py);
    if (p->ly == PLACE_SUM)
        term_is(o, &sys, 1, p->py, true);
    if (p->lx != PLACE_BEFORE) {
        System rest = sys;
        if (p->lx == PLACE_SUM)
            term_is(o, &rest, 0, p->px, false);
        if (meet_in_order(o, &rest, p, true))
            return true;
    }
    if (p->lx == PLACE_AFTER)
        return false;
    if (p->lx == PLACE_SUM)
        term_is(o, &sys, 0, p->px, true);
    return meet_in_order(o, &sys, p, false);
}

/* What is handed over lies where something of the same iteration reads or writes something else meanwhile. */
static bool spoils(Order *o, const Pair *p)
{
    const Piece *piece = &o->r->piece[p->px];
    if (p->px != p->py || p->x->stmt != piece->hand_over || p->x == p->y || p->y->stmt == piece->take_over)
        return false;
    if (p->ly == PLACE_BEFORE || (p->ly == PLACE_AFTER && (piece->in_place || p->y->node->kind == N_STORE)))
        return false;
    bool differ;
    System sys = system_of(o, p, &differ);
    const Sym *root = o->r->root.var;
    system_equal(&sys, later_by(&sys, root, root, false));
    for (int l = 0; l < piece->nloops; l++)
        system_equal(&sys, later_by(&sys, piece->loop[l].var, piece->loop[l].var, false));
    return !differ && !system_is_empty(&sys);
}

static bool pair_keeps_order(Order *o, const Access *x, const Access *y)
{
    const Pair p = {x, y, o->piece[x->stmt->id], o->piece[y->stmt->id], o->place[x->stmt->id], o->place[y->stmt->id]};
    if (p.lx == PLACE_NONE || p.ly == PLACE_NONE || spoils(o, &p))
        return false;
    bool differ;
    const System sys = system_of(o, &p, &differ);
    return differ || (!blocks_swap(o, &sys, &p) && !phases_swap(o, &sys, &p));
}

bool blocks_keep_order(const Running *r, const char **why)
{
    enum { MAX_PAIRS = 2000 };
    Ir *ir = r->context->ir;
    Order o = {.r = r, .ir = ir, .block = sym_new(ir, S_LOCAL, T_INT, "block", r->source->loc)};
    int pairs = 0;
    *why = "it does more than can be looked through";
    Node *region = region_of(&o);
    o.place = arena_new_array(ir->arena, Place, ir->nnodes);
    o.piece = arena_new_array(ir->arena, int, ir->nnodes);
    note_pieces(&o);
    o.in = find_accesses(ir, region);
    for (int i = 0; i < o.in.all.count; i++)
        for (int j = 0; j < o.in.all.count; j++) {
            const Access *x = o.in.all.items[i], *y = o.in.all.items[j];
            if (x->node->sym != y->node->sym || (x->node->kind == N_LOAD && y->node->kind == N_LOAD))
                continue;
            if (++pairs > MAX_PAIRS || o.in.failed)
                return false;
            if (!pair_keeps_order(&o, x, y)) {
                *why = arena_printf(ir->arena, "%s and %s may be the same element", place_text(ir, x->node, x->stmt),
                                    place_text(ir, y->node, y->stmt));
                return false;
            }
        }
    return !o.in.failed;
}
