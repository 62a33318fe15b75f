/* What speed is expected of a configuration of a nest: boosted trees over its features and its knobs (TUNE: one model for all operators,
 * which it knows by features, never by name). */
#ifndef MIKGEN_TUNE_NESTS_NEST_MODEL_H
#define MIKGEN_TUNE_NESTS_NEST_MODEL_H

#include "tune/nests/features.h"
#include "tune/search/trees.h"

/* Of a row: the features of features.def, then the knobs of plan/nest_knobs.def. */
enum { MODEL_FEATURES = NEST_FEATURES + KNOB_COUNT };

/* Their names, MODEL_FEATURES of them, as a model's text has them. Owned by the arena. */
const char *const *model_names(Arena *arena);

/* row[MODEL_FEATURES] of the configuration, which has been made a form of. */
void model_row(const FeatureInput *in, const NestKnobs *knobs, double *row);

/* Trees, and what has been learnt since, which adds to them; NULL: nothing. Logarithms of speed: only differences between configurations of
 * a nest at a shape mean anything. */
typedef struct NestModel {
    const Trees *trees, *more;
} NestModel;

/* Does the model's text have these features? Trees that were trained with others say nothing here. */
bool model_fits(const Trees *trees);

double model_log_speed(const NestModel *model, const double *row);

#endif
