/* XGBoost's C interface by its names; trees from the JSON that it saves, which has all digits of every float. */
#include "tune/search/boost.h"

#include <dlfcn.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* What is used of the library, as xgboost/c_api.h declares it; what returns int returns 0 if all is well. */
typedef struct Xgboost {
    const char *(*last_error)(void);
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

static bool set_parameters(const Xgboost *x, void *booster, float base)
{
    char rounded[32];
    snprintf(rounded, sizeof rounded, "%.9g", (double)base);
    char depth[16];
    snprintf(depth, sizeof depth, "%d", BOOST_DEPTH);
    const char *const parameters[][2] = {
        {"objective", "reg:squarederror"}, {"tree_method", "exact"}, {"max_depth", depth}, {"eta", "0.3"}, {"nthread", "1"}, {"seed", "0"},
        {"base_score", rounded},
    };
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        if (x->booster_set(booster, parameters[i][0], parameters[i][1]) != 0)
            return false;
    return true;
}

/* Trains; the model as JSON, in memory of the booster's. */
static bool train(const Xgboost *x, const Table *t, int nfeatures, void **matrix, void **booster, uint64_t *size, const char **json)
{
    const uint64_t nrows = (uint64_t)t->nrows;
    if (x->set_config("{\"verbosity\": 0}") != 0 || x->matrix_new(t->features, nrows, (uint64_t)nfeatures, NAN, matrix) != 0 ||
        x->matrix_set(*matrix, "label", t->targets, nrows) != 0 || x->matrix_set(*matrix, "weight", t->weights, nrows) != 0 ||
        x->booster_new(matrix, 1, booster) != 0 || !set_parameters(x, *booster, t->base))
        return false;
    for (int i = 0; i < BOOST_ROUNDS; i++)
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
static bool add_nodes(Arena *arena, Trees *trees, int nfeatures, const json_t *tree, int node)
{
    const double left = number_at(tree, "left_children", node), right = number_at(tree, "right_children", node),
                 feature = number_at(tree, "split_indices", node), value = number_at(tree, "split_conditions", node);
    if (!is_float(value))
        return false;
    if (left == -1) {
        trees_add_leaf(arena, trees, (float)value);
        return true;
    }
    if (!(left > 0 && left < INT32_MAX && right > 0 && right < INT32_MAX && feature >= 0 && feature < nfeatures) ||
        trees_depth(trees) == BOOST_DEPTH)
        return false;
    trees_add_split(arena, trees, (int)feature, (float)value);
    return add_nodes(arena, trees, nfeatures, tree, (int)left) && add_nodes(arena, trees, nfeatures, tree, (int)right);
}

static const Trees *trees_of_json(Arena *arena, const BoostInput *in, float base, const char *text, size_t size)
{
    Trees *trees = trees_new(arena, in->names, in->nfeatures, base);
    json_t *root = json_loadb(text, size, 0, NULL);
    const json_t *model = json_object_get(json_object_get(json_object_get(root, "learner"), "gradient_booster"), "model");
    const json_t *list = json_object_get(model, "trees");
    bool is_good = json_array_size(list) == BOOST_ROUNDS;
    for (size_t i = 0; is_good && i < BOOST_ROUNDS; i++)
        is_good = add_nodes(arena, trees, in->nfeatures, json_array_get(list, i), 0);
    json_decref(root);
    return is_good ? trees : NULL;
}

const Trees *boost_train(Arena *arena, const BoostInput *in, const char **error)
{
    Xgboost x;
    Table table = {0};
    if (!load(arena, &x, error) || !make_table(arena, in, &table, error))
        return NULL;
    void *matrix = NULL, *booster = NULL;
    uint64_t size;
    const char *json;
    const Trees *trees = NULL;
    if (!train(&x, &table, in->nfeatures, &matrix, &booster, &size, &json)) {
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
