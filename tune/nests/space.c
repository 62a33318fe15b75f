/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the planner for every value of every knob, with each choice of lanes. */
#include "tune/nests/space.h"

#include "plan/fingerprint.h"
#include "plan/nest_cases.h"
#include "plan/vectors/vector_nest.h"

enum { LANES = 3 }; /* values of KNOB_LANES, with KNOB_PLANNED */

/* What came of a knob's values. Values that make the same loops as one before them say nothing. */
typedef struct Answers {
    bool says[LANES][KNOB_COUNT][KNOB_VALUES]; /* by place in knob_info */
    int planned[LANES][KNOB_COUNT];            /* the value that is what the planner does; 0: none */
    bool matters[KNOB_COUNT];
    bool differs[LANES]; /* from the planner's choice of lanes, and from those before */
    int lanes;           /* that choice, as a value; 0: none is the same */
} Answers;

/* What constraints know. */
typedef struct Rules {
    Answers answers;
    int parameter[KNOB_COUNT]; /* of each knob; -1: none */
    int registers;
    NestKnob knob; /* of the constraint */
} Rules;

uint64_t form_with(Ir *ir, const HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt)
{
    Ir trial = ir_trial(ir); /* forms are large, and many are asked for */
    const Func *form = vectorized_form(&trial, nest, set, knobs, opt);
    const uint64_t number = form ? fingerprint(&trial, form->body) : 0;
    ir_trial_end(&trial);
    return number;
}

/* ---------------------------------------------------------------- what makes a difference */

static void ask_knob(Ir *ir, const HostNest *nest, VectorSetId set, const PlanOptions *opt, int lanes, NestKnob knob, uint64_t base,
                     Answers *a)
{
    uint64_t seen[KNOB_VALUES];
    for (int i = 0; knob_info[knob].values[i]; i++) {
        NestKnobs knobs = {{0}};
        knobs.value[KNOB_LANES] = lanes;
        knobs.value[knob] = knob_info[knob].values[i];
        seen[i] = form_with(ir, nest, set, &knobs, opt);
        bool is_new = true;
        for (int j = 0; j < i; j++)
            is_new = is_new && seen[j] != seen[i];
        a->says[lanes][knob][i] = is_new;
        a->matters[knob] = a->matters[knob] || seen[i] != base;
        if (is_new && seen[i] == base)
            a->planned[lanes][knob] = knobs.value[knob];
    }
}

/* KNOB_TASKS changes nothing about the vectorized loops: only into how many pieces those are cut that run by themselves. */
static void ask_tasks(const HostNest *nest, bool by_vectors, int lanes, Answers *a)
{
    for (int i = 0; knob_info[KNOB_TASKS].values[i]; i++)
        a->says[lanes][KNOB_TASKS][i] = true;
    a->planned[lanes][KNOB_TASKS] = 1;
    a->matters[KNOB_TASKS] = by_vectors && nest_is_cut(nest);
}

/* Is it among the values of KNOB_LANES that are there to be chosen? */
static bool is_choice(const Answers *a, int lanes) { return lanes == a->lanes || (lanes && a->differs[lanes]); }

/* `without`: 1 << a knob that nobody asks about. */
static void ask_all(Ir *ir, const HostNest *nest, VectorSetId set, const PlanOptions *opt, unsigned without, Answers *a)
{
    uint64_t base[LANES];
    for (int lanes = 0; lanes < LANES; lanes++) {
        NestKnobs knobs = {{0}};
        knobs.value[KNOB_LANES] = lanes;
        base[lanes] = form_with(ir, nest, set, &knobs, opt);
        a->differs[lanes] = base[lanes] && (lanes < 2 || base[lanes] != base[1]) && (lanes == 0 || base[lanes] != base[0]);
        if (lanes && base[lanes] == base[0] && !a->lanes)
            a->lanes = lanes;
    }
    a->matters[KNOB_LANES] = a->differs[1] || a->differs[2];
    a->lanes = a->matters[KNOB_LANES] ? a->lanes : KNOB_PLANNED;
    for (int lanes = 0; lanes < LANES; lanes++)
        for (int knob = 0; knob < KNOB_COUNT; knob++)
            if (knob == KNOB_TASKS)
                ask_tasks(nest, base[0] != 0, lanes, a);
            else if (knob != KNOB_LANES && !(without >> knob & 1) && is_choice(a, lanes))
                ask_knob(ir, nest, set, opt, lanes, (NestKnob)knob, base[lanes], a);
}

