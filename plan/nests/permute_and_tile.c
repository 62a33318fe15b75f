/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants that were declared between the loops are declared again where all that they are made of is known. */
#include "plan/nests/permute_and_tile.h"

#include "depend/index.h"
#include "ir/walk.h"
#include "plan/fitted.h"
#include "plan/nests/permutable_band.h"

typedef struct Arranging {
    Ir *ir;
    Node *first;                 /* the outermost of them; NULL: not all are there */
    Node *loop[LONGEST_PERMUTABLE_BAND]; /* outermost first, */
    int nloops;
    Vec consts;                  /* N_DECL between them, */
    Node *body;                  /* and what is in the innermost */
} Arranging;

/* ---------------------------------------------------------------- the loops */

static bool is_constant(const Node *n) { return n->kind == N_DECL && n->nkids && n->sym->is_const && !n->sym->rank; }

/* The loop that is all of the body but for constants before it; NULL: there is no such loop. */
static Node *inner_loop(Arranging *a, Node *body)
{
    if (body->kind != N_BLOCK)
        return body->kind == N_FOR ? body : NULL;
    for (int i = 0; i < body->nkids - 1; i++) {
        if (!is_constant(body->kid[i]))
            return NULL;
        vec_push(a->ir->arena, &a->consts, body->kid[i]);
    }
    Node *last = body->nkids ? body->kid[body->nkids - 1] : NULL;
    return last && last->kind == N_FOR ? last : NULL;
}

typedef struct LoopSearch {
    const Sym *var;
    Node *found;
} LoopSearch;

static bool search_loop(void *user, Node *n)
{
    LoopSearch *s = user;
    if (n->kind == N_FOR && n->sym == s->var)
        s->found = n;
    return !s->found && !is_expr(n);
}

/* Do the loop's bounds depend on what is between the loops, or on their variables? */
static bool is_bound(const Arranging *a, const Node *loop)
{
    bool yes = false;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < a->consts.count; i++)
            yes = yes || uses_sym(loop->kid[k], ((const Node *)a->consts.items[i])->sym);
        for (int i = 0; i < a->nloops; i++)
            yes = yes || uses_sym(loop->kid[k], a->loop[i]->sym);
    }
    return yes;
}

static bool find_loops(Arranging *a, const PermutableBand *free, Node *body)
{
    LoopSearch s = {.var = free->outermost};
    if (free->count)
        walk(&(Walker){.pre = search_loop, .user = &s}, body);
    a->first = s.found;
    for (Node *loop = s.found; loop && a->nloops < free->count; loop = a->nloops < free->count ? inner_loop(a, a->body) : NULL) {
        if (is_bound(a, loop))
            return false;
        a->loop[a->nloops++] = loop;
        a->body = loop->kid[2];
    }
    return free->count && a->nloops == free->count;
}

/* ---------------------------------------------------------------- tiles */

typedef struct Tiles {
    Node *loop; /* over tiles; NULL: there are none */
    Node *end;  /* declares where one ends */
} Tiles;

/* Of a loop, which becomes one over a tile. */
static Tiles over_tiles(Ir *ir, Node **loop, int64_t size)
{
    Bounds b;
    Node *whole = *loop;
    for_bounds(whole, &b);
    Sym *from = sym_new(ir, S_LOOP, T_INDEX, arena_printf(ir->arena, "%s_tile", whole->sym->name), whole->loc);
    Sym *to = sym_new(ir, S_LOCAL, T_INDEX, arena_printf(ir->arena, "%s_end", whole->sym->name), whole->loc);
    Node *lo = widen(ir, b.lo), *hi = widen(ir, b.hi), *begin = mk_var(ir, from);
    to->is_const = true;
    Node *kids[] = {mk_cast(ir, b.var->type, begin), mk_binary(ir, N_LT, mk_var(ir, b.var), mk_cast(ir, b.var->type, mk_var(ir, to))),
                    whole->kid[2]};
    *loop = with_kids(ir, whole, 3, kids);
    Tiles tiles = {.end = mk_decl(ir, to, mk_binary(ir, N_MIN, ix_add(ir, begin, ix_int(ir, size)), hi), whole->loc),
                   .loop = mk_for(ir, from, lo, mk_binary(ir, N_LT, begin, hi), size, whole->kid[2], true, whole->loc)};
    tiles.loop->aux |= FOR_TILES;
    return tiles;
}

/* ---------------------------------------------------------------- together again */

static bool knows(const Arranging *a, const bool *declared, int depth, Node *value)
{
    for (int i = depth; i < a->nloops; i++)
        if (uses_sym(value, a->loop[i]->sym))
            return false;
    for (int i = 0; i < a->consts.count; i++)
        if (!declared[i] && uses_sym(value, ((const Node *)a->consts.items[i])->sym))
            return false;
    return true;
}

