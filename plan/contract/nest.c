/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches a nest from the outside in: loops, what initialises the sum, what adds to it, what is done with it. */
#include "plan/contract/nest.h"

#include "depend/index.h"
#include "ir/condition.h"
#include "ir/walk.h"
#include "plan/contract/sum_terms.h"
#include "plan/contract/triangle.h"

Vec statements(Ir *ir, Node *n)
{
    Vec list = {0};
    if (n->kind != N_BLOCK) {
        vec_push(ir->arena, &list, n);
        return list;
    }
    for (int i = 0; i < n->nkids; i++)
        vec_push(ir->arena, &list, n->kid[i]);
    if (list.count == 1 && ((Node *)list.items[0])->kind == N_BLOCK)
        return statements(ir, list.items[0]);
    return list;
}

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

/* ---------------------------------------------------------------- loops */

static bool is_divisor(void *user, Node *n)
{
    const Node *divisor = user;
    return (n->kind == N_DIV || n->kind == N_MOD) && n->kid[1] == divisor;
}

bool division_is_safe(Ir *ir, const Func *func, const Node *division)
{
    const Node *divisor = division->kid[1];
    if (divisor->kind == N_MAX && divisor->kid[1]->kind == N_INT)
        divisor = divisor->kid[1];
    if (divisor->kind == N_INT)
        return divisor->u.i > 0;
    /* An array's extent divides by it: then the entry point has seen that it is not 0. */
    bool checked = false;
    for (int i = 0; i < func->nparams; i++)
        for (int d = 0; d < func->params[i]->rank; d++)
            if (func->params[i]->extent[d])
                checked = checked || any_node(func->params[i]->extent[d], is_divisor, (void *)divisor);
    return checked && known_nonnegative(ir, func, poly_of(ir, division->kid[0]));
}

static bool plain_bound(Node *e) { return type_is_integer(e->type) && !has_load(e); }

/* Lower bound, step and extents of a loop whose bounds are evaluated in `env`; false when its trip count is not
 * known before it starts, or depends on memory. */
static bool nest_loop(const Func *func, Env *env, Node *loop, NestLoop *out)
{
    Ir *ir = env->ir;
    Bounds b;
    if (!for_bounds(loop, &b) || !loop->aux || !bounds_count(&b))
        return false;
    Node *lo = env_eval(env, b.lo), *hi = env_eval(env, b.hi);
    if (env->failed || !plain_bound(lo) || !plain_bound(hi) || uses_sym(hi, loop->sym))
        return false;
    const LoopRange range = range_of_bounds(ir, &(Bounds){b.var, lo, hi, b.cmp, b.step});
    Poly *span = range_length(ir, &range);
    int64_t stride = b.step > 0 ? b.step : -b.step;
    Node *extent = poly_node(ir, span);
    if (stride != 1)
        extent = ix_div(ir, ix_add(ir, extent, ix_int(ir, stride - 1)), ix_int(ir, stride));
    if (!known_nonnegative(ir, func, span))
        extent = ix_max(ir, extent, ix_int(ir, 0));
    *out = (NestLoop){.var = loop->sym, .lo = lo, .step = b.step, .extent = extent, .least = range.least, .most = range.most};
    out->first = b.step > 0 ? range.least : range.most;
    out->trip = stride == 1 ? span : poly_of(ir, extent);
    return true;
}

static bool miss(Nest *nest, Missed why)
{
    nest->missed = why;
    return false;
}

static bool add_loop(Nest *nest, Node *loop, bool reduction)
{
    if (nest->nloops == MAX_LOOPS)
        return false;
    NestLoop *added = &nest->loop[nest->nloops];
    if (!nest_loop(nest->func, nest->env, loop, added))
        return miss(nest, MISSED_BOUNDS);
    added->reduction = reduction;
    bool changes = false;
    for (int i = 0; i < nest->nloops; i++)
        changes = changes || uses_sym(added->lo, nest->loop[i].var) || uses_sym(added->extent, nest->loop[i].var);
    if (changes && !triangle_as_square(nest, added, loop))
        return miss(nest, MISSED_TRIANGLE);
    nest->nloops++;
    return true;
}

