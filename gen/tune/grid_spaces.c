/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of the pipeline that stops at every nest, while the planner can still make it otherwise. */
#include "gen/tune/grid_spaces.h"

#include "gen/driver/grid_choice.h"
#include "gen/driver/nest_shapes.h"
#include "gen/driver/pipeline.h"
#include "tune/nest_lines.h"

typedef struct Meeting {
    const GridSpacesInput *in;
    const Unit *unit;
    Vec *nests;
    int number, met; /* nests so far; those of them that have a space */
} Meeting;

/* An operator's extents, and the kind of kernel that runs on them. */
typedef struct Call {
    const NestShape *shape;
    const ScalarValue *scalars;
    int nscalars;
    bool is_known; /* the form is */
    NestForm form;
} Call;

static Call *calls_of(Meeting *m, Ir *ir, const Func *func, const DeviceNest *nest, int *n)
{
    Call *calls = arena_new_array(ir->arena, Call, m->in->shapes->count + 1);
    *n = 0;
    for (int i = 0; i < m->in->shapes->count; i++) {
        const NestShape *shape = m->in->shapes->items[i];
        Call *call = &calls[*n];
        if (m->unit->funcs[shape->op] != func)
            continue;
        call->shape = shape;
        const FeatureValue *values = shape_values(ir->arena, func, shape->extents, &call->nscalars);
        ScalarValue *scalars = arena_new_array(ir->arena, ScalarValue, call->nscalars + 1);
        for (int j = 0; j < call->nscalars; j++)
            scalars[j] = (ScalarValue){values[j].sym, values[j].value};
        call->scalars = scalars;
        call->is_known = device_form(ir, nest, scalars, call->nscalars, &call->form);
        ++*n;
    }
    return calls;
}

static const GridSpace *space_of(Meeting *m, Ir *ir, const GridInput *in, const Call *calls, int ncalls, NestForm form)
{
    const ScalarValue **scalars = arena_new_array(ir->arena, const ScalarValue *, ncalls);
    GridCalls of_form = {.scalars = scalars};
    for (int i = 0; i < ncalls; i++)
        if (calls[i].is_known && calls[i].form == form) {
            scalars[of_form.ncalls++] = calls[i].scalars;
            of_form.nscalars = calls[i].nscalars;
        }
    return of_form.ncalls ? grid_space(ir, in, &of_form, m->in->gpu) : NULL;
}

static bool share_knob(const GridSpace *a, const GridSpace *b)
{
    for (int i = 0; i < a->chain->space.nparameters; i++)
        for (int j = 0; j < b->chain->space.nparameters; j++)
            if (a->knob[i] == b->knob[j])
                return true;
    return false;
}

static void add_shapes(GridPart *part, const Call *calls, int ncalls, NestForm form)
{
    for (int i = 0; i < ncalls; i++)
        if (calls[i].is_known && calls[i].form == form)
            part->shapes[part->nshapes++] = *calls[i].shape;
}

/* Kernels of this kind: a part of their own, unless one looks at the same knobs. */
static void add_form(GridNest *nest, Ir *ir, const GridSpace *space, const Call *calls, int ncalls, NestForm form)
{
    static const char *const names[FORM_COUNT] = {
        [FORM_WARP] = "_warp", [FORM_BLOCK] = "_block", [FORM_COLUMNS] = "_columns", [FORM_VECTOR] = "_vector", [FORM_TILE] = "_tile"};
    for (int i = 0; i < nest->parts.count; i++) {
        GridPart *part = nest->parts.items[i];
        if (share_knob(part->space, space)) {
            add_shapes(part, calls, ncalls, form);
            return;
        }
    }
    GridPart *part = arena_alloc(ir->arena, sizeof *part);
    *part = (GridPart){.name = arena_printf(ir->arena, "%s%s", nest->nest->stem, names[form] ? names[form] : ""),
                       .space = space,
                       .shapes = arena_new_array(ir->arena, NestShape, ncalls)};
    add_shapes(part, calls, ncalls, form);
    part->ncalls = part->nshapes;
    vec_push(ir->arena, &nest->parts, part);
}

static int count_form(const Call *calls, int ncalls, NestForm form)
{
    int n = 0;
    for (int i = 0; i < ncalls; i++)
        n += calls[i].is_known && calls[i].form == form;
    return n;
}

static void add_parts(Meeting *m, GridNest *nest, Ir *ir, const Func *func, const GridInput *in)
{
    int ncalls;
    const Call *calls = calls_of(m, ir, func, in->planned, &ncalls);
    for (int n = ncalls; n > 0; n--)
        for (int form = 0; form < FORM_COUNT; form++)
            if (count_form(calls, ncalls, (NestForm)form) == n) {
                const GridSpace *space = space_of(m, ir, in, calls, ncalls, (NestForm)form);
                if (space)
                    add_form(nest, ir, space, calls, ncalls, (NestForm)form);
            }
}

static bool is_met(const Meeting *m, uint64_t fingerprint)
{
    for (int i = 0; i < m->nests->count; i++)
        if (((const GridNest *)m->nests->items[i])->nest->fingerprint == fingerprint)
            return true;
    return false;
}

/* GridSearch.meet. Nests are dealt out whatever is known of them: the same ones each time. */
static void meet(void *user, Ir *ir, const Func *func, const GridInput *in)
{
    Meeting *m = user;
    const TuneOptions *tuning = &m->in->opt->tuning;
    const bool is_ours = m->number++ % tuning->shards == tuning->shard - 1;
    GridNest *nest = arena_alloc(ir->arena, sizeof *nest);
    GridKnobs known;
    *nest = (GridNest){.nest = in->planned};
    add_parts(m, nest, ir, func, in);
    if (!nest->parts.count)
        return;
    m->met++;
    if (is_ours && !is_met(m, in->planned->fingerprint) &&
        (tuning->again || !grid_get(ir->arena, m->in->profile, in->planned, m->in->gpu, &known)))
        vec_push(ir->arena, m->nests, nest);
}

bool grid_spaces(Ir *ir, const GridSpacesInput *in, Vec *nests, int *met)
{
    Meeting m = {.in = in, .nests = nests};
    const GridSearch search = {.meet = meet, .user = &m};
    Options opt = *in->opt;
    Program program;
    Text dump;
    text_init(&dump, ir->arena);
    opt.planner.grids = &search;
    Unit *unit = specs_parse(ir, in->spec, 1);
    m.unit = unit;
    const bool done = unit && specs_mark_constants(ir, unit, &opt.emit.constants) && pipeline_run(ir, &opt, unit, &program, &dump);
    *met = m.met;
    return done;
}
