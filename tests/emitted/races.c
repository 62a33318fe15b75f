/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eight threads that call operators at the same time. See races.sh. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gemm_f32.h"
#include "layernorm.h"
#include "packed.h"
#include "softmax.h"

enum { THREADS = 8, INSIDE = 3, SHAPES = 72, MOST = 160 * 160 };

static float a[MOST], b[MOST], w[MOST];
static float right[SHAPES][4][MOST]; /* by shape and operator */
static void *packed[SHAPES];
static int turns;
static atomic_int wrong;
static bool is_right_known; /* not in the first round, in which everything is done for the first time */

/* Small ones, and such for which a plan is searched and kept: so many that plans take each other's place. */
static void extents(int shape, int *m, int *n, int *k)
{
    const int more = shape % 2 * 110;
    *m = more + 1 + 5 * shape % 41;
    *n = more + 3 + 7 * shape % 43;
    *k = more + 2 + 11 * shape % 37;
}

/* ---------------------------------------------------------------- threads inside a call */

typedef struct Job {
    void (*task)(void *arg, int i);
    void *arg;
    atomic_int next;
    int n;
} Job;

static void *work(void *pointer)
{
    Job *job = pointer;
    for (int i; (i = atomic_fetch_add(&job->next, 1)) < job->n;)
        job->task(job->arg, i);
    return NULL;
}

static void run_parallel(void *ctx, int n, void (*task)(void *arg, int i), void *arg)
{
    Job job = {.task = task, .arg = arg, .n = n};
    pthread_t thread[INSIDE];
    (void)ctx;
    for (int i = 0; i < INSIDE; i++)
        if (pthread_create(thread + i, NULL, work, &job) != 0)
            abort();
    for (int i = 0; i < INSIDE; i++)
        pthread_join(thread[i], NULL);
}

/* ---------------------------------------------------------------- calls */

/* Operator `which` at a shape; the output has as many elements as are compared. */
static int call(const mikgen_options *opt, int which, int shape, float *c, int *count)
{
    int m, n, k;
    extents(shape, &m, &n, &k);
    *count = m * n;
    switch (which) {
    case 0: return gemm_f32_with(opt, m, n, k, a, b, c);
    case 1: return softmax_with(opt, m, n, a, c);
    case 2: return layernorm_with(opt, m, n, 1e-5f, a, b, w, c);
    default: return rows_of_w_packed_with(opt, m, n, k, a, packed[shape], c);
    }
}

static void *caller(void *number)
{
    const int self = *(const int *)number;
    const mikgen_options serial = {0}, parallel = {.threads = INSIDE, .parallel_for = run_parallel};
    float *c = malloc(MOST * sizeof *c);
    if (!c)
        abort();
    for (int i = 0; i < turns * 4 * SHAPES; i++) {
        const int which = (i + self) % 4, shape = (i / 4 * 5 + self) % SHAPES;
        int count;
        memset(c, 0, MOST * sizeof *c);
        const int status = call(i % 3 ? &serial : &parallel, which, shape, c, &count);
        if (status || (is_right_known && memcmp(c, right[shape][which], (size_t)count * sizeof *c) != 0))
            atomic_fetch_add(&wrong, 1);
    }
    free(c);
    return NULL;
}

/* All of them at the same time; how many calls were wrong. */
static int run(void)
{
    pthread_t thread[THREADS];
    int number[THREADS];
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        if (pthread_create(thread + i, NULL, caller, number + i) != 0)
            abort();
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return wrong;
}

/* What calls one after the other give. */
static bool find_right(void)
{
    static const mikgen_options serial;
    int count;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int which = 0; which < 4; which++)
            if (call(&serial, which, shape, right[shape][which], &count))
                return false;
    return is_right_known = true;
}

int main(int argc, char **argv)
{
    turns = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < MOST; i++) {
        a[i] = (float)(i * 37 % 101 - 50) / 8;
        b[i] = (float)(i * 53 % 97 - 48) / 16;
        w[i] = (float)(i * 29 % 89 - 44) / 32;
    }
    for (int shape = 0; shape < SHAPES; shape++) {
        int m, n, k;
        extents(shape, &m, &n, &k);
        packed[shape] = malloc(rows_of_w_W_size(n, k));
        if (!packed[shape] || rows_of_w_W_pack(n, k, w, packed[shape]))
            return 1;
    }
    const int bad = run() || !find_right() || run();
    printf("%d calls in %d threads, %s\n", 2 * THREADS * turns * 4 * SHAPES, THREADS, bad ? "FAILED: some are wrong" : "all right");
    for (int shape = 0; shape < SHAPES; shape++)
        free(packed[shape]);
    return bad;
}
