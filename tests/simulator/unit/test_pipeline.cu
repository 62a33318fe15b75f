/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compute_90a: a ring of tensor copies, mbarriers and wgmma with a producer warp and a consumer warpgroup, alone and in
 * clusters with multicast; the mistakes that people make in one. */
#include <cuda.h>
#include <cuda_fp16.h>

#include "simulator_test.h"

enum { RIGHT, NO_FULL_WAIT, NO_EMPTY_WAIT, EARLY_RELEASE, TOO_MANY_BYTES, NO_INIT_SYNC, WRONG_PARITY, NO_STORE_WAIT, NO_STORE_FENCE };
enum { TILE = 64, STAGES = 3, THREADS = 160 };

static __device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

static __device__ void barrier_init(uint64_t *b, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory");
}

static __device__ void barrier_wait(uint64_t *b, int parity)
{
    asm volatile(
        "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra done;\nbra again;\ndone:\n}" ::"r"(
            shared_address(b)),
        "r"(parity)
        : "memory");
}

static __device__ void barrier_expect(uint64_t *b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory");
}

static __device__ void barrier_arrive_at(uint64_t *b, int rank)
{
    asm volatile(
        "{\n.reg .b32 r;\nmapa.shared::cluster.u32 r, %0, %1;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];\n}" ::"r"(
            shared_address(b)),
        "r"(rank)
        : "memory");
}

static __device__ void load(void *to, const CUtensorMap *map, int x, int y, uint64_t *b)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
        "l"(map), "r"(x), "r"(y), "r"(shared_address(b))
        : "memory");
}

static __device__ void load_all(void *to, const CUtensorMap *map, int x, int y, uint64_t *b, uint16_t blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, "
                 "%3}], [%4], %5;" ::"r"(shared_address(to)),
                 "l"(map), "r"(x), "r"(y), "r"(shared_address(b)), "h"(blocks)
                 : "memory");
}

static __device__ uint64_t descriptor(const void *p)
{
    return (uint64_t)(shared_address(p) & 0x3ffff) >> 4 | (uint64_t)(1024 >> 4) << 32 | 1ull << 62;
}

static __device__ void multiply(float *d, uint64_t a, uint64_t b, int accumulate)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31},"
                 " %32, %33, p, 1, 1, 0, 0;\n}\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
                   "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]),
                   "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
                   "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                 : "l"(a), "l"(b), "r"(accumulate));
}

struct Shared {
    half a[STAGES][TILE * TILE], b[STAGES][TILE * TILE];
    float c[TILE * 32];
    uint64_t full[STAGES], empty[STAGES];
};

