/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/class_choice.h"

#include <math.h>

double class_speed(const ClassShapes *shapes, const double *speeds, ShapeClass shape)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < shapes->count; i++) {
        if (shape != CLASS_ALL && shapes->classes[i] != shape)
            continue;
        if (speeds[i] <= 0)
            return 0;
        sum += log(speeds[i]);
        n++;
    }
    return n ? exp(sum / n) : 0;
}

int class_best(const ClassShapes *shapes, const double *const *speeds, int n, ShapeClass shape)
{
    double most = 0;
    int best = -1;
    for (int i = 0; i < n; i++) {
        const double speed = class_speed(shapes, speeds[i], shape);
        if (speed > most)
            best = i, most = speed;
    }
    return best;
}

double class_gain(const ClassShapes *shapes, const double *all, const double *own, ShapeClass shape)
{
    const double speed = class_speed(shapes, all, shape);
    return speed > 0 ? class_speed(shapes, own, shape) / speed : 0;
}

bool has_classes(const ClassShapes *shapes)
{
    bool several = false;
    for (int i = 0; i < shapes->count; i++) {
        if (shapes->classes[i] == CLASS_ALL)
            return false;
        several = several || shapes->classes[i] != shapes->classes[0];
    }
    return several;
}
