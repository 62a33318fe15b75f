/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the spec's loops, and compares them with what all of the operator's stages take before their first iteration. */
#include "plan/vectors/short_calls.h"

#include <math.h>

#include "depend/index.h"
#include "depend/poly.h"
#include "depend/scope.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "plan/contraction.h"
#include "plan/fitted.h"
#include "plan/forward_substitution.h"
#include "plan/loop_nests.h"
#include "plan/own_counters.h"
#include "plan/signed_loops.h"
#include "plan/solve.h"
#include "plan/upward.h"
#include "plan/vectors/trip_count.h"
#include "plan/vectors/trip_count_versioning.h"

/* Work is counted in these parts of a nanosecond; bytes of local arrays. */
enum { PARTS = 16, MOST_BYTES = 2048 };

/* ---------------------------------------------------------------- how long the spec's loops take */

typedef struct ElementSearch {
    const Sym *var;
    Node *extent;
} ElementSearch;

static bool is_less(void *user, Node *n)
{
    (void)user;
    return n->kind == N_SUB || n->kind == N_NEG || (n->kind == N_INT && n->u.i < 0);
}

/* Trip counts that might be negative are no less than 0, so that no loop makes up for others. */
static Node *at_least_none(Ir *ir, Node *trips)
{
    trips = poly_node(ir, poly_of(ir, trips));
    return any_node(trips, is_less, NULL) ? ix_max(ir, trips, ix_int(ir, 0)) : trips;
}

static bool search_elements(void *user, Node *n)
{
    ElementSearch *s = user;
    for (int i = 0; (n->kind == N_LOAD || n->kind == N_STORE) && i < n->sym->rank && !s->extent; i++)
        if (n->kid[i]->kind == N_VAR && n->kid[i]->sym == s->var && n->sym->kind == S_ARRAY)
            s->extent = n->sym->extent[i];
    return true;
}

/* A loop that reads its bounds goes through no more than all elements of an array; NULL: it has none. */
static Node *most_of_elements(Ir *ir, Node *loop)
{
    ElementSearch s = {.var = loop->sym};
    walk(&(Walker){.pre = search_elements, .user = &s}, loop->kid[2]);
    return s.extent ? widen(ir, s.extent) : NULL;
}

/* Of the statements in PARTS, T_INDEX over parameters; NULL: nobody knows. */
static Node *work_of(TripCounts *t, Node *n);

static Node *work_of_loop(TripCounts *t, Node *loop)
{
    Node *trips = trip_count_of(t, loop);
    if (!trips)
        trips = most_of_elements(t->ir, loop);
    if (!trips)
        return NULL;
    trip_counts_enter(t, loop);
    Node *once = work_of(t, loop->kid[2]);
    return once ? ix_mul(t->ir, at_least_none(t->ir, trips), once) : NULL;
}

/* Of the loops in the statements alone. */
static Node *work_of_loops(TripCounts *t, Node *n)
{
    if (n->kind == N_FOR)
        return work_of_loop(t, n);
    Node *all = ix_int(t->ir, 0);
    if (n->kind == N_DECL)
        trip_counts_note_constant(t, n);
    for (int i = 0; i < n->nkids && all && !is_expr(n); i++) {
        Node *one = is_expr(n->kid[i]) ? ix_int(t->ir, 0) : work_of_loops(t, n->kid[i]);
        all = one ? ix_add(t->ir, all, one) : NULL;
    }
    return all;
}

static Node *work_of(TripCounts *t, Node *n)
{
    Node *loops = work_of_loops(t, n);
    return loops ? ix_add(t->ir, loops, ix_int(t->ir, (int64_t)ceil(PARTS * (ITERATION_NS + iteration_ns(n))))) : NULL;
}

/* The loops as trip_count_of() knows them. */
static Node *countable(Ir *ir, Node *source)
{
    return substitute_forward(ir, count_upward(ir, signed_loops(ir, own_counters(ir, solve_conditions(ir, source))), true));
}

/* ---------------------------------------------------------------- what else a call takes */

