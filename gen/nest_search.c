/* What is measured teaches a model, which is one for all nests of the run; the best of all is measured once more. */
#include "gen/nest_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/nest_shapes.h"
#include "gen/program.h"
#include "gen/tune_file.h"
#include "tune/measure.h"
#include "tune/nest_lines.h"
#include "tune/search/boost.h"
#include "tune/search/constraint_walk.h"
#include "tune/search/search.h"

enum { BATCH = 16, MOST_MEASURED = 64, MOST_QUICK = 8, LIBRARY = 0 };
/* A model that knows other nests needs fewer first measurements, of which fewer are drawn. */
enum { FIRST_KNOWN = 8, DRAWN_KNOWN = 2 };
static const double WORTH = 1.01; /* how many times as fast as planned a configuration has to be */

typedef struct NestSearch {
    NestTuner *tuner;
    const HostNest *nest;
    const NestSpace *space;
    Predictor *predictor;
    NestShape *shapes; /* of its operator */
    int nshapes;
    FormTimes base; /* as planned */
    NestKnobs best;
    double best_speed; /* how many times as fast as planned */
    int measured, wanted;
    bool confirms; /* what is measured now was measured before */
} NestSearch;

PlanOptions tuner_plan_options(const Options *opt)
{
    return (PlanOptions){.fp_strict = opt->fp_strict, .math_libm = opt->math_libm || opt->fp_strict, .stack = opt->stack};
}

bool tuner_is_late(const NestTuner *t) { return t->deadline > 0 && measure_clock() > t->deadline; }

bool tuner_load(NestTuner *t, const NestForms *forms)
{
    const char *path;
    t->status = form_library(t->ir->arena, &t->maker, t->profile, forms, LIBRARY, &path);
    if (t->status != DONE)
        return false;
    const double loaded = session_number(t->session, arena_printf(t->ir->arena, "load %d %s", LIBRARY, path));
    form_remove(&t->maker, LIBRARY);
    if (loaded == 0)
        tune_complain("a configuration cannot be loaded", "see that --cc makes programs for this machine");
    if (loaded <= 0)
        t->status = session_signal() ? tune_interrupted(t->opt, session_signal()) : USER_FAULT;
    return loaded > 0;
}

/* ---------------------------------------------------------------- measuring */

static void add_to_table(const NestSearch *s, const NestKnobs *knobs, const FormTimes *form, const FormTimes *base)
{
    const NestTuner *t = s->tuner;
    for (int shape = 0; t->table && shape < s->nshapes; shape++) {
        fprintf(t->table, "%s,%s,%s", s->nest->stem, vector_sets[t->set].name, s->shapes[shape].extents);
        for (int knob = 0; knob < KNOB_COUNT; knob++)
            fprintf(t->table, ",%d", knobs->value[knob]);
        fprintf(t->table, ",%.6g,%.6g\n", form->time[shape], base->time[shape]);
    }
    if (t->table)
        fflush(t->table);
}

/* Expected before anything of this batch was learnt. */
static void add_to_report(NestSearch *s, const NestKnobs *knobs, double speed)
{
    NestTuner *t = s->tuner;
    TunePoint point = tune_point(t->ir->arena, s->space->chain);
    const bool found = space_point(s->space, knobs, &point);
    const double expected = found ? exp(predictor_log_speed(s->predictor, &t->model, &point)) : NAN;
    const bool knows = t->model.trees || t->model.more;
    tune_report_trial(t->report, knobs, found ? predictor_rows(s->predictor, &point) : NULL, knows ? expected : NAN, speed, s->confirms);
}

static void show(const NestSearch *s, int more)
{
    char text[80];
    snprintf(text, sizeof text, "%s %s: best %.2f", s->nest->stem, vector_sets[s->tuner->set].name, s->best_speed);
    progress_add(&s->tuner->progress, more, text);
}

/* Measures some configurations beside the planned one, in so many rounds; speeds: of which each is how many times as fast, 0: not at all.
 * False: the end. */
