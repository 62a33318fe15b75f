/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms touch the same memory, so that cycles without it compare them. */
#include "gen/driver/form_costs.h"

#include <math.h>

#include "gen/driver/nest_shapes.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "tune/nests/form_cycles.h"

typedef struct SampledShapes {
    const Plan *plan;
    int count, nvalues;
    const FeatureValue *values[DRAWN_SHAPES];
} SampledShapes;

/* Parameters that say how often loops inside others run. */
typedef struct InnerExtents {
    Ir *ir;
    Map inner, outer; /* by symbol id */
    int depth;
} InnerExtents;

static void note_extents(InnerExtents *e, const Node *n, Map *found)
{
    if (n->kind == N_VAR && n->sym->kind == S_PARAM)
        *map_at(e->ir->arena, found, n->sym->id) = n->sym;
    for (int i = 0; i < n->nkids; i++)
        note_extents(e, n->kid[i], found);
}

static void note_loops(InnerExtents *e, const Node *n)
{
    const bool loop = n->kind == N_FOR;
    for (int i = 0; loop && i < 2; i++)
        note_extents(e, n->kid[i], e->depth && !has_kind(n->kid[2], N_FOR) ? &e->inner : &e->outer);
    e->depth += loop;
    for (int i = loop ? 2 : 0; i < n->nkids && !is_expr(n); i++)
        note_loops(e, n->kid[i]);
    e->depth -= loop;
}

/* The values, with such parameters that no other loops have at FEW. */
static const FeatureValue *short_values(const InnerExtents *e, const FeatureValue *values, int count)
{
    enum { FEW = 8 };
    FeatureValue *few = arena_new_array(e->ir->arena, FeatureValue, count);
    for (int i = 0; i < count; i++) {
        const Sym *sym = values[i].sym;
        few[i] = values[i];
        if (map_get(&e->inner, sym->id) && !map_get(&e->outer, sym->id) && few[i].value > FEW && !(sym->has_range && sym->lo > FEW))
            few[i].value = FEW;
    }
    return few;
}

/* inner: NULL: at the sampled extents. */
static double mean_log(const SampledShapes *shapes, const FeatureInput *about, const InnerExtents *inner, const Node *body, bool compiled)
{
    Arena *arena = arena_new();
    double sum = 0;
    for (int i = 0; i < shapes->count; i++) {
        FeatureInput in = *about;
        in.values = inner ? short_values(inner, shapes->values[i], shapes->nvalues) : shapes->values[i];
        const double cycles = compiled ? compiled_cycles(&in, arena, (Node *)body) : form_cycles(&in, arena, body);
        sum += log(fmax(1, cycles));
    }
    arena_free(arena);
    return shapes->count ? sum / shapes->count : INFINITY;
}

static FeatureInput input_of(const SampledShapes *shapes, Ir *ir, const HostNest *nest, VectorSetId set)
{
    return (FeatureInput){ir, shapes->plan, nest, set, NULL, shapes->nvalues, machine_usual(set)};
}

static double log_cycles(const void *user, Ir *ir, const HostNest *nest, VectorSetId set, const Node *body, bool compiled)
{
    const FeatureInput in = input_of(user, ir, nest, set);
    return mean_log(user, &in, NULL, body, compiled);
}

static double log_cycles_of_short(const void *user, Ir *ir, const HostNest *nest, VectorSetId set, const Node *body)
{
    const FeatureInput in = input_of(user, ir, nest, set);
    InnerExtents inner = {.ir = ir};
    note_loops(&inner, nest->loops->body);
    return mean_log(user, &in, &inner, body, false);
}

const FormCosts *form_costs(Ir *ir, const Plan *plan)
{
    const char *extents[DRAWN_SHAPES];
    SampledShapes *shapes = arena_alloc(ir->arena, sizeof *shapes);
    FormCosts *costs = arena_alloc(ir->arena, sizeof *costs);
    *shapes = (SampledShapes){.plan = plan, .count = drawn_shapes(ir, plan, extents)};
    for (int i = 0; i < shapes->count; i++)
        shapes->values[i] = shape_values(ir->arena, plan->func, extents[i], &shapes->nvalues);
    *costs = (FormCosts){log_cycles, log_cycles_of_short, shapes};
    return costs;
}
