/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size of blocks is that by which an output takes the fewest loads. */
#include "plan/nests/register_tiling.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/branch.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/nests/loop_utils.h"
#include "plan/nests/shared_loads.h"

enum {
    MOST_SUMS = 8,    /* that registers hold beside what they add up: half of 16 */
    MOST_TERMS = 256, /* statements of a block */
    LEAST_TERMS = 9,  /* of an output: windows of five elements were as fast before */
    MOST_TAPS = 16,   /* iterations of a loop over a window */
    FEW_LANES = 16,   /* of which a row of the outputs has more */
    STRIP_BYTES = 512, /* of a row of outputs, and what windows around a block take of it stays in the first cache */
    MOST_GUARDS = 8,
    ROWS_BEFORE = 4   /* iterations that share what they have in common anyway: plan/nests/unroll_and_jam.h */
};

/* Iterations of the outer and the inner loop. */
typedef struct Shape {
    int size[2];
} Shape;

static const Shape shapes[] = {{{2, 4}}, {{2, 3}}, {{2, 2}}};

/* Sums that differ by constants, none of which is negative where the least is not. */
typedef struct Guard {
    Poly *sum;
    int64_t least; /* to be added */
} Guard;

typedef struct Tile {
    Ir *ir;
    Node *loop[2]; /* around the lanes, the outer one first */
    Node *lanes;
    Node *body;    /* N_BLOCK: what an iteration does, without loops */
    Node *trips[2];
    Sym *first[2]; /* numbers of a block's first iterations */
    Sym *strip[2]; /* lanes from here to there */
    Shape shape;
    Guard guard[MOST_GUARDS];
    int nguards;
    int terms;
    Node *block[MOST_SUMS]; /* iterations */
} Tile;

/* ---------------------------------------------------------------- loops */

static bool is_map(Ir *ir, Node *n)
{
    Bounds b;
    return n->kind == N_FOR && n->aux & FOR_PARALLEL && for_bounds(n, &b) && b.step == 1 && b.cmp == N_LT && loop_declares(n) &&
           type_is_signed(b.var->type) && type_bits(b.var->type) >= 32 && loop_is_parallel(ir, n);
}

/* The loop behind declarations of scalars alone, which go to `before`; NULL: there is more. */
static Node *loop_behind(Ir *ir, Node *body, Vec *before)
{
    for (int i = 0; body->kind == N_BLOCK && i < body->nkids - 1; i++) {
        if (body->kid[i]->kind != N_DECL || body->kid[i]->sym->rank || !body->kid[i]->nkids)
            return NULL;
        vec_push(ir->arena, before, body->kid[i]);
    }
    if (body->kind != N_BLOCK)
        return body->kind == N_FOR ? body : NULL;
    return body->nkids ? loop_behind(ir, body->kid[body->nkids - 1], before) : NULL;
}

/* Does a bound change with loops around, or with what they declare? */
static bool has_own_bounds(const Tile *t, Node *loop, const Vec *before)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (t->loop[k] && t->loop[k] != loop && uses_sym(loop->kid[i], t->loop[k]->sym))
                return true;
    for (int i = 0; i < before->count; i++)
        if (uses_sym(loop->kid[0], ((Node *)before->items[i])->sym) || uses_sym(loop->kid[1], ((Node *)before->items[i])->sym))
            return true;
    return false;
}

static bool flatten(Tile *t, Node *n, Vec *out);

static bool flatten_loop(Tile *t, Node *n, Vec *out)
{
    Bounds b;
    const Node *trips = for_bounds(n, &b) && loop_declares(n) && b.lo->kind == N_INT ? trip_count(t->ir, n) : NULL;
    if (!trips || trips->kind != N_INT || trips->u.i > MOST_TAPS)
        return false;
    for (int64_t i = 0; i < trips->u.i; i++) {
        Node *at = mk_int(t->ir, b.var->type, b.lo->u.i + i * b.step);
        if (!flatten(t, copy_with_own_symbols(t->ir, substitute(t->ir, n->kid[2], b.var, at)), out))
            return false;
    }
    return true;
}

