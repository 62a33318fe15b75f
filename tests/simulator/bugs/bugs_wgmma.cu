/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family wgmma: a product of half matrices on sm_90a, tiles of 128 x 128 by 64 steps. One warpgroup has TMA
 * fill a ring of three stages, with an mbarrier for "full" and one for "empty" each; two warpgroups multiply 64
 * rows each: A with k, B with n in the direction of its rows, both swizzled by 128 bytes. The sums leave by
 * TMA, through shared memory. */
#include <cuda.h>
#include <stdint.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE | OUT_DEADLOCK | OUT_ASYNC, "expect_tx of half the bytes") \
    X(2, OUT_DEADLOCK, "expect_tx of more bytes than come") \
    X(3, OUT_RACE | OUT_DEADLOCK, "the parity of `full` is not flipped") \
    X(4, OUT_RACE, "no wait for `full`") \
    X(5, OUT_RACE | OUT_BARRIER, "no wait for `empty`") \
    X(6, OUT_RACE | OUT_ASYNC, "a stage is released before its wgmma is done") \
    X(7, OUT_ASYNC, "no wgmma.wait_group before the sums are stored") \
    X(8, OUT_RACE | OUT_BARRIER, "no __syncthreads after mbarrier.init") \
    X(9, OUT_WRONG, "the first wgmma adds to registers as they were") \
    X(10, OUT_WRONG, "half the stride between 8 rows of A") \
    X(11, OUT_WRONG, "half the leading offset between 64 columns of B") \
    X(12, OUT_WRONG, "16 steps of A are 64 bytes") \
    X(13, OUT_WRONG, "16 steps of B are 32 bytes, as A's") \
    X(14, OUT_WRONG, "a swizzle of 64 bytes in the descriptor of A") \
    X(15, OUT_WRONG, "the coordinates of A swapped") \
    X(16, OUT_DEADLOCK, "a box of half the rows of A") \
    X(17, OUT_WRONG | OUT_RACE, "B is not said to be transposed") \
    X(18, OUT_ASYNC, "no wgmma.fence") \
    X(19, OUT_RACE, "no fence.proxy.async between the sums' stores and the copy of them") \
    X(20, OUT_ASYNC, "the block ends before the copy has read the sums") \
    X(21, OUT_RACE | OUT_BARRIER | OUT_DEADLOCK, "`empty` is for half of the warps that arrive") \
    X(22, OUT_DIVERGENCE, "three warps of a warpgroup") \
    X(23, OUT_DEADLOCK, "the producer leaves out the last stage") \
    X(24, OUT_WRONG, "the map of A goes to the rows' stride: NaN beside them") \
    X(25, OUT_WRONG, "a map without swizzle") \
    X(26, OUT_WRONG, "both warpgroups multiply the first 64 rows") \
    X(27, OUT_MISALIGNED | OUT_TENSOR, "stages that do not begin at 128 bytes") \
    X(28, OUT_RACE, "no barrier between the sums' stores and the copy of them") \
    X(29, OUT_RACE | OUT_BARRIER, "an arrival without expect_tx") \
    X(30, OUT_ASYNC | OUT_RACE, "no wgmma.commit_group") \
    X(31, OUT_REFUSED, "a map of rows that are not a multiple of 16 bytes apart") \
    X(32, OUT_BARRIER | OUT_RACE, "two warps initialise the mbarriers") \
    X(33, OUT_BOUNDS, "the last copies go behind the barriers") \
    X(34, OUT_DEADLOCK | OUT_BARRIER, "`full` waits for two arrivals") \
    X(35, OUT_RACE | OUT_BARRIER | OUT_DEADLOCK, "the producer's first wait has the parity of the second") \
    X(36, OUT_WRONG | OUT_RACE, "the descriptor of B begins one swizzled row further") \
    X(37, OUT_TENSOR | OUT_DIVERGENCE | OUT_WRONG, "descriptors made from the address of each lane") \
    X(38, OUT_RACE | OUT_ASYNC, "the sums take the place of a stage that is still read") \
    X(39, OUT_MISALIGNED | OUT_BARRIER, "an mbarrier at an address that is not a multiple of 8") \
    X(40, OUT_DEADLOCK, "a warp that does not arrive at `empty`") \
    X(41, OUT_DEADLOCK, "8 registers more than the producer gives back") \
    X(42, OUT_DEADLOCK, "the producer gives back too few registers") \
    X(43, OUT_DEADLOCK, "the producer keeps its registers") \
    X(44, OUT_BARRIER, "the producer asks for more registers as if it gave some back") \
    X(45, OUT_BARRIER, "no fence behind mbarrier.init") \
    X(46, OUT_BARRIER, "the fence before mbarrier.init") \
    X(47, OUT_BARRIER, "a fence of the block's memory behind mbarrier.init") \
    X(48, OUT_BARRIER, "another thread's fence behind mbarrier.init")

