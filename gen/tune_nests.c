/* Nest by nest: what was found for one is there while the next is searched. */
#include "gen/tune_nests.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/child.h"
#include "gen/compile.h"
#include "gen/nest_forms.h"
#include "gen/nest_shapes.h"
#include "gen/program.h"
#include "gen/tune_file.h"
#include "tune/describe.h"
#include "tune/measure.h"
#include "tune/nest_lines.h"
#include "tune/nests/space.h"
#include "tune/search/constraint_walk.h"

enum { BATCH = 32, MOST_MEASURED = 64, LIBRARY = 0 };
static const double WORTH = 1.01; /* how many times as fast as planned a configuration has to be */

typedef struct NestTuner {
    Ir *ir;
    const Options *opt;
    Program *program;
    FormMaker maker;
    Session *session;
    Profile *profile;
    Vec shapes;      /* NestShape * */
    VectorSetId set; /* that is searched */
    FILE *table;     /* of --measurements; NULL: none */
    double deadline; /* on measure_clock; 0: none */
    int status;      /* the exit status, as soon as it is not DONE */
} NestTuner;

/* The nest that is searched. */
typedef struct NestSearch {
    const HostNest *nest;
    const char *name; /* in profiles */
    const NestSpace *space;
    NestShape *shapes; /* of its operator */
    int nshapes;
    FormTimes base;  /* as planned */
    NestKnobs best;
    double best_speed; /* how many times as fast as planned */
    int measured;
    int64_t size; /* of the space */
} NestSearch;

static PlanOptions plan_options(const Options *opt)
{
    return (PlanOptions){.fp_strict = opt->fp_strict, .math_libm = opt->math_libm || opt->fp_strict, .stack = opt->stack};
}

static bool is_late(const NestTuner *t) { return t->deadline > 0 && measure_clock() > t->deadline; }

/* ---------------------------------------------------------------- configurations as programs */

/* Makes and loads one with such forms of the nest besides the planned one; NULL: of none. False when that is all. */
static bool load(NestTuner *t, const NestForms *forms)
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

static void add_to_table(const NestTuner *t, const NestSearch *s, const NestKnobs *knobs, const FormTimes *form, const FormTimes *base)
{
    for (int shape = 0; t->table && shape < s->nshapes; shape++) {
        fprintf(t->table, "%s,%s,%s", s->nest->stem, vector_sets[t->set].name, s->shapes[shape].extents);
        for (int knob = 0; knob < KNOB_COUNT; knob++)
            fprintf(t->table, ",%d", knobs->value[knob]);
        fprintf(t->table, ",%.6g,%.6g\n", form->time[shape], base->time[shape]);
    }
    if (t->table)
        fflush(t->table);
}

/* Measures some configurations beside the planned one; speeds: of which each is how many times as fast, 0: not at all. False: the end. */
static bool measure(NestTuner *t, NestSearch *s, const NestKnobs *knobs, int n, double *speeds)
{
    Arena *arena = t->ir->arena;
    const FormsInput in = {.session = t->session,
                           .shapes = s->shapes,
                           .nshapes = s->nshapes,
                           .isa = vector_sets[t->set].isa,
                           .threads = 1,
                           .least = t->opt->tuning.quick ? 2 : 3,
                           .most = t->opt->tuning.quick ? 3 : 9};
    const NestForms all = {s->nest->fingerprint, t->set, knobs, n};
    FormTimes forms[BATCH + 1] = {s->base};
    for (int i = 1; i <= n; i++)
        forms[i] = (FormTimes){LIBRARY, i, arena_new_array(arena, double, s->nshapes)};
    if (!load(t, &all))
        return false;
    if (!measure_forms(arena, &in, forms, n + 1)) {
        t->status = session_signal() ? tune_interrupted(t->opt, session_signal()) : USER_FAULT;
        return false;
    }
    for (int i = 0; i < n; i++) {
        speeds[i] = form_speed(&in, &forms[i + 1], &forms[0]);
        add_to_table(t, s, &knobs[i], &forms[i + 1], &forms[0]);
        if (speeds[i] > s->best_speed) {
            s->best_speed = speeds[i];
            s->best = knobs[i];
        }
    }
    s->measured += n;
    return true;
}

/* ---------------------------------------------------------------- searching */

static int64_t size_of(Arena *arena, const TuneChain *chain)
{
    TuneWalk *walk = tune_walk(arena, chain, TUNE_AC3);
    while (tune_next(walk))
        ;
    return tune_counts(walk)->survivors;
}

static void show(const NestTuner *t, const NestSearch *s)
{
    fprintf(stderr, "%s, %s: %d of %lld measured, best %.3f\n", s->nest->stem, vector_sets[t->set].name, s->measured, (long long)s->size,
            s->best_speed);
}

/* All configurations, as the chain has them. */
static bool search_all(NestTuner *t, NestSearch *s)
{
    TuneWalk *walk = tune_walk(t->ir->arena, s->space->chain, TUNE_AC3);
    const TunePoint *point = tune_next(walk);
    while (point && !is_late(t)) {
        NestKnobs knobs[BATCH];
        double speeds[BATCH];
        int n = 0;
        for (; point && n < BATCH; point = tune_next(walk))
            knobs[n++] = space_knobs(s->space, point);
        if (!measure(t, s, knobs, n, speeds))
            return false;
        show(t, s);
    }
    return true;
}

