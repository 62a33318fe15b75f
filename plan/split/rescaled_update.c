/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What depends on the running maximum is found first. Its statements are then executed symbolically. Conditions that have nothing to do with
 * the maximum are tried both ways. */
#include "plan/split/rescaled_update.h"

#include <limits.h>

#include "ir/libm.h"
#include "ir/simplify.h"
#include "ir/walk.h"

enum { MOST_GUARDS = 3 };

/* The maximum stays, moves, or is -INFINITY before and behind; what it is compared with is no number. */
typedef enum Case { STAYS, MOVES, IS_LOWEST, IS_NAN } Case;

typedef struct Run {
    Update *u;
    Case which;
    Map values; /* by symbol id: Node *, of scalars and of elements of sums */
    Vec *guards; /* conditions that are tried both ways */
    unsigned choice; /* bit i: guard i holds */
    Vec path; /* N_FOR: loops around, as the first of their like spells them */
    Vec *likes; /* all of these */
    Node *inner; /* the innermost of them as it is itself */
    Map scope; /* by symbol id: the loop that declares a scalar */
    bool asks_for_infinity; /* a condition that has been evaluated compares with -INFINITY */
    bool failed;
} Run;

bool is_minus_infinity(const Node *e)
{
    bool negative = false;
    for (; e->kind == N_NEG || e->kind == N_CAST; e = e->kid[0])
        negative ^= e->kind == N_NEG;
    return e->kind == N_FLOAT && e->u.f - e->u.f != 0 && e->u.f == e->u.f && (e->u.f < 0) != negative;
}

/* ---------------------------------------------------------------- what depends on the maximum */

typedef struct TaintSearch {
    const Map *tainted;
    bool found;
} TaintSearch;

static bool search_tainted(void *user, Node *n)
{
    TaintSearch *s = user;
    s->found = s->found || (n->sym && map_get(s->tainted, n->sym->id));
    return !s->found;
}

bool is_of_update(const Update *u, Node *n)
{
    TaintSearch s = {&u->tainted, false};
    walk(&(Walker){.pre = search_tainted, .user = &s}, n);
    return s.found;
}

static bool taint(Update *u, Sym *sym)
{
    void **at = map_at(u->ir->arena, &u->tainted, sym->id);
    const bool is_new = !*at;
    *at = sym;
    return is_new;
}

/* `control`: whether the statement runs depends on the maximum. True: more symbols do now. */
static bool taint_statement(Update *u, Node *n, bool control)
{
    bool more = false;
    if (n->kind == N_IF || n->kind == N_FOR) {
        control = control || is_of_update(u, n->kid[0]) || (n->kind == N_FOR && is_of_update(u, n->kid[1]));
        for (int i = n->kind == N_IF ? 1 : 2; i < n->nkids; i++)
            more = taint_statement(u, n->kid[i], control) || more;
        return more;
    }
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            more = taint_statement(u, n->kid[i], control) || more;
        return more;
    }
    bool depends = control && (n->kind != N_DECL || n->nkids);
    for (int i = 0; i < n->nkids; i++)
        depends = depends || is_of_update(u, n->kid[i]);
    return depends && taint(u, n->sym);
}

static bool note_declared(void *user, Node *n)
{
    Update *u = user;
    if (n->kind == N_DECL || n->kind == N_FOR)
        *map_at(u->ir->arena, &u->declared, n->sym->id) = n;
    return !is_expr(n);
}

static bool is_plain(Node *n)
{
    const Kind kind = (Kind)n->kind;
    if (kind == N_BLOCK || kind == N_IF || kind == N_FOR) {
        for (int i = 0; i < n->nkids; i++)
            if (!is_expr(n->kid[i]) && !is_plain(n->kid[i]))
                return false;
        return kind != N_FOR || loop_declares(n);
    }
    return kind == N_DECL || kind == N_ASSIGN || kind == N_STORE;
}

/* ---------------------------------------------------------------- conditions */

static Node *value_of(Run *r, Node *e);

static Node *fail(Run *r, Node *e)
{
    r->failed = true;
    return e;
}

/* a > b: 1 or 0; -1: that is not known. Of the maximum and what it is compared with, one is greater. */
static int is_greater(Run *r, const Node *a, const Node *b, bool *equal)
{
    const Update *u = r->u;
    const bool a_old = a == u->before, b_old = b == u->before, a_new = a == u->x, b_new = b == u->x;
    *equal = a == b;
    if (a == b)
        return 0;
    if ((a_old && b_new) || (a_new && b_old)) {
        *equal = r->which == IS_LOWEST;
        return r->which == MOVES ? a_new : r->which == STAYS && a_old;
    }
    if (!((a_old || a_new) && is_minus_infinity(b)) && !((b_old || b_new) && is_minus_infinity(a)))
        return -1;
    r->asks_for_infinity = true;
    *equal = r->which == IS_LOWEST;
    return r->which != IS_LOWEST && (a_old || (a_new && r->which != IS_NAN));
}

