/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nest by nest: what was found for one is there while the next is searched. */
#include "gen/tune/tune_nests.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gen/driver/child.h"
#include "gen/tune/compile.h"
#include "gen/tune/form_table.h"
#include "gen/driver/nest_choice.h"
#include "gen/tune/nest_search.h"
#include "gen/tune/placement_search.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_file.h"
#include "tune/describe.h"
#include "tune/fuse_lines.h"
#include "tune/measure.h"
#include "tune/nest_lines.h"

/* The specs, of which one at a time has a measuring program that runs: that of `t`. */
typedef struct Searches {
    NestTuner t;
    TuneSpec *specs;
    int nspecs;
    const TuneSpec *open; /* NULL: none has */
    bool has_set;         /* t.set is chosen */
    const char **runs;    /* by shape of that spec: a digit for each nest of the shape's operator, 1: it runs there */
} Searches;

/* ---------------------------------------------------------------- specs */

/* The instruction set of --isa, else the best that this machine has. */
static bool choose_set(NestTuner *t)
{
    const NestShape *shape = t->shapes.items[0];
    if (session_number(t->session, arena_printf(t->ir->arena, "extents %d %s", shape->op, shape->extents)) < 0)
        return false;
    for (int set = 0; set < SET_COUNT; set++) {
        t->set = (VectorSetId)set;
        const bool wanted = !t->opt->calls.isa || strcmp(t->opt->calls.isa, vector_sets[set].name) == 0;
        if (wanted && session_number(t->session, arena_printf(t->ir->arena, "time 0 0 %d 1", vector_sets[set].number)) > 0) {
            const Trees **models = arena_new_array(t->ir->arena, const Trees *, SET_COUNT);
            models_read(t->ir->arena, built_in_models, models);
            t->model.trees = models[set];
            t->usual.models = models;
            return true;
        }
    }
    tune_complain("this machine has no such instruction set", "leave --isa away");
    t->status = USER_FAULT;
    return false;
}

/* Which nests run where. The spec's library is loaded. */
static bool find_runs(Searches *s)
{
    const NestTuner *t = &s->t;
    Arena *arena = t->ir->arena;
    s->runs = arena_new_array(arena, const char *, t->shapes.count);
    for (int i = 0; i < t->shapes.count; i++) {
        const NestShape *shape = t->shapes.items[i];
        const char *bytes = session_ask(t->session, arena_printf(arena, "extents %d %s", shape->op, shape->extents));
        s->runs[i] = !bytes || bytes[0] == '-' ? bytes
                                               : session_ask(t->session, arena_printf(arena, "runs 0 %d", vector_sets[t->set].number));
        if (!s->runs[i])
            return false;
    }
    return true;
}

/* From here on `t` is about this spec. False when that is all. */
static bool open_spec(Searches *s, const TuneSpec *spec)
{
    NestTuner *t = &s->t;
    Session *former = t->session;
    const char *path;
    if (s->open == spec)
        return true;
    t->program = &spec->program;
    t->shapes = spec->shapes;
    t->maker.spec = *spec->text;
    t->maker.spec.base = 0;
    t->status = form_program(t->ir->arena, &t->maker, &path);
    if (t->status != DONE)
        return false;
    t->session = session_begin(t->ir->arena, path, t->opt->tuning.quick ? 20000 : 2000000);
    unlink(path);
    if (former)
        session_end(former); /* not before: signals are watched all the time */
    if (!t->session)
        return false;
    s->open = spec;
    if (!tuner_load(t, NULL))
        return false;
    s->has_set = s->has_set ||
                 (describe_machine(t->ir->arena, t->session, compile_words(t->ir->arena, t->opt), t->profile) && choose_set(t));
    return s->has_set && find_runs(s);
}

static bool has_shapes(const TuneSpec *spec, int op)
{
    for (int i = 0; i < spec->shapes.count; i++)
        if (((const NestShape *)spec->shapes.items[i])->op == op)
            return true;
    return false;
}

/* ---------------------------------------------------------------- where arrays are computed */

/* How many ways will be measured of the operator: not of one that the profile knows, and that an operator before it has, too, it knows by
 * then. */
static int ways_to_measure(const Searches *s, const TuneSpec *spec, int op)
{
    const NestTuner *t = &s->t;
    const Operator *o = &spec->program.operators[op];
    Placements known;
    const bool is_known = !t->opt->tuning.again && placements_get(t->ir->arena, t->profile, o->plan->fingerprint, &known);
    return is_known || !has_shapes(spec, op) ? 0 : placement_measurements(t, o);
}

