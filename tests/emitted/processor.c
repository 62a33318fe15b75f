/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a product of floats and a softmax by each instruction set: which are there, and are they right? */
#include "gemm_f32_dyn.h"
#include "softmax_dyn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { M = 13, N = 37, K = 11 };
static float a[M * K], b[K * N], c[M * N], x[M * N], y[M * N];

static int product(int isa)
{
    gemm_f32_options opt;
    memset(&opt, 0, sizeof opt);
    opt.isa = isa;
    if (gemm_f32_with(&opt, M, N, K, a, b, c))
        return 0;
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[m * K + k] * b[k * N + n];
            if (!(fabsf(c[m * N + n] - sum) < 1e-4f))
                return -1;
        }
    return 1;
}

static int rows(int isa)
{
    softmax_options opt;
    memset(&opt, 0, sizeof opt);
    opt.isa = isa;
    if (softmax_with(&opt, M, N, x, y))
        return 0;
    for (int m = 0; m < M; m++) {
        float sum = 0;
        for (int n = 0; n < N; n++)
            sum += y[m * N + n];
        if (!(fabsf(sum - 1) < 1e-4f))
            return -1;
    }
    return 1;
}

/* Prints the names of the sets that do a call; 1 if one is wrong, or the best has none. */
static int say(const char *what, int (*call)(int isa))
{
    static const char *const names[] = {NULL, "portable", "avx2", "avx512", "neon"};
    int wrong = call(0) != 1;
    printf("%s:", what);
    for (int isa = 1; isa < 5; isa++) {
        const int result = call(isa);
        if (result)
            printf(" %s%s", names[isa], result < 0 ? " (wrong)" : "");
        wrong |= result < 0;
    }
    printf("\n");
    return wrong;
}

int main(void)
{
    char text[4000];
    for (int i = 0; i < M * N; i++)
        x[i] = (float)(i % 17) / 4;
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i % 7) - 3;
    for (int i = 0; i < K * N; i++)
        b[i] = (float)(i % 5) - 2;
    gemm_f32_explain(M, N, K, text, sizeof text);
    const char *line = strstr(text, "instruction sets found:");
    fputs(line ? line : text, stdout);
    const int wrong = say("kernels", product);
    return say("loops", rows) | wrong;
}