/* ---------------------------------------------------------------- one term of the sum */

static bool is_base(const Nest *nest, const Node *n, const Node *base)
{
    if (n == base)
        return true;
    if (base->kind != N_LOAD || n->kind != N_LOAD || n->sym != base->sym)
        return false;
    for (int i = 0; i < n->nkids; i++)
        if (!poly_equal(poly_of(nest->ir, n->kid[i]), poly_of(nest->ir, base->kid[i])))
            return false;
    return true;
}

static Node * not(Ir * ir, Node *cond) { return mk_unary(ir, N_LNOT, cond); }

Node *bare_condition(Node *e)
{
    Node *bare = truth_of(e);
    while (bare->kind == N_CAST && bare->type == T_BOOL && kind_info[bare->kid[0]->kind].flags & F_REL)
        bare = truth_of(bare->kid[0]);
    return bare;
}

static void add_guard(Nest *nest, Node *cond)
{
    cond = bare_condition(cond);
    if (cond->kind == N_LAND) {
        add_guard(nest, cond->kid[0]);
        add_guard(nest, cond->kid[1]);
        return;
    }
    if (cond->kind == N_LNOT && cond->kid[0]->kind == N_LOR) { /* !(a || b): !a, !b, tested in that order */
        add_guard(nest, not(nest->ir, cond->kid[0]->kid[0]));
        add_guard(nest, not(nest->ir, cond->kid[0]->kid[1]));
        return;
    }
    vec_push(nest->ir->arena, &nest->guards, cond);
}

static bool is_zero(const Node *n) { return (n->kind == N_INT && n->u.i == 0) || (n->kind == N_FLOAT && n->u.f == 0); }

/* Other elements of the base's array may be read: which, plan/contract/map.c looks at. */
static bool uses_base(const Node *n, const Node *base) { return base->kind != N_LOAD && uses_sym((Node *)n, base->sym); }

/* `updated`, what the accumulator is worth after one iteration, taken apart into base + product. */
static bool split_update(Nest *nest, Node *updated, const Node *base)
{
    Ir *ir = nest->ir;
    while (updated->kind == N_SEL) {
        bool then = is_base(nest, updated->kid[2], base);
        if (!then && !is_base(nest, updated->kid[1], base))
            return false;
        add_guard(nest, then ? updated->kid[0] : not(ir, updated->kid[0]));
        updated = updated->kid[then ? 1 : 2];
    }
    if (is_fma(updated) && is_base(nest, updated->kid[2], base)) {
        nest->product = mk_binary(ir, N_MUL, updated->kid[0], updated->kid[1]);
    } else if (updated->kind == N_ADD && is_base(nest, updated->kid[0], base)) {
        nest->product = updated->kid[1];
    } else if (updated->kind == N_ADD && is_base(nest, updated->kid[1], base)) {
        nest->product = updated->kid[0];
    } else if (updated->kind == N_SUB && is_base(nest, updated->kid[0], base)) {
        nest->product = updated->kid[1];
        nest->negative = true;
    } else {
        return false;
    }
    /* c ? p : 0 adds p where c holds. */
    while (nest->product->kind == N_SEL && (is_zero(nest->product->kid[1]) || is_zero(nest->product->kid[2]))) {
        bool then = is_zero(nest->product->kid[2]);
        add_guard(nest, then ? nest->product->kid[0] : not(ir, nest->product->kid[0]));
        nest->product = nest->product->kid[then ? 1 : 2];
    }
    for (int i = 0; i < nest->guards.count; i++)
        if (uses_base(nest->guards.items[i], base))
            return false;
    return !uses_base(nest->product, base);
}

/* ---------------------------------------------------------------- statements around it */

typedef struct Writes {
    Ir *ir;
    Vec assigned, declared, stores;
} Writes;

