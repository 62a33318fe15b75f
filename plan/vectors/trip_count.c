/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Middles stand for variables; what then depends on parameters alone is known. */
#include "plan/vectors/trip_count.h"

#include "depend/index.h"
#include "depend/parallel.h"

static Node *combined(Ir *ir, Kind kind, Node *a, Node *b)
{
    switch (kind) {
    case N_ADD: return ix_add(ir, a, b);
    case N_SUB: return ix_sub(ir, a, b);
    case N_MUL: return ix_mul(ir, a, b);
    case N_MIN: return ix_min(ir, a, b);
    case N_MAX: return b->kind == N_INT && b->u.i == 0 ? a : ix_max(ir, a, b); /* none are as few as fewer */
    case N_DIV: return b->kind == N_INT && b->u.i > 0 ? ix_div(ir, a, b) : NULL;
    case N_MOD: return b->kind == N_INT && b->u.i > 0 ? ix_mod(ir, a, b) : NULL;
    default: return NULL;
    }
}

/* Where a tile ends, or what is left of the loop. */
static bool is_tile_end(const TripCounts *t, const Node *e)
{
    const Node *sum = e->kind == N_MIN ? e->kid[0] : NULL;
    return sum && sum->kind == N_ADD && sum->kid[0]->kind == N_VAR && map_get(&t->tiles, sum->kid[0]->sym->id);
}

/* The integer with middles in it, as if no type had an end; NULL: it is not known. */
static Node *known(const TripCounts *t, Node *e)
{
    if (e->kind == N_INT)
        return ix_int(t->ir, e->u.i);
    if (e->kind == N_VAR) {
        Node *middle = map_get(&t->middle, e->sym->id);
        return middle ? middle : e->sym->kind == S_PARAM ? widen(t->ir, e) : NULL;
    }
    if (e->kind == N_CAST)
        return type_is_integer(e->kid[0]->type) ? known(t, e->kid[0]) : NULL;
    if (is_tile_end(t, e))
        return known(t, e->kid[1]);
    Node *a = is_expr(e) && e->nkids == 2 ? known(t, e->kid[0]) : NULL, *b = a ? known(t, e->kid[1]) : NULL;
    return b ? combined(t->ir, e->kind, a, b) : NULL;
}

TripCounts trip_counts_begin(Ir *ir, const NestCut *cut, const Func *loops)
{
    TripCounts t = {.ir = ir, .cut = cut, .body = loops->body};
    for (int i = 0; i < cut->loops; i++) {
        *map_at(ir->arena, &t.middle, loops->params[2 * i]->id) = ix_int(ir, 0);
        *map_at(ir->arena, &t.middle, loops->params[2 * i + 1]->id) = cut->count[i];
    }
    return t;
}

Node *trip_count_of(const TripCounts *t, Node *loop)
{
    Node *count = trip_count_of_running(t->ir, loop);
    return count ? known(t, count) : NULL;
}

/* A loop over blocks, as one: there are several where the loop inside is long. */
static void enter_blocks(TripCounts *t, Node *loop)
{
    Ir *ir = t->ir;
    const Node *count = t->cut->loops ? t->cut->count[0] : NULL;
    *map_at(ir->arena, &t->middle, loop->sym->id) = ix_int(ir, 0);
    if (count && count->kind == N_VAR)
        *map_at(ir->arena, &t->middle, count->sym->id) = ix_int(ir, 1);
}

/* A loop over tiles, as one of all of them: what is inside is as long as it would be without. */
static void enter_tiles(TripCounts *t, Node *loop)
{
    *map_at(t->ir->arena, &t->tiles, loop->sym->id) = loop;
    *map_at(t->ir->arena, &t->middle, loop->sym->id) = known(t, loop->kid[0]);
}

void trip_counts_enter(TripCounts *t, Node *loop)
{
    Ir *ir = t->ir;
    if (loop->aux & FOR_TILES) {
        enter_tiles(t, loop);
        return;
    }
    if (loop->aux & FOR_BLOCKS) {
        enter_blocks(t, loop);
        return;
    }
    Node *lo = known(t, loop->kid[0]), *trips = trip_count_of(t, loop);
    if (lo && trips)
        *map_at(ir->arena, &t->middle, loop->sym->id) = ix_add(ir, lo, ix_mul(ir, ix_div(ir, trips, ix_int(ir, 2)), ix_int(ir, loop->u.i)));
}

void trip_counts_note_constant(TripCounts *t, const Node *decl)
{
    Node *value = decl->sym->is_const && !decl->sym->rank && decl->nkids && type_is_integer(decl->sym->type) ? known(t, decl->kid[0])
                                                                                                             : NULL;
    if (value)
        *map_at(t->ir->arena, &t->middle, decl->sym->id) = value;
}
