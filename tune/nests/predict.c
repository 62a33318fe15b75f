/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features are computed once for each configuration, in an order that nobody sees. */
#include "tune/nests/predict.h"

#include <string.h>

#include "plan/vectors/vector_nest.h"
#include "tune/nests/nest_numbers.h"

typedef struct Known {
    int *places;
    double *numbers, *rows;
    struct Known *next; /* of the same place in the table */
} Known;

enum { TABLE = 4096 };

struct Predictor {
    PredictInput in;
    int nparameters, nknown;
    Known *table[TABLE];
};

Predictor *predictor_new(const PredictInput *in)
{
    Predictor *p = arena_new_array(in->ir->arena, Predictor, 1);
    p->in = *in;
    p->nparameters = in->space->chain->space.nparameters;
    return p;
}

const ShapeClass *predictor_classes(const Predictor *p)
{
    const PredictInput *in = &p->in;
    ShapeClass *classes = arena_new_array(in->ir->arena, ShapeClass, in->nshapes);
    for (int shape = 0; shape < in->nshapes && in->nest->costs.touched; shape++) {
        const FeatureInput told = {in->ir, in->plan, in->nest, in->set, in->values[shape], in->nvalues, in->machine};
        const Numbers numbers = nest_numbers(&told, in->ir->arena);
        const Dual touched = dual_of(&numbers, in->nest->costs.touched);
        classes[shape] = touched.known ? shape_class_of(touched.value) : CLASS_ALL;
    }
    return classes;
}

static unsigned place_in_table(const Predictor *p, const TunePoint *point)
{
    unsigned hash = 0;
    for (int i = 0; i < p->nparameters; i++)
        hash = hash * 31 + (unsigned)point->places[i];
    return hash % TABLE;
}

static double *numbers_of(const Predictor *p, const TunePoint *point)
{
    const PredictInput *in = &p->in;
    const NestKnobs knobs = space_knobs(in->space, point), before = in->nest->chosen.knobs[in->set];
    double *numbers = arena_new_array(in->ir->arena, double, in->nshapes *CONFIGURATION_NUMBERS);
    Func *form = in->nest->vectors.form[in->set];
    Ir trial = ir_trial(in->ir); /* forms are large */
    in->nest->vectors.form[in->set] = vectorized_form(&trial, in->nest, in->set, &knobs, in->opt);
    in->nest->chosen.knobs[in->set] = knobs;
    for (int shape = 0; shape < in->nshapes; shape++) {
        const FeatureInput features = {&trial, in->plan, in->nest, in->set, in->values[shape], in->nvalues, in->machine};
        configuration_numbers(&features, &knobs, numbers + shape * CONFIGURATION_NUMBERS);
    }
    in->nest->chosen.knobs[in->set] = before;
    in->nest->vectors.form[in->set] = form;
    ir_trial_end(&trial);
    return numbers;
}

static void make_rows(const Predictor *p, Known *known, const Known *planned)
{
    known->rows = arena_new_array(p->in.ir->arena, double, p->in.nshapes *ROW_FEATURES);
    for (int shape = 0; shape < p->in.nshapes; shape++)
        model_row(known->numbers + shape * CONFIGURATION_NUMBERS, planned->numbers + shape * CONFIGURATION_NUMBERS,
                  known->rows + shape * ROW_FEATURES);
}

static const Known *known_of(Predictor *p, const TunePoint *point)
{
    Known **at = &p->table[place_in_table(p, point)];
    const size_t bytes = sizeof(int) * (size_t)p->nparameters;
    for (Known *k = *at; k; k = k->next)
        if (memcmp(k->places, point->places, bytes) == 0)
            return k;
    Known *known = arena_new_array(p->in.ir->arena, Known, 1);
    known->places = arena_new_array(p->in.ir->arena, int, p->nparameters);
    memcpy(known->places, point->places, bytes);
    known->numbers = numbers_of(p, point);
    known->next = *at;
    *at = known;
    p->nknown++;
    make_rows(p, known, memcmp(point->places, p->in.space->planned.places, bytes) == 0 ? known : known_of(p, &p->in.space->planned));
    return known;
}

const double *predictor_rows(Predictor *p, const TunePoint *point) { return known_of(p, point)->rows; }

const double *predictor_numbers(Predictor *p, const TunePoint *point) { return known_of(p, point)->numbers; }

Predictor *predictor_again(const Predictor *p) { return predictor_new(&p->in); }

int predictor_shapes(const Predictor *p) { return p->in.nshapes; }

int predictor_forms(const Predictor *p) { return p->nknown; }

static double mean(const Predictor *p, const NestModel *model, const double *rows)
{
    double sum = 0;
    for (int shape = 0; shape < p->in.nshapes; shape++)
        sum += model_log_speed(model, rows + shape * ROW_FEATURES);
    return sum / p->in.nshapes;
}

double predictor_log_speed(Predictor *p, const NestModel *model, const TunePoint *point)
{
    const double planned = mean(p, model, predictor_rows(p, &p->in.space->planned));
    return mean(p, model, predictor_rows(p, point)) - planned;
}
