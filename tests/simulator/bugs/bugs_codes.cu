/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family codes: a product whose B is packed in 4 bits, blocks of 32 steps in 16 bytes, of which the high halves are 16 steps behind the low
 * ones. A warp takes a column, its lanes blocks; bits become floats where they lie in the fraction of 2^23. */
#include <stdint.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_WRONG, "low and high halves are swapped") \
    X(2, OUT_WRONG, "high halves are taken for the low ones' neighbours") \
    X(3, OUT_WRONG, "what bits of 0 stand for is left out") \
    X(4, OUT_WRONG, "bits of the second byte count as those of the first") \
    X(5, OUT_WRONG, "steps behind the last one are not zeros of A") \
    X(6, OUT_MISALIGNED, "16 bytes of columns whose length is no multiple of 16") \
    X(7, OUT_BOUNDS, "columns are not compared with n") \
    X(8, OUT_WRONG, "the lanes' sums are not all added up")

enum { THREADS = 64, BLOCK = 32, BYTES = 16 };

static __device__ __forceinline__ int blocks_of(int k) { return (k + BLOCK - 1) / BLOCK; }

static __device__ __forceinline__ int column_bytes(const Gemm &g, const int bug) { return blocks_of(g.k) * BYTES + (bug == 6 ? 8 : 0); }

/* Elements are multiples of 1/8 from -1 on; behind the last step there is anything but -1. */
static __device__ __forceinline__ void pack(const Gemm &g, uint8_t *w, const int bug)
{
    const float *const b = (const float *)g.b;
    const int n = blockIdx.x;
    for (int i = threadIdx.x; i < blocks_of(g.k) * BYTES; i += blockDim.x) {
        const int low = i / BYTES * BLOCK + i % BYTES, high = low + BYTES;
        const int first = low < g.k ? (int)(8 * b[(long long)low * g.ldb + n]) + 8 : 15;
        const int second = high < g.k ? (int)(8 * b[(long long)high * g.ldb + n]) + 8 : 15;
        w[(long long)n * column_bytes(g, bug) + i] = (uint8_t)(first | second << 4);
    }
}

static __device__ __forceinline__ void unpack(float x[4], uint32_t word, const int bug)
{
    const float base = 8388608, least = bug == 3 ? 0 : -8;
    x[0] = __uint_as_float((word & 0xf) | 0x4b000000) - (base - least);
    x[1] = bug == 4 ? __uint_as_float((word & 0xf00) | 0x4b000000) - (base - least)
                    : fmaf(__uint_as_float((word & 0xf00) | 0x4b000000), 1.0f / 256, least - base / 256);
    x[2] = fmaf(__uint_as_float((word & 0xf0000) | 0x4b000000), 1.0f / 65536, least - base / 65536);
    x[3] = __uint_as_float((word >> 24 & 0xf) | 0x4b000000) - (base - least);
}

static __device__ __forceinline__ void product(const Gemm &g, const uint8_t *w, const int bug)
{
    const int n = (int)blockIdx.x * (THREADS / 32) + (int)threadIdx.x / 32, m = blockIdx.y, lane = threadIdx.x % 32;
    const float *const a = (const float *)g.a + (long long)m * g.lda;
    float sum = 0;
    if (n >= g.n && bug != 7)
        return;
    for (int block = lane; block < blocks_of(g.k); block += 32) {
        const uint4 four = *(const uint4 *)(w + (long long)n * column_bytes(g, bug) + block * BYTES);
        const uint32_t words[] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float x[4];
            unpack(x, (i < 4) != (bug == 1) ? words[i % 4] : words[i % 4] >> 4, bug);
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const int k = block * BLOCK + (bug == 2 ? i % 4 * 8 + e * 2 + i / 4 : i * 4 + e);
                if (k < g.k || (bug == 5 && k < g.lda))
                    sum += a[k] * x[e] * 0.125f;
            }
        }
    }
    for (int far = bug == 8 ? 8 : 16; far > 0; far /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, far);
    if (lane == 0)
        g.c[(long long)m * g.ldc + n] = sum;
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void pack_##number(const Gemm g, uint8_t *w) { pack(g, w, number); } \
    extern "C" __global__ void __launch_bounds__(THREADS) codes_##number(const Gemm g, const uint8_t *w) { product(g, w, number); }
BUGS(INSTANCE)
#define POINTERS(number, expected, what) {(const void *)pack_##number, (const void *)codes_##number},
static const void *const kernels[][2] = {BUGS(POINTERS)};

static cudaError_t launch(int bug, const Gemm *g)
{
    uint8_t *w = NULL;
    void *arguments[] = {(void *)g, (void *)&w};
    cudaError_t error = cudaMalloc((void **)&w, (size_t)g->n * (size_t)((g->k + BLOCK - 1) / BLOCK * BYTES + (bug == 6 ? 8 : 0)));
    if (error == cudaSuccess)
        error = cudaLaunchKernel(kernels[bug][0], dim3(g->n), dim3(32), arguments, 0, 0);
    if (error == cudaSuccess)
        error = cudaLaunchKernel(kernels[bug][1], dim3((g->n + 1) / 2, g->m), dim3(THREADS), arguments, 0, 0);
    const cudaError_t freed = cudaFree(w);
    return error == cudaSuccess ? freed : error;
}

static Outcome run(int bug)
{
    static const GemmCase test = {{3, 37, 1203, 1204, 40, 44, NULL, NULL, NULL}, 0, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(codes, run)