/* ---------------------------------------------------------------- the space */

static int value_of(const Rules *r, const int64_t *values, NestKnob knob)
{
    return r->parameter[knob] < 0 ? KNOB_PLANNED : (int)values[r->parameter[knob]];
}

static int place_of(NestKnob knob, int value)
{
    int i = 0;
    while (knob_info[knob].values[i] && knob_info[knob].values[i] != value)
        i++;
    return i;
}

/* The value makes loops of its own with these lanes; as planned, where no value is what the planner does. */
static bool says_something(const int64_t *values, void *user)
{
    const Rules *r = user;
    const int lanes = value_of(r, values, KNOB_LANES), value = value_of(r, values, r->knob);
    if (value == KNOB_PLANNED)
        return !r->answers.planned[lanes][r->knob];
    return r->answers.says[lanes][r->knob][place_of(r->knob, value)];
}

static bool rest_is_less(const int64_t *values, void *user)
{
    const Rules *r = user;
    const int column = value_of(r, values, KNOB_UNROLL_OUTER);
    return column == KNOB_PLANNED || value_of(r, values, KNOB_UNROLL_REMAINDER) <= column;
}

/* Sums of all rows stay in registers. */
static bool fits_registers(const int64_t *values, void *user)
{
    const Rules *r = user;
    return value_of(r, values, KNOB_UNROLL_OUTER) * value_of(r, values, KNOB_UNROLL_AND_JAM) <= r->registers;
}

/* Another order has other tiles, of which there would be too many; those of the order that memory likes are worth a search. */
static bool tiles_as_planned(const int64_t *values, void *user)
{
    const Rules *r = user;
    return value_of(r, values, KNOB_ORDER) <= ORDER_AS_PLANNED ||
           (value_of(r, values, KNOB_TILE) < 2 && value_of(r, values, KNOB_TILE_OUTER) < 2);
}

static double is_planned(const int64_t *values, void *user)
{
    const Rules *r = user;
    const int lanes = value_of(r, values, KNOB_LANES),
              planned = r->knob == KNOB_LANES ? r->answers.lanes : r->answers.planned[lanes][r->knob];
    return value_of(r, values, r->knob) == planned;
}

static TuneParameter parameter_of(Ir *ir, const Answers *a, NestKnob knob)
{
    int64_t *values = arena_new_array(ir->arena, int64_t, KNOB_VALUES + 1);
    int count = 0;
    bool all_planned = true;
    for (int lanes = 0; lanes < LANES; lanes++)
        all_planned = all_planned &&
                      (knob == KNOB_LANES ? a->lanes != 0 : !(a->differs[lanes] || lanes == a->lanes) || a->planned[lanes][knob]);
    if (!all_planned)
        values[count++] = KNOB_PLANNED;
    for (int i = 0; knob_info[knob].values[i]; i++) {
        bool says = false;
        for (int lanes = 0; lanes < LANES; lanes++)
            says = says || a->says[lanes][knob][i];
        if (knob == KNOB_LANES)
            says = is_choice(a, knob_info[knob].values[i]);
        if (says)
            values[count++] = knob_info[knob].values[i];
    }
    return (TuneParameter){knob_info[knob].name, values, count};
}

