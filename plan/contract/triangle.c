/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops run over triangles, and which stores go to the mirrored element. */
#include "plan/contract/triangle.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/walk.h"

/* ---------------------------------------------------------------- loops */

/* A bound of a loop, least + the counter of a loop around it, or a bound that does not change: then `around` is NULL. */
typedef struct Bound {
    const NestLoop *around;
    Poly *rest;
} Bound;

static bool find_bound(const Nest *nest, Poly *p, Bound *found)
{
    *found = (Bound){.rest = p};
    for (int i = 0; i < nest->nloops; i++) {
        Sym *var = nest->loop[i].var;
        Poly *coef;
        int64_t by;
        if (!poly_affine(nest->ir, found->rest, &var, 1, &coef, &found->rest) || !poly_const(coef, &by))
            return false;
        if (by == 0)
            continue;
        if (by != 1 || found->around || nest->loop[i].step != 1)
            return false;
        found->around = &nest->loop[i];
    }
    return true;
}

/* Has a loop of at most `trip` steps half of them or more on average? It does if it is no longer than the one that it changes with, or
 * longer in its first iteration already (keys of a cache before those of a text), as sums of parameters are. */
static bool is_within(Ir *ir, Poly *trip, const NestLoop *around)
{
    const Poly *margin = around ? poly_sub(ir, trip, around->trip) : NULL;
    int64_t known;
    bool adds = margin != NULL;
    for (int i = 0; adds && i < margin->nterms; i++)
        adds = (int64_t)margin->terms[i].coef > 0;
    return !around || adds || (poly_const(margin, &known) && known <= 0);
}

bool triangle_as_square(Nest *nest, NestLoop *added, Node *loop)
{
    Ir *ir = nest->ir;
    Bound lo, hi;
    if (added->step != 1 || !find_bound(nest, added->first, &lo) || !find_bound(nest, poly_add(ir, added->first, added->trip), &hi) ||
        lo.around == hi.around)
        return false;
    Poly *first = lo.around ? poly_add(ir, lo.rest, lo.around->least) : lo.rest;
    Poly *trip = poly_sub(ir, hi.around ? poly_add(ir, hi.rest, hi.around->most) : hi.rest, first);
    if (!is_within(ir, trip, lo.around) || !is_within(ir, trip, hi.around))
        return false;
    if (lo.around) {
        vec_push(ir->arena, &nest->guards, mk_binary(ir, N_GE, mk_var(ir, added->var), added->lo));
        added->lo = substitute(ir, added->lo, lo.around->var, lo.around->lo);
        nest->square[nest->nsquares++] = (Square){added->var, lo.around->var};
    }
    if (hi.around) {
        vec_push(ir->arena, &nest->guards, env_eval(nest->env, loop->kid[1]));
        nest->square[nest->nsquares++] = (Square){added->var, hi.around->var};
    }
    added->first = first;
    added->trip = trip;
    added->extent = ix_max(ir, poly_node(ir, trip), ix_int(ir, 0));
    added->least = first;
    added->most = poly_sub(ir, poly_add(ir, first, trip), poly_int(ir, 1));
    return true;
}

/* ---------------------------------------------------------------- copies */

bool stores_copy(Env *env, Node *stmt)
{
    if (stmt->kind != N_STORE || stmt->aux != N_NONE || !env->element || stmt->sym != env->out)
        return false;
    Node *value = env_eval(env, stmt_value(stmt));
    bool same = true, fits = !env->failed && !reads_array(value, env->out);
    for (int d = 0; fits && d < stmt->sym->rank; d++) {
        Node *sub = env_eval(env, stmt->kid[d]);
        fits = !env->failed && !has_load(sub);
        same = same && poly_equal(poly_of(env->ir, sub), poly_of(env->ir, env->sub[d]));
    }
    return fits && !same;
}

typedef struct Search {
    const Nest *nest;
    bool ordered;
} Search;

static bool is_outer(const Nest *nest, const Sym *var)
{
    for (int i = 0; i < nest->nloops; i++)
        if (nest->loop[i].var == var)
            return !nest->loop[i].reduction;
    return false;
}

static bool search_ordered(void *user, Node *n)
{
    Search *s = user;
    s->ordered = s->ordered || (n->kind == N_FOR && is_outer(s->nest, n->sym) && !loop_is_parallel(s->nest->ir, n));
    return !s->ordered && !is_expr(n);
}

bool copies_are_apart(const Nest *nest, Node *loop)
{
    Search s = {nest, reads_array(nest->product, nest->out)};
    for (int i = 0; i < nest->guards.count; i++)
        s.ordered = s.ordered || reads_array(nest->guards.items[i], nest->out);
    walk(&(Walker){.pre = search_ordered, .user = &s}, loop);
    return !s.ordered;
}
