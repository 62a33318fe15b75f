/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which configurations of a nest are to be taken for which classes of calls, of some that were measured. */
#ifndef MIKGEN_TUNE_NESTS_CLASS_CHOICE_H
#define MIKGEN_TUNE_NESTS_CLASS_CHOICE_H

#include "plan/shape_class.h"

/* How many times as fast as one for all classes, on calls of a class, its own configuration has to be: forms cost room. */
#define CLASS_WORTH 1.02

/* Speeds of a configuration at some shapes: how many times as fast as planned; 0: it does not run. classes: of each shape. */
typedef struct ClassShapes {
    const ShapeClass *classes;
    int count;
} ClassShapes;

/* Geometric mean over the shapes of a class, CLASS_ALL: over all; 0: there are none, or it does not run at one. */
double class_speed(const ClassShapes *shapes, const double *speeds, ShapeClass shape);

/* Of n configurations, the number of the fastest on a class; the first of those that are alike; -1: none runs. */
int class_best(const ClassShapes *shapes, const double *const *speeds, int n, ShapeClass shape);

/* How many times as fast as `all` configuration `own` is on a class; 0: that has no shapes. */
double class_gain(const ClassShapes *shapes, const double *all, const double *own, ShapeClass shape);

/* Are there shapes of at least two classes? Not if the class of some is unknown. */
bool has_classes(const ClassShapes *shapes);

#endif
