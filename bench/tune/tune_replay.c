/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches replayed on spaces that were measured whole, and the model that is fitted to them.
 *
 *   tune_replay fit SPEC TABLE [SPEC TABLE ...]      the model of all of them, as text
 *   tune_replay search SPEC TABLE [SPEC TABLE ...]   how near to the best searches come, each nest with a model of the others alone
 *   tune_replay search10 SPEC TABLE ...              of the first ten; models are of all the others
 *   tune_replay classes SPEC TABLE [SPEC TABLE ...]  what a configuration for each class of calls gains over one for all
 *
 * Nothing is measured, and all is seeded: the same tables, the same text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tune/space_table.h"
#include "tune/nests/class_choice.h"
#include "tune/nests/model_choice.h"
#include "tune/search/boost.h"
#include "tune/search/constraint_walk.h"
#include "tune/search/search.h"

enum { MOST_TABLES = 64, SEEDS = 8, STEPS = 3 };
static const int steps[STEPS] = {16, 32, 64};

static SpaceTable *tables[MOST_TABLES];
static int ntables;

/* ---------------------------------------------------------------- fitting */

/* What a model learns from: a row for each configuration and shape, with the logarithm of its speed beside what is planned; each nest counts
 * alike at a shape. Whether one is a third as fast or a tenth is all the same: it is not taken. */
typedef struct Lessons {
    double *rows, *targets, *weights;
    int n;
} Lessons;

static void add_lessons(SpaceTable *t, Lessons *l)
{
    for (int shape = 0; shape < t->nshapes; shape++) {
        for (int i = 0; i < t->count; i++) {
            memcpy(l->rows + (size_t)l->n * MODEL_FEATURES, predictor_rows(t->predictor, &t->points[i]) + shape * ROW_FEATURES,
                   MODEL_FEATURES * sizeof(double));
            l->targets[l->n] = fmin(fmax(log(t->speed[i][shape]), -1), 1);
            l->weights[l->n++] = 1.0 / t->count;
        }
    }
}

/* Trees of parts of the rows and columns: with few nests those say more about others. XGBoost takes what weights
 * come to in units of rows. */
static BoostTrees parameters(const Lessons *l, double shrinking)
{
    double weights = 0;
    for (int i = 0; i < l->n; i++)
        weights += l->weights[i];
    const double row = l->n / weights;
    return (BoostTrees){
        .rounds = 50, .depth = 5, .eta = 0.2, .least_weight = 0.01 * row, .shrinking = shrinking * row, .rows = 0.66, .columns = 0.6};
}

/* tune/nests/nest_model.h says which knobs no table has, so that mikgen leaves these alone; a model is about one instruction set. */
static void check_table(const SpaceTable *t)
{
    if (t->without == MODEL_UNKNOWN && t->set == tables[0]->set)
        return;
    if (t->set != tables[0]->set)
        fprintf(stderr, "tune_replay: %s is of %s, %s of %s: a model is of one set\n", t->name, vector_sets[t->set].name, tables[0]->name,
                vector_sets[tables[0]->set].name);
    else
        fprintf(stderr, "tune_replay: %s: its knobs are not all but those of MODEL_UNKNOWN\n", t->name);
    exit(1);
}

/* How far leaves are drawn towards nothing: of a model that chooses alone, and of one that searches begin with and correct. */
static const double ALONE = 0.2, CORRECTED = 1;

/* Of all tables but one: of none, if that is NULL. */
static const Trees *fit(Arena *arena, const SpaceTable *left_out, double shrinking)
{
    Lessons l = {0};
    const char *error = NULL;
    int most = 0;
    for (int i = 0; i < ntables; i++)
        most += tables[i]->count * tables[i]->nshapes;
    l.rows = arena_new_array(arena, double, most *MODEL_FEATURES);
    l.targets = arena_new_array(arena, double, most);
    l.weights = arena_new_array(arena, double, most);
    for (int i = 0; i < ntables; i++)
        if (tables[i] != left_out) {
            check_table(tables[i]);
            add_lessons(tables[i], &l);
        }
    const Trees *trees = boost_train(arena,
                                     &(BoostInput){.nrows = l.n,
                                                   .nfeatures = MODEL_FEATURES,
                                                   .about = vector_sets[tables[0]->set].name,
                                                   .names = model_names(arena),
                                                   .features = l.rows,
                                                   .targets = l.targets,
                                                   .weights = l.weights,
                                                   .trees = parameters(&l, shrinking)},
                                     &error);
    if (!trees) {
        fprintf(stderr, "tune_replay: %s\n", error);
        exit(1);
    }
    return trees;
}

