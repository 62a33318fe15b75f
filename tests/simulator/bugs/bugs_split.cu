/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family split: a product of float matrices whose k is shared among blocks. Each writes its sums to a
 * workspace; the one that arrives last at the tile's counter adds them, in the order of k whoever comes last,
 * and resets the counter. The numbers are not exact here, so that another order gives another result; every
 * kernel runs twice. */
#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE, "no __threadfence between the sums and the counter") \
    X(2, OUT_WRONG, "the counter is not reset: wrong the second time") \
    X(3, OUT_WRONG, "the last block's own sums first: another order each time") \
    X(4, OUT_WRONG, "sums go to C by atomics, in the order of arrival") \
    X(5, OUT_RACE, "no __syncthreads between the sums' stores and the counter") \
    X(6, OUT_RACE, "no __syncthreads between the counter and who reads what it said") \
    X(7, OUT_WRONG, "the last block is taken to be the one after it") \
    X(8, OUT_BOUNDS, "the workspace is one block's sums too small") \
    X(9, OUT_WRONG, "the counters are not zero at the beginning") \
    X(10, OUT_WRONG | OUT_RACE, "the tiles of a row share a part of the workspace") \
    X(11, OUT_WRONG, "the rest of a k that the blocks do not divide is left out") \
    X(12, OUT_WRONG | OUT_RACE, "the counter is read, compared and stored in three steps") \
    X(13, OUT_WRONG | OUT_RACE, "block 0 adds, without waiting for the others") \
    X(14, OUT_DEADLOCK, "block 0 waits for a block that never comes") \
    X(15, OUT_RACE, "every thread counts for itself: the last one reads what others have not stored") \
    X(16, OUT_BOUNDS, "the workspace is freed between the two runs") \
    X(17, OUT_WRONG, "the counter's limit is passed to atomicInc as a number of blocks") \
    X(18, OUT_RACE, "no __threadfence between the counter and the sums of others") \
    X(19, OUT_RACE, "the sums of others come through the first-level cache") \
    X(20, OUT_RACE, "the sums of others come through the cache of what never changes") \
    X(21, OUT_RACE, "the sums of others are read as if once, through the first-level cache") \
    X(22, OUT_RACE, "the fence behind the counter is for the block alone") \
    X(23, OUT_RACE, "the fence before the counter is for the block alone")

enum { TILE = 8, THREADS = TILE * TILE, SPLIT = 5, STEP = 16 };

typedef struct {
    Gemm g;
    float *partial;     /* [tile][SPLIT][THREADS] */
    unsigned *counters; /* [tile] */
} Split;

static __device__ __forceinline__ float load(const float *at, const int bug)
{
    return bug == 19 ? __ldca(at) : bug == 20 ? __ldg(at) : bug == 21 ? __ldcs(at) : __ldcg(at);
}

static __device__ __forceinline__ void split(const Split &s, const int bug)
{
    __shared__ int is_last;
    const Gemm &g = s.g;
    const int thread = threadIdx.x, part = blockIdx.y, tile = blockIdx.x, tiles_n = (g.n + TILE - 1) / TILE;
    const int m = tile / tiles_n * TILE + thread / TILE, n = tile % tiles_n * TILE + thread % TILE;
    const int k0 = part * STEP, k1 = bug == 11 || k0 + STEP < g.k ? k0 + STEP : g.k;
    float *const partial = s.partial + (long long)(bug == 10 ? tile / tiles_n : tile) * SPLIT * THREADS;
    const float *const a = (const float *)g.a, *const b = (const float *)g.b;
    const bool is_inside = m < g.m && n < g.n;
    float sum = 0;

    for (int k = k0; k < k1 && is_inside && (bug != 11 || k1 <= g.k); k++)
        sum = fmaf(a[(long long)m * g.lda + k], b[(long long)k * g.ldb + n], sum);
    if (bug == 4) {
        if (is_inside)
            atomicAdd(&g.c[(long long)m * g.ldc + n], sum);
        return;
    }
    partial[part * THREADS + thread] = sum;
    if (bug != 5 && bug != 15)
        __syncthreads();
    if (thread == 0 || bug == 15) {
        unsigned before = 0;
        if (bug == 23)
            __threadfence_block();
        else if (bug != 1) /* after the barrier, so that it is for everybody's sums */
            __threadfence();
        if (bug == 2 || bug == 15)
            before = atomicAdd(&s.counters[tile], 1u) / (bug == 15 ? THREADS : 1);
        else if (bug == 12)
            s.counters[tile] = ((before = *(volatile unsigned *)&s.counters[tile]) + 1) % SPLIT;
        else
            before = atomicInc(&s.counters[tile], bug == 17 ? SPLIT : SPLIT - 1);
        if (bug == 14 && part == 0)
            while (*(volatile unsigned *)&s.counters[tile] < SPLIT + 1)
                ;
        if (bug == 15)
            is_last = before == SPLIT - 1;
        else
            is_last = bug == 13 ? part == 0 : before == (bug == 7 ? SPLIT : SPLIT - 1);
        if (bug == 22)
            __threadfence_block();
        else if (bug != 18)
            __threadfence();
    }
    if (bug != 6)
        __syncthreads();
    if (!is_last || !is_inside)
        return;
    float total = bug == 3 ? sum : 0;
    for (int i = 0; i < SPLIT; i++)
        if (bug != 3 || i != part)
            total += load(&partial[i * THREADS + thread], bug);
    g.c[(long long)m * g.ldc + n] = total;
    if (bug == 15 && thread == 0)
        s.counters[tile] = 0;
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) split_##number(const Split s) { split(s, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)split_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static Split state;

static cudaError_t launch(int bug, const Gemm *g)
{
    const int tiles = (g->m + TILE - 1) / TILE * ((g->n + TILE - 1) / TILE);
    void *arguments[] = {&state};
    cudaError_t error = cudaSuccess;
    state.g = *g;
    if (!state.partial) {
        error = cudaMalloc((void **)&state.partial, sizeof(float) * THREADS * (SPLIT * tiles - (bug == 8)));
        if (error == cudaSuccess)
            error = cudaMalloc((void **)&state.counters, sizeof(unsigned) * tiles);
        if (error == cudaSuccess)
            error = cudaMemset(state.counters, bug == 9 ? 1 : 0, sizeof(unsigned) * tiles);
    } else if (bug == 16) {
        cudaFree(state.partial);
    }
    if (error == cudaSuccess && bug == 4)
        error = cudaMemset(g->c, 0, sizeof(float) * g->m * g->ldc);
    return error == cudaSuccess ? cudaLaunchKernel(kernels[bug], dim3(tiles, SPLIT), dim3(THREADS), arguments, 0, 0) : error;
}

static Outcome run(int bug)
{
    static const GemmCase test = {{13, 19, 75, 77, 20, 19, NULL, NULL, NULL}, 0, 2, STEP, launch};
    const Outcome outcome = run_gemm(&test, bug);
    cudaFree(state.partial);
    cudaFree(state.counters);
    state.partial = NULL;
    return outcome;
}

FAMILY(split, run)
