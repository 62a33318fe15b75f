/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family turns: a product of half matrices on sm_90a, tiles of 64 x 64 by 64 steps, several for each block. One thread has TMA fill a ring
 * of three stages; two warpgroups take turns at the tiles, by the engine's own functions (templates/engine/cuda/turns.cuh): one finishes
 * while the other multiplies. Sums leave by TMA: each warp has two buffers of 16 rows by 32 columns, swizzled by 128 bytes. */
#include "../../../templates/engine/cuda/turns.cuh"
#include "bugs_ring.cuh"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "a warpgroup does not wait for its turn") \
    X(2, OUT_DEADLOCK, "the first warpgroup waits for a turn that nobody passes") \
    X(3, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "a turn is passed before the tile's buffers are filled") \
    X(4, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "a warpgroup does not go past the other's buffers") \
    X(5, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "the phase is left as it was") \
    X(6, OUT_DEADLOCK, "buffers are free when both warpgroups have said so") \
    X(7, OUT_DEADLOCK, "three of four warps pass the turn") \
    X(8, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "one warp's arrival is a turn") \
    X(9, OUT_RACE, "no fence.proxy.async between the sums' stores and the copy of them") \
    X(10, OUT_RACE, "no barrier between them") \
    X(11, OUT_RACE, "a buffer is filled while its copy is on the way") \
    X(12, OUT_RACE, "two copies may be on their way, and are from both buffers") \
    X(13, OUT_RACE, "another lane waits than has the copies started") \
    X(14, OUT_ASYNC, "the block ends before its last copies have read") \
    X(15, OUT_RACE | OUT_ASYNC, "copies are in no group") \
    X(16, OUT_WRONG, "sums are not swizzled") \
    X(17, OUT_WRONG, "buffers that begin in the middle of the swizzle's pattern") \
    X(18, OUT_RACE, "the warpgroups share their buffers") \
    X(19, OUT_RACE | OUT_WRONG, "boxes go out half a box further left") \
    X(20, OUT_ASYNC, "sums are stored before wgmma is done")

enum { STAGES = 3, BOX = 16 * 128, ROOM = 8 * 2 * BOX / 4 + 64 };
enum { SHARED = 1024 + STAGES * (STAGE + 16) + ROOM * 4 + 32, THREADS = 384, BLOCKS = 2 };

typedef struct {
    CUtensorMap a, b, c;
    int m, n, k;
} Product;

static __device__ __forceinline__ void fetch(const Product &p, int m, int n, int steps, mik_ring *ring)
{
    for (int at = 0; at < steps; at++) {
        const uint32_t full = ring->filled + ring->buffer * 8, a = ring->data + ring->buffer * STAGE;
        mik_barrier_wait(ring->freed + ring->buffer * 8, ring->phase ^ 1);
        mik_barrier_expect(full, STAGE);
        mik_load_box(a, &p.a, full, at * STEP, m, 0);
        mik_load_box(a + HALF, &p.b, full, n, at * STEP, 0);
        mik_advance<STAGES>(ring);
    }
}

static __device__ __forceinline__ void await_turn(const mik_ring *ring, int mine, const int bug)
{
    if (bug == 2)
        mik_barrier_wait(ring->turns + mine * 8, ring->turn);
    else if (bug != 1)
        mik_await_turn(ring, mine);
}

static __device__ __forceinline__ void pass_turn(mik_ring *ring, int mine, const int bug)
{
    if (bug != 7 || threadIdx.x / 32 % 4 != 2)
        mik_pass_turn(ring, mine);
    else
        ring->turn ^= 1;
}

static __device__ __forceinline__ void sum_up(float sums[32], int steps, int mine, mik_ring *ring, const int bug)
{
    await_turn(ring, mine, bug);
    if (bug == 3)
        pass_turn(ring, mine, bug);
    for (int at = 0; at < steps; at++) {
        await_filled(ring);
        multiply_buffer(sums, at, ring);
        mik_wgmma_wait<1>();
        if (at > 0)
            free_last<STAGES>(ring);
        mik_advance<STAGES>(ring);
    }
    if (bug != 3)
        pass_turn(ring, mine, bug);
    if (bug != 20)
        mik_wgmma_wait<0>();
    free_last<STAGES>(ring);
}

