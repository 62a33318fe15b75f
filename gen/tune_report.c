/* Knobs become words here: the page knows nothing of nests. */
#include "gen/tune_report.h"

#include <string.h>

#include "gen/file.h"
#include "gen/program.h"
#include "tune/describe.h"
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

static const char *const *knob_names(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, KNOB_COUNT);
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        names[knob] = knob_info[knob].name;
    return names;
}

static const char *const *feature_names(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, NEST_FEATURES);
    for (int feature = 0; feature < NEST_FEATURES; feature++)
        names[feature] = nest_features[feature].name;
    return names;
}

/* The mean over shapes of each feature; a row also has the knobs. */
static const double *mean_features(Arena *arena, const double *rows, int nshapes)
{
    double *features = arena_new_array(arena, double, NEST_FEATURES);
    for (int shape = 0; shape < nshapes; shape++)
        for (int feature = 0; feature < NEST_FEATURES; feature++)
            features[feature] += rows[shape * MODEL_FEATURES + feature] / nshapes;
    return features;
}

bool tune_report_begin(Arena *arena, const Options *opt, TuneReport *report)
{
    *report = (TuneReport){.arena = arena, .path = opt->tuning.report, .page.spec = spec_names(arena, opt)};
    return tune_report_save(report, NULL);
}

void tune_report_nest(TuneReport *report, const HostNest *nest, VectorSetId set, int64_t size, const NestShape *shapes, int nshapes,
                      const double *planned_ns)
{
    if (!report->path)
        return;
    const char **extents = arena_new_array(report->arena, const char *, nshapes);
    for (int i = 0; i < nshapes; i++)
        extents[i] = shapes[i].extents;
    report->nest = arena_alloc(report->arena, sizeof *report->nest);
    *report->nest = (ReportNest){
        .name = arena_printf(report->arena, "%s, %s", nest->stem, vector_sets[set].name),
        .record = arena_printf(report->arena, "nest %s %s", vector_sets[set].name, profile_nest_name(report->arena, nest->fingerprint)),
        .size = size,
        .shapes = extents,
        .planned_ns = planned_ns,
        .nshapes = nshapes,
        .knob_names = knob_names(report->arena),
        .nknobs = KNOB_COUNT,
        .feature_names = feature_names(report->arena),
        .nfeatures = NEST_FEATURES};
    vec_push(report->arena, &report->page.nests, report->nest);
}

void tune_report_trial(TuneReport *report, const NestKnobs *knobs, const double *rows, double predicted, double measured, bool again)
{
    if (!report->path)
        return;
    ReportTrial *trial = arena_alloc(report->arena, sizeof *trial);
    *trial = (ReportTrial){.knobs = knob_texts(report->arena, knobs), .predicted = predicted, .measured = measured, .again = again};
    trial->features = rows ? mean_features(report->arena, rows, report->nest->nshapes) : NULL;
    vec_push(report->arena, &report->nest->trials, trial);
}

void tune_report_chosen(TuneReport *report, const NestKnobs *knobs, double speed)
{
    if (!report->path)
        return;
    report->nest->chosen = knob_texts(report->arena, knobs);
    report->nest->speed = speed;
}

bool tune_report_save(TuneReport *report, const Profile *profile)
{
    if (!report->path)
        return true;
    Arena *arena = arena_new();
    report->page.machine = profile ? machine_line(profile) : NULL;
    const char *page = report_page(arena, &report->page);
    const bool ok = file_write(arena, report->path, page, strlen(page));
    arena_free(arena);
    return ok;
}
