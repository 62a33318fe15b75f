/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes loops into the band as long as they are independent and their bounds stand still, or widens their
 * bounds. */
#include "plan/grid/band.h"

#include "depend/loop_range.h"
#include "depend/parallel.h"
#include "ir/branch.h"
#include "ir/walk.h"

typedef struct Finding {
    Ir *ir;
    bool (*host_knows)(const void *user, Node *e);
    const void *user;
} Finding;

static bool has_host_bounds(const Finding *f, Node *loop)
{
    return f->host_knows(f->user, loop->kid[0]) && f->host_knows(f->user, trip_count(f->ir, loop));
}

/* ---------------------------------------------------------------- bounds that depend on outer loops */

/* The variable's value in the loop's first or last iteration, if it has any; NULL when that takes more than a sum. */
static Node *end_of(Ir *ir, const Node *loop, bool greatest)
{
    Bounds b;
    for_bounds(loop, &b);
    if (b.step != 1 && b.step != -1)
        return NULL;
    if ((b.step > 0) != greatest)
        return b.lo;
    if (b.hi->type != (uint8_t)b.var->type || b.cmp == N_NE)
        return NULL;
    if (b.cmp == N_LE || b.cmp == N_GE)
        return b.hi;
    return mk_binary(ir, b.step > 0 ? N_SUB : N_ADD, b.hi, mk_int(ir, b.var->type, 1));
}

/* The least or the greatest value of a bound as the band's loops run; NULL when it is not affine in their variables. */
static Node *extreme(Ir *ir, Node *e, const Band *band, bool greatest)
{
    for (int i = band->n - 1; i >= 0; i--) {
        Node *loop = band->loop[i];
        Poly *coef, *rest;
        if (!uses_sym(e, loop->sym))
            continue;
        const int direction = direction_along(ir, NULL, poly_of(ir, e), loop->sym, &coef, &rest);
        if (direction == 0 || !type_is_signed(e->type) || !type_is_signed(loop->sym->type))
            return NULL;
        Node *end = end_of(ir, loop, (direction > 0) == greatest);
        if (!end)
            return NULL;
        e = substitute(ir, e, loop->sym, end);
    }
    return e;
}

/* The loop with bounds that the host knows, its body under what they leave out; NULL when there are no such bounds. */
static Node *straighten(const Finding *f, const Band *band, Node *loop)
{
    Ir *ir = f->ir;
    Bounds b;
    if (!for_bounds(loop, &b) || b.step != 1 || (b.cmp != N_LT && b.cmp != N_LE) || b.hi->type != (uint8_t)b.var->type)
        return NULL;
    Node *lo = extreme(ir, b.lo, band, false), *hi = extreme(ir, b.hi, band, true), *inside = NULL, *var = mk_var(ir, loop->sym);
    if (!lo || !hi)
        return NULL;
    if (lo != b.lo)
        inside = mk_binary(ir, N_GE, var, b.lo);
    if (hi != b.hi)
        inside = inside ? mk_binary(ir, N_LAND, inside, loop->kid[1]) : loop->kid[1];
    if (!inside)
        return NULL;
    Node *body = mk_if(ir, inside, loop->kid[2], NULL, loop->loc);
    return mk_for(ir, loop->sym, lo, mk_binary(ir, b.cmp, var, hi), 1, body, true, loop->loc);
}

/* ---------------------------------------------------------------- */

/* Perfectly nested parallel loops. */
static Band nested(const Finding *f, Node *loop)
{
    Band band = {.n = 0};
    while (loop && band.n < BAND_LOOPS && loop->kind == N_FOR && loop_is_parallel(f->ir, loop)) {
        Node *straight = has_host_bounds(f, loop) ? loop : band.n ? straighten(f, &band, loop) : NULL;
        if (!straight || !has_host_bounds(f, straight))
            break;
        band.loop[band.n++] = straight;
        band.body = straight->kid[2];
        if (straight != loop) /* a condition stands in between */
            break;
        loop = only_statement(loop->kid[2]);
    }
    return band;
}

/* Loops inside of ordered ones that are independent all the same: those go outside. */
static Band interchanged(const Finding *f, Node *outer)
{
    Node *inside[BAND_LOOPS];
    Band band = {.n = 0};
    int kept = 0, depth = 0;
    for (Node *loop = outer; loop && loop->kind == N_FOR && depth < BAND_LOOPS; depth++, loop = only_statement(loop->kid[2])) {
        band.body = loop->kid[2];
        if (loop->aux && trip_count(f->ir, loop) && has_host_bounds(f, loop) && iterations_are_independent(f->ir, outer, loop, NULL, 0))
            band.loop[band.n++] = loop;
        else
            inside[kept++] = loop;
    }
    for (int i = kept - 1; band.n && i >= 0; i--) {
        Node *kids[] = {inside[i]->kid[0], inside[i]->kid[1], band.body};
        band.body = with_kids(f->ir, inside[i], 3, kids);
    }
    return band;
}

Band find_band(Ir *ir, Node *loop, bool (*host_knows)(const void *user, Node *e), const void *user)
{
    Finding f = {ir, host_knows, user};
    Band band = nested(&f, loop);
    return band.n ? band : interchanged(&f, loop);
}
