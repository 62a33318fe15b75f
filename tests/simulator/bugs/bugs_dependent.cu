/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family dependent: launches that may begin before the one in front of them is over. Two of them copy the factors of a product, the second
 * without waiting for the first but at its end; the third multiplies the copies. */
#include <cuda_runtime.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE, "the product does not wait") \
    X(2, OUT_RACE, "it waits when it has loaded its first factor") \
    X(3, OUT_RACE, "one warp of each block waits") \
    X(4, OUT_RACE, "the second copy does not wait for the first, so that the product does not either") \
    X(5, OUT_RACE, "the second copy begins where the first one ends, and one before") \
    X(6, OUT_RACE, "the product clears outputs that the copy in front has written, before it waits")

enum { THREADS = 64, BLOCKS = 3 };

static __device__ __forceinline__ void wait(void) { asm volatile("griddepcontrol.wait;" ::: "memory"); }

static __device__ __forceinline__ void let_next_begin(void) { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

static __device__ __forceinline__ void copy(const float *from, int rows, int columns, int ld, float *to, float *also, const int waits)
{
    let_next_begin();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < rows * columns; i += BLOCKS * THREADS) {
        to[i] = from[i / columns * (long long)ld + i % columns];
        if (also && i % columns == 0 && i / columns < 4)
            also[i / columns] = 0;
    }
    if (waits)
        wait();
}

static __device__ __forceinline__ void multiply(const Gemm &g, const float *a, const float *b, const int bug)
{
    float first = 0;
    if (bug == 2)
        first = a[0];
    if (bug == 6 && blockIdx.x == 0 && threadIdx.x < 4)
        g.c[threadIdx.x] = 1;
    if (bug != 1 && (bug != 3 || threadIdx.x < 32))
        wait();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < g.m * g.n; i += BLOCKS * THREADS) {
        const int m = i / g.n, n = i % g.n;
        float sum = 0;
        for (int k = 0; k < g.k; k++)
            sum = fmaf(bug == 2 && m == 0 && k == 0 ? first : a[m * g.k + k], b[k * g.n + n], sum);
        g.c[m * (long long)g.ldc + n] = sum;
    }
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) \
        copy_##number(const float *from, int rows, int columns, int ld, float *to, float *also, int is_second) \
    { \
        copy(from, rows, columns, ld, to, also, !is_second || number != 4); \
    } \
    extern "C" __global__ void __launch_bounds__(THREADS) product_##number(const Gemm g, const float *a, const float *b) \
    { \
        multiply(g, a, b, number); \
    }
BUGS(INSTANCE)
#define COPY(number, expected, what) (const void *)copy_##number,
static const void *const copies[] = {BUGS(COPY)};
#define PRODUCT(number, expected, what) (const void *)product_##number,
static const void *const products[] = {BUGS(PRODUCT)};

static cudaError_t start(const void *kernel, void **arguments, int early)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(THREADS);
    config.attrs = &attribute;
    config.numAttrs = early != 0;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

static cudaError_t launch(int bug, const Gemm *g)
{
    static float *room;
    int first = 0, second = 1, m = g->m, n = g->n, k = g->k, lda = g->lda, ldb = g->ldb;
    const void *from_a = g->a, *from_b = g->b;
    Gemm shape = *g;
    if (!room && cudaMalloc((void **)&room, (size_t)(m + n) * (size_t)k * 4) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    float *a = room, *b = room + m * k - (bug == 5), *none = NULL, *also = bug == 6 ? g->c : NULL;
    void *copy_a[] = {&from_a, &m, &k, &lda, &a, &none, &first}, *copy_b[] = {&from_b, &k, &n, &ldb, &b, &also, &second};
    void *product[] = {&shape, &a, &b};
    cudaError_t error = start(copies[bug], copy_a, 0);
    if (error == cudaSuccess)
        error = start(copies[bug], copy_b, 1);
    return error == cudaSuccess ? start(products[bug], product, 1) : error;
}

static Outcome run(int bug)
{
    static const GemmCase test = {{19, 21, 23, 29, 21, 24, NULL, NULL, NULL}, 0, 2, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(dependent, run)
