/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training: trees say what XGBoost itself says, the same every time, and learn; without the library, what to install. */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tune/search/boost.h"
#include "tune/search/constraint_walk.h"

enum { ROWS = 300, FEATURES = 8 };

static const char *const names[FEATURES] = {"rows", "columns", "depth", "copies", "width", "waves", "lanes", "bytes"};

static void needs_library(void)
{
    if (!boost_available())
        skip();
}

static const Trees *train(Arena *arena, const BoostInput *input)
{
    const char *error = "";
    const Trees *trees = boost_train(arena, input, &error);
    if (!trees)
        fail_msg("%s", error);
    return trees;
}

/* Rows of halves from 0 to 7.5: many are equal, and thresholds are quarters. */
static double *random_rows(Arena *arena, uint64_t *seed, int nrows)
{
    double *x = arena_new_array(arena, double, nrows *FEATURES);
    for (int i = 0; i < nrows * FEATURES; i++)
        x[i] = tune_random(seed, 16) / 2.;
    return x;
}

static double uniform(uint64_t *seed) { return tune_random(seed, 1 << 20) / (double)(1 << 20); }

/* Something of the features, and noise. */
static BoostInput random_input(Arena *arena, uint64_t *seed, int nrows)
{
    double *x = random_rows(arena, seed, nrows), *y = arena_new_array(arena, double, nrows), *w = arena_new_array(arena, double, nrows);
    for (int i = 0; i < nrows; i++) {
        const double *row = x + i * FEATURES;
        y[i] = 5 + row[0] * row[1] - 3 * (row[2] > row[3]) + sin(row[4]) + uniform(seed);
        w[i] = 0.5 + uniform(seed);
    }
    return (BoostInput){.nrows = nrows, .nfeatures = FEATURES, .names = names, .features = x, .targets = y, .weights = w};
}

/* ---------------------------------------------------------------- XGBoost's own predictions */

static void *function_of(const char *name)
{
    void *library = dlopen("libxgboost.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libxgboost.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *function = dlsym(library, name);
    assert_non_null(function);
    return function;
}

#define FUNCTION(variable, name, ...) \
    int (*variable)(__VA_ARGS__); \
    memcpy(&variable, (void *[]){function_of(name)}, sizeof variable)

static void *matrix_of(Arena *arena, const double *x, int nrows)
{
    FUNCTION(create, "XGDMatrixCreateFromMat", const float *, uint64_t, uint64_t, float, void **);
    float *rounded = arena_new_array(arena, float, nrows *FEATURES);
    for (int i = 0; i < nrows * FEATURES; i++)
        rounded[i] = (float)x[i];
    void *matrix;
    assert_int_equal(create(rounded, (uint64_t)nrows, FEATURES, NAN, &matrix), 0);
    return matrix;
}

static void set_floats(Arena *arena, void *matrix, const char *field, const double *values, int n, double scale)
{
    FUNCTION(set, "XGDMatrixSetFloatInfo", void *, const char *, const float *, uint64_t);
    float *rounded = arena_new_array(arena, float, n);
    for (int i = 0; i < n; i++)
        rounded[i] = (float)(values[i] * scale);
    assert_int_equal(set(matrix, field, rounded, (uint64_t)n), 0);
}

static double weighted_mean(const BoostInput *in, double *weights)
{
    double sum = 0;
    *weights = 0;
    for (int i = 0; i < in->nrows; i++) {
        sum += in->targets[i] * in->weights[i];
        *weights += in->weights[i];
    }
    return sum / *weights;
}

/* Trained here, with the parameters that boost.h tells of, on weights whose mean is 1; what it says of `points`. */
static const float *own_predictions(Arena *arena, const BoostInput *in, const double *points, int npoints)
{
    FUNCTION(create, "XGBoosterCreate", void *const *, uint64_t, void **);
    FUNCTION(set, "XGBoosterSetParam", void *, const char *, const char *);
    FUNCTION(update, "XGBoosterUpdateOneIter", void *, int, void *);
    FUNCTION(predict, "XGBoosterPredict", void *, void *, int, unsigned, int, uint64_t *, const float **);
    FUNCTION(free_booster, "XGBoosterFree", void *);
    FUNCTION(free_matrix, "XGDMatrixFree", void *);
    double weights;
    const double mean = weighted_mean(in, &weights);
    void *matrix = matrix_of(arena, in->features, in->nrows), *asked = matrix_of(arena, points, npoints), *booster;
    set_floats(arena, matrix, "label", in->targets, in->nrows, 1);
    set_floats(arena, matrix, "weight", in->weights, in->nrows, in->nrows / weights);
    assert_int_equal(create(&matrix, 1, &booster), 0);
    const char *const parameters[] = {"objective",   "reg:squarederror",
                                      "tree_method", "exact",
                                      "max_depth",   "6",
                                      "eta",         "0.3",
                                      "nthread",     "1",
                                      "base_score",  arena_printf(arena, "%.9g", mean)};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i += 2)
        assert_int_equal(set(booster, parameters[i], parameters[i + 1]), 0);
    for (int i = 0; i < 50; i++)
        assert_int_equal(update(booster, i, matrix), 0);
    uint64_t n;
    const float *said;
    assert_int_equal(predict(booster, asked, 0, 0, 0, &n, &said), 0);
    assert_int_equal(n, npoints);
    float *copy = arena_new_array(arena, float, npoints);
    memcpy(copy, said, sizeof *said * (size_t)npoints);
    free_booster(booster);
    free_matrix(asked);
    free_matrix(matrix);
    return copy;
}