/* DynaChain's strategies, of which each knob belongs to one. */
enum { LAYOUT, SPLIT, UNROLL, PIPELINING, MEMORY, STRATEGIES };
static const int strategy_of[KNOB_COUNT] = {
    [KNOB_ORDER] = LAYOUT,
    [KNOB_TILE] = SPLIT,
    [KNOB_TILE_OUTER] = SPLIT,
    [KNOB_COLUMN_ROWS] = SPLIT,
    [KNOB_LANES] = LAYOUT,
    [KNOB_UNROLL] = SPLIT,
    [KNOB_ACCUMULATORS] = SPLIT,
    [KNOB_UNROLL_MATH] = SPLIT,
    [KNOB_ACCUMULATORS_MATH] = SPLIT,
    [KNOB_PREFETCH_DISTANCE] = PIPELINING,
    [KNOB_ALIGN] = MEMORY,
    [KNOB_UNROLL_OUTER] = SPLIT,
    [KNOB_UNROLL_REMAINDER] = SPLIT,
    [KNOB_UNROLL_AND_JAM] = UNROLL,
    [KNOB_PREFETCH_ROW] = PIPELINING,
    [KNOB_STREAMS] = MEMORY,
    [KNOB_NON_TEMPORAL] = MEMORY,
    [KNOB_TASKS] = SPLIT,
};
static const TuneEdge strategy_edges[] = {{LAYOUT, SPLIT}, {LAYOUT, MEMORY}, {SPLIT, UNROLL}, {UNROLL, PIPELINING}, {PIPELINING, MEMORY}};

typedef struct Making {
    Ir *ir;
    TuneSpace space;
    TuneParameter *parameters;
    TuneConstraint *constraints;
    TuneStrategy *strategies;
} Making;

static void add_constraint(Making *m, const Rules *rules, TuneConstraint c, const NestKnob *knobs, int nknobs)
{
    int *reads = arena_new_array(m->ir->arena, int, nknobs);
    for (int i = 0; i < nknobs; i++)
        if (rules->parameter[knobs[i]] >= 0)
            reads[c.nreads++] = rules->parameter[knobs[i]];
    c.reads = reads;
    c.user = (void *)rules;
    if (c.nreads)
        m->constraints[m->space.nconstraints++] = c;
}

static void add_rules(Making *m, const Rules *rules)
{
    static const NestKnob of_rest[] = {KNOB_UNROLL_OUTER, KNOB_UNROLL_REMAINDER}, of_registers[] = {KNOB_UNROLL_OUTER, KNOB_UNROLL_AND_JAM},
                          of_tiles[] = {KNOB_ORDER, KNOB_TILE, KNOB_TILE_OUTER};
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        if (rules->parameter[knob] < 0)
            continue;
        Rules *own = arena_alloc(m->ir->arena, sizeof *own);
        *own = *rules;
        own->knob = (NestKnob)knob;
        const NestKnob both[] = {own->knob, KNOB_LANES};
        const int n = knob == KNOB_LANES ? 1 : 2;
        if (n > 1)
            add_constraint(m, own, (TuneConstraint){.name = "says something", .holds = says_something, .is_cheap = true}, both, n);
        add_constraint(m, own, (TuneConstraint){.name = "as planned", .kind = TUNE_SOFT, .prefers = is_planned, .weight = 1}, both, n);
    }
    if (rules->parameter[KNOB_UNROLL_OUTER] >= 0 && rules->parameter[KNOB_UNROLL_REMAINDER] >= 0)
        add_constraint(m, rules, (TuneConstraint){.name = "the rest is less", .holds = rest_is_less, .is_cheap = true}, of_rest, 2);
    if (rules->parameter[KNOB_UNROLL_OUTER] >= 0 && rules->parameter[KNOB_UNROLL_AND_JAM] >= 0)
        add_constraint(m, rules, (TuneConstraint){.name = "registers", .holds = fits_registers, .is_cheap = true}, of_registers, 2);
    if (rules->parameter[KNOB_ORDER] >= 0)
        add_constraint(m, rules, (TuneConstraint){.name = "one order has tiles", .holds = tiles_as_planned, .is_cheap = true}, of_tiles, 3);
}

