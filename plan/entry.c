/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the loops and conditions around each access, as far as arguments alone decide them. */
#include "plan/entry.h"

#include "depend/env.h"
#include "depend/scope.h"
#include "ir/range.h"
#include "ir/walk.h"

void note_entry_facts(const Func *f)
{
    for (int i = 0; i < f->nparams; i++)
        for (int d = 0; d < f->params[i]->rank; d++) {
            const Node *extent = f->params[i]->extent[d];
            while (extent->kind == N_CAST && type_bits(extent->type) >= type_bits(extent->kid[0]->type))
                extent = extent->kid[0];
            if (extent->kind != N_VAR || extent->sym->kind != S_PARAM || !type_is_signed(extent->type))
                continue;
            extent->sym->has_range = true;
            extent->sym->lo = 0;
            extent->sym->hi = type_max(extent->type);
        }
}

/* ---------------------------------------------------------------- which arrays a call touches */

typedef struct Touch {
    Ir *ir;
    const Sym *array;
    Map defs;    /* depend/env.h: what local scalars stand for */
    Map writes;  /* depend/scope.h */
    Ranges *ranges;
} Touch;

enum { MAX_CONDITION = 100 }; /* nodes of a condition; of a longer one nothing is known */

/* NULL is "perhaps" in all of these: an array counts as touched then. */
static Node *never(Ir *ir) { return mk_int(ir, T_INT, 0); }

static Node *both(Ir *ir, Node *a, Node *b)
{
    if (!a || (b && is_int(b, 0)))
        return b;
    return !b || is_int(a, 0) ? a : mk_binary(ir, N_LAND, a, b);
}

static Node *either(Ir *ir, Node *a, Node *b)
{
    if (!a || !b)
        return NULL;
    return a == b || is_int(b, 0) ? a : is_int(a, 0) ? b : mk_binary(ir, N_LOR, a, b);
}

static Node *fill_in(void *user, Node *n)
{
    const Touch *t = user;
    Node *def = n->kind == N_VAR && n->sym->kind == S_LOCAL ? map_get(&t->defs, n->sym->id) : NULL;
    return def ? def : n;
}

/* Integer arithmetic over parameters that keep their values. */
static bool is_from_arguments(void *user, Node *n)
{
    Touch **t = user;
    const bool var = n->kind == N_VAR && n->sym->kind == S_PARAM && *t && !map_get(&(*t)->writes, n->sym->id);
    if (!type_is_integer(n->type) || n->kind == N_LOAD || n->kind == N_CALL || (n->kind == N_VAR && !var))
        *t = NULL;
    return *t != NULL;
}

/* A comparison that the intervals of its operands decide. */
static Node *decided(Touch *t, Node *e)
{
    const bool less = e->kind == N_LT || e->kind == N_LE, greater = e->kind == N_GT || e->kind == N_GE;
    if ((!less && !greater) || !type_is_integer(e->kid[0]->type))
        return e;
    const Range a = range_of(t->ranges, e->kid[greater]), b = range_of(t->ranges, e->kid[less]);
    const bool or_equal = e->kind == N_LE || e->kind == N_GE;
    if (or_equal ? a.hi <= b.lo : a.hi < b.lo)
        return mk_int(t->ir, T_INT, 1);
    return (or_equal ? a.lo > b.hi : a.lo >= b.hi) ? never(t->ir) : e;
}

/* The same for every comparison of a condition. */
static Node *decide(void *user, Node *n)
{
    Touch *t = user;
    if (n->kind != N_LAND && n->kind != N_LOR)
        return is_expr(n) ? decided(t, n) : n;
    Node *a = n->kid[0], *b = n->kid[1];
    const bool all = n->kind == N_LAND;
    if (a->kind == N_INT)
        return is_int(a, 0) == all ? a : b;
    return b->kind == N_INT && is_int(b, 0) != all ? a : n;
}

/* A condition in terms of the arguments, a constant if it can be; NULL: something else decides. `certain`: wherever the
 * check evaluates it, so does the operator, so that nothing traps that would not anyway. */
