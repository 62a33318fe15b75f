/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Innermost loops first, so that what their ends depend on is replaced in turn. */
#include "depend/loop_range.h"

#include "ir/range.h"

LoopRange range_of_bounds(Ir *ir, const Bounds *b)
{
    if (!bounds_count(b))
        return (LoopRange){.var = b->var};
    const int64_t beyond = b->cmp == N_LE || b->cmp == N_GE ? 0 : b->step > 0 ? 1 : -1;
    Poly *first = poly_of(ir, b->lo), *last = poly_sub(ir, poly_of(ir, b->hi), poly_int(ir, beyond));
    return b->step > 0 ? (LoopRange){b->var, first, last} : (LoopRange){b->var, last, first};
}

LoopRange range_of_loop(Ir *ir, const Node *loop)
{
    Bounds b;
    return for_bounds(loop, &b) ? range_of_bounds(ir, &b) : (LoopRange){.var = loop->sym};
}

Poly *range_length(Ir *ir, const LoopRange *range) { return poly_add(ir, poly_sub(ir, range->most, range->least), poly_int(ir, 1)); }

/* An extent of an array parameter is never negative: the entry point has checked it. */
static bool is_extent(Ir *ir, const Func *func, const Poly *p)
{
    for (int i = 0; func && i < func->nparams; i++)
        for (int d = 0; d < func->params[i]->rank; d++)
            if (func->params[i]->extent[d] && poly_equal(p, poly_of(ir, func->params[i]->extent[d])))
                return true;
    return false;
}

/* Loops that run, so that each has an iteration at least. */
typedef struct Running {
    const LoopRange *loops;
    int n;
} Running;

static bool is_length(Ir *ir, const Running *running, const Poly *p)
{
    for (int i = 0; i < running->n; i++)
        if (running->loops[i].least && poly_equal(p, range_length(ir, &running->loops[i])))
            return true;
    return false;
}

static bool is_nonnegative(Ir *ir, const Func *func, const Running *running, const Poly *p)
{
    if (p->nterms == 0 || is_extent(ir, func, p) || is_length(ir, running, p))
        return true;
    for (int i = 0; i < p->nterms; i++) {
        if ((int64_t)p->terms[i].coef < 0)
            return false;
        for (int j = 0; j < p->terms[i].natoms; j++) {
            const Poly *atom = poly_of(ir, p->terms[i].atoms[j]);
            if (!is_extent(ir, func, atom) && !is_length(ir, running, atom) && range_by_types(p->terms[i].atoms[j]).lo < 0)
                return false;
        }
    }
    return true;
}

bool known_nonnegative(Ir *ir, const Func *func, const Poly *p) { return is_nonnegative(ir, func, &(Running){NULL, 0}, p); }

static int direction(Ir *ir, const Func *func, const Running *running, const Poly *p, Sym *var, Poly **coef, Poly **rest)
{
    int64_t by;
    if (!poly_affine(ir, p, &var, 1, coef, rest))
        return 0;
    if (poly_const(*coef, &by))
        return (by > 0) - (by < 0);
    return is_nonnegative(ir, func, running, *coef) ? 1 : 0;
}

int direction_along(Ir *ir, const Func *func, const Poly *p, Sym *var, Poly **coef, Poly **rest)
{
    return direction(ir, func, &(Running){NULL, 0}, p, var, coef, rest);
}

static Poly *extreme(Ir *ir, const Func *func, const Running *running, Poly *p, const LoopRange *loops, int n, bool most)
{
    for (int i = n - 1; i >= 0; i--) {
        Poly *coef, *rest;
        if (!poly_uses(p, loops[i].var))
            continue;
        const int up = direction(ir, func, running, p, loops[i].var, &coef, &rest);
        if (up == 0 || !loops[i].least)
            return NULL;
        p = poly_add(ir, rest, poly_mul(ir, coef, (up > 0) == most ? loops[i].most : loops[i].least));
    }
    return p;
}

Poly *extreme_over(Ir *ir, const Func *func, Poly *p, const LoopRange *loops, int n, bool most)
{
    return extreme(ir, func, &(Running){NULL, 0}, p, loops, n, most);
}

Poly *extreme_inside(Ir *ir, const Func *func, Poly *p, const LoopRange *loops, int n, bool most)
{
    return extreme(ir, func, &(Running){loops, n}, p, loops, n, most);
}