/* Blocks of a cluster of two have the same columns: each fetches half of B for both. */
template <int HOW, int CLUSTER>
__global__ void __launch_bounds__(THREADS)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const __grid_constant__ CUtensorMap c, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared &s = *(Shared *)memory;
    int m = blockIdx.x * TILE, n = blockIdx.y * TILE, steps = (K + TILE - 1) / TILE;
    uint32_t rank = 0;
    if (CLUSTER > 1)
        asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 128) {
        for (int k = 0; k < STAGES; k++) {
            barrier_init(&s.full[k], 1);
            barrier_init(&s.empty[k], CLUSTER);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if (CLUSTER > 1)
        asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    else if (HOW != NO_INIT_SYNC)
        __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128)
            for (int k = 0; k < steps; k++) {
                int stage = k % STAGES;
                if (HOW != NO_EMPTY_WAIT && k >= STAGES)
                    barrier_wait(&s.empty[stage], (k / STAGES - 1) & 1);
                barrier_expect(&s.full[stage], 2 * TILE * TILE * 2 + (HOW == TOO_MANY_BYTES ? 16 : 0));
                load(s.a[stage], &a, k * TILE, m, &s.full[stage]);
                if (CLUSTER > 1)
                    load_all(s.b[stage] + rank * (TILE / 2) * TILE, &b, k * TILE, n + (int)rank * TILE / 2, &s.full[stage], 3);
                else
                    load(s.b[stage], &b, k * TILE, n, &s.full[stage]);
            }
    } else {
        float d[32];
        for (int k = 0; k < steps; k++) {
            int stage = k % STAGES;
            if (HOW != NO_FULL_WAIT)
                barrier_wait(&s.full[stage], HOW == WRONG_PARITY ? 0 : (k / STAGES) & 1);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            for (int q = 0; q < 4; q++)
                multiply(d, descriptor(s.a[stage] + q * 16), descriptor(s.b[stage] + q * 16), k + q > 0);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            if (HOW == EARLY_RELEASE && threadIdx.x == 0)
                barrier_arrive_at(&s.empty[stage], 0);
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            asm volatile("bar.sync 1, 128;" ::: "memory");
            if (HOW != EARLY_RELEASE && threadIdx.x < CLUSTER)
                barrier_arrive_at(&s.empty[stage], threadIdx.x);
        }
        /* Through shared memory, 32 columns at a time, stored by the copy engine, which clips. */
        int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        for (int h = 0; h < 2; h++) {
            for (int v = 0; v < 16; v++)
                s.c[(warp * 16 + lane / 4 + v / 2 % 2 * 8) * 32 + v / 4 * 8 + lane % 4 * 2 + v % 2] = d[h * 16 + v];
            if (HOW != NO_STORE_FENCE)
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            asm volatile("bar.sync 1, 128;" ::: "memory");
            if (threadIdx.x == 0) {
                asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&c), "r"(n + h * 32),
                             "r"(m), "r"(shared_address(s.c))
                             : "memory");
                asm volatile("cp.async.bulk.commit_group;");
                if (HOW != NO_STORE_WAIT)
                    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            }
            asm volatile("bar.sync 1, 128;" ::: "memory");
        }
    }
    if (CLUSTER > 1)
        asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill);
static Encode encode;

