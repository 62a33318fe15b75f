#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conv2d_dyn.h"
#include "conv2d_nchw_dyn.h"
#include "machine.h"
#include "problem.h"

static const double TURN = 3e-3, FAR = 3;
enum { MIN_ROUNDS = 3, MAX_ROUNDS = 7 };

/* One column: ours if convolution is NULL. */
typedef struct Entry {
    Layout layout;
    Convolution *convolution;
    double *seconds;
    int calls; /* in a turn */
} Entry;

typedef struct Run {
    Problem problem;
    Pool *pool;
    Entry entries[3 * COLUMNS];
    int count;
} Run;

static void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg) { pool_for(ctx, n, task, arg); }

static int run_ours(const Run *run, Layout layout)
{
    const Problem *p = &run->problem;
    const Layer *l = p->layer;
    int threads = pool_threads(run->pool);
    mikgen_options options = {.threads = threads, .parallel_for = threads > 1 ? parallel_for : NULL, .parallel_ctx = run->pool};
    if (layout == NHWC)
        return conv2d_with(&options, p->batch, l->H, l->W, l->C, l->K, l->R, l->S, l->stride, l->pad, p->image[NHWC],
                           p->filter[NHWC], p->output);
    return conv2d_nchw_with(&options, p->batch, l->C, l->H, l->W, l->K, l->R, l->S, l->stride, l->pad, p->image[NCHW],
                            p->filter[NCHW], p->output);
}

static int run_entry(const Run *run, const Entry *entry)
{
    if (!entry->convolution)
        return run_ours(run, entry->layout);
    convolution_run(entry->convolution);
    return 0;
}

static double timed_calls(const Run *run, const Entry *entry, int calls)
{
    bool alone = pool_threads(run->pool) == 1;
    double begin = alone ? thread_seconds() : seconds();
    for (int c = 0; c < calls; c++)
        run_entry(run, entry);
    return (alone ? thread_seconds() : seconds()) - begin;
}

/* Other threads go to sleep: see conv.sh. */
static void settle(const Run *run)
{
    if (pool_threads(run->pool) > 1)
        nanosleep(&(struct timespec){.tv_nsec = 1500000}, NULL);
}

/* Winograd's algorithm rounds; everything else is exact on these data. */
static bool is_right(Run *run, const Entry *entry)
{
    bool winograd = entry->convolution && strstr(convolution_implementation(entry->convolution), "wino");
    settle(run);
    problem_spoil(&run->problem);
    if (run_entry(run, entry) != 0)
        return false;
    if (entry->convolution)
        convolution_output(entry->convolution);
    return problem_error(&run->problem, entry->layout) <= (winograd ? 1e-2 : 0);
}

/* Adds a column if it computes what it must. False: it does not. */
static bool add_entry(Run *run, Layout layout, Convolution *convolution, double *seconds)
{
    Entry entry = {layout, convolution, seconds, 1};
    if (!is_right(run, &entry)) {
        convolution_free(convolution);
        return false;
    }
    for (;; entry.calls *= 4) {
        double time = timed_calls(run, &entry, entry.calls);
        if (time > TURN / 8) {
            entry.calls = (int)ceil(TURN / time * entry.calls);
            break;
        }
    }
    run->entries[run->count++] = entry;
    return true;
}

/* oneDNN's columns of one layout. The automatic choice is left out where it is the direct convolution. */
static void add_peers(Run *run, Layout layout, Result *result)
{
    const Problem *p = &run->problem;
    int source = layout == NCHW ? NCHW : NHWC;
    for (int column = DIRECT; column < COLUMNS; column++) {
        char *name = result->implementation[layout][column];
        if (layout == BLOCKED && column == PLAIN_FILTER)
            continue;
        Convolution *c = convolution_new(p->layer, p->batch, layout, column == AUTOMATIC, column != PLAIN_FILTER,
                                         p->image[source], p->filter[source], p->output);
        if (!c)
            continue;
        snprintf(name, sizeof result->implementation[0][0], "%s", convolution_implementation(c));
        if (column == AUTOMATIC && strcmp(name, result->implementation[layout][DIRECT]) == 0)
            convolution_free(c);
        else if (!add_entry(run, layout, c, &result->seconds[layout][column]))
            fprintf(stderr, "oneDNN is wrong: %s %s, %s\n", p->layer->network, p->layer->name, name);
    }
}

static void take_turns(Run *run, double budget)
{
    double best[3] = {1e30, 1e30, 1e30}, spent = 0;
    for (int round = 0, rounds = MAX_ROUNDS; round < rounds; round++) {
        for (int i = 0; i < run->count; i++) {
            Entry *entry = &run->entries[(i + round) % run->count];
            if (entry->convolution && *entry->seconds > FAR * best[entry->layout]) /* once is enough */
                continue;
            settle(run);
            timed_calls(run, entry, 1);
            double time = timed_calls(run, entry, entry->calls) / entry->calls;
            *entry->seconds = *entry->seconds == 0 ? time : fmin(*entry->seconds, time);
            best[entry->layout] = fmin(best[entry->layout], time);
            spent += time * (entry->calls + 1);
        }
        if (round == 0)
            rounds = (int)fmin(MAX_ROUNDS, fmax(MIN_ROUNDS, budget / spent));
    }
}

void measure(const Layer *layer, int batch, Pool *pool, double budget, Result *result)
{
    Run run = {.problem = problem_new(layer, batch), .pool = pool};
    *result = (Result){.layer = layer, .batch = batch};
    for (int layout = NHWC; layout <= NCHW; layout++)
        result->wrong += !add_entry(&run, layout, NULL, &result->seconds[layout][OURS]);
    for (int layout = NHWC; layout <= BLOCKED; layout++)
        add_peers(&run, layout, result);
    take_turns(&run, budget);
    for (int i = 0; i < run.count; i++)
        convolution_free(run.entries[i].convolution);
    problem_free(&run.problem);
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