static Node *compared(Run *r, Node *e)
{
    bool equal;
    if (!(kind_info[e->kind].flags & F_REL) || e->nkids != 2 || e->kind == N_LAND || e->kind == N_LOR)
        return e;
    const int greater = is_greater(r, e->kid[0], e->kid[1], &equal);
    if (greater < 0)
        return e;
    const bool less = !equal && !greater && r->which != IS_NAN;
    const bool result[] = {less, less || equal, greater, greater || equal, equal, !equal};
    return mk_int(r->u->ir, T_INT, result[e->kind - N_LT]);
}

/* Does the condition hold? 1 or 0; one that has nothing to do with the maximum does if that is tried now. *decided: it has. */
static bool holds(Run *r, Node *condition, bool *decided)
{
    r->asks_for_infinity = false;
    const Node *c = simplify(r->u->ir, value_of(r, condition));
    while (c->kind == N_CAST)
        c = c->kid[0];
    *decided = c->kind == N_INT;
    if (*decided)
        return c->u.i != 0;
    Node *guard = (Node *)c;
    int at = 0;
    while (at < r->guards->count && r->guards->items[at] != guard)
        at++;
    if (at == MOST_GUARDS || is_of_update(r->u, guard))
        return fail(r, guard) == NULL;
    if (at == r->guards->count)
        vec_push(r->u->ir->arena, r->guards, guard);
    return r->choice >> at & 1;
}

/* Where the maximum stays, `kid` is what counts of the node. */
static void decide(Run *r, Node *n, Node *kid)
{
    if (r->which != STAYS)
        return;
    void **at = map_at(r->u->ir->arena, &r->u->decided, n->id);
    r->failed = r->failed || (*at && *at != kid);
    *at = kid;
}

/* ---------------------------------------------------------------- values */

static Node *with_values(Run *r, Node *e)
{
    Node **kids = arena_new_array(r->u->ir->arena, Node *, e->nkids + 1);
    for (int i = 0; i < e->nkids; i++)
        kids[i] = value_of(r, e->kid[i]);
    return with_kids(r->u->ir, e, e->nkids, kids);
}

static Node *of_select(Run *r, Node *e)
{
    const bool asked = r->asks_for_infinity;
    bool decided;
    if (!is_of_update(r->u, e))
        return with_values(r, e);
    Node *kid = e->kid[holds(r, e->kid[0], &decided) ? 1 : 2];
    if (decided && !r->asks_for_infinity) /* what asks for -INFINITY asks the last maximum, too */
        decide(r, e, kid);
    Node *value = value_of(r, kid);
    r->asks_for_infinity = r->asks_for_infinity || asked;
    return value;
}

static Node *of_maximum(Run *r, Node *e)
{
    bool equal;
    Node *a = value_of(r, e->kid[0]), *b = value_of(r, e->kid[1]);
    const int greater = is_greater(r, a, b, &equal);
    if (greater < 0)
        return is_of_update(r->u, a) || is_of_update(r->u, b) ? fail(r, e) : mk_call(r->u->ir, e->sym, 2, (Node *[]){a, b});
    const bool first = equal || r->which == IS_NAN ? a == r->u->before : greater;
    decide(r, e, e->kid[!first]);
    return first ? a : b;
}

/* The sum that a scalar or element is; made on demand. NULL: it is another element. */
static RescaledSum *sum_at(Run *r, Node *place)
{
    Update *u = r->u;
    for (int i = 0; i < u->sums.count; i++) {
        RescaledSum *s = u->sums.items[i];
        if (s->sym != place->sym)
            continue;
        bool same = s->place == place && s->loops.count == r->path.count;
        for (int k = 0; same && k < s->loops.count; k++)
            same = s->loops.items[k] == r->path.items[k];
        return same ? s : NULL;
    }
    RescaledSum *s = arena_alloc(u->ir->arena, sizeof *s);
    *s = (RescaledSum){.sym = place->sym, .place = place};
    for (int k = 0; k < r->path.count; k++)
        vec_push(u->ir->arena, &s->loops, r->path.items[k]);
    vec_push(u->ir->arena, &u->sums, s);
    return s;
}

