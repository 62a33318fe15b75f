/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is measured teaches a model, which is one for all nests of the run; the best of all is measured once more. */
#include "gen/tune/nest_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/tune/class_search.h"
#include "gen/tune/form_table.h"
#include "gen/driver/nest_shapes.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_file.h"
#include "tune/measure.h"
#include "tune/nest_lines.h"
#include "tune/search/boost.h"

enum { LIBRARY = 0 };

typedef struct NestSearch {
    NestTuner *tuner;
    const HostNest *nest;
    const NestSpace *space;
    Predictor *predictor;
    NestShape *shapes; /* of its operator */
    int nshapes;
    FormTimes base; /* as planned */
    Vec trials; /* NestTrial *, whatever has been measured, in that order */
    FormSearch search;
} NestSearch;

PlanOptions tuner_plan_options(const PlannerOptions *planner, const Program *program)
{
    return (PlanOptions){.fp_strict = planner->fp_strict, .math = program->math, .stack = planner->stack};
}

int tuner_threads(const Options *opt) { return opt->calls.threads > 1 ? opt->calls.threads : 1; }

int tuner_knobs(const Options *opt) { return tuner_threads(opt) > 1 ? KNOB_COUNT : KNOB_TASKS; }

const NestSpace *tuner_space(Ir *ir, const Options *opt, const Program *program, HostNest *nest, VectorSetId set)
{
    const PlanOptions plan = tuner_plan_options(&opt->planner, program);
    return nest_space_without(ir, nest, set, &plan, tuner_threads(opt) > 1 ? 0 : SPACE_ONE_THREAD);
}

bool tuner_measure(NestTuner *t, const NestShape *shapes, int nshapes, int least, FormTimes *forms, int n, FormsInput *in)
{
    const bool quick = t->opt->tuning.quick;
    *in = (FormsInput){.session = t->session,
                       .shapes = shapes,
                       .nshapes = nshapes,
                       .isa = vector_sets[t->set].number,
                       .threads = tuner_threads(t->opt),
                       .least = quick ? 2 : least,
                       .most = quick ? 3 : 3 * least};
    const bool measured = measure_forms(t->ir->arena, in, forms, n);
    if (!measured)
        t->status = session_signal() ? tune_interrupted(session_signal()) : USER_FAULT;
    return measured;
}

bool tuner_load_library(NestTuner *t, const Profile *profile, const NestForms *forms, int number)
{
    const char *path;
    t->status = form_library(t->ir->arena, &t->maker, profile, forms, number, &path);
    if (t->status != DONE)
        return false;
    const double loaded = session_number(t->session, arena_printf(t->ir->arena, "load %d %s", number, path));
    form_remove(&t->maker, number);
    if (loaded == 0)
        tune_complain("a configuration cannot be loaded", "see that --cc makes programs for this machine");
    if (loaded <= 0)
        t->status = session_signal() ? tune_interrupted(session_signal()) : USER_FAULT;
    return loaded > 0;
}

bool tuner_load(NestTuner *t, const NestForms *forms) { return tuner_load_library(t, t->profile, forms, LIBRARY); }

/* ---------------------------------------------------------------- what becomes of measurements */

/* Expected before anything of this batch was learnt. */
static void add_to_report(NestSearch *s, const TunePoint *point, const NestKnobs *knobs, double speed)
{
    NestTuner *t = s->tuner;
    const double expected = exp(predictor_log_speed(s->predictor, &t->model, point));
    const bool knows = t->model.trees || t->model.more;
    tune_report_trial(t->report, knobs, predictor_numbers(s->predictor, point), knows ? expected : NAN, speed, s->search.confirms);
}

static void add_trial(NestSearch *s, const TunePoint *point, const NestKnobs *knobs, const FormTimes *form)
{
    NestTrial *trial = arena_alloc(s->tuner->ir->arena, sizeof *trial);
    *trial = (NestTrial){.point = tune_copy(s->tuner->ir->arena, s->space->chain, point),
                         .knobs = *knobs,
                         .speeds = arena_new_array(s->tuner->ir->arena, double, s->nshapes)};
    for (int i = 0; i < s->nshapes; i++)
        trial->speeds[i] = form->time[i] > 0 && s->base.time[i] > 0 ? s->base.time[i] / form->time[i] : 0;
    vec_push(s->tuner->ir->arena, &s->trials, trial);
}

static void show(int more, void *user)
{
    const NestSearch *s = user;
    char text[80];
    snprintf(text, sizeof text, "%s %s: best %.2f", s->nest->stem, vector_sets[s->tuner->set].name, s->search.best_speed);
    progress_add(&s->tuner->progress, more, text);
}