/* Statements without loops over windows, which are unrolled. Branches skip what they guard: loops' bounds know that better. */
static bool flatten(Tile *t, Node *n, Vec *out)
{
    if (out->count > MOST_TERMS)
        return false;
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            if (!flatten(t, n->kid[i], out))
                return false;
        return true;
    case N_FOR: return flatten_loop(t, n, out);
    case N_DECL:
        if (n->sym->rank)
            return false;
        break;
    case N_ASSIGN: t->terms++; break;
    case N_STORE: break;
    default: return false;
    }
    vec_push(t->ir->arena, out, n);
    return true;
}

typedef struct AccessSearch {
    const Tile *tile;
    int stores;
    bool fits;
} AccessSearch;

/* Lane by lane, or the same for all? Windows that slide along the lanes have vectors of their own. */
static bool goes_by_lanes(const Tile *t, Node *subscript)
{
    Ir *ir = t->ir;
    const Poly *apart = poly_sub(ir, poly_of(ir, subscript), poly_of(ir, mk_var(ir, t->lanes->sym)));
    return !uses_sym(subscript, t->lanes->sym) || poly_is(apart, 0);
}

static bool search_access(void *user, Node *n)
{
    AccessSearch *s = user;
    const Tile *t = s->tile;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return s->fits;
    const int rank = n->kind == N_LOAD ? n->nkids : n->nkids - 1;
    for (int i = 0; i < rank; i++)
        s->fits = s->fits && goes_by_lanes(t, n->kid[i]);
    if (n->kind == N_STORE) {
        s->fits = s->fits && n->aux == N_NONE && !reads_array(t->body, n->sym) && uses_sym(n->kid[rank - 1], t->lanes->sym);
        s->stores++;
    }
    return s->fits;
}

/* Are neighbouring lanes' outputs neighbours, and may they be stored twice? */
static bool stores_rows(const Tile *t)
{
    AccessSearch s = {t, 0, true};
    walk(&(Walker){.pre = search_access, .user = &s}, t->body);
    return s.fits && s.stores > 0;
}

/* Two loops from the outer one on, and the lanes in them. */
static bool find_loops(Tile *t, Node *outer)
{
    Ir *ir = t->ir;
    Vec before = {0}, own = {0};
    Node *n = outer;
    for (int i = 0; i < 2; i++) {
        if (!n || !is_map(ir, n) || (i > 0 && has_own_bounds(t, n, &before)))
            return false;
        t->loop[i] = n;
        t->trips[i] = trip_count(ir, n);
        n = loop_behind(ir, n->kid[2], &before);
    }
    if (!n || !is_map(ir, n) || has_own_bounds(t, n, &before) || !has_kind(n->kid[2], N_FOR))
        return false;
    const Node *lanes = trip_count(ir, n);
    t->lanes = n;
    if (!lanes || (lanes->kind == N_INT && lanes->u.i < FEW_LANES))
        return false;
    for (int i = 0; i < before.count; i++)
        vec_push(ir->arena, &own, before.items[i]);
    if (!flatten(t, n->kid[2], &own))
        return false;
    t->body = without_integer_names(ir, mk_block(ir, own.count, (Node **)own.items, n->loc));
    return stores_rows(t);
}

/* ---------------------------------------------------------------- guards */

static bool search_unsteady(void *user, Node *n)
{
    bool *steady = user;
    *steady = *steady && n->kind != N_LOAD && n->kind != N_CALL && n->kind != N_DIV && n->kind != N_MOD;
    return *steady;
}

/* Is it known before the loop over lanes, and nothing but a sum? */
static bool is_steady(const Tile *t, Node *e)
{
    bool steady = !uses_sym(e, t->lanes->sym);
    walk(&(Walker){.pre = search_unsteady, .user = &steady}, e);
    for (int i = 0; steady && i < MOST_SUMS && t->block[i]; i++)
        for (int k = 0; k < t->block[i]->nkids; k++)
            steady = steady && !(t->block[i]->kid[k]->kind == N_DECL && uses_sym(e, t->block[i]->kid[k]->sym));
    return steady;
}

