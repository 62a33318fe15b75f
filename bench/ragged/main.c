/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ragged batches: ours in one call, against the same products one by one, ours and a library's, and against batches padded to the
 * longest; turn by turn. Results are compared. With more workers than the machine has, tasks run one after the other, and the time of
 * each call is what its longest tasks and what lies between them take.
 */
#include "plain_dyn.h"
#include "pool.h"
#include "ragged_dyn.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <oneapi/dnnl/dnnl.h>

enum { RAGGED, LOOP, PADDED, LIBRARY, WAYS, MOST = 256 };

/* heads > 0: scores of sequences, with as many heads, N and K are 0 and a head's size. Sizes: `rows` in all, each of `groups` as large as
   the others (skew 0) or the larger the lower its number. */
typedef struct Case {
    const char *name;
    int groups, rows, heads, N, K;
    double skew;
    int off[MOST + 1], longest;
    float *a, *b, *c, *right, *padded_a, *padded_b, *padded_c;
} Case;

/* clang-format off */
static Case cases[] = {
    {.name = "8 experts, 1024 rows, skewed", .groups = 8, .rows = 1024, .N = 3584, .K = 1024, .skew = 0.8},
    {.name = "8 experts, 64 rows, skewed", .groups = 8, .rows = 64, .N = 3584, .K = 1024, .skew = 0.8},
    {.name = "64 experts, 1536 rows, skewed", .groups = 64, .rows = 1536, .N = 704, .K = 1024, .skew = 0.7},
    {.name = "64 experts, 1536 rows, drawn", .groups = 64, .rows = 1536, .N = 704, .K = 1024, .skew = 0},
    {.name = "64 experts, 48 rows, drawn", .groups = 64, .rows = 48, .N = 704, .K = 1024, .skew = 0},
    {.name = "32 adapters, 512 rows, skewed", .groups = 32, .rows = 512, .N = 16, .K = 1024, .skew = 0.7},
    {.name = "16 sequences, 2400 rows, 12 heads", .groups = 16, .rows = 2400, .heads = 12, .K = 64, .skew = 0.5},
    {.name = "128 sequences, 2560 rows, 4 heads", .groups = 128, .rows = 2560, .heads = 4, .K = 64, .skew = 0.6},
};
/* clang-format on */
enum { CASES = sizeof cases / sizeof cases[0] };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float *numbers(size_t n)
{
    float *p = aligned_alloc(64, (4 * n + 127) / 64 * 64);
    if (!p)
        abort();
    for (size_t i = 0; i < n; i++)
        p[i] = (float)(rand() % 17 - 8) / 8;
    return p;
}

/* ---- workers ---- */

static Pool *pool;
static double saved; /* seconds that tasks took here and would not take several workers */

static void by_pool(void *ctx, int n, void (*task)(void *, int), void *arg)
{
    (void)ctx;
    pool_for(pool, n, task, arg);
}

static void by_turns(void *ctx, int n, void (*task)(void *, int), void *arg)
{
    static const double start = 2e-6; /* a task on another thread */
    double longest = 0;
    (void)ctx;
    for (int i = 0; i < n; i++) {
        const double from = now();
        task(arg, i);
        const double took = now() - from;
        longest = took > longest ? took : longest;
        saved += took;
    }
    saved -= longest + start;
}

/* ---- the products ---- */

static void draw_sizes(Case *c)
{
    double weight[MOST], all = 0;
    int given = 0;
    for (int g = 0; g < c->groups; g++)
        all += weight[g] = c->skew > 0 ? pow(g + 1, -c->skew) : 0.2 + (double)rand() / RAND_MAX;
    c->longest = 0;
    for (int g = 0; g < c->groups; g++) {
        given += g + 1 < c->groups ? (int)(c->rows * weight[g] / all) : c->rows - given;
        c->off[g + 1] = given;
    }
    /* Larger and smaller ones by turns. */
    int size[MOST];
    for (int g = 0; g < c->groups; g++)
        size[g] = c->off[g + 1] - c->off[g];
    for (int g = 0; g < c->groups; g++) {
        const int other = rand() % c->groups, had = size[g];
        size[g] = size[other], size[other] = had;
    }
    for (int g = 0; g < c->groups; g++) {
        c->off[g + 1] = c->off[g] + size[g];
        c->longest = size[g] > c->longest ? size[g] : c->longest;
    }
}

static size_t outputs(const Case *c) { return c->heads ? (size_t)c->heads * c->rows * c->longest : (size_t)c->rows * c->N; }

static void begin(Case *c)
{
    draw_sizes(c);
    const size_t h = c->heads ? c->heads : 1, long_rows = (size_t)c->groups * c->longest;
    c->a = numbers(h * c->rows * c->K);
    c->b = numbers(c->heads ? h * c->rows * c->K : (size_t)c->groups * c->K * c->N);
    c->padded_a = numbers(h * long_rows * c->K);
    c->padded_b = c->heads ? numbers(h * long_rows * c->K) : c->b;
    c->padded_c = numbers(h * long_rows * (c->heads ? c->longest : c->N));
    c->c = numbers(outputs(c));
    c->right = numbers(outputs(c));
}

static void end(Case *c)
{
    free(c->a), free(c->b), free(c->c), free(c->right), free(c->padded_a), free(c->padded_c);
    if (c->heads)
        free(c->padded_b);
}

