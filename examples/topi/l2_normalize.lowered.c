/* l2_normalize as TVM lowers it: the sums of the squares, kept per image, then the scaling over the fused axes. */
#include <math.h>

#ifndef N
#define N 1
#endif
#ifndef C
#define C 64
#endif
#ifndef H
#define H 28
#endif
#ifndef W
#define W 28
#endif
#ifndef EPS
#define EPS 0.001f
#endif

void l2_normalize_lowered(const float *restrict data, float *restrict out)
{
    for (int n = 0; n < N; ++n) {
        float sqr_sum[H * W];
        for (int fused = 0; fused < H * W; ++fused) {
            sqr_sum[fused] = 0.0f;
            for (int k = 0; k < C; ++k) {
                sqr_sum[fused] = sqr_sum[fused] + data[n * (C * H * W) + k * (H * W) + fused] *
                                                      data[n * (C * H * W) + k * (H * W) + fused];
            }
        }
        for (int fused = 0; fused < C * H * W; ++fused) {
            out[n * (C * H * W) + fused] =
                data[n * (C * H * W) + fused] /
                sqrtf(sqr_sum[fused % (H * W)] < EPS ? EPS : sqr_sum[fused % (H * W)]);
        }
    }
}