/* Of shards only the nests are dealt out, which must be the same for all. */
static bool search_all_placements(Searches *s)
{
    NestTuner *t = &s->t;
    double total = 0;
    bool ok = true;
    for (int i = 0; i < s->nspecs; i++)
        for (int op = 0; op < s->specs[i].program.noperators; op++)
            total += ways_to_measure(s, &s->specs[i], op);
    if (!total || t->opt->tuning.shards > 1)
        return true;
    t->progress = progress_begin(total);
    for (int i = 0; i < s->nspecs; i++)
        for (int op = 0; ok && op < s->specs[i].program.noperators && !is_over(t->deadline); op++)
            if (ways_to_measure(s, &s->specs[i], op))
                ok = open_spec(s, &s->specs[i]) && search_placements(t, op);
    progress_end(&t->progress);
    return ok;
}

/* The lines of the spec's operators that place some array otherwise than planned; NULL: there are none. */
static const Profile *placements_of(const Searches *s, const TuneSpec *spec)
{
    Arena *arena = s->t.ir->arena;
    Profile *own = NULL;
    for (int op = 0; op < spec->program.noperators; op++) {
        const uint64_t fingerprint = spec->program.operators[op].plan->fingerprint;
        Placements placements;
        bool differs = false;
        if (!placements_get(arena, s->t.profile, fingerprint, &placements))
            continue;
        for (int i = 0; i < MOST_PLACED; i++)
            differs = differs || placements.of[i] != PLACE_PLANNED;
        if (!differs)
            continue;
        own = own ? own : profile_new(arena, NULL);
        placements_put(arena, own, fingerprint, &placements, 0);
    }
    return own;
}

/* The nests that are searched are those of the placements that are chosen. */
static bool plan_by_placements(Searches *s)
{
    for (int i = 0; i < s->nspecs; i++) {
        const Profile *placements = placements_of(s, &s->specs[i]);
        if (placements && !tune_plan_again(s->t.ir, s->t.opt, &s->specs[i], placements))
            return false;
        if (placements && s->open == &s->specs[i])
            s->open = NULL; /* what is loaded has other nests */
    }
    return true;
}

/* ---------------------------------------------------------------- nests */

/* An operator that has some loops, and where it first has them. */
typedef struct Place {
    const TuneSpec *spec;
    int op;
    HostNest *nest;
} Place;

/* Loops with something to choose, for the set that is searched, and not in the profile yet. */
typedef struct Task {
    Vec places; /* Place * */
    const NestSpace *space;
    int size; /* configurations that will be measured */
} Task;

static const Place *first_place(const Task *task) { return task->places.items[0]; }

static Task *task_of(Arena *arena, Vec *tasks, uint64_t fingerprint)
{
    for (int i = 0; i < tasks->count; i++)
        if (first_place(tasks->items[i])->nest->fingerprint == fingerprint)
            return tasks->items[i];
    Task *task = arena_new_array(arena, Task, 1);
    vec_push(arena, tasks, task);
    return task;
}

/* Of all specs, the same loops once, wherever they are. */
static Vec nests_of(const Searches *s)
{
    Arena *arena = s->t.ir->arena;
    Vec nests = {0};
    for (int i = 0; i < s->nspecs; i++)
        for (int op = 0; op < s->specs[i].program.noperators; op++) {
            const Plan *plan = s->specs[i].program.operators[op].plan;
            for (int n = 0; n < host_nest_count(plan) && has_shapes(&s->specs[i], op); n++) {
                Task *task = task_of(arena, &nests, host_nest_at(plan, n)->fingerprint);
                const Place *last = task->places.count ? task->places.items[task->places.count - 1] : NULL;
                if (last && last->spec == &s->specs[i] && last->op == op)
                    continue;
                Place *place = arena_alloc(arena, sizeof *place);
                *place = (Place){&s->specs[i], op, host_nest_at(plan, n)};
                vec_push(arena, &task->places, place);
            }
        }
    return nests;
}

/* Nests are dealt out whatever is known of them: the same ones each time. */
static bool is_ours(const TuneOptions *tuning, int number) { return number % tuning->shards == tuning->shard - 1; }

/* What was found on another number of threads is no answer. */
static bool is_known(const NestTuner *t, const HostNest *nest)
{
    return knobs_threads(t->ir->arena, t->profile, nest, t->set) == tuner_threads(t->opt);
}

static Vec tasks_of(const Searches *s)
{
    const NestTuner *t = &s->t;
    const Vec nests = nests_of(s);
    Vec tasks = {0};
    for (int i = 0; i < nests.count; i++) {
        Task *task = nests.items[i];
        HostNest *nest = first_place(task)->nest;
        task->space = is_ours(&t->opt->tuning, i) ? tuner_space(t->ir, t->opt, t->program, nest, t->set) : NULL;
        if (!task->space || (!t->opt->tuning.again && is_known(t, nest)))
            continue;
        task->size = search_measurements(&t->opt->tuning, space_size(t->ir->arena, task->space->chain));
        vec_push(t->ir->arena, &tasks, task);
    }
    return tasks;
}