static void one_by_one(const Case *c, const mikgen_options *opt, bool library)
{
    for (int g = 0; g < c->groups; g++) {
        const int first = c->off[g], rows = c->off[g + 1] - first;
        float *a = c->a + (size_t)first * c->K;
        for (int h = 0; c->heads && library && rows && h < c->heads; h++) {
            const size_t head = (size_t)h * c->rows;
            dnnl_sgemm('N', 'T', rows, rows, c->K, 1, a + head * c->K, c->K, c->b + (head + first) * c->K, c->K, 0,
                       c->c + (head + first) * c->longest, c->longest);
        }
        if (c->heads && !library)
            batch_nt_with(opt, c->heads, rows, rows, c->K, c->rows, c->rows, c->rows, c->longest, a, c->b + (size_t)first * c->K,
                          c->c + (size_t)first * c->longest);
        if (c->heads || !rows)
            continue;
        const float *b = c->b + (size_t)g * c->K * c->N;
        if (library)
            dnnl_sgemm('N', 'N', rows, c->N, c->K, 1, a, c->K, b, c->N, 0, c->c + (size_t)first * c->N, c->N);
        else
            batch_nn_with(opt, 1, rows, c->N, c->K, rows, rows, a, b, c->c + (size_t)first * c->N);
    }
}

static void run(const Case *c, const mikgen_options *opt, int way)
{
    if (way == LOOP || way == LIBRARY)
        one_by_one(c, opt, way == LIBRARY);
    else if (way == PADDED && c->heads)
        batch_nt_with(opt, c->groups * c->heads, c->longest, c->longest, c->K, c->longest, c->longest, c->longest, c->longest, c->padded_a,
                      c->padded_b, c->padded_c);
    else if (way == PADDED)
        batch_nn_with(opt, c->groups, c->longest, c->N, c->K, c->longest, c->longest, c->padded_a, c->padded_b, c->padded_c);
    else if (c->heads)
        scores_with(opt, c->groups, c->heads, c->K, c->rows, c->longest, c->off, c->a, c->b, c->c);
    else
        experts_with(opt, c->groups, c->rows, c->N, c->K, c->off, c->a, c->b, c->c);
}

/* Elements are eighths: sums are exact. */
static void check(const Case *c, const mikgen_options *opt, int way)
{
    for (size_t i = 0; i < outputs(c); i++)
        c->c[i] = c->right[i] = 0;
    one_by_one(c, NULL, false);
    memcpy(c->right, c->c, 4 * outputs(c));
    for (size_t i = 0; i < outputs(c); i++)
        c->c[i] = 0;
    run(c, opt, way);
    if (way != PADDED && memcmp(c->c, c->right, 4 * outputs(c)) != 0) {
        fprintf(stderr, "%s: way %d is wrong\n", c->name, way);
        exit(1);
    }
}

/* Microseconds of a call, the best of several turns, in which the ways follow one another. */
static void measure(const Case *c, const mikgen_options *opt, int ways, int turns, double *best)
{
    for (int way = 0; way < ways; way++) {
        check(c, opt, way);
        best[way] = 1e30;
    }
    for (int turn = 0; turn < turns; turn++)
        for (int way = 0; way < ways; way++)
            for (double spent = 0, from, took; spent < 0.02; spent += took) {
                saved = 0;
                from = now();
                run(c, opt, way);
                took = now() - from;
                best[way] = fmin(best[way], 1e6 * (took - saved));
            }
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 1, turns = argc > 2 ? atoi(argv[2]) : 15;
    const bool simulated = argc > 3 && strcmp(argv[3], "simulated") == 0;
    mikgen_options opt = {.threads = threads, .parallel_for = simulated ? by_turns : by_pool};
    const int ways = simulated ? LIBRARY : WAYS;
    if (threads < 1 || turns < 1) {
        fprintf(stderr, "usage: %s [THREADS [TURNS [simulated]]]\n", argv[0]);
        return 2;
    }
    pool = pool_start(simulated ? 1 : threads);
    double product[WAYS] = {0}, least[WAYS];
    printf("%d %s%s; microseconds of a call, the best of %d turns\n", threads, simulated ? "simulated " : "",
           threads > 1 ? "workers" : "worker", turns);
    printf("%-36s %9s %9s %9s%s  loop/ours padded/ours%s\n", "", "ours", "loop", "padded", simulated ? "" : "   oneDNN",
           simulated ? "" : " oneDNN/ours");
    for (int i = 0; i < CASES; i++) {
        Case *c = &cases[i];
        double best[WAYS];
        srand(i + 1);
        begin(c);
        measure(c, &opt, ways, turns, best);
        printf("%-36s %9.1f %9.1f %9.1f", c->name, best[RAGGED], best[LOOP], best[PADDED]);
        if (!simulated)
            printf(" %9.1f", best[LIBRARY]);
        for (int way = LOOP; way < ways; way++) {
            const double ratio = best[way] / best[RAGGED];
            product[way] += log(ratio);
            least[way] = i && least[way] < ratio ? least[way] : ratio;
            printf(" %10.2f", ratio);
        }
        printf("\n");
        fflush(stdout);
        end(c);
    }
    for (int row = 0; row < 2; row++) {
        printf("%-36s %29s%s", row ? "minimum" : "geomean", "", simulated ? "" : "          ");
        for (int way = LOOP; way < ways; way++)
            printf(" %10.2f", row ? least[way] : exp(product[way] / CASES));
        printf("\n");
    }
    pool_stop(pool);
    return 0;
}
