/* Runs a small dense layer and checks its output.

       mikgen --target=c --output-dir=. examples/gemm_bias_gelu/gemm_bias_gelu.spec
       cc -O2 -I. examples/gemm_bias_gelu/main.c gemm_bias_gelu_dyn.c -lm -o gemm_bias_gelu && ./gemm_bias_gelu
*/
#include "gemm_bias_gelu_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { M = 7, N = 40, K = 29 };
static float X[M][K], W[K][N], bias[N], Y[M][N];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int m, int n)
{
    double sum = bias[n];
    for (int k = 0; k < K; k++)
        sum += (double)X[m][k] * W[k][n];
    return (float)(0.5 * sum * (1.0 + erf(sum * 0.70710678118654752)));
}

int main(void)
{
    fill(&X[0][0], M * K, 1);
    fill(&W[0][0], K * N, 2);
    fill(bias, N, 3);

    int status = gemm_bias_gelu(M, N, K, &X[0][0], &W[0][0], bias, &Y[0][0]);
    if (status != 0) {
        printf("gemm_bias_gelu: error %d\n", status);
        return 1;
    }
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float want = direct(m, n), got = Y[m][n];
            if (!(fabsf(got - want) <= 1e-5f * (1.0f + fabsf(want)))) {
                printf("Y[%d][%d] is %g, not %g\n", m, n, got, want);
                return 1;
            }
        }

    char text[2000];
    if (gemm_bias_gelu_explain(M, N, K, text, sizeof text) > 0)
        printf("%s", text);
    printf("gemm_bias_gelu: ok\n");
    return 0;
}
