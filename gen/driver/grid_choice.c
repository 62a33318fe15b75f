/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/driver/grid_choice.h"

#include <math.h>

#include "tune/nest_lines.h"
#include "tune/nests/grid_space.h"

/* The least, the middle and the greatest value that a hint expects. */
enum { HINTED_CALLS = 3 };

static int64_t expected(const Sym *scalar, int call)
{
    const int64_t lo = scalar->hint_lo > 1 ? scalar->hint_lo : 1, hi = scalar->hint_hi > lo ? scalar->hint_hi : lo;
    const int64_t middle = (int64_t)sqrt((double)lo * (double)hi);
    return call == 0 ? lo : call == 1 ? middle : hi;
}

static bool is_compared(const GridSearch *search, const DeviceNest *nest)
{
    for (int i = 0; search && i < search->nforms; i++)
        if (search->forms[i].fingerprint == nest->fingerprint)
            return true;
    return false;
}

GridKnobs choose_grid(const void *chooser, Ir *ir, const GridInput *in)
{
    const GridChooser *c = chooser;
    const ScalarValue *of_call[HINTED_CALLS];
    GridCalls calls = {.scalars = of_call};
    GridKnobs knobs = {{0}};
    if (c->search && c->search->meet)
        c->search->meet(c->search->user, ir, c->func, in);
    if (is_compared(c->search, in->planned))
        return knobs;
    if (grid_choose(ir->arena, c->profile, in->planned, c->gpu, &knobs))
        return knobs;
    for (int call = 0; call < HINTED_CALLS; call++) {
        ScalarValue *values = arena_new_array(ir->arena, ScalarValue, c->func->nparams + 1);
        calls.nscalars = 0;
        for (int i = 0; i < c->func->nparams; i++)
            if (!c->func->params[i]->rank && c->func->params[i]->has_hint)
                values[calls.nscalars++] = (ScalarValue){c->func->params[i], expected(c->func->params[i], call)};
        of_call[call] = values;
    }
    calls.ncalls = calls.nscalars ? HINTED_CALLS : 1;
    return grid_by_features(ir, in, &calls, c->gpu);
}
