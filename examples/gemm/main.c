/* Multiplies two small half-precision matrices and checks the product.

       mikgen --target=c --output-dir=. examples/gemm/gemm.spec
       cc -O2 -I. examples/gemm/main.c gemm_dyn.c -lm -o gemm && ./gemm
*/
#include "gemm_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { M = 19, N = 37, K = 53 };
static uint16_t A[M][K], B[K][N], C[M][N];

/* The bits of a half: exact for zero and for normal numbers of at most 11 significant bits. */
static uint16_t half_bits(float x)
{
    int e;
    float f = frexpf(fabsf(x), &e);
    uint16_t sign = x < 0 ? 0x8000 : 0;
    return x == 0 ? 0 : (uint16_t)(sign | (e + 14) << 10 | ((int)(f * 2048) & 0x3ff));
}

static float half_value(uint16_t h)
{
    int e = h >> 10 & 31, f = h & 0x3ff;
    float x = e == 0 ? ldexpf((float)f, -24) : ldexpf((float)(f | 0x400), e - 25);
    return h & 0x8000 ? -x : x;
}

/* Small multiples of 1/4, so that the products' sums are exact even as halves. */
static void fill(uint16_t *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = half_bits((float)((int)((i * 7 + seed * 3) % 9) - 4) / 4);
}

static float direct(int m, int n)
{
    float sum = 0;
    for (int k = 0; k < K; k++)
        sum += half_value(A[m][k]) * half_value(B[k][n]);
    return sum;
}

int main(void)
{
    fill(&A[0][0], M * K, 1);
    fill(&B[0][0], K * N, 2);

    int status = gemm(M, N, K, &A[0][0], &B[0][0], &C[0][0]);
    if (status != 0) {
        printf("gemm: error %d\n", status);
        return 1;
    }
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float want = direct(m, n), got = half_value(C[m][n]);
            if (got != want) {
                printf("C[%d][%d] is %g, not %g\n", m, n, got, want);
                return 1;
            }
        }

    char text[2000];
    if (gemm_explain(M, N, K, text, sizeof text) > 0)
        printf("%s", text);
    printf("gemm: ok\n");
    return 0;
}
