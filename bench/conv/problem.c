/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problem.h"

#include <math.h>
#include <stdlib.h>

#include "library.h"
#include "reference.h"

static size_t product(int a, int b, int c, int d) { return (size_t)a * (size_t)b * (size_t)c * (size_t)d; }

static void *memory(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) / 64 * 64);
    if (!p)
        abort();
    return p;
}

/* to[a][c][b] = from[a][b][c] */
static void transpose(int A, int B, int C, const float *from, float *to)
{
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                to[((size_t)a * (size_t)C + (size_t)c) * (size_t)B + (size_t)b] =
                    from[((size_t)a * (size_t)B + (size_t)b) * (size_t)C + (size_t)c];
}

/* KCRS from RSCK. */
static void reverse_filter(const Layer *l, const float *from, float *to)
{
    size_t RS = (size_t)(l->R * l->S), C = (size_t)l->C, K = (size_t)l->K;
    for (size_t rs = 0; rs < RS; rs++)
        for (size_t c = 0; c < C; c++)
            for (size_t k = 0; k < K; k++)
                to[(k * C + c) * RS + rs] = from[(rs * C + c) * K + k];
}

/* sum[0 .. K-1] += what image row `image` of C elements adds through filter[C][K]. */
static void add_pixel(int C, int K, const float *restrict image, const float *restrict filter, double *restrict sum)
{
    for (int c = 0; c < C; c++)
        for (int k = 0; k < K; k++)
            sum[k] += (double)image[c] * (double)filter[(size_t)c * (size_t)K + (size_t)k];
}

static void compute(const Layer *l, int batch, const float *image, const float *filter, double *output)
{
    for (int n = 0; n < batch; n++)
        for (int p = 0; p < l->P; p++)
            for (int q = 0; q < l->Q; q++, output += l->K) {
                for (int k = 0; k < l->K; k++)
                    output[k] = 0;
                for (int r = 0; r < l->R; r++)
                    for (int s = 0; s < l->S; s++) {
                        int h = p * l->stride + r - l->pad, w = q * l->stride + s - l->pad;
                        if (h >= 0 && h < l->H && w >= 0 && w < l->W)
                            add_pixel(l->C, l->K, image + product(n * l->H + h, l->C, l->W, 1) + product(w, l->C, 1, 1),
                                      filter + product(r * l->S + s, l->C, l->K, 1), output);
                    }
            }
}

static size_t output_size(const Problem *problem)
{
    const Layer *l = problem->layer;
    return product(problem->batch, l->P, l->Q, l->K);
}

Problem problem_new(const Layer *l, int batch)
{
    size_t image = product(batch, l->H, l->W, l->C), filter = product(l->R, l->S, l->C, l->K);
    Problem problem = {.layer = l, .batch = batch};
    for (int layout = NHWC; layout <= NCHW; layout++) {
        problem.image[layout] = memory(image * sizeof(float));
        problem.filter[layout] = memory(filter * sizeof(float));
    }
    problem.output = memory(output_size(&problem) * sizeof(float));
    problem.expected = memory(output_size(&problem) * sizeof(double));
    fill_operand(F32, problem.image[NHWC], image, 1);
    fill_operand(F32, problem.filter[NHWC], filter, 2);
    transpose(batch, l->H * l->W, l->C, problem.image[NHWC], problem.image[NCHW]);
    reverse_filter(l, problem.filter[NHWC], problem.filter[NCHW]);
    compute(l, batch, problem.image[NHWC], problem.filter[NHWC], problem.expected);
    return problem;
}

void problem_spoil(Problem *problem)
{
    for (size_t i = 0; i < output_size(problem); i++)
        problem->output[i] = NAN;
}

double problem_error(const Problem *problem, Layout layout)
{
    const Layer *l = problem->layer;
    int PQ = l->P * l->Q;
    double most = 0;
    for (int n = 0; n < problem->batch; n++)
        for (int pq = 0; pq < PQ; pq++)
            for (int k = 0; k < l->K; k++) {
                size_t nhwc = product(n * PQ + pq, l->K, 1, 1) + (size_t)k;
                size_t nchw = product(n * l->K + k, PQ, 1, 1) + (size_t)pq;
                double error = fabs(problem->expected[nhwc] - (double)problem->output[layout == NCHW ? nchw : nhwc]);
                if (!(error <= most))
                    most = error;
            }
    return most;
}

void problem_free(Problem *problem)
{
    for (int layout = NHWC; layout <= NCHW; layout++) {
        free(problem->image[layout]);
        free(problem->filter[layout]);
    }
    free(problem->output);
    free(problem->expected);
}
