/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generated code: the plain entry for one thread, else NAME_with and a pool of threads. */
#include <stdio.h>

#include "gemm_f32_dyn.h"
#include "gemm_f64_dyn.h"
#include "library.h"
#include "pool.h"

static mikgen_options options;

static bool sgemm(int M, int N, int K, const void *A, const void *B, void *C)
{
    if (options.threads > 1)
        return gemm_f32_with(&options, M, N, K, A, B, C) == MIKGEN_OK;
    return gemm_f32(M, N, K, A, B, C) == MIKGEN_OK;
}

static bool dgemm(int M, int N, int K, const void *A, const void *B, void *C)
{
    if (options.threads > 1)
        return gemm_f64_with(&options, M, N, K, A, B, C) == MIKGEN_OK;
    return gemm_f64(M, N, K, A, B, C) == MIKGEN_OK;
}

const Library libraries[] = {{"ours", {sgemm, dgemm}}, {NULL, {NULL, NULL}}};

static void parallel_for(void *ctx, int n, void (*task)(void *arg, int i), void *arg) { pool_for(ctx, n, task, arg); }

void set_threads(int n)
{
    if (options.parallel_ctx)
        pool_stop(options.parallel_ctx);
    options.threads = n;
    options.parallel_ctx = n > 1 ? pool_start(n) : NULL;
    options.parallel_for = n > 1 ? parallel_for : NULL;
}

const char *describe(void) { return "ours, " OURS; }