/* Of the sum, or one that differs by a constant, which goes to `more`; NULL: there is none. */
static Guard *guard_of(Tile *t, Poly *sum, int64_t *more)
{
    for (int i = 0; i < t->nguards; i++)
        if (poly_const(poly_sub(t->ir, sum, t->guard[i].sum), more))
            return &t->guard[i];
    return NULL;
}

static void add_guards(Tile *t, Node *cond)
{
    int64_t more;
    if (cond->kind == N_LAND) {
        add_guards(t, cond->kid[0]);
        add_guards(t, cond->kid[1]);
        return;
    }
    Poly *sum = guard_sum(t->ir, cond);
    if (!sum)
        return;
    Guard *known = guard_of(t, sum, &more);
    if (known)
        known->least = more < known->least ? more : known->least;
    else if (t->nguards < MOST_GUARDS && is_steady(t, poly_node(t->ir, sum)) && is_steady(t, cond))
        t->guard[t->nguards++] = (Guard){sum, 0};
}

static bool search_guards(void *user, Node *n)
{
    if (n->kind == N_SEL)
        add_guards(user, n->kid[0]);
    return true;
}

/* The condition where all guards hold; NULL: it does then. */
static Node *unguarded(Tile *t, Node *cond)
{
    int64_t more;
    Poly *sum = guard_sum(t->ir, cond);
    if (sum && guard_of(t, sum, &more))
        return NULL;
    if (cond->kind != N_LAND)
        return cond;
    Node *a = unguarded(t, cond->kid[0]), *b = unguarded(t, cond->kid[1]);
    return a && b ? mk_binary(t->ir, N_LAND, a, b) : a ? a : b;
}

static Node *drop_guards(void *user, Node *n)
{
    Tile *t = user;
    Node *cond = n->kind == N_SEL ? unguarded(t, n->kid[0]) : n;
    return !cond ? n->kid[1] : n->kind == N_SEL && cond != n->kid[0] ? with_kid(t->ir, n, 0, cond) : n;
}

/* Do all guards hold in the block? NULL: there are none. */
static Node *inside(const Tile *t)
{
    Ir *ir = t->ir;
    Node *all = NULL;
    for (int i = 0; i < t->nguards; i++) {
        Node *least = poly_node(ir, poly_add(ir, t->guard[i].sum, poly_int(ir, t->guard[i].least)));
        Node *holds = mk_binary(ir, N_GE, least, ix_int(ir, 0));
        all = all ? mk_binary(ir, N_LAND, all, holds) : holds;
    }
    return all;
}

/* ---------------------------------------------------------------- blocks */

static int iterations(const Tile *t) { return t->shape.size[0] * t->shape.size[1]; }

/* A block's iterations, each with names of its own. */
static void make_block(Tile *t)
{
    Ir *ir = t->ir;
    for (int i = 0; i < iterations(t); i++) {
        Node *body = t->body;
        const int at[] = {i / t->shape.size[1], i % t->shape.size[1]};
        for (int k = 0; k < 2; k++) {
            Sym *var = t->loop[k]->sym;
            Node *first = mk_var(ir, t->first[k]);
            body = substitute(ir, body, var, at[k] ? mk_binary(ir, N_ADD, first, mk_int(ir, var->type, at[k])) : first);
        }
        t->block[i] = simplify(ir, copy_with_own_symbols(ir, body));
    }
    t->nguards = 0;
    for (int i = 0; i < iterations(t); i++)
        walk(&(Walker){.pre = search_guards, .user = t}, t->block[i]);
}

/* The block's iterations as one; within: all guards hold. */
static Node *jammed(Tile *t, bool within, LoadCount *loads)
{
    Ir *ir = t->ir;
    Node *block[MOST_SUMS];
    for (int i = 0; i < iterations(t); i++) {
        block[i] = within ? rewrite(&(Rewriter){.ir = ir, .post = drop_guards, .user = t}, t->block[i]) : t->block[i];
    }
    return share_loads(ir, block, iterations(t), t->first, 2, loads);
}

/* ---------------------------------------------------------------- does it pay? */

typedef struct SumSearch {
    bool *known; /* per symbol id */
    int count;
} SumSearch;

