/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An emitted file compiled with OpenMP: a call shares its work among the threads that it is given, and inside of somebody
   else's parallel region it stays serial. The linker puts __wrap_GOMP_parallel in the place of the run-time library's entry. */
#include "gemm_f32_dyn.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int regions, most;

void __real_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void __wrap_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);

void __wrap_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    atomic_fetch_add(&regions, 1);
    if ((int)threads > atomic_load(&most))
        atomic_store(&most, (int)threads);
    __real_GOMP_parallel(body, data, threads, flags);
}

/* Small integers, whose sums are exact in any order. Whether the product of one call is right. */
static int product_is_right(int m, int n, int k, int threads, int plan)
{
    float *a = malloc((size_t)m * (size_t)k * sizeof *a), *b = malloc((size_t)k * (size_t)n * sizeof *b);
    float *c = malloc((size_t)m * (size_t)n * sizeof *c);
    if (!a || !b || !c)
        abort();
    for (int i = 0; i < m * k; i++)
        a[i] = (float)(i * 7 % 11 - 5);
    for (int i = 0; i < k * n; i++)
        b[i] = (float)(i * 5 % 13 - 6);
    memset(c, 0xff, (size_t)m * (size_t)n * sizeof *c);
    mikgen_options options = {.threads = threads, .plan = plan};
    int right = gemm_f32_with(&options, m, n, k, a, b, c) == MIKGEN_OK;
    for (int i = 0; right && i < m; i++)
        for (int j = 0; right && j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * b[p * n + j];
            right = c[i * n + j] == sum;
        }
    free(a), free(b), free(c);
    return right;
}

static int failures;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "FAILED: %s\n", what);
    failures++;
}

int main(void)
{
    enum { ALL_THREADS = 0x200, SPLIT = 0x400 };
    omp_set_dynamic(0);
    expect(product_is_right(127, 65, 33, 0, 0) && regions == 0, "without threads a call is serial");
    expect(product_is_right(5, 6, 7, 4, 0) && regions == 0, "a product too small to share is serial");
    expect(product_is_right(127, 165, 133, 4, ALL_THREADS) && regions == 1 && most == 4, "four threads share a product");
    expect(product_is_right(3, 16, 1333, 3, ALL_THREADS | SPLIT) && regions == 2, "three threads share a long sum");
    expect(product_is_right(300, 300, 300, 2, 0) && regions == 3, "two threads share a large product without being told to");
    regions = 0;
    int right = 1;
#pragma omp parallel num_threads(2) reduction(&& : right)
    right = product_is_right(127, 165, 133, 4, ALL_THREADS) && product_is_right(3, 16, 1333, 3, ALL_THREADS | SPLIT);
    expect(right && regions == 1, "inside of a parallel region a call is serial");
    return failures != 0;
}
