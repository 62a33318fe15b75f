/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family gather: a product of half matrices on sm_90a, tiles of 64 x 64 by 64 steps. A warpgroup copies A by its threads, 16 bytes at a time,
 * to where a table says that lines are; B comes by TMA; both complete one mbarrier of a ring (templates/engine/cuda/ring.cuh). Another
 * warpgroup multiplies. A block computes several tiles, as in gather_group.cuh. */
#include "../../../templates/engine/cuda/share.cuh"
#include "bugs_ring.cuh"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE, "no fence.proxy.async between the copies and wgmma") \
    X(2, OUT_RACE, "the fence before the wait for `filled`") \
    X(3, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_ASYNC, "`filled` is for one arrival less") \
    X(4, OUT_DEADLOCK, "`filled` is for one arrival more") \
    X(5, OUT_DEADLOCK, "TMA is said to bring A's bytes, too") \
    X(6, OUT_RACE | OUT_ASYNC | OUT_DEADLOCK, "a buffer is freed before wgmma is done with it") \
    X(7, OUT_WRONG, "chunks are not swizzled") \
    X(8, OUT_WRONG, "chunks are swizzled by every second line") \
    X(9, OUT_RACE | OUT_WRONG, "arrivals that do not wait for copies") \
    X(10, OUT_RACE | OUT_WRONG, "arrivals for the copies before these") \
    X(11, OUT_DEADLOCK, "arrivals that count themselves") \
    X(12, OUT_DEADLOCK, "an arrival for each warp") \
    X(13, OUT_RACE | OUT_BARRIER, "no wait for `freed`") \
    X(14, OUT_RACE | OUT_WRONG | OUT_BARRIER, "only the first thread waits for `freed`") \
    X(15, OUT_WRONG | OUT_BOUNDS, "what is beyond k is copied as if it were there") \
    X(16, OUT_RACE | OUT_WRONG, "a tile's table is written while that before is read") \
    X(17, OUT_RACE | OUT_WRONG | OUT_BOUNDS | OUT_MISALIGNED, "the table is read before it is there") \
    X(18, OUT_RACE | OUT_BARRIER | OUT_DEADLOCK | OUT_WRONG, "arrivals at the next buffer's barrier") \
    X(19, OUT_DEADLOCK, "three of the four warps gather") \
    X(20, OUT_RACE | OUT_WRONG, "a warp's second half of lines is left out")

enum { STAGES = 4, BLOCKS = 2, THREADS = 256, SHARED = 1024 + STAGES * (STAGE + 16) + 32 + TILE * 8 };

typedef struct {
    CUtensorMap b;
    Gemm shape;
} Product;

/* ---- the warpgroup that gathers ---- */

/* Where lines of A are, in elements. */
static __device__ __forceinline__ void set_table(const Gemm &g, int m, long long *table, const int bug)
{
    if (bug != 16)
        mik_sync<128>(15);
    if (threadIdx.x < TILE)
        table[threadIdx.x] = m + (int)threadIdx.x < g.m ? (long long)(m + threadIdx.x) * g.lda : -1;
    if (bug != 17)
        mik_sync<128>(15);
}

static __device__ __forceinline__ void copy(const Gemm &g, uint32_t a, int k, const long long *table, const int bug)
{
    const int chunk = threadIdx.x % 8, first = threadIdx.x / 8;
    if (bug == 19 && threadIdx.x >= 96)
        return;
#pragma unroll
    for (int i = 0; i < TILE / 16 / (bug == 20 ? 2 : 1); i++) {
        const int line = first + i * 16, turn = bug == 7 ? 0 : bug == 8 ? line / 2 % 8 : line % 8;
        const bool there = table[line] >= 0 && (k + chunk * 8 < g.k || bug == 15);
        mik_cp_async<16>(a + line * 128 + (chunk ^ turn) * 16, (const uint16_t *)g.a + (there ? table[line] + k + chunk * 8 : 0),
                         there ? 16 : 0);
    }
}

