/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features say what comes first, measurements what is chosen. */
#include "gen/tune/grid_search.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "gen/tune/form_search.h"
#include "gen/tune/form_table.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_file.h"
#include "tune/nest_lines.h"
#include "tune/search/constraint_walk.h"

enum { UNKNOWN = -1, LIBRARY = 0 };

typedef struct PartSearch {
    GridTuner *tuner;
    const GridNest *nest;
    const GridPart *part;
    FormTimes base; /* as planned */
    FormSearch search;
} PartSearch;

GridKnobs *grid_configurations(Arena *arena, const GridPart *part, int *n)
{
    GridKnobs *knobs = arena_new_array(arena, GridKnobs, (size_t)space_size(arena, part->space->chain));
    TuneWalk *walk = tune_walk(arena, part->space->chain, TUNE_CHECK);
    *n = 0;
    for (const TunePoint *point; (point = tune_next(walk));) {
        const GridKnobs own = grid_space_knobs(part->space, point);
        if (!grid_is_planned(&own))
            knobs[(*n)++] = own;
    }
    return knobs;
}

int grid_measurements(Arena *arena, const Options *opt, const GridNest *nest)
{
    int all = 0;
    for (int i = 0; i < nest->parts.count; i++)
        all += search_measurements(&opt->tuning, space_size(arena, ((const GridPart *)nest->parts.items[i])->space->chain));
    return all;
}

/* The form's number in the measuring program. */
static int choice_of(const GridTuner *t, const DeviceNest *nest, const GridKnobs *knobs)
{
    const char *text = arena_printf(t->arena, "%016" PRIx64 " %s", nest->fingerprint, grid_knobs_text(t->arena, knobs));
    if (grid_is_planned(knobs))
        return 0;
    for (int i = 0; i < t->choices.count; i++)
        if (strcmp(t->choices.items[i], text) == 0)
            return i + 1;
    return UNKNOWN;
}

/* ---------------------------------------------------------------- measuring */

/* The mean over calls of each feature. */
static void mean_features(const PartSearch *s, const TunePoint *point, double mean[DEVICE_FEATURES])
{
    double one[DEVICE_FEATURES];
    memset(mean, 0, DEVICE_FEATURES * sizeof *mean);
    for (int call = 0; call < s->part->ncalls; call++) {
        device_features(device_limits(s->tuner->device.gpu), grid_space_numbers(s->part->space, point, call), one);
        for (int i = 0; i < DEVICE_FEATURES; i++)
            mean[i] += one[i] / s->part->ncalls;
    }
}

static void note(const PartSearch *s, const TunePoint *point, const GridKnobs *knobs, const FormTimes *form, double speed)
{
    const GridTuner *t = s->tuner;
    const FormTable row = {s->part->name, gpu_name(t->device.gpu), s->part->shapes, s->part->nshapes, GRID_KNOBS};
    double features[DEVICE_FEATURES];
    mean_features(s, point, features);
    form_table_add(t->table, &row, knobs->value, form, &s->base);
    tune_report_grid_trial(t->report, knobs, features, exp(tune_preference(s->part->space->chain, point->values)), speed,
                           s->search.confirms);
}

/* FormSearch.measure: all are in the program already, but for what another mikgen has made. */
static bool measure(const TunePoint *points, int n, int least, double *speeds, void *user)
{
    PartSearch *s = user;
    GridTuner *t = s->tuner;
    const bool quick = t->opt->tuning.quick;
    const FormsInput in = {.session = t->session,
                           .shapes = s->part->shapes,
                           .nshapes = s->part->nshapes,
                           .threads = 1,
                           .least = quick ? 2 : least,
                           .most = quick ? 3 : 3 * least};
    GridKnobs knobs[FORM_BATCH];
    FormTimes forms[FORM_BATCH + 1] = {s->base};
    for (int i = 0; i < n; i++) {
        knobs[i] = grid_space_knobs(s->part->space, &points[i]);
        forms[i + 1] = (FormTimes){LIBRARY, choice_of(t, s->nest->nest, &knobs[i]), arena_new_array(t->arena, double, s->part->nshapes)};
        if (forms[i + 1].choice == UNKNOWN) {
            tune_complain(
                arena_printf(t->arena, "the measuring program has no %s with %s", s->part->name, grid_knobs_text(t->arena, &knobs[i])),
                "compile it again: it is of another spec, or of another version of mikgen");
            t->status = USER_FAULT;
            return false;
        }
    }
    if (!measure_forms(t->arena, &in, forms, n + 1)) {
        t->status = session_signal() ? tune_interrupted(session_signal()) : USER_FAULT;
        return false;
    }
    for (int i = 0; i < n; i++) {
        speeds[i] = form_speed(&in, &forms[i + 1], &forms[0]);
        note(s, &points[i], &knobs[i], &forms[i + 1], speeds[i]);
    }
    return true;
}

static void show(int more, void *user)
{
    const PartSearch *s = user;
    progress_add(&s->tuner->progress, more,
                 arena_printf(s->tuner->arena, "%s %s: best %.2f", s->part->name, gpu_name(s->tuner->device.gpu), s->search.best_speed));
}

/* ---------------------------------------------------------------- a nest */

static bool search_part(PartSearch *s)
{
    GridTuner *t = s->tuner;
    const GridSpace *space = s->part->space;
    s->base = (FormTimes){LIBRARY, 0, arena_new_array(t->arena, double, s->part->nshapes)};
    tune_report_grid(t->report, s->part->name, s->nest->nest, t->device.gpu, space_size(t->arena, space->chain), s->part->shapes,
                     s->part->nshapes, s->base.time);
    s->search = (FormSearch){.arena = t->arena,
                             .opt = t->opt,
                             .chain = space->chain,
                             .planned = &space->planned,
                             .deadline = t->deadline,
                             .measure = measure,
                             .show = show,
                             .user = s};
    if (!form_search(&s->search))
        return false;
    const GridKnobs best = grid_space_knobs(space, &s->search.best);
    tune_report_grid_chosen(t->report, &best, s->search.best_speed);
    progress_part(&t->progress, arena_printf(t->arena, "%s, %s: %d measured, %.2f times as fast as planned", s->part->name,
                                             gpu_name(t->device.gpu), s->search.measured, s->search.best_speed));
    return true;
}

bool search_grid(GridTuner *t, const GridNest *nest)
{
    GridKnobs chosen = {{0}};
    double logs = 0;
    int shapes = 0;
    for (int i = 0; i < nest->parts.count; i++) {
        PartSearch s = {.tuner = t, .nest = nest, .part = nest->parts.items[i]};
        if (!search_part(&s))
            return t->status == DONE && !s.search.measured;
        const GridKnobs best = grid_space_knobs(s.part->space, &s.search.best);
        for (int j = 0; j < s.part->space->chain->space.nparameters; j++)
            chosen.value[s.part->space->knob[j]] = best.value[s.part->space->knob[j]];
        for (int j = 0; j < s.part->nshapes; j++)
            if (s.base.time[j] > 0) {
                logs += log(s.base.time[j] / s.search.best_speed);
                shapes++;
            }
    }
    if (!shapes) {
        fprintf(stderr, "mikgen: note: %s does not run on these extents\nhelp: --shapes=FILE has others\n", nest->nest->stem);
        return true;
    }
    grid_put(t->arena, t->profile, nest->nest, t->device.gpu, &chosen, exp(logs / shapes));
    return tune_save((void *)t->opt, t->profile) && tune_report_save(t->report, t->profile);
}
