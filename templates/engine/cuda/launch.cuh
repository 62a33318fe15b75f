/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Launches of all other kernels. */
#pragma once
#include "region.cuh"

/* Runs v over rows m0 to m1 and columns n0 to n1 of every batch. A grid takes 2^31 - 1 blocks at most: what has more tiles goes
   out as several, by batches, or by rows of tiles where one batch has too many. */
static cudaError_t mik_launch(const mik_variant *v, const void *args, const mik_problem *p, int64_t m0, int64_t m1, int64_t n0, int64_t n1,
                              int64_t blocks, const mik_scratch *scratch, cudaStream_t stream)
{
    const int64_t limit = 0x7fffffff, wide = mik_ceil(n1 - n0, v->n);
    const int64_t rows = mik_ceil(m1 - m0, v->m) <= limit / wide ? m1 - m0 : limit / wide * v->m;
    const int64_t batches = limit / (wide * mik_ceil(rows, v->m));
    mik_work w = {};
    w.p = *p;
    for (int64_t b = 0; b < p->batch; b += batches)
        for (int64_t m = m0; m < m1; m += rows) {
            const int64_t left = p->batch - b < batches ? p->batch - b : batches;
            w.region[0] = mik_make_region(v, left, p->k, m, m1 - m < rows ? m1 : m + rows, n0, n1, blocks);
            w.region[0].b0 = p->member + b;
            w.region[0].arrived = scratch->arrived;
            w.region[0].partial = scratch->partial;
            if (w.region[0].share % w.region[0].steps != 0 && !scratch->clean) {
                const cudaError_t error = cudaMemsetAsync(scratch->arrived, 0, (size_t)w.region[0].tiles * 4, stream);
                if (error != cudaSuccess)
                    return error;
            }
            const cudaError_t error = mik_enqueue(v->kernel, w.region[0].blocks, v->threads, v->shared, args, &w, stream);
            if (error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}
