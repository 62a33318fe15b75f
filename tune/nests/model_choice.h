/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration of a nest that a model thinks best, with nothing measured. */
#ifndef MIKGEN_TUNE_NESTS_MODEL_CHOICE_H
#define MIKGEN_TUNE_NESTS_MODEL_CHOICE_H

#include "tune/nests/predict.h"

/* Of nests that a model does not know it is wrong often enough that less than this is not worth it: then one nest of 23 was 0.86 times as
 * fast as planned, and all together 1.014 times (bench/tune.sh search). */
#define MODEL_WORTH 1.10

/* Forms that it makes of a nest at most, what is planned included. */
enum { MODEL_FORMS = 100 };

/* Climbs from what is planned: knob by knob the value that is expected to be the fastest, until none promises more. Sets *best (of the
 * chain's size) and returns how many times as fast as planned it is expected to be; 1, and that is what is planned, where MODEL_WORTH is not
 * reached. */
double model_choose(Predictor *predictor, const NestSpace *space, const NestModel *model, TunePoint *best);

#endif
