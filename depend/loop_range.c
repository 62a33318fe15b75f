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

bool known_nonnegative(Ir *ir, const Func *func, const Poly *p)
{
    if (p->nterms == 0 || is_extent(ir, func, p))
        return true;
    for (int i = 0; i < p->nterms; i++) {
        if ((int64_t)p->terms[i].coef < 0)
            return false;
        for (int j = 0; j < p->terms[i].natoms; j++)
            if (!is_extent(ir, func, poly_of(ir, p->terms[i].atoms[j])) && range_by_types(p->terms[i].atoms[j]).lo < 0)
                return false;
    }
    return true;
}

int direction_along(Ir *ir, const Func *func, const Poly *p, Sym *var, Poly **coef, Poly **rest)
{
    int64_t by;
    if (!poly_affine(ir, p, &var, 1, coef, rest))
        return 0;
    if (poly_const(*coef, &by))
        return (by > 0) - (by < 0);
    return known_nonnegative(ir, func, *coef) ? 1 : 0;
}

Poly *extreme_over(Ir *ir, const Func *func, Poly *p, const LoopRange *loops, int n, bool most)
{
    for (int i = n - 1; i >= 0; i--) {
        Poly *coef, *rest;
        if (!poly_uses(p, loops[i].var))
            continue;
        const int direction = direction_along(ir, func, p, loops[i].var, &coef, &rest);
        if (direction == 0 || !loops[i].least)
            return NULL;
        p = poly_add(ir, rest, poly_mul(ir, coef, (direction > 0) == most ? loops[i].most : loops[i].least));
    }
    return p;
}