static Node *value_of(Run *r, Node *e)
{
    Node *value = NULL;
    switch ((Kind)e->kind) {
    case N_SEL: return of_select(r, e);
    case N_CALL: return is_libm(e->sym, "fmax") ? of_maximum(r, e) : with_values(r, e);
    case N_VAR: value = map_get(&r->values, e->sym->id); return value ? value : e;
    case N_LOAD: break;
    default: return compared(r, with_values(r, e));
    }
    Node *place = with_values(r, e);
    if (!map_get(&r->u->tainted, e->sym->id))
        return place;
    if (!sum_at(r, place))
        return fail(r, e);
    value = map_get(&r->values, e->sym->id);
    return value ? value : place;
}

/* ---------------------------------------------------------------- statements */

static void execute(Run *r, Node *n);

static void set_value(Run *r, Sym *sym, Node *value) { *map_at(r->u->ir->arena, &r->values, sym->id) = value; }

/* Where the maximum stays, each assignment to a sum only adds to it. */
static void check_adds(Run *r, Node *place, Node *value)
{
    Ir *ir = r->u->ir;
    const ExpSum *with = r->which == STAYS ? exp_sum_part(ir, exp_sum_of(ir, value), place, true) : NULL;
    if (r->which == STAYS)
        r->failed = r->failed || !with || with->nterms != 1 || with->terms[0].natoms != 1 || with->terms[0].factor != 1 ||
                    with->terms[0].base;
}

static void set_scalar(Run *r, Node *n, Node *value)
{
    const Sym *sym = n->sym;
    const bool declared = map_get(&r->u->declared, sym->id) != NULL;
    if (n->kind == N_ASSIGN && map_get(&r->scope, sym->id) != r->inner) /* it would be a reduction */
        r->failed = true;
    if (!declared && sym != r->u->top) {
        Node *place = mk_var(r->u->ir, n->sym);
        r->failed = r->failed || !sum_at(r, place);
        check_adds(r, place, value);
    }
    set_value(r, n->sym, value);
}

static void execute_store(Run *r, Node *n)
{
    Ir *ir = r->u->ir;
    const int rank = n->nkids - 1;
    Node *value = value_of(r, n->kid[rank]), *place = with_values(r, mk_load(ir, n->sym, rank, n->kid));
    r->failed = r->failed || map_get(&r->u->declared, n->sym->id) || !sum_at(r, place);
    check_adds(r, place, value);
    set_value(r, n->sym, value);
}

/* The first loop of the same iterations: its variable stands for all of theirs. */
static Node *first_like(Run *r, Node *loop)
{
    Ir *ir = r->u->ir;
    for (int i = 0; i < r->likes->count; i++) {
        Node *like = r->likes->items[i];
        if (like == loop || (like->sym->type == loop->sym->type && like->u.i == loop->u.i && like->kid[0] == loop->kid[0] &&
                             like->kid[1] == substitute(ir, loop->kid[1], loop->sym, mk_var(ir, like->sym))))
            return like;
    }
    vec_push(ir->arena, r->likes, loop);
    return loop;
}

static void execute_loop(Run *r, Node *loop)
{
    if (r->path.count == MOST_RESCALED_LOOPS || is_of_update(r->u, loop->kid[0]) || is_of_update(r->u, loop->kid[1])) {
        fail(r, loop);
        return;
    }
    Node *like = first_like(r, loop);
    for (int i = 0; i < r->path.count; i++)
        r->failed = r->failed || r->path.items[i] == like;
    set_value(r, loop->sym, mk_var(r->u->ir, like->sym));
    vec_push(r->u->ir->arena, &r->path, like);
    Node *outer = r->inner;
    r->inner = loop;
    execute(r, loop->kid[2]);
    r->inner = outer;
    r->path.count--;
}

static void execute_if(Run *r, Node *n)
{
    bool decided;
    const int kid = holds(r, n->kid[0], &decided) ? 1 : 2;
    if (decided && !r->asks_for_infinity)
        decide(r, n, kid < n->nkids ? n->kid[kid] : n);
    if (kid < n->nkids)
        execute(r, n->kid[kid]);
}

static void execute(Run *r, Node *n)
{
    if (r->failed || (!r->path.count && !is_of_update(r->u, n)))
        return;
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            execute(r, n->kid[i]);
        break;
    case N_DECL:
        if (n->sym->rank)
            fail(r, n);
        *map_at(r->u->ir->arena, &r->scope, n->sym->id) = r->inner;
        if (n->nkids)
            set_scalar(r, n, value_of(r, n->kid[0]));
        break;
    case N_ASSIGN: set_scalar(r, n, value_of(r, n->kid[0])); break;
    case N_STORE: execute_store(r, n); break;
    case N_FOR: execute_loop(r, n); break;
    case N_IF: execute_if(r, n); break;
    default: fail(r, n);
    }
}

