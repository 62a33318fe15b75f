/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the nest from the outside in, and keeps what is known of scalars where a loop begins. */
#include "plan/vectors/vectorizer.h"

#include <math.h>

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/nests/loop_utils.h"
#include "plan/nests/outputs.h"
#include "plan/nests/prefetch_next_row.h"
#include "plan/nests/unroll_and_jam.h"
#include "plan/vectors/full_unrolling.h"
#include "plan/vectors/vector_loop.h"
#include "plan/vectors/narrow_lanes.h"
#include "plan/vectors/vector_profit.h"
#include "plan/vectors/vector_rows.h"

/* What by_vectors() made of a loop, one vector at a time. */
typedef struct Trial {
    Node *vectors;   /* NULL: */
    const char *why; /* why not */
} Trial;

static Node *visit(Vectorizer *v, Node *n);

/* ---------------------------------------------------------------- what is known of scalars */

static bool forget(void *user, Node *n)
{
    Vectorizer *v = user;
    if ((n->kind == N_ASSIGN || n->kind == N_DECL) && map_get(&v->known.numbers, n->sym->id))
        *map_at(v->ir->arena, &v->known.numbers, n->sym->id) = NULL;
    return !is_expr(n);
}

static void forget_written(Vectorizer *v, Node *n) { walk(&(Walker){.pre = forget, .user = v}, n); }

