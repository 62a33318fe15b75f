/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family exchange: a product of float matrices whose k is split among the four blocks of a cluster. Three leave their sums in the fourth's
 * shared memory, beside the operands that it still reads, and tell it by an mbarrier; it adds all up in the order of k, and tells them
 * by one of each that there is room again. The last has no steps. */
#include <stdint.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE, "sums are left by an arrival without .release.cluster") \
    X(2, OUT_RACE, "sums are waited for without .acquire.cluster") \
    X(3, OUT_RACE | OUT_WRONG, "sums are left where operands are still being read") \
    X(4, OUT_RACE | OUT_BOUNDS, "a block ends before it has been told that its sums are read") \
    X(5, OUT_WRONG, "sums are added up in the order of the ranks from the last on") \
    X(6, OUT_RACE | OUT_WRONG | OUT_DEADLOCK, "always the same phase is waited for") \
    X(7, OUT_RACE | OUT_WRONG, "sums are left before those of the tile before are read") \
    X(8, OUT_BARRIER | OUT_RACE | OUT_BOUNDS, "barriers are used before all blocks have come to a barrier.cluster") \
    X(9, OUT_DEADLOCK, "a block without steps does not arrive") \
    X(10, OUT_DEADLOCK | OUT_BARRIER, "an arrival at a block's own barrier, without mapa") \
    X(11, OUT_RACE, "a lane arrives for its warp without __syncwarp") \
    X(12, OUT_RACE, "that sums are read is told without .release.cluster") \
    X(13, OUT_RACE | OUT_WRONG, "two blocks leave their sums in the same place") \
    X(14, OUT_RACE | OUT_DEADLOCK, "room for one block's arrivals fewer") \
    X(15, OUT_WRONG, "sums are not waited for from a block that has steps")

enum { TILE = 8, THREADS = TILE * TILE, RANKS = 4, STEP = 16, WARPS = THREADS / 32 };

static __device__ __forceinline__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

static __device__ __forceinline__ uint32_t far(uint32_t address, int rank)
{
    uint32_t x;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(x) : "r"(address), "r"(rank));
    return x;
}

static __device__ __forceinline__ void arrive(uint32_t barrier, bool is_publishing)
{
    if (is_publishing)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
    else
        asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

static __device__ __forceinline__ void wait(uint32_t barrier, int parity, bool is_taking)
{
    uint32_t done = 0;
    while (!done)
        if (is_taking)
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(done)
                         : "r"(barrier), "r"(parity)
                         : "memory");
        else
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(done)
                         : "r"(barrier), "r"(parity)
                         : "memory");
}

static __device__ __forceinline__ void meet()
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

struct Shared {
    float a[TILE * STEP], b[STEP * TILE], parts[RANKS - 1][THREADS];
    uint64_t left, read;
};

static __device__ __forceinline__ void exchange(const Gemm &g, const int bug)
{
    __shared__ Shared s;
    const int thread = threadIdx.x, lane = thread % 32, tiles_n = (g.n + TILE - 1) / TILE, tiles = (g.m + TILE - 1) / TILE * tiles_n;
    const float *const a = (const float *)g.a, *const b = (const float *)g.b;
    int rank, phase = 0;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    const int k0 = rank * STEP, parts = (g.k + STEP - 1) / STEP;
    if (thread == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %2;\n\tmbarrier.init.shared::cta.b64 [%1], %3;\n\t"
                     "fence.mbarrier_init.release.cluster;" ::"r"(at(&s.left)),
                     "r"(at(&s.read)), "r"((RANKS - 1 - (bug == 14)) * WARPS), "r"(WARPS)
                     : "memory");
    if (bug == 8)
        __syncthreads();
    else
        meet();
    for (int tile = blockIdx.x / RANKS; tile < tiles; tile += gridDim.x / RANKS, phase ^= bug != 6) {
        const int m0 = tile / tiles_n * TILE, n0 = tile % tiles_n * TILE, m = m0 + thread / TILE, n = n0 + thread % TILE;
        for (int e = thread; e < TILE * STEP; e += THREADS) {
            const int row = m0 + e / STEP, down = k0 + e % STEP, step = k0 + e / TILE, column = n0 + e % TILE;
            s.a[e] = row < g.m && down < g.k ? a[(long long)row * g.lda + down] : 0;
            s.b[e] = step < g.k && column < g.n ? b[(long long)step * g.ldb + column] : 0;
        }
        __syncthreads();
        float sum = 0;
        for (int k = 0; k < STEP; k++)
            sum = fmaf(s.a[thread / TILE * STEP + k], s.b[k * TILE + thread % TILE], sum);
        float(*const room)[THREADS] = bug == 3 ? (float(*)[THREADS])s.a : s.parts;
        if (rank > 0) {
            if (bug != 7)
                wait(at(&s.read), phase ^ 1, true);
            if (rank < parts)
                asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(far(at(&room[bug == 13 ? 0 : rank - 1][thread]), 0)), "f"(sum)
                             : "memory");
            if (bug != 11)
                __syncwarp();
            if (lane == 0 && (bug != 9 || rank < parts))
                arrive(bug == 10 ? at(&s.left) : far(at(&s.left), 0), bug != 1);
        } else {
            wait(at(&s.left), phase, bug != 2);
            float total = bug == 5 ? room[parts - 2][thread] : sum;
            for (int r = 1; r < parts - (bug == 15); r++)
                total += bug == 5 && r == parts - 1 ? sum : room[bug == 5 ? parts - 2 - r : r - 1][thread];
            __syncwarp();
            if (lane > 0 && lane < RANKS)
                arrive(far(at(&s.read), lane), bug != 12);
            if (m < g.m && n < g.n)
                g.c[(long long)m * g.ldc + n] = total;
        }
        __syncthreads();
    }
    if (bug != 4)
        meet();
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __cluster_dims__(RANKS, 1, 1) __launch_bounds__(THREADS) exchange_##number(const Gemm g) \
    { \
        exchange(g, number); \
    }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)exchange_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    void *arguments[] = {(void *)g};
    return cudaLaunchKernel(kernels[bug], dim3(2 * RANKS), dim3(THREADS), arguments, 0, 0);
}

static Outcome run(int bug)
{
    static const GemmCase test = {{19, 29, 46, 61, 31, 32, NULL, NULL, NULL}, 0, 1, STEP, launch};
    return run_gemm(&test, bug);
}

FAMILY(exchange, run)
