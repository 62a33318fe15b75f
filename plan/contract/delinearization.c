/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the divisors by which subscripts take a loop variable apart, and replaces the loop by two. */
#include "plan/contract/delinearization.h"

#include "depend/index.h"
#include "ir/walk.h"

enum { MAX_DIVISIONS = 16 }; /* different divisors of one loop's variable */

/* What divides the variable of one loop. */
typedef struct Divisors {
    const Nest *nest;
    const NestLoop *loop;
    Node *divisor[MAX_DIVISIONS];
    int count;
} Divisors;

/* ---------------------------------------------------------------- finding them */

static bool is_division(const Node *n) { return (n->kind == N_DIV || n->kind == N_MOD) && type_is_integer(n->type); }

static bool is_loop_variable(Ir *ir, Node *e, const NestLoop *loop)
{
    return poly_equal(poly_of(ir, e), poly_of(ir, mk_var(ir, loop->var)));
}

/* Does it mean the same wherever it is evaluated outside the nest? */
static bool is_invariant(const Nest *nest, Node *e)
{
    bool plain = !has_load(e);
    for (int i = 0; i < nest->nloops; i++)
        plain = plain && !uses_sym(e, nest->loop[i].var);
    return plain;
}

/* The value in another type; NULL when that might be another value. */
static Node *in_type(Ir *ir, Node *e, Type type)
{
    if (e->kind == N_INT)
        return e->u.i > 0 && e->u.i <= type_max(type) ? mk_int(ir, type, e->u.i) : NULL;
    while (e->kind == N_CAST && (Type)e->type != type && converts_as_index(e->kid[0]->type, e->type))
        e = e->kid[0];
    return (Type)e->type == type ? e : NULL;
}

static bool note_division(void *user, Node *n)
{
    Divisors *d = user;
    Ir *ir = d->nest->ir;
    if (!is_division(n) || !is_loop_variable(ir, n->kid[0], d->loop) || !is_invariant(d->nest, n->kid[1]))
        return true;
    Node *divisor = in_type(ir, n->kid[1], d->loop->var->type);
    if (!divisor || is_int(divisor, 1) || d->count == MAX_DIVISIONS)
        return true;
    for (int i = 0; i < d->count; i++)
        if (d->divisor[i] == divisor)
            return true;
    d->divisor[d->count++] = divisor;
    return true;
}

/* The divisor that divides all the others: what it leaves is the last digit. NULL when there is none. */
static Node *last_digit(const Nest *nest, const NestLoop *loop)
{
    Ir *ir = nest->ir;
    Divisors d = {.nest = nest, .loop = loop};
    Walker w = {.pre = note_division, .user = &d};
    if (loop->step != 1 || !poly_is(loop->first, 0))
        return NULL;
    walk(&w, nest->product);
    for (int i = 0; i < nest->guards.count; i++)
        walk(&w, nest->guards.items[i]);
    for (int i = 0; i < nest->out->rank; i++)
        walk(&w, nest->sub[i]);
    for (int i = 0; i < d.count; i++) {
        bool divides = true;
        Poly *unused;
        for (int j = 0; j < d.count && divides; j++)
            divides = poly_divide(ir, poly_of(ir, d.divisor[j]), poly_of(ir, d.divisor[i]), &unused);
        if (divides)
            return d.divisor[i];
    }
    return NULL;
}

/* ---------------------------------------------------------------- conditions */

static void demand(Ir *ir, Node **condition, Node *next) { *condition = *condition ? mk_binary(ir, N_LAND, *condition, next) : next; }

static Node *is_positive(Ir *ir, Node *e) { return mk_binary(ir, N_GT, widen(ir, e), ix_int(ir, 0)); }

typedef struct Guarding {
    const Nest *nest;
    Node **condition;
} Guarding;

/* a / b as a / max(b, 1), under the condition that b is positive. */
static Node *guard_division(void *user, Node *n)
{
    const Guarding *g = user;
    Ir *ir = g->nest->ir;
    if (!is_division(n) || division_is_safe(ir, g->nest->func, n))
        return n;
    demand(ir, g->condition, is_positive(ir, n->kid[1]));
    return mk_binary(ir, (Kind)n->kind, n->kid[0], mk_binary(ir, N_MAX, n->kid[1], mk_int(ir, n->type, 1)));
}

static Node *without_faults(const Nest *nest, Node *e, Node **condition)
{
    Guarding g = {nest, condition};
    return rewrite(&(Rewriter){.ir = nest->ir, .post = guard_division, .user = &g}, e);
}

/* ---------------------------------------------------------------- the two loops */

typedef struct Split {
    Ir *ir;
    const NestLoop *loop; /* as it was */
    Poly *by;             /* the divisor as the spec has it */
    Node *safe;           /* and such that it never fails, of the variable's type */
    Node *outer, *inner;  /* variables */
} Split;

/* A product of parameters, in their type; NULL when it is something else. */
static Node *product_in_type(Ir *ir, const Poly *p, Type type)
{
    if (p->nterms != 1 || (int64_t)p->terms[0].coef <= 0 || (int64_t)p->terms[0].coef > type_max(type))
        return NULL;
    Node *product = mk_int(ir, type, (int64_t)p->terms[0].coef);
    for (int i = 0; i < p->terms[0].natoms; i++) {
        Node *atom = in_type(ir, p->terms[0].atoms[i], type);
        if (!atom)
            return NULL;
        product = is_int(product, 1) ? atom : mk_binary(ir, N_MUL, product, atom);
    }
    return product;
}

