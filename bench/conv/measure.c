/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv2d_dyn.h"
#include "conv2d_nchw_dyn.h"
#include "problem.h"
#include "race.h"
#include "winograd_conv2d_dyn.h"

/* The columns of one layout; oneDNN's have a convolution. */
typedef struct Run {
    Problem *problem;
    Race *race;
    Layout layout;
    Convolution *columns[COLUMNS];
    void *packed, *transformed; /* the filter, and for Winograd's algorithm */
} Run;

static void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg) { pool_for(ctx, n, task, arg); }

static int run_ours(const Run *run, int column)
{
    const Problem *p = run->problem;
    const Layer *l = p->layer;
    Pool *pool = run->race->pool;
    int threads = pool_threads(pool);
    mikgen_options o = {.threads = threads, .parallel_for = threads > 1 ? parallel_for : NULL, .parallel_ctx = pool};
    const float *image = p->image[run->layout], *filter = p->filter[run->layout];
    if (column == WINOGRAD)
        return winograd_conv2d_packed_with(&o, p->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, image, run->transformed,
                                           p->output);
    if (run->layout == NHWC && column == PACKED)
        return conv2d_packed_with(&o, p->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, image, run->packed, p->output);
    if (run->layout == NHWC)
        return conv2d_with(&o, p->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, image, filter, p->output);
    if (column == PACKED)
        return conv2d_nchw_packed_with(&o, p->batch, l->C, l->H, l->W, l->K, l->R, l->S, l->stride, l->pad, image, run->packed, p->output);
    return conv2d_nchw_with(&o, p->batch, l->C, l->H, l->W, l->K, l->R, l->S, l->stride, l->pad, image, filter, p->output);
}

static void run_column(void *ctx, int column, int calls)
{
    const Run *run = ctx;
    for (int c = 0; c < calls; c++)
        if (column <= WINOGRAD)
            run_ours(run, column);
        else
            convolution_run(run->columns[column]);
}

/* Winograd's algorithm rounds; everything else is exact on these data. */
static bool is_right(const Run *run, int column)
{
    Convolution *convolution = run->columns[column];
    bool winograd = convolution ? strstr(convolution_implementation(convolution), "wino") != NULL : column == WINOGRAD;
    race_settle(run->race);
    problem_spoil(run->problem);
    if (convolution) {
        convolution_run(convolution);
        convolution_output(convolution);
    } else if (run_ours(run, column) != MIKGEN_OK) {
        return false;
    }
    return problem_error(run->problem, column >= BLOCKED_DIRECT ? NHWC : run->layout) <= (winograd ? 1e-2 : 0);
}

/* Makes oneDNN's convolutions. The automatic choice is left out where it is the direct convolution. */
static void make_peers(Run *run, Result *result)
{
    const Problem *p = run->problem;
    char(*names)[32] = result->implementation[run->layout];
    for (int column = DIRECT; column < COLUMNS; column++) {
        const bool automatic = column == AUTOMATIC || column == BLOCKED_AUTOMATIC, blocked = column >= BLOCKED_DIRECT;
        const Layout image = blocked ? NHWC : run->layout;
        Convolution *c = convolution_new(p->layer, p->batch, blocked ? BLOCKED : run->layout, automatic, column != PLAIN_FILTER,
                                         p->image[image], p->filter[image], p->output);
        if (!c)
            continue;
        snprintf(names[column], sizeof names[column], "%s", convolution_implementation(c));
        if (automatic && strcmp(names[column], names[blocked ? BLOCKED_DIRECT : DIRECT]) == 0) {
            convolution_free(c);
            continue;
        }
        run->columns[column] = c;
    }
}

/* The filter as ours takes it ahead of time; to be freed by free(). */
static void *pack_filter(const Problem *p, Layout layout)
{
    const Layer *l = p->layer;
    const size_t bytes = layout == NHWC ? conv2d_filter_size(l->C, l->K, l->R, l->S) : conv2d_nchw_filter_size(l->C, l->K, l->R, l->S);
    void *packed = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!packed || (layout == NHWC ? conv2d_filter_pack(l->C, l->K, l->R, l->S, p->filter[NHWC], packed)
                                   : conv2d_nchw_filter_pack(l->C, l->K, l->R, l->S, p->filter[NCHW], packed)) != MIKGEN_OK)
        abort();
    return packed;
}

static void measure_layout(Problem *problem, Race *race_of_columns, Layout layout, Result *result)
{
    Run run = {.problem = problem, .race = race_of_columns, .layout = layout, .packed = pack_filter(problem, layout)};
    const Layer *l = problem->layer;
    bool skip[COLUMNS];
    if (layout == NHWC) {
        run.transformed = aligned_alloc(64, (winograd_conv2d_filter_size(l->C, l->K, l->R, l->S) + 63) / 64 * 64);
        if (!run.transformed || winograd_conv2d_filter_pack(l->C, l->K, l->R, l->S, problem->filter[NHWC], run.transformed) != MIKGEN_OK)
            abort();
    }
    make_peers(&run, result);
    for (int column = 0; column < COLUMNS; column++) {
        skip[column] = column > WINOGRAD ? !run.columns[column] : column == WINOGRAD && layout != NHWC;
        if (skip[column] || is_right(&run, column))
            continue;
        skip[column] = true;
        if (column <= WINOGRAD)
            result->wrong++;
        else
            fprintf(stderr, "oneDNN is wrong: %s %s, %s\n", problem->layer->network, problem->layer->name,
                    result->implementation[layout][column]);
    }
    race_of_columns->ctx = &run;
    race(race_of_columns, skip, result->seconds[layout]);
    for (int column = DIRECT; column < COLUMNS; column++)
        convolution_free(run.columns[column]);
    free(run.packed);
    free(run.transformed);
}

void measure(const Layer *layer, int batch, Pool *pool, double budget, Result *result)
{
    static double free_fma;
    Problem problem = problem_new(layer, batch);
    Race columns = {.pool = pool, .budget = budget / 2, .entries = COLUMNS, .run = run_column, .free_fma = free_fma};
    *result = (Result){.layer = layer, .batch = batch};
    for (int layout = NHWC; layout <= NCHW; layout++)
        measure_layout(&problem, &columns, (Layout)layout, result);
    free_fma = columns.free_fma;
    problem_free(&problem);
}

int best_peer(const Result *result, Layout layout, int ours)
{
    const double *seconds = result->seconds[layout];
    const int first = ours != OURS ? BLOCKED_DIRECT : DIRECT, last = ours != OURS ? BLOCKED_AUTOMATIC : PLAIN_FILTER;
    int best = 0;
    for (int column = first; column <= last; column++)
        if (seconds[column] > 0 && (best == 0 || seconds[column] < seconds[best]))
            best = column;
    return best;
}

double ratio(const Result *result, Layout layout, int ours)
{
    int best = best_peer(result, layout, ours);
    const double *seconds = result->seconds[layout];
    return best && seconds[ours] > 0 ? seconds[best] / seconds[ours] : 0;
}