/* The extents at which a call of the operator runs these loops; its spec is open. */
static Vec shapes_that_run(const Searches *s, const Place *place)
{
    const Plan *plan = place->spec->program.operators[place->op].plan;
    Vec shapes = {0};
    for (int i = 0; i < place->spec->shapes.count; i++) {
        const NestShape *shape = place->spec->shapes.items[i];
        bool runs = false;
        for (int n = 0; shape->op == place->op && n < host_nest_count(plan) && s->runs[i][n] && s->runs[i][0] != '-'; n++)
            runs = runs || (s->runs[i][n] == '1' && host_nest_at(plan, n)->fingerprint == place->nest->fingerprint);
        if (runs)
            vec_push(s->t.ir->arena, &shapes, place->spec->shapes.items[i]);
    }
    return shapes;
}

/* At the first place where they run. */
static bool search_task(Searches *s, const Task *task)
{
    NestTuner *t = &s->t;
    for (int i = 0; i < task->places.count; i++) {
        const Place *place = task->places.items[i];
        const NestSpace *space = i ? tuner_space(t->ir, t->opt, t->program, place->nest, t->set) : task->space;
        if (!space)
            continue;
        if (!open_spec(s, place->spec))
            return false;
        t->shapes = shapes_that_run(s, place);
        if (t->shapes.count)
            return search_nest(t, place->op, place->nest, space);
    }
    progress_end(&t->progress);
    fprintf(stderr, "mikgen: note: %s is not searched: no call at these extents runs its loops\n", first_place(task)->nest->stem);
    progress_add(&t->progress, task->size, first_place(task)->nest->stem);
    return true;
}

static bool search_nests(Searches *s)
{
    NestTuner *t = &s->t;
    const Vec tasks = tasks_of(s);
    double total = 0;
    bool ok = true;
    for (int i = 0; i < tasks.count; i++)
        total += ((const Task *)tasks.items[i])->size;
    t->progress = progress_begin(total);
    for (int i = 0; ok && i < tasks.count && !is_over(t->deadline); i++)
        ok = search_task(s, tasks.items[i]);
    progress_end(&t->progress);
    return ok;
}

static int search_in(Searches *s)
{
    bool done = true;
    for (int i = 0; done && i < s->nspecs && !s->open; i++)
        done = !s->specs[i].shapes.count || open_spec(s, &s->specs[i]);
    done = done && search_all_placements(s) && plan_by_placements(s) && search_nests(s);
    if (s->t.session)
        session_end(s->t.session);
    if (!done && s->t.status == DONE)
        s->t.status = session_signal() ? tune_interrupted(session_signal()) : USER_FAULT;
    return s->t.status;
}

bool tune_has_nests(Ir *ir, const Options *opt, const TuneSpec *specs)
{
    for (int i = 0; i < opt->in.nspecs; i++)
        for (int op = 0; op < specs[i].program.noperators; op++)
            for (int n = 0; n < host_nest_count(specs[i].program.operators[op].plan); n++)
                for (int set = 0; set < SET_COUNT; set++)
                    if (tuner_space(ir, opt, &specs[i].program, host_nest_at(specs[i].program.operators[op].plan, n), (VectorSetId)set))
                        return true;
    return false;
}

int tune_nests_run(Ir *ir, const Options *opt, TuneSpec *specs, Profile *profile, TuneReport *report)
{
    Searches s = {
        .t = {.ir = ir, .opt = opt, .maker = {.opt = opt, .folder = child_folder(ir->arena)}, .profile = profile, .report = report},
        .specs = specs,
        .nspecs = opt->in.nspecs};
    NestTuner *t = &s.t;
    if (!t->maker.folder) {
        tune_complain(strerror(errno), "TMPDIR names a folder for temporary files");
        return USER_FAULT;
    }
    if (!form_table_open(&opt->tuning, "isa", knob_names(ir->arena), tuner_knobs(opt), &t->table))
        return USER_FAULT;
    t->deadline = opt->tuning.budget ? measure_clock() + 1e9 * opt->tuning.budget : 0;
    const int status = search_in(&s);
    report->is_short = is_over(t->deadline);
    if (t->table)
        fclose(t->table);
    rmdir(t->maker.folder);
    const bool has_ended = status == DONE || session_signal();
    return has_ended && !tune_report_save(report, profile) ? USER_FAULT : status;
}
