#include "tune/nests/nest_model.h"

#include <string.h>

static const char *name_of(int i) { return i < NEST_FEATURES ? nest_features[i].name : knob_info[i - NEST_FEATURES].name; }

/* A feature and a knob may share a word. */
static const char *row_name(Arena *arena, int i) { return i < NEST_FEATURES ? name_of(i) : arena_printf(arena, "knob_%s", name_of(i)); }

const char *const *model_names(Arena *arena)
{
    const char **names = arena_new_array(arena, const char *, MODEL_FEATURES);
    for (int i = 0; i < MODEL_FEATURES; i++)
        names[i] = row_name(arena, i);
    return names;
}

void model_row(const FeatureInput *in, const NestKnobs *knobs, double *row)
{
    nest_features_of(in, row);
    for (int i = 0; i < KNOB_COUNT; i++)
        row[NEST_FEATURES + i] = knobs->value[i];
}

bool model_fits(const Trees *trees)
{
    Arena *arena = arena_new();
    const char *const *names = model_names(arena);
    int same = 0;
    while (same < MODEL_FEATURES && trees_feature(trees, same) && strcmp(trees_feature(trees, same), names[same]) == 0)
        same++;
    arena_free(arena);
    return same == MODEL_FEATURES && !trees_feature(trees, same);
}

double model_log_speed(const NestModel *model, const double *row)
{
    const double known = model->trees ? trees_evaluate(model->trees, row) : 0;
    return known + (model->more ? trees_evaluate(model->more, row) : 0);
}
