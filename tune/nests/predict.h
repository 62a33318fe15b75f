/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expected speeds of the configurations of one nest's space, at some shapes. */
#ifndef MIKGEN_TUNE_NESTS_PREDICT_H
#define MIKGEN_TUNE_NESTS_PREDICT_H

#include "tune/nests/nest_model.h"
#include "tune/nests/space.h"

typedef struct PredictInput {
    Ir *ir;
    const Plan *plan;
    HostNest *nest; /* its knobs and form for the set are other ones while something is predicted, and afterwards as they were */
    VectorSetId set;
    const PlanOptions *opt;
    const NestSpace *space;
    const FeatureValue *const *values; /* of each shape: nvalues */
    int nvalues, nshapes;
    Machine machine;
} PredictInput;

typedef struct Predictor Predictor;

/* Owned by the Ir's arena. The input is copied, but for what it points to. */
Predictor *predictor_new(const PredictInput *in);

/* Its rows, one for each shape, of ROW_FEATURES; kept for the next question. */
const double *predictor_rows(Predictor *predictor, const TunePoint *point);

/* What they are made of: for each shape CONFIGURATION_NUMBERS. */
const double *predictor_numbers(Predictor *predictor, const TunePoint *point);

/* One that is asked the same, from the beginning. */
Predictor *predictor_again(const Predictor *predictor);

int predictor_shapes(const Predictor *predictor);

/* How many configurations a question was about so far, which have each been made a form of. */
int predictor_forms(const Predictor *predictor);

/* Of each shape, the class of its calls: nshapes. Owned by the Ir's arena. */
const ShapeClass *predictor_classes(const Predictor *predictor);

/* The mean over shapes of the logarithm of how many times as fast as what is planned it is expected to be; 0 of that itself. */
double predictor_log_speed(Predictor *predictor, const NestModel *model, const TunePoint *point);

#endif
