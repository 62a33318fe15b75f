/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knobs become words here: the page knows nothing of nests. */
#include "gen/tune/tune_report.h"

#include <stdio.h>
#include <string.h>

#include "gen/driver/file.h"
#include "gen/driver/program.h"
#include "tune/describe.h"
#include "tune/nests/device_features.h"
#include "tune/nests/nest_model.h"

/* Profiles have numbers; people read what they mean. */
static const char *value_text(Arena *arena, NestKnob knob, int value)
{
    if (value == KNOB_PLANNED)
        return NULL;
    if (knob == KNOB_LANES)
        return value == KNOB_OUTER ? "outer" : "inner";
    if (knob_info[knob].what[strlen(knob_info[knob].what) - 1] == '?')
        return value == KNOB_YES ? "yes" : "no";
    return arena_printf(arena, "%d", value);
}

static const char *const *knob_texts(Arena *arena, const NestKnobs *knobs)
{
    const char **texts = arena_new_array(arena, const char *, KNOB_COUNT);
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        texts[knob] = value_text(arena, (NestKnob)knob, knobs->value[knob]);
    return texts;
}

const char *const *knob_names(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, KNOB_COUNT);
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        names[knob] = knob_info[knob].name;
    return names;
}

bool tune_report_begin(Arena *arena, const Options *opt, TuneReport *report)
{
    *report = (TuneReport){.arena = arena, .path = opt->out.report, .page.spec = spec_names(arena, &opt->in)};
    return tune_report_save(report, NULL);
}

/* A nest that is searched from here on, of so many knobs and features. */
static void begin(TuneReport *report, const char *name, const char *record, int64_t size, const NestShape *shapes, int nshapes,
                  const double *planned_ns)
{
    const char **extents = arena_new_array(report->arena, const char *, nshapes);
    for (int i = 0; i < nshapes; i++)
        extents[i] = shapes[i].extents;
    report->nest = arena_alloc(report->arena, sizeof *report->nest);
    *report->nest = (ReportNest){
        .name = name, .record = record, .size = size, .shapes = extents, .planned_ns = planned_ns, .nshapes = nshapes};
    vec_push(report->arena, &report->page.nests, report->nest);
}

static void add_trial(TuneReport *report, const char *const *knobs, const double *features, double predicted, double measured, bool again)
{
    ReportTrial *trial = arena_alloc(report->arena, sizeof *trial);
    *trial = (ReportTrial){knobs, predicted, measured, features, again};
    vec_push(report->arena, &report->nest->trials, trial);
}

static void choose(TuneReport *report, const char *const *knobs, double speed)
{
    report->nest->chosen = knobs;
    report->nest->speed = speed;
}

void tune_report_nest(TuneReport *report, const HostNest *nest, VectorSetId set, int64_t size, const NestShape *shapes, int nshapes,
                      const double *planned_ns)
{
    begin(report, arena_printf(report->arena, "%s, %s", nest->stem, vector_sets[set].name),
          arena_printf(report->arena, "nest %s %s", vector_sets[set].name, profile_nest_name(report->arena, nest->fingerprint)), size,
          shapes, nshapes, planned_ns);
    report->nest->knob_names = knob_names(report->arena);
    report->nest->nknobs = KNOB_COUNT;
    report->nest->feature_names = feature_names(report->arena);
    report->nest->nfeatures = NEST_FEATURES;
}

void tune_report_trial(TuneReport *report, const NestKnobs *knobs, const double *numbers, double predicted, double measured, bool again)
{
    if (report->path) /* pages alone show them */
        add_trial(report, knob_texts(report->arena, knobs), numbers ? mean_features(report->arena, numbers, report->nest->nshapes) : NULL,
                  predicted, measured, again);
}

void tune_report_chosen(TuneReport *report, const NestKnobs *knobs, double speed)
{
    choose(report, knob_texts(report->arena, knobs), speed);
}

/* ---------------------------------------------------------------- GPUs */

static const char *const *grid_texts(Arena *arena, const GridKnobs *knobs)
{
    const char **texts = arena_new_array(arena, const char *, GRID_KNOBS);
    for (int knob = 0; knob < GRID_KNOBS; knob++)
        texts[knob] = knobs->value[knob] ? arena_printf(arena, "%d", knobs->value[knob]) : NULL;
    return texts;
}

