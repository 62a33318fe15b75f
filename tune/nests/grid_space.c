/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every configuration is counted when the space is made: there are few. */
#include "tune/nests/grid_space.h"

#include <math.h>

#include "plan/targets.h"
#include "tune/search/constraint_walk.h"

enum { MOST_PARAMETERS = 2, BOUND_THREADS = 512 };

typedef struct Counted {
    bool is_there;
    DeviceNumbers *of_call;
} Counted;

/* What constraints know. */
struct GridCounts {
    const TuneParameter *parameters;
    int nparameters, ncalls, first_gpu, end_gpu;
    Counted *counted; /* by place of the first parameter, then of the second */
    int planned;      /* which of them */
};

/* Knobs that a form looks at. */
static int knobs_of(const DeviceNest *nest, NestForm form, GridKnob knobs[MOST_PARAMETERS])
{
    switch (form) {
    case FORM_VECTOR: knobs[0] = GRID_THREADS, knobs[1] = GRID_PIECES; return 2;
    case FORM_WARP: knobs[0] = GRID_ROWS; return 1;
    case FORM_BLOCK: knobs[0] = GRID_LANES; return 1;
    case FORM_COLUMNS: knobs[0] = GRID_COLUMN; return 1;
    case FORM_TILE: knobs[0] = GRID_TILE; return 1;
    case FORM_POINT: knobs[0] = GRID_THREADS, knobs[1] = GRID_WIDE; return nest->naxes > 1 ? 2 : nest->naxes;
    default: return 0;
    }
}

/* ---------------------------------------------------------------- constraints */

static int index_of(const GridCounts *c, const int64_t *values)
{
    int at = 0;
    for (int i = 0; i < c->nparameters; i++) {
        int place = 0;
        while (c->parameters[i].values[place] != values[i])
            place++;
        at = at * c->parameters[i].count + place;
    }
    return at;
}

/* Does it hold of every call on every kind? */
static bool all_hold(const int64_t *values, const GridCounts *c, bool (*holds)(const DeviceLimits *limits, const DeviceNumbers *n))
{
    const Counted *k = &c->counted[index_of(c, values)];
    for (int call = 0; call < c->ncalls; call++)
        for (int gpu = c->first_gpu; gpu < c->end_gpu; gpu++)
            if (!k->is_there || !holds(device_limits(gpu), &k->of_call[call]))
                return false;
    return true;
}

static bool threads_fit(const DeviceLimits *limits, const DeviceNumbers *n)
{
    return n->threads >= limits->least_threads && n->threads <= limits->most_threads;
}

/* Kernels are compiled for 512 threads on a multiprocessor, or a block that has more: templates/cuda/nest_form.cu.j2. */
static bool registers_fit(const DeviceLimits *limits, const DeviceNumbers *n)
{
    const int most = limits->registers / (n->threads > BOUND_THREADS ? n->threads : BOUND_THREADS);
    return n->elements + limits->other_registers <= (most < limits->thread_registers ? most : limits->thread_registers);
}

static bool shared_fits(const DeviceLimits *limits, const DeviceNumbers *n) { return n->shared <= limits->block_shared; }

static bool has_threads(const int64_t *values, void *counts) { return all_hold(values, counts, threads_fit); }
static bool has_registers(const int64_t *values, void *counts) { return all_hold(values, counts, registers_fit); }
static bool has_shared(const int64_t *values, void *counts) { return all_hold(values, counts, shared_fits); }

/* Threads along x are no more than there are. */
static bool wide_fits(const int64_t *values, void *counts)
{
    (void)counts;
    return values[1] <= values[0];
}

/* Iterations for a transaction with memory, times what part of the memory's rate so many warps can ask for: Little's law. Only comparisons
 * between configurations of one nest mean something. */
static double grid_speed(const DeviceLimits *limits, const DeviceNumbers *n)
{
    double feature[DEVICE_FEATURES];
    if (!device_features(limits, n, feature))
        return 0;
    const double warps = (n->threads + limits->lanes - 1) / limits->lanes,
                 room = feature[FEATURE_OCCUPANCY] * limits->warps / warps * n->busy * limits->multiprocessors,
                 asked = fmin(n->all_busy, room) * feature[FEATURE_ILP] / ((double)limits->lines_ahead * limits->multiprocessors);
    return fmin(asked, 1) * feature[FEATURE_GLOBAL];
}

/* The logarithm of the least gain. */
static double gain(const int64_t *values, void *counts)
{
    const GridCounts *c = counts;
    const Counted *k = &c->counted[index_of(c, values)], *planned = &c->counted[c->planned];
    double least = HUGE_VAL;
    for (int call = 0; call < c->ncalls; call++)
        for (int gpu = c->first_gpu; gpu < c->end_gpu; gpu++)
            least = fmin(least, log(grid_speed(device_limits(gpu), &k->of_call[call])) -
                                    log(grid_speed(device_limits(gpu), &planned->of_call[call])));
    return least;
}

/* ---------------------------------------------------------------- the space */

static TuneParameter parameter_of(Ir *ir, GridKnob knob)
{
    int64_t *values = arena_new_array(ir->arena, int64_t, GRID_VALUES);
    int count = 0;
    for (; grid_knob_info[knob].values[count]; count++)
        values[count] = grid_knob_info[knob].values[count];
    return (TuneParameter){grid_knob_info[knob].name, values, count};
}

