/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/nest_numbers.h"

#include <math.h>

#define NON_TEMPORAL_BYTES 16e6 /* MIK_NON_TEMPORAL_BYTES of templates/engine/c/non_temporal.h */

/* ---------------------------------------------------------------- loops */

double trips_of(const Numbers *numbers, const Node *loop)
{
    Bounds b;
    if (!for_bounds(loop, &b) || b.step == 0)
        return UNKNOWN_TRIPS;
    const Dual lo = dual_of(numbers, b.lo), hi = dual_of(numbers, b.hi);
    return lo.known && hi.known ? bounds_steps(&b, lo.value, hi.value) : UNKNOWN_TRIPS;
}

bool trips_are_known(const Numbers *numbers, const Node *loop)
{
    Bounds b;
    return for_bounds(loop, &b) && b.step != 0 && dual_of(numbers, b.lo).known && dual_of(numbers, b.hi).known;
}

/* ---------------------------------------------------------------- the operator's body */

/* Its scalars, each as it was last computed; those of loops halfway through these. */
static void note_scalars(Numbers *numbers, const Node *n)
{
    if ((n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids && !n->sym->rank) {
        const Dual value = dual_of(numbers, n->kid[n->nkids - 1]);
        numbers_bind(numbers, n->sym, &value);
    }
    if (n->kind == N_FOR) {
        Dual value = dual_of(numbers, n->kid[0]);
        value.value += floor(fmax(0, trips_of(numbers, n) - 1) / 2) * (double)n->u.i;
        numbers_bind(numbers, n->sym, &value);
    }
    for (int i = 0; i < n->nkids && !is_expr(n); i++)
        note_scalars(numbers, n->kid[i]);
}

Numbers nest_numbers(const FeatureInput *in, Arena *arena)
{
    const HostNest *nest = in->nest;
    Numbers numbers = {.arena = arena, .set = in->set};
    for (int i = 0; i < in->nvalues; i++)
        numbers_set(&numbers, in->values[i].sym, (double)in->values[i].value);
    if (nest->ncaptured)
        note_scalars(&numbers, in->plan->func->body);
    for (int i = 0; i < nest->cut.loops; i++) {
        const Dual count = dual_of(&numbers, nest->cut.count[i]);
        numbers_set(&numbers, nest->loops->params[2 * i], 0);
        numbers_set(&numbers, nest->loops->params[2 * i + 1], count.known ? count.value : UNKNOWN_TRIPS);
    }
    const Dual stored = nest->costs.stored ? dual_of(&numbers, nest->costs.stored) : (Dual){0};
    if (nest->non_temporal)
        numbers_set(&numbers, nest->non_temporal, stored.known && stored.value > NON_TEMPORAL_BYTES);
    return numbers;
}