void tune_report_grid(TuneReport *report, const char *name, const DeviceNest *nest, int gpu, int64_t size, const NestShape *shapes,
                      int nshapes, const double *planned_ns)
{
    const char **knobs = arena_new_array(report->arena, const char *, GRID_KNOBS);
    const char **features = arena_new_array(report->arena, const char *, DEVICE_FEATURES);
    for (int knob = 0; knob < GRID_KNOBS; knob++)
        knobs[knob] = grid_knob_info[knob].name;
    for (int feature = 0; feature < DEVICE_FEATURES; feature++)
        features[feature] = device_feature_info[feature].name;
    begin(report, arena_printf(report->arena, "%s, %s", name, gpu_name(gpu)),
          arena_printf(report->arena, "grid %s %s", gpu_name(gpu), profile_nest_name(report->arena, nest->fingerprint)), size, shapes,
          nshapes, planned_ns);
    report->nest->knob_names = knobs;
    report->nest->nknobs = GRID_KNOBS;
    report->nest->feature_names = features;
    report->nest->nfeatures = DEVICE_FEATURES;
}

void tune_report_grid_trial(TuneReport *report, const GridKnobs *knobs, const double *features, double predicted, double measured,
                            bool again)
{
    if (!report->path)
        return;
    double *own = arena_new_array(report->arena, double, DEVICE_FEATURES);
    memcpy(own, features, DEVICE_FEATURES * sizeof *own);
    add_trial(report, grid_texts(report->arena, knobs), own, predicted, measured, again);
}

void tune_report_grid_chosen(TuneReport *report, const GridKnobs *knobs, double speed)
{
    choose(report, grid_texts(report->arena, knobs), speed);
}

void tune_report_class(TuneReport *report, ShapeClass shape, const NestKnobs *knobs, double gain)
{
    ReportClass *of = arena_alloc(report->arena, sizeof *of);
    *of = (ReportClass){shape_classes[shape].word, shape_classes[shape].what, knob_texts(report->arena, knobs), gain};
    vec_push(report->arena, &report->nest->classes, of);
}

/* Lines of kernels, of processors and of GPUs. */
static int count_kernels(const char *text)
{
    int n = 0;
    for (; text; text = strchr(text, '\n')) {
        text += *text == '\n';
        n += strncmp(text, "kernel ", 7) == 0 || strncmp(text, "block ", 6) == 0;
    }
    return n;
}

void tune_report_end(const TuneReport *report, const Options *opt, const char *before, const Profile *profile)
{
    Arena *arena = arena_new();
    const char *after = profile_print(arena, profile), *file = opt->out.file;
    const int kernels = count_kernels(after) - count_kernels(before);
    if (!report->page.nests.count && strcmp(before, after) == 0) {
        fprintf(stderr, "mikgen: nothing was left to measure%s%s%s\n", file ? "; " : "", file ? file : "", file ? " is as it was" : "");
        arena_free(arena);
        return;
    }
    if (kernels > 0)
        fprintf(stderr, "mikgen: %d kernel%s measured: calls choose among them by that\n", kernels, kernels == 1 ? "" : "s");
    for (int i = 0; i < report->notes.count; i++)
        fprintf(stderr, "mikgen: %s\n", (const char *)report->notes.items[i]);
    if (report->page.nests.count)
        fprintf(stderr, "mikgen: %s\n%s", report_headline(arena, &report->page), report_verdict(arena, &report->page));
    if (report->is_short)
        fprintf(stderr, "mikgen: the time did not suffice for all; the same command goes on from there\n");
    if (report->path)
        fprintf(stderr, "mikgen: %s has a page about it\n", report->path);
    if (file)
        fprintf(stderr, "mikgen: written to %s, for mikgen --target=%s --profile=%s %s\n", file,
                strcmp(opt->planner.target, "cuda") == 0 ? "cuda" : "c", file, report->page.spec);
    arena_free(arena);
}

bool tune_report_save(TuneReport *report, const Profile *profile)
{
    if (!report->path)
        return true;
    Arena *arena = arena_new();
    report->page.machine = report->device ? report->device : profile ? machine_line(profile) : NULL;
    const char *page = report_page(arena, &report->page);
    const bool ok = file_write(arena, report->path, page, strlen(page));
    arena_free(arena);
    return ok;
}
