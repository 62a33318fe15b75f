/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "product.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gemm_f32_dyn.h"

struct Product {
    int n, k;
    float *a, *b, *c, *right;
};

static float *array(size_t elements) { return aligned_alloc(64, (elements * sizeof(float) + 127) / 64 * 64); }

static void fill(float *x, size_t elements, uint64_t seed)
{
    for (size_t i = 0; i < elements; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (float)((int)(seed >> 60) - 8) / 8;
    }
}

/* right = a * b, a row of b after the other. */
static void multiply(const Product *p, int rows)
{
    const int n = p->n, k = p->k;
    memset(p->right, 0, (size_t)rows * (size_t)n * sizeof(float));
    for (int i = 0; i < rows; i++)
        for (int s = 0; s < k; s++) {
            const float a = p->a[(size_t)i * k + s], *b = p->b + (size_t)s * n;
            float *c = p->right + (size_t)i * n;
            for (int j = 0; j < n; j++)
                c[j] += a * b[j];
        }
}

Product *product_new(int rows, int n, int k)
{
    Product *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->n = n;
    p->k = k;
    p->a = array((size_t)rows * k);
    p->b = array((size_t)k * n);
    p->c = array((size_t)(rows + 1) * n);
    p->right = array((size_t)rows * n);
    if (!p->a || !p->b || !p->c || !p->right) {
        product_free(p);
        return NULL;
    }
    fill(p->a, (size_t)rows * k, 1);
    fill(p->b, (size_t)k * n, 2);
    multiply(p, rows);
    return p;
}

void product_free(Product *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
    free(p->right);
    free(p);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One call: its nanoseconds, negative if it was refused. */
static double call(Product *p, int m)
{
    const double start = now();
    return gemm_f32(m, p->n, p->k, p->a, p->b, p->c) == 0 ? now() - start : -1;
}

bool product_right(Product *p, int m, double *time)
{
    const size_t size = (size_t)m * p->n * sizeof(float);
    memset(p->c, 0xff, size + (size_t)p->n * sizeof(float));
    *time = call(p, m);
    if (*time < 0 || memcmp(p->c, p->right, size) != 0)
        return false;
    const unsigned char *after = (const unsigned char *)p->c + size;
    for (size_t i = 0; i < (size_t)p->n * sizeof(float); i++)
        if (after[i] != 0xff)
            return false;
    return true;
}

double product_time(Product *p, int m, int turns)
{
    double best = 1e30;
    for (int i = 0; i < turns; i++) {
        const double t = call(p, m);
        best = t < best ? t : best;
    }
    return best;
}