static bool gather_writes(void *user, Node *n)
{
    Writes *w = user;
    if (n->kind == N_ASSIGN || (n->kind == N_FOR && !n->aux))
        vec_push(w->ir->arena, &w->assigned, n->sym);
    if (n->kind == N_DECL || (n->kind == N_FOR && n->aux))
        vec_push(w->ir->arena, &w->declared, n->sym);
    if (n->kind == N_STORE)
        vec_push(w->ir->arena, &w->stores, n);
    return !is_expr(n);
}

static bool has(const Vec *vec, const void *item)
{
    for (int i = 0; i < vec->count; i++)
        if (vec->items[i] == item)
            return true;
    return false;
}

/* The scalars assigned in `n` that live outside it, each once. */
static Vec outer_assigned(Ir *ir, const Writes *w)
{
    Vec outer = {0};
    for (int i = 0; i < w->assigned.count; i++)
        if (!has(&w->declared, w->assigned.items[i]) && !has(&outer, w->assigned.items[i]))
            vec_push(ir->arena, &outer, w->assigned.items[i]);
    return outer;
}

static Writes writes_in(Ir *ir, Node *n)
{
    Writes w = {.ir = ir};
    walk(&(Walker){.pre = gather_writes, .user = &w}, n);
    return w;
}

static int first_for(const Vec *list)
{
    for (int i = 0; i < list->count; i++)
        if (stmt_at(list, i)->kind == N_FOR)
            return i;
    return -1;
}

/* Steps into `if (cond) { ... loops ... }` as the last statement: the condition guards every term. */
static bool enter_if(Nest *nest, Vec *list)
{
    Ir *ir = nest->ir;
    while (list->count > 0 && first_for(list) < 0) {
        Node *last = stmt_at(list, list->count - 1);
        if (last->kind != N_IF || last->nkids == 3 || !has_kind(last, N_FOR))
            return true;
        for (int i = 0; i + 1 < list->count; i++)
            if (!env_exec(nest->env, stmt_at(list, i), false))
                return false;
        add_guard(nest, env_eval(nest->env, last->kid[0]));
        *list = statements(ir, last->kid[1]);
    }
    return !nest->env->failed;
}

/* The reduction loops around `acc op= term`. */
static bool match_reduction(Nest *nest, Node *loop)
{
    Env *env = nest->env;
    for (;;) {
        if (!add_loop(nest, loop, true))
            return false;
        Vec list = statements(nest->ir, loop->kid[2]);
        if (!enter_if(nest, &list))
            return false;
        int inner = first_for(&list);
        if (inner >= 0 && inner != list.count - 1)
            return miss(nest, MISSED_APART);
        for (int i = 0; i < list.count - (inner >= 0); i++)
            if (!env_exec(env, stmt_at(&list, i), false))
                return miss(nest, MISSED_TERMS);
        if (inner < 0)
            break;
        loop = stmt_at(&list, inner);
    }
    Node *updated = env_eval(env, mk_var(nest->ir, nest->acc));
    return (!env->failed && split_update(nest, updated, mk_var(nest->ir, nest->acc))) || miss(nest, MISSED_TERMS);
}

/* Sees that `acc` is not changed between the reduction loops: then its value there would not be itself. */
static bool match_core(Nest *nest, const Vec *list, int at)
{
    Ir *ir = nest->ir;
    Env *env = nest->env;
    for (int i = 0; i < at; i++) {
        if (!env_exec(env, stmt_at(list, i), false))
            return false;
        vec_push(ir->arena, &nest->before, stmt_at(list, i));
    }
    if (!env_has(env, nest->acc))
        return miss(nest, MISSED_OUTLIVES);
    nest->init = env_eval(env, mk_var(ir, nest->acc));
    if (env->failed)
        return false;
    Env *outside = env_copy(env);
    env_set(env, nest->acc, mk_var(ir, nest->acc));
    if (!match_reduction(nest, stmt_at(list, at)))
        return false;
    nest->env = outside;
    env_set(outside, nest->acc, mk_var(ir, nest->acc));
    for (int i = at + 1; i < list->count; i++) {
        nest->copies = i + 1 == list->count && stores_copy(outside, stmt_at(list, i));
        if (!nest->copies && !env_exec(outside, stmt_at(list, i), true))
            return false;
        vec_push(ir->arena, &nest->after, stmt_at(list, i));
    }
    nest->out = outside->out;
    nest->sub = outside->sub;
    nest->value = outside->element;
    return nest->value != NULL;
}

