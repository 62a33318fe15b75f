/* Convolves two small images, with stride 2 and padding, and checks the output.

       mikgen --target=c --output-dir=. examples/conv2d/conv2d.spec
       cc -O2 -I. examples/conv2d/main.c conv2d_dyn.c -lm -o conv2d && ./conv2d
*/
#include "conv2d_dyn.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { N = 2, H = 11, W = 9, C = 5, K = 18, R = 3, S = 3, STRIDE = 2, PAD = 1 };
enum { P = (H + 2 * PAD - R) / STRIDE + 1, Q = (W + 2 * PAD - S) / STRIDE + 1 };
static float image[N][H][W][C], filter[R][S][C][K], output[N][P][Q][K];

/* Small multiples of 1/4, so that sums of products are exact. */
static void fill(float *x, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + seed * 3) % 9) - 4) / 4;
}

static float direct(int n, int p, int q, int k)
{
    float sum = 0;
    for (int r = 0; r < R; r++)
        for (int s = 0; s < S; s++) {
            int h = p * STRIDE + r - PAD, w = q * STRIDE + s - PAD;
            if (h < 0 || h >= H || w < 0 || w >= W)
                continue;
            for (int c = 0; c < C; c++)
                sum += image[n][h][w][c] * filter[r][s][c][k];
        }
    return sum;
}

int main(void)
{
    fill(&image[0][0][0][0], N * H * W * C, 1);
    fill(&filter[0][0][0][0], R * S * C * K, 2);

    int status = conv2d(N, H, W, C, K, R, S, STRIDE, PAD, &image[0][0][0][0], &filter[0][0][0][0], &output[0][0][0][0]);
    if (status != 0) {
        printf("conv2d: error %d\n", status);
        return 1;
    }
    for (int n = 0; n < N; n++)
        for (int p = 0; p < P; p++)
            for (int q = 0; q < Q; q++)
                for (int k = 0; k < K; k++) {
                    float want = direct(n, p, q, k), got = output[n][p][q][k];
                    if (got != want) {
                        printf("output[%d][%d][%d][%d] is %g, not %g\n", n, p, q, k, got, want);
                        return 1;
                    }
                }

    char text[2000];
    if (conv2d_explain(N, H, W, C, K, R, S, STRIDE, PAD, text, sizeof text) > 0)
        printf("%s", text);
    printf("conv2d: ok\n");
    return 0;
}
