/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops of a nest are vectorized. */
#include <math.h>

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/reduce.h"
#include "depend/scope.h"
#include "ir/check.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/nests/permute_and_tile.h"
#include "plan/targets.h"
#include "plan/vectors/trip_count_versioning.h"
#include "plan/vectors/hoist_gathers.h"
#include "plan/vectors/accumulator_promotion.h"
#include "plan/vectors/loop_table.h"
#include "plan/nests/prefetch_next_row.h"
#include "plan/nests/outputs.h"
#include "plan/nests/loop_utils.h"
#include "plan/nests/unroll_and_jam.h"
#include "plan/vectors/value_numbering.h"
#include "plan/vectors/vector_nest.h"
#include "plan/vectors/vector_layout.h"
#include "plan/vectors/vector_loop.h"
#include "plan/vectors/vector_rows.h"

typedef struct Vectorizer {
    Ir *ir;
    bool strict, math_libm, is_signed, reorders;
    VectorSetId set;
    Map numbers;  /* by symbol id: the scalars that are not NaN, */
    int nnumbers; /* of symbols that there were before the nest was arranged */
    int done;      /* loops that are vectorized, */
    int maps;      /* of these such as gather nothing up */
    Map tried;     /* by node id: Trial * of a loop */
    Map said;      /* by place in the spec: a loop that a remark is about */
    int depth;     /* loops around */
    HostNest *nest;
    const NestKnobs *knobs;
    bool beside_border; /* the loop has one before it that takes its guards */
    bool blocks;   /* a loop around goes over parts of another */
    int rows;      /* iterations of a loop around for which these stand; 0: none are done together */
    Map names;     /* by symbol id: Node *, what constants of the body stand for */
    Map next_rows; /* by node id: Vec * of NextRow *, what a loop is to ask for */
    Vec outputs;   /* arrays that may be stored non-temporally */
    Turns turns;   /* of loops around */
    Few few;       /* of those by vectors */
    Plan *plan;    /* where remarks go; NULL: the set before has made them */
} Vectorizer;

/* What by_vectors() made of a loop, one vector at a time. */
typedef struct Trial {
    Node *vectors;   /* NULL: */
    const char *why; /* why not */
} Trial;

static Node *visit(Vectorizer *v, Node *n);

/* ---------------------------------------------------------------- what is known of scalars */

static void forget_written(Vectorizer *v, Node *n);

static bool forget(void *user, Node *n)
{
    Vectorizer *v = user;
    if ((n->kind == N_ASSIGN || n->kind == N_DECL) && map_get(&v->numbers, n->sym->id))
        *map_at(v->ir->arena, &v->numbers, n->sym->id) = NULL;
    return !is_expr(n);
}

static void forget_written(Vectorizer *v, Node *n) { walk(&(Walker){.pre = forget, .user = v}, n); }

