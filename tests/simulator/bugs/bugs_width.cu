/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family width: products of tf32 numbers, of integers and of floats of 8 bits on sm_90a, 64 x 64 outputs by 128 bytes of k. A warp has TMA fill a ring of two
 * stages; a warpgroup multiplies. Both operands lie along k, as wgmma wants elements that have not 2 bytes. Numbers of tf32 are a little
 * less than multiples of 1/8, to which the tensor copies round them. */
#include <cuda.h>
#include <cuda_fp8.h>
#include <stdint.h>
#include <string.h>
#include <vector>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control, tf32") \
    X(1, OUT_WRONG, "a map of floats: the tensor cores cut them") \
    X(2, OUT_WRONG, "8 steps of k are 16 bytes, as of half") \
    X(3, OUT_WRONG, "a line has 64 steps of k, as of half") \
    X(4, OUT_RACE | OUT_DEADLOCK | OUT_ASYNC, "expect_tx of half the bytes, as of half") \
    X(5, OUT_WRONG, "the last 8 of 32 steps are left out") \
    X(6, OUT_RIGHT, "control, s8 by u8") \
    X(7, OUT_WRONG, "signs swapped") \
    X(8, OUT_WRONG, "both have signs") \
    X(9, OUT_WRONG | OUT_RACE, "32 steps of k are 64 bytes, as 32 of half") \
    X(10, OUT_RACE | OUT_DEADLOCK, "expect_tx of twice the bytes, as of half") \
    X(11, OUT_WRONG, "maps that go to the rows' stride") \
    X(12, OUT_RIGHT, "control, e4m3 by e5m2") \
    X(13, OUT_WRONG, "types swapped") \
    X(14, OUT_WRONG, "32 steps of k are 16 bytes")

enum { SIDE = 64, BOX = SIDE * 128, STAGE = 2 * BOX, THREADS = 160, SHARED = 2 * STAGE + 32, FIRST_BYTES = 6, FIRST_FLOATS = 12 };

typedef struct {
    CUtensorMap a, b;
    int m, n, k;
    uint32_t *c;
} Product;

static __device__ __forceinline__ void init(uint32_t barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void wait(uint32_t barrier, int parity)
{
    int is_done;
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.b32 %0, 1, 0, p;\n\t}"
                     : "=r"(is_done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!is_done);
}

static __device__ __forceinline__ void load_box(uint32_t to, const CUtensorMap *map, int x, int y, uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(barrier)
                 : "memory");
}

static __device__ __forceinline__ uint64_t descriptor(uint32_t at)
{
    return (uint64_t)((at & 0x3ffff) >> 4) | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

#define R8(i) "+r"(c[i]), "+r"(c[i + 1]), "+r"(c[i + 2]), "+r"(c[i + 3]), "+r"(c[i + 4]), "+r"(c[i + 5]), "+r"(c[i + 6]), "+r"(c[i + 7])
#define MULTIPLY(shape_and_types, more) \
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %34, 0;\n\t" \
                 "wgmma.mma_async.sync.aligned.m64n64" shape_and_types " {" \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, " \
                 "%32, %33, p" more ";\n\t}" \
                 : R8(0), R8(8), R8(16), R8(24) \
                 : "l"(a), "l"(b), "r"(add))

static __device__ __forceinline__ void multiply(uint32_t c[32], uint64_t a, uint64_t b, int add, const int bug)
{
    if (bug < FIRST_BYTES)
        MULTIPLY("k8.f32.tf32.tf32", ", 1, 1");
    else if (bug == 13)
        MULTIPLY("k32.f32.e5m2.e4m3", ", 1, 1");
    else if (bug >= FIRST_FLOATS)
        MULTIPLY("k32.f32.e4m3.e5m2", ", 1, 1");
    else if (bug == 7)
        MULTIPLY("k32.s32.u8.s8", "");
    else if (bug == 8)
        MULTIPLY("k32.s32.s8.s8", "");
    else
        MULTIPLY("k32.s32.s8.u8", "");
}

static __device__ __forceinline__ void produce(const Product &p, uint32_t base, int steps, const int bug)
{
    const int line = bug == 3 ? 64 : bug < FIRST_BYTES ? 32 : 128;
    for (int i = 0; i < steps; i++) {
        const uint32_t full = base + 2 * STAGE + i % 2 * 8, to = base + i % 2 * STAGE;
        if (i >= 2)
            wait(full + 16, i / 2 + 1 & 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full), "r"(bug == 4    ? STAGE / 2
                                                                                               : bug == 10 ? STAGE * 2
                                                                                                           : STAGE)
                     : "memory");
        load_box(to, &p.a, i * line, blockIdx.x * SIDE, full);
        load_box(to + BOX, &p.b, i * line, blockIdx.y * SIDE, full);
    }
}