/* With what the text depends on. */
static void print_model(Arena *arena)
{
    const char *text = trees_print(arena, fit(arena, NULL, ALONE));
    printf("# %d nests, XGBoost %s\n%s", ntables, boost_version(arena), text);
}

/* ---------------------------------------------------------------- searching */

typedef struct TableSearch {
    SpaceTable *table;
    NestModel model;
    bool learns;
    int *asked; /* configurations measured so far */
    int nasked;
    Arena *arena;
} TableSearch;

static double predict(const TunePoint *point, void *user)
{
    const TableSearch *r = user;
    return predictor_log_speed(r->table->predictor, &r->model, point);
}

/* What the model says of the measured ones is corrected by trees of what it was wrong about. */
static void learn(void *user)
{
    TableSearch *r = user;
    SpaceTable *t = r->table;
    const NestModel before = {r->model.trees, NULL};
    const char *error;
    double *rows = arena_new_array(r->arena, double, r->nasked * t->nshapes * MODEL_FEATURES);
    double *targets = arena_new_array(r->arena, double, r->nasked * t->nshapes);
    int n = 0;
    if (!r->learns)
        return;
    for (int i = 0; i < r->nasked; i++)
        for (int shape = 0; shape < t->nshapes; shape++) {
            const double *row = predictor_rows(t->predictor, &t->points[r->asked[i]]) + shape * ROW_FEATURES;
            const double *planned = predictor_rows(t->predictor, &t->space->planned) + shape * ROW_FEATURES;
            memcpy(rows + (size_t)n * MODEL_FEATURES, row, MODEL_FEATURES * sizeof(double));
            targets[n++] = log(t->speed[r->asked[i]][shape]) - (model_log_speed(&before, row) - model_log_speed(&before, planned));
        }
    r->model.more = boost_train(
        r->arena,
        &(BoostInput){.nrows = n, .nfeatures = MODEL_FEATURES, .names = model_names(r->arena), .features = rows, .targets = targets},
        &error);
}

/* The best speed after each of `steps` measurements, as a share of the best there is. */
static void replay(SpaceTable *t, SearchKind kind, const Trees *trees, uint64_t seed, double *share)
{
    Arena *arena = arena_new();
    TableSearch r = {.table = t, .model = {trees, NULL}, .learns = trees != NULL, .arena = arena};
    SearchInput input = search_compiled(t->space->chain, kind, seed, trees != NULL);
    input.predict = trees ? predict : NULL;
    input.learn = trees ? learn : NULL;
    input.user = &r;
    Search *search = search_begin(arena, &input);
    TunePoint points[8];
    double speeds[8], best = 0;
    int measured = 0, n;
    r.asked = arena_new_array(arena, int, steps[STEPS - 1] + 8);
    for (int step = 0; step < STEPS; step++) {
        while (measured < steps[step] && (n = search_ask(search, points, 8)) > 0) {
            for (int i = 0; i < n; i++) {
                const int at = space_table_find(t, &points[i]);
                speeds[i] = space_table_speed(t, at);
                best = fmax(best, speeds[i]);
                r.asked[r.nasked++] = at;
            }
            measured += n;
            search_tell(search, points, speeds, n);
        }
        share[step] = best / t->best;
    }
    arena_free(arena);
}

