/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family cluster: a product of float matrices whose k is shared among the four blocks of a cluster. Each leaves
 * its sums in its own shared memory; each adds a quarter of the tile, reading the others' shared memory. */
#include <stdint.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE | OUT_BOUNDS, "no barrier.cluster before the end: the shared memory is gone") \
    X(2, OUT_RACE, "no barrier.cluster between the sums and their readers") \
    X(3, OUT_RACE, "barrier.cluster.arrive.relaxed where the sums are published") \
    X(4, OUT_BOUNDS, "mapa of a fifth block") \
    X(5, OUT_WRONG, "its own shared memory four times, without mapa") \
    X(6, OUT_DEADLOCK | OUT_BARRIER, "a warp that does not arrive at barrier.cluster") \
    X(7, OUT_REFUSED, "a grid that clusters do not divide") \
    X(8, OUT_BARRIER, "a second barrier.cluster.arrive without a wait") \
    X(9, OUT_BARRIER, "barrier.cluster.wait without an arrive") \
    X(10, OUT_RACE, "__syncthreads for barrier.cluster") \
    X(11, OUT_BOUNDS, "launched without clusters: every block is the only one of its own") \
    X(12, OUT_BOUNDS, "a remote address behind the shared memory's end") \
    X(13, OUT_REFUSED, "clusters of 16 without asking for them") \
    X(14, OUT_RACE, "the next tile's sums are stored before the others have read these") \
    X(15, OUT_WRONG, "the rank in the grid for the rank in the cluster") \
    X(16, OUT_RACE, "two blocks add to a third one's shared memory, without atomics") \
    X(17, OUT_RACE, "the sums are published at mbarriers of all blocks, without .release.cluster") \
    X(18, OUT_RIGHT, "the same with .release.cluster") \
    X(19, OUT_RACE, "waited for there without .acquire.cluster")

enum { TILE = 8, THREADS = TILE * TILE, RANKS = 4, STEP = 16, QUARTER = THREADS / RANKS };

static __device__ __forceinline__ uint32_t rank_in_cluster()
{
    uint32_t x;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(x));
    return x;
}

static __device__ __forceinline__ uint32_t remote(uint32_t address, uint32_t rank)
{
    uint32_t x;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(x) : "r"(address), "r"(rank));
    return x;
}

static __device__ __forceinline__ float load_remote(uint32_t address)
{
    float x;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(x) : "r"(address) : "memory");
    return x;
}

static __device__ __forceinline__ void store_remote(uint32_t address, float x)
{
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(address), "f"(x) : "memory");
}

static __device__ __forceinline__ void arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }

static __device__ __forceinline__ void arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }

static __device__ __forceinline__ void wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

/* The threads of all blocks wait for each other at an mbarrier of each block. */
static __device__ __forceinline__ void meet(uint32_t barrier, int parity, bool is_publishing, bool is_taking)
{
    for (uint32_t r = 0; r < RANKS; r++)
        if (is_publishing)
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote(barrier, r)) : "memory");
        else
            asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(remote(barrier, r)) : "memory");
    uint32_t done = 0;
    while (!done && !is_taking)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!done)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], "
                     "%2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
}

static __device__ __forceinline__ void cluster(const Gemm &g, const int bug)
{
    __shared__ float sums[THREADS + 1];
    __shared__ uint64_t ready;
    const uint32_t barrier = (uint32_t)__cvta_generic_to_shared(&ready);
    int parity = 0;
    const int thread = threadIdx.x;
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(sums);
    const uint32_t rank = bug == 15 ? blockIdx.x : rank_in_cluster();
    const int tiles_n = (g.n + TILE - 1) / TILE, tiles = (g.m + TILE - 1) / TILE * tiles_n;
    const float *const a = (const float *)g.a, *const b = (const float *)g.b;

    if (thread == 0)
        sums[THREADS] = 0;
    if (bug >= 17 && thread == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(barrier), "r"(RANKS * THREADS)
                     : "memory");
    arrive();
    wait();
    for (int tile = blockIdx.x / RANKS; tile < tiles; tile += gridDim.x / RANKS) {
        const int m0 = tile / tiles_n * TILE, n0 = tile % tiles_n * TILE;
        const int m = m0 + thread / TILE, n = n0 + thread % TILE, k0 = (int)rank * STEP;
        float sum = 0;
        for (int k = k0; k < k0 + STEP && k < g.k && m < g.m && n < g.n; k++)
            sum = fmaf(a[(long long)m * g.lda + k], b[(long long)k * g.ldb + n], sum);
        sums[thread] = sum;
        if (bug == 16 && thread == 0) {
            const uint32_t count = remote(base + THREADS * 4, 2);
            store_remote(count, load_remote(count) + 1);
        }
        if (bug == 8)
            arrive();
        if (bug >= 17) {
            meet(barrier, parity, bug != 17, bug != 19);
            parity ^= 1;
        } else if (bug == 3)
            arrive_relaxed();
        else if (bug != 2 && bug != 9 && bug != 10 && !(bug == 6 && thread < 32))
            arrive();
        if (bug == 10)
            __syncthreads();
        else if (bug != 2 && bug < 17)
            wait();
        if (thread < QUARTER) {
            const int at = (int)rank % RANKS * QUARTER + thread, row = m0 + at / TILE, column = n0 + at % TILE;
            float total = 0;
            for (uint32_t r = 0; r < RANKS; r++) {
                const uint32_t address = base + (bug == 12 ? at + THREADS : at) * 4;
                total += load_remote(bug == 5 ? address : remote(address, bug == 4 ? r + 1 : r));
            }
            if (row < g.m && column < g.n)
                g.c[(long long)row * g.ldc + column] = total;
        }
        if (bug != 14 && bug != 1) {
            arrive();
            wait();
        }
        if (bug == 1 && tile + gridDim.x / RANKS < tiles) {
            arrive();
            wait();
        }
    }
    if (bug == 14) {
        arrive();
        wait();
    }
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) cluster_##number(const Gemm g) { cluster(g, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)cluster_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    void *arguments[] = {(void *)g};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = bug == 13 ? 16 : RANKS;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3(bug == 7 ? 3 * RANKS - 1 : bug == 13 ? 16 : 3 * RANKS);
    config.blockDim = dim3(THREADS);
    config.attrs = &attribute;
    config.numAttrs = bug != 11;
    return cudaLaunchKernelExC(&config, kernels[bug], arguments);
}

static Outcome run(int bug)
{
    static const GemmCase test = {{19, 21, 61, 61, 21, 24, NULL, NULL, NULL}, 0, 1, STEP, launch};
    return run_gemm(&test, bug);
}

FAMILY(cluster, run)
