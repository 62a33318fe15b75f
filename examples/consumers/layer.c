/* A program of somebody else's: one layer, by two generated operators. */
#include <stdio.h>

#include "bias_relu_dyn.h"
#include "gemm_dyn.h"

enum { M = 3, N = 5, K = 4 };

int main(void)
{
    float a[M * K], b[K * N], c[M * N];
    const float bias[N] = {-10, 0, 1, 2, -100};
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i % 3);
    for (int i = 0; i < K * N; i++)
        b[i] = (float)(i % 7);
    if (gemm(M, N, K, a, b, c) != MIKGEN_OK || bias_relu(M, N, bias, c) != MIKGEN_OK)
        return 1;
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++)
            printf("%4.0f", c[m * N + n]);
        printf("\n");
    }
    return 0;
}
