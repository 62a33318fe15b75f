/* lrn as TVM lowers it: batch, channel and row fused; the padded window over the channels inlined into the load. */
#include <math.h>

#ifndef N
#define N 1
#endif
#ifndef C
#define C 96
#endif
#ifndef H
#define H 27
#endif
#ifndef W
#define W 27
#endif
#ifndef SIZE
#define SIZE 5
#endif
#ifndef ALPHA
#define ALPHA 0.0001f
#endif
#ifndef BETA
#define BETA 0.75f
#endif
#ifndef BIAS
#define BIAS 2.0f
#endif

void lrn_lowered(const float *restrict data, float *restrict out)
{
    for (int fused = 0; fused < N * C * H; ++fused) {
        for (int x = 0; x < W; ++x) {
            float sqr_sum = 0.0f;
            for (int rxs = 0; rxs < SIZE; ++rxs) {
                sqr_sum =
                    sqr_sum +
                    ((SIZE / 2 <= fused / H % C + rxs && fused / H % C + rxs < C + SIZE / 2)
                         ? data[fused / (C * H) * (C * H * W) + fused / H % C * (H * W) + rxs * (H * W) +
                                fused % H * W + x - SIZE / 2 * (H * W)]
                         : 0.0f) *
                        ((SIZE / 2 <= fused / H % C + rxs && fused / H % C + rxs < C + SIZE / 2)
                             ? data[fused / (C * H) * (C * H * W) + fused / H % C * (H * W) + rxs * (H * W) +
                                    fused % H * W + x - SIZE / 2 * (H * W)]
                             : 0.0f);
            }
            out[fused * W + x] = data[fused * W + x] / powf(BIAS + ALPHA / (float)SIZE * sqr_sum, BETA);
        }
    }
}
