/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/nest_model.h"

#include <string.h>

/* Its place among the numbers of a configuration. */
enum { LAST_KNOB = NEST_FEATURES + KNOB_TASKS };
_Static_assert(LAST_KNOB == CONFIGURATION_NUMBERS - 1, "rows have KNOB_TASKS behind all else");

/* d_: a difference. A feature and a knob may share a word. */
static const char *row_name(Arena *arena, int i)
{
    if (i < NEST_FEATURES)
        return arena_printf(arena, "d_%s", nest_features[i].name);
    if (i < LAST_KNOB)
        return arena_printf(arena, "d_knob_%s", knob_info[i - NEST_FEATURES].name);
    if (i < MODEL_FEATURES)
        return arena_printf(arena, "planned_%s", nest_features[i - LAST_KNOB].name);
    return arena_printf(arena, "d_knob_%s", knob_info[KNOB_TASKS].name);
}

const char *const *model_names(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, ROW_FEATURES);
    for (int i = 0; i < ROW_FEATURES; i++)
        names[i] = row_name(arena, i);
    return names;
}

const char *const *feature_names(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, NEST_FEATURES);
    for (int i = 0; i < NEST_FEATURES; i++)
        names[i] = nest_features[i].name;
    return names;
}

const double *mean_features(Arena *arena, const double *numbers, int nshapes)
{
    double *features = arena_new_array(arena, double, NEST_FEATURES);
    for (int shape = 0; shape < nshapes; shape++)
        for (int i = 0; i < NEST_FEATURES; i++)
            features[i] += numbers[shape * CONFIGURATION_NUMBERS + i] / nshapes;
    return features;
}

void configuration_numbers(const FeatureInput *in, const NestKnobs *knobs, double *numbers)
{
    nest_features_of(in, numbers);
    for (int i = 0; i < KNOB_COUNT; i++)
        numbers[NEST_FEATURES + i] = knobs->value[i];
}

void model_row(const double *numbers, const double *planned, double *row)
{
    for (int i = 0; i < LAST_KNOB; i++)
        row[i] = numbers[i] - planned[i];
    memcpy(row + LAST_KNOB, planned, NEST_FEATURES * sizeof *row);
    row[MODEL_FEATURES] = numbers[LAST_KNOB] - planned[LAST_KNOB];
}

static bool has_features(const Trees *trees)
{
    Arena *arena = arena_new();
    const char *const *names = model_names(arena);
    int same = 0;
    while (same < MODEL_FEATURES && trees_feature(trees, same) && strcmp(trees_feature(trees, same), names[same]) == 0)
        same++;
    arena_free(arena);
    return same == MODEL_FEATURES && !trees_feature(trees, same);
}

VectorSetId model_set(const Trees *trees)
{
    const char *about = trees_about(trees);
    int set = about && has_features(trees) ? 0 : SET_COUNT;
    while (set < SET_COUNT && strcmp(vector_sets[set].name, about) != 0)
        set++;
    return (VectorSetId)set;
}

double model_log_speed(const NestModel *model, const double *row)
{
    const double known = model->trees ? trees_evaluate(model->trees, row) : 0;
    return known + (model->more ? trees_evaluate(model->more, row) : 0);
}