static bool search_sum(void *user, Node *n)
{
    SumSearch *s = user;
    if (n->kind == N_ASSIGN) {
        s->count += !s->known[n->sym->id];
        s->known[n->sym->id] = true;
    }
    return !is_expr(n);
}

static int sums_of(const Tile *t)
{
    SumSearch s = {arena_new_array(t->ir->arena, bool, t->ir->nsyms + 1), 0};
    walk(&(Walker){.pre = search_sum, .user = &s}, t->body);
    return s.count;
}

/* Loads of an output, those of what blocks that overlap make twice included; 0: there is no room for such blocks. */
static double cost(Tile *t, Shape shape)
{
    LoadCount loads;
    double made = 1;
    t->shape = shape;
    for (int k = 0; k < 2; k++) {
        const int64_t trips = t->trips[k]->kind == N_INT ? t->trips[k]->u.i : 0, size = shape.size[k];
        if (trips && trips < size)
            return 0;
        made *= trips ? (double)((trips + size - 1) / size * size) / (double)trips : 1;
    }
    make_block(t);
    jammed(t, true, &loads);
    return made * (loads.own + loads.common) / iterations(t);
}

/* Of outputs by themselves. */
static double cost_before(Tile *t)
{
    LoadCount loads;
    t->shape = (Shape){{1, 1}};
    make_block(t);
    jammed(t, true, &loads);
    return loads.own + (double)loads.common / ROWS_BEFORE;
}

/* False: none is worth its while. */
static bool choose_shape(Tile *t)
{
    const int sums = sums_of(t), terms = t->terms;
    Shape best = {{1, 1}};
    if (sums == 0 || terms / sums < LEAST_TERMS)
        return false;
    double least = cost_before(t) * 5 / 8;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const int outputs = shapes[i].size[0] * shapes[i].size[1];
        if (outputs * sums > MOST_SUMS || outputs * terms > MOST_TERMS)
            continue;
        const double of_shape = cost(t, shapes[i]);
        if (of_shape > 0 && of_shape < least) {
            best = shapes[i];
            least = of_shape;
        }
    }
    t->shape = best;
    return iterations(t) > 1;
}

/* ---------------------------------------------------------------- the loops */

static Node *over_lanes(const Tile *t, Node *body)
{
    Ir *ir = t->ir;
    Sym *var = t->lanes->sym;
    Node *loop = with_kid(ir, t->lanes, 2, simplify(ir, body));
    Node *from = mk_cast(ir, var->type, mk_var(ir, t->strip[0])), *to = mk_cast(ir, var->type, mk_var(ir, t->strip[1]));
    loop = with_kid(ir, with_kid(ir, loop, 0, from), 1, mk_binary(ir, N_LT, mk_var(ir, var), to));
    return copy_with_own_symbols(ir, loop);
}

/* Inside the loops over blocks. */
static Node *of_block(Tile *t)
{
    LoadCount loads;
    make_block(t);
    Node *holds = inside(t), *within = over_lanes(t, jammed(t, true, &loads));
    return holds ? mk_if(t->ir, holds, within, over_lanes(t, jammed(t, false, &loads)), t->lanes->loc) : within;
}

/* The loop over blocks, around `inner`. */
static Node *over_blocks(const Tile *t, int k, Node *lo, Node *hi, Node *inner)
{
    Ir *ir = t->ir;
    const Sym *old = t->loop[k]->sym;
    const int64_t size = t->shape.size[k];
    Sym *var = sym_new(ir, S_LOOP, T_INDEX, old->name, old->loc);
    Node *at = mk_cast(ir, old->type, ix_min(ir, mk_var(ir, var), ix_sub(ir, hi, ix_int(ir, size))));
    Node *stmts[] = {mk_decl(ir, t->first[k], at, old->loc), inner};
    Node *loop = mk_for(ir, var, lo, mk_binary(ir, N_LT, mk_var(ir, var), hi), size, mk_block(ir, 2, stmts, old->loc), true, old->loc);
    loop->aux |= FOR_TILES | FOR_ROWS;
    return loop;
}

typedef struct WidthSearch {
    int bytes;
} WidthSearch;

