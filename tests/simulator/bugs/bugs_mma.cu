/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family mma: a product of half matrices by mma.sync, tiles of 64 x 64 by 32 steps, in a ring of three stages
 * that cp.async fills; ldmatrix reads them through an XOR swizzle, the sums leave through shared memory. */
#include <cuda_fp16.h>
#include <stdint.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_WRONG, "ldmatrix of B without .trans") \
    X(2, OUT_WRONG, "the two registers of a fragment of B swapped") \
    X(3, OUT_WRONG, "A is written with one swizzle and read with another") \
    X(4, OUT_WRONG, "the fragment of the sums read as rows of 4 columns") \
    X(5, OUT_WRONG, "the middle registers of a fragment of A swapped") \
    X(6, OUT_WRONG, "copies at the end of k are whole: NaN beside the rows of A") \
    X(7, OUT_BOUNDS, "copies of A are not compared with m") \
    X(8, OUT_RACE, "cp.async.wait_group 2 for 1") \
    X(9, OUT_RACE, "a stage is refilled while it is read") \
    X(10, OUT_RACE, "a stage is refilled before the barrier") \
    X(11, OUT_RACE, "no __syncthreads after cp.async.wait_group") \
    X(12, OUT_DIVERGENCE, "one lane does not take part in mma") \
    X(13, OUT_MISALIGNED, "cp.async of 16 bytes from the second element on") \
    X(14, OUT_RACE, "no cp.async.commit_group in the loop") \
    X(15, OUT_WRONG, "the halves of a pair of sums swapped") \
    X(16, OUT_MISALIGNED, "float2 to rows of an odd length") \
    X(17, OUT_BOUNDS, "a ring of four in memory for three") \
    X(18, OUT_MISALIGNED, "ldmatrix of rows that do not begin at 16 bytes") \
    X(19, OUT_RACE, "no __syncthreads before the sums take the stages' place") \
    X(20, OUT_RACE, "no __syncwarp between storing and loading the sums") \
    X(21, OUT_WRONG, "the second 16 steps of a stage are the first ones again") \
    X(22, OUT_WRONG | OUT_RACE, "the ring is not advanced: all steps multiply the first stage") \
    X(23, OUT_BOUNDS, "src-size is counted in elements, of the wrong end") \
    X(24, OUT_WRONG, "rows of B beyond k are not filled with zeros, and A's tail is not either") \
    X(25, OUT_DIVERGENCE, "ldmatrix by half a warp") \
    X(26, OUT_WRONG, "a warp's second tile of 16 rows is the first one again") \
    X(27, OUT_RACE | OUT_WRONG, "the last stage is not waited for")

enum { UM = 64, UN = 64, UK = 32, STAGES = 3, THREADS = 128, A_BYTES = UM * UK * 2, STAGE = A_BYTES + UK * UN * 2, SUMS_LD = 36 };

static __device__ __forceinline__ uint32_t shared_address(const void *x) { return (uint32_t)__cvta_generic_to_shared(x); }

static __device__ __forceinline__ void copy16(uint32_t to, const void *from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

static __device__ __forceinline__ int tail(int left, const int bug)
{
    const int bytes = left >= 8 ? 16 : left > 0 ? 2 * left : 0;
    return bug == 23 && left < 8 ? 2 * (8 - left) + 16 : bytes;
}

/* Where 16 bytes number `chunk` of a row lie. */
static __device__ __forceinline__ uint32_t a_at(int row, int chunk) { return row * UK * 2 + ((chunk ^ (row >> 1)) & 3) * 16; }

static __device__ __forceinline__ uint32_t b_at(int row, int chunk) { return A_BYTES + row * UN * 2 + ((chunk ^ row) & 7) * 16; }

/* Everything of k0 to k0 + UK. */
static __device__ __forceinline__ void fill(const Gemm &g, uint32_t stage, int m0, int n0, int k0, const int bug)
{
    const __half *const a = (const __half *)g.a, *const b = (const __half *)g.b;
#pragma unroll
    for (int i = 0; i < UM * UK / 8 / THREADS; i++) {
        const int e = threadIdx.x + i * THREADS, row = e / 4, k = k0 + e % 4 * 8, m = m0 + row;
        const bool is_inside = (m < g.m || bug == 7) && k < g.k;
        const int bytes = bug == 6 || bug == 24 ? 16 : tail(g.k - k, bug);
        copy16(stage + a_at(row, e % 4), is_inside ? a + (long long)m * g.lda + k + (bug == 13) : a, is_inside ? bytes : 0);
    }
#pragma unroll
    for (int i = 0; i < UK * UN / 8 / THREADS; i++) {
        const int e = threadIdx.x + i * THREADS, row = e / 8, n = n0 + e % 8 * 8, k = k0 + row;
        const bool is_inside = k < g.k && n < g.n;
        if (bug == 24 && k >= g.k)
            continue;
        copy16(stage + b_at(row, e % 8), is_inside ? b + (long long)k * g.ldb + n : b, is_inside ? tail(g.n - n, 0) : 0);
    }
}

static __device__ __forceinline__ void load4(uint32_t x[4], uint32_t at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(at)
                 : "memory");
}

