/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family simt: a product of float matrices, tiles of 32 x 32 by 8 steps in two buffers of shared memory. */
#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE, "no __syncthreads between the first tile's stores and its loads") \
    X(2, OUT_RACE, "no __syncthreads after the next tile's stores") \
    X(3, OUT_RACE | OUT_DEADLOCK, "one warp skips a __syncthreads") \
    X(4, OUT_BOUNDS, "rows of A are not compared with m") \
    X(5, OUT_WRONG, "columns of A are not compared with k: NaN beside the rows") \
    X(6, OUT_BOUNDS, "rows of C are not compared with m") \
    X(7, OUT_WRONG, "columns of C are not compared with n: writes between the rows") \
    X(8, OUT_BOUNDS, "three buffers in memory for two") \
    X(9, OUT_WRONG | OUT_RACE, "the buffer that is read is not flipped") \
    X(10, OUT_RACE, "the buffer that is written is the one being read") \
    X(11, OUT_MISALIGNED, "float4 from rows of 33 floats") \
    X(12, OUT_BOUNDS, "half the dynamic shared memory at launch") \
    X(13, OUT_DIVERGENCE | OUT_DEADLOCK, "threads outside of C return before the barrier") \
    X(14, OUT_RACE, "all warps store the same value to one word") \
    X(15, OUT_BOUNDS, "B is freed before the launch") \
    X(16, OUT_REFUSED, "70000 blocks in y") \
    X(17, OUT_REFUSED, "more than 48 KB of shared memory without asking for it") \
    X(18, OUT_REFUSED, "1056 threads") \
    X(19, OUT_WRONG, "elements outside of A and B are not stored as 0: shared memory as it was") \
    X(20, OUT_DIVERGENCE | OUT_DEADLOCK | OUT_RACE, "__syncthreads where only half of a warp comes by") \
    X(21, OUT_WRONG, "an element of the block's last row of threads is added twice") \
    X(22, OUT_BOUNDS, "an offset of 32 bits that wraps") \
    X(23, OUT_BOUNDS, "a launch after another kernel's error that nobody looked at")

enum { UM = 32, UN = 32, UK = 8, THREADS = 64, FLOATS = UK * (36 + UN) };

static __device__ __forceinline__ void simt(const Gemm &g, const int bug)
{
    extern __shared__ __align__(16) float shared[];
    const int ld = bug == 11 ? 33 : 36, thread = threadIdx.x, warp = thread / 32;
    const int m0 = blockIdx.x * UM, n0 = blockIdx.y * UN;
    const int row = thread / 8 * 4, column = thread % 8 * 4;
    const float *const a = (const float *)g.a, *const b = (const float *)g.b;
    float sums[4][4] = {};

    if (bug == 13 && (m0 + row >= g.m || n0 + column >= g.n))
        return;
    const int steps = (g.k + UK - 1) / UK;
    for (int step = -1; step < steps; step++) {
        const int k0 = (step + 1) * UK;
        const int buffers = bug == 8 ? 3 : bug == 10 ? 1 : 2;
        float *const next = shared + (step + 1) % buffers * FLOATS;
        float *const now = shared + (bug == 9 ? 0 : step % buffers) * FLOATS;
        if (step + 1 < steps) {
#pragma unroll
            for (int i = 0; i < 4; i++) { /* A: a thread's row of the tile is m, its elements go to [k][m] */
                const int m = m0 + thread / 2, k = k0 + thread % 2 * 4 + i;
                const bool is_inside = (m < g.m || bug == 4) && (k < g.k || bug == 5);
                const long long at = bug == 22 ? (long long)(unsigned)(m * g.lda + k - 4) : (long long)m * g.lda + k;
                if (is_inside || bug != 19)
                    next[(thread % 2 * 4 + i) * ld + thread / 2] = is_inside ? a[at] : 0.0f;
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int k = k0 + thread / 8, n = n0 + thread % 8 * 4 + i;
                const bool is_inside = k < g.k && n < g.n;
                if (is_inside || bug != 19)
                    next[UK * 36 + thread / 8 * UN + thread % 8 * 4 + i] = is_inside ? b[(long long)k * g.ldb + n] : 0.0f;
            }
        }
        if (bug == 14 && step == 0)
            shared[2 * FLOATS] = 1.0f;
        if (step >= 0) {
#pragma unroll
            for (int k = 0; k < UK; k++) {
                const float4 x = *(const float4 *)&now[k * ld + row], y = *(const float4 *)&now[UK * 36 + k * UN + column];
                const float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
                for (int i = 0; i < 4; i++)
#pragma unroll
                    for (int j = 0; j < 4; j++)
                        sums[i][j] += xs[i] * ys[j];
            }
        }
        if (!(bug == 1 && step == -1) && !(bug == 2 && step >= 0) && !(bug == 3 && step == 1 && warp == 1) &&
            !(bug == 20 && step == 1 && thread % 32 < 16))
            __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int m = m0 + row + i, n = n0 + column + j;
            if ((m < g.m || bug == 6) && (n < g.n || (bug == 7 && n < g.ldc)))
                g.c[(long long)m * g.ldc + n] = sums[i][j] + (bug == 21 && thread >= 56 && i == 3 ? sums[i][j] : 0.0f);
        }
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) simt_##number(const Gemm g) { simt(g, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)simt_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static cudaError_t launch(int bug, const Gemm *g)
{
    dim3 grid((g->m + UM - 1) / UM, (g->n + UN - 1) / UN), block(THREADS);
    size_t shared = (2 * FLOATS + 1) * sizeof(float);
    void *arguments[] = {(void *)g};
    if (bug == 12)
        shared /= 2;
    if (bug == 15)
        cudaFree((void *)g->b);
    if (bug == 16)
        grid.y = 70000;
    if (bug == 17)
        shared = 60 * 1024;
    if (bug == 18)
        block.x = 1056;
    if (bug == 23) { /* the control after a kernel that fails */
        dim3 rows(grid.x, 1);
        cudaLaunchKernel(kernels[6], grid, block, arguments, shared, 0);
        cudaDeviceSynchronize();
        cudaGetLastError();
    }
    return cudaLaunchKernel(kernels[bug], grid, block, arguments, shared, 0);
}

static Outcome run(int bug)
{
    static const GemmCase test = {{50, 45, 37, 41, 48, 51, NULL, NULL, NULL}, 0, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(simt, run)