enum {
    UM = 128,
    UN = 128,
    UK = 64,
    STAGES = 3,
    THREADS = 384,
    A_BYTES = UM * UK * 2,
    B_BYTES = UK * UN * 2,
    STAGE = A_BYTES + B_BYTES,
    SUMS = 64 * UN * 4,
    BARRIERS = STAGES * STAGE + 2 * SUMS,
    SHARED = BARRIERS + 2 * STAGES * 8 + 8
};

/* ---- instructions ---- */

static __device__ __forceinline__ void init(uint32_t barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

static __device__ __forceinline__ void arrive_expect(uint32_t barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void wait(uint32_t barrier, int parity)
{
    int is_done;
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.b32 "
                     "%0, 1, 0, p;\n\t}"
                     : "=r"(is_done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!is_done);
}

static __device__ __forceinline__ void load_box(uint32_t to, const CUtensorMap *map, int x, int y, uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                 "%3}], [%4];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(barrier)
                 : "memory");
}

static __device__ __forceinline__ void store_box(const CUtensorMap *map, int x, int y, uint32_t from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x), "r"(y), "r"(from)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

static __device__ __forceinline__ uint64_t descriptor(uint32_t at, int leading, int stride, int swizzle)
{
    return (uint64_t)((at & 0x3ffff) >> 4) | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32 | (uint64_t)swizzle << 62;
}

#define R16(i) \
    "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), "+f"(c[i + 6]), "+f"(c[i + 7]), \
        "+f"(c[i + 8]), "+f"(c[i + 9]), "+f"(c[i + 10]), "+f"(c[i + 11]), "+f"(c[i + 12]), "+f"(c[i + 13]), "+f"(c[i + 14]), \
        "+f"(c[i + 15])
#define MULTIPLY(transposed) \
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %66, 0;\n\t" \
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, " \
                 "%64, %65, p, 1, 1, 0, " transposed ";\n\t}" \
                 : R16(0), R16(16), R16(32), R16(48) \
                 : "l"(a), "l"(b), "r"(add))

static __device__ __forceinline__ void multiply(float c[64], uint64_t a, uint64_t b, int add, const int bug)
{
    if (bug == 17)
        MULTIPLY("0");
    else
        MULTIPLY("1");
}

/* ---- the two halves of the kernel ---- */

typedef struct {
    CUtensorMap a, b, c;
    int k;
} Product;

static __device__ __forceinline__ uint32_t full(uint32_t base, int stage, const int bug)
{
    return base + BARRIERS + stage * 8 + (bug == 39 ? 4 : 0);
}

static __device__ __forceinline__ uint32_t empty(uint32_t base, int stage) { return base + BARRIERS + STAGES * 8 + stage * 8; }

static __device__ __forceinline__ void produce(const Product &p, uint32_t base, int m0, int n0, int steps, const int bug)
{
    for (int i = 0; i < steps - (bug == 23); i++) {
        const int stage = i % STAGES, round = i / STAGES, k = i * UK;
        const uint32_t barrier = full(base, stage, bug);
        const uint32_t to = base + (bug == 33 && i == steps - 1 ? BARRIERS & ~1023 : stage * STAGE + (bug == 27 ? 64 : 0));
        if (bug != 5 && (round > 0 || bug == 35))
            wait(empty(base, stage), (round & 1) ^ (bug == 35 ? 0 : 1));
        if (bug == 29)
            arrive(barrier);
        else
            arrive_expect(barrier, bug == 1 ? STAGE / 2 : bug == 2 ? STAGE + 16 : STAGE);
        load_box(to, &p.a, bug == 15 ? m0 : k, bug == 15 ? k : m0, barrier);
        load_box(to + A_BYTES, &p.b, n0, k, barrier);
        load_box(to + A_BYTES + B_BYTES / 2, &p.b, n0 + 64, k, barrier);
    }
}

static __device__ __forceinline__ void consume(float sums[64], uint32_t base, int group, int steps, const int bug)
{
    const int warp = threadIdx.x / 32;
    for (int i = 0; i < steps; i++) {
        const uint32_t stage = base + i % STAGES * STAGE + (bug == 37 ? threadIdx.x % 2 * 16 : 0);
        if (bug != 4)
            wait(full(base, i % STAGES, bug), bug == 3 ? 0 : i / STAGES & 1);
        if (bug != 18)
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < UK / 16; k++) {
            const uint32_t a = stage + (bug == 26 ? 0 : group) * 64 * 128 + k * (bug == 12 ? 64 : 32);
            const uint32_t b = stage + A_BYTES + k * (bug == 13 ? 32 : 2048) + (bug == 36 ? 128 : 0);
            if (bug != 22 || warp % 4 != 3)
                multiply(sums, descriptor(a, 16, bug == 10 ? 512 : 1024, bug == 14 ? 2 : 1),
                         descriptor(b, bug == 11 ? B_BYTES / 4 : B_BYTES / 2, 1024, 1), bug == 9 || i > 0 || k > 0, bug);
        }
        if (bug != 30)
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (bug == 6 && threadIdx.x % 32 == 0)
            arrive(empty(base, i % STAGES));
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (bug != 6 && i > 0 && threadIdx.x % 32 == 0 && !(bug == 40 && warp == 5))
            arrive(empty(base, (i - 1) % STAGES));
    }
    if (bug != 7)
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