static void note_number(Vectorizer *v, Node *n)
{
    forget_written(v, n);
    const Node *value = (n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids ? n->kid[0] : NULL;
    while (value && value->kind == N_NEG)
        value = value->kid[0];
    if (value && value->kind == N_FLOAT && !isnan(value->u.f) && n->sym->id < v->nnumbers)
        *map_at(v->ir->arena, &v->numbers, n->sym->id) = n->sym;
}

/* ---------------------------------------------------------------- loops */

static bool search_loop(void *user, Node *n)
{
    int *loops = user;
    *loops += n->kind == N_FOR;
    return !is_expr(n);
}

static int count_loops(Node *n)
{
    int loops = 0;
    walk(&(Walker){.pre = search_loop, .user = &loops}, n);
    return loops;
}

/* Scalars that the loop gathers up. */
static int sums_of(const Vectorizer *v, Node *loop)
{
    Vec found = {0};
    const char *why;
    return find_reductions(v->ir, loop, v->strict, &found, &why) ? found.count : 0;
}

/* A loop of so few iterations that most lanes would be idle. */
static bool is_short(const Vectorizer *v, Node *loop)
{
    Node *count = trip_count(v->ir, loop);
    return count && count->kind == N_INT && count->u.i < vector_sets[v->set].bytes / 8;
}

typedef struct Neighbours {
    Ir *ir;
    Node *loop;
    bool found; /* elements that are neighbours in memory */
    bool pays;  /* likewise, or operations that take much longer than an element */
} Neighbours;

/* A subscript that depends on names of the body is taken to go from neighbour to neighbour. */
static bool goes_by_one(const Neighbours *s, Node *subscript)
{
    Poly *coef, *rest;
    Sym *var = s->loop->sym;
    return !poly_affine(s->ir, poly_of(s->ir, subscript), &var, 1, &coef, &rest) || poly_is(coef, 1);
}

static bool search_neighbours(void *user, Node *n)
{
    Neighbours *s = user;
    const bool accesses = n->kind == N_LOAD || n->kind == N_STORE;
    s->found = s->found || (accesses && (goes_by_one(s, n->kid[0]) || is_interleaved(s->ir, s->loop, n)));
    s->pays = s->pays || s->found || n->kind == N_CALL || n->kind == N_DIV;
    return !s->found;
}

static Neighbours neighbours_of(Ir *ir, Node *loop)
{
    Neighbours s = {ir, loop, false, false};
    walk(&(Walker){.pre = search_neighbours, .user = &s}, loop->kid[2]);
    return s;
}

/* Loops inside that do nothing but store, for each lane somewhere else. */
static bool only_scatters(const Vectorizer *v, Node *loop)
{
    return !reads_array(loop->kid[2], NULL) && has_kind(loop->kid[2], N_STORE) && !neighbours_of(v->ir, loop).pays;
}

enum { NEAR = 8 }; /* elements so far apart share lines */

static bool search_apart(void *user, Node *n)
{
    Neighbours *s = user;
    Poly *coef, *rest;
    Sym *var = s->loop->sym;
    const bool affine = n->kind == N_LOAD && poly_affine(s->ir, poly_of(s->ir, n->kid[0]), &var, 1, &coef, &rest);
    int64_t stride;
    s->found = s->found || (affine && !(poly_const(coef, &stride) && stride >= -NEAR && stride <= NEAR));
    return !s->found;
}

/* Integers gathered up of elements each in a line of memory of its own: lanes are filled one by one, which takes as long as a scalar's
 * addition, and pays only where the loads of many lanes wait for memory together. */
static bool sums_far_apart(const Vectorizer *v, Node *loop)
{
    Neighbours s = {v->ir, loop, false, false};
    Vec found = {0};
    const char *why;
    find_reductions(v->ir, loop, v->strict, &found, &why);
    for (int i = 0; i < found.count; i++) {
        const Reduction *r = found.items[i];
        if (!r->acc || !type_is_integer(r->acc->type))
            return false;
    }
    walk(&(Walker){.pre = search_apart, .user = &s}, loop->kid[2]);
    return s.found;
}

static VectorInput input_of(Vectorizer *v, Layout layout)
{
    return (VectorInput){.ir = v->ir,
                         .strict = v->strict,
                         .math_libm = v->math_libm,
                         .is_signed = v->is_signed,
                         .wished = layout.wished,
                         .reorders = &v->reorders,
                         .copies = layout.copies,
                         .rest = layout.rest,
                         .halves = layout.halves,
                         .streams = layout.streams,
                         .past_wish = v->outputs.count && !v->rows ? v->nest->past : NULL,
                         .past = (Sym *const *)v->outputs.items,
                         .npast = v->outputs.count,
                         .ahead = layout.ahead,
                         .aligned = v->knobs->value[KNOB_ALIGN] == KNOB_YES,
                         .names = &v->names,
                         .numbers = &v->numbers};
}

static Node *by_vectors(Vectorizer *v, Node *loop, Layout layout, const char **why)
{
    VectorInput in = input_of(v, layout);
    in.next_rows = map_get(&v->next_rows, loop->id);
    const VectorShape shape = vector_shape(v->set, vector_loop_is_wide(v->ir, loop));
    return vector_loop(&in, &shape, loop, why);
}

static void remark(Vectorizer *v, const Node *loop, RemarkKind kind, const char *text)
{
    if (v->plan)
        add_remark(v->ir, &v->plan->remarks, v->nest->part ? v->nest->loc : loop->loc, kind, false, text);
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
               copies > 1 ? arena_printf(arena, "%s is vectorized, unrolled by %d", what, copies)
                          : arena_printf(arena, "%s is vectorized", what));
}

