#include "tune/nests/nest_model.h"

#include <string.h>

/* d_: a difference. A feature and a knob may share a word. */
static const char *row_name(Arena *arena, int i)
{
    if (i < NEST_FEATURES)
        return arena_printf(arena, "d_%s", nest_features[i].name);
    if (i < CONFIGURATION_NUMBERS)
        return arena_printf(arena, "d_knob_%s", knob_info[i - NEST_FEATURES].name);
    return arena_printf(arena, "planned_%s", nest_features[i - CONFIGURATION_NUMBERS].name);
}

const char *const *model_names(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, MODEL_FEATURES);
    for (int i = 0; i < MODEL_FEATURES; i++)
        names[i] = row_name(arena, i);
    return names;
}

void configuration_numbers(const FeatureInput *in, const NestKnobs *knobs, double *numbers)
{
    nest_features_of(in, numbers);
    for (int i = 0; i < KNOB_COUNT; i++)
        numbers[NEST_FEATURES + i] = knobs->value[i];
}

void model_row(const double *numbers, const double *planned, double *row)
{
    for (int i = 0; i < CONFIGURATION_NUMBERS; i++)
        row[i] = numbers[i] - planned[i];
    memcpy(row + CONFIGURATION_NUMBERS, planned, NEST_FEATURES * sizeof *row);
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