static void as_xgboost_predicts(void **state)
{
    (void)state;
    needs_library();
    Arena *arena = arena_new();
    uint64_t seed = 7;
    const BoostInput in = random_input(arena, &seed, ROWS);
    enum { POINTS = 3000 };
    double *points = random_rows(arena, &seed, POINTS);
    for (int i = ROWS * FEATURES; i < POINTS * FEATURES; i++)
        points[i] = tune_random(&seed, 32) / 4.; /* on thresholds, too */
    memcpy(points, in.features, sizeof *points * ROWS * FEATURES);
    const Trees *trees = train(arena, &in);
    assert_int_equal(trees_count(trees), BOOST_ROUNDS);
    assert_string_equal(trees_feature(trees, 7), "bytes");
    const float *said = own_predictions(arena, &in, points, POINTS);
    for (int i = 0; i < POINTS; i++) {
        const double x = trees_evaluate(trees, points + i * FEATURES);
        if (fabs(x - said[i]) > 1e-5 * fabs(said[i]))
            fail_msg("point %d: %.9g, XGBoost says %.9g", i, x, said[i]);
    }
    assert_non_null(strstr(trees_print(arena, trees), ".25\n")); /* there are such thresholds */
    arena_free(arena);
}

/* ---------------------------------------------------------------- properties */

static void the_same_text_again(void **state)
{
    (void)state;
    needs_library();
    Arena *arena = arena_new();
    uint64_t seed = 3;
    const BoostInput in = random_input(arena, &seed, ROWS);
    const char *text = trees_print(arena, train(arena, &in));
    assert_string_equal(trees_print(arena, train(arena, &in)), text);
    Diag *diag = diag_new(arena, "boost.trees", text, strlen(text), stderr);
    const Trees *read = trees_parse(arena, diag, text);
    assert_non_null(read);
    assert_string_equal(trees_print(arena, read), text);
    arena_free(arena);
}

