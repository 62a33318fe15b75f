/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How kernels for a few rows end: sums of all threads lie in shared memory. */
#pragma once
#include "async.cuh"
#include "share.cuh"

/* Adds up the sums of GROUPS groups of threads, ROWS x SIDE each (TURNED: SIDE x ROWS), with those of other blocks, and finishes them.
   All threads of the block call this, after a barrier. */
template <class S, int ROWS, int SIDE, int GROUPS, int THREADS, bool TURNED>
MIK_DEVICE void mik_finish_rows(const typename S::args *s, const mik_region *r, const mik_piece *t, typename S::sum *sums)
{
    constexpr int COUNT = (ROWS * SIDE + THREADS - 1) / THREADS, HOLDERS = ROWS * SIDE < THREADS ? ROWS * SIDE : THREADS;
    static_assert(ROWS * SIDE % HOLDERS == 0, "each thread holds as many sums");
    const int thread = (int)mik_thread(), rows = TURNED ? t->cols : t->rows, side = TURNED ? t->rows : t->cols;
    typename S::sum whole[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        whole[i] = 0;
        if (thread < HOLDERS)
            for (int g = 0; g < GROUPS; g++)
                whole[i] += sums[g * ROWS * SIDE + i * THREADS + thread];
    }
    __syncthreads();
    if (t->steps < r->steps && !mik_add_parts<COUNT, HOLDERS, 1, THREADS, 0>(whole, sums, r, t, thread)) {
        __syncthreads();
        return;
    }
    /* Neighbouring threads have neighbours along the side. */
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const int e = i * THREADS + thread, row = e / SIDE, other = e % SIDE;
        if (e < ROWS * SIDE && row < rows && other < side)
            S::epilogue(s, t->b, t->m + (TURNED ? other : row), t->n + (TURNED ? row : other), whole[i]);
    }
    __syncthreads();
}
