/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms touch the same memory, so that cycles without it compare them. */
#include "gen/driver/form_costs.h"

#include <math.h>

#include "gen/driver/nest_shapes.h"
#include "tune/nests/form_cycles.h"

typedef struct SampledShapes {
    const Plan *plan;
    int count, nvalues;
    const FeatureValue *values[DRAWN_SHAPES];
} SampledShapes;

static double log_cycles(const void *user, Ir *ir, const HostNest *nest, VectorSetId set, const Node *body, bool compiled)
{
    const SampledShapes *shapes = user;
    Arena *arena = arena_new();
    double sum = 0;
    for (int i = 0; i < shapes->count; i++) {
        const FeatureInput in = {ir, shapes->plan, nest, set, shapes->values[i], shapes->nvalues, machine_usual(set)};
        const double cycles = compiled ? compiled_cycles(&in, arena, (Node *)body) : form_cycles(&in, arena, body);
        sum += log(fmax(1, cycles));
    }
    arena_free(arena);
    return shapes->count ? sum / shapes->count : INFINITY;
}

const FormCosts *form_costs(Ir *ir, const Plan *plan)
{
    const char *extents[DRAWN_SHAPES];
    SampledShapes *shapes = arena_alloc(ir->arena, sizeof *shapes);
    FormCosts *costs = arena_alloc(ir->arena, sizeof *costs);
    *shapes = (SampledShapes){.plan = plan, .count = drawn_shapes(ir, plan, extents)};
    for (int i = 0; i < shapes->count; i++)
        shapes->values[i] = shape_values(ir->arena, plan->func, extents[i], &shapes->nvalues);
    *costs = (FormCosts){log_cycles, shapes};
    return costs;
}
