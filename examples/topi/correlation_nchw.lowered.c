/* correlation_nchw as TVM lowers it: batch, displacement and row fused, 4 columns innermost, the padding of both images
   inlined into the loads (eight conditions). */
#include <math.h>

#ifndef N
#define N 1
#endif
#ifndef C
#define C 32
#endif
#ifndef H
#define H 24
#endif
#ifndef W
#define W 24
#endif
#ifndef K
#define K 1
#endif
#ifndef DISPLACEMENT
#define DISPLACEMENT 4
#endif
#ifndef STRIDE1
#define STRIDE1 1
#endif
#ifndef STRIDE2
#define STRIDE2 1
#endif
#ifndef PAD
#define PAD 4
#endif
#ifndef RADIUS
#define RADIUS 4
#endif
#ifndef SUBTRACT
#define SUBTRACT 0
#endif
#ifndef OH
#define OH 24
#endif
#ifndef OW
#define OW 24
#endif

#define GRID (2 * RADIUS + 1)
#define X_TILES ((OW + 3) / 4)
#if SUBTRACT
#define TERM(a, b) fabsf((a) - (b))
#else
#define TERM(a, b) ((a) * (b))
#endif

void correlation_nchw_lowered(const float *restrict data1, const float *restrict data2, float *restrict out)
{
    for (int fused = 0; fused < N * GRID * GRID * OH; ++fused) {
        for (int xo = 0; xo < X_TILES; ++xo) {
            for (int xi = 0; xi < 4; ++xi) {
                if (xo * 4 + xi < OW) {
                    float sum = 0.0f;
                    for (int rc = 0; rc < C; ++rc) {
                        for (int ry = 0; ry < K; ++ry) {
                            for (int rx = 0; rx < K; ++rx) {
                                sum =
                                    sum +
                                    TERM((((PAD <= fused % OH * STRIDE1 + DISPLACEMENT + ry &&
                                            fused % OH * STRIDE1 + DISPLACEMENT + ry < H + PAD) &&
                                           PAD <= xo * (4 * STRIDE1) + xi * STRIDE1 + DISPLACEMENT + rx) &&
                                          xo * (4 * STRIDE1) + xi * STRIDE1 + DISPLACEMENT + rx < W + PAD)
                                             ? data1[fused / (GRID * GRID * OH) * (C * H * W) + rc * (H * W) +
                                                     fused % OH * (STRIDE1 * W) + ry * W + xo * (4 * STRIDE1) +
                                                     xi * STRIDE1 + rx + (DISPLACEMENT - PAD) * (W + 1)]
                                             : 0.0f,
                                         (((PAD <= fused % OH * STRIDE1 + fused / (GRID * OH) % GRID * STRIDE2 + ry +
                                                       (DISPLACEMENT - RADIUS * STRIDE2) &&
                                            fused % OH * STRIDE1 + fused / (GRID * OH) % GRID * STRIDE2 + ry +
                                                    (DISPLACEMENT - RADIUS * STRIDE2) < H + PAD) &&
                                           PAD <= xo * (4 * STRIDE1) + xi * STRIDE1 + fused / OH % GRID * STRIDE2 +
                                                      rx + (DISPLACEMENT - RADIUS * STRIDE2)) &&
                                          xo * (4 * STRIDE1) + xi * STRIDE1 + fused / OH % GRID * STRIDE2 + rx +
                                                  (DISPLACEMENT - RADIUS * STRIDE2) < W + PAD)
                                             ? data2[fused / (GRID * GRID * OH) * (C * H * W) + rc * (H * W) +
                                                     fused % OH * (STRIDE1 * W) +
                                                     fused / (GRID * OH) % GRID * (STRIDE2 * W) + ry * W +
                                                     xo * (4 * STRIDE1) + xi * STRIDE1 +
                                                     fused / OH % GRID * STRIDE2 + rx +
                                                     (DISPLACEMENT - RADIUS * STRIDE2 - PAD) * (W + 1)]
                                             : 0.0f);
                            }
                        }
                    }
                    out[fused * OW + xo * 4 + xi] = sum / (float)(K * K * C);
                }
            }
        }
    }
}
