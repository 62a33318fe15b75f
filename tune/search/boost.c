/* SPDX-License-Identifier: GPL-3.0-or-later */
/* XGBoost's C interface by its names; trees from the JSON that it saves, which has all digits of every float. */
#include "tune/search/boost.h"

#include <dlfcn.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* What is used of the library, as xgboost/c_api.h declares it; what returns int returns 0 if all is well. */
typedef struct Xgboost {
    const char *(*last_error)(void);
    void (*version)(int *major, int *minor, int *patch);
    int (*set_config)(const char *json);
    int (*matrix_new)(const float *data, uint64_t nrows, uint64_t ncolumns, float missing, void **matrix);
    int (*matrix_set)(void *matrix, const char *field, const float *values, uint64_t count);
    int (*matrix_free)(void *matrix);
    int (*booster_new)(void *const *matrices, uint64_t count, void **booster);
    int (*booster_set)(void *booster, const char *name, const char *value);
    int (*booster_update)(void *booster, int iteration, void *matrix);
    int (*booster_save)(void *booster, const char *config, uint64_t *size, const char **data);
    int (*booster_free)(void *booster);
} Xgboost;

static const struct {
    const char *name;
    size_t at; /* in Xgboost */
} functions[] = {
    {"XGBGetLastError", offsetof(Xgboost, last_error)},
    {"XGBoostVersion", offsetof(Xgboost, version)},
    {"XGBSetGlobalConfig", offsetof(Xgboost, set_config)},
    {"XGDMatrixCreateFromMat", offsetof(Xgboost, matrix_new)},
    {"XGDMatrixSetFloatInfo", offsetof(Xgboost, matrix_set)},
    {"XGDMatrixFree", offsetof(Xgboost, matrix_free)},
    {"XGBoosterCreate", offsetof(Xgboost, booster_new)},
    {"XGBoosterSetParam", offsetof(Xgboost, booster_set)},
    {"XGBoosterUpdateOneIter", offsetof(Xgboost, booster_update)},
    {"XGBoosterSaveModelToBuffer", offsetof(Xgboost, booster_save)},
    {"XGBoosterFree", offsetof(Xgboost, booster_free)},
};

/* Finds the library's functions. It stays loaded: unloading would only have to be undone by the next call. */
static bool load(Arena *arena, Xgboost *x, const char **error)
{
    void *library = dlopen("libxgboost.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libxgboost.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        *error = arena_printf(arena, "training needs XGBoost: install libxgboost0 (%s)", dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            *error = arena_printf(arena, "this XGBoost is not the right one: install libxgboost0 (%s)", dlerror());
            return false;
        }
        memcpy((char *)x + functions[i].at, &function, sizeof function);
    }
    return true;
}

bool boost_available(void)
{
    Arena *arena = arena_new();
    Xgboost x;
    const char *error;
    const bool is = load(arena, &x, &error);
    arena_free(arena);
    return is;
}

const char *boost_version(Arena *arena)
{
    Xgboost x;
    const char *error;
    int part[3];
    if (!load(arena, &x, &error))
        return NULL;
    x.version(&part[0], &part[1], &part[2]);
    return arena_printf(arena, "%d.%d.%d", part[0], part[1], part[2]);
}

/* The input as XGBoost takes it. */
typedef struct Table {
    int nrows;
    float *features, *targets, *weights;
    float base;
} Table;

static bool is_float(double x) { return isfinite((float)x); }

static double weight_of(const BoostInput *in, int row) { return in->weights ? in->weights[row] : 1; }

/* What is wrong with a row; NULL: nothing. */
static const char *wrong_row(Arena *arena, const BoostInput *in, int row)
{
    const double *features = in->features + (size_t)row * (size_t)in->nfeatures, weight = weight_of(in, row);
    if (!is_float(weight) || weight < 0)
        return arena_printf(arena, "row %d: the weight is %g", row, weight);
    if (weight == 0)
        return NULL;
    for (int f = 0; f < in->nfeatures; f++)
        if (!is_float(features[f]))
            return arena_printf(arena, "row %d: the feature '%s' is %g", row, in->names[f], features[f]);
    if (!is_float(in->targets[row]))
        return arena_printf(arena, "row %d: the target is %g", row, in->targets[row]);
    return NULL;
}

/* Rows of weight 0 are left out: XGBoost would still put thresholds between them and others. The other weights are 1 on the average,
 * because what XGBoost asks of a leaf, and how it shrinks leaves, is in units of rows. */
static bool make_table(Arena *arena, const BoostInput *in, Table *t, const char **error)
{
    double weights = 0, targets = 0;
    for (int row = 0; row < in->nrows; row++) {
        if ((*error = wrong_row(arena, in, row)))
            return false;
        const double weight = weight_of(in, row);
        if (weight > 0) {
            weights += weight;
            targets += weight * in->targets[row];
            t->nrows++;
        }
    }
    if (t->nrows == 0) {
        *error = "there are no rows to learn from";
        return false;
    }
    t->base = (float)(targets / weights);
    float *x = t->features = arena_new_array(arena, float, (size_t)in->nfeatures *(size_t)t->nrows);
    float *y = t->targets = arena_new_array(arena, float, t->nrows), *w = t->weights = arena_new_array(arena, float, t->nrows);
    for (int row = 0; row < in->nrows; row++) {
        if (weight_of(in, row) == 0)
            continue;
        for (int f = 0; f < in->nfeatures; f++)
            *x++ = (float)in->features[(size_t)row * (size_t)in->nfeatures + (size_t)f];
        *y++ = (float)in->targets[row];
        *w++ = (float)(weight_of(in, row) * (t->nrows / weights));
    }
    return true;
}

