/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "library.h"
#include "random.h"

struct Reference {
    int type, M, N;
    double *weights; /* N of them: x; NULL: expected holds all of C */
    double *expected; /* M x N, or C x: M */
};

static double *doubles(size_t n)
{
    double *p = calloc(n + 1, sizeof *p);
    if (!p)
        abort();
    return p;
}

void fill_operand(int type, void *operand, size_t elements, unsigned seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < elements; i++) {
        double x = (random_below(&state, 17) - 8) / 8.0;
        if (type == F32)
            ((float *)operand)[i] = (float)x;
        else
            ((double *)operand)[i] = x;
    }
}

/* y += a * x[0 .. n-1], or the sum of x[i] * w[i]: x of either type. */
static void axpy(int type, int n, double a, const void *x, size_t at, double *y)
{
    if (type == F32)
        for (int i = 0; i < n; i++)
            y[i] += a * (double)((const float *)x)[at + (size_t)i];
    else
        for (int i = 0; i < n; i++)
            y[i] += a * ((const double *)x)[at + (size_t)i];
}

static double dot(int type, int n, const void *x, size_t at, const double *w)
{
    double sum = 0;
    if (type == F32)
        for (int i = 0; i < n; i++)
            sum += (double)((const float *)x)[at + (size_t)i] * w[i];
    else
        for (int i = 0; i < n; i++)
            sum += ((const double *)x)[at + (size_t)i] * w[i];
    return sum;
}

static double element(int type, const void *x, size_t at) { return type == F32 ? (double)((const float *)x)[at] : ((const double *)x)[at]; }

Reference *reference_new(int type, int M, int N, int K, const void *A, const void *B)
{
    enum { SMALL = 1 << 21 };
    Reference *r = malloc(sizeof *r);
    if (!r)
        abort();
    *r = (Reference){.type = type, .M = M, .N = N};
    if ((double)M * N * K <= SMALL) {
        r->expected = doubles((size_t)M * (size_t)N);
        for (int m = 0; m < M; m++)
            for (int k = 0; k < K; k++)
                axpy(type, N, element(type, A, (size_t)m * (size_t)K + (size_t)k), B, (size_t)k * (size_t)N,
                     r->expected + (size_t)m * (size_t)N);
        return r;
    }
    uint64_t state = 1977;
    double *product = doubles((size_t)K);
    r->weights = doubles((size_t)N);
    r->expected = doubles((size_t)M);
    for (int n = 0; n < N; n++)
        r->weights[n] = 1 + random_below(&state, 1000);
    for (int k = 0; k < K; k++)
        product[k] = dot(type, N, B, (size_t)k * (size_t)N, r->weights);
    for (int m = 0; m < M; m++)
        r->expected[m] = dot(type, K, A, (size_t)m * (size_t)K, product);
    free(product);
    return r;
}

void reference_spoil(const Reference *r, void *C)
{
    for (size_t i = 0; i < (size_t)r->M * (size_t)r->N; i++)
        if (r->type == F32)
            ((float *)C)[i] = NAN;
        else
            ((double *)C)[i] = NAN;
}

bool reference_equals(const Reference *r, const void *C)
{
    for (int m = 0; m < r->M; m++) {
        size_t at = (size_t)m * (size_t)r->N;
        if (r->weights && !(dot(r->type, r->N, C, at, r->weights) == r->expected[m]))
            return false;
        for (int n = 0; !r->weights && n < r->N; n++)
            if (!(element(r->type, C, at + (size_t)n) == r->expected[at + (size_t)n]))
                return false;
    }
    return true;
}

void reference_free(Reference *r)
{
    free(r->weights);
    free(r->expected);
    free(r);
}