/* The best once more beside what is planned, in many rounds: of many that were measured it may have been the luckiest. */
static bool confirm(NestTuner *t, NestSearch *s)
{
    const NestKnobs planned = space_knobs(s->space, &s->space->planned);
    double speed;
    if (memcmp(&planned, &s->best, sizeof planned) == 0)
        return true;
    s->best_speed = 0;
    if (!measure(t, s, &s->best, 1, &speed))
        return false;
    if (speed < WORTH)
        s->best = planned;
    s->best_speed = speed < WORTH ? 1 : speed;
    return true;
}

/* ---------------------------------------------------------------- all of them */

static double mean_ns(const NestSearch *s)
{
    double sum = 0;
    for (int i = 0; i < s->nshapes; i++)
        sum += log(s->base.time[i]);
    return exp(sum / s->nshapes) / s->best_speed;
}

/* The shapes of operator number `op`. */
static void take_shapes(const NestTuner *t, int op, NestSearch *s)
{
    s->shapes = arena_new_array(t->ir->arena, NestShape, t->shapes.count);
    for (int i = 0; i < t->shapes.count; i++)
        if (((const NestShape *)t->shapes.items[i])->op == op)
            s->shapes[s->nshapes++] = *(const NestShape *)t->shapes.items[i];
}

static bool search_nest(NestTuner *t, int op, HostNest *nest)
{
    const PlanOptions plan = plan_options(t->opt);
    NestSearch s = {.nest = nest, .space = nest_space(t->ir, nest, t->set, &plan)};
    NestKnobs known;
    take_shapes(t, op, &s);
    s.size = s.space ? size_of(t->ir->arena, s.space->chain) : 0;
    if (!s.space || !s.nshapes || (!t->opt->tuning.again && knobs_get(t->ir->arena, t->profile, nest, t->set, &known)))
        return true;
    s.best = space_knobs(s.space, &s.space->planned);
    s.best_speed = 1;
    s.base = (FormTimes){LIBRARY, 0, arena_new_array(t->ir->arena, double, s.nshapes)};
    if (!search_all(t, &s) || !confirm(t, &s))
        return false;
    knobs_put(t->ir->arena, t->profile, nest, t->set, &s.best, mean_ns(&s));
    return tune_save((void *)t->opt, t->profile);
}

static bool search_nests(NestTuner *t)
{
    bool ok = true;
    for (int op = 0; ok && op < t->program->noperators; op++) {
        const Plan *plan = t->program->operators[op].plan;
        for (int i = 0; ok && i < plan->nhost_nests && !is_late(t); i++)
            ok = search_nest(t, op, plan->host_nests[i]);
    }
    return ok;
}

/* The instruction set of --isa, else the best that this machine has. */
static bool choose_set(NestTuner *t)
{
    const NestShape *shape = t->shapes.items[0];
    if (!load(t, NULL) || session_number(t->session, arena_printf(t->ir->arena, "extents %d %s", shape->op, shape->extents)) < 0)
        return false;
    for (int set = 0; set < SET_COUNT; set++) {
        t->set = (VectorSetId)set;
        const bool wanted = !t->opt->tuning.isa || strcmp(t->opt->tuning.isa, vector_sets[set].name) == 0;
        if (wanted && session_number(t->session, arena_printf(t->ir->arena, "time %d 0 %d 1", LIBRARY, vector_sets[set].isa)) > 0)
            return true;
    }
    tune_complain("this machine has no such instruction set", "leave --isa away");
    t->status = USER_FAULT;
    return false;
}

static int search_in(NestTuner *t)
{
    const char *path;
    t->status = form_program(t->ir->arena, &t->maker, &path);
    if (t->status != DONE)
        return t->status;
    t->session = session_begin(t->ir->arena, path, t->opt->tuning.quick ? 20000 : 2000000);
    if (!t->session)
        return USER_FAULT;
    const bool done = describe_machine(t->ir->arena, t->session, compile_words(t->ir->arena, t->opt), t->profile) && choose_set(t) &&
                      search_nests(t);
    session_end(t->session);
    unlink(path);
    return done ? DONE : t->status != DONE ? t->status : USER_FAULT;
}

bool tune_has_nests(Ir *ir, const Options *opt, Program *program)
{
    const PlanOptions plan = plan_options(opt);
    for (int op = 0; op < program->noperators; op++)
        for (int i = 0; i < program->operators[op].plan->nhost_nests; i++)
            for (int set = 0; set < SET_COUNT; set++)
                if (nest_space(ir, program->operators[op].plan->host_nests[i], (VectorSetId)set, &plan))
                    return true;
    return false;
}

static bool open_table(NestTuner *t)
{
    if (!t->opt->tuning.table)
        return true;
    t->table = fopen(t->opt->tuning.table, "w");
    if (!t->table) {
        tune_complain(strerror(errno), "--measurements names a file that can be written");
        return false;
    }
    fprintf(t->table, "nest,isa,extents");
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        fprintf(t->table, ",%s", knob_info[knob].name);
    fprintf(t->table, ",ns,planned_ns\n");
    return true;
}

int tune_nests_run(Ir *ir, const Options *opt, const SpecText *spec, Program *program, Profile *profile)
{
    NestTuner t = {.ir = ir, .opt = opt, .program = program, .maker = {opt, spec, child_folder(ir->arena)}, .profile = profile};
    if (!t.maker.folder) {
        tune_complain(strerror(errno), "TMPDIR names a folder for temporary files");
        return USER_FAULT;
    }
    if (!open_table(&t))
        return USER_FAULT;
    t.deadline = opt->tuning.budget ? measure_clock() + 1e9 * opt->tuning.budget : 0;
    const int status = nest_shapes(ir->arena, program->unit, opt->tuning.shapes, &t.shapes) ? search_in(&t) : USER_FAULT;
    if (t.table)
        fclose(t.table);
    rmdir(t.maker.folder);
    return status;
}
