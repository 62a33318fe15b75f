/* conv2d_transpose_nchw as TVM lowers it: the dilation and the padding of data inlined as two nested conditions, 4 x 4
   tiles of the image, all outer axes fused. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 32
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
#define KH 4
#endif
#ifndef KW
#define KW 4
#endif
#ifndef STRIDE_H
#define STRIDE_H 2
#endif
#ifndef STRIDE_W
#define STRIDE_W 2
#endif
#ifndef PAD_H
#define PAD_H 1
#endif
#ifndef PAD_W
#define PAD_W 1
#endif
#ifndef OH
#define OH 28
#endif
#ifndef OW
#define OW 28
#endif

#define BACK_H (KH - 1 - PAD_H)
#define BACK_W (KW - 1 - PAD_W)
#define Y_TILES ((OH + 3) / 4)
#define X_TILES ((OW + 3) / 4)

void conv2d_transpose_nchw_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * F * Y_TILES * X_TILES; ++fused) {
        for (int yi = 0; yi < 4; ++yi) {
            for (int xi = 0; xi < 4; ++xi) {
                if (fused / X_TILES % Y_TILES * 4 + yi < OH) {
                    if (fused % X_TILES * 4 + xi < OW) {
                        out[fused / (Y_TILES * X_TILES) * (OH * OW) + fused / X_TILES % Y_TILES * (4 * OW) + yi * OW +
                            fused % X_TILES * 4 + xi] = 0.0f;
                        for (int rc = 0; rc < C; ++rc) {
                            for (int ry = 0; ry < KH; ++ry) {
                                for (int rx = 0; rx < KW; ++rx) {
                                    out[fused / (Y_TILES * X_TILES) * (OH * OW) +
                                        fused / X_TILES % Y_TILES * (4 * OW) + yi * OW + fused % X_TILES * 4 + xi] =
                                        out[fused / (Y_TILES * X_TILES) * (OH * OW) +
                                            fused / X_TILES % Y_TILES * (4 * OW) + yi * OW + fused % X_TILES * 4 +
                                            xi] +
                                        ((((BACK_H <= fused / X_TILES % Y_TILES * 4 + yi + ry &&
                                            fused / X_TILES % Y_TILES * 4 + yi + ry <
                                                (H - 1) * STRIDE_H + 1 + BACK_H) &&
                                           BACK_W <= fused % X_TILES * 4 + xi + rx) &&
                                          fused % X_TILES * 4 + xi + rx < (W - 1) * STRIDE_W + 1 + BACK_W)
                                             ? (((fused / X_TILES % Y_TILES * 4 + yi + ry - BACK_H) % STRIDE_H == 0 &&
                                                 (fused % X_TILES * 4 + xi + rx - BACK_W) % STRIDE_W == 0)
                                                    ? data[fused / (F * Y_TILES * X_TILES) * (C * H * W) +
                                                           rc * (H * W) +
                                                           (fused / X_TILES % Y_TILES * 4 + yi + ry - BACK_H) /
                                                               STRIDE_H * W +
                                                           (fused % X_TILES * 4 + xi + rx - BACK_W) / STRIDE_W]
                                                    : 0.0f)
                                             : 0.0f) *
                                            weight[rc * (F * KH * KW) +
                                                   fused / (Y_TILES * X_TILES) % F * (KH * KW) + (KH * KW - 1) -
                                                   ry * KW - rx];
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