/* The body in loops number `depth` and those inside; before it the constants that may be there first. */
static Node *nested(const Arranging *a, bool *declared, int depth)
{
    Ir *ir = a->ir;
    Vec out = {0};
    for (int i = 0; i < a->consts.count; i++) {
        Node *decl = a->consts.items[i];
        if (declared[i] || !knows(a, declared, depth, decl->kid[0]))
            continue;
        declared[i] = true;
        vec_push(ir->arena, &out, decl);
    }
    Node *inside = a->body;
    if (depth < a->nloops) {
        Node *loop = a->loop[depth], *kids[] = {loop->kid[0], loop->kid[1], nested(a, declared, depth + 1)};
        inside = with_kids(ir, loop, 3, kids);
    }
    if (!out.count)
        return inside;
    for (int i = 0; i < (inside->kind == N_BLOCK ? inside->nkids : 1); i++)
        vec_push(ir->arena, &out, inside->kind == N_BLOCK ? inside->kid[i] : inside);
    return mk_block(ir, out.count, (Node **)out.items, inside->loc);
}

static Node *in_tiles(Ir *ir, const Tiles *tiles, Node *body)
{
    Node *inside[] = {tiles->end, body};
    Node *kids[] = {tiles->loop->kid[0], tiles->loop->kid[1], mk_block(ir, 2, inside, body->loc)};
    return with_kids(ir, tiles->loop, 3, kids);
}

typedef struct Replacing {
    const Node *old;
    Node *replacement;
} Replacing;

static Node *replace(void *user, Node *n)
{
    const Replacing *r = user;
    return n == r->old ? r->replacement : n;
}

/* ---------------------------------------------------------------- strips */

typedef struct Strips {
    Ir *ir;
    int rows;
} Strips;

typedef struct Ends {
    Ir *ir;
    const Sym *row;
    int rows;
} Ends;

static bool is_row_and(const Ends *e, const Node *n)
{
    return n->kind == N_ADD && n->kid[0]->kind == N_VAR && n->kid[0]->sym == e->row && n->kid[1]->kind == N_INT;
}

/* The lesser of row + rows and all: where a strip ends. Where it begins, a number may be added to `row`, too. */
static Node *move_end(void *user, Node *n)
{
    const Ends *e = user;
    const bool is_end = n->kind == N_MIN && (is_row_and(e, n->kid[0]) || is_row_and(e, n->kid[1]));
    Node *kids[2] = {is_end ? n->kid[0] : NULL, is_end ? n->kid[1] : NULL};
    for (int i = 0; i < 2 && is_end; i++)
        if (is_row_and(e, kids[i]))
            kids[i] = ix_add(e->ir, kids[i]->kid[0], ix_int(e->ir, e->rows));
    return is_end ? ix_min(e->ir, kids[0], kids[1]) : n; /* in the order that it had */
}

/* Of loops over strips of rows (plan/nests/column_reduction.h). */
static Node *change_strip(void *user, Node *n)
{
    const Strips *s = user;
    if (n->kind != N_FOR || !(n->aux & FOR_BLOCKS) || n->u.i < 2)
        return n;
    Ends ends = {s->ir, n->sym, s->rows};
    Node *body = rewrite(&(Rewriter){.ir = s->ir, .post = move_end, .user = &ends}, n->kid[2]);
    Node *strip = mk_for(s->ir, n->sym, n->kid[0], n->kid[1], s->rows, body, true, n->loc);
    strip->aux = n->aux;
    return strip;
}

static int tile_of(const HostNest *nest, const NestKnobs *knobs)
{
    const int how = knobs->value[KNOB_ORDER];
    const bool is_ordered = how > ORDER_AS_PLANNED && nest->band.orders >> how & 1;
    return nest->band.across && knobs->value[KNOB_TILE] == KNOB_PLANNED && !is_ordered ? ACROSS_TILE : knobs->value[KNOB_TILE];
}

Node *permute_and_tile(Ir *ir, const HostNest *nest, Node *body, const NestKnobs *knobs)
{
    const int tile = tile_of(nest, knobs), block = knobs->value[KNOB_TILE_OUTER], how = knobs->value[KNOB_ORDER];
    Arranging a = {.ir = ir};
    if (knobs->value[KNOB_COLUMN_ROWS]) {
        Strips s = {ir, knobs->value[KNOB_COLUMN_ROWS]};
        body = rewrite(&(Rewriter){.ir = ir, .post = change_strip, .user = &s}, body);
    }
    if ((tile < 2 && block < 2 && how <= ORDER_AS_PLANNED) || !find_loops(&a, &nest->band, body))
        return body;
    if (nest->band.orders >> how & 1)
        order_loops(a.loop, a.nloops, how);
    const int last = a.nloops - 1;
    const Tiles tiles = tile > 1 ? over_tiles(ir, &a.loop[last], tile) : (Tiles){0};
    const Tiles blocks = block > 1 && last > 1 ? over_tiles(ir, &a.loop[last - 1], block) : (Tiles){0};
    Node *arranged = nested(&a, arena_new_array(ir->arena, bool, a.consts.count + 1), 0);
    arranged = tiles.loop ? in_tiles(ir, &tiles, arranged) : arranged;
    arranged = blocks.loop ? in_tiles(ir, &blocks, arranged) : arranged;
    return rewrite(&(Rewriter){.ir = ir, .post = replace, .user = &(Replacing){a.first, arranged}}, body);
}
