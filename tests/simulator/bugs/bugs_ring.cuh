/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What families by the engine's own ring (templates/engine/cuda/ring.cuh) have in common: products of half matrices on sm_90a, tiles of
 * 64 x 64 by 64 steps, A with k and B with n in the direction of its rows, both swizzled by 128 bytes. A buffer is one step of A, then of
 * B. */
#pragma once

#include "../../../templates/engine/cuda/ring.cuh"
#include "bugs.h"

enum { TILE = 64, STEP = 64, HALF = TILE * STEP * 2, STAGE = 2 * HALF };

#define R8(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), "+f"(c[i + 6]), "+f"(c[i + 7])

static __device__ __forceinline__ void multiply(float c[32], uint64_t a, uint64_t b, int add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %34, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, p, 1, 1, 0, 1;\n\t}"
                 : R8(0), R8(8), R8(16), R8(24)
                 : "l"(a), "l"(b), "r"(add));
}

/* Starts the multiplication of the ring's next buffer, the tile's step `at`. */
static __device__ __forceinline__ void multiply_buffer(float sums[32], int at, const mik_ring *ring)
{
    const uint32_t a = ring->data + ring->buffer * STAGE;
    mik_wgmma_fence();
#pragma unroll
    for (int k = 0; k < STEP / 16; k++)
        multiply(sums, mik_whole_descriptor(mik_descriptor(a, 8192) + k * 2),
                 mik_whole_descriptor(mik_descriptor(a + HALF, 8192) + k * 128), at + k > 0);
    mik_wgmma_commit();
}

static __device__ __forceinline__ void await_filled(const mik_ring *ring)
{
    mik_barrier_wait(ring->filled + ring->buffer * 8, ring->phase);
}

/* The buffer before the next one is free, as far as this warp goes. */
template <int STAGES> static __device__ __forceinline__ void free_last(const mik_ring *ring)
{
    if (threadIdx.x % 32 == 0)
        mik_free<1>(ring, (ring->buffer + STAGES - 1) % STAGES);
}

/* A warpgroup's sums, of the tile from (m, n) on. */
static __device__ __forceinline__ void store_sums(const Gemm &g, const float sums[32], int m, int n)
{
    const int row = m + threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4, column = n + threadIdx.x % 4 * 2;
#pragma unroll
    for (int i = 0; i < 32; i++) {
        const int at_m = row + i / 2 % 2 * 8, at_n = column + i / 4 * 8 + i % 2;
        if (at_m < g.m && at_n < g.n)
            g.c[(long long)at_m * g.ldc + at_n] = sums[i];
    }
}

/* ---- host ---- */

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill);

/* Rows of `length` elements, `ld` apart; boxes of 128 bytes by box_rows rows. */
static CUresult make_map(CUtensorMap *map, CUtensorMapDataType type, const void *at, int rows, int length, int ld, int box_rows)
{
    const cuuint64_t bytes = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 ? 4 : 2, line = (cuuint64_t)ld * bytes;
    const cuuint64_t extents[3] = {(cuuint64_t)length, (cuuint64_t)rows, 1}, strides[2] = {line, line * (cuuint64_t)rows};
    const cuuint32_t box[3] = {128 / (cuuint32_t)bytes, (cuuint32_t)box_rows, 1}, steps[3] = {1, 1, 1};
    void *encode = NULL;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found) != cudaSuccess)
        return CUDA_ERROR_NOT_FOUND;
    return ((Encode)encode)(map, type, 3, (void *)at, extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

/* A's rows of `k` halves and B's of `n`, box_rows of the first in a box. */
static bool make_maps(CUtensorMap *a, CUtensorMap *b, const Gemm *g, int box_rows)
{
    return make_map(a, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, g->a, g->m, g->k, g->lda, box_rows) == CUDA_SUCCESS &&
           make_map(b, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, g->b, g->k, g->n, g->ldb, STEP) == CUDA_SUCCESS;
}

/* A kernel that takes dynamic shared memory. */
static cudaError_t launch_shared(const void *kernel, int blocks, int threads, void *product, int shared)
{
    void *arguments[] = {product};
    const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    return error == cudaSuccess ? cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, shared, 0) : error;
}
