/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first loop has the statements that know nothing of the maximum, the second one all others: as they are where the maximum stays, with
 * the maximum of all for the running one. */
#include "plan/split/rescaled_sums.h"

#include <limits.h>

#include "depend/env.h"
#include "depend/scope.h"
#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/split/rescaled_loop.h"

enum { MOST_OF_LET = 16 }; /* nodes of what both loops compute */

bool has_numbered(const RescaledLoop *r, Node *n)
{
    return n->kind == N_BLOCK || (n->kind == N_IF && is_of_update(&r->u, n) && !is_of_update(&r->u, n->kid[0]));
}

/* ---------------------------------------------------------------- scalars of the first loop */

typedef struct LetSearch {
    const RescaledLoop *r;
    bool fits;
} LetSearch;

static bool search_let(void *user, Node *n)
{
    LetSearch *s = user;
    const RescaledLoop *r = s->r;
    const bool computed = n->kind == N_VAR && map_get(&r->written, n->sym->id) && !map_get(&r->lets, n->sym->id);
    s->fits = s->fits && n->kind != N_CALL && !computed && !(n->kind == N_LOAD && writes_sym(r->u.loop->kid[2], n->sym));
    return s->fits;
}

static int writers(const RescaledLoop *r, const Sym *sym);

bool is_unchanging(const RescaledLoop *r, Node *e)
{
    LetSearch s = {r, true};
    walk(&(Walker){.pre = search_let, .user = &s}, e);
    return s.fits;
}

/* A name for little that nobody changes. */
static bool is_let(const RescaledLoop *r, Node *n)
{
    if (n->kind != N_DECL || n->sym->rank || !n->nkids || tree_size(n->kid[0], MOST_OF_LET) >= MOST_OF_LET || writers(r, n->sym) != 1)
        return false;
    return is_unchanging(r, n->kid[0]);
}

typedef struct WriteSearch {
    RescaledLoop *r;
    const Sym *sym;
    int count;
} WriteSearch;

static bool count_write(void *user, Node *n)
{
    WriteSearch *s = user;
    s->count += (n->kind == N_ASSIGN || n->kind == N_FOR || (n->kind == N_DECL && n->nkids)) && n->sym == s->sym;
    return !is_expr(n);
}

static int writers(const RescaledLoop *r, const Sym *sym)
{
    WriteSearch s = {.sym = sym};
    walk(&(Walker){.pre = count_write, .user = &s}, r->u.loop->kid[2]);
    return s.count;
}

static bool note_write(void *user, Node *n)
{
    RescaledLoop *r = ((WriteSearch *)user)->r;
    if ((n->kind == N_ASSIGN || n->kind == N_FOR || n->kind == N_DECL) && !n->sym->rank) {
        int *at = arena_alloc(r->ir->arena, sizeof *at);
        *at = r->at;
        *map_at(r->ir->arena, &r->written, n->sym->id) = at;
    }
    return !is_expr(n);
}

static void note_numbered(RescaledLoop *r, Node *n)
{
    if (has_numbered(r, n)) {
        for (int i = n->kind == N_IF; i < n->nkids; i++)
            note_numbered(r, n->kid[i]);
        return;
    }
    r->at++;
    if (is_of_update(&r->u, n)) {
        if (!r->first_update && (n->kind != N_DECL || n->nkids))
            r->first_update = r->at;
        return;
    }
    const bool let = is_let(r, n);
    walk(&(Walker){.pre = note_write, .user = &(WriteSearch){.r = r}}, n);
    if (let)
        *map_at(r->ir->arena, &r->lets, n->sym->id) = n;
}