/* ---------------------------------------------------------------- an array element as the accumulator */

typedef struct Replacing {
    Nest *nest;
    Node *element; /* the evaluated load */
    bool ok;
} Replacing;

static bool is_element(const Replacing *r, Node *const *sub)
{
    Ir *ir = r->nest->ir;
    for (int i = 0; i < r->element->nkids; i++) {
        Node *evaluated = env_eval(r->nest->env, sub[i]);
        if (!poly_equal(poly_of(ir, evaluated), poly_of(ir, r->element->kid[i])))
            return false;
    }
    return true;
}

static Node *replace_post(void *user, Node *n)
{
    Replacing *r = user;
    if (n->sym != r->element->sym || (n->kind != N_LOAD && n->kind != N_STORE))
        return n;
    if (!is_element(r, n->kid)) { /* what terms read of the array elsewhere, plan/contract/map.c looks at */
        r->ok = r->ok && n->kind == N_LOAD;
        return n;
    }
    Ir *ir = r->nest->ir;
    if (n->kind == N_LOAD)
        return mk_var(ir, r->nest->acc);
    return mk_assign(ir, r->nest->acc, stmt_value(n), (Kind)n->aux, n->loc);
}

/* { out[s] = 0; for (...) out[s] += term; ... }  =>  { T acc; acc = 0; for (...) acc += term; ...; out[s] =
 * acc; } */
static bool replace_element(Nest *nest, Vec *list, int *at, const Node *store)
{
    Ir *ir = nest->ir;
    int rank = store->sym->rank;
    Node **sub = arena_new_array(ir->arena, Node *, rank);
    for (int i = 0; i < rank; i++)
        sub[i] = env_eval(nest->env, store->kid[i]);
    Writes inner = writes_in(ir, stmt_at(list, *at));
    for (int d = 0; d < rank; d++)
        for (int i = 0; i < inner.declared.count; i++)
            if (uses_sym(sub[d], inner.declared.items[i]))
                return false;
    Replacing r = {nest, mk_load(ir, store->sym, rank, sub), !nest->env->failed};
    nest->acc = sym_new(ir, S_LOCAL, store->sym->type, "acc", store->loc);
    Vec out = {0};
    Node *last = stmt_at(list, list->count - 1), *copy = NULL;
    if (last->kind == N_STORE && last->sym == store->sym && !is_element(&r, last->kid)) {
        Node *value = rewrite(&(Rewriter){.ir = ir, .post = replace_post, .user = &r}, stmt_value(last));
        copy = mk_store(ir, last->sym, rank, last->kid, value, N_NONE, last->loc);
        list->count--;
    }
    bool written_first = *at > 0 && stmt_at(list, 0)->kind == N_STORE && stmt_at(list, 0)->sym == store->sym &&
                         !reads_array(stmt_value(stmt_at(list, 0)), store->sym);
    vec_push(ir->arena, &out, mk_decl(ir, nest->acc, written_first ? NULL : r.element, store->loc));
    for (int i = 0; i < list->count; i++)
        vec_push(ir->arena, &out, rewrite(&(Rewriter){.ir = ir, .post = replace_post, .user = &r}, stmt_at(list, i)));
    vec_push(ir->arena, &out, mk_store(ir, store->sym, rank, sub, mk_var(ir, nest->acc), N_NONE, store->loc));
    if (copy)
        vec_push(ir->arena, &out, copy);
    *list = out;
    ++*at;
    return r.ok;
}

/* ---------------------------------------------------------------- the whole nest */

