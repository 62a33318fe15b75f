/* Pools two small images and checks the output.

       mikgen --target=c --output-dir=. examples/max_pool/max_pool.spec
       cc -O2 -I. examples/max_pool/main.c max_pool_dyn.c -lm -o max_pool && ./max_pool
*/
#include "max_pool_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 2, H = 11, W = 9, C = 5, R = 3, S = 3, STRIDE = 2, PAD = 1 };
enum { P = (H + 2 * PAD - R) / STRIDE + 1, Q = (W + 2 * PAD - S) / STRIDE + 1 };
static float image[N][H][W][C], output[N][P][Q][C];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int n, int p, int q, int c)
{
    float best = -INFINITY;
    for (int r = 0; r < R; r++)
        for (int s = 0; s < S; s++) {
            int h = p * STRIDE + r - PAD, w = q * STRIDE + s - PAD;
            if (h >= 0 && h < H && w >= 0 && w < W && image[n][h][w][c] > best)
                best = image[n][h][w][c];
        }
    return best;
}

int main(void)
{
    fill(&image[0][0][0][0], N * H * W * C, 1);

    int status = max_pool(N, H, W, C, R, S, STRIDE, PAD, &image[0][0][0][0], &output[0][0][0][0]);
    if (status != 0) {
        printf("max_pool: error %d\n", status);
        return 1;
    }
    for (int n = 0; n < N; n++)
        for (int p = 0; p < P; p++)
            for (int q = 0; q < Q; q++)
                for (int c = 0; c < C; c++) {
                    float want = direct(n, p, q, c), got = output[n][p][q][c];
                    if (got != want) {
                        printf("output[%d][%d][%d][%d] is %g, not %g\n", n, p, q, c, got, want);
                        return 1;
                    }
                }

    char text[2000];
    if (max_pool_explain(N, H, W, C, R, S, STRIDE, PAD, text, sizeof text) > 0)
        printf("%s", text);
    printf("max_pool: ok\n");
    return 0;
}