static void mean_share(SpaceTable *t, SearchKind kind, const Trees *trees, double *share)
{
    for (int step = 0; step < STEPS; step++)
        share[step] = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        double one[STEPS];
        replay(t, kind, trees, (uint64_t)seed, one);
        for (int step = 0; step < STEPS; step++)
            share[step] += log(one[step]) / SEEDS;
    }
    for (int step = 0; step < STEPS; step++)
        share[step] = exp(share[step]);
}

/* What mikgen chooses by the model. */
static double zero_share(SpaceTable *t, const Trees *trees)
{
    const NestModel model = {trees, NULL};
    Arena *arena = arena_new();
    TunePoint point = tune_point(arena, t->space->chain);
    model_choose(predictor_again(t->predictor), t->space, &model, &point);
    const int chosen = space_table_find(t, &point);
    arena_free(arena);
    if (chosen < 0) {
        fprintf(stderr, "tune_replay: %s: what the model chooses was not measured\n", t->name);
        exit(1);
    }
    return space_table_speed(t, chosen) / t->best;
}

/* Columns of the table: of the best there is. */
enum { PLANNED, BUILT_IN, OTHERS, DESCENT, RANDOM = DESCENT + STEPS, COLUMNS = RANDOM + STEPS };

static void search_table(SpaceTable *t, const Trees *built_in, double *shares)
{
    Arena *arena = arena_new();
    const Trees *trees = fit(arena, t, CORRECTED);
    shares[PLANNED] = 1 / t->best;
    shares[BUILT_IN] = zero_share(t, built_in);
    shares[OTHERS] = zero_share(t, fit(arena, t, ALONE));
    mean_share(t, SEARCH_DESCENT, trees, shares + DESCENT);
    mean_share(t, SEARCH_RANDOM, NULL, shares + RANDOM);
    arena_free(arena);
}

static void search_first(int n)
{
    double sum[COLUMNS] = {0};
    int better[STEPS] = {0};
    Arena *arena = arena_new();
    const Trees *built_in = fit(arena, NULL, ALONE);
    printf("%-20s %6s %7s %8s %7s", "nest", "size", "planned", "built-in", "others");
    for (int i = 0; i < 2; i++)
        for (int step = 0; step < STEPS; step++)
            printf(" %5s%3d", (const char *[]){"desc.", "rand."}[i], steps[step]);
    printf("\n");
    for (int i = 0; i < n; i++) {
        double shares[COLUMNS];
        search_table(tables[i], built_in, shares);
        printf("%-20s %6d", tables[i]->name, tables[i]->count);
        for (int c = 0; c < COLUMNS; c++) {
            printf(c < DESCENT && c != BUILT_IN ? " %7.3f" : " %8.3f", shares[c]);
            sum[c] += log(shares[c]);
        }
        printf("\n");
        for (int step = 0; step < STEPS; step++)
            better[step] += shares[DESCENT + step] >= shares[RANDOM + step];
    }
    printf("%-27s", "geomean");
    for (int c = 0; c < COLUMNS; c++)
        printf(c < DESCENT && c != BUILT_IN ? " %7.3f" : " %8.3f", exp(sum[c] / n));
    printf("\nno worse than at random:");
    for (int step = 0; step < STEPS; step++)
        printf("%s after %d measurements on %d of %d", step ? "," : "", steps[step], better[step], n);
    printf("\n");
    arena_free(arena);
}

/* ---------------------------------------------------------------- classes of calls */

/* Classes' own configurations, as gains over one for all; those that are not worth a line of a profile gain nothing. */
typedef struct Gains {
    double of[CLASS_COUNT]; /* 1 for classes that keep the one for all; of CLASS_ALL: over all shapes */
    int lines; /* of classes */
} Gains;

static Gains gains_of(const ClassShapes *shapes, const double *const *speeds, int n)
{
    const double *all = speeds[class_best(shapes, speeds, n, CLASS_ALL)];
    Gains g = {.of = {[CLASS_ALL] = 1}};
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
        const int own = class_best(shapes, speeds, n, (ShapeClass)shape);
        const double gain = own < 0 ? 0 : class_gain(shapes, all, speeds[own], (ShapeClass)shape);
        g.of[shape] = gain >= CLASS_WORTH ? gain : 1;
        g.lines += gain >= CLASS_WORTH;
    }
    for (int i = 0; i < shapes->count; i++)
        g.of[CLASS_ALL] *= pow(g.of[shapes->classes[i]], 1.0 / shapes->count);
    return g;
}