static bool measure(NestSearch *s, const NestKnobs *knobs, int n, int least, double *speeds)
{
    NestTuner *t = s->tuner;
    Arena *arena = t->ir->arena;
    const FormsInput in = {.session = t->session,
                           .shapes = s->shapes,
                           .nshapes = s->nshapes,
                           .isa = vector_sets[t->set].isa,
                           .threads = 1,
                           .least = t->opt->tuning.quick ? 2 : least,
                           .most = t->opt->tuning.quick ? 3 : 3 * least};
    const NestForms all = {s->nest->fingerprint, t->set, knobs, n};
    FormTimes forms[BATCH + 1] = {s->base};
    for (int i = 1; i <= n; i++)
        forms[i] = (FormTimes){LIBRARY, i, arena_new_array(arena, double, s->nshapes)};
    if (!tuner_load(t, &all))
        return false;
    if (!measure_forms(arena, &in, forms, n + 1)) {
        t->status = session_signal() ? tune_interrupted(t->opt, session_signal()) : USER_FAULT;
        return false;
    }
    for (int i = 0; i < n; i++) {
        speeds[i] = form_speed(&in, &forms[i + 1], &forms[0]);
        add_to_table(s, &knobs[i], &forms[i + 1], &forms[0]);
        add_to_report(s, &knobs[i], speeds[i]);
        if (speeds[i] > s->best_speed) {
            s->best_speed = speeds[i];
            s->best = knobs[i];
        }
    }
    return true;
}

/* ---------------------------------------------------------------- learning */

static double predict(const TunePoint *point, void *user)
{
    const NestSearch *s = user;
    return predictor_log_speed(s->predictor, &s->tuner->model, point);
}

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
        vec_push(t->ir->arena, &t->lessons.rows, (void *)(rows + shape * MODEL_FEATURES));
        vec_push(t->ir->arena, &t->lessons.wrong, wrong);
    }
}

/* Trees for what the model was wrong about; without XGBoost it stays as it is. */
static void learn(void *user)
{
    const NestSearch *s = user;
    NestTuner *t = s->tuner;
    const int n = t->lessons.rows.count;
    Arena *arena = t->ir->arena;
    const char *error;
    if (!n || !boost_available())
        return;
    double *rows = arena_new_array(arena, double, n *MODEL_FEATURES), *targets = arena_new_array(arena, double, n);
    for (int i = 0; i < n; i++) {
        memcpy(rows + (size_t)i * MODEL_FEATURES, t->lessons.rows.items[i], MODEL_FEATURES * sizeof *rows);
        targets[i] = *(const double *)t->lessons.wrong.items[i];
    }
    t->model.more = boost_train(
        arena, &(BoostInput){.nrows = n, .nfeatures = MODEL_FEATURES, .names = model_names(arena), .features = rows, .targets = targets},
        &error);
}

/* ---------------------------------------------------------------- searching */

int64_t space_size(Arena *arena, const NestSpace *space)
{
    TuneWalk *walk = tune_walk(arena, space->chain, TUNE_AC3);
    while (tune_next(walk))
        ;
    return tune_counts(walk)->survivors;
}

int search_measurements(const Options *opt, int64_t size)
{
    const int most = opt->tuning.trials ? opt->tuning.trials : opt->tuning.quick ? MOST_QUICK : MOST_MEASURED;
    return opt->tuning.search == TUNE_SEARCH_ALL || size < most ? (int)size : most;
}

/* All configurations, as the chain has them. */
static bool search_all(NestSearch *s)
{
    TuneWalk *walk = tune_walk(s->tuner->ir->arena, s->space->chain, TUNE_AC3);
    const TunePoint *point = tune_next(walk);
    while (point && !tuner_is_late(s->tuner)) {
        NestKnobs knobs[BATCH];
        double speeds[BATCH];
        int n = 0;
        for (; point && n < BATCH; point = tune_next(walk))
            knobs[n++] = space_knobs(s->space, point);
        if (!measure(s, knobs, n, 3, speeds))
            return false;
        s->measured += n;
        show(s, n);
    }
    return true;
}

