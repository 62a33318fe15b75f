/* group_conv2d_nchw as TVM lowers it: the outer axes fused, 4 x 4 tiles of the image innermost, the padding inlined
   into the load, the group found by division. */
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
#ifndef F
#define F 64
#endif
#ifndef KH
#define KH 3
#endif
#ifndef KW
#define KW 3
#endif
#ifndef GROUPS
#define GROUPS 8
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
#define OH 28
#endif
#ifndef OW
#define OW 28
#endif

#define Y_TILES ((OH + 3) / 4)
#define X_TILES ((OW + 3) / 4)

void group_conv2d_nchw_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * F * Y_TILES * X_TILES; ++fused) {
        for (int yi = 0; yi < 4; ++yi) {
            for (int xi = 0; xi < 4; ++xi) {
                if (fused / X_TILES % Y_TILES * 4 + yi < OH && fused % X_TILES * 4 + xi < OW) {
                    out[fused / (Y_TILES * X_TILES) * (OH * OW) + fused / X_TILES % Y_TILES * (4 * OW) + yi * OW +
                        fused % X_TILES * 4 + xi] = 0.0f;
                    for (int rc = 0; rc < C / GROUPS; ++rc) {
                        for (int ry = 0; ry < KH; ++ry) {
                            for (int rx = 0; rx < KW; ++rx) {
                                out[fused / (Y_TILES * X_TILES) * (OH * OW) + fused / X_TILES % Y_TILES * (4 * OW) +
                                    yi * OW + fused % X_TILES * 4 + xi] =
                                    out[fused / (Y_TILES * X_TILES) * (OH * OW) +
                                        fused / X_TILES % Y_TILES * (4 * OW) + yi * OW + fused % X_TILES * 4 + xi] +
                                    (PAD_H <= fused / X_TILES % Y_TILES * (4 * STRIDE) + yi * STRIDE +
                                                  ry * DILATION &&
                                     fused / X_TILES % Y_TILES * (4 * STRIDE) + yi * STRIDE + ry * DILATION <
                                         H + PAD_H &&
                                     PAD_W <= fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION &&
                                     fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION < W + PAD_W
                                         ? data[fused / (F * Y_TILES * X_TILES) * (C * H * W) +
                                                fused / (Y_TILES * X_TILES) % F / (F / GROUPS) *
                                                    (C / GROUPS * H * W) +
                                                rc * (H * W) + fused / X_TILES % Y_TILES * (4 * STRIDE * W) +
                                                yi * (STRIDE * W) + ry * (DILATION * W) +
                                                fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION -
                                                (PAD_H * W + PAD_W)]
                                         : 0.0f) *
                                        weight[fused / (Y_TILES * X_TILES) % F * (C / GROUPS * KH * KW) +
                                               rc * (KH * KW) + ry * KW + rx];
                            }
                        }
                    }
                }
            }
        }
    }
}