/* The scalar's element in this iteration. */
static Node *in_row(RescaledLoop *r, const Node *var)
{
    Ir *ir = r->ir;
    Node *at = mk_var(ir, r->b.var);
    const int *last = map_get(&r->written, var->sym->id);
    r->fits = r->fits && *last < r->at && r->room;
    if (!r->fits)
        return (Node *)var;
    for (int i = 0; i < r->rows.count; i++) {
        const Row *row = r->rows.items[i];
        if (row->scalar == var->sym)
            return mk_load(ir, row->array, 1, &at);
    }
    Row *row = arena_alloc(ir->arena, sizeof *row);
    *row = (Row){var->sym, sym_new_array(ir, S_LOCAL_ARRAY, var->sym->type, var->sym->name, 1, &r->room, var->sym->loc)};
    vec_push(ir->arena, &r->rows, row);
    return mk_load(ir, row->array, 1, &at);
}

/* ---------------------------------------------------------------- the second loop */

/* An expression as the second loop has it. */
static Node *in_second(RescaledLoop *r, Node *e)
{
    Node *chosen = e->kind == N_SEL || e->kind == N_CALL ? map_get(&r->u.decided, e->id) : NULL;
    if (chosen)
        return in_second(r, chosen);
    if (e->kind == N_VAR && e->sym == r->u.top)
        return mk_var(r->ir, r->last);
    if (e->kind == N_VAR && map_get(&r->written, e->sym->id) && !map_get(&r->lets, e->sym->id))
        return in_row(r, e);
    Node **kids = arena_new_array(r->ir->arena, Node *, e->nkids + 1);
    for (int i = 0; i < e->nkids; i++)
        kids[i] = in_second(r, e->kid[i]);
    return with_kids(r->ir, e, e->nkids, kids);
}

/* ---------------------------------------------------------------- what is added to sums */

static Node *added_to(RescaledLoop *r, Node *e, const Sym *sum);

/* The kid that has the sum; -1: none or several have. */
static int kid_with(const Node *e, const Sym *sum)
{
    int with = -1;
    for (int i = 0; i < e->nkids; i++) {
        if (with >= 0 && uses_sym(e->kid[i], sum))
            return -1;
        with = uses_sym(e->kid[i], sum) ? i : with;
    }
    return with;
}

static Node *plus(Ir *ir, Node *a, Node *b) { return a ? mk_binary(ir, N_ADD, a, b) : b; }

/* Under a condition that has nothing to do with the maximum. */
static Node *added_if(RescaledLoop *r, Node *e, const Sym *sum)
{
    Node *none = mk_float(r->ir, (Type)e->type, 0), *a = added_to(r, e->kid[1], sum), *b = added_to(r, e->kid[2], sum);
    r->fits = r->fits && !uses_sym(e->kid[0], sum);
    return a || b ? mk_select(r->ir, e->kid[0], a ? a : none, b ? b : none) : NULL;
}

/* What is added to the sum by an expression that has it as a term; NULL: nothing. All that it is multiplied by is 1. */
static Node *added_to(RescaledLoop *r, Node *e, const Sym *sum)
{
    Ir *ir = r->ir;
    if (e->sym == sum && (e->kind == N_VAR || e->kind == N_LOAD))
        return NULL;
    if (e->kind == N_SEL)
        return added_if(r, e, sum);
    const int with = kid_with(e, sum);
    r->fits = r->fits && with >= 0;
    Node *rest = r->fits ? added_to(r, e->kid[with], sum) : NULL;
    if (!r->fits)
        return NULL;
    const bool is_fma = e->kind == N_CALL && is_libm(e->sym, "fma");
    if (is_fma)
        return plus(ir, rest, with == 2 ? mk_binary(ir, N_MUL, e->kid[0], e->kid[1]) : e->kid[2]);
    switch ((Kind)e->kind) {
    case N_MUL: return rest;
    case N_CAST: return rest ? mk_cast(ir, (Type)e->type, rest) : NULL;
    case N_ADD: return plus(ir, rest, e->kid[1 - with]);
    case N_SUB: r->fits = with == 0; return rest ? mk_binary(ir, N_SUB, rest, e->kid[1]) : mk_unary(ir, N_NEG, e->kid[1]);
    default: r->fits = false; return NULL;
    }
}

