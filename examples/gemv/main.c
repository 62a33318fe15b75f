/* Multiplies a matrix by a vector and checks the result.

       mikgen --target=c --output-dir=. examples/gemv/gemv.spec
       cc -O2 -I. examples/gemv/main.c gemv_dyn.c -lm -o gemv && ./gemv
*/
#include "gemv_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { M = 45, N = 67 };
static float A[M][N], x[N], y[M], before[M];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int m)
{
    float sum = 0;
    for (int n = 0; n < N; n++)
        sum += A[m][n] * x[n];
    return 2.0f * sum + 0.5f * before[m];
}

int main(void)
{
    fill(&A[0][0], M * N, 1);
    fill(x, N, 2);
    fill(y, M, 3);
    fill(before, M, 3);

    int status = gemv(M, N, 2.0f, 0.5f, &A[0][0], x, y);
    if (status != 0) {
        printf("gemv: error %d\n", status);
        return 1;
    }
    for (int m = 0; m < M; m++) {
        float want = direct(m), got = y[m];
        if (got != want) {
            printf("y[%d] is %g, not %g\n", m, got, want);
            return 1;
        }
    }

    char text[2000];
    if (gemv_explain(M, N, text, sizeof text) > 0)
        printf("%s", text);
    printf("gemv: ok\n");
    return 0;
}