/* A perfect nest around out[sub] op= term: the loops that do not move the element are the reduction. */
static bool match_in_place(Nest *nest, const Vec *list)
{
    Ir *ir = nest->ir;
    Env *env = nest->env;
    for (int i = 0; i < list->count; i++)
        if (!env_exec(env, stmt_at(list, i), true))
            return false;
    if (!env->element)
        return false;
    nest->out = env->out;
    nest->sub = env->sub;
    Node *base = mk_load(ir, nest->out, nest->out->rank, nest->sub);
    if (!split_update(nest, env->element, base))
        return miss(nest, MISSED_FORM);
    nest->acc = sym_new(ir, S_LOCAL, nest->out->type, "acc", nest->out->loc);
    nest->init = base;
    nest->value = mk_var(ir, nest->acc);
    vec_push(ir->arena, &nest->after, mk_store(ir, nest->out, nest->out->rank, nest->sub, nest->value, N_NONE, stmt_at(list, 0)->loc));
    for (int i = 0; i < nest->nloops; i++) {
        nest->loop[i].reduction = true;
        for (int d = 0; d < nest->out->rank; d++)
            if (uses_sym(nest->sub[d], nest->loop[i].var))
                nest->loop[i].reduction = false;
    }
    nest->before = (Vec){0}; /* the subscripts are evaluated already */
    return true;
}

static bool only_lets(const Vec *list, int n)
{
    for (int i = 0; i < n; i++)
        if (stmt_at(list, i)->kind == N_STORE)
            return false;
    return true;
}

static bool descend(Nest *nest, Node *loop)
{
    Ir *ir = nest->ir;
    for (;;) {
        if (!add_loop(nest, loop, false))
            return false;
        Vec list = statements(ir, loop->kid[2]);
        if (!enter_if(nest, &list))
            return false;
        int at = first_for(&list);
        if (at < 0)
            return match_in_place(nest, &list);
        Writes w = writes_in(ir, stmt_at(&list, at));
        Vec assigned = outer_assigned(ir, &w);
        if (assigned.count == 0 && at == list.count - 1 && only_lets(&list, at)) {
            for (int i = 0; i < at; i++) {
                if (!env_exec(nest->env, stmt_at(&list, i), false))
                    return false;
                vec_push(ir->arena, &nest->before, stmt_at(&list, i));
            }
            loop = stmt_at(&list, at);
            continue;
        }
        if (nest->guards.count > nest->nsquares) /* not only the terms */
            return miss(nest, MISSED_GUARDED);
        nest->within = nest->guards;
        nest->guards = (Vec){0};
        if (assigned.count == 1 && w.stores.count == 0) {
            nest->acc = assigned.items[0];
            return match_core(nest, &list, at);
        }
        return assigned.count == 0 && w.stores.count == 1 && replace_element(nest, &list, &at, w.stores.items[0]) &&
               match_core(nest, &list, at);
    }
}

static Nest *nest_new(const NestContext *context)
{
    Nest *nest = arena_alloc(context->ir->arena, sizeof *nest);
    nest->ir = context->ir;
    nest->func = context->func;
    nest->env = env_new(context->ir, &context->defs);
    return nest;
}

Nest *match_nest(const NestContext *context, Node *loop)
{
    Nest *nest = nest_new(context);
    if (descend(nest, loop)) {
        if (!nest->copies || copies_are_apart(nest, loop))
            return nest;
        nest->missed = MISSED_TWICE;
    }
    if (context->missed)
        *context->missed = nest->missed;
    return NULL;
}

Nest *match_map(const NestContext *context, Node *loop)
{
    Nest *nest = nest_new(context);
    for (;;) {
        if (!add_loop(nest, loop, false) || nest->guards.count)
            return NULL;
        Vec list = statements(nest->ir, loop->kid[2]);
        int at = first_for(&list);
        if (at >= 0 && at != list.count - 1)
            return NULL;
        for (int i = 0; i < list.count - (at >= 0); i++)
            if (!env_exec(nest->env, stmt_at(&list, i), at < 0))
                return NULL;
        if (at < 0)
            break;
        loop = stmt_at(&list, at);
    }
    nest->out = nest->env->out;
    nest->sub = nest->env->sub;
    nest->value = nest->env->element;
    return nest->value ? nest : NULL;
}