static void note_number(Vectorizer *v, Node *n)
{
    forget_written(v, n);
    const Node *value = (n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids ? n->kid[0] : NULL;
    while (value && value->kind == N_NEG)
        value = value->kid[0];
    if (value && value->kind == N_FLOAT && !isnan(value->u.f) && n->sym->id < v->known.nsyms)
        *map_at(v->ir->arena, &v->known.numbers, n->sym->id) = n->sym;
}

/* ---------------------------------------------------------------- loops */

/* Scalars that the loop reduces into. */
static int sums_of(const Vectorizer *v, Node *loop)
{
    Vec found = {0};
    const char *why;
    return find_reductions(v->ir, loop, v->strict, &found, &why) ? found.count : 0;
}

static bool has_map_inside(Vectorizer *v, Node *loop);

/* Of an innermost loop: are its iterations just half a vector of lanes of 32 bits, in each of several rows? */
static bool is_half(const Vectorizer *v, Node *loop)
{
    const Node *count = trip_count(v->ir, loop);
    return v->around.rows > 1 && count_loops(loop) == 1 && count && count->kind == N_INT &&
           count->u.i == vector_shape(v->set, LANES_64).lanes;
}

/* Half a vector of lanes of 32 bits for all its iterations. */
static bool takes_half(Vectorizer *v, Node *loop)
{
    return (v->half_lanes || is_half(v, loop)) && !sums_of(v, loop) && fits_half(v->ir, loop, v->set) && !has_map_inside(v, loop);
}

/* Is it known to have few vectors' iterations? Of these it would leave even fewer to begin where stores are aligned. */
static bool is_known_to_be_short(const Vectorizer *v, Node *loop)
{
    enum { FEW_VECTORS = 4 };
    const Node *count = trip_count(v->ir, loop);
    return count && count->kind == N_INT && count->u.i <= FEW_VECTORS * vector_shape(v->set, LANES_32).lanes;
}

static VectorInput input_of(Vectorizer *v, Node *loop, Layout layout)
{
    const bool streams = v->outputs.count && !v->around.rows && !v->around.overlaps && !is_known_to_be_short(v, loop);
    return (VectorInput){.ir = v->ir,
                         .strict = v->strict,
                         .math = v->math,
                         .is_signed = v->nest->is_signed,
                         .wished = layout.wished,
                         .reorders = &v->reorders,
                         .copies = layout.copies,
                         .rest = layout.rest,
                         .halves = layout.halves,
                         .streams = layout.streams,
                         .non_temporal_wish = streams ? v->nest->non_temporal : NULL,
                         .non_temporal = (Sym *const *)v->outputs.items,
                         .non_temporal_count = v->outputs.count,
                         .ahead = layout.ahead,
                         .aligned = v->knobs->value[KNOB_ALIGN] == KNOB_YES,
                         .names = &v->known.names,
                         .numbers = &v->known.numbers};
}

static Node *with_own_variable(Ir *ir, Node *loop)
{
    return rename_sym(ir, loop, loop->sym, sym_new(ir, S_LOOP, loop->sym->type, loop->sym->name, loop->sym->loc));
}

/* By vectors where lanes may have the numbers of the arrays' elements. Of counts that are an int they may always. */
static Node *where_small(Ir *ir, Node *loop, const Vec *arrays, Node *vectors)
{
    Node *small = NULL;
    for (int i = 0; i < arrays->count; i++) {
        const Sym *array = arrays->items[i];
        Node *elements = array->total ? array->total : array->extent[0];
        if (type_max((Type)elements->type) <= INT32_MAX)
            continue;
        Node *fits = mk_binary(ir, N_LE, mk_cast(ir, T_INDEX, elements), ix_int(ir, INT32_MAX));
        small = !small || small == fits ? fits : mk_binary(ir, N_LAND, small, fits);
    }
    return small ? mk_if(ir, small, vectors, with_own_variable(ir, loop), loop->loc) : vectors;
}

static Node *by_vectors(Vectorizer *v, Node *loop, Layout layout, const char **why)
{
    VectorInput in = input_of(v, loop, layout);
    in.next_rows = map_get(&v->next_rows, loop->id);
    const VectorShape shape = vector_shape(v->set, takes_half(v, loop) ? LANES_64 : vector_loop_width(v->ir, loop, &v->known.names));
    Vec looked_up = {0};
    in.looked_up = &looked_up;
    Node *vectors = vector_loop(&in, &shape, loop, why);
    return vectors && looked_up.count ? where_small(v->ir, loop, &looked_up, vectors) : vectors;
}

static void remark(Vectorizer *v, const Node *loop, RemarkKind kind, const char *text)
{
    if (v->plan)
        add_remark(v->ir, &v->plan->remarks, v->nest->part ? v->nest->loc : loop->loc, kind, false, text);
}

/* Does --math=fast compute it otherwise? */
static bool has_fast_form(void *user, Node *n)
{
    (void)user;
    return n->type == T_FLOAT && (n->kind == N_DIV || (n->kind == N_CALL && n->sym->fast));
}

static void remark_loop(Vectorizer *v, const Node *loop, int copies, const char *why)
{
    Arena *arena = v->ir->arena;
    const char *what = v->nest->part ? v->nest->part : arena_printf(arena, "the loop over %s", loop->sym->name);
    if (v->nest->part ? !(loop->aux & FOR_PARALLEL) /* it was not to */ : map_get(&v->said, loop->loc.beg) != NULL)
        return;
    *map_at(arena, &v->said, loop->loc.beg) = loop->sym;
    if (why)
        remark(v, loop, REMARK_MISSED, arena_printf(arena, "%s is not vectorized: %s", what, why));
    else
        remark(v, loop, REMARK_OPTIMIZED,
               arena_printf(arena, "%s is vectorized%s%s", what, copies > 1 ? arena_printf(arena, ", unrolled by %d", copies) : "",
                            v->math == MATH_FAST && any_node(loop->kid[2], has_fast_form, NULL) ? ", its functions by --math=fast" : ""));
}

static const Trial *try_loop(Vectorizer *v, Node *loop)
{
    Trial *trial = map_get(&v->tried, loop->id);
    if (!trial) {
        trial = arena_alloc(v->ir->arena, sizeof *trial);
        trial->vectors = by_vectors(v, loop, (Layout){.copies = 1, .rest = 1}, &trial->why);
        *map_at(v->ir->arena, &v->tried, loop->id) = trial;
    }
    return trial;
}

/* Groups of bytes that the set shuffles. */
static bool has_groups(Vectorizer *v, Node *loop)
{
    return count_loops(loop) == 1 && vector_sets[v->set].masks && narrow_has_groups(v->ir, loop, &v->known.names);
}

static bool is_map(Vectorizer *v, Node *n)
{
    return n->kind == N_FOR && n->aux & FOR_PARALLEL && !sums_of(v, n) && (takes_half(v, n) || !is_short(v->ir, n, v->set)) &&
           (!is_far_apart(v->ir, n) || has_groups(v, n)) && try_loop(v, n)->vectors;
}

static bool search_map(void *user, Node *n)
{
    Vectorizer *v = user;
    return is_map(v, n);
}

/* Is there a loop inside whose iterations have nothing to do with one another, and that could be vectorized of neighbours? */
static bool has_map_inside(Vectorizer *v, Node *loop) { return any_stmt(loop->kid[2], search_map, v); }

typedef struct RowSearch {
    Vectorizer *v;
    Sym *outer, *inner;
    bool fits;  /* along the inner loop all loads are of neighbours, or of the same element; */
    bool found; /* one is of neighbours, which along the outer loop are as far apart as the call says */
} RowSearch;

static bool search_row(void *user, Node *n)
{
    RowSearch *s = user;
    Ir *ir = s->v->ir;
    Poly *along, *rest, *apart;
    int64_t known;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return s->fits;
    Poly *at = n->kind == N_LOAD && n->nkids == 1 ? poly_of(ir, expand_names(ir, &s->v->known.names, n->kid[0])) : NULL;
    s->fits = s->fits && at && poly_affine(ir, at, &s->inner, 1, &along, &rest) && (poly_is(along, 0) || poly_is(along, 1)) &&
              poly_affine(ir, at, &s->outer, 1, &apart, &rest);
    const bool shared = s->fits && poly_is(apart, 0) && poly_is(along, 1);
    s->fits = s->fits && !(shared && type_bits(n->sym->type) >=
                                         64); /* as in cholesky.spec: four lanes cost little, and the other factor is one scalar */
    s->found = s->found || (s->fits && poly_is(along, 1) && !poly_const(apart, &known));
    return s->fits;
}

/* Does loop `n` reduce rows, vectorized by itself? Lanes of the loop around would be loaded one by one. */
static bool sums_rows(Vectorizer *v, Node *outer, Node *n)
{
    if (n->kind != N_FOR || count_loops(n) > 1 || !(n->aux & FOR_PARALLEL) || !sums_of(v, n) || is_short(v->ir, n, v->set))
        return false;
    RowSearch s = {v, outer->sym, n->sym, true, false};
    walk(&(Walker){.pre = search_row, .user = &s}, n->kid[2]);
    return s.fits && s.found && try_loop(v, n)->vectors;
}

typedef struct RowsSearch {
    Vectorizer *v;
    Node *loop;
} RowsSearch;

static bool is_rows(void *user, Node *n)
{
    const RowsSearch *s = user;
    return sums_rows(s->v, s->loop, n);
}

static bool has_rows_inside(Vectorizer *v, Node *loop)
{
    RowsSearch s = {v, loop};
    return any_stmt(loop->kid[2], is_rows, &s);
}

/* Of a loop with loops inside: should its own iterations be lanes? */
static bool may_be_lanes(Vectorizer *v, Node *loop)
{
    switch (v->knobs->value[KNOB_LANES]) {
    case KNOB_OUTER: return true;
    case KNOB_INNER: return false;
    default: return !has_map_inside(v, loop);
    }
}

static bool search_nested(void *user, Node *n)
{
    (void)user;
    return n->kind == N_FOR && count_loops(n) > 1;
}

/* Is every loop inside an innermost one? */
static bool is_around_innermost(Node *loop) { return !any_stmt(loop->kid[2], search_nested, NULL) && count_loops(loop) > 1; }

static void note(Vectorizer *v, const Node *loop, Layout layout, Node *vectors, const char *why)
{
    const LoopTrial trial = {.loop = loop,
                             .vectors = vectors,
                             .why = why,
                             .set = v->set,
                             .layout = layout,
                             .half = vectors && takes_half(v, (Node *)loop),
                             .rows = v->around.rows,
                             .beside_border = v->around.beside_border,
                             .strict = v->strict};
    if (v->table)
        note_loop(v->ir, v->table, &trial);
}

/* Most lanes are idle, and guards are masks. */
static Node *visit_border(Vectorizer *v, Node *loop)
{
    const char *why = "the set has no masks";
    const Layout layout = {.copies = 0, .rest = 1};
    Node *vectors = vector_sets[v->set].masks ? by_vectors(v, loop, layout, &why) : NULL;
    note(v, loop, layout, vectors, why);
    return vectors ? vectors : loop;
}

static int rows_of(const Vectorizer *v)
{
    const int chosen = v->knobs->value[KNOB_UNROLL_AND_JAM];
    return chosen == KNOB_PLANNED ? MOST_ROWS : chosen;
}

typedef struct WidthSearch {
    const Vectorizer *v;
    bool fits;
} WidthSearch;

static bool search_width(void *user, Node *n)
{
    WidthSearch *s = user;
    const bool around = n->kind == N_FOR && count_loops(n) == 2;
    const Node *count = around ? trip_count(s->v->ir, n) : NULL;
    const LaneWidth width = around && vector_loop_width(s->v->ir, n, &s->v->known.names) == LANES_64 ? LANES_64 : LANES_32;
    s->fits = s->fits && (!around || (count && count->kind == N_INT && count->u.i <= vector_shape(s->v->set, width).lanes));
    return !is_expr(n);
}

/* In rows of one vector, short sums are unrolled: of more vectors the factors, which all of them need, would not stay in registers. */
static Node *with_short_sums(Vectorizer *v, Node *rows)
{
    enum { MOST_NODES = 4000 };
    WidthSearch s = {v, true};
    walk(&(Walker){.pre = search_width, .user = &s}, rows);
    return s.fits ? unroll_sums(v->ir, rows, MOST_NODES) : rows;
}

/* Several iterations together; NULL: nothing in them is vectorized. */
static Node *visit_rows(Vectorizer *v, Node *loop)
{
    RowBlock block;
    Plan *plan = v->plan;
    const int done = v->done, maps = v->maps, rows = rows_of(v);
    Node *count = trip_count(v->ir, loop);
    if ((count && count->kind == N_INT && count->u.i < rows) || rows == 1 || !unroll_and_jam(v->ir, loop, rows, &block))
        return NULL;
    const bool whole = comes_in_blocks(v->ir, loop, rows, &block);
    v->around.rows = rows;
    block.together = visit(v, whole ? with_short_sums(v, block.together) : block.together);
    v->around.rows = 0;
    if (v->maps == maps) {
        v->done = done;
        return NULL;
    }
    remark(v, loop, REMARK_OPTIMIZED, arena_printf(v->ir->arena, "the loop over %s is unrolled and jammed by %d", loop->sym->name, rows));
    if (whole)
        return rows_in_blocks(v->ir, loop, rows, &block);
    v->plan = NULL; /* of the same loops */
    v->around.rows = 1;
    block.one = visit(v, block.one);
    v->around.rows = 0;
    v->plan = plan;
    return rows_in_blocks(v->ir, loop, rows, &block);
}

static Node *with_body(const Vectorizer *v, Node *loop, Node *body)
{
    Node *kids[] = {loop->kid[0], loop->kid[1], body};
    return with_kids(v->ir, loop, 3, kids);
}

/* What is in it is as long as it was without blocks or tiles. */
static Node *visit_blocks(Vectorizer *v, Node *loop)
{
    const bool overlaps = v->around.overlaps;
    v->around.blocks = (loop->aux & FOR_BLOCKS) != 0;
    v->around.overlaps = overlaps || (loop->aux & FOR_ROWS) != 0;
    trip_counts_enter(&v->around.trips, loop);
    Node *body = visit(v, loop->kid[2]);
    v->around.blocks = false;
    v->around.overlaps = overlaps;
    return with_body(v, loop, body);
}

/* Vectorized from LONG iterations on: of nussinov.spec, 200 columns take 1.2 times as long vectorized only, 400 take 0.8. */
static Node *where_long(Vectorizer *v, Node *loop, Node *vectors)
{
    enum { LONG = 160 };
    Ir *ir = v->ir;
    Node *is_long = mk_binary(ir, N_GE, trip_count(ir, loop), ix_int(ir, LONG));
    return mk_if(ir, is_long, vectors, with_own_variable(ir, loop), loop->loc);
}

static Node *visit_loop(Vectorizer *v, Node *loop)
{
    if (loop->aux & FOR_PEELED)
        return visit_border(v, loop);
    if (loop->aux & (FOR_BLOCKS | FOR_TILES))
        return visit_blocks(v, loop);
    const int sums = sums_of(v, loop);
    const bool inner = count_loops(loop) == 1, narrow = inner && lane_bits(vector_loop_width(v->ir, loop, &v->known.names)) < 32;
    const Neighbours neighbours = narrow || has_groups(v, loop) ? (Neighbours){true, true} : neighbours_of(v->ir, loop);
    const bool over_rows = goes_over_rows(v->ir, loop, neighbours.found);
    note_depth(&v->few, v->around.depth);
    const LoopPlace place = {v->set, inner, over_rows, v->around.blocks, takes_half(v, loop), sums, v->around.rows, v->around.depth};
    const Layout layout = layout_of(v->ir, loop, &place, v->knobs);
    const bool outer_lanes = v->outer_lanes && is_around_innermost(loop);
    const Trial *trial = layout.wished ? NULL : map_get(&v->tried, loop->id);
    const bool apart = inner && sums && !layout.wished && sums_far_apart(v->ir, loop, v->strict);
    const char *why = why_scalar(v->ir, loop, &place, layout.wished, neighbours, apart);
    const bool may = !why && (inner || layout.wished || outer_lanes || (!sums && may_be_lanes(v, loop)));
    if (may && trial && !trial->vectors)
        why = trial->why;
    else if (may && !inner && !layout.wished && only_scatters(v->ir, loop))
        why = FAR_APART;
    else if (may && !inner && !layout.wished && v->knobs->value[KNOB_LANES] == KNOB_PLANNED && has_rows_inside(v, loop))
        why = LARGE_STRIDE;
    Node *vectors = may && !why ? by_vectors(v, loop, layout, &why) : NULL;
    if (vectors || why) {
        remark_loop(v, loop, layout.copies, vectors ? NULL : why);
        note(v, loop, layout, vectors, why);
    }
    if (vectors) {
        v->done++;
        v->maps += !sums;
        v->has_half = v->has_half || place.half;
        v->has_outer = v->has_outer || (outer_lanes && !layout.wished && (sums || !may_be_lanes(v, loop)));
        if (!inner && over_rows)
            note_few_columns(&v->few, &v->around.trips, loop);
        else
            note_few(&v->few, &v->around.trips, loop, v->around.depth, v->strict);
        return apart ? where_long(v, loop, vectors) : vectors;
    }
    if (inner)
        return loop;
    if (v->knobs->value[KNOB_PREFETCH_ROW] != KNOB_NO)
        find_next_rows(v->ir, loop, &v->next_rows);
    trip_counts_enter(&v->around.trips, loop);
    v->around.depth++;
    const bool has_window = loop->aux & FOR_ROWS && count_loops(loop) > 2; /* not unrolled */
    Node *blocked = has_window ? visit_rows(v, loop) : NULL;
    Node *result = blocked ? blocked : with_body(v, loop, visit(v, loop->kid[2]));
    v->around.depth--;
    return result;
}

/* A window's three loops from statement i on as one, or NULL. */
static Node *visit_window(Vectorizer *v, Node *block, int i)
{
    Node **part = block->kid + i;
    const bool three = i + 2 < block->nkids && part[0]->kind == N_FOR && part[1]->kind == N_FOR && part[2]->kind == N_FOR;
    if (!three || !(part[0]->aux & FOR_PEELED) || part[1]->aux & FOR_PEELED || !(part[2]->aux & FOR_PEELED) || !v->around.rows ||
        !vector_sets[v->set].masks)
        return NULL;
    const Layout layout = layout_of_window(v->ir, part[1], v->set, v->around.rows, v->knobs);
    VectorInput in = input_of(v, part[1], layout);
    in.by_stride = v->around.rows > 1;
    const VectorShape shape = vector_shape(v->set, vector_loop_width(v->ir, part[0], &v->known.names));
    Node *window = vector_window(&in, &shape, part);
    if (window) {
        remark_loop(v, part[1], layout.copies, NULL);
        v->around.beside_border = true;
        note(v, part[1], layout, window, NULL);
        v->done++;
        v->maps++;
        v->few.never = true;
    }
    return window;
}

static Node *visit_block(Vectorizer *v, Node *n)
{
    Vec out = {0};
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = n->kid[i], *window = visit_window(v, n, i);
        v->around.beside_border = i > 0 && kid->kind == N_FOR && n->kid[i - 1]->kind == N_FOR && n->kid[i - 1]->aux & FOR_PEELED;
        vec_push(v->ir->arena, &out, window ? window : kid->kind == N_FOR ? visit_loop(v, kid) : visit(v, kid));
        if (kid->kind == N_FOR)
            forget_written(v, kid);
        else
            note_number(v, kid);
        if (kid->kind == N_DECL)
            trip_counts_note_constant(&v->around.trips, kid);
        i += window ? 2 : 0;
    }
    return out.count == n->nkids ? with_kids(v->ir, n, out.count, (Node **)out.items)
                                 : mk_block(v->ir, out.count, (Node **)out.items, n->loc);
}