/* With what is usual in the place of zeros. */
static BoostTrees usual(BoostTrees t)
{
    t.rounds = t.rounds ? t.rounds : BOOST_ROUNDS;
    t.depth = t.depth ? t.depth : BOOST_DEPTH;
    t.eta = t.eta > 0 ? t.eta : 0.3;
    t.least_weight = t.least_weight > 0 ? t.least_weight : 1;
    t.shrinking = t.shrinking > 0 ? t.shrinking : 1;
    t.rows = t.rows > 0 ? t.rows : 1;
    t.columns = t.columns > 0 ? t.columns : 1;
    return t;
}

static bool set_number(const Xgboost *x, void *booster, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    return x->booster_set(booster, name, text) == 0;
}

static bool set_parameters(const Xgboost *x, void *booster, const BoostTrees *t, float base)
{
    return x->booster_set(booster, "objective", "reg:squarederror") == 0 && x->booster_set(booster, "tree_method", "exact") == 0 &&
           set_number(x, booster, "max_depth", t->depth) && set_number(x, booster, "eta", t->eta) &&
           set_number(x, booster, "min_child_weight", t->least_weight) && set_number(x, booster, "lambda", t->shrinking) &&
           set_number(x, booster, "subsample", t->rows) && set_number(x, booster, "colsample_bytree", t->columns) &&
           set_number(x, booster, "nthread", 1) && set_number(x, booster, "seed", t->seed) &&
           set_number(x, booster, "base_score", (double)base);
}

/* Trains; the model as JSON, in memory of the booster's. */
static bool train(const Xgboost *x, const Table *t, const BoostTrees *trees, int nfeatures, void **matrix, void **booster, uint64_t *size,
                  const char **json)
{
    const uint64_t nrows = (uint64_t)t->nrows;
    if (x->set_config("{\"verbosity\": 0}") != 0 || x->matrix_new(t->features, nrows, (uint64_t)nfeatures, NAN, matrix) != 0 ||
        x->matrix_set(*matrix, "label", t->targets, nrows) != 0 || x->matrix_set(*matrix, "weight", t->weights, nrows) != 0 ||
        x->booster_new(matrix, 1, booster) != 0 || !set_parameters(x, *booster, trees, t->base))
        return false;
    for (int i = 0; i < trees->rounds; i++)
        if (x->booster_update(*booster, i, *matrix) != 0)
            return false;
    return x->booster_save(*booster, "{\"format\": \"json\"}", size, json) == 0;
}

/* Number `i` of the array `name` of a tree; NaN: there is none. */
static double number_at(const json_t *tree, const char *name, int i)
{
    const json_t *number = json_array_get(json_object_get(tree, name), (size_t)i);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* Adds a node and all below it: arrays of the tree have the children by their numbers, -1 below leaves, and for a leaf its value in the
 * place of the threshold. False if they do not. */
static bool add_nodes(Arena *arena, Trees *trees, const BoostInput *in, const json_t *tree, int node)
{
    const double left = number_at(tree, "left_children", node), right = number_at(tree, "right_children", node),
                 feature = number_at(tree, "split_indices", node), value = number_at(tree, "split_conditions", node);
    if (!is_float(value))
        return false;
    if (left == -1) {
        trees_add_leaf(arena, trees, (float)value);
        return true;
    }
    if (!(left > 0 && left < INT32_MAX && right > 0 && right < INT32_MAX && feature >= 0 && feature < in->nfeatures) ||
        trees_depth(trees) == in->trees.depth)
        return false;
    trees_add_split(arena, trees, (int)feature, (float)value);
    return add_nodes(arena, trees, in, tree, (int)left) && add_nodes(arena, trees, in, tree, (int)right);
}

static const Trees *trees_of_json(Arena *arena, const BoostInput *in, float base, const char *text, size_t size)
{
    Trees *trees = trees_new(arena, in->about, in->names, in->nfeatures, base);
    json_t *root = json_loadb(text, size, 0, NULL);
    const json_t *model = json_object_get(json_object_get(json_object_get(root, "learner"), "gradient_booster"), "model");
    const json_t *list = json_object_get(model, "trees");
    bool is_good = json_array_size(list) == (size_t)in->trees.rounds;
    for (int i = 0; is_good && i < in->trees.rounds; i++)
        is_good = add_nodes(arena, trees, in, json_array_get(list, (size_t)i), 0);
    json_decref(root);
    return is_good ? trees : NULL;
}

const Trees *boost_train(Arena *arena, const BoostInput *input, const char **error)
{
    BoostInput whole = *input, *in = &whole;
    whole.trees = usual(input->trees);
    Xgboost x;
    Table table = {0};
    if (!load(arena, &x, error) || !make_table(arena, in, &table, error))
        return NULL;
    void *matrix = NULL, *booster = NULL;
    uint64_t size;
    const char *json;
    const Trees *trees = NULL;
    if (!train(&x, &table, &in->trees, in->nfeatures, &matrix, &booster, &size, &json)) {
        const char *said = x.last_error();
        *error = arena_printf(arena, "XGBoost: %.*s", (int)strcspn(said, "\n"), said);
    } else if (!(trees = trees_of_json(arena, in, table.base, json, (size_t)size))) {
        *error = "this XGBoost saves its trees in another way: install libxgboost0";
    }
    if (booster)
        x.booster_free(booster);
    if (matrix)
        x.matrix_free(matrix);
    return trees;
}
