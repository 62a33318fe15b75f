/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an iteration takes as it is, and a vectorized loop whose iterations fill no more than one vector. */
#include "plan/vectors/trip_count_versioning.h"

#include <math.h>

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/fitted.h"

/* How much more often the innermost loops run than those around; how long a text is that calls ask. */
enum { RARELY = 4, MOST_NODES = 8 };

/* Loops with the same trip count. */
typedef struct Length {
    Node *trips;
    int loops, depth; /* the most loops around one of them */
    double iteration, vectors;
    double inner; /* what a loop inside adds to `iteration` */
    int64_t least; /* so many are few in any case */
    bool has_inner; /* there are loops in one of them */
    Node *or_else; /* what is few as well; may be NULL */
    Ir *whole;      /* not NULL: of a loop inside, all iterations count */
} Length;

static bool is_narrow(Type type) { return type == T_HALF || type == T_BF16 || type_is_fp8(type); }

static double whole_loop_ns(Ir *ir, Node *loop);

static bool add_costs(void *user, Node *n)
{
    Length *l = user;
    switch ((Kind)n->kind) {
    case N_CALL:
        l->iteration += is_extreme(n->sym) ? ITERATION_EXTREME_NS : ITERATION_CALL_NS;
        l->vectors += is_extreme(n->sym) ? 0 : VECTOR_CALL_NS;
        return true;
    case N_DIV:
    case N_MOD:
        l->iteration += ITERATION_DIVISION_NS;
        l->vectors += ITERATION_DIVISION_NS;
        return true;
    case N_CAST: l->iteration += is_narrow((Type)n->type) || is_narrow((Type)n->kid[0]->type) ? ITERATION_DIVISION_NS : 0; return true;
    case N_FOR: l->iteration += l->whole ? whole_loop_ns(l->whole, n) : l->inner; return false;
    case N_STORE: walk(&(Walker){.pre = add_costs, .user = l}, stmt_value(n)); /* fall through */
    case N_LOAD: l->iteration += ITERATION_OPERATION_NS; return false;
    default: l->iteration += kind_info[n->kind].cost ? ITERATION_OPERATION_NS : 0; return true;
    }
}

double iteration_ns(Node *statements)
{
    Length l = {.inner = ITERATION_START_NS};
    walk(&(Walker){.pre = add_costs, .user = &l}, statements);
    return l.iteration;
}

/* One iteration, with all those of loops inside; of loops that do not say how many they have, two. */
static double whole_iteration_ns(Ir *ir, Node *loop)
{
    Length l = {.whole = ir, .iteration = ITERATION_NS};
    walk(&(Walker){.pre = add_costs, .user = &l}, loop->kid[2]);
    return l.iteration;
}

static double whole_loop_ns(Ir *ir, Node *loop)
{
    enum { UNKNOWN = 2 };
    const Node *count = trip_count(ir, loop);
    return whole_iteration_ns(ir, loop) * (count && count->kind == N_INT ? (double)count->u.i : UNKNOWN);
}

static Length *length_of(Ir *ir, Few *few, Node *trips)
{
    for (int i = 0; i < few->lengths.count; i++) {
        Length *l = few->lengths.items[i];
        if (l->trips == trips)
            return l;
    }
    Length *l = arena_alloc(ir->arena, sizeof *l);
    *l = (Length){.trips = trips, .inner = ITERATION_INNER_NS};
    vec_push(ir->arena, &few->lengths, l);
    return l;
}

typedef struct Handed {
    Node *nest, *loop; /* NULL: the loop's own stores count as well */
} Handed;

static bool search_stored(void *user, Node *n)
{
    const Handed *h = user;
    return n->kind == N_LOAD && writes_sym(h->nest, n->sym) && !(h->loop && writes_sym(h->loop, n->sym));
}

/* Does the loop read what the nest stores? */
static bool reads_stored(Node *nest, Node *loop, bool elsewhere)
{
    Handed h = {nest, elsewhere ? loop : NULL};
    return any_node(loop->kid[2], search_stored, &h);
}

static bool is_moving(void *user, Node *n)
{
    (void)user;
    return n->kind == N_VAR && n->sym->kind == S_LOOP;
}

/* Of a loop with loops inside that sum up rows which the nest stores. */
static int64_t few_of_rows(Node *nest, Node *loop)
{
    const bool moves = any_node(loop->kid[0], is_moving, NULL);
    return !has_kind(loop->kid[2], N_FOR) || !reads_stored(nest, loop, false) ? 1 : moves ? FEW_MOVED : FEW_HANDED;
}

static bool search_narrow(void *user, Node *n)
{
    (void)user;
    return (n->kind == N_STORE || n->kind == N_LOAD) && type_bits(n->sym->type) < 32;
}

static bool is_across(const Node *loop) { return loop->aux & FOR_VECTOR && has_kind(loop->kid[2], N_FOR); }

/* Of a loop across, in whose lanes a loop inside goes along: what such vectors store in parts. */
static int64_t few_across(Node *loop) { return any_node(loop->kid[2], search_narrow, NULL) ? FEW_ACROSS_NARROW : FEW_ACROSS; }

static bool count_node(void *user, Node *n)
{
    (void)n;
    ++*(int *)user;
    return true;
}

/* It is said again in every call: as a short text, or not at all; so is what no call changes. */
static bool is_simple(Node *trips)
{
    int nodes = trips->kind == N_INT ? MOST_NODES : 0;
    walk(&(Walker){.pre = count_node, .user = &nodes}, trips);
    return nodes <= MOST_NODES;
}

