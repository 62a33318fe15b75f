/* Features are computed once for each configuration, in an order that nobody sees. */
#include "tune/nests/predict.h"

#include <string.h>

#include "tune/nests/nest_numbers.h"

typedef struct Known {
    int *places;
    double *rows;
    struct Known *next; /* of the same place in the table */
} Known;

enum { TABLE = 4096 };

struct Predictor {
    PredictInput in;
    int nparameters;
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
    for (int shape = 0; shape < in->nshapes && in->nest->touched; shape++) {
        const FeatureInput told = {in->ir, in->plan, in->nest, in->set, in->values[shape], in->nvalues, in->machine};
        const Numbers numbers = nest_numbers(&told, in->ir->arena);
        const Dual touched = dual_of(&numbers, in->nest->touched);
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

static double *rows_of(const Predictor *p, const TunePoint *point)
{
    const PredictInput *in = &p->in;
    const NestKnobs knobs = space_knobs(in->space, point), before = in->nest->knobs[in->set];
    double *rows = arena_new_array(in->ir->arena, double, in->nshapes *MODEL_FEATURES);
    Func *form = in->nest->form[in->set];
    form_with(in->ir, in->nest, in->set, &knobs, in->opt);
    in->nest->knobs[in->set] = knobs;
    for (int shape = 0; shape < in->nshapes; shape++) {
        const FeatureInput features = {in->ir, in->plan, in->nest, in->set, in->values[shape], in->nvalues, in->machine};
        model_row(&features, &knobs, rows + shape * MODEL_FEATURES);
    }
    in->nest->knobs[in->set] = before;
    in->nest->form[in->set] = form;
    return rows;
}

const double *predictor_rows(Predictor *p, const TunePoint *point)
{
    Known **at = &p->table[place_in_table(p, point)];
    const size_t bytes = sizeof(int) * (size_t)p->nparameters;
    for (Known *k = *at; k; k = k->next)
        if (memcmp(k->places, point->places, bytes) == 0)
            return k->rows;
    Known *known = arena_new_array(p->in.ir->arena, Known, 1);
    known->places = arena_new_array(p->in.ir->arena, int, p->nparameters);
    memcpy(known->places, point->places, bytes);
    known->rows = rows_of(p, point);
    known->next = *at;
    *at = known;
    return known->rows;
}

static double mean(const Predictor *p, const NestModel *model, const double *rows)
{
    double sum = 0;
    for (int shape = 0; shape < p->in.nshapes; shape++)
        sum += model_log_speed(model, rows + shape * MODEL_FEATURES);
    return sum / p->in.nshapes;
}

double predictor_log_speed(Predictor *p, const NestModel *model, const TunePoint *point)
{
    const double planned = mean(p, model, predictor_rows(p, &p->in.space->planned));
    return mean(p, model, predictor_rows(p, point)) - planned;
}
