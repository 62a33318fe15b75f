/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums have several accumulators, whose additions do not wait for one another; of a long row each reads a part of its own, as memory
 * gives more to several streams. With loops inside, vectors share what is the same for all. */
#include "plan/vectors/vector_layout.h"

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/vectors/vector_loop.h"

enum {
    SUMS = 4,        /* vectors that a reduction accumulates in; several at once, in no more than half of all registers */
    FEW_ACCESSES = 4 /* of a body that needs one register for each vector */
};

/* ---------------------------------------------------------------- the loop */

static bool count_access(void *user, Node *n)
{
    *(int *)user += n->kind == N_LOAD || n->kind == N_STORE;
    return true;
}

static int accesses(Node *loop)
{
    int found = 0;
    walk(&(Walker){.pre = count_access, .user = &found}, loop);
    return found;
}

typedef struct Window {
    Ir *ir;
    Sym *var; /* of a loop inside */
} Window;

static bool slides_along(void *user, Node *n)
{
    Window *w = user;
    Poly *coef, *rest;
    int64_t stride;
    return n->kind == N_LOAD && poly_affine(w->ir, poly_of(w->ir, n->kid[0]), &w->var, 1, &coef, &rest) && poly_const(coef, &stride) &&
           stride != 0;
}

static bool is_window(void *user, Node *n)
{
    Window *w = user;
    w->var = n->sym;
    return n->kind == N_FOR && any_node(n->kid[2], slides_along, w);
}

/* Do loops inside go along neighbours? The lanes' windows overlap then; else each lane has a column of its own, as channels have that are
 * side by side. */
static bool slides(Ir *ir, Node *loop)
{
    Window w = {.ir = ir};
    return any_stmt(loop->kid[2], is_window, &w);
}

/* Of a loop that is known to be short no more than it has. */
static int at_most_all(Ir *ir, Node *loop, VectorSetId set, int copies)
{
    const Node *count = trip_count(ir, loop);
    const VectorShape shape = vector_shape(set, vector_loop_width(ir, loop, NULL));
    while (count && count->kind == N_INT && copies > 1 && (int64_t)copies * shape.lanes > count->u.i)
        copies /= 2;
    return copies;
}

typedef struct CountSearch {
    Ir *ir;
    bool known;
} CountSearch;

static bool search_count(void *user, Node *n)
{
    CountSearch *s = user;
    const Node *count = n->kind == N_FOR ? trip_count(s->ir, n) : NULL;
    s->known = s->known && (n->kind != N_FOR || (count && count->kind == N_INT));
    return !is_expr(n);
}

/* Of one over whole vectors, around loops that are known to be as short, no more than it has: the others would be masked. */
static int at_most_whole(Ir *ir, Node *loop, VectorSetId set, int copies)
{
    const Node *count = trip_count(ir, loop);
    CountSearch s = {ir, count && count->kind == N_INT && count->u.i >= vector_shape(set, vector_loop_width(ir, loop, NULL)).lanes};
    walk(&(Walker){.pre = search_count, .user = &s}, loop->kid[2]);
    return s.known ? at_most_all(ir, loop, set, copies) : copies;
}

static bool is_math(void *user, Node *n)
{
    (void)user;
    return n->kind == N_DIV || n->kind == N_MOD || (n->kind == N_CALL && n->sym->libm && !vector_has_exactly(n->sym));
}

bool loop_has_math(Node *loop) { return any_node(loop->kid[2], is_math, NULL); }

/* ---------------------------------------------------------------- the planner's choice */

/* Vectors at a time of each of several rows: of 64 bytes one, as a row may have few of them, and of channels four; of others two, in
 * half of 16 registers. */
static int row_vectors(Ir *ir, Node *loop, VectorSetId set) { return vector_sets[set].bytes < 64 ? 2 : slides(ir, loop) ? 1 : 4; }

/* Vectors at a time where each needs a register alone, half of all: long stretches of memory, and channels of a few vectors at once. */
static int many_vectors(const LoopPlace *p) { return vector_sets[p->set].bytes < 64 || p->rows ? 8 : 16; }

static int sum_vectors(const LoopPlace *p)
{
    int vectors = SUMS;
    while (vectors > 1 && vectors * p->sums > vector_sets[p->set].registers / 2)
        vectors /= 2;
    return vectors;
}

static int column_vectors(Ir *ir, Node *loop, const LoopPlace *p)
{
    if (p->rows > 1)
        return row_vectors(ir, loop, p->set);
    const bool window = p->rows && slides(ir, loop);
    return !window && !p->blocks && accesses(loop) <= FEW_ACCESSES ? many_vectors(p) : SUMS;
}

/* ---------------------------------------------------------------- somebody's choice */

static int chosen(const NestKnobs *knobs, NestKnob knob, int planned)
{
    return knobs->value[knob] == KNOB_PLANNED ? planned : knobs->value[knob];
}

static bool says_yes(const NestKnobs *knobs, NestKnob knob, bool planned) { return chosen(knobs, knob, planned + 1) == KNOB_YES; }

static int lines_ahead(const NestKnobs *knobs)
{
    return knobs->value[KNOB_PREFETCH_DISTANCE] > 1 ? knobs->value[KNOB_PREFETCH_DISTANCE] : 0;
}

static int least(int a, int b) { return a < b ? a : b; }

Layout layout_of(Ir *ir, Node *loop, const LoopPlace *p, const NestKnobs *knobs)
{
    if (loop->aux & FOR_VECTOR || p->over_rows)
        return (Layout){.copies = 1, .rest = 1, .wished = (loop->aux & FOR_VECTOR) != 0};
    if (p->half)
        return (Layout){.copies = trip_count(ir, loop)->u.i == vector_shape(p->set, LANES_64).lanes, .rest = 1};
    if (p->inner && !p->sums)
        return (Layout){.copies = chosen(knobs, loop_has_math(loop) ? KNOB_UNROLL_MATH : KNOB_UNROLL, 1),
                        .rest = 1,
                        .ahead = lines_ahead(knobs),
                        .halves = true};
    if (p->inner) {
        const int copies = at_most_all(ir, loop, p->set,
                                       chosen(knobs, loop_has_math(loop) ? KNOB_ACCUMULATORS_MATH : KNOB_ACCUMULATORS, sum_vectors(p)));
        const bool may_stream = p->depth == 0 && !has_kind(loop, N_STORE);
        return (Layout){
            .copies = copies, .rest = 1, .ahead = lines_ahead(knobs), .streams = may_stream && says_yes(knobs, KNOB_STREAMS, true)};
    }
    const int columns = at_most_whole(ir, loop, p->set, column_vectors(ir, loop, p)),
              copies = chosen(knobs, KNOB_UNROLL_OUTER, p->sums ? least(columns, sum_vectors(p)) : columns);
    return (Layout){.copies = copies, .rest = least(copies, chosen(knobs, KNOB_UNROLL_REMAINDER, p->rows ? 1 : 2)), .halves = copies > 8};
}

Layout layout_of_window(Ir *ir, Node *loop, VectorSetId set, int rows, const NestKnobs *knobs)
{
    const int vectors = row_vectors(ir, loop, set), copies = chosen(knobs, KNOB_UNROLL_OUTER, rows > 1 ? vectors : SUMS);
    return (Layout){.copies = copies, .rest = least(copies, chosen(knobs, KNOB_UNROLL_REMAINDER, rows > 1 ? (vectors + 1) / 2 : vectors))};
}