static bool is_sum(const RescaledLoop *r, const Sym *sym)
{
    for (int i = 0; i < r->u.sums.count; i++)
        if (((const RescaledSum *)r->u.sums.items[i])->sym == sym)
            return true;
    return false;
}

static bool uses_sums(const RescaledLoop *r, Node *e)
{
    for (int i = 0; i < r->u.sums.count; i++)
        if (uses_sym(e, ((const RescaledSum *)r->u.sums.items[i])->sym))
            return true;
    return false;
}

static Node *named_sum(void *user, Node *n)
{
    const RescaledLoop *r = user;
    Node *value = n->kind == N_VAR ? map_get(&r->named, n->sym->id) : NULL;
    return value ? value : n;
}

static Node *with_named_sums(RescaledLoop *r, Node *e) { return rewrite(&(Rewriter){.ir = r->ir, .post = named_sum, .user = r}, e); }

/* Names for what a sum has been give way to that. */
static bool note_named(void *user, Node *n)
{
    RescaledLoop *r = user;
    if ((n->kind != N_DECL && (n->kind != N_ASSIGN || n->aux || !map_get(&r->u.declared, n->sym->id))) || n->sym->rank || !n->nkids)
        return !is_expr(n);
    Node *value = with_named_sums(r, n->kid[0]);
    if (uses_sums(r, value) && writers(r, n->sym) == 1)
        *map_at(r->ir->arena, &r->named, n->sym->id) = mk_cast(r->ir, n->sym->type, value);
    return true;
}

static bool count_sum(void *user, Node *n)
{
    WriteSearch *s = user;
    s->count += (n->kind == N_ASSIGN || n->kind == N_STORE) && n->sym == s->sym;
    return !is_expr(n);
}

/* The assignment to a sum as the second loop has it; NULL: it adds nothing. */
static Node *sum_in_second(RescaledLoop *r, Node *n)
{
    Ir *ir = r->ir;
    Node *value = with_named_sums(r, stmt_value(n));
    WriteSearch s = {.sym = n->sym};
    walk(&(Walker){.pre = count_sum, .user = &s}, r->u.loop->kid[2]);
    r->fits = r->fits && (value == stmt_value(n) || s.count == 1);
    Node *more = added_to(r, in_second(r, value), n->sym);
    if (!more || !r->fits)
        return NULL;
    more = mk_cast(ir, n->sym->type, more);
    if (n->kind == N_ASSIGN)
        return mk_assign(ir, n->sym, mk_binary(ir, N_ADD, mk_var(ir, n->sym), more), N_ADD, n->loc);
    const int rank = n->nkids - 1;
    Node **at = arena_new_array(ir->arena, Node *, rank + 1);
    for (int i = 0; i < rank; i++)
        at[i] = in_second(r, n->kid[i]);
    return mk_store(ir, n->sym, rank, at, mk_binary(ir, N_ADD, mk_load(ir, n->sym, rank, at), more), N_ADD, n->loc);
}

/* ---------------------------------------------------------------- the second loop */

static Node *second(RescaledLoop *r, Node *n, bool numbered);

static Node *block_of_second(RescaledLoop *r, Node *n, bool numbered)
{
    Vec out = {0};
    for (int i = 0; i < n->nkids; i++) {
        Node *stmt = second(r, n->kid[i], numbered);
        for (int k = 0; stmt && stmt->kind == N_BLOCK && k < stmt->nkids; k++)
            vec_push(r->ir->arena, &out, stmt->kid[k]);
        if (stmt && stmt->kind != N_BLOCK)
            vec_push(r->ir->arena, &out, stmt);
    }
    return out.count ? mk_block(r->ir, out.count, (Node **)out.items, n->loc) : NULL;
}