static bool search_width(void *user, Node *n)
{
    WidthSearch *s = user;
    if ((n->kind == N_LOAD || n->kind == N_STORE) && type_bytes(n->sym->type) > s->bytes)
        s->bytes = type_bytes(n->sym->type);
    return true;
}

static void name_strip(Tile *t)
{
    static const char *const names[] = {"strip", "strip_end"};
    for (int i = 0; i < 2; i++)
        t->strip[i] = sym_new(t->ir, i ? S_LOCAL : S_LOOP, T_INDEX, names[i], t->lanes->loc);
    t->strip[1]->is_const = true;
}

/* The loop over strips of lanes, around `inner`. */
static Node *over_strips(const Tile *t, Node *inner)
{
    Ir *ir = t->ir;
    Bounds b;
    WidthSearch width = {1};
    for_bounds(t->lanes, &b);
    walk(&(Walker){.pre = search_width, .user = &width}, t->body);
    const int64_t size = STRIP_BYTES / width.bytes;
    Node *at = mk_var(ir, t->strip[0]), *hi = widen(ir, b.hi);
    Node *stmts[] = {mk_decl(ir, t->strip[1], ix_min(ir, ix_add(ir, at, ix_int(ir, size)), hi), t->lanes->loc), inner};
    Node *loop = mk_for(ir, t->strip[0], widen(ir, b.lo), mk_binary(ir, N_LT, at, hi), size, mk_block(ir, 2, stmts, t->lanes->loc), true,
                        t->lanes->loc);
    loop->aux |= FOR_TILES;
    return loop;
}

/* Loops over blocks, where there is room for one. */
static Node *in_blocks(Tile *t)
{
    Ir *ir = t->ir;
    Vec out = {0};
    Node *fits = NULL, *lo[2], *hi[2];
    name_strip(t);
    for (int k = 0; k < 2; k++) {
        Bounds b;
        for_bounds(t->loop[k], &b);
        lo[k] = name_index(ir, &out, "from", widen(ir, b.lo));
        hi[k] = name_index(ir, &out, "to", widen(ir, b.hi));
        Node *room = mk_binary(ir, N_GE, ix_sub(ir, hi[k], lo[k]), ix_int(ir, t->shape.size[k]));
        fits = fits ? mk_binary(ir, N_LAND, fits, room) : room;
    }
    Node *body = over_blocks(t, 1, lo[1], hi[1], of_block(t));
    body = over_blocks(t, 0, lo[0], hi[0], over_strips(t, body));
    Node *outer = t->loop[0];
    vec_push(ir->arena, &out, mk_if(ir, fits, body, outer, outer->loc));
    return mk_block(ir, out.count, (Node **)out.items, outer->loc);
}

typedef struct Tiling {
    Ir *ir;
    Vec *remarks;
} Tiling;

static void remark(const Tiling *g, const Tile *t)
{
    Arena *arena = g->ir->arena;
    const int *size = t->shape.size;
    if (!g->remarks)
        return;
    const char *text = arena_printf(arena, "the loops over %s and %s are unrolled and jammed by %d and %d, with shared loads",
                                    t->loop[0]->sym->name, t->loop[1]->sym->name, size[0], size[1]);
    add_remark(g->ir, g->remarks, t->loop[0]->loc, REMARK_OPTIMIZED, false, text);
}

static Node *tile(void *user, Node *n)
{
    const Tiling *g = user;
    Tile t = {.ir = g->ir};
    if (n->kind != N_FOR || !find_loops(&t, n))
        return NULL;
    for (int k = 0; k < 2; k++) {
        const Sym *var = t.loop[k]->sym;
        t.first[k] = sym_new(g->ir, S_LOCAL, var->type, var->name, var->loc);
        t.first[k]->is_const = true;
    }
    if (!choose_shape(&t))
        return NULL;
    remark(g, &t);
    return in_blocks(&t);
}

Node *tile_registers(Ir *ir, Node *body, Vec *remarks)
{
    Tiling g = {ir, remarks};
    return rewrite(&(Rewriter){.ir = ir, .pre = tile, .user = &g}, body);
}