static CUresult make_map(CUtensorMap *map, CUtensorMapDataType type, void *p, int size, uint64_t rows, uint64_t columns, uint64_t pitch,
                         uint32_t box_rows, uint32_t box_columns, CUtensorMapSwizzle swizzle)
{
    cuuint64_t dims[2] = {columns, rows}, strides[1] = {pitch * size};
    cuuint32_t box[2] = {box_columns, box_rows}, steps[2] = {1, 1};
    return encode(map, type, 2, p, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

struct Problem {
    int M, N, K, lda, ldc;
    std::vector<half> a, b;
    std::vector<float> expected;
    Problem(int M, int N, int K)
        : M(M), N(N), K(K), lda((K + 7) / 8 * 8 + 8), ldc((N + 3) / 4 * 4), a(M * lda), b(N * lda), expected(M * ldc)
    {
        for (auto *x : {&a, &b})
            for (size_t e = 0; e < x->size(); e++) /* what is beyond K must not matter */
                (*x)[e] = __float2half((int)e % lda < K ? (float)((int)(e * 2654435761u >> 20) % 17 - 8) / 8 : NAN);
        for (int m = 0; m < M; m++)
            for (int n = 0; n < N; n++)
                for (int k = 0; k < K; k++)
                    expected[m * ldc + n] += __half2float(a[m * lda + k]) * __half2float(b[n * lda + k]);
    }
};

template <int HOW, int CLUSTER> static bool run(const Problem &p)
{
    Device<half> a(p.a), b(p.b);
    Device<float> c(p.expected.size());
    CUtensorMap ma, mb, mc;
    CHECK(make_map(&ma, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, a.data, 2, p.M, p.K, p.lda, TILE, TILE, CU_TENSOR_MAP_SWIZZLE_128B) == 0);
    CHECK(make_map(&mb, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, b.data, 2, p.N, p.K, p.lda, TILE / CLUSTER, TILE, CU_TENSOR_MAP_SWIZZLE_128B) ==
          0);
    CHECK(make_map(&mc, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, c.data, 4, p.M, p.N, p.ldc, TILE, 32, CU_TENSOR_MAP_SWIZZLE_NONE) == 0);
    auto kernel = gemm<HOW, CLUSTER>;
    CUDA(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    int tiles = (p.M + TILE - 1) / TILE;
    config.gridDim = dim3((tiles + CLUSTER - 1) / CLUSTER * CLUSTER, (p.N + TILE - 1) / TILE);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = sizeof(Shared);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = CLUSTER;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = CLUSTER > 1;
    CUDA(cudaLaunchKernelEx(&config, kernel, ma, mb, mc, p.K));
    if (cudaDeviceSynchronize() != cudaSuccess)
        return false;
    std::vector<float> got = c.get();
    for (int m = 0; m < p.M; m++)
        for (int n = 0; n < p.N; n++)
            if (got[m * p.ldc + n] != p.expected[m * p.ldc + n])
                return false;
    return true;
}

/* Each mistake is seen under some schedule: as one of two diagnoses, or as a wrong result. */
template <int HOW> static void mistake(const Problem &p, SimKind kind, SimKind other, bool in_all)
{
    int seen = 0, runs = 0;
    sim_set_quiet(1);
    all_schedules([&] {
        bool is_right = run<HOW, 1>(p);
        runs++;
        if (sim_kind() == kind || sim_kind() == other)
            seen++;
        else if (sim_kind() != SIM_NOTHING || (in_all && is_right)) {
            std::printf("mistake %d: %s: %s\n", HOW, sim_kind_name(sim_kind()), sim_text());
            failures++;
        }
        sim_reset();
    });
    sim_set_quiet(0);
    CHECK(in_all ? seen == runs : seen > 0);
}

static void refused_maps()
{
    Device<half> x(4096);
    CUtensorMap map;
    const CUtensorMapDataType t = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    sim_set_quiet(1);
    CHECK(make_map(&map, t, x.data, 2, 64, 64, 64, 8, 64, CU_TENSOR_MAP_SWIZZLE_128B) == CUDA_SUCCESS);
    CHECK(make_map(&map, t, x.data + 1, 2, 64, 63, 64, 8, 64, CU_TENSOR_MAP_SWIZZLE_128B) != CUDA_SUCCESS);
    CHECK(make_map(&map, t, x.data, 2, 64, 63, 63, 8, 64, CU_TENSOR_MAP_SWIZZLE_128B) != CUDA_SUCCESS);
    CHECK(make_map(&map, t, x.data, 2, 64, 64, 64, 257, 64, CU_TENSOR_MAP_SWIZZLE_128B) != CUDA_SUCCESS);
    CHECK(make_map(&map, t, x.data, 2, 64, 64, 64, 8, 64, CU_TENSOR_MAP_SWIZZLE_64B) != CUDA_SUCCESS);
    CHECK(make_map(&map, t, x.data, 2, 64, 64, 64, 8, 4, CU_TENSOR_MAP_SWIZZLE_NONE) != CUDA_SUCCESS);
    CHECK(make_map(&map, t, x.data, 2, 64, 0, 64, 8, 64, CU_TENSOR_MAP_SWIZZLE_NONE) != CUDA_SUCCESS);
    sim_set_quiet(0);
}

int main()
{
    sim_set_device(90, 0);
    cudaDriverEntryPointQueryResult result;
    CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &result));
    CHECK(result == cudaDriverEntryPointSuccess);
    refused_maps();
    Problem small(64, 64, 64), ragged(100, 70, 333), deep(64, 64, 64 * 9);
    all_schedules([&] {
        CHECK((run<RIGHT, 1>(small)));
        CHECK((run<RIGHT, 1>(ragged)));
        CHECK((run<RIGHT, 1>(deep)));
        CHECK((run<RIGHT, 2>(ragged)));
        CHECK((run<RIGHT, 2>(deep)));
    });
    mistake<NO_FULL_WAIT>(deep, SIM_RACE, SIM_ASYNC, true);
    mistake<NO_EMPTY_WAIT>(deep, SIM_RACE, SIM_BARRIER, true);
    mistake<EARLY_RELEASE>(deep, SIM_RACE, SIM_ASYNC, false);
    mistake<TOO_MANY_BYTES>(deep, SIM_DEADLOCK, SIM_DEADLOCK, true);
    mistake<NO_INIT_SYNC>(deep, SIM_RACE, SIM_BARRIER, true);
    mistake<WRONG_PARITY>(deep, SIM_RACE, SIM_DEADLOCK, true);
    mistake<NO_STORE_WAIT>(small, SIM_RACE, SIM_ASYNC, true);
    mistake<NO_STORE_FENCE>(small, SIM_RACE, SIM_RACE, true);
    return summary();
}
