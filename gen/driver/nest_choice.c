/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms are made by a copy of the Ir with an arena of its own, which ends with each nest: symbols and nodes of theirs have numbers that others
 * get afterwards. */
#include "gen/driver/nest_choice.h"

#include <string.h>

#include "gen/driver/nest_shapes.h"
#include "ir/walk.h"
#include "plan/targets.h"
#include "plan/vectors/vector_nest.h"
#include "tune/nest_lines.h"
#include "tune/nests/model_choice.h"

/* Of all nests with the same fingerprint. */
typedef struct Chosen {
    uint64_t fingerprint;
    VectorSetId set;
    NestKnobs knobs;
    const NestExpectation *expected; /* NULL: as planned */
} Chosen;

void models_read(Arena *arena, const char *const *texts, const Trees *models[SET_COUNT])
{
    memset(models, 0, SET_COUNT * sizeof *models);
    for (int i = 0; texts[i]; i++) {
        const Trees *trees = trees_parse(arena, diag_new(arena, "<built-in model>", texts[i], strlen(texts[i]), stderr), texts[i]);
        const VectorSetId set = trees ? model_set(trees) : SET_COUNT;
        if (set == SET_COUNT)
            internal_error("a built-in model is wrong: bench/tune.sh fit makes it anew");
        if (models[set])
            internal_error("two built-in models are about %s", vector_sets[set].name);
        models[set] = trees;
    }
}

static Predictor *begin_predictor(Ir *ir, const Plan *plan, HostNest *nest, VectorSetId set, const PlanOptions *opt, const NestSpace *space)
{
    const char *extents[DRAWN_SHAPES];
    const FeatureValue **values = arena_new_array(ir->arena, const FeatureValue *, DRAWN_SHAPES);
    PredictInput in = {.ir = ir,
                       .plan = plan,
                       .nest = nest,
                       .set = set,
                       .opt = opt,
                       .space = space,
                       .values = values,
                       .nshapes = drawn_shapes(ir, plan, extents),
                       .machine = machine_usual(set)};
    for (int i = 0; i < in.nshapes; i++)
        values[i] = shape_values(ir->arena, plan->func, extents[i], &in.nvalues);
    return predictor_new(&in);
}

static const double *features_of(Arena *arena, Predictor *predictor, const TunePoint *point)
{
    return mean_features(arena, predictor_numbers(predictor, point), predictor_shapes(predictor));
}

/* By the trial's Ir; what is left is in `arena`. */
static void choose_in_space(Ir *trial, Arena *arena, const Trees *trees, Predictor *predictor, const NestSpace *space, Chosen *chosen)
{
    const NestModel model = {trees, NULL};
    TunePoint best = tune_point(trial->arena, space->chain);
    const double speed = model_choose(predictor, space, &model, &best);
    if (speed <= 1)
        return;
    NestExpectation *expected = arena_alloc(arena, sizeof *expected);
    *expected = (NestExpectation){.speed = speed,
                                  .names = feature_names(arena),
                                  .planned = features_of(arena, predictor, &space->planned),
                                  .chosen = features_of(arena, predictor, &best),
                                  .count = NEST_FEATURES};
    chosen->expected = expected;
    chosen->knobs = space_knobs(space, &best);
}

static bool count_node(void *user, Node *n)
{
    (void)n;
    return --*(int *)user > 0;
}

/* A model looks at dozens of forms, which takes as long as it takes to emit each: 0.2 ms a node for all sets. Loops of so many nodes are
 * not what it has learned from. */
static bool is_too_large(const HostNest *nest)
{
    enum { MOST_NODES = 5000 };
    int left = MOST_NODES;
    walk(&(Walker){.pre = count_node, .user = &left}, nest->loops->body);
    return left <= 0;
}

static const Chosen *choose(NestChooser *chooser, Ir *ir, const Plan *plan, const HostNest *nest, VectorSetId set, const PlanOptions *opt)
{
    for (int i = 0; i < chooser->chosen.count; i++) {
        const Chosen *known = chooser->chosen.items[i];
        if (known->fingerprint == nest->fingerprint && known->set == set)
            return known;
    }
    Chosen *chosen = arena_new_array(ir->arena, Chosen, 1);
    chosen->fingerprint = nest->fingerprint;
    chosen->set = set;
    vec_push(ir->arena, &chooser->chosen, chosen);
    if (is_too_large(nest))
        return chosen;
    Ir trial = ir_trial(ir);
    HostNest own = *nest;
    PlanOptions silent = *opt;
    silent.remarks = false;
    silent.watch = NULL;
    vectorize_nest(&trial, NULL, &own, &silent);
    const NestSpace *space = own.vectors.kind[set] >= FORM_COMPILED ? NULL : nest_space_without(&trial, &own, set, &silent, MODEL_UNKNOWN);
    if (space)
        choose_in_space(&trial, ir->arena, chooser->models[set], begin_predictor(&trial, plan, &own, set, &silent, space), space, chosen);
    ir_trial_end(&trial);
    return chosen;
}

void choose_by_model(NestChooser *chooser, Ir *ir, Plan *plan, const PlanOptions *opt)
{
    for (int i = 0; i < host_nest_count(plan); i++)
        for (int set = 0; set < SET_COUNT; set++) {
            HostNest *nest = host_nest_at(plan, i);
            if (!chooser->models[set] || !loops_are_held(opt->held, (VectorSetId)set) || !nest->fingerprint ||
                knobs_speak(ir->arena, chooser->profile, nest, (VectorSetId)set))
                continue;
            const Chosen *chosen = choose(chooser, ir, plan, nest, (VectorSetId)set, opt);
            nest->chosen.knobs[set] = chosen->knobs;
            nest->chosen.expected[set] = chosen->expected;
        }
}

const NestKnobs *chosen_by_model(NestChooser *chooser, Ir *ir, const Plan *plan, const HostNest *nest, VectorSetId set,
                                 const PlanOptions *opt)
{
    const Chosen *chosen = chooser->models[set] ? choose(chooser, ir, plan, nest, set, opt) : NULL;
    return chosen && chosen->expected ? &chosen->knobs : NULL;
}