static Node *branch_of_second(RescaledLoop *r, Node *n, bool numbered)
{
    Node *chosen = map_get(&r->u.decided, n->id);
    if (chosen)
        return chosen == n ? NULL : second(r, chosen, numbered);
    Node *condition = in_second(r, n->kid[0]), *then = second(r, n->kid[1], numbered);
    Node *otherwise = n->nkids > 2 ? second(r, n->kid[2], numbered) : NULL;
    return then || otherwise ? mk_if(r->ir, condition, then ? then : mk_block(r->ir, 0, NULL, n->loc), otherwise, n->loc) : NULL;
}

/* A statement of the second loop; NULL: it has none in its place. `numbered`: it is not inside of one that is numbered itself. */
static Node *second(RescaledLoop *r, Node *n, bool numbered)
{
    Ir *ir = r->ir;
    if (numbered && !has_numbered(r, n)) {
        numbered = false;
        r->at++;
        if (!is_of_update(&r->u, n))
            return map_get(&r->lets, n->kind == N_DECL ? n->sym->id : -1) ? n : NULL;
    }
    if ((n->kind == N_DECL || n->kind == N_ASSIGN) && map_get(&r->named, n->sym->id))
        return NULL;
    switch ((Kind)n->kind) {
    case N_BLOCK: return block_of_second(r, n, numbered);
    case N_IF: return branch_of_second(r, n, numbered);
    case N_FOR: {
        Node *kids[] = {in_second(r, n->kid[0]), in_second(r, n->kid[1]), second(r, n->kid[2], false)};
        return kids[2] ? with_kids(ir, n, 3, kids) : NULL;
    }
    case N_DECL: return mk_decl(ir, n->sym, n->nkids ? in_second(r, n->kid[0]) : NULL, n->loc);
    default: break;
    }
    if (n->kind == N_ASSIGN && n->sym == r->u.top)
        return NULL;
    return is_sum(r, n->sym) ? sum_in_second(r, n) : mk_assign(ir, n->sym, in_second(r, n->kid[0]), N_NONE, n->loc);
}

/* The row of a scalar of the first loop that only statement `at` reads; NULL: there is none of the type. */
static Sym *row_to_overwrite(const RescaledLoop *r, Node *two, int at, Type type)
{
    for (int i = 0; i < r->rows.count; i++) {
        Sym *array = ((const Row *)r->rows.items[i])->array;
        bool fits = array->type == type && uses_sym(two->kid[at], array);
        for (int k = 0; fits && k < two->nkids; k++)
            fits = k == at || !uses_sym(two->kid[k], array);
        if (fits)
            return array;
    }
    return NULL;
}

/* Is it a scalar's only value, which loops behind it in the iteration read? */
static bool is_read_by_loops(const RescaledLoop *r, Node *two, int at)
{
    const Node *n = two->kid[at];
    const bool sets = (n->kind == N_DECL && n->nkids) || n->kind == N_ASSIGN;
    if (!sets || n->kid[0]->kind == N_VAR || !map_get(&r->u.declared, n->sym->id) || map_get(&r->lets, n->sym->id) ||
        writers(r, n->sym) != 1)
        return false;
    for (int k = at + 1; k < two->nkids; k++)
        if (two->kid[k]->kind == N_FOR && uses_sym(two->kid[k], n->sym))
            return true;
    return false;
}

/* What loops of an iteration read has a row, too: these loops may stand apart then. */
static Node *with_rows(RescaledLoop *r, Node *two, Vec *arrays)
{
    Ir *ir = r->ir;
    Node *at = mk_var(ir, r->b.var);
    for (int i = 0; r->room && i < two->nkids; i++) {
        const Node *n = two->kid[i];
        if (!is_read_by_loops(r, two, i))
            continue;
        Sym *array = row_to_overwrite(r, two, i, n->sym->type);
        if (!array) {
            array = sym_new_array(ir, S_LOCAL_ARRAY, n->sym->type, n->sym->name, 1, &r->room, n->sym->loc);
            vec_push(ir->arena, arrays, array);
        }
        Node *store = mk_store(ir, array, 1, &at, n->kid[0], N_NONE, n->loc);
        two = with_kid(ir, substitute(ir, two, n->sym, mk_load(ir, array, 1, &at)), i, store);
    }
    return two;
}

