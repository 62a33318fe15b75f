/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do an iteration's values, where the maximum stays and where it moves, belong to a sum that is rescaled? */
#include "depend/poly.h"
#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/split/rescaled_update.h"

/* Does the running maximum occur as a plain addend with a factor, and nowhere else? */
static bool is_linear(const ExpSum *s, const Node *top)
{
    for (int i = 0; i < s->nterms; i++) {
        const ExpTerm *t = &s->terms[i];
        if (exp_term_power(t, top) > 1 || (t->base && exp_sum_uses(t->exponent, top->sym)))
            return false;
        for (int k = 0; k < t->natoms; k++)
            if (t->atoms[k] != top && uses_sym(t->atoms[k], top->sym))
                return false;
    }
    return true;
}

/* The exponent of the only term that has the sum, which is that and nothing else; NULL: it is not so. */
static const ExpTerm *only_factor(const ExpSum *with)
{
    const bool fits = with && with->nterms == 1 && with->terms[0].natoms == 1 && with->terms[0].factor == 1;
    return fits ? &with->terms[0] : NULL;
}

static bool uses_sums(const Update *u, const ExpTerm *t)
{
    for (int i = 0; i < u->sums.count; i++)
        if (exp_term_uses(t, ((const RescaledSum *)u->sums.items[i])->sym))
            return true;
    return false;
}

/* Is what the maximum is multiplied by the same in all iterations? */
static bool is_steady(const Update *u, const ExpSum *by)
{
    for (int i = 0; i < by->nterms; i++)
        for (int k = 0; k < by->terms[i].natoms; k++)
            if (by->terms[i].atoms[k] != u->before && !is_stable_in(u->loop, by->terms[i].atoms[k]))
                return false;
    return true;
}

/* Is each term that is added one of exp(... - k * top), with what the sum is rescaled by being exp(k * top - k * x)? */
static bool terms_fit(const Update *u, const ExpSum *terms, const ExpTerm *rescaled)
{
    Ir *ir = u->ir;
    const ExpSum *by = exp_sum_part(ir, rescaled->exponent, u->before, true);
    if (!is_steady(u, by))
        return false;
    for (int i = 0; i < terms->nterms; i++) {
        const ExpTerm *t = &terms->terms[i];
        if (t->base != rescaled->base || !is_linear(t->exponent, u->before) || uses_sums(u, t) ||
            !exp_sum_is_zero(exp_sum_add(ir, exp_sum_part(ir, t->exponent, u->before, true), by, 1)))
            return false;
        for (int k = 0; k < t->natoms; k++)
            if (uses_sym(t->atoms[k], u->top))
                return false;
    }
    return true;
}

/* Is each element reached once in an iteration, and the same ones in all? Each variable of the sum's loops then moves a subscript of its own. */
static bool is_reached_once(const Update *u, const RescaledSum *s)
{
    Ir *ir = u->ir;
    Sym *vars[MOST_RESCALED_LOOPS];
    Poly *coef[MOST_RESCALED_LOOPS], *rest;
    unsigned moved = 0;
    for (int i = 0; i < s->loops.count; i++)
        vars[i] = ((Node *)s->loops.items[i])->sym;
    for (int d = 0; d < s->place->nkids; d++) {
        int movers = 0;
        if (!poly_affine(ir, poly_of(ir, s->place->kid[d]), vars, s->loops.count, coef, &rest) ||
            !is_stable_in(u->loop, poly_node(ir, rest)))
            return false;
        for (int i = 0; i < s->loops.count; i++) {
            int64_t by;
            const bool is_number = poly_const(coef[i], &by);
            movers += !is_number || by;
            moved |= (unsigned)(is_number && by) << i;
        }
        if (movers > 1)
            return false;
    }
    return moved == (1u << s->loops.count) - 1;
}

/* staying: sum + terms(top); moving: sum * exp(k * top - k * x) + terms(x). */
bool is_rescaled(const Update *u, RescaledSum *s, Node *staying, Node *moving)
{
    Ir *ir = u->ir;
    const ExpSum *stays = exp_sum_of(ir, staying), *moves = exp_sum_of(ir, moving), *x = exp_sum_of(ir, u->x);
    const ExpTerm *one = only_factor(exp_sum_part(ir, stays, s->place, true)), *by = only_factor(exp_sum_part(ir, moves, s->place, true));
    if (!is_reached_once(u, s) || !one || one->base || !by || !by->base || !x || !is_linear(by->exponent, u->before) ||
        uses_sums(u, &(ExpTerm){.base = by->base, .exponent = by->exponent}) ||
        !exp_sum_is_zero(exp_sum_substitute(ir, by->exponent, u->before, x)))
        return false;
    if (s->rescaled && (s->base != by->base || !exp_sum_equal(ir, s->rescaled, by->exponent)))
        return false;
    s->rescaled = by->exponent;
    s->base = by->base;
    const ExpSum *terms = exp_sum_part(ir, stays, s->place, false), *moved = exp_sum_part(ir, moves, s->place, false);
    return terms_fit(u, terms, by) && exp_sum_equal(ir, moved, exp_sum_substitute(ir, terms, u->before, x));
}

/* Is something taken off in the expression that is -INFINITY where the maximum is? */
static bool subtracts(const Node *e, const Node *top, bool negative)
{
    if (e == top)
        return negative;
    const bool turns = e->kind == N_SUB || e->kind == N_NEG;
    for (int i = 0; i < e->nkids; i++)
        if (is_expr(e->kid[i]) && subtracts(e->kid[i], top, negative ^ (turns && i == e->nkids - 1)))
            return true;
    return false;
}

typedef struct LowestSearch {
    const Node *top;
    bool found;
} LowestSearch;

static bool search_lowest(void *user, Node *n)
{
    LowestSearch *s = user;
    const bool exponential = n->kind == N_CALL && (is_libm(n->sym, "exp") || is_libm(n->sym, "exp2"));
    s->found = s->found || (exponential && subtracts(n->kid[0], s->top, false));
    return !s->found;
}

bool becomes_nan(const Update *u, Node *value)
{
    LowestSearch s = {u->before, false};
    walk(&(Walker){.pre = search_lowest, .user = &s}, value);
    return s.found;
}
