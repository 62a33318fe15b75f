/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many times as fast as what is planned a configuration of a nest is expected to be: boosted trees over what it changes about the features
 * and knobs of that. One model is for all operators, which it knows by features, never by name. */
#ifndef MIKGEN_TUNE_NESTS_NEST_MODEL_H
#define MIKGEN_TUNE_NESTS_NEST_MODEL_H

#include "tune/nests/features.h"
#include "tune/search/trees.h"

/* What is known of a configuration at a shape: the features of features.def, then the knobs of plan/nest_knobs.def, KNOB_TASKS last. Of a
 * row: by how much these are more than those of what is planned, but for the last, then its features; of calls on one thread models are told
 * so much, MODEL_FEATURES. Of several they may be told the last one as well. */
enum {
    CONFIGURATION_NUMBERS = NEST_FEATURES + KNOB_COUNT,
    MODEL_FEATURES = CONFIGURATION_NUMBERS - 1 + NEST_FEATURES,
    ROW_FEATURES,
};

/* Knobs that no measured space has another value of than what is planned: models that are fitted to these know nothing about them. */
enum { MODEL_UNKNOWN = 1u << KNOB_ORDER | 1u << KNOB_TILE | 1u << KNOB_TILE_OUTER | 1u << KNOB_COLUMN_ROWS | 1u << KNOB_TASKS };

/* Their names, ROW_FEATURES of them, as a model's text has them. Owned by the arena. */
const char *const *model_names(Arena *arena);

/* numbers[CONFIGURATION_NUMBERS] of the configuration, which has been made a form of. */
void configuration_numbers(const FeatureInput *in, const NestKnobs *knobs, double *numbers);

/* The names of features, and the mean of each over the shapes of a configuration's numbers. Owned by the arena. */
const char *const *feature_names(Arena *arena);
const double *mean_features(Arena *arena, const double *numbers, int nshapes);

/* row[ROW_FEATURES] of a configuration with such numbers, beside what is planned with its own. */
void model_row(const double *numbers, const double *planned, double *row);

/* Trees, and what has been learnt since, which adds to them; NULL: nothing. Logarithms of speed: only differences between configurations of
 * a nest at a shape mean anything. */
typedef struct NestModel {
    const Trees *trees, *more;
} NestModel;

/* The instruction set that the model's text says it is about; SET_COUNT: it names none, or has other features than those of calls on one
 * thread. Trees that were trained with others say nothing here. */
VectorSetId model_set(const Trees *trees);

double model_log_speed(const NestModel *model, const double *row);

#endif
