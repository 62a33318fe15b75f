/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coordinate ascent in the chain's order, in which a knob comes after those that decide what it means. */
#include "tune/nests/model_choice.h"

#include <math.h>
#include <string.h>

typedef struct Climb {
    Predictor *predictor;
    const NestSpace *space;
    const NestModel *model;
    TunePoint *best;
    double speed; /* the logarithm of that of `best` */
} Climb;

/* Gives the knob its best value. False if that was so. */
static bool climb_knob(Climb *c, int parameter)
{
    const TuneChain *chain = c->space->chain;
    TunePoint *point = c->best;
    const int before = point->places[parameter];
    int best = before;
    for (int place = 0; place < chain->space.parameters[parameter].count; place++) {
        tune_set(chain, point, parameter, place);
        if (place == before || predictor_forms(c->predictor) >= MODEL_FORMS || !tune_survives(chain, point->values))
            continue;
        const double speed = predictor_log_speed(c->predictor, c->model, point);
        if (speed > c->speed) {
            c->speed = speed;
            best = place;
        }
    }
    tune_set(chain, point, parameter, best);
    return best != before;
}

static void to_planned(Climb *c)
{
    for (int i = 0; i < c->space->chain->space.nparameters; i++)
        tune_set(c->space->chain, c->best, i, c->space->planned.places[i]);
}

double model_choose(Predictor *predictor, const NestSpace *space, const NestModel *model, TunePoint *best)
{
    Climb c = {predictor, space, model, best, 0};
    const TuneChain *chain = space->chain;
    bool moved = true;
    to_planned(&c);
    while (moved && predictor_forms(predictor) < MODEL_FORMS) {
        moved = false;
        for (int level = 0; level < chain->space.nparameters; level++)
            moved = climb_knob(&c, chain->order[level]) || moved;
    }
    if (exp(c.speed) >= MODEL_WORTH)
        return exp(c.speed);
    to_planned(&c);
    return 1;
}