static __device__ __forceinline__ void load4_trans(uint32_t x[4], uint32_t at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(at)
                 : "memory");
}

static __device__ __forceinline__ void multiply(float c[4], const uint32_t a[4], uint32_t b0, uint32_t b1, const int bug)
{
    const int first = bug == 5 ? 2 : 1, second = bug == 5 ? 1 : 2;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[first]), "r"(a[second]), "r"(a[3]), "r"(bug == 2 ? b1 : b0), "r"(bug == 2 ? b0 : b1));
}

/* A warp's 32 x 32 sums and one stage. */
static __device__ __forceinline__ void step(float sums[2][4][4], uint32_t stage, int m, int n, const int bug)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < UK / 16; k++) {
        const int at = bug == 21 ? 0 : k;
        uint32_t a[2][4], b[2][4];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int row = m + (bug == 26 ? 0 : i) * 16 + lane % 16, chunk = at * 2 + lane / 16;
            const uint32_t address = bug == 3 ? row * UK * 2 + ((chunk ^ row) & 3) * 16 : a_at(row, chunk);
            if (bug != 25 || lane < 16)
                load4(a[i], stage + address + (bug == 18 ? 8 : 0));
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const uint32_t address = stage + b_at(at * 16 + lane % 16, n / 8 + j * 2 + lane / 16);
            if (bug == 1)
                load4(b[j], address);
            else
                load4_trans(b[j], address);
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (bug != 12 || lane != 31)
                    multiply(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1], bug);
    }
}

/* A warp's sums to C, by way of 32 rows of shared memory. */
static __device__ __forceinline__ void store(const Gemm &g, const float sums[2][4][4], float *tile, int m, int n, const int bug)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int r = 0; r < 2; r++) {
                const int row = bug == 4 ? i * 16 + lane / 2 % 8 + r * 8 : i * 16 + lane / 4 + r * 8;
                const int column = bug == 4 ? j * 8 + lane / 16 * 4 + lane % 2 * 2 : j * 8 + lane % 4 * 2;
                const float2 pair = bug == 15 ? make_float2(sums[i][j][2 * r + 1], sums[i][j][2 * r])
                                              : make_float2(sums[i][j][2 * r], sums[i][j][2 * r + 1]);
                *(float2 *)&tile[row * SUMS_LD + column] = pair;
            }
    if (bug != 20)
        __syncwarp();
    for (int row = 0; row < 32 && m + row < g.m; row++) {
        float *const c = g.c + (long long)(m + row) * g.ldc + n;
        if (bug == 16) {
            if (lane < 16 && n + 2 * lane + 1 < g.n)
                *(float2 *)&c[2 * lane] = *(const float2 *)&tile[row * SUMS_LD + 2 * lane];
        } else if (n + lane < g.n) {
            c[lane] = tile[row * SUMS_LD + lane];
        }
    }
}

static __device__ __forceinline__ void mma(const Gemm &g, const int bug)
{
    extern __shared__ __align__(128) char shared[];
    const uint32_t base = shared_address(shared);
    const int m0 = blockIdx.x * UM, n0 = blockIdx.y * UN, warp = threadIdx.x / 32;
    const int m = warp / 2 * 32, n = warp % 2 * 32, steps = (g.k + UK - 1) / UK, ring = bug == 17 ? 4 : STAGES;
    float sums[2][4][4] = {};

    for (int s = 0; s < STAGES - 1; s++) {
        fill(g, base + s * STAGE, m0, n0, s * UK, bug);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    for (int s = 0; s < steps; s++) {
        const int next = s + STAGES - 1;
        if (bug == 10 && next < steps)
            fill(g, base + next % ring * STAGE, m0, n0, next * UK, bug);
        if (bug == 8 || (bug == 27 && s == steps - 1))
            asm volatile("cp.async.wait_group 2;" ::: "memory");
        else
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        if (bug != 11)
            __syncthreads();
        if (bug != 10 && next < steps)
            fill(g, base + (bug == 9 ? s : next) % ring * STAGE, m0, n0, next * UK, bug);
        if (bug != 14)
            asm volatile("cp.async.commit_group;" ::: "memory");
        step(sums, base + (bug == 22 ? 0 : s) % ring * STAGE, m, n, bug);
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    if (bug != 19)
        __syncthreads();
    store(g, sums, (float *)shared + warp * 32 * SUMS_LD, m0 + m, n0 + n, bug);
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) mma_##number(const Gemm g) { mma(g, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)mma_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    const dim3 grid((g->m + UM - 1) / UM, (g->n + UN - 1) / UN), block(THREADS);
    void *arguments[] = {(void *)g};
    return cudaLaunchKernel(kernels[bug], grid, block, arguments, STAGES * STAGE, 0);
}

static Outcome run(int bug)
{
    static const GemmCase test = {{75, 90, 147, 160, 104, 97, NULL, NULL, NULL}, 1, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(mma, run)