static __device__ __forceinline__ void arrive(uint32_t full, const int bug)
{
    if ((bug == 19 && threadIdx.x >= 96) || (bug == 12 && threadIdx.x % 32 != 0))
        return;
    if (bug == 9)
        mik_barrier_arrive(full);
    else if (bug == 11)
        asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(full) : "memory");
    else
        mik_barrier_arrive_copied(full);
}

static __device__ __forceinline__ void fetch(const Product &p, int m, int n, int steps, long long *table, mik_ring *ring, const int bug)
{
    set_table(p.shape, m, table, bug);
    for (int at = 0; at < steps; at++) {
        const uint32_t full = ring->filled + ring->buffer * 8, a = ring->data + ring->buffer * STAGE;
        if (bug != 13 && (bug != 14 || threadIdx.x == 0))
            mik_barrier_wait(ring->freed + ring->buffer * 8, ring->phase ^ 1);
        if (threadIdx.x == 0) {
            mik_barrier_expect(full, bug == 5 ? STAGE : STAGE - HALF);
            mik_load_box(a + HALF, &p.b, full, n, at * STEP, 0);
        }
        if (bug == 10)
            arrive(full, bug);
        copy(p.shape, a, at * STEP, table, bug);
        if (bug != 10)
            arrive(bug == 18 ? ring->filled + (ring->buffer + 1) % STAGES * 8 : full, bug);
        mik_advance<STAGES>(ring);
    }
}

/* ---- the warpgroup that multiplies ---- */

static __device__ __forceinline__ void sum_up(float sums[32], int steps, mik_ring *ring, const int bug)
{
    for (int at = 0; at < steps; at++) {
        if (bug == 2)
            mik_fence_async();
        await_filled(ring);
        if (bug != 1 && bug != 2)
            mik_fence_async();
        multiply_buffer(sums, at, ring);
        if (bug == 6 && threadIdx.x % 32 == 0)
            mik_free<1>(ring, ring->buffer);
        mik_wgmma_wait<1>();
        if (bug != 6 && at > 0)
            free_last<STAGES>(ring);
        mik_advance<STAGES>(ring);
    }
    mik_wgmma_wait<0>();
    if (bug != 6)
        free_last<STAGES>(ring);
}

static __device__ __forceinline__ void gather(const Product &p, const int bug)
{
    extern __shared__ __align__(1024) char shared[];
    constexpr int FILLERS = 129;
    const Gemm &g = p.shape;
    const int rows = (g.m + TILE - 1) / TILE, tiles = rows * ((g.n + TILE - 1) / TILE), steps = (g.k + STEP - 1) / STEP;
    mik_ring ring = bug == 3   ? mik_make_ring<STAGES, STAGE, 0, 4, 1, 1, 0, FILLERS - 1>(shared)
                    : bug == 4 ? mik_make_ring<STAGES, STAGE, 0, 4, 1, 1, 0, FILLERS + 1>(shared)
                               : mik_make_ring<STAGES, STAGE, 0, 4, 1, 1, 0, FILLERS>(shared);
    for (int tile = blockIdx.x; tile < tiles; tile += BLOCKS) {
        const int m = tile % rows * TILE, n = tile / rows * TILE;
        if (threadIdx.x < 128) {
            fetch(p, m, n, steps, (long long *)ring.tables, &ring, bug);
        } else {
            float sums[32];
            sum_up(sums, steps, &ring, bug);
            store_sums(g, sums, m, n);
        }
    }
    if (threadIdx.x < 128)
        mik_cp_async_wait<0>();
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) gather_##number(const __grid_constant__ Product p) { gather(p, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)gather_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    Product p;
    p.shape = *g;
    if (make_map(&p.b, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, g->b, g->k, g->n, g->ldb, STEP) != CUDA_SUCCESS)
        return cudaErrorInvalidValue;
    return launch_shared(kernels[bug], BLOCKS, THREADS, &p, SHARED);
}

static Outcome run(int bug)
{
    static const GemmCase test = {{136, 150, 328, 344, 152, 152, NULL, NULL, NULL}, 1, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(gather, run)
