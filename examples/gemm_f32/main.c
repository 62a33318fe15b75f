/* Multiplies two small matrices and checks the product.

       mikgen --target=c --output-dir=. examples/gemm_f32/gemm_f32.spec
       cc -O2 -I. examples/gemm_f32/main.c gemm_f32_dyn.c -lm -o gemm_f32 && ./gemm_f32
*/
#include "gemm_f32_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { M = 19, N = 37, K = 53 };
static float A[M][K], B[K][N], C[M][N];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int m, int n)
{
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += A[m][k] * B[k][n];
    return sum;
}

int main(void)
{
    fill(&A[0][0], M * K, 1);
    fill(&B[0][0], K * N, 2);

    int status = gemm_f32(M, N, K, &A[0][0], &B[0][0], &C[0][0]);
    if (status != 0) {
        printf("gemm_f32: error %d\n", status);
        return 1;
    }
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float want = direct(m, n), got = C[m][n];
            if (got != want) {
                printf("C[%d][%d] is %g, not %g\n", m, n, got, want);
                return 1;
            }
        }

    char text[2000];
    if (gemm_f32_explain(M, N, K, text, sizeof text) > 0)
        printf("%s", text);
    printf("gemm_f32: ok\n");
    return 0;
}