/* Has some set a form of its own, of this or another kind than FORM_COMPILED? */
static bool has_form(const HostNest *nest, bool compiled)
{
    bool found = false;
    for (int set = 0; set < SET_COUNT; set++)
        found = found || (nest->vectors.form[set] && (nest->vectors.kind[set] == FORM_COMPILED) == compiled);
    return found;
}

/* Nanoseconds of the spec's loops in which the stages would be as far. */
static double most_work(const Plan *plan)
{
    double fixed = SHORT_CALL_NS + contraction_count(plan) * SHORT_CONTRACTION_NS + (plan->ntemporaries ? SHORT_ROOM_NS : 0);
    bool faster = contraction_count(plan) > 0;
    for (int i = 0; i < host_nest_count(plan); i++) {
        const HostNest *nest = host_nest_at(plan, i);
        const bool vectors = has_form(nest, false), compiled = has_form(nest, true);
        fixed += SHORT_NEST_NS + (vectors ? SHORT_VECTORS_NS : compiled ? SHORT_COMPILED_NS : 0);
        faster = faster || vectors || compiled;
    }
    return fixed * (faster ? SHORT_BY_VECTORS : SHORT_BY_SCALARS);
}

/* ---------------------------------------------------------------- local arrays */

typedef struct LocalArrays {
    Ir *ir;
    LinearMap *linear;
    Map small;   /* by symbol id: the array of constant size in its place */
    Node *when;  /* T_INT: they are large enough; NULL: always */
    int64_t left; /* bytes for all */
    int unsized;
    bool fails;
} LocalArrays;

static bool count_unsized(void *user, Node *n)
{
    LocalArrays *a = user;
    if (n->kind == N_DECL && n->sym->rank) {
        Node *elements = array_elements(a->ir, n->sym);
        a->unsized += elements->kind != N_INT;
        a->left -= elements->kind == N_INT ? elements->u.i * type_bytes(n->sym->type) : 0;
    }
    return true;
}

/* Arrays whose size only calls know share what is left. */
static bool size_array(void *user, Node *n)
{
    LocalArrays *a = user;
    Node *elements = n->kind == N_DECL && n->sym->rank ? array_elements(a->ir, n->sym) : NULL;
    if (!elements || elements->kind == N_INT || map_get(&a->small, n->sym->id))
        return true;
    Node *most = ix_int(a->ir, a->left / a->unsized / type_bytes(n->sym->type)), *fits = mk_binary(a->ir, N_LE, elements, most);
    *map_at(a->ir->arena, &a->small, n->sym->id) = sym_new_array(a->ir, S_LOCAL_ARRAY, n->sym->type, n->sym->name, 1, &most, n->sym->loc);
    a->when = a->when ? mk_binary(a->ir, N_LAND, a->when, fits) : fits;
    return true;
}

/* The small one instead of each; tables as the file has them. */
static Node *take_small(void *user, Node *n)
{
    LocalArrays *a = user;
    if ((n->kind != N_LOAD && n->kind != N_STORE && n->kind != N_DECL) || !n->sym->rank)
        return n;
    Sym *small = n->sym->table ? linear_sym(a->ir, a->linear, n->sym) : map_get(&a->small, n->sym->id);
    if (!small || small == n->sym)
        return n;
    Node *kids[2];
    if (n->kind != N_DECL)
        kids[0] = linear_subscript(a->ir, n->sym, n->kid);
    if (n->kind == N_STORE)
        kids[1] = stmt_value(n);
    return with_sym_kids(a->ir, n, small, n->kind == N_DECL ? n->nkids : n->kind == N_STORE ? 2 : 1, n->kind == N_DECL ? n->kid : kids);
}

/* ---------------------------------------------------------------- */

typedef struct Reads {
    Arena *arena;
    Vec params;
    bool others; /* or anything that is no integer */
} Reads;

static bool note_read(void *user, Node *n)
{
    Reads *r = user;
    if (n->kind == N_VAR && n->sym->kind == S_PARAM && type_is_integer(n->sym->type)) {
        for (int i = 0; i < r->params.count; i++)
            if (r->params.items[i] == n->sym)
                return true;
        vec_push(r->arena, &r->params, n->sym);
        return true;
    }
    r->others = r->others || n->sym || n->kind == N_CALL;
    return true;
}