static int lines_with(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

static const char *trained_with(Arena *arena, const BoostInput *in, BoostTrees trees)
{
    BoostInput with = *in;
    with.trees = trees;
    return trees_print(arena, train(arena, &with));
}

/* What is asked for is what comes, and zeros are as usual. */
static void other_trees(void **state)
{
    (void)state;
    needs_library();
    Arena *arena = arena_new();
    uint64_t seed = 13;
    const BoostInput in = random_input(arena, &seed, ROWS);
    const char *usual = trained_with(arena, &in, (BoostTrees){0}), *few = trained_with(arena, &in, (BoostTrees){.rounds = 7, .depth = 2});
    assert_string_equal(trained_with(arena, &in, (BoostTrees){50, 6, 0.3, 1, 1, 1, 1, 0}), usual);
    assert_int_equal(lines_with(few, "\ntree "), 7);
    assert_int_equal(lines_with(few, " if "), 7 * 3);
    assert_string_not_equal(trained_with(arena, &in, (BoostTrees){.eta = 0.1}), usual);
    assert_string_not_equal(trained_with(arena, &in, (BoostTrees){.shrinking = 10}), usual);
    assert_true(lines_with(trained_with(arena, &in, (BoostTrees){.least_weight = 40}), " if ") < lines_with(usual, " if ") / 2);
    const BoostTrees drawn = {.rows = 0.5, .columns = 0.5, .seed = 1};
    BoostTrees other = drawn;
    other.seed = 2;
    assert_string_equal(trained_with(arena, &in, drawn), trained_with(arena, &in, drawn));
    assert_string_not_equal(trained_with(arena, &in, drawn), trained_with(arena, &in, other));
    assert_string_not_equal(trained_with(arena, &in, (BoostTrees){.rows = 0.5}), trained_with(arena, &in, (BoostTrees){.columns = 0.5}));
    assert_non_null(boost_version(arena));
    arena_free(arena);
}

/* Rows of weight 0, of configurations that did not run, say, are between the others and have features that nobody else has. */
static void rows_of_weight_0_do_not_matter(void **state)
{
    (void)state;
    needs_library();
    Arena *arena = arena_new();
    uint64_t seed = 5;
    const BoostInput in = random_input(arena, &seed, ROWS);
    double *x = arena_new_array(arena, double, 2 * ROWS * FEATURES), *y = arena_new_array(arena, double, 2 * ROWS),
           *w = arena_new_array(arena, double, 2 * ROWS);
    for (int i = 0; i < 2 * ROWS; i++) {
        for (int f = 0; f < FEATURES; f++)
            x[i * FEATURES + f] = i % 2 ? 8 * uniform(&seed) : in.features[i / 2 * FEATURES + f];
        y[i] = i % 2 ? -INFINITY : in.targets[i / 2];
        w[i] = i % 2 ? 0 : in.weights[i / 2];
    }
    const BoostInput more = {.nrows = 2 * ROWS, .nfeatures = FEATURES, .names = names, .features = x, .targets = y, .weights = w};
    const char *text = trees_print(arena, train(arena, &in));
    assert_string_equal(trees_print(arena, train(arena, &more)), text);
    for (int i = 1; i < 2 * ROWS; i += 2) { /* the test would notice them */
        w[i] = 1;
        y[i] = in.targets[i / 2];
    }
    assert_string_not_equal(trees_print(arena, train(arena, &more)), text);
    arena_free(arena);
}

/* Only how weights compare counts, and none means the same of all. */
static void weights_are_relative(void **state)
{
    (void)state;
    needs_library();
    Arena *arena = arena_new();
    uint64_t seed = 9;
    BoostInput in = random_input(arena, &seed, ROWS);
    const char *uneven = trees_print(arena, train(arena, &in));
    double *w = arena_new_array(arena, double, ROWS);
    for (int i = 0; i < ROWS; i++)
        w[i] = in.weights[i] / 1024;
    in.weights = w;
    assert_string_equal(trees_print(arena, train(arena, &in)), uneven);
    for (int i = 0; i < ROWS; i++)
        w[i] = 0.125;
    const char *even = trees_print(arena, train(arena, &in));
    in.weights = NULL;
    assert_string_equal(trees_print(arena, train(arena, &in)), even);
    assert_string_not_equal(uneven, even);
    arena_free(arena);
}

/* The logarithm of a tile's speed, by a model with a roof: loads against products, waves that are not full, and copies that must fit. */
static double log_speed(const double *x)
{
    const double rows = exp2(x[0]), columns = exp2(x[1]), depth = exp2(x[2]), copies = x[3], work = rows * columns * depth;
    const double load = (rows + columns) * depth * (1 + 2 / copies), time = fmax(work / 64, 4 * load) + 200 / copies;
    const double blocks = ceil(3000 / rows) * ceil(5000 / columns), waves = ceil(blocks / 132) / (blocks / 132);
    const double spills = (rows + columns) * depth * copies > 60000 ? 3 : 1;
    return log(work / (time * waves * spills));
}

static void speeds_are_learnt(void **state)
{
    (void)state;
    needs_library();
    enum { TRAIN = 900, ALL = 1200 };
    Arena *arena = arena_new();
    uint64_t seed = 11;
    double x[ALL * 4], y[ALL], mean = 0, errors = 0, spread = 0;
    for (int i = 0; i < ALL; i++) {
        for (int f = 0; f < 4; f++)
            x[4 * i + f] = f == 3 ? 1 + tune_random(&seed, 6) : 3 + tune_random(&seed, 12) / 2.;
        y[i] = log_speed(x + 4 * i);
        mean += i < TRAIN ? 0 : y[i] / (ALL - TRAIN);
    }
    const Trees *trees = train(arena, &(BoostInput){.nrows = TRAIN, .nfeatures = 4, .names = names, .features = x, .targets = y});
    for (int i = TRAIN; i < ALL; i++) {
        errors += pow(trees_evaluate(trees, x + 4 * i) - y[i], 2);
        spread += pow(mean - y[i], 2);
    }
    if (errors > 0.1 * spread)
        fail_msg("R2 is %g", 1 - errors / spread);
    arena_free(arena);
}

/* ---------------------------------------------------------------- errors */

static void refuse(const BoostInput *in, const char *message)
{
    Arena *arena = arena_new();
    const char *error = NULL;
    assert_null(boost_train(arena, in, &error));
    assert_string_equal(error, message);
    arena_free(arena);
}

static void wrong_inputs(void **state)
{
    (void)state;
    needs_library();
    double x[4] = {1, 2, 3, 4}, y[2] = {1, 2}, w[2] = {1, 1};
    const BoostInput in = {.nrows = 2, .nfeatures = 2, .names = names, .features = x, .targets = y, .weights = w};
    x[3] = NAN;
    refuse(&in, "row 1: the feature 'columns' is nan");
    x[3] = 1e39;
    refuse(&in, "row 1: the feature 'columns' is 1e+39");
    x[3] = 4;
    y[0] = -INFINITY;
    refuse(&in, "row 0: the target is -inf");
    y[0] = 1;
    w[1] = -1;
    refuse(&in, "row 1: the weight is -1");
    w[0] = w[1] = 0;
    refuse(&in, "there are no rows to learn from");
}

/* One row, and targets that are all the same: trees of one leaf. */
static void nothing_to_split(void **state)
{
    (void)state;
    needs_library();
    Arena *arena = arena_new();
    double x[2] = {1, 2}, y[1] = {-3.5};
    const Trees *trees = train(arena, &(BoostInput){.nrows = 1, .nfeatures = 2, .names = names, .features = x, .targets = y});
    assert_true(trees_evaluate(trees, x) == -3.5);
    arena_free(arena);
}

/* In a process that finds files without content in the library's place. */
static void what_to_install(void **state)
{
    const char *self = *state;
    char folder[] = "/tmp/test_boost.XXXXXX", said[400];
    assert_non_null(mkdtemp(folder));
    Arena *arena = arena_new();
    const char *one = arena_printf(arena, "%s/libxgboost.so.0", folder), *other = arena_printf(arena, "%s/libxgboost.so", folder);
    assert_int_equal(fclose(fopen(one, "w")) | fclose(fopen(other, "w")), 0);
    FILE *child = popen(arena_printf(arena, "LD_LIBRARY_PATH=%s '%s' missing", folder, self), "r");
    assert_non_null(fgets(said, sizeof said, child));
    assert_int_equal(pclose(child), 0);
    const char expected[] = "not there: training needs XGBoost: install libxgboost0 (";
    if (strncmp(said, expected, strlen(expected)) != 0)
        fail_msg("%s", said);
    remove(one);
    remove(other);
    rmdir(folder);
    arena_free(arena);
}

static int say_what_is_missing(void)
{
    Arena *arena = arena_new();
    const char *error = "";
    const Trees *trees = boost_train(arena, &(BoostInput){0}, &error);
    printf("%s: %s\n", trees || boost_available() ? "there" : "not there", error);
    arena_free(arena);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "missing") == 0)
        return say_what_is_missing();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_xgboost_predicts),
        cmocka_unit_test(the_same_text_again),
        cmocka_unit_test(other_trees),
        cmocka_unit_test(rows_of_weight_0_do_not_matter),
        cmocka_unit_test(weights_are_relative),
        cmocka_unit_test(speeds_are_learnt),
        cmocka_unit_test(wrong_inputs),
        cmocka_unit_test(nothing_to_split),
        cmocka_unit_test_prestate(what_to_install, argv[0]),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