static void add_strategies(Making *m, const NestSpace *space)
{
    static const char *const names[] = {"layout", "split", "unroll", "pipelining", "memory"};
    for (int s = 0; s < STRATEGIES; s++) {
        int *members = arena_new_array(m->ir->arena, int, KNOB_COUNT), n = 0;
        for (int i = 0; i < m->space.nparameters; i++)
            if (strategy_of[space->knob[i]] == s)
                members[n++] = i;
        m->strategies[s] = (TuneStrategy){names[s], members, n};
    }
}

static void note_planned(Ir *ir, NestSpace *space, const Answers *a)
{
    NestKnobs knobs = {{0}};
    knobs.value[KNOB_LANES] = a->lanes;
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        if (knob != KNOB_LANES)
            knobs.value[knob] = a->planned[a->lanes][knob];
    space->planned = tune_point(ir->arena, space->chain);
    if (!space_point(space, &knobs, &space->planned))
        internal_error("a space without the configuration that is planned");
}

const NestSpace *nest_space(Ir *ir, HostNest *nest, VectorSetId set, const PlanOptions *opt)
{
    return nest_space_without(ir, nest, set, opt, SPACE_ONE_THREAD);
}

const NestSpace *nest_space_without(Ir *ir, HostNest *nest, VectorSetId set, const PlanOptions *opt, unsigned without)
{
    Rules *rules = arena_alloc(ir->arena, sizeof *rules);
    *rules = (Rules){.registers = vector_sets[set].registers};
    NestSpace *space = arena_alloc(ir->arena, sizeof *space);
    Making m = {.ir = ir};
    ask_all(ir, nest, set, opt, without, &rules->answers);
    nest->vectors.form[set] = vectorized_form(ir, nest, set, &nest->chosen.knobs[set], opt);
    m.parameters = arena_new_array(ir->arena, TuneParameter, KNOB_COUNT);
    m.constraints = arena_new_array(ir->arena, TuneConstraint, 2 * KNOB_COUNT + 3);
    m.strategies = arena_new_array(ir->arena, TuneStrategy, STRATEGIES);
    for (int knob = 0; knob < KNOB_COUNT; knob++) {
        const TuneParameter p = parameter_of(ir, &rules->answers, (NestKnob)knob);
        const bool is_left = !(without >> knob & 1) && rules->answers.matters[knob] && p.count > 1;
        rules->parameter[knob] = is_left ? m.space.nparameters : -1;
        if (rules->parameter[knob] < 0)
            continue;
        space->knob[m.space.nparameters] = (NestKnob)knob;
        m.parameters[m.space.nparameters++] = p;
    }
    if (!m.space.nparameters)
        return NULL;
    add_rules(&m, rules);
    add_strategies(&m, space);
    m.space.parameters = m.parameters;
    m.space.constraints = m.constraints;
    m.space.strategies = m.strategies;
    m.space.nstrategies = STRATEGIES;
    m.space.strategy_edges = strategy_edges;
    m.space.nstrategy_edges = sizeof strategy_edges / sizeof *strategy_edges;
    const char *error;
    space->chain = tune_chain(ir->arena, &m.space, &error);
    if (!space->chain)
        internal_error("the space of %s: %s", nest->stem, error);
    note_planned(ir, space, &rules->answers);
    return space;
}

NestKnobs space_knobs(const NestSpace *space, const TunePoint *point)
{
    NestKnobs knobs = {{0}};
    for (int i = 0; i < space->chain->space.nparameters; i++)
        knobs.value[space->knob[i]] = (int)point->values[i];
    return knobs;
}

bool space_point(const NestSpace *space, const NestKnobs *knobs, TunePoint *point)
{
    for (int i = 0; i < space->chain->space.nparameters; i++) {
        const TuneParameter *p = &space->chain->space.parameters[i];
        int place = 0;
        while (place < p->count && p->values[place] != knobs->value[space->knob[i]])
            place++;
        if (place == p->count)
            return false;
        tune_set(space->chain, point, i, place);
    }
    return tune_survives(space->chain, point->values);
}
