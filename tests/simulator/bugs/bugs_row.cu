/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family row: a few rows of floats times a matrix, 4 rows by 32 columns by 16 steps, in a ring of three stages that cp.async fills. Of the
 * matrix each thread reads what it has copied itself, of the rows what others have; groups of threads take steps in turn, and their sums
 * meet in the ring. */
#include <stdint.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE | OUT_WRONG, "cp.async.wait_group 2 for 1: the matrix is read on its way") \
    X(2, OUT_RACE, "no __syncthreads after cp.async.wait_group: the rows are read on their way") \
    X(3, OUT_RACE | OUT_WRONG, "a stage is refilled while its rows are read") \
    X(4, OUT_WRONG, "copies of the rows at the end of k are whole: NaN beside them") \
    X(5, OUT_WRONG, "columns of C are not compared with n: writes between the rows") \
    X(6, OUT_BOUNDS, "rows are not compared with m") \
    X(7, OUT_BOUNDS, "steps of the matrix are not compared with k") \
    X(8, OUT_MISALIGNED, "cp.async of 16 bytes from the second element on") \
    X(9, OUT_RACE | OUT_WRONG, "no __syncthreads before the sums take the ring's place") \
    X(10, OUT_RACE | OUT_WRONG, "no __syncthreads before the groups' sums are added up") \
    X(11, OUT_WRONG, "the last group's sums are left out") \
    X(12, OUT_RACE | OUT_WRONG, "the sums take the place of copies that nobody has waited for")

enum { ROWS = 4, SIDE = 32, LANES = SIDE / 4, THREADS = 64, GROUPS = THREADS / LANES, DEPTH = 2, UK = GROUPS * DEPTH, STAGES = 3 };
enum { LINE = UK + 4, MATRIX = DEPTH * THREADS * 4, STAGE = MATRIX + ROWS * LINE }; /* floats */

static __device__ __forceinline__ void copy16(float *to, const float *from, int floats)
{
    const int bytes = floats < 0 ? 0 : floats < 4 ? floats * 4 : 16;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes)
                 : "memory");
}

static __device__ __forceinline__ void fill(const Gemm &g, float *stage, int n0, int k0, const int bug)
{
    const float *const a = (const float *)g.a, *const b = (const float *)g.b;
    const int thread = threadIdx.x, n = n0 + thread % LANES * 4;
#pragma unroll
    for (int d = 0; d < DEPTH; d++) {
        const int k = k0 + thread / LANES * DEPTH + d;
        copy16(stage + (d * THREADS + thread) * 4, b + (long long)k * g.ldb + n + (bug == 8), k < g.k || bug == 7 ? g.n - n : 0);
    }
    if (thread < ROWS * UK / 4) {
        const int row = thread / (UK / 4), k = k0 + thread % (UK / 4) * 4, left = k >= g.k ? 0 : bug == 4 ? 4 : g.k - k;
        copy16(stage + MATRIX + row * LINE + thread % (UK / 4) * 4, a + (long long)row * g.lda + k, row < g.m || bug == 6 ? left : 0);
    }
}

static __device__ __forceinline__ void row(const Gemm &g, const int bug)
{
    extern __shared__ __align__(16) float ring[];
    const int n0 = blockIdx.x * SIDE, steps = (g.k + UK - 1) / UK, lane = threadIdx.x % LANES, group = threadIdx.x / LANES;
    float sums[ROWS][4] = {};
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < steps || bug == 12)
            fill(g, ring + s * STAGE, n0, s * UK, bug);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    for (int s = 0; s < steps; s++) {
        const int next = s + STAGES - 1;
        if (bug == 1)
            asm volatile("cp.async.wait_group 2;" ::: "memory");
        else
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        if (bug != 2)
            __syncthreads();
        if (next < steps || bug == 12)
            fill(g, ring + (bug == 3 ? s : next) % STAGES * STAGE, n0, next * UK, bug);
        asm volatile("cp.async.commit_group;" ::: "memory");
        const float *const stage = ring + s % STAGES * STAGE;
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            const float4 x = *(const float4 *)&stage[(d * THREADS + threadIdx.x) * 4];
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const float y = stage[MATRIX + r * LINE + group * DEPTH + d];
                sums[r][0] += y * x.x;
                sums[r][1] += y * x.y;
                sums[r][2] += y * x.z;
                sums[r][3] += y * x.w;
            }
        }
    }
    if (bug != 12)
        asm volatile("cp.async.wait_group 0;" ::: "memory");
    if (bug != 9)
        __syncthreads();
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            ring[(group * ROWS + r) * SIDE + lane * 4 + e] = sums[r][e];
    if (bug != 10)
        __syncthreads();
    for (int e = threadIdx.x; e < ROWS * SIDE; e += THREADS) {
        const int r = e / SIDE, n = n0 + e % SIDE;
        float whole = 0;
        for (int i = 0; i < GROUPS - (bug == 11); i++)
            whole += ring[i * ROWS * SIDE + e];
        if (r < g.m && (n < g.n || (bug == 5 && n < g.ldc)))
            g.c[(long long)r * g.ldc + n] = whole;
    }
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) row_##number(const Gemm g) { row(g, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)row_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    const dim3 grid((g->n + SIDE - 1) / SIDE), block(THREADS);
    void *arguments[] = {(void *)g};
    return cudaLaunchKernel(kernels[bug], grid, block, arguments, STAGES * STAGE * sizeof(float), 0);
}

static Outcome run(int bug)
{
    static const GemmCase test = {{3, 75, 147, 148, 76, 80, NULL, NULL, NULL}, 0, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(row, run)
