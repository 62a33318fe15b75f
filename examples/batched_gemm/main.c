/* Computes the attention scores of a few heads and checks them.

       mikgen --target=c --output-dir=. examples/batched_gemm/batched_gemm.spec
       cc -O2 -I. examples/batched_gemm/main.c batched_gemm_dyn.c -lm -o batched_gemm && ./batched_gemm
*/
#include "batched_gemm_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { BATCH = 3, M = 17, N = 21, K = 64 };
static float A[BATCH][M][K], B[BATCH][N][K], C[BATCH][M][N];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int b, int m, int n)
{
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += A[b][m][k] * B[b][n][k];
    return 0.125f * sum;
}

int main(void)
{
    fill(&A[0][0][0], BATCH * M * K, 1);
    fill(&B[0][0][0], BATCH * N * K, 2);

    int status = batched_gemm(BATCH, M, N, K, 0.125f, &A[0][0][0], &B[0][0][0], &C[0][0][0]);
    if (status != 0) {
        printf("batched_gemm: error %d\n", status);
        return 1;
    }
    for (int b = 0; b < BATCH; b++)
        for (int m = 0; m < M; m++)
            for (int n = 0; n < N; n++) {
                float want = direct(b, m, n), got = C[b][m][n];
                if (got != want) {
                    printf("C[%d][%d][%d] is %g, not %g\n", b, m, n, got, want);
                    return 1;
                }
            }

    char text[2000];
    if (batched_gemm_explain(BATCH, M, N, K, text, sizeof text) > 0)
        printf("%s", text);
    printf("batched_gemm: ok\n");
    return 0;
}