/* f / D => outer;  f % D => inner;  f / (D * E) => outer / E;  f % (D * E) => outer % E * D + inner */
static Node *replace_division(void *user, Node *n)
{
    const Split *s = user;
    Ir *ir = s->ir;
    Poly *more;
    if (!is_expr(n) || !is_division(n) || !is_loop_variable(ir, n->kid[0], s->loop) ||
        !poly_divide(ir, poly_of(ir, n->kid[1]), s->by, &more))
        return NULL;
    Node *rest = product_in_type(ir, more, s->loop->var->type);
    if (!rest)
        return NULL;
    Node *value = s->outer;
    if (n->kind == N_DIV && !is_int(rest, 1))
        value = mk_binary(ir, N_DIV, s->outer, rest);
    if (n->kind == N_MOD && is_int(rest, 1))
        value = s->inner;
    if (n->kind == N_MOD && !is_int(rest, 1))
        value = mk_binary(ir, N_ADD, mk_binary(ir, N_MUL, mk_binary(ir, N_MOD, s->outer, rest), s->safe), s->inner);
    return mk_cast(ir, n->type, value);
}

static Node *replace_variable(void *user, Node *n)
{
    const Split *s = user;
    if (n->kind != N_VAR || n->sym != s->loop->var)
        return n;
    return mk_binary(s->ir, N_ADD, mk_binary(s->ir, N_MUL, s->outer, s->safe), s->inner);
}

static void replace_all(Nest *nest, Split *s)
{
    Rewriter r = {.ir = s->ir, .pre = replace_division, .post = replace_variable, .user = s};
    Vec *lists[] = {&nest->guards, &nest->before, &nest->after};
    nest->init = rewrite(&r, nest->init);
    nest->product = rewrite(&r, nest->product);
    nest->value = rewrite(&r, nest->value);
    Node **sub = arena_new_array(s->ir->arena, Node *, nest->out->rank);
    for (int d = 0; d < nest->out->rank; d++)
        sub[d] = rewrite(&r, nest->sub[d]);
    nest->sub = sub;
    for (int l = 0; l < 3; l++) {
        Vec list = {0};
        for (int i = 0; i < lists[l]->count; i++)
            vec_push(s->ir->arena, &list, rewrite(&r, lists[l]->items[i]));
        *lists[l] = list;
    }
}

/* A loop from 0 by 1. */
static NestLoop loop_below(const Nest *nest, const NestLoop *whole, Node *var, Node *extent, Poly *trip)
{
    Ir *ir = nest->ir;
    if (!known_nonnegative(ir, nest->func, trip))
        extent = ix_max(ir, extent, ix_int(ir, 0));
    NestLoop l = {.var = var->sym, .lo = mk_int(ir, var->sym->type, 0), .step = 1, .extent = extent, .trip = trip};
    l.reduction = whole->reduction;
    l.first = l.least = poly_int(ir, 0);
    l.most = poly_sub(ir, trip, poly_int(ir, 1));
    return l;
}

static Node *digit(Ir *ir, const Sym *whole, const char *suffix)
{
    return mk_var(ir, sym_new(ir, S_LOOP, whole->type, arena_printf(ir->arena, "%s_%s", whole->name, suffix), whole->loc));
}

static void split_loop(Nest *nest, int at, Node *divisor, Node **condition)
{
    Ir *ir = nest->ir;
    const NestLoop whole = nest->loop[at];
    Split s = {.ir = ir, .loop = &whole, .by = poly_of(ir, divisor)};
    s.safe = without_faults(nest, divisor, condition);
    s.outer = digit(ir, whole.var, "div");
    s.inner = digit(ir, whole.var, "mod");
    Poly *by = poly_of(ir, s.safe), *trip;
    Node *count, *width = poly_node(ir, by);
    bool exact = poly_divide(ir, whole.trip, by, &trip);
    if (s.safe->kind != N_INT && !(exact && known_nonnegative(ir, nest->func, by)))
        demand(ir, condition, is_positive(ir, s.safe));
    if (exact) {
        count = poly_node(ir, trip);
    } else {
        Node *extent = without_faults(nest, whole.extent, condition), *remainder = ix_mod(ir, extent, width);
        demand(ir, condition, mk_binary(ir, N_EQ, remainder, ix_int(ir, 0)));
        count = ix_div(ir, extent, ix_max(ir, width, ix_int(ir, 1)));
        trip = poly_of(ir, count);
    }
    replace_all(nest, &s);
    for (int i = nest->nloops++; i > at + 1; i--)
        nest->loop[i] = nest->loop[i - 1];
    nest->loop[at] = loop_below(nest, &whole, s.outer, count, trip);
    nest->loop[at + 1] = loop_below(nest, &whole, s.inner, width, by);
    nest->digits[nest->ndigits++] = (Digits){whole.var, s.outer->sym, s.inner->sym, by, whole.most};
}

bool split_digits(Nest *nest, Node **condition)
{
    *condition = NULL;
    for (int i = 0; i < nest->nloops && nest->nloops < MAX_LOOPS;) {
        Node *divisor = last_digit(nest, &nest->loop[i]);
        if (divisor)
            split_loop(nest, i, divisor, condition); /* what is before the last digit may have more of them */
        else
            i++;
    }
    return nest->ndigits > 0;
}

bool is_digit(const Nest *nest, const Sym *var)
{
    for (int i = 0; i < nest->ndigits; i++)
        if (var == nest->digits[i].outer || var == nest->digits[i].inner)
            return true;
    return false;
}