/* ---------------------------------------------------------------- the first loop */

static bool is_read_elsewhere(Node *n, const Sym *sym, const Node *loop)
{
    if (n == loop)
        return false;
    if (n->kind == N_VAR && n->sym == sym)
        return true;
    for (int i = 0; i < n->nkids; i++)
        if (is_read_elsewhere(n->kid[i], sym, loop))
            return true;
    return false;
}

Node *greater_of(const RescaledLoop *r, Node *old, Node *x)
{
    Ir *ir = r->ir;
    const Update *u = &r->u;
    if (u->maximum)
        return mk_call(ir, u->maximum->sym, 2, (Node *[]){old, x});
    /* Sums are NaN if a value is: what the maximum is then counts for nothing unless it is read itself. */
    if (u->skips_nan || !is_read_elsewhere(r->body, u->top, u->loop))
        return mk_select(ir, mk_binary(ir, N_GT, x, old), x, old);
    return mk_select(ir, mk_binary(ir, N_GE, old, x), old, x);
}

/* Behind the last statement that sets one of the scalars: stores to their rows. */
static void store_rows(RescaledLoop *r, Node *n, Vec *out)
{
    Ir *ir = r->ir;
    Node *at = mk_var(ir, r->b.var);
    for (int i = 0; i < r->rows.count; i++) {
        const Row *row = r->rows.items[i];
        const int *last = map_get(&r->written, row->scalar->id);
        if (*last == r->at && writes_sym(n, row->scalar))
            vec_push(ir->arena, out, mk_store(ir, row->array, 1, &at, mk_var(ir, row->scalar), N_NONE, n->loc));
    }
}

static void first(RescaledLoop *r, Node *n, Vec *out)
{
    Ir *ir = r->ir;
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            first(r, n->kid[i], out);
        return;
    }
    if (has_numbered(r, n)) {
        Vec branch[2] = {{0}, {0}};
        for (int i = 1; i < n->nkids; i++)
            first(r, n->kid[i], &branch[i - 1]);
        Node *kids[] = {mk_block(ir, branch[0].count, (Node **)branch[0].items, n->loc),
                        mk_block(ir, branch[1].count, (Node **)branch[1].items, n->loc)};
        vec_push(ir->arena, out, mk_if(ir, n->kid[0], kids[0], n->nkids > 2 ? kids[1] : NULL, n->loc));
        return;
    }
    r->at++;
    if (!is_of_update(&r->u, n)) {
        vec_push(ir->arena, out, n);
        store_rows(r, n, out);
    } else if (writes_sym(n, r->u.top)) {
        vec_push(ir->arena, out, mk_assign(ir, r->u.top, greater_of(r, r->u.before, r->u.x), N_NONE, n->loc));
    }
}

/* ---------------------------------------------------------------- both */

static Node *let_value(void *user, Node *n)
{
    const RescaledLoop *r = user;
    const Node *let = n->kind == N_VAR ? map_get(&r->lets, n->sym->id) : NULL;
    return let ? rewrite(&(Rewriter){.ir = r->ir, .post = let_value, .user = user}, mk_cast(r->ir, let->sym->type, let->kid[0])) : n;
}

/* What the first iteration compares the maximum with. */
static Node *first_x(RescaledLoop *r)
{
    Node *x = rewrite(&(Rewriter){.ir = r->ir, .post = let_value, .user = r}, r->u.x);
    r->at = INT_MAX;
    return substitute(r->ir, in_second(r, x), r->b.var, mk_cast(r->ir, r->b.var->type, r->b.lo));
}