static Node *visit(Vectorizer *v, Node *n)
{
    Node **kids = arena_new_array(v->ir->arena, Node *, n->nkids + 1);
    switch ((Kind)n->kind) {
    case N_FOR: {
        forget_written(v, n);
        return visit_loop(v, n);
    }
    case N_BLOCK: return visit_block(v, n);
    case N_IF:
        for (int i = 0; i < n->nkids; i++)
            kids[i] = i ? visit(v, n->kid[i]) : n->kid[i];
        return with_kids(v->ir, n, n->nkids, kids);
    default: return n;
    }
}

static bool note_name(void *user, Node *n)
{
    Vectorizer *v = user;
    if (n->kind == N_DECL && n->nkids && n->sym->is_const && n->sym->type == T_INDEX && !n->sym->rank)
        *map_at(v->ir->arena, &v->known.names, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

static bool is_inner_math(void *user, Node *n)
{
    (void)user;
    return n->kind == N_FOR && count_loops(n) == 1 && loop_has_math(n);
}

/* Non-temporal stores wait for memory, which is idle while loops compute: of softmax's 16 to 134 MB they took 1.25 times as long as
 * ordinary ones, of a relu's 0.65 (Zen 3). */
static bool wants_past(const HostNest *nest, const NestKnobs *knobs)
{
    const bool computes = any_stmt(nest->loops->body, is_inner_math, NULL);
    return nest->non_temporal &&
           (knobs->value[KNOB_NON_TEMPORAL] == KNOB_YES || (knobs->value[KNOB_NON_TEMPORAL] == KNOB_PLANNED && !computes));
}

Node *vectorize_loops(Vectorizer *v, Node *body)
{
    walk(&(Walker){.pre = note_name, .user = v}, body);
    v->outputs = !v->sums_unrolled && wants_past(v->nest, v->knobs) ? only_stored(v->ir, body) : (Vec){0};
    v->around.trips = trip_counts_begin(v->ir, &v->nest->cut, v->nest->loops);
    body = visit(v, body);
    return v->done ? body : NULL;
}
