/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family beside: a product of half matrices on sm_90a by pairs of blocks that lie side by side: tiles of 64 x 64 each, by 64 steps. Both need
 * the same rows of A, of which each has half fetched for both; B each has fetched for itself. A ring of three stages by the engine's own
 * functions (templates/engine/cuda/ring.cuh); one warpgroup multiplies. */
#include "bugs_ring.cuh"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE, "a buffer is free when its own block has said so") \
    X(2, OUT_RACE | OUT_WRONG, "both blocks fetch the first half of the rows") \
    X(3, OUT_RACE | OUT_BARRIER | OUT_ASYNC | OUT_DEADLOCK, "a block expects what it fetches itself") \
    X(4, OUT_ASYNC | OUT_BOUNDS, "a block ends while the other may still fill its buffers") \
    X(5, OUT_RACE | OUT_BARRIER | OUT_DEADLOCK | OUT_BOUNDS, "boxes of all rows, twice") \
    X(6, OUT_DEADLOCK | OUT_RACE | OUT_BARRIER, "readers tell only the other block that a buffer is free") \
    X(7, OUT_RACE | OUT_WRONG, "both blocks compute the first one's columns") \
    X(8, OUT_RACE | OUT_WRONG, "the second half of the rows goes where the first does") \
    X(9, OUT_DEADLOCK | OUT_RACE | OUT_ASYNC, "the second block fetches its half for itself") \
    X(10, OUT_RACE | OUT_BARRIER | OUT_ASYNC, "the blocks do not wait for each other's barriers to be there")

enum { STAGES = 3, SHARED = 1024 + STAGES * (STAGE + 16) + 32, THREADS = 256 };

typedef struct {
    CUtensorMap a, b;
    Gemm shape;
} Product;

static __device__ __forceinline__ void fetch(const Product &p, int m, int n, int steps, mik_ring *ring, const int bug)
{
    const int from = (bug == 2 ? 0 : ring->rank) * (TILE / 2);
    for (int at = 0; at < steps; at++) {
        const uint32_t full = ring->filled + ring->buffer * 8, a = ring->data + ring->buffer * STAGE;
        mik_barrier_wait(ring->freed + ring->buffer * 8, ring->phase ^ 1);
        mik_barrier_expect(full, bug == 3 ? STAGE - HALF / 2 : STAGE);
        if (bug == 9 && ring->rank == 1)
            mik_load_box(a + from * 128, &p.a, full, at * STEP, m + from, 0);
        else
            mik_load_box_for_both(a + (bug == 8 || bug == 5 ? 0 : from * 128), &p.a, full, at * STEP, m + (bug == 5 ? 0 : from), 0);
        mik_load_box(a + HALF, &p.b, full, n, at * STEP, 0);
        mik_advance<STAGES>(ring);
    }
}

static __device__ __forceinline__ void release(const mik_ring *ring, int i, const int bug)
{
    if (threadIdx.x % 32 != 0)
        return;
    if (bug == 1)
        mik_free<1>(ring, i);
    else if (bug == 6)
        mik_barrier_arrive_far(ring->other_freed + i * 8);
    else
        mik_free<2>(ring, i);
}

static __device__ __forceinline__ void sum_up(float sums[32], int steps, mik_ring *ring, const int bug)
{
    for (int at = 0; at < steps; at++) {
        await_filled(ring);
        multiply_buffer(sums, at, ring);
        mik_wgmma_wait<0>();
        release(ring, ring->buffer, bug);
        mik_advance<STAGES>(ring);
    }
}

static __device__ __forceinline__ mik_ring make_ring(char *shared, const int bug)
{
    if (bug == 1)
        return mik_make_ring<STAGES, STAGE, 0, 2, 2, 1>(shared);
    if (bug != 10)
        return mik_make_ring<STAGES, STAGE, 0, 4, 2, 1>(shared);
    mik_ring ring = mik_make_ring<STAGES, STAGE, 0, 8, 1, 1>(shared);
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(ring.rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(ring.other_freed) : "r"(ring.freed), "r"(ring.rank ^ 1));
    return ring;
}

static __device__ __forceinline__ void beside(const Product &p, const int bug)
{
    extern __shared__ __align__(1024) char shared[];
    mik_ring ring = make_ring(shared, bug);
    const Gemm &g = p.shape;
    const int rows = (g.m + TILE - 1) / TILE, pair = blockIdx.x / 2, steps = (g.k + STEP - 1) / STEP;
    const int m = pair % rows * TILE, n = (pair / rows * 2 + (bug == 7 ? 0 : ring.rank)) * TILE;
    if (threadIdx.x < 128) {
        if (threadIdx.x == 0)
            fetch(p, m, n, steps, &ring, bug);
    } else {
        float sums[32];
        sum_up(sums, steps, &ring, bug);
        store_sums(g, sums, m, n);
    }
    if (bug != 4)
        mik_meet();
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(THREADS) beside_##number(const __grid_constant__ Product p) \
    { \
        beside(p, number); \
    }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)beside_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    const int pairs = (g->m + TILE - 1) / TILE * ((g->n + 2 * TILE - 1) / (2 * TILE));
    Product p;
    p.shape = *g;
    return make_maps(&p.a, &p.b, g, bug == 5 ? TILE : TILE / 2) ? launch_shared(kernels[bug], 2 * pairs, THREADS, &p, SHARED)
                                                                : cudaErrorInvalidValue;
}

static Outcome run(int bug)
{
    static const GemmCase test = {{72, 250, 300, 320, 256, 256, NULL, NULL, NULL}, 1, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(beside, run)