/* 16 rows of a warp, 32 columns at a time. */
static __device__ __forceinline__ void store(const Product &p, const float sums[32], int m, int n, mik_ring *ring, const int bug)
{
    const int lane = threadIdx.x % 32, warp = (threadIdx.x - 128) / 32, across = lane / 4, along = lane % 4 * 2;
    const uint32_t room = mik_shared_address(ring->lines) + (bug == 18 ? warp % 4 : warp) * 2 * BOX + (bug == 17 ? 256 : 0);
    for (int i = 0; i < 2; i++) {
        const uint32_t from = room + ring->stored * BOX;
        if (lane == (bug == 13)) {
            if (bug == 12)
                mik_store_wait<2>();
            else if (bug != 11)
                mik_store_wait<1>();
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 16; j++) {
            const int row = across + j / 2 % 2 * 8, chunk = j / 4 * 2 + along / 4;
            mik_store(from + row * 128 + (bug == 16 ? chunk : chunk ^ across) * 16 + along % 4 * 4 + j % 2 * 4,
                      __float_as_uint(sums[i * 16 + j]));
        }
        if (bug != 9)
            mik_fence_async();
        if (bug != 10)
            __syncwarp();
        if (lane == 0) {
            mik_store_box(&p.c, from, n + i * 32 - (bug == 19 && n > 0 ? 16 : 0), m + warp % 4 * 16, 0);
            if (bug != 15)
                mik_store_commit();
        }
        ring->stored ^= 1;
    }
}

static __device__ __forceinline__ mik_ring make_ring(char *shared, const int bug)
{
    if (bug == 6)
        return mik_make_ring<STAGES, STAGE, ROOM, 8, 1, 2>(shared);
    mik_ring ring = mik_make_ring<STAGES, STAGE, ROOM, 4, 1, 2>(shared);
    if (bug == 8) {
        if (threadIdx.x < 2) {
            asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(ring.turns + threadIdx.x * 8) : "memory");
            mik_barrier_init(ring.turns + threadIdx.x * 8, 1);
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
        __syncthreads();
    }
    return ring;
}

static __device__ __forceinline__ void turns(const Product &p, const int bug)
{
    extern __shared__ __align__(1024) char shared[];
    mik_ring ring = make_ring(shared, bug);
    const int rows = (p.m + TILE - 1) / TILE, tiles = rows * ((p.n + TILE - 1) / TILE), steps = (p.k + STEP - 1) / STEP;
    const int mine = (int)threadIdx.x / 128 - 1;
    float sums[32];
    for (int tile = blockIdx.x, turn = mine; tile < tiles; tile += BLOCKS, turn ^= 1) {
        const int m = tile % rows * TILE, n = tile / rows * TILE, phase = ring.phase;
        if (mine < 0) {
            if (threadIdx.x == 0)
                fetch(p, m, n, steps, &ring);
        } else if (turn != 0) {
            if (bug != 4)
                mik_skip<STAGES>(&ring, steps);
            ring.phase = bug == 5 ? phase : ring.phase;
        } else {
            sum_up(sums, steps, mine, &ring, bug);
            store(p, sums, m, n, &ring, bug);
        }
    }
    if (bug != 14)
        mik_store_wait<0>();
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) turns_##number(const __grid_constant__ Product p) { turns(p, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)turns_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    Product p;
    p.m = g->m;
    p.n = g->n;
    p.k = g->k;
    if (!make_maps(&p.a, &p.b, g, TILE) || make_map(&p.c, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, g->c, g->m, g->n, g->ldc, 16) != CUDA_SUCCESS)
        return cudaErrorInvalidValue;
    return launch_shared(kernels[bug], BLOCKS, THREADS, &p, SHARED);
}

static Outcome run(int bug)
{
    static const GemmCase test = {{136, 150, 300, 320, 152, 152, NULL, NULL, NULL}, 1, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(turns, run)
