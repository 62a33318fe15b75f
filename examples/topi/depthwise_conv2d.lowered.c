/* depthwise_conv2d (NCHW) as TVM lowers it: the outer axes fused, tiles of 4 x 4 points in a local array, the padding
   inlined into the load. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 128
#endif
#ifndef H
#define H 56
#endif
#ifndef W
#define W 56
#endif
#ifndef M
#define M 1
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
#ifndef PAD_H
#define PAD_H 1
#endif
#ifndef PAD_W
#define PAD_W 1
#endif
#ifndef DILATION
#define DILATION 1
#endif
#ifndef OH
#define OH 56
#endif
#ifndef OW
#define OW 56
#endif

#define Y_TILES ((OH + 3) / 4)
#define X_TILES ((OW + 3) / 4)

void depthwise_conv2d_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * C * M * Y_TILES * X_TILES; ++fused) {
        float out_local[16];
        for (int yi = 0; yi < 4; ++yi) {
            for (int xi = 0; xi < 4; ++xi) {
                out_local[yi * 4 + xi] = 0.0f;
                for (int ry = 0; ry < KH; ++ry) {
                    for (int rx = 0; rx < KW; ++rx) {
                        if (fused / X_TILES % Y_TILES * 4 + yi < OH && fused % X_TILES * 4 + xi < OW) {
                            out_local[yi * 4 + xi] =
                                out_local[yi * 4 + xi] +
                                ((((PAD_H <= fused / X_TILES % Y_TILES * (4 * STRIDE) + yi * STRIDE + ry * DILATION &&
                                    fused / X_TILES % Y_TILES * (4 * STRIDE) + yi * STRIDE + ry * DILATION <
                                        H + PAD_H) &&
                                   PAD_W <= fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION) &&
                                  fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION < W + PAD_W)
                                     ? data[fused / (C * M * Y_TILES * X_TILES) * (C * H * W) +
                                            fused / (Y_TILES * X_TILES) % (C * M) / M * (H * W) +
                                            fused / X_TILES % Y_TILES * (4 * STRIDE * W) + yi * (STRIDE * W) +
                                            ry * (DILATION * W) + fused % X_TILES * (4 * STRIDE) + xi * STRIDE +
                                            rx * DILATION - (PAD_H * W + PAD_W)]
                                     : 0.0f) *
                                    weight[fused / (Y_TILES * X_TILES) % (C * M) / M * (M * KH * KW) +
                                           fused / (Y_TILES * X_TILES) % M * (KH * KW) + ry * KW + rx];
                        }
                    }
                }
            }
        }
        for (int yi = 0; yi < 4; ++yi) {
            for (int xi = 0; xi < 4; ++xi) {
                if (fused / X_TILES % Y_TILES * 4 + yi < OH && fused % X_TILES * 4 + xi < OW) {
                    out[fused / (Y_TILES * X_TILES) * (OH * OW) + fused / X_TILES % Y_TILES * (4 * OW) + yi * OW +
                        fused % X_TILES * 4 + xi] = out_local[yi * 4 + xi];
                }
            }
        }
    }
}
