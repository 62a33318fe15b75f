/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data, reference and comparison for the families that multiply matrices. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bugs.h"

/* Element number i of an array: a multiple of 1/8 in [-1, 1), so that sums of products are exact; or any
 * number. */
static float element(unsigned array, unsigned i, int is_exact)
{
    unsigned x = (i + 1) * 2654435761u ^ array * 0x9e3779b9u;
    x = (x ^ x >> 15) * 2246822519u;
    x ^= x >> 13;
    return is_exact ? ((float)(x >> 8 & 15) - 8) / 8 : ((float)(x >> 8 & 0xffff) - 32768) / 32771;
}

/* Exact for the elements above, and NaN. */
static uint16_t half_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x)
        return 0x7fff;
    if (x == 0)
        return 0;
    return (uint16_t)((bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff));
}

/* rows x length elements, NaN between the rows, on the device. */
static void *make_matrix(const float *values, int rows, int length, int ld, int is_half)
{
    const size_t count = (size_t)rows * (size_t)ld, bytes = count * (is_half ? 2 : 4);
    char *host = malloc(bytes);
    void *device = NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t row = i / (size_t)ld, column = i % (size_t)ld;
        const float x = column < (size_t)length ? values[row * (size_t)length + column] : NAN;
        const uint16_t half = half_of(x);
        if (is_half)
            memcpy(host + 2 * i, &half, 2);
        else
            memcpy(host + 4 * i, &x, 4);
    }
    if (cudaMalloc(&device, bytes) == cudaSuccess)
        cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
    free(host);
    return device;
}

static void multiply(const GemmCase *t, const float *a, const float *b, float *c)
{
    const int n = t->shape.n, k = t->shape.k, part = t->split ? t->split : k;
    for (int i = 0; i < t->shape.m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int first = 0; first < k; first += part) {
                float x = 0;
                for (int l = first; l < k && l < first + part; l++)
                    x = fmaf(a[i * k + l], b[l * n + j], x);
                sum += x;
            }
            c[i * n + j] = sum;
        }
}

static int is_right(const float *c, const float *expected, const Gemm *g, float beside)
{
    for (int i = 0; i < g->m; i++)
        for (int j = 0; j < g->ldc; j++) {
            const float want = j < g->n ? expected[i * g->n + j] : beside;
            if (memcmp(&c[i * g->ldc + j], &want, sizeof want) != 0)
                return 0;
        }
    return 1;
}

static Outcome launch_and_compare(const GemmCase *t, const Gemm *g, int bug, const float *expected)
{
    const size_t count = (size_t)g->m * (size_t)g->ldc;
    const float beside = -7.0f;
    float *c = malloc(count * sizeof *c);
    Outcome outcome = OUT_RIGHT;
    for (int run = 0; run < t->runs && outcome == OUT_RIGHT; run++) {
        for (size_t i = 0; i < count; i++)
            c[i] = beside;
        if (cudaMemcpy(g->c, c, count * sizeof *c, cudaMemcpyHostToDevice) != cudaSuccess || t->launch(bug, g) != cudaSuccess ||
            cudaDeviceSynchronize() != cudaSuccess || cudaMemcpy(c, g->c, count * sizeof *c, cudaMemcpyDeviceToHost) != cudaSuccess)
            outcome = OUT_REFUSED;
        else if (!is_right(c, expected, g, beside))
            outcome = OUT_WRONG;
    }
    free(c);
    return outcome;
}

Outcome run_gemm(const GemmCase *t, int bug)
{
    Gemm g = t->shape;
    const int a_size = g.m * g.k, b_size = g.k * g.n;
    float *a = malloc((size_t)a_size * sizeof *a), *b = malloc((size_t)b_size * sizeof *b);
    float *expected = malloc((size_t)(g.m * g.n) * sizeof *expected);
    for (int i = 0; i < a_size; i++)
        a[i] = element(1, (unsigned)i, t->split == 0);
    for (int i = 0; i < b_size; i++)
        b[i] = element(2, (unsigned)i, t->split == 0);
    multiply(t, a, b, expected);
    g.a = make_matrix(a, g.m, g.k, g.lda, t->is_half);
    g.b = make_matrix(b, g.k, g.n, g.ldb, t->is_half);
    g.c = make_matrix(expected, g.m, g.n, g.ldc, 0);
    const Outcome outcome = launch_and_compare(t, &g, bug, expected);
    cudaFree((void *)(uintptr_t)g.a);
    cudaFree((void *)(uintptr_t)g.b);
    cudaFree(g.c);
    free(a);
    free(b);
    free(expected);
    return outcome;
}