/* As --search says, until enough is measured. */
static bool search_some(NestSearch *s, SearchKind kind)
{
    SearchInput input = search_defaults(s->space->chain, kind, 1);
    TunePoint points[BATCH];
    double speeds[BATCH];
    if (s->tuner->model.trees || s->tuner->model.more) {
        input.first = FIRST_KNOWN;
        input.drawn = DRAWN_KNOWN;
    }
    input.predict = predict;
    input.learn = learn;
    input.user = s;
    Search *search = search_begin(s->tuner->ir->arena, &input);
    for (int n; s->measured < s->wanted && !tuner_is_late(s->tuner); s->measured += n) {
        const int left = s->wanted - s->measured;
        NestKnobs knobs[BATCH];
        n = search_ask(search, points, left < BATCH ? left : BATCH);
        if (n == 0)
            break;
        for (int i = 0; i < n; i++)
            knobs[i] = space_knobs(s->space, &points[i]);
        if (!measure(s, knobs, n, 3, speeds))
            return false;
        for (int i = 0; i < n; i++)
            note_lesson(s, &points[i], speeds[i]);
        search_tell(search, points, speeds, n);
        show(s, n);
    }
    return true;
}

/* The best once more beside what is planned, in many rounds: of many that were measured it may have been the luckiest. */
static bool confirm(NestSearch *s)
{
    const NestKnobs planned = space_knobs(s->space, &s->space->planned), best = s->best;
    double speed;
    if (memcmp(&planned, &best, sizeof planned) == 0) {
        s->best_speed = 1; /* whatever noise made of it */
        return true;
    }
    s->confirms = true;
    if (!measure(s, &best, 1, 8, &speed))
        return false;
    s->best = speed < WORTH ? planned : best;
    s->best_speed = speed < WORTH ? 1 : speed;
    return true;
}

/* ---------------------------------------------------------------- one nest */

static double mean_ns(const NestSearch *s)
{
    double sum = 0;
    for (int i = 0; i < s->nshapes; i++)
        sum += log(s->base.time[i]);
    return exp(sum / s->nshapes) / s->best_speed;
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
                       .machine = machine_here(t->set, 1)};
    for (int i = 0; i < s->nshapes; i++)
        values[i] = shape_values(t->ir->arena, o->plan->func, s->shapes[i].extents, &in.nvalues);
    s->predictor = predictor_new(&in);
}

bool search_nest(NestTuner *t, int op, HostNest *nest, const NestSpace *space)
{
    const PlanOptions plan = tuner_plan_options(t->opt);
    NestSearch s = {.tuner = t, .nest = nest, .space = space, .best = space_knobs(space, &space->planned), .best_speed = 1};
    take_shapes(&s, op);
    if (!s.nshapes)
        return true;
    const int64_t size = space_size(t->ir->arena, space);
    s.wanted = search_measurements(t->opt, size);
    s.base = (FormTimes){LIBRARY, 0, arena_new_array(t->ir->arena, double, s.nshapes)};
    begin_predictor(&s, op, nest, &plan);
    tune_report_nest(t->report, nest, t->set, size, s.shapes, s.nshapes, s.base.time);
    const bool done = t->opt->tuning.search == TUNE_SEARCH_ALL ? search_all(&s) : search_some(&s, (SearchKind)t->opt->tuning.search);
    if (!done || !s.measured || !confirm(&s))
        return done && !s.measured;
    progress_part(&t->progress, arena_printf(t->ir->arena, "%s, %s: %d measured, %.2f times as fast as planned", nest->stem,
                                             vector_sets[t->set].name, s.measured, s.best_speed));
    knobs_put(t->ir->arena, t->profile, nest, t->set, &s.best, mean_ns(&s));
    tune_report_chosen(t->report, &s.best, s.best_speed);
    return tune_save((void *)t->opt, t->profile) && tune_report_save(t->report, t->profile);
}
