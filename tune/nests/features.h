/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model of nests is told about one configuration at one shape, on a CPU: closed formulas over the loops as they have become, after
 * the features of Ansor (Zheng et al., OSDI 2020) and of Ansor-AF-DS, which are a GPU's. */
#ifndef MIKGEN_TUNE_NESTS_FEATURES_H
#define MIKGEN_TUNE_NESTS_FEATURES_H

#include "tune/nests/replay.h"

typedef enum NestFeature {
#define FEATURE(id, ...) id,
#include "tune/nests/features.def"
    NEST_FEATURES
} NestFeature;

typedef struct NestFeatureInfo {
    const char *name, *what, *unit;
    double least, most; /* what it is never beyond */
} NestFeatureInfo;

extern const NestFeatureInfo nest_features[NEST_FEATURES];

/* out[f] of each feature: finite, within its bounds, the same for the same input. Of the loops that the emitted file runs at the shape: as
 * they are where that has no form, or nest->vectors.few holds. Uses in->ir->scratch, and resets it. */
void nest_features_of(const FeatureInput *in, double *out);

#endif
