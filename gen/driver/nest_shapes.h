/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The extents on which nests are measured. */
#ifndef MIKGEN_GEN_DRIVER_NEST_SHAPES_H
#define MIKGEN_GEN_DRIVER_NEST_SHAPES_H

#include "gen/driver/tune_specs.h"
#include "tune/measure_forms.h"
#include "tune/nests/replay.h"

/* Gives specs their shapes. Those of the file: a line for each, "64x1000", behind the operator's name where there are several; # begins a
 * comment. Without a file up to three for each operator: about 256 KB, 4 MB and 64 MB in all arrays, but such that a call takes no longer than
 * a tenth of a second, and no less than 20 microseconds (C target); extents with a hint stay within it. They are owned by the Ir's arena. False after
 * a located message. */
bool nest_shapes(Ir *ir, TuneSpec *specs, int nspecs, const char *path);

/* Those that are sampled for an operator without a file: extents[] of each; how many. Owned by the Ir's arena. */
enum { DRAWN_SHAPES = 3 };
int drawn_shapes(Ir *ir, const Plan *plan, const char **extents);

/* The operator's integer parameters with such values; *n: how many. Owned by the arena. */
const FeatureValue *shape_values(Arena *arena, const Func *f, const char *extents, int *n);

#endif
