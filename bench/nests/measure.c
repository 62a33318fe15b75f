/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times the candidates of one case, interleaved, on the same arrays: the least of each counts. With one thread that is this
 * thread's time, so that what else runs on its core does not count. Before, every candidate's outputs are compared with the
 * oracle's.
 *
 *   measure SECONDS FOLDER THREADS [again [slow]]
 *
 * Lines CANDIDATE, MILLISECONDS, ERROR, with tabs between. Inputs and the oracle's outputs are left in FOLDER, from which
 * a second run ("again") takes the latter. An oracle of more than SLOW seconds is run only once, and then ("slow") other
 * candidates whose names begin with "spec" are left out: they cannot be the best. "memory" is the time of reading and
 * writing as many bytes, "gigaflop" that of 10^9 multiplications and additions in registers, "arithmetic"
 * that of as many as the case has. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "data.h"
#include "limit.h"
#include "machine.h"

enum { MOST_ARRAYS = 64, MOST_CANDIDATES = 24, LEAST_ROUNDS = 3, MOST_ROUNDS = 400, MOST_CALLS = 50, MOST_REPEATS = 100 };
static const double SLOW = 1.0, LONG = 0.05, TURN = 1e-2, SHORT = 2e-5;

void *workspace;
size_t workspace_bytes;
int threads;

static Pool *pool;
static void *arrays[MOST_ARRAYS], *before[MOST_ARRAYS], *wanted[MOST_ARRAYS];
static double least[MOST_CANDIDATES], error[MOST_CANDIDATES], least_touch = INFINITY;
static bool is_out[MOST_CANDIDATES];

void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    (void)ctx;
    pool_for(pool, n, task, arg);
}

static double now(void) { return threads > 1 ? seconds() : thread_seconds(); }

static void restore(void)
{
    for (int a = 0; a < the_case.array_count; a++)
        if (the_case.arrays[a].is_output)
            memcpy(arrays[a], before[a], array_bytes(&the_case.arrays[a]));
}

/* One call; its time counts. Not 0: the operator refused. */
static int call(int c)
{
    const double start = now();
    const int status = the_case.candidates[c].run(arrays);
    least[c] = fmin(least[c], now() - start);
    return status;
}

static void check(int c)
{
    restore();
    const int status = call(c);
    error[c] = status ? INFINITY : 0;
    for (int a = 0; a < the_case.array_count && !status; a++)
        if (the_case.arrays[a].is_output)
            error[c] = fmax(error[c], difference(&the_case.arrays[a], arrays[a], wanted[a]));
}

static void make_arrays(const char *folder, bool again)
{
    for (int a = 0; a < the_case.array_count; a++) {
        const Array *array = &the_case.arrays[a];
        arrays[a] = allocate(array_bytes(array), 832 * (size_t)(a + 1));
        fill(array, arrays[a]);
        if (!again)
            save(folder, "", array, arrays[a]);
        if (array->is_output) {
            before[a] = allocate(array_bytes(array), 0);
            memcpy(before[a], arrays[a], array_bytes(array));
            wanted[a] = allocate(array_bytes(array), 0);
        }
    }
    workspace_bytes = case_workspace();
    if (workspace_bytes)
        workspace = allocate(workspace_bytes, 0);
}

static void ask_oracle(const char *folder, bool again)
{
    if (!again)
        call(0);
    for (int a = 0; a < the_case.array_count; a++) {
        const Array *array = &the_case.arrays[a];
        if (array->is_output && again)
            load(folder, "wanted_", array, wanted[a]);
        else if (array->is_output) {
            memcpy(wanted[a], arrays[a], array_bytes(array));
            save(folder, "wanted_", array, wanted[a]);
        }
    }
}

static void check_all(bool is_slow)
{
    for (int c = 0; c < the_case.candidate_count; c++) {
        const Candidate *candidate = &the_case.candidates[c];
        is_out[c] = (is_slow && !strncmp(candidate->name, "spec", 4)) || (candidate->wants_workspace && !workspace_bytes);
        if (!is_out[c])
            check(c);
    }
}