/* ---------------------------------------------------------------- what the cases have in common */

static Run run_of(Update *u, Case which, Vec *guards, unsigned choice, Vec *likes)
{
    Run r = {.u = u, .which = which, .guards = guards, .choice = choice, .likes = likes};
    execute(&r, u->loop->kid[2]);
    return r;
}

static Node *value_behind(const Run *r, Node *place)
{
    Node *value = map_get(&r->values, place->sym->id);
    return value ? value : place;
}

/* Of one choice of guards. *moved: the maximum does, where it may. */
static bool check_choice(Update *u, Vec *guards, unsigned choice, Vec *likes, bool *moved)
{
    const Run stays = run_of(u, STAYS, guards, choice, likes), moves = run_of(u, MOVES, guards, choice, likes),
              lowest = run_of(u, IS_LOWEST, guards, choice, likes), nan = run_of(u, IS_NAN, guards, choice, likes);
    if (stays.failed || moves.failed || lowest.failed || nan.failed || value_behind(&stays, u->before) != u->before)
        return false;
    *moved = value_behind(&moves, u->before) == u->x;
    int nans = 0;
    for (int i = 0; i < u->sums.count; i++) {
        RescaledSum *s = u->sums.items[i];
        Node *a = value_behind(&stays, s->place), *b = value_behind(&moves, s->place);
        if (*moved ? !is_rescaled(u, s, a, b) : a != s->place || b != s->place)
            return false;
        nans += becomes_nan(u, value_behind(&lowest, s->place));
    }
    if (!*moved)
        return value_behind(&moves, u->before) == u->before;
    u->nan_first = u->nan_first || nans;
    u->skips_nan = u->skips_nan && value_behind(&nan, u->before) == u->before;
    return u->sums.count && (!nans || nans == u->sums.count);
}

/* Each choice knows of all sums: when one is found, those before are looked at again. */
static bool check_update(Update *u)
{
    Vec guards = {0}, likes = {0};
    bool any = false, moved;
    int known = 0;
    u->skips_nan = true;
    for (unsigned choice = 0; choice < 1u << guards.count; choice++) {
        if (!check_choice(u, &guards, choice, &likes, &moved))
            return false;
        any = any || moved;
        if (u->sums.count > known)
            choice = UINT_MAX;
        known = u->sums.count;
    }
    u->guarded = guards.count > 0;
    return any;
}

/* ---------------------------------------------------------------- the maximum */

typedef struct MaximumSearch {
    const Update *u;
    Vec found; /* Update *, of which the maximum is set */
} MaximumSearch;

static void note_candidate(MaximumSearch *s, Node *n, Node *top, Node *x)
{
    const Update *u = s->u;
    const bool is_call = n->kind == N_CALL;
    if (top->kind != N_VAR || top->sym->kind != S_LOCAL || (top->type != T_FLOAT && top->type != T_DOUBLE) || x->type != top->type ||
        map_get(&u->declared, top->sym->id) || !writes_sym(u->loop->kid[2], top->sym) || is_minus_infinity(x) || uses_sym(x, top->sym))
        return;
    Update *candidate = arena_alloc(u->ir->arena, sizeof *candidate);
    *candidate = (Update){
        .ir = u->ir, .loop = u->loop, .declared = u->declared, .top = top->sym, .before = top, .x = x, .maximum = is_call ? n : NULL};
    vec_push(u->ir->arena, &s->found, candidate);
}

static bool search_maximum(void *user, Node *n)
{
    MaximumSearch *s = user;
    if ((n->kind == N_CALL && is_libm(n->sym, "fmax")) || (n->kind >= N_LT && n->kind <= N_GE)) {
        note_candidate(s, n, n->kid[0], n->kid[1]);
        note_candidate(s, n, n->kid[1], n->kid[0]);
    }
    return true;
}

bool find_update(Ir *ir, Node *loop, Update *out)
{
    Update u = {.ir = ir, .loop = loop};
    if (!is_plain(loop->kid[2]))
        return false;
    walk(&(Walker){.pre = note_declared, .user = &u}, loop->kid[2]);
    MaximumSearch s = {.u = &u};
    walk(&(Walker){.pre = search_maximum, .user = &s}, loop->kid[2]);
    for (int i = 0; i < s.found.count; i++) {
        Update *candidate = s.found.items[i];
        taint(candidate, candidate->top);
        while (taint_statement(candidate, loop->kid[2], false))
            ;
        if (!is_of_update(candidate, candidate->x) && check_update(candidate)) {
            *out = *candidate;
            return true;
        }
    }
    return false;
}