static __device__ __forceinline__ void store(const Product &p, const float sums[64], char *tile, int m, int n, int group, const int bug)
{
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 % 4 * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < 64; i += 2)
        *(float2 *)(tile + ((row + i / 2 % 2 * 8) * UN + i / 4 * 8 + lane % 4 * 2) * 4) = make_float2(sums[i], sums[i + 1]);
    if (bug != 19)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (bug != 28)
        asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    if (threadIdx.x % 128 == 0) {
        store_box(&p.c, n, m, (uint32_t)__cvta_generic_to_shared(tile));
        if (bug != 20)
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

static __device__ __forceinline__ void wgmma(const Product &p, const int bug)
{
    extern __shared__ __align__(1024) char shared[];
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(shared);
    const int m0 = blockIdx.x * UM, n0 = blockIdx.y * UN, steps = (p.k + UK - 1) / UK, group = threadIdx.x / 128 - 1;

    if (threadIdx.x == (bug == 48 ? 1 : 0) && (bug == 46 || bug == 48))
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    if (threadIdx.x == 0 || (bug == 32 && threadIdx.x == 32)) {
        for (int i = 0; i < STAGES; i++) {
            init(full(base, i, bug), bug == 34 ? 2 : 1);
            init(empty(base, i), bug == 21 ? 4 : 8);
        }
        if (bug == 47)
            asm volatile("fence.acq_rel.cta;" ::: "memory");
        else if (bug < 45)
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if (bug != 8)
        __syncthreads();
    if (group < 0) {
        if (bug == 42)
            asm volatile("setmaxnreg.dec.sync.aligned.u32 48;");
        else if (bug == 44)
            asm volatile("setmaxnreg.dec.sync.aligned.u32 176;");
        else if (bug != 43)
            asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            produce(p, base, m0, n0, steps, bug);
    } else {
        float sums[64];
        if (bug == 41)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        else
            asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(sums, base, group, steps, bug);
        char *const tile = bug == 38 ? shared + (steps - 1) % STAGES * STAGE : shared + STAGES * STAGE + group * SUMS;
        store(p, sums, tile, m0 + group * 64, n0, group, bug);
    }
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) wgmma_##number(const __grid_constant__ Product p) { wgmma(p, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)wgmma_##number,
static const void *const kernels[] = {BUGS(POINTER)};

/* ---- host ---- */

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill);

/* Rows of `length` elements, `ld` apart; boxes of box_rows rows. */
static CUresult make_map(CUtensorMap *map, CUtensorMapDataType type, const void *at, int rows, int length, int ld, int box_rows,
                         int box_length, CUtensorMapSwizzle swizzle)
{
    const cuuint64_t extents[2] = {(cuuint64_t)length, (cuuint64_t)rows};
    const cuuint64_t stride[1] = {(cuuint64_t)ld * (type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 ? 4 : 2)};
    const cuuint32_t box[2] = {(cuuint32_t)box_length, (cuuint32_t)box_rows}, steps[2] = {1, 1};
    void *encode = NULL;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found) != cudaSuccess)
        return CUDA_ERROR_NOT_FOUND;
    return ((Encode)encode)(map, type, 2, (void *)at, extents, stride, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                            CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

static cudaError_t launch(int bug, const Gemm *g)
{
    const CUtensorMapSwizzle swizzle = bug == 25 ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_128B;
    const dim3 grid((g->m + UM - 1) / UM, (g->n + UN - 1) / UN), block(THREADS);
    Product p;
    void *arguments[] = {&p};
    p.k = g->k;
    if (make_map(&p.a, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, g->a, g->m, bug == 24 ? g->lda : g->k, g->lda - (bug == 31),
                 bug == 16 ? UM / 2 : UM, UK, swizzle) != CUDA_SUCCESS ||
        make_map(&p.b, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, g->b, g->k, g->n, g->ldb, UK, 64, swizzle) != CUDA_SUCCESS ||
        make_map(&p.c, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, g->c, g->m, g->n, g->ldc, 64, UN, CU_TENSOR_MAP_SWIZZLE_NONE) != CUDA_SUCCESS)
        return cudaErrorInvalidValue;
    cudaError_t error = cudaFuncSetAttribute(kernels[bug], cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    return error == cudaSuccess ? cudaLaunchKernel(kernels[bug], grid, block, arguments, SHARED, 0) : error;
}

static Outcome run(int bug)
{
    static const GemmCase test = {{72, 150, 300, 320, 152, 152, NULL, NULL, NULL}, 1, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(wgmma, run)