typedef struct MapSearch {
    Vectorizer *v;
    bool found;
} MapSearch;

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

/* Are its iterations' elements certainly no neighbours? Names of the body may stand for any place. */
static bool is_far_apart(const Vectorizer *v, Node *loop)
{
    return count_loops(loop) == 1 && !has_kind(loop->kid[2], N_DECL) && !neighbours_of(v->ir, loop).found;
}

static bool is_map(Vectorizer *v, Node *n)
{
    return n->kind == N_FOR && n->aux & FOR_PARALLEL && !sums_of(v, n) && !is_short(v, n) && !is_far_apart(v, n) && try_loop(v, n)->vectors;
}

static bool search_map(void *user, Node *n)
{
    MapSearch *m = user;
    m->found = m->found || is_map(m->v, n);
    return !m->found && !is_expr(n);
}

/* Is there a loop inside whose iterations have nothing to do with one another, and that could be vectorized of neighbours? */
static bool has_map_inside(Vectorizer *v, Node *loop)
{
    MapSearch m = {v, false};
    walk(&(Walker){.pre = search_map, .user = &m}, loop->kid[2]);
    return m.found;
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

static void note(Vectorizer *v, const Node *loop, Layout layout, Node *vectors, const char *why)
{
    const LoopTrial trial = {.loop = loop,
                             .vectors = vectors,
                             .why = why,
                             .set = v->set,
                             .layout = layout,
                             .rows = v->rows,
                             .beside_border = v->beside_border,
                             .strict = v->strict};
    note_loop(v->ir, &v->nest->vectors.table, &trial);
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

/* Several iterations together; NULL: nothing in them is vectorized. */
static Node *visit_rows(Vectorizer *v, Node *loop)
{
    RowBlock block;
    Plan *plan = v->plan;
    const int done = v->done, maps = v->maps, rows = rows_of(v);
    Node *count = trip_count(v->ir, loop);
    if ((count && count->kind == N_INT && count->u.i < rows) || rows == 1 || !unroll_and_jam(v->ir, loop, rows, &block))
        return NULL;
    v->rows = rows;
    block.together = visit(v, block.together);
    v->rows = 0;
    if (v->maps == maps) {
        v->done = done;
        return NULL;
    }
    remark(v, loop, REMARK_OPTIMIZED, arena_printf(v->ir->arena, "the loop over %s is unrolled and jammed by %d", loop->sym->name, rows));
    v->plan = NULL; /* of the same loops */
    v->rows = 1;
    block.one = visit(v, block.one);
    v->rows = 0;
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
    v->blocks = (loop->aux & FOR_BLOCKS) != 0;
    turns_enter(&v->turns, loop);
    Node *body = visit(v, loop->kid[2]);
    v->blocks = false;
    return with_body(v, loop, body);
}

/* By vectors from LONG iterations on: of nussinov.spec, 200 columns take 1.2 times as long by vectors only, 400 take 0.8. */
static Node *where_long(Vectorizer *v, Node *loop, Node *vectors)
{
    enum { LONG = 160 };
    Ir *ir = v->ir;
    Node *is_long = mk_binary(ir, N_GE, trip_count(ir, loop), ix_int(ir, LONG));
    Node *scalars = rename_sym(ir, loop, loop->sym, sym_new(ir, S_LOOP, loop->sym->type, loop->sym->name, loop->sym->loc));
    return mk_if(ir, is_long, vectors, scalars, loop->loc);
}

static Node *visit_loop(Vectorizer *v, Node *loop)
{
    if (loop->aux & FOR_PEELED)
        return visit_border(v, loop);
    if (loop->aux & (FOR_BLOCKS | FOR_TILES))
        return visit_blocks(v, loop);
    const int sums = sums_of(v, loop);
    const bool inner = count_loops(loop) == 1, neighbours = neighbours_of(v->ir, loop).found;
    const bool over_rows = goes_over_rows(v->ir, loop, neighbours);
    note_depth(&v->few, v->depth);
    const LoopPlace place = {v->set, inner, over_rows, v->blocks, sums, v->rows, v->depth};
    const Layout layout = layout_of(v->ir, loop, &place, v->knobs);
    const Trial *trial = layout.wished ? NULL : map_get(&v->tried, loop->id);
    const bool apart = inner && sums && !layout.wished && sums_far_apart(v, loop);
    const char *why = NULL;
    if (!(loop->aux & FOR_PARALLEL))
        why = "its iterations have an order";
    else if (sums && loop->aux & FOR_FEW)
        why = "it has few iterations";
    else if (is_short(v, loop))
        why = "it has fewer iterations than vectors have lanes";
    else if (inner && !sums && !layout.wished && !neighbours_of(v->ir, loop).pays) /* lanes are filled and emptied one by one */
        why = "its iterations' elements are far apart";
    else if (apart && has_kind(loop->kid[2], N_DECL)) /* which only one of two loops may have */
        why = "its iterations' elements are far apart";
    else if (!inner && !sums && !layout.wished && !over_rows && carries_inside(loop) && !neighbours)
        why = "its iterations' elements are far apart";
    const bool may = !why && (inner || layout.wished || (!sums && may_be_lanes(v, loop)));
    if (may && trial && !trial->vectors)
        why = trial->why;
    else if (may && !inner && !layout.wished && only_scatters(v, loop))
        why = "its iterations' elements are far apart";
    Node *vectors = may && !why ? by_vectors(v, loop, layout, &why) : NULL;
    if (vectors || why) {
        remark_loop(v, loop, layout.copies, vectors ? NULL : why);
        note(v, loop, layout, vectors, why);
    }
    if (vectors) {
        v->done++;
        v->maps += !sums;
        if (!inner && over_rows)
            note_few_columns(&v->few, &v->turns, loop);
        else
            note_few(&v->few, &v->turns, loop, v->depth, v->strict);
        return apart ? where_long(v, loop, vectors) : vectors;
    }
    if (inner)
        return loop;
    if (v->knobs->value[KNOB_PREFETCH_ROW] != KNOB_NO)
        find_next_rows(v->ir, loop, &v->next_rows);
    turns_enter(&v->turns, loop);
    v->depth++;
    Node *blocked = loop->aux & FOR_ROWS ? visit_rows(v, loop) : NULL;
    Node *result = blocked ? blocked : with_body(v, loop, visit(v, loop->kid[2]));
    v->depth--;
    return result;
}

/* A window's three loops from statement i on as one, or NULL. */
static Node *visit_window(Vectorizer *v, Node *block, int i)
{
    Node **part = block->kid + i;
    const bool three = i + 2 < block->nkids && part[0]->kind == N_FOR && part[1]->kind == N_FOR && part[2]->kind == N_FOR;
    if (!three || !(part[0]->aux & FOR_PEELED) || part[1]->aux & FOR_PEELED || !(part[2]->aux & FOR_PEELED) || !v->rows ||
        !vector_sets[v->set].masks)
        return NULL;
    const Layout layout = layout_of_window(v->ir, part[1], v->set, v->rows, v->knobs);
    VectorInput in = input_of(v, layout);
    in.by_stride = v->rows > 1;
    const VectorShape shape = vector_shape(v->set, vector_loop_is_wide(v->ir, part[0]));
    Node *window = vector_window(&in, &shape, part);
    if (window) {
        remark_loop(v, part[1], layout.copies, NULL);
        v->beside_border = true;
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
        v->beside_border = i > 0 && kid->kind == N_FOR && n->kid[i - 1]->kind == N_FOR && n->kid[i - 1]->aux & FOR_PEELED;
        vec_push(v->ir->arena, &out, window ? window : kid->kind == N_FOR ? visit_loop(v, kid) : visit(v, kid));
        if (kid->kind == N_FOR)
            forget_written(v, kid);
        else
            note_number(v, kid);
        if (kid->kind == N_DECL)
            turns_note_constant(&v->turns, kid);
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

/* The nest's function for a set, before anything is done to its body. */
static Func *form_of(Ir *ir, const HostNest *nest, int set)
{
    Func *f = arena_alloc(ir->arena, sizeof *f);
    *f = *nest->loops;
    f->name = arena_printf(ir->arena, "%s_%s", nest->stem, vector_sets[set].name);
    f->params = arena_new_array(ir->arena, Sym *, f->nparams + 1);
    for (int i = 0; i < f->nparams; i++)
        f->params[i] = nest->loops->params[i];
    if (nest->past)
        f->params[f->nparams++] = nest->past;
    return f;
}

/* Does a value depend on what is not known before a call? */
static bool find_unknown(void *user, Node *n)
{
    bool *known = user;
    if (n->kind == N_LOAD || (n->kind == N_VAR && n->sym->kind != S_LOCAL))
        *known = false;
    return *known;
}

static bool find_known_call(void *user, Node *n)
{
    bool *found = user;
    bool known = n->kind == N_CALL && n->sym->libm;
    for (int i = 0; known && i < n->nkids; i++)
        walk(&(Walker){.pre = find_unknown, .user = &known}, n->kid[i]);
    *found = *found || known;
    return !*found;
}

/* What is reduced by blocks, is so in another order. */
static bool find_blocks(void *user, Node *n)
{
    bool *found = user;
    for (int i = 0; n->kind == N_FOR && n->aux & FOR_BLOCKS && i < n->kid[2]->nkids; i++)
        *found = *found || (n->kid[2]->kid[i]->kind == N_STORE && type_is_float(n->kid[2]->kid[i]->sym->type));
    return !*found && !is_expr(n);
}

/* A function of constants is the compiler's affair, whose result need not be that of the C library. */
static bool differs_as_it_is(Node *body)
{
    bool found = false;
    walk(&(Walker){.pre = find_known_call, .user = &found}, body);
    walk(&(Walker){.pre = find_blocks, .user = &found}, body);
    return found;
}

static bool note_name(void *user, Node *n)
{
    Vectorizer *v = user;
    if (n->kind == N_DECL && n->nkids && n->sym->is_const && n->sym->type == T_INDEX && !n->sym->rank)
        *map_at(v->ir->arena, &v->names, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

static bool search_inner_math(void *user, Node *n)
{
    bool *found = user;
    *found = *found || (n->kind == N_FOR && count_loops(n) == 1 && loop_has_math(n));
    return !*found && !is_expr(n);
}

/* Non-temporal stores wait for memory, which is idle while loops compute: of softmax's 16 to 134 MB they took 1.25 times as long as
 * ordinary ones, of a relu's 0.65 (Zen 3). */
static bool wants_past(const HostNest *nest, const NestKnobs *knobs)
{
    bool computes = false;
    walk(&(Walker){.pre = search_inner_math, .user = &computes}, nest->loops->body);
    return nest->past && (knobs->value[KNOB_NON_TEMPORAL] == KNOB_YES || (knobs->value[KNOB_NON_TEMPORAL] == KNOB_PLANNED && !computes));
}

/* NULL: none is vectorized. */
static Node *vectorize_loops(Vectorizer *v, Node *body)
{
    walk(&(Walker){.pre = note_name, .user = v}, body);
    v->outputs = wants_past(v->nest, v->knobs) ? only_stored(v->ir, body) : (Vec){0};
    v->turns = turns_begin(v->ir, v->nest);
    body = visit(v, body);
    return v->done ? body : NULL;
}

#define FORM_STEP(name, code, what) \
    static Node *step_##name(Vectorizer *v, Node *body) \
    { \
        Ir *ir = v->ir; \
        (void)ir; \
        return code; \
    }
#include "plan/passes.def"

static const struct FormStep {
    const char *name;
    Node *(*run)(Vectorizer *, Node *);
} steps[] = {
#define FORM_STEP(name, code, what) {#name, step_##name},
#include "plan/passes.def"
};

/* For one set; remarks go to the plan, NULL: to nobody. */
static void vectorize(Ir *ir, Plan *plan, HostNest *nest, VectorSetId set, const PlanOptions *opt)
{
    Vectorizer v = {.ir = ir,
                    .strict = opt->fp_strict,
                    .math_libm = opt->math_libm,
                    .is_signed = nest->is_signed,
                    .set = set,
                    .nnumbers = ir->nsyms,
                    .nest = nest,
                    .knobs = &nest->chosen.knobs[set],
                    .plan = plan};
    Func *form = form_of(ir, nest, set);
    nest->vectors.form[set] = NULL;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && form->body; i++) {
        form->body = steps[i].run(&v, form->body);
        if (form->body)
            watch_step(ir, opt->watch, steps[i].name, form, TREE_PART | TREE_VECTORS);
    }
    if (!form->body)
        return;
    nest->vectors.reorders = nest->vectors.reorders || v.reorders;
    nest->vectors.few = nest->part || nest->vectors.few ? nest->vectors.few : few_turns(ir, &v.few);
    nest->vectors.form[set] = form;
    nest->vectors.goes_past = nest->vectors.goes_past || (nest->past && uses_sym(nest->vectors.form[set]->body, nest->past));
}

void vectorize_nest(Ir *ir, Plan *plan, HostNest *nest, const PlanOptions *opt)
{
    nest->vectors.reorders = differs_as_it_is(nest->loops->body);
    nest->vectors.goes_past = false;
    nest->vectors.few = NULL;
    nest->vectors.table = (Vec){0};
    int first = 0;
    while (first < SET_COUNT && !loops_are_held(opt->held, (VectorSetId)first))
        first++;
    for (int set = first; set < SET_COUNT; set++)
        if ((!opt->forms || opt->forms->set == (VectorSetId)set) && loops_are_held(opt->held, (VectorSetId)set))
            vectorize(ir, set == first && opt->remarks ? plan : NULL, nest, (VectorSetId)set, opt);
}

void vectorize_more(Ir *ir, HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt)
{
    HostNest scratch = *nest;
    scratch.vectors.table = (Vec){0};
    scratch.chosen.knobs[set] = *knobs;
    vectorize(ir, NULL, &scratch, set, opt);
    nest->vectors.reorders = nest->vectors.reorders || scratch.vectors.reorders;
    nest->vectors.goes_past = nest->vectors.goes_past || scratch.vectors.goes_past;
    vec_push(ir->arena, &nest->vectors.more[set], scratch.vectors.form[set] ? scratch.vectors.form[set] : nest->loops);
}

void vectorize_again(Ir *ir, HostNest *nest, VectorSetId set, const PlanOptions *opt)
{
    HostNest scratch = *nest;
    scratch.vectors.table = (Vec){0};
    vectorize(ir, NULL, &scratch, set, opt);
    nest->vectors.form[set] = scratch.vectors.form[set];
}

/* Of a hook of the contraction: is it called? Gathered operands are packed by the engine. */
static bool is_called(const Contraction *c, int hook)
{
    return c->lowered.hooks[hook].func && !(hook == HOOK_PACK_A && c->a.gather) && !(hook == HOOK_PACK_B && c->b.gather);
}

void vectorize_hooks(Ir *ir, Plan *plan, Contraction *c, const PlanOptions *opt)
{
    static const char *const parts[] = {[HOOK_PACK_A] = "what becomes of A in panels",
                                        [HOOK_PACK_B] = "what becomes of B in panels",
                                        [HOOK_EPILOGUE] = "the epilogue",
                                        [HOOK_MORE] = "the epilogue of later parts"};
    PlanOptions exact = *opt;
    exact.fp_strict = true; /* there are no sums to gather up, and what is rounded or compared in the end is as the spec says */
    for (int h = HOOK_PACK_A; h <= HOOK_MORE; h++) {
        Hook *hook = &c->lowered.hooks[h];
        if (!is_called(c, h))
            continue;
        HostNest nest = {.stem = hook->func->name, .part = parts[h], .loc = c->loc, .loops = hook->func, .is_signed = hook->is_signed};
        vectorize_nest(ir, plan, &nest, &exact);
        for (int set = 0; set < SET_COUNT; set++)
            hook->form[set] = nest.vectors.form[set];
        if (opt->remarks && h <= HOOK_PACK_B && c->family == FAM_I8)
            add_remark(ir, &plan->remarks, c->loc, REMARK_MISSED, false,
                       arena_printf(ir->arena, "%s is not vectorized: panels hold pairs of steps", parts[h]));
    }
}