void note_depth(Few *few, int depth) { few->depth = depth > few->depth ? depth : few->depth; }

static int choices_among(const Vec *sums)
{
    int choices = 0;
    for (int i = 0; i < sums->count; i++)
        choices += ((const Reduction *)sums->items[i])->choice != NULL;
    return choices;
}

typedef struct ColumnSearch {
    Ir *ir;
    Node *found;
} ColumnSearch;

/* Loops whose iterations are counted in the text are part of what one column takes. */
static bool find_columns(void *user, Node *n)
{
    ColumnSearch *s = user;
    const Node *count = n->kind == N_FOR && !s->found ? trip_count(s->ir, n) : NULL;
    s->found = n->kind == N_FOR && !s->found && !(count && count->kind == N_INT) ? n : s->found;
    return !s->found && !is_expr(n);
}

/* The first such loop in another; NULL: there is none. */
static Node *columns_in(Ir *ir, Node *loop)
{
    ColumnSearch s = {ir, NULL};
    walk(&(Walker){.pre = find_columns, .user = &s}, loop->kid[2]);
    return s.found;
}

/* Tiles of narrow elements load them one by one where they have fewer than lanes. */
static Node *few_along(const TripCounts *t, Node *loop)
{
    TripCounts inside = *t;
    trip_counts_enter(&inside, loop);
    Node *along = columns_in(t->ir, loop), *trips = along ? trip_count_of(&inside, along) : NULL;
    return trips && is_simple(trips) ? mk_binary(t->ir, N_LE, trips, ix_int(t->ir, FEW_ACROSS_NARROW)) : NULL;
}

void note_few(Few *few, const TripCounts *t, Node *loop, int depth, bool strict)
{
    Node *trips = trip_count_of(t, loop);
    Vec sums = {0};
    const char *why;
    few->never = few->never || !trips || !is_simple(trips);
    if (few->never)
        return;
    Length *l = length_of(t->ir, few, trips);
    find_reductions(t->ir, loop, strict, &sums, &why);
    const int64_t of_rows = few_of_rows(t->body, loop), across = is_across(loop) ? few_across(loop) : 0;
    const int64_t least = across > of_rows ? across : of_rows;
    l->or_else = across == FEW_ACROSS_NARROW ? few_along(t, loop) : l->or_else;
    l->loops++;
    l->least = least > l->least ? least : l->least;
    l->depth = depth > l->depth ? depth : l->depth;
    l->has_inner = l->has_inner || has_kind(loop->kid[2], N_FOR);
    l->iteration += ITERATION_NS + sums.count * ITERATION_SUM_NS;
    l->vectors += sums.count ? VECTOR_GATHER_NS + (sums.count - 1) * VECTOR_NEXT_SUM_NS : VECTOR_MAP_NS;
    l->vectors += choices_among(&sums) * VECTOR_CHOICE_NS;
    l->vectors += sums.count && reads_stored(t->body, loop, true) ? VECTOR_HANDED_NS : 0;
    walk(&(Walker){.pre = add_costs, .user = l}, loop->kid[2]);
}

/* Few of both: all vectors together save less than the parts of them that are filled take. */
static Node *few_elements(Ir *ir, Node *rows, Node *columns, double column_ns)
{
    const int64_t most = (int64_t)(LANE_ROWS_NS / column_ns);
    Node *elements = rows ? ix_mul(ir, rows, columns) : NULL;
    return elements && is_simple(elements) && most > 0 ? mk_binary(ir, N_LE, elements, ix_int(ir, most)) : NULL;
}

void note_few_columns(Few *few, const TripCounts *t, Node *rows)
{
    TripCounts inside = *t;
    Node *loop = columns_in(t->ir, rows);
    trip_counts_enter(&inside, rows);
    Node *columns = loop ? trip_count_of(&inside, loop) : NULL;
    few->never = few->never || !columns || !is_simple(columns);
    if (few->never)
        return;
    Length *l = length_of(t->ir, few, columns);
    const double column_ns = whole_iteration_ns(t->ir, loop);
    *l = (Length){.trips = columns, .depth = few->depth, .iteration = column_ns, .vectors = LANE_COLUMNS_NS};
    l->or_else = few_elements(t->ir, trip_count_of(t, rows), columns, column_ns);
}

/* So many are few. Loops that run less often than others may take longer. */
static int64_t few_of(const Few *few, const Length *l)
{
    const double waits = l->loops > 1 ? l->loops * VECTOR_WAIT_NS : 0;
    const int64_t most = (int64_t)fmax((double)l->least, (l->vectors + waits) / l->iteration);
    return l->depth < few->depth && !l->has_inner ? RARELY * most : most;
}

/* NULL: no number of them. */
static Node *length_is_few(Ir *ir, const Few *few, const Length *l)
{
    const int64_t most = few_of(few, l);
    if (l->or_else && most < 1)
        return l->or_else;
    Node *is_few = most < 1 ? NULL : mk_binary(ir, N_LE, l->trips, ix_int(ir, most));
    return l->or_else ? mk_binary(ir, N_LOR, is_few, l->or_else) : is_few;
}

Node *few_iterations(Ir *ir, const Few *few)
{
    Node *all = NULL;
    for (int i = 0; !few->never && i < few->lengths.count; i++) {
        Node *is_few = length_is_few(ir, few, few->lengths.items[i]);
        if (!is_few)
            return NULL;
        all = all ? mk_binary(ir, N_LAND, all, is_few) : is_few;
    }
    return all;
}