/* ---------------------------------------------------------------- learning */

static double predict(const TunePoint *point, void *user)
{
    const NestSearch *s = user;
    return predictor_log_speed(s->predictor, &s->tuner->model, point);
}

/* What is measured once more has been learnt from, and where all is measured nothing needs to be known. */
static bool learns(const NestSearch *s) { return !s->search.confirms && s->tuner->opt->tuning.search != TUNE_SEARCH_ALL; }

static void note_lesson(NestSearch *s, const TunePoint *point, double speed)
{
    NestTuner *t = s->tuner;
    const NestModel known = {t->model.trees, NULL};
    const double *rows = predictor_rows(s->predictor, point);
    double *wrong = arena_new_array(t->ir->arena, double, 1);
    if (speed <= 0)
        return;
    *wrong = log(speed) - predictor_log_speed(s->predictor, &known, point);
    for (int shape = 0; shape < s->nshapes; shape++) {
        vec_push(t->ir->arena, &t->lessons.rows, (void *)(rows + shape * ROW_FEATURES));
        vec_push(t->ir->arena, &t->lessons.wrong, wrong);
    }
}

/* Trees for what the model was wrong about; without XGBoost it stays as it is. */
static void learn(void *user)
{
    const NestSearch *s = user;
    NestTuner *t = s->tuner;
    const int n = t->lessons.rows.count;
    const size_t columns = tuner_threads(t->opt) > 1 ? ROW_FEATURES : MODEL_FEATURES;
    Arena *arena = t->ir->arena;
    const char *error;
    if (!n || !boost_available())
        return;
    double *rows = arena_new_array(arena, double, n *columns), *targets = arena_new_array(arena, double, n);
    for (int i = 0; i < n; i++) {
        memcpy(rows + (size_t)i * columns, t->lessons.rows.items[i], columns * sizeof *rows);
        targets[i] = *(const double *)t->lessons.wrong.items[i];
    }
    t->model.more = boost_train(
        arena, &(BoostInput){.nrows = n, .nfeatures = (int)columns, .names = model_names(arena), .features = rows, .targets = targets},
        &error);
}

/* ---------------------------------------------------------------- measuring them */

/* FormSearch.measure */
static bool measure(const TunePoint *points, int n, int least, double *speeds, void *user)
{
    NestSearch *s = user;
    NestTuner *t = s->tuner;
    Arena *arena = t->ir->arena;
    FormsInput in;
    NestKnobs knobs[FORM_BATCH];
    const NestForms all = {s->nest->fingerprint, t->set, knobs, n};
    const FormTable row = {s->nest->stem, vector_sets[t->set].name, s->shapes, s->nshapes, tuner_knobs(t->opt)};
    FormTimes forms[FORM_BATCH + 1] = {s->base};
    for (int i = 0; i < n; i++) {
        knobs[i] = space_knobs(s->space, &points[i]);
        forms[i + 1] = (FormTimes){LIBRARY, i + 1, arena_new_array(arena, double, s->nshapes)};
    }
    if (!tuner_load(t, &all) || !tuner_measure(t, s->shapes, s->nshapes, least, forms, n + 1, &in))
        return false;
    for (int i = 0; i < n; i++) {
        speeds[i] = form_speed(&in, &forms[i + 1], &forms[0]);
        form_table_add(t->table, &row, knobs[i].value, &forms[i + 1], &forms[0]);
        add_to_report(s, &points[i], &knobs[i], speeds[i]);
        add_trial(s, &points[i], &knobs[i], &forms[i + 1]);
    }
    for (int i = 0; i < n && learns(s); i++)
        note_lesson(s, &points[i], speeds[i]);
    return true;
}

/* ClassSearch.measure */
static bool measure_again(const TunePoint *points, int n, void *user)
{
    NestSearch *s = user;
    double speeds[CLASS_COUNT];
    s->search.confirms = true;
    return measure(points, n, 8, speeds, s);
}

/* ---------------------------------------------------------------- one nest */

static ClassShapes shapes_of(const NestSearch *s) { return (ClassShapes){predictor_classes(s->predictor), s->nshapes}; }

/* bests[] of classes. False: the end. */
static bool search_classes(NestSearch *s, ClassBest *bests)
{
    const ClassSearch search = {.arena = s->tuner->ir->arena,
                                .space = s->space,
                                .shapes = shapes_of(s),
                                .best = s->search.best,
                                .trials = &s->trials,
                                .searched = s->search.measured,
                                .measure = measure_again,
                                .user = s};
    return is_over(s->tuner->deadline) || class_search(&search, bests);
}

