/* Searches replayed on spaces that were measured whole, and the model that is fitted to them.
 *
 *   tune_replay fit SPEC TABLE [SPEC TABLE ...]      the model of all of them, as text
 *   tune_replay search SPEC TABLE [SPEC TABLE ...]   how near to the best searches come, each nest with a model of the others alone
 *   tune_replay search10 SPEC TABLE ...              of the first ten; models are of all the others
 *
 * Nothing is measured, and all is seeded: the same tables, the same text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tune/space_table.h"
#include "tune/search/boost.h"
#include "tune/search/search.h"

enum { MOST_TABLES = 64, SEEDS = 8, STEPS = 3 };
/* With a model that knows other nests fewer first measurements are drawn. */
enum { SEARCH_FIRST_KNOWN = 8, SEARCH_DRAWN_KNOWN = 2 };
static const int steps[STEPS] = {16, 32, 64};

static SpaceTable *tables[MOST_TABLES];
static int ntables;

/* ---------------------------------------------------------------- fitting */

/* What a model learns from: a row for each configuration and shape, with the logarithm of its speed among all of that shape; each shape
 * counts alike. */
typedef struct Lessons {
    double *rows, *targets, *weights;
    int n;
} Lessons;

static double mean_log(const SpaceTable *t, int shape)
{
    double sum = 0;
    for (int i = 0; i < t->count; i++)
        sum += log(t->speed[i][shape]);
    return sum / t->count;
}

static void add_lessons(SpaceTable *t, Lessons *l)
{
    for (int shape = 0; shape < t->nshapes; shape++) {
        const double mean = mean_log(t, shape);
        for (int i = 0; i < t->count; i++) {
            memcpy(l->rows + (size_t)l->n * MODEL_FEATURES, predictor_rows(t->predictor, &t->points[i]) + shape * MODEL_FEATURES,
                   MODEL_FEATURES * sizeof(double));
            l->targets[l->n] = log(t->speed[i][shape]) - mean;
            l->weights[l->n++] = 1.0 / t->count;
        }
    }
}

/* Of all tables but one: of none, if that is NULL. */
static const Trees *fit(Arena *arena, const SpaceTable *left_out)
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
        if (tables[i] != left_out)
            add_lessons(tables[i], &l);
    const Trees *trees = boost_train(arena,
                                     &(BoostInput){.nrows = l.n,
                                                   .nfeatures = MODEL_FEATURES,
                                                   .names = model_names(arena),
                                                   .features = l.rows,
                                                   .targets = l.targets,
                                                   .weights = l.weights},
                                     &error);
    if (!trees) {
        fprintf(stderr, "tune_replay: %s\n", error);
        exit(1);
    }
    return trees;
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
            const double *row = predictor_rows(t->predictor, &t->points[r->asked[i]]) + shape * MODEL_FEATURES;
            const double *planned = predictor_rows(t->predictor, &t->space->planned) + shape * MODEL_FEATURES;
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
    SearchInput input = search_defaults(t->space->chain, kind, seed);
    if (trees) {
        input.first = SEARCH_FIRST_KNOWN;
        input.drawn = SEARCH_DRAWN_KNOWN;
    }
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

/* What the model thinks best. */
static double zero_share(SpaceTable *t, const Trees *trees)
{
    const NestModel model = {trees, NULL};
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < t->count; i++) {
        const double speed = predictor_log_speed(t->predictor, &model, &t->points[i]);
        if (speed > most)
            best = i, most = speed;
    }
    return space_table_speed(t, best) / t->best;
}

/* Columns of the table: of the best there is. */
enum { PLANNED, ZERO, DESCENT, RANDOM = DESCENT + STEPS, GENETIC = RANDOM + STEPS, COLUMNS = GENETIC + STEPS };

static void search_table(SpaceTable *t, double *shares)
{
    Arena *arena = arena_new();
    const Trees *trees = fit(arena, t);
    shares[PLANNED] = 1 / t->best;
    shares[ZERO] = zero_share(t, trees);
    mean_share(t, SEARCH_DESCENT, trees, shares + DESCENT);
    mean_share(t, SEARCH_RANDOM, NULL, shares + RANDOM);
    mean_share(t, SEARCH_GENETIC, NULL, shares + GENETIC);
    arena_free(arena);
}

static void search_first(int n)
{
    double sum[COLUMNS] = {0};
    int better[STEPS] = {0};
    printf("%-20s %6s %7s %7s", "nest", "size", "planned", "none");
    for (int i = 0; i < 3; i++)
        for (int step = 0; step < STEPS; step++)
            printf(" %5s%3d", (const char *[]){"desc.", "rand.", "gen."}[i], steps[step]);
    printf("\n");
    for (int i = 0; i < n; i++) {
        double shares[COLUMNS];
        search_table(tables[i], shares);
        printf("%-20s %6d", tables[i]->name, tables[i]->count);
        for (int c = 0; c < COLUMNS; c++) {
            printf(c < DESCENT ? " %7.3f" : " %8.3f", shares[c]);
            sum[c] += log(shares[c]);
        }
        printf("\n");
        for (int step = 0; step < STEPS; step++)
            better[step] += shares[DESCENT + step] >= shares[RANDOM + step] && shares[DESCENT + step] >= shares[GENETIC + step];
    }
    printf("%-27s", "geomean");
    for (int c = 0; c < COLUMNS; c++)
        printf(c < DESCENT ? " %7.3f" : " %8.3f", exp(sum[c] / n));
    printf("\nno worse than either of the others:");
    for (int step = 0; step < STEPS; step++)
        printf("%s after %d measurements on %d of %d", step ? "," : "", steps[step], better[step], n);
    printf("\n");
}

int main(int argc, char **argv)
{
    const bool fits = argc > 1 && strcmp(argv[1], "fit") == 0, ten = argc > 1 && strcmp(argv[1], "search10") == 0;
    if (argc < 4 || argc % 2 || (!fits && !ten && strcmp(argv[1], "search") != 0) || argc / 2 - 1 > MOST_TABLES) {
        fprintf(stderr, "usage: tune_replay fit|search|search10 SPEC TABLE [SPEC TABLE ...]\n");
        return 1;
    }
    for (int i = 2; i < argc; i += 2)
        tables[ntables++] = space_table_read(argv[i], argv[i + 1]);
    Arena *arena = arena_new();
    if (fits)
        fputs(trees_print(arena, fit(arena, NULL)), stdout);
    else
        search_first(ten && ntables > 10 ? 10 : ntables);
    return 0;
}