/* The gain over all shapes of so many configurations that are drawn: the mean of SEEDS times. */
static double drawn_gain(const ClassShapes *shapes, const double *const *speeds, int n, int most)
{
    Arena *arena = arena_new();
    const double **drawn = arena_new_array(arena, const double *, n);
    double sum = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        uint64_t state = (uint64_t)seed;
        memcpy(drawn, speeds, (size_t)n * sizeof *drawn);
        for (int i = 0; i < most && i < n; i++) {
            const int at = i + tune_random(&state, n - i);
            const double *other = drawn[at];
            drawn[at] = drawn[i];
            drawn[i] = other;
        }
        sum += log(gains_of(shapes, drawn, most < n ? most : n).of[CLASS_ALL]);
    }
    arena_free(arena);
    return exp(sum / SEEDS);
}

/* One line; *sums: logarithms of the gains of all, and of 64. The lines of classes it comes to. */
static int class_table(const SpaceTable *t, double *sums)
{
    const ClassShapes shapes = {predictor_classes(t->predictor), t->nshapes};
    const double **speeds = arena_new_array(t->arena, const double *, t->count);
    for (int i = 0; i < t->count; i++)
        speeds[i] = t->speed[i];
    const Gains g = gains_of(&shapes, speeds, t->count);
    const double drawn = drawn_gain(&shapes, speeds, t->count, steps[STEPS - 1]);
    printf("%-20s %6d %7.3f", t->name, t->count, t->best);
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++)
        printf(class_speed(&shapes, speeds[0], (ShapeClass)shape) > 0 ? " %7.3f" : "       -", g.of[shape]);
    printf(" %7.3f %8.3f\n", g.of[CLASS_ALL], drawn);
    sums[0] += log(g.of[CLASS_ALL]);
    sums[1] += log(drawn);
    return g.lines;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_classes(void)
{
    double sums[2] = {0}, off[MOST_TABLES * MOST_TABLE_SHAPES];
    int with_lines = 0, compared = 0;
    printf("%-20s %6s %7s", "nest", "size", "one");
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++)
        printf(" %7s", shape_classes[shape].word);
    printf(" %7s %8s\n", "all", "of 64");
    for (int i = 0; i < ntables; i++) {
        const SpaceTable *t = tables[i];
        with_lines += class_table(t, sums) > 0;
        for (int shape = 0; shape < t->nshapes; shape++)
            off[compared++] = fabs(log(t->then[shape]));
    }
    printf("%-*s %7.3f %8.3f\n", 35 + 8 * (CLASS_COUNT - 1), "geomean", exp(sums[0] / ntables), exp(sums[1] / ntables));
    qsort(off, (size_t)compared, sizeof *off, by_size);
    printf("%d of %d have lines for classes. Half of the times of what is planned are within %.1f %% of another measurement.\n", with_lines,
           ntables, 100 * off[compared / 2]);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const bool fits = strcmp(what, "fit") == 0, ten = strcmp(what, "search10") == 0, classes = strcmp(what, "classes") == 0;
    if (argc < 4 || argc % 2 || (!fits && !ten && !classes && strcmp(what, "search") != 0) || argc / 2 - 1 > MOST_TABLES) {
        fprintf(stderr, "usage: tune_replay fit|search|search10|classes SPEC TABLE [SPEC TABLE ...]\n");
        return 1;
    }
    for (int i = 2; i < argc; i += 2) {
        SpaceTable *t = space_table_read(argv[i], argv[i + 1]);
        if (t)
            tables[ntables++] = t;
    }
    Arena *arena = arena_new();
    if (fits)
        print_model(arena);
    else if (classes)
        print_classes();
    else
        search_first(ten && ntables > 10 ? 10 : ntables);
    return 0;
}