static __device__ __forceinline__ void consume(const Product &p, uint32_t base, int steps, const int bug)
{
    const int lane = threadIdx.x % 32, m = blockIdx.x * SIDE + threadIdx.x / 32 * 16 + lane / 4, n = blockIdx.y * SIDE + lane % 4 * 2;
    uint32_t sums[32];
    for (int i = 0; i < steps; i++) {
        const uint32_t full = base + 2 * STAGE + i % 2 * 8, at = base + i % 2 * STAGE;
        wait(full, i / 2 & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < (bug == 5 ? 3 : 4); k++) {
            const int next = bug == 2 || bug == 14 ? 16 : bug == 9 ? 64 : 32;
            multiply(sums, descriptor(at + k * next), descriptor(at + BOX + k * next), i > 0 || k > 0, bug);
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (lane == 0)
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(full + 16) : "memory");
    }
#pragma unroll
    for (int i = 0; i < 32; i++) {
        const int row = m + i / 2 % 2 * 8, column = n + i / 4 * 8 + i % 2;
        if (row < p.m && column < p.n)
            p.c[row * p.n + column] = sums[i];
    }
}

static __device__ __forceinline__ void width(const Product &p, const int bug)
{
    extern __shared__ __align__(1024) char shared[];
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(shared);
    const int line = bug < FIRST_BYTES ? 32 : 128, steps = (p.k + line - 1) / line;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; i++) {
            init(base + 2 * STAGE + i * 8, 1);
            init(base + 2 * STAGE + 16 + i * 8, 4);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 128)
        produce(p, base, steps, bug);
    else if (threadIdx.x < 128)
        consume(p, base, steps, bug);
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) width_##number(const __grid_constant__ Product p) { width(p, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)width_##number,
static const void *const kernels[] = {BUGS(POINTER)};

/* ---- host ---- */

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill);

enum { M = 72, N = 50, K = 304, LD = 320 };

/* Element (row, k) of A, without B's signs: eighths, or bytes as they are. */
static int element(int row, int k, int of_b, int bug)
{
    const unsigned x = ((unsigned)(row * K + k) * 2u + (unsigned)of_b + 1) * 2654435761u;
    return bug < FIRST_BYTES || bug >= FIRST_FLOATS ? (int)(x >> 8 & 15) - 8 : of_b ? (int)(x >> 8 & 255) : (int)(x >> 8 & 255) - 128;
}

/* The operand on the device, what is beside its rows large; and the map of it. */
static void *make_operand(CUtensorMap *map, int rows, int of_b, int bug)
{
    const size_t bytes = bug < FIRST_BYTES ? 4 : 1;
    std::vector<char> host(rows * LD * bytes, 0x7f);
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < K; k++) {
            const int x = element(r, k, of_b, bug);
            const float eighths = (float)x / 8, number = eighths * (1 - 0x1p-14f);
            const __nv_fp8_e4m3 e4m3(eighths);
            const __nv_fp8_e5m2 e5m2(eighths);
            memcpy(&host[(r * LD + k) * bytes],
                   bug < FIRST_BYTES    ? (const void *)&number
                   : bug < FIRST_FLOATS ? (const void *)&x
                   : of_b               ? (const void *)&e5m2
                                        : (const void *)&e4m3,
                   bytes);
        }
    void *device = NULL, *encode = NULL;
    const cuuint64_t extents[2] = {(cuuint64_t)(bug == 11 ? LD : K), (cuuint64_t)rows}, stride[1] = {LD * bytes};
    const cuuint32_t box[2] = {(cuuint32_t)(128 / bytes), SIDE}, steps[2] = {1, 1};
    const CUtensorMapDataType type = bytes == 1 ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                                     : bug == 1 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                                : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    cudaDriverEntryPointQueryResult found;
    if (cudaMalloc(&device, host.size()) != cudaSuccess ||
        cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice) != cudaSuccess ||
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found) != cudaSuccess ||
        ((Encode)encode)(map, type, 2, device, extents, stride, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return NULL;
    return device;
}

static uint32_t expected(int m, int n, int bug)
{
    int64_t sum = 0;
    for (int k = 0; k < K; k++)
        sum += element(m, k, 0, bug) * element(n, k, 1, bug);
    const float number = (float)sum / 64;
    uint32_t bits = (uint32_t)sum;
    if (bug < FIRST_BYTES || bug >= FIRST_FLOATS)
        memcpy(&bits, &number, 4);
    return bits;
}

static Outcome run(int bug)
{
    Product p = {};
    void *arguments[] = {&p};
    std::vector<uint32_t> c(M * N, 0xffffffff);
    void *const a = make_operand(&p.a, M, 0, bug), *const b = make_operand(&p.b, N, 1, bug);
    p.m = M, p.n = N, p.k = K;
    Outcome outcome = OUT_RIGHT;
    if (!a || !b || cudaMalloc((void **)&p.c, c.size() * 4) != cudaSuccess ||
        cudaFuncSetAttribute(kernels[bug], cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED) != cudaSuccess ||
        cudaLaunchKernel(kernels[bug], dim3((M + SIDE - 1) / SIDE, (N + SIDE - 1) / SIDE), dim3(THREADS), arguments, SHARED, 0) !=
            cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess || cudaMemcpy(c.data(), p.c, c.size() * 4, cudaMemcpyDeviceToHost) != cudaSuccess)
        outcome = OUT_REFUSED;
    for (int i = 0; i < M * N && outcome == OUT_RIGHT; i++)
        if (c[i] != expected(i / N, i % N, bug))
            outcome = OUT_WRONG;
    cudaFree(a);
    cudaFree(b);
    cudaFree(p.c);
    return outcome;
}

FAMILY(width, run)