static bool find_loop(RescaledLoop *r, Node *loop)
{
    Node *body = loop->kid[2];
    if (!loop_declares(loop) || body->kind != N_BLOCK || !for_bounds(loop, &r->b) || r->b.step < 1 ||
        (r->b.cmp != N_LT && r->b.cmp != N_LE) || !is_stable_in(loop, r->b.lo) || !is_stable_in(loop, r->b.hi) ||
        !find_update(r->ir, loop, &r->u))
        return false;
    note_numbered(r, body);
    walk(&(Walker){.pre = note_named, .user = r}, body);
    return order_permits(r);
}

static void declare(RescaledLoop *r, Vec *out, Sym *sym, Node *value)
{
    vec_push(r->ir->arena, out, mk_decl(r->ir, sym, value, r->u.loop->loc));
}

/* Adds what stands for the loop; false: it is none of these. */
static bool divide(RescaledLoop *r, Node *loop, Vec *out)
{
    Ir *ir = r->ir;
    Vec one = {0}, between = {0}, weights = {0};
    if (!find_loop(r, loop))
        return false;
    r->fits = true;
    r->room = row_extent(r);
    r->last = r->u.top;
    if (may_become_nan(r)) {
        if (r->u.guarded)
            return false;
        vec_push(ir->arena, &between, declare_last(r, first_x(r)));
    }
    rescale_first_values(r, &between);
    r->at = 0;
    Node *two = second(r, loop->kid[2], true);
    if (!two || !r->fits)
        return false;
    two = with_rows(r, two, &weights);
    r->at = 0;
    first(r, loop->kid[2], &one);
    for (int i = 0; i < r->rows.count; i++)
        declare(r, out, ((const Row *)r->rows.items[i])->array, NULL);
    for (int i = 0; i < weights.count; i++)
        declare(r, out, weights.items[i], NULL);
    if (r->saved)
        declare(r, out, r->saved, r->u.before);
    vec_push(ir->arena, out, with_kid(ir, loop, 2, mk_block(ir, one.count, (Node **)one.items, loop->loc)));
    for (int i = 0; i < between.count; i++)
        vec_push(ir->arena, out, between.items[i]);
    vec_push(ir->arena, out, copy_with_own_symbols(ir, with_kid(ir, loop, 2, two)));
    return true;
}

/* ---------------------------------------------------------------- all loops */

typedef struct Pass {
    Ir *ir;
    const Func *func;
    Node *body;
    Vec around;
} Pass;

static Node *of_statement(Pass *p, Node *n)
{
    if (is_expr(n) || !has_kind(n, N_FOR))
        return n;
    Ir *ir = p->ir;
    Vec out = {0};
    if (n->kind == N_FOR)
        vec_push(ir->arena, &p->around, n);
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = of_statement(p, n->kid[i]);
        RescaledLoop r = {.ir = ir, .func = p->func, .body = p->body, .around = &p->around, .before = &out};
        if (n->kind != N_BLOCK || kid->kind != N_FOR || !divide(&r, kid, &out))
            vec_push(ir->arena, &out, kid);
    }
    p->around.count -= n->kind == N_FOR;
    return n->kind == N_BLOCK && out.count != n->nkids ? mk_block(ir, out.count, (Node **)out.items, n->loc)
                                                       : with_kids(ir, n, n->nkids, (Node **)out.items);
}

static bool search_exponential(void *user, Node *n)
{
    bool *found = user;
    *found = *found || (n->kind == N_CALL && (is_libm(n->sym, "exp") || is_libm(n->sym, "exp2")));
    return !*found;
}

Node *sum_rescaled(Ir *ir, const Func *f, Node *body, bool strict)
{
    bool found = false;
    walk(&(Walker){.pre = search_exponential, .user = &found}, body);
    if (strict || !found)
        return body;
    Pass p = {.ir = ir, .func = f, .body = narrow_scopes(ir, f)};
    Node *rewritten = of_statement(&p, p.body);
    return rewritten == p.body ? body : drop_unused(ir, rewritten);
}
