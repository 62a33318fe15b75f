/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is measured while many are tried is the best by luck, too; so what a class is to gain is measured again. */
#include "gen/tune/class_search.h"

/* What the search has measured, and what is planned, which is as fast as itself. */
typedef struct Measured {
    const NestTrial *trials;
    const double **speeds; /* of each */
    int count;
} Measured;

static Measured measured_of(const ClassSearch *s)
{
    const int n = s->searched + 1;
    NestTrial *trials = arena_new_array(s->arena, NestTrial, n);
    const double **speeds = arena_new_array(s->arena, const double *, n);
    double *planned = arena_new_array(s->arena, double, s->shapes.count);
    for (int i = 0; i < s->shapes.count; i++)
        planned[i] = 1;
    trials[0] = (NestTrial){s->space->planned, space_knobs(s->space, &s->space->planned), planned};
    for (int i = 1; i < n; i++)
        trials[i] = *(const NestTrial *)s->trials->items[i - 1];
    for (int i = 0; i < n; i++)
        speeds[i] = trials[i].speeds;
    return (Measured){trials, speeds, n};
}

/* The number of the first with these knobs; n: none has them. */
static int place_of(const NestTrial *trials, int n, const NestKnobs *knobs)
{
    int i = 0;
    while (i < n && !knobs_are_same(&trials[i].knobs, knobs))
        i++;
    return i;
}

/* The best of all (number 0), and behind it those of classes that seem to gain by their own; of_class[]: the number of each, 0: none. How
 * many. */
static int candidates(const ClassSearch *s, TunePoint *points, int *of_class)
{
    const Measured all = measured_of(s);
    NestTrial chosen[CLASS_COUNT] = {{s->best, space_knobs(s->space, &s->best), NULL}};
    const int best = place_of(all.trials, all.count, &chosen[0].knobs);
    int found = 1;
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
        const int own = class_best(&s->shapes, all.speeds, all.count, (ShapeClass)shape);
        of_class[shape] = 0;
        if (own < 0 || class_gain(&s->shapes, all.speeds[best], all.speeds[own], (ShapeClass)shape) < CLASS_WORTH)
            continue;
        of_class[shape] = place_of(chosen, found, &all.trials[own].knobs);
        chosen[of_class[shape]] = all.trials[own];
        found += of_class[shape] == found;
    }
    for (int i = 0; i < found; i++)
        points[i] = chosen[i].point;
    return found;
}

bool class_search(const ClassSearch *s, ClassBest *bests)
{
    TunePoint points[CLASS_COUNT];
    int of_class[CLASS_COUNT];
    const int n = has_classes(&s->shapes) ? candidates(s, points, of_class) : 1, first = s->trials->count;
    if (n == 1)
        return true;
    if (!s->measure(points, n, s->user))
        return false;
    const NestTrial *all = s->trials->items[first];
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
        const NestTrial *own = s->trials->items[first + of_class[shape]];
        const double gain = class_gain(&s->shapes, all->speeds, own->speeds, (ShapeClass)shape);
        if (of_class[shape] && gain >= CLASS_WORTH)
            bests[shape] = (ClassBest){own->knobs, class_speed(&s->shapes, own->speeds, (ShapeClass)shape), gain};
    }
    return true;
}