static Limit limit_arrays(void)
{
    Limit limit = {0};
    for (int a = 0; a < the_case.array_count; a++) {
        const Array *array = &the_case.arrays[a];
        size_t *bytes = !array->is_output ? &limit.from_bytes : array->is_read ? &limit.both_bytes : &limit.to_bytes;
        *bytes += array_bytes(array) / 64 * 64;
    }
    limit.from = allocate(limit.from_bytes, 64);
    limit.to = allocate(limit.to_bytes, 960);
    limit.both = allocate(limit.both_bytes, 1856);
    return limit;
}

static void touch_turn(Limit *limit)
{
    for (int i = 0; i < 6; i++) {
        limit->past_caches = i > 3;
        const double start = now();
        touch(limit, pool);
        least_touch = fmin(least_touch, now() - start);
    }
}

/* How many calls go between two looks at the clock, which takes as long as a short call. Where an output is read, too, every call
 * finds another problem. */
static int repeats(int c)
{
    for (int a = 0; a < the_case.array_count; a++)
        if (the_case.arrays[a].is_output && the_case.arrays[a].is_read)
            return 1;
    return least[c] < SHORT ? (int)fmin(MOST_REPEATS, ceil(SHORT / least[c])) : 1;
}

static void timed_calls(int c)
{
    const int count = repeats(c);
    const double start = now();
    for (int i = 0; i < count; i++)
        the_case.candidates[c].run(arrays);
    least[c] = fmin(least[c], (now() - start) / count);
}

/* Long enough for processors that take a millisecond or two to get used to wide vectors again. */
static void turn(int c)
{
    const double start = seconds();
    const int least_calls = least[c] > LONG ? 1 : 2;
    for (int i = 0; i < MOST_CALLS; i++) {
        if (i >= least_calls && (least[c] > LONG || seconds() - start > TURN))
            break;
        timed_calls(c);
    }
}

static void measure(double budget)
{
    Limit limit = limit_arrays();
    const double start = seconds();
    const int least_rounds = the_case.is_long ? 1 : LEAST_ROUNDS;
    for (int round = 0; round < MOST_ROUNDS && (round < least_rounds || seconds() - start < budget); round++) {
        restore();
        for (int c = 0; c < the_case.candidate_count; c++)
            if (!is_out[c])
                turn(c);
        if (the_case.has_limit)
            touch_turn(&limit);
    }
}

static void print(void)
{
    for (int c = 0; c < the_case.candidate_count; c++)
        if (isfinite(least[c]))
            printf("%s\t%.6g\t%.3g\n", the_case.candidates[c].name, 1e3 * least[c], error[c]);
    const double peak = fma_peak(0, pool);
    printf("gigaflop\t%.6g\t0\n", 1e3 / peak);
    if (the_case.flops > 0)
        printf("arithmetic\t%.6g\t0\n", 1e-6 * the_case.flops / peak);
    if (the_case.has_limit)
        printf("memory\t%.6g\t0\n", 1e3 * least_touch);
}

int main(int argc, char **argv)
{
    if (argc < 4 || the_case.array_count > MOST_ARRAYS || the_case.candidate_count > MOST_CANDIDATES)
        return 2;
    const char *folder = argv[2];
    const bool again = argc > 4;
    threads = atoi(argv[3]);
    if (threads > 1 && !run_first())
        fprintf(stderr, "threads may share a core: not permitted to run them first\n");
    pool = pool_start(threads);
    for (int c = 0; c < MOST_CANDIDATES; c++)
        least[c] = INFINITY;
    make_arrays(folder, again);
    ask_oracle(folder, again);
    check_all(!the_case.is_long && (again ? argc > 5 : least[0] > SLOW));
    measure(atof(argv[1]));
    print();
    pool_stop(pool);
    return 0;
}
