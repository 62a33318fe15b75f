/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One unknown after the other until none goes; sums that overflow leave theirs where it is. */
#include "depend/eliminate.h"

#include <string.h>

static Form *form_at(System *sys, int i) { return &sys->constraint[i].form; }

static void drop(System *sys, int i) { sys->constraint[i] = sys->constraint[--sys->nconstraints]; }

/* *out = p * a + q * b; false when a number does not fit. */
static bool combine(int64_t p, const Form *a, int64_t q, const Form *b, int ndims, Form *out)
{
    Form sum = {{0}, 0};
    int64_t x, y;
    for (int i = 0; i < ndims; i++)
        if (__builtin_mul_overflow(p, a->coef[i], &x) || __builtin_mul_overflow(q, b->coef[i], &y) ||
            __builtin_add_overflow(x, y, &sum.coef[i]))
            return false;
    if (__builtin_mul_overflow(p, a->constant, &x) || __builtin_mul_overflow(q, b->constant, &y) ||
        __builtin_add_overflow(x, y, &sum.constant))
        return false;
    *out = sum;
    return true;
}

/* ---------------------------------------------------------------- constraints */

static bool has_unknowns(const System *sys, const Form *f)
{
    for (int i = 0; i < sys->ndims; i++)
        if (f->coef[i])
            return true;
    return false;
}

static bool same_unknowns(const System *sys, const Form *a, const Form *b)
{
    return !memcmp(a->coef, b->coef, sizeof(int64_t) * (size_t)sys->ndims);
}

/* Drops constraints that always hold or that others imply; false when one never holds. */
static bool tidy(System *sys)
{
    for (int i = 0; i < sys->nconstraints; i++) {
        const Form *f = form_at(sys, i);
        const bool equal = sys->constraint[i].equal, constant = !has_unknowns(sys, f);
        bool implied = constant;
        if (constant && (equal ? f->constant != 0 : f->constant < 0))
            return false;
        for (int j = 0; j < sys->nconstraints && !implied; j++) {
            const Form *other = form_at(sys, j);
            implied = j != i && !equal && !sys->constraint[j].equal && same_unknowns(sys, f, other) &&
                      (other->constant < f->constant || (other->constant == f->constant && j < i));
        }
        if (implied)
            drop(sys, i--);
    }
    return true;
}

/* ---------------------------------------------------------------- unknowns */

/* By an equality that says what it is worth. */
static bool solve(System *sys, int k)
{
    int at = 0;
    while (at < sys->nconstraints && !(sys->constraint[at].equal && (form_at(sys, at)->coef[k] == 1 || form_at(sys, at)->coef[k] == -1)))
        at++;
    if (at == sys->nconstraints)
        return false;
    System solved = *sys;
    const Form *value = form_at(sys, at);
    for (int i = 0; i < sys->nconstraints; i++) {
        const int64_t times = form_at(sys, i)->coef[k];
        if (i != at && times &&
            (times == INT64_MIN || !combine(1, form_at(sys, i), -times * value->coef[k], value, sys->ndims, form_at(&solved, i))))
            return false;
    }
    drop(&solved, at);
    *sys = solved;
    return true;
}

/* What bounds an unknown: numbers of constraints. */
typedef struct Limits {
    int below[SYSTEM_CONSTRAINTS], above[SYSTEM_CONSTRAINTS];
    int nbelow, nabove;
    bool unit_below, unit_above; /* all of them have it once */
} Limits;

/* False if an equality has it, or nothing. */
static bool find_limits(System *sys, int k, Limits *l)
{
    l->nbelow = l->nabove = 0;
    l->unit_below = l->unit_above = true;
    for (int i = 0; i < sys->nconstraints; i++) {
        const int64_t times = form_at(sys, i)->coef[k];
        if (times && sys->constraint[i].equal)
            return false;
        if (times > 0) {
            l->below[l->nbelow++] = i;
            l->unit_below = l->unit_below && times == 1;
        } else if (times < 0) {
            l->above[l->nabove++] = i;
            l->unit_above = l->unit_above && times == -1;
        }
    }
    return l->nbelow + l->nabove > 0;
}

/* Each lower bound is below each upper one: exact if one side has no multiples of the unknown. */
static bool project(System *sys, int k)
{
    Limits l;
    if (!find_limits(sys, k, &l) || l.nbelow * l.nabove > l.nbelow + l.nabove || (!l.unit_below && !l.unit_above))
        return false;
    System rest = *sys;
    rest.nconstraints = 0;
    for (int i = 0; i < sys->nconstraints; i++)
        if (!form_at(sys, i)->coef[k])
            rest.constraint[rest.nconstraints++] = sys->constraint[i];
    for (int i = 0; i < l.nbelow; i++)
        for (int j = 0; j < l.nabove; j++) {
            const Form *low = form_at(sys, l.below[i]), *high = form_at(sys, l.above[j]);
            Form *sum = form_at(&rest, rest.nconstraints);
            if (high->coef[k] == INT64_MIN || !combine(-high->coef[k], low, low->coef[k], high, sys->ndims, sum))
                return false;
            rest.constraint[rest.nconstraints++].equal = false;
        }
    *sys = rest;
    return true;
}

bool eliminate_unknowns(System *sys)
{
    bool again = true;
    while (again) {
        again = false;
        for (int k = 0; k < sys->ndims; k++)
            again = solve(sys, k) || project(sys, k) || again;
        if (!tidy(sys))
            return false;
    }
    return true;
}