static Node *known(Touch *t, Node *e, bool certain)
{
    Touch *t_or_null = t;
    e = rewrite(&(Rewriter){.ir = t->ir, .post = fill_in, .user = t}, e);
    walk(&(Walker){.pre = is_from_arguments, .user = &t_or_null}, e);
    if (!t_or_null || tree_size(e, MAX_CONDITION) >= MAX_CONDITION)
        return NULL;
    if (!certain && expr_flags(t->ranges, e) & (EXPR_TRAPS | EXPR_OVERFLOWS))
        return NULL;
    return rewrite(&(Rewriter){.ir = t->ir, .post = decide, .user = t}, e);
}

static Node *touch(Touch *t, Node *n, bool certain);

static Node *touch_if(Touch *t, Node *n, bool certain)
{
    if (reads_array(n->kid[0], t->array))
        return NULL;
    Node *cond = known(t, n->kid[0], certain);
    Node *then = touch(t, n->kid[1], certain && cond), *otherwise = n->nkids == 3 ? touch(t, n->kid[2], certain && cond) : never(t->ir);
    if (cond && cond->kind != N_INT && then != otherwise) {
        then = both(t->ir, cond, then);
        otherwise = both(t->ir, mk_unary(t->ir, N_LNOT, cond), otherwise);
    } else if (cond && cond->kind == N_INT) {
        return is_int(cond, 0) ? otherwise : then;
    }
    return either(t->ir, then, otherwise);
}

static Node *touch_for(Touch *t, Node *n, bool certain)
{
    if (reads_array(n->kid[0], t->array) || reads_array(n->kid[1], t->array))
        return NULL;
    Node *runs = known(t, substitute(t->ir, n->kid[1], n->sym, n->kid[0]), certain);
    Node *inside = touch(t, n->kid[2], certain && runs);
    return runs && runs->kind == N_INT && !is_int(runs, 0) ? inside : both(t->ir, runs, inside);
}

static Node *touch(Touch *t, Node *n, bool certain)
{
    Node *any = never(t->ir);
    switch ((Kind)n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            any = either(t->ir, any, touch(t, n->kid[i], certain));
        return any;
    case N_IF: return touch_if(t, n, certain);
    case N_FOR: return touch_for(t, n, certain);
    default: return reads_array(n, t->array) || (n->kind == N_STORE && n->sym == t->array) ? NULL : any;
    }
}

/* The conditions of all arrays, as the spec's loops say. */
static Node **spec_touches(Touch *t, const Func *f, Node *body)
{
    Node **out = arena_new_array(t->ir->arena, Node *, f->nparams + 1);
    for (int i = 0; i < f->nparams; i++) {
        t->array = f->params[i];
        out[i] = t->array->rank ? touch(t, body, true) : never(t->ir);
        if (out[i] && tree_size(out[i], 4 * MAX_CONDITION) >= 4 * MAX_CONDITION)
            out[i] = NULL;
    }
    return out;
}

/* What finishes a contraction's sums also runs when they have no steps. */
static bool is_finished_with(const Plan *plan, const Sym *array)
{
    for (int i = 0; i < contraction_count(plan); i++) {
        const Contraction *c = contraction_at(plan, i);
        if (c->kind == EPI_GENERAL && (reads_array(c->epilogue, array) || c->c.array == array))
            return true;
    }
    return false;
}

void entry_touches(Ir *ir, Plan *plan, Node *source)
{
    const Func *f = plan->func;
    Touch t = {.ir = ir, .defs = find_defs(ir, source), .writes = find_writes(ir, source), .ranges = ranges_new(ir, source)};
    plan->touches = spec_touches(&t, f, source);
    plan->works = never(ir);
    for (int i = 0; i < f->nparams; i++)
        plan->works = either(ir, plan->works, plan->touches[i]);
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i]->rank && is_finished_with(plan, f->params[i]))
            plan->touches[i] = plan->works;
}
