#include "measure.h"

#include <stdio.h>
#include <string.h>

#include "conv2d_dyn.h"
#include "conv2d_nchw_dyn.h"
#include "problem.h"
#include "race.h"

/* The columns of one layout; ours if convolution is NULL. */
typedef struct Run {
    Problem *problem;
    Race *race;
    Layout layout;
    Convolution *columns[COLUMNS];
} Run;

static void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg) { pool_for(ctx, n, task, arg); }

static int run_ours(const Run *run)
{
    const Problem *p = run->problem;
    const Layer *l = p->layer;
    Pool *pool = run->race->pool;
    int threads = pool_threads(pool);
    mikgen_options options = {.threads = threads, .parallel_for = threads > 1 ? parallel_for : NULL, .parallel_ctx = pool};
    if (run->layout == NHWC)
        return conv2d_with(&options, p->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, p->image[NHWC], p->filter[NHWC],
                           p->output);
    return conv2d_nchw_with(&options, p->batch, l->C, l->H, l->W, l->K, l->R, l->S, l->stride, l->pad, p->image[NCHW], p->filter[NCHW],
                            p->output);
}

static void run_column(void *ctx, int column, int calls)
{
    const Run *run = ctx;
    for (int c = 0; c < calls; c++)
        if (column == OURS)
            run_ours(run);
        else
            convolution_run(run->columns[column]);
}

/* Winograd's algorithm rounds; everything else is exact on these data. */
static bool is_right(const Run *run, int column)
{
    Convolution *convolution = run->columns[column];
    bool winograd = convolution && strstr(convolution_implementation(convolution), "wino");
    race_settle(run->race);
    problem_spoil(run->problem);
    if (convolution) {
        convolution_run(convolution);
        convolution_output(convolution);
    } else if (run_ours(run) != MIKGEN_OK) {
        return false;
    }
    return problem_error(run->problem, run->layout) <= (winograd ? 1e-2 : 0);
}

/* Makes oneDNN's convolutions. The automatic choice is left out where it is the direct convolution. */
static void make_peers(Run *run, Result *result)
{
    const Problem *p = run->problem;
    int source = run->layout == NCHW ? NCHW : NHWC;
    for (int column = DIRECT; column < COLUMNS; column++) {
        char *name = result->implementation[run->layout][column];
        if (run->layout == BLOCKED && column == PLAIN_FILTER)
            continue;
        Convolution *c = convolution_new(p->layer, p->batch, run->layout, column == AUTOMATIC, column != PLAIN_FILTER, p->image[source],
                                         p->filter[source], p->output);
        if (!c)
            continue;
        snprintf(name, sizeof result->implementation[0][0], "%s", convolution_implementation(c));
        if (column == AUTOMATIC && strcmp(name, result->implementation[run->layout][DIRECT]) == 0) {
            convolution_free(c);
            continue;
        }
        run->columns[column] = c;
    }
}

static void measure_layout(Problem *problem, Race *race_of_columns, Layout layout, Result *result)
{
    Run run = {.problem = problem, .race = race_of_columns, .layout = layout};
    bool skip[COLUMNS];
    make_peers(&run, result);
    for (int column = 0; column < COLUMNS; column++) {
        skip[column] = column == OURS ? layout == BLOCKED : !run.columns[column];
        if (skip[column] || is_right(&run, column))
            continue;
        skip[column] = true;
        if (column == OURS)
            result->wrong++;
        else
            fprintf(stderr, "oneDNN is wrong: %s %s, %s\n", problem->layer->network, problem->layer->name,
                    result->implementation[layout][column]);
    }
    race_of_columns->ctx = &run;
    race(race_of_columns, skip, result->seconds[layout]);
    for (int column = DIRECT; column < COLUMNS; column++)
        convolution_free(run.columns[column]);
}

void measure(const Layer *layer, int batch, Pool *pool, double budget, Result *result)
{
    static double free_fma;
    Problem problem = problem_new(layer, batch);
    Race columns = {.pool = pool, .budget = budget / 3, .entries = COLUMNS, .run = run_column, .free_fma = free_fma};
    *result = (Result){.layer = layer, .batch = batch};
    for (int layout = NHWC; layout <= BLOCKED; layout++)
        measure_layout(&problem, &columns, (Layout)layout, result);
    free_fma = columns.free_fma;
    problem_free(&problem);
}

int best_peer(const Result *result, Layout layout)
{
    const double *seconds = result->seconds[layout];
    int best = 0;
    for (int column = DIRECT; column < COLUMNS; column++)
        if (seconds[column] > 0 && (best == 0 || seconds[column] < seconds[best]))
            best = column;
    return best;
}

double ratio(const Result *result, Layout layout)
{
    int best = best_peer(result, layout);
    const double *seconds = result->seconds[layout];
    return best && seconds[OURS] > 0 ? seconds[best] / seconds[OURS] : 0;
}