/* Of calls of a class, with what is so many times as fast as planned. */
static NestTime mean_time(const NestSearch *s, ShapeClass shape, double speed)
{
    const ClassShapes shapes = shapes_of(s);
    return (NestTime){class_speed(&shapes, s->base.time, shape) / speed, tuner_threads(s->tuner->opt)};
}

static void put_lines(NestSearch *s, const ClassBest *bests)
{
    NestTuner *t = s->tuner;
    const char *by_class = "";
    const NestKnobs best = space_knobs(s->space, &s->search.best);
    knobs_put(t->ir->arena, t->profile, s->nest, t->set, CLASS_ALL, &best, mean_time(s, CLASS_ALL, s->search.best_speed));
    tune_report_chosen(t->report, &best, s->search.best_speed);
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
        const ClassBest *own = &bests[shape];
        if (own->gain <= 0)
            continue;
        knobs_put(t->ir->arena, t->profile, s->nest, t->set, (ShapeClass)shape, &own->knobs, mean_time(s, (ShapeClass)shape, own->speed));
        tune_report_class(t->report, (ShapeClass)shape, &own->knobs, own->gain);
        by_class = arena_printf(t->ir->arena, "%s; %s by its own %.2f times as fast as by that", by_class, shape_classes[shape].word,
                                own->gain);
    }
    progress_part(&t->progress, arena_printf(t->ir->arena, "%s, %s: %d measured, %.2f times as fast as planned%s", s->nest->stem,
                                             vector_sets[t->set].name, s->search.measured, s->search.best_speed, by_class));
}

/* The shapes of operator number `op`. */
static void take_shapes(NestSearch *s, int op)
{
    const NestTuner *t = s->tuner;
    s->shapes = arena_new_array(t->ir->arena, NestShape, t->shapes.count);
    for (int i = 0; i < t->shapes.count; i++)
        if (((const NestShape *)t->shapes.items[i])->op == op)
            s->shapes[s->nshapes++] = *(const NestShape *)t->shapes.items[i];
}

static void begin_predictor(NestSearch *s, int op, HostNest *nest, const PlanOptions *plan)
{
    NestTuner *t = s->tuner;
    const Operator *o = &t->program->operators[op];
    const FeatureValue **values = arena_new_array(t->ir->arena, const FeatureValue *, s->nshapes);
    PredictInput in = {.ir = t->ir,
                       .plan = o->plan,
                       .nest = nest,
                       .set = t->set,
                       .opt = plan,
                       .space = s->space,
                       .values = values,
                       .nshapes = s->nshapes,
                       .machine = machine_here(t->set, tuner_threads(t->opt))};
    for (int i = 0; i < s->nshapes; i++)
        values[i] = shape_values(t->ir->arena, o->plan->func, s->shapes[i].extents, &in.nvalues);
    s->predictor = predictor_new(&in);
}

/* What is done where nothing is measured; NULL: as planned. */
static const TunePoint *usual_point(const NestSearch *s, int op, const PlanOptions *plan)
{
    NestTuner *t = s->tuner;
    const NestKnobs *knobs = chosen_by_model(&t->usual, t->ir, t->program->operators[op].plan, s->nest, t->set, plan);
    TunePoint *point = arena_alloc(t->ir->arena, sizeof *point);
    *point = tune_point(t->ir->arena, s->space->chain);
    return knobs && space_point(s->space, knobs, point) ? point : NULL;
}

bool search_nest(NestTuner *t, int op, HostNest *nest, const NestSpace *space)
{
    const PlanOptions plan = tuner_plan_options(&t->opt->planner, t->program);
    NestSearch s = {.tuner = t, .nest = nest, .space = space};
    take_shapes(&s, op);
    if (!s.nshapes)
        return true;
    s.base = (FormTimes){LIBRARY, 0, arena_new_array(t->ir->arena, double, s.nshapes)};
    begin_predictor(&s, op, nest, &plan);
    tune_report_nest(t->report, nest, t->set, space_size(t->ir->arena, space->chain), s.shapes, s.nshapes, s.base.time);
    s.search = (FormSearch){.arena = t->ir->arena,
                            .opt = t->opt,
                            .chain = space->chain,
                            .planned = &space->planned,
                            .usual = usual_point(&s, op, &plan),
                            .deadline = t->deadline,
                            .knows_others = t->model.trees || t->model.more,
                            .predict = predict,
                            .learn = learn,
                            .measure = measure,
                            .show = show,
                            .user = &s};
    ClassBest bests[CLASS_COUNT] = {0};
    if (!form_search(&s.search))
        return t->status == DONE && !s.search.measured;
    if (!search_classes(&s, bests))
        return false;
    put_lines(&s, bests);
    return tune_save((void *)t->opt, t->profile) && tune_report_save(t->report, t->profile);
}