/* The parameters that the condition and the extents read; false: they read something else. */
static bool find_limited(Ir *ir, const Plan *plan, ShortCall *call)
{
    Reads r = {.arena = ir->arena};
    const Walker w = {.pre = note_read, .user = &r};
    walk(&w, call->when);
    for (int i = 0; i < plan->func->nparams; i++)
        for (int d = 0; d < plan->func->params[i]->rank; d++)
            walk(&w, plan->func->params[i]->extent[d]);
    call->limited = r.params;
    return !r.others;
}

/* The one parameter that the condition reads; NULL: there are several. */
static Sym *only_one_read(Ir *ir, Node *when)
{
    Reads r = {.arena = ir->arena};
    walk(&(Walker){.pre = note_read, .user = &r}, when);
    return r.params.count == 1 ? r.params.items[0] : NULL;
}

/* N * 17 + 20 <= 672 as N <= 38: sets only and most. */
static void solve_for_only(Ir *ir, ShortCall *call)
{
    const Node *when = call->when;
    Sym *sym = only_one_read(ir, call->when);
    Poly *slope[1], *rest;
    int64_t each, fixed;
    if (sym && when->kind == N_LE && when->kid[1]->kind == N_INT && poly_affine(ir, poly_of(ir, when->kid[0]), &sym, 1, slope, &rest) &&
        poly_const(slope[0], &each) && poly_const(rest, &fixed) && each > 0 && fixed <= when->kid[1]->u.i) {
        call->only = sym;
        call->most = (when->kid[1]->u.i - fixed) / each;
    }
}

/* The value of sums and products of what is not negative where all parameters are `of_all`; -1: it has another form. */
static int64_t at_corner(const Node *n, int64_t of_all)
{
    if (n->kind == N_VAR)
        return of_all;
    if (n->kind == N_INT)
        return n->u.i < INT32_MAX ? n->u.i : -1;
    if (n->kind == N_CAST)
        return at_corner(n->kid[0], of_all);
    if (n->kind != N_ADD && n->kind != N_MUL)
        return -1;
    const int64_t x = at_corner(n->kid[0], of_all), y = at_corner(n->kid[1], of_all);
    if (x < 0 || y < 0 || x > INT32_MAX || y > INT32_MAX)
        return -1;
    return n->kind == N_ADD ? x + y : x * y;
}

/* M * (N * 8 + 21) <= 992 where both are at most 7, 3 or 1: one comparison of all tells the smallest calls. */
static void find_corner(ShortCall *call)
{
    const Node *when = call->when;
    for (int64_t of_all = 63; of_all > 0 && when->kind == N_LE && when->kid[1]->kind == N_INT && !call->all_most; of_all /= 2) {
        const int64_t work = at_corner(when->kid[0], of_all);
        if (work >= 0 && work <= when->kid[1]->u.i)
            call->all_most = of_all;
    }
}

void add_short_call(Ir *ir, Plan *plan, LinearMap *linear)
{
    TripCounts t = trip_counts_begin(ir, &(NestCut){.loops = 0}, &(Func){.body = plan->source});
    Node *work = work_of(&t, countable(ir, plan->source));
    LocalArrays a = {.ir = ir, .linear = linear, .left = MOST_BYTES};
    walk(&(Walker){.pre = count_unsized, .user = &a}, plan->source);
    if (!work || a.left < 0 || has_kind(plan->source, N_RETURN))
        return;
    walk(&(Walker){.pre = size_array, .user = &a}, plan->source);
    ShortCall call = {.when = mk_binary(ir, N_LE, work, ix_int(ir, (int64_t)(most_work(plan) * PARTS)))};
    call.when = simplify(ir, a.when ? mk_binary(ir, N_LAND, call.when, a.when) : call.when);
    if (!find_limited(ir, plan, &call) || (call.when->kind == N_INT && !call.when->u.i))
        return;
    call.body = rewrite(&(Rewriter){.ir = ir, .post = take_small, .user = &a}, plan->source);
    call.body = drop_unused(ir, simplify(ir, call.body));
    solve_for_only(ir, &call);
    find_corner(&call);
    plan->short_call = arena_alloc(ir->arena, sizeof call);
    *plan->short_call = call;
}