static bool chosen_form(Ir *ir, const DeviceNest *nest, const GridCalls *calls, NestForm *form)
{
    for (int i = 0; i < calls->ncalls; i++) {
        NestForm own;
        if (!device_form(ir, nest, calls->scalars[i], calls->nscalars, &own) || (i && own != *form))
            return false;
        *form = own;
    }
    return calls->ncalls > 0;
}

static void count(Ir *ir, const DeviceNest *nest, NestForm form, const GridCalls *calls, Counted *out)
{
    out->of_call = arena_new_array(ir->arena, DeviceNumbers, calls->ncalls);
    out->is_there = true;
    for (int i = 0; i < calls->ncalls; i++)
        out->is_there = out->is_there &&
                        device_numbers(ir, nest, form, calls->scalars[i], calls->nscalars, device_limits(0), &out->of_call[i]);
}

static void count_all(Ir *ir, const GridInput *in, NestForm form, const GridCalls *calls, const GridSpace *space, GridCounts *c)
{
    int raw = 1;
    for (int i = 0; i < c->nparameters; i++)
        raw *= c->parameters[i].count;
    c->counted = arena_new_array(ir->arena, Counted, raw);
    for (int at = 0; at < raw; at++) {
        GridKnobs knobs = {{0}};
        for (int i = c->nparameters - 1, rest = at; i >= 0; rest /= c->parameters[i--].count)
            knobs.value[space->knob[i]] = (int)c->parameters[i].values[rest % c->parameters[i].count];
        count(ir, in->make(in->maker, &knobs), form, calls, &c->counted[at]);
    }
}

static bool place_planned(Ir *ir, GridSpace *space, GridCounts *c)
{
    space->planned = tune_point(ir->arena, space->chain);
    for (int i = 0; i < c->nparameters; i++)
        for (int place = 0; place < c->parameters[i].count; place++)
            if (c->parameters[i].values[place] == grid_knob_info[space->knob[i]].planned)
                tune_set(space->chain, &space->planned, i, place);
    c->planned = index_of(c, space->planned.values);
    return tune_survives(space->chain, space->planned.values);
}

const GridSpace *grid_space(Ir *ir, const GridInput *in, const GridCalls *calls, int gpu)
{
    static const int both[] = {0, 1};
    NestForm form = FORM_POINT;
    GridSpace *space = arena_alloc(ir->arena, sizeof *space);
    GridCounts *c = arena_alloc(ir->arena, sizeof *c);
    if (!chosen_form(ir, in->planned, calls, &form))
        return NULL;
    const int n = knobs_of(in->planned, form, space->knob);
    TuneParameter *parameters = arena_new_array(ir->arena, TuneParameter, MOST_PARAMETERS);
    for (int i = 0; i < n; i++)
        parameters[i] = parameter_of(ir, space->knob[i]);
    *c = (GridCounts){.parameters = parameters, .nparameters = n, .ncalls = calls->ncalls, .end_gpu = gpu < 0 ? GPU_COUNT : gpu + 1};
    c->first_gpu = gpu < 0 ? 0 : gpu;
    if (!n)
        return NULL;
    count_all(ir, in, form, calls, space, c);
    space->counts = c;
    TuneConstraint *list = arena_new_array(ir->arena, TuneConstraint, 5);
    int nlist = 0;
    if (form == FORM_POINT && n > 1)
        list[nlist++] = (TuneConstraint){.name = "wide fits", .holds = wide_fits, .is_cheap = true};
    list[nlist++] = (TuneConstraint){.name = "threads", .holds = has_threads};
    list[nlist++] = (TuneConstraint){.name = "registers", .holds = has_registers};
    list[nlist++] = (TuneConstraint){.name = "shared memory", .holds = has_shared};
    list[nlist++] = (TuneConstraint){.name = "features", .kind = TUNE_SOFT, .prefers = gain, .weight = 1};
    for (int i = 0; i < nlist; i++) {
        list[i].reads = both;
        list[i].nreads = n;
        list[i].user = c;
    }
    TuneSpace *declared = arena_alloc(ir->arena, sizeof *declared);
    *declared = (TuneSpace){.parameters = parameters, .nparameters = n, .constraints = list, .nconstraints = nlist};
    const char *error;
    space->chain = tune_chain(ir->arena, declared, &error);
    if (!space->chain)
        internal_error("the space of %s: %s", in->planned->stem, error);
    return place_planned(ir, space, c) ? space : NULL;
}

const DeviceNumbers *grid_space_numbers(const GridSpace *space, const TunePoint *point, int call)
{
    return &space->counts->counted[index_of(space->counts, point->values)].of_call[call];
}

GridKnobs grid_space_knobs(const GridSpace *space, const TunePoint *point)
{
    GridKnobs knobs = {{0}};
    for (int i = 0; i < space->chain->space.nparameters; i++)
        if (point->values[i] != grid_knob_info[space->knob[i]].planned)
            knobs.value[space->knob[i]] = (int)point->values[i];
    return knobs;
}

GridKnobs grid_by_features(Ir *ir, const GridInput *in, const GridCalls *calls, int gpu)
{
    const GridSpace *space = grid_space(ir, in, calls, gpu);
    GridKnobs best = {{0}};
    double most = log(1.1);
    TuneWalk *walk = space ? tune_walk(ir->arena, space->chain, TUNE_CHECK) : NULL;
    for (const TunePoint *p; walk && (p = tune_next(walk));)
        if (tune_preference(space->chain, p->values) > most + 1e-9) {
            most = tune_preference(space->chain, p->values);
            best = grid_space_knobs(space, p);
        }
    return best;
}
