/* deformable_conv2d_nchw as TVM lowers it: batch, channel, row and the columns' tiles fused, 4 columns innermost, the
   bilinear sampling inlined. */
#include <math.h>

#ifndef N
#define N 1
#endif
#ifndef C
#define C 16
#endif
#ifndef H
#define H 14
#endif
#ifndef W
#define W 14
#endif
#ifndef F
#define F 16
#endif
#ifndef KH
#define KH 3
#endif
#ifndef KW
#define KW 3
#endif
#ifndef STRIDE
#define STRIDE 1
#endif
#ifndef PAD
#define PAD 1
#endif
#ifndef DILATION
#define DILATION 1
#endif
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef OH
#define OH 14
#endif
#ifndef OW
#define OW 14
#endif

#define X_TILES ((OW + 3) / 4)

void deformable_conv2d_nchw_lowered(const float *restrict data, const float *restrict offset,
                                    const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * F * OH * X_TILES; ++fused) {
        for (int xi = 0; xi < 4; ++xi) {
            if (fused % X_TILES * 4 + xi < OW) {
                out[fused / X_TILES * OW + fused % X_TILES * 4 + xi] = 0.0f;
                for (int rc = 0; rc < C; ++rc) {
                    for (int ry = 0; ry < KH; ++ry) {
                        for (int rx = 0; rx < KW; ++rx) {
                            const float y =
                                (float)(fused / X_TILES % OH * STRIDE + ry * DILATION - PAD) +
                                offset[fused / (F * OH * X_TILES) * (GROUPS * KH * KW * 2 * OH * OW) +
                                       rc / (C / GROUPS) * (KH * KW * 2 * OH * OW) + ry * (KW * 2 * OH * OW) +
                                       rx * (2 * OH * OW) + fused / X_TILES % OH * OW + fused % X_TILES * 4 + xi];
                            const float x =
                                (float)(fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION - PAD) +
                                offset[fused / (F * OH * X_TILES) * (GROUPS * KH * KW * 2 * OH * OW) +
                                       rc / (C / GROUPS) * (KH * KW * 2 * OH * OW) + ry * (KW * 2 * OH * OW) +
                                       rx * (2 * OH * OW) + OH * OW + fused / X_TILES % OH * OW +
                                       fused % X_TILES * 4 + xi];
                            float sample = 0.0f;
                            if (0.0f <= y && 0.0f <= x && y < (float)H && x < (float)W) {
                                const int bottom = (int)ceilf(y) < H - 1 ? (int)ceilf(y) : H - 1;
                                const int right = (int)ceilf(x) < W - 1 ? (int)ceilf(x) : W - 1;
                                sample = data[fused / (F * OH * X_TILES) * (C * H * W) + rc * (H * W) +
                                              (int)floorf(y) * W + (int)floorf(x)] *
                                             (1.0f - (y - (float)(int)floorf(y))) *
                                             (1.0f - (x - (float)(int)floorf(x))) +
                                         data[fused / (F * OH * X_TILES) * (C * H * W) + rc * (H * W) + bottom * W +
                                              (int)floorf(x)] *
                                             (y - (float)(int)floorf(y)) * (1.0f - (x - (float)(int)floorf(x))) +
                                         data[fused / (F * OH * X_TILES) * (C * H * W) + rc * (H * W) +
                                              (int)floorf(y) * W + right] *
                                             (1.0f - (y - (float)(int)floorf(y))) * (x - (float)(int)floorf(x)) +
                                         data[fused / (F * OH * X_TILES) * (C * H * W) + rc * (H * W) + bottom * W +
                                              right] *
                                             (y - (float)(int)floorf(y)) * (x - (float)(int)floorf(x));
                            }
                            out[fused / X_TILES * OW + fused % X_TILES * 4 + xi] =
                                out[fused / X_TILES * OW + fused % X_TILES * 4 + xi] +
                                sample * weight[fused / (OH * X_TILES) % F * (C * KH * KW) + rc * (KH * KW) +
                                                ry * KW + rx];
                        }
                    }
                }
            }
        }
    }
}
