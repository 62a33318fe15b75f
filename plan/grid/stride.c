/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences of offsets between neighbouring iterations, as polynomials. */
#include "plan/grid/stride.h"

#include "depend/env.h"
#include "depend/poly.h"
#include "ir/walk.h"

enum { MOST_WEIGHT = 4096 };

typedef struct Weighing {
    Ir *ir;
    Sym *var;
    int64_t step;
    Env *env;
    int weight, sum;
} Weighing;

/* The element offset of an access, row-major. */
static Poly *offset_of(Weighing *w, const Node *access)
{
    Poly *at = poly_int(w->ir, 0);
    for (int d = 0; d < access->sym->rank; d++) {
        Node *extent = d ? access->sym->extent[d] : NULL;
        if (extent)
            at = poly_mul(w->ir, at, poly_of(w->ir, extent));
        at = poly_add(w->ir, at, poly_of(w->ir, env_eval(w->env, access->kid[d])));
    }
    return at;
}

/* 1: near, 0: the same element, -1: far. */
static int nearness(Weighing *w, const Node *access)
{
    Poly *coef, *rest;
    int64_t c;
    w->env->failed = false;
    const Poly *p = offset_of(w, access);
    if (!poly_affine(w->ir, p, &w->var, 1, &coef, &rest))
        return -1;
    if (coef->nterms == 0)
        return 0;
    if (!poly_const(coef, &c) || __builtin_mul_overflow(c, w->step, &c))
        return -1;
    return c >= -2 && c <= 2 ? 1 : -1;
}

static bool weigh(void *user, Node *n)
{
    Weighing *w = user;
    if (n->kind == N_LOAD)
        w->sum += nearness(w, n) * w->weight;
    if (n->kind == N_STORE)
        w->sum += nearness(w, n) * w->weight * 2;
    if (n->kind != N_FOR || w->weight >= MOST_WEIGHT)
        return true;
    Weighing inner = *w;
    inner.weight *= 4;
    walk(&(Walker){.pre = weigh, .user = &inner}, n->kid[2]);
    w->sum = inner.sum;
    return false;
}

int coalescing(Ir *ir, Node *body, Sym *var, int64_t step, const Map *defs)
{
    Weighing w = {ir, var, step, env_new(ir, defs), 1, 0};
    walk(&(Walker){.pre = weigh, .user = &w}, body);
    return w.sum;
}

int nearness_of(Ir *ir, Node *access, Sym *var, int64_t step, const Map *defs)
{
    Weighing w = {ir, var, step, env_new(ir, defs), 1, 0};
    return nearness(&w, access);
}
