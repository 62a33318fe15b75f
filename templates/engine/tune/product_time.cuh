/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Products made of whole tiles, and what they cost. */
#pragma once
#include "measured.cuh"

/* Bytes of operands: of a block alone, whatever it takes; of many, what stays in the second-level cache, as neighbours in
   a large product find their operands there. The matrix that a vector is multiplied with is read once, from memory. */
static int64_t tune_most_bytes(const mik_variant *v, int64_t blocks)
{
    static size_t free_bytes, all; /* at first: a shape that was told before must not shrink */
    int device = 0, cache = 0;
    if (all == 0)
        tune_check(cudaMemGetInfo(&free_bytes, &all), "memory");
    tune_check(cudaGetDevice(&device), "the device");
    tune_check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device), "the device");
    const int64_t room = blocks == 1 || v->m == 1 || v->n == 1 ? (int64_t)1 << 29 : cache > 0 ? cache / 2 : (int64_t)1 << 22;
    return room < (int64_t)(free_bytes / 4) ? room : (int64_t)(free_bytes / 4);
}

/* A product of `blocks` tiles, as square as may be, or a few less, of `steps` steps, or as many as memory allows. */
static void tune_shape(const tune_product *p, int kernel, int64_t blocks, int64_t steps, tune_job *j)
{
    const mik_variant *const v = &p->set->variants[kernel];
    int64_t down = 1, across = 1;
    if (v->m == 1 || v->n == 1) {
        down = v->m == 1 ? 1 : blocks;
        across = v->m == 1 ? blocks : 1;
    } else {
        for (int64_t i = 1; i * i <= blocks; i++)
            if (i * (blocks / i) >= down * across)
                down = i, across = blocks / i;
    }
    *j = tune_job{};
    j->m = down * v->m;
    j->n = across * v->n;
    const int64_t most = tune_most_bytes(v, blocks) / ((j->m * p->set->a_bytes + j->n * p->set->b_bytes) * v->k);
    j->tiles = down * across;
    j->steps = steps <= most ? steps : most > 0 ? most : 1;
    j->k = j->steps * v->k;
    j->opt.pattern = 1;
    j->opt.kernel[0] = j->opt.kernel[1] = kernel;
}

static void tune_workspace(tune_job *j)
{
    j->opt.workspace = tune_zeros(TUNE_WORK, TUNE_WORKSPACE);
    j->opt.workspace_bytes = TUNE_WORKSPACE;
    j->opt.workspace_clean = 1;
}

/* Does it multiply these arrays? One tile, in no scratch memory: a kernel that would read copies of them refuses that. */
static cudaError_t tune_try(const tune_product *p, int kernel)
{
    tune_job j;
    tune_shape(p, kernel, 1, 1, &j);
    p->arrays(&j);
    const cudaError_t error = p->run(&j);
    cudaGetLastError(); /* a launch that failed is told once */
    return error;
}

/* Nanoseconds of a launch of so many tiles. */
static double tune_block(const tune_product *p, int kernel, int64_t blocks, int64_t steps)
{
    tune_job j;
    tune_shape(p, kernel, blocks, steps, &j);
    p->arrays(&j);
    return tune_time(p->run, &j);
}

/* Of one tile whose steps so many blocks share. */
static double tune_split(const tune_product *p, int kernel, int64_t parts, int64_t steps)
{
    tune_job j;
    tune_shape(p, kernel, 1, steps, &j);
    p->arrays(&j);
    tune_workspace(&j);
    j.opt.blocks[0] = parts;
    return tune_time(p->run, &j);
}

/* Nanoseconds per byte of a product of few rows whose B no cache holds, by the dispatcher's choice: the best of a vector and
   some rows. B grows until it is large, or the device is slow. */
static double tune_stream(const tune_product *p)
{
    enum { WIDTH = 16384 };
    static const int rows[] = {1, 16};
    size_t free_bytes = 0, all = 0;
    double best = 1e300;
    tune_check(cudaMemGetInfo(&free_bytes, &all), "memory");
    const int64_t most = (int64_t)1 << 30 < (int64_t)(free_bytes / 4) ? (int64_t)1 << 30 : (int64_t)(free_bytes / 4);
    for (int i = 0; i < 2; i++)
        for (int64_t bytes = (int64_t)1 << 20; bytes <= most; bytes *= 4) {
            tune_job j = {};
            j.m = rows[i];
            j.n = WIDTH;
            j.k = bytes / WIDTH / p->set->b_bytes;
            p->arrays(&j);
            tune_workspace(&j);
            const double time = tune_time(p->run, &j);
            const double moved = (double)j.m * j.k * p->set->a_bytes + (double)j.n * j.k * p->set->b_bytes +
                                 (double)j.m * j.n * p->set->c_bytes;
            if (bytes * 4 > most || time >= 10 * tune_sample) {
                best = time / moved < best ? time / moved : best;
                break;
            }
        }
    return best;
}
