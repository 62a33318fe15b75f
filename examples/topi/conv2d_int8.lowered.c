/* conv2d_int8 (NCHW4c) as TVM lowers it for a machine with four-byte dot products: batch, channel block and row fused,
   tiles of 4 columns, the padding inlined into the load. */
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
#define OH 14
#endif
#ifndef OW
#define OW 14
#endif

#define X_TILES ((OW + 3) / 4)

void conv2d_int8_lowered(const signed char *restrict data, const signed char *restrict weight, int *restrict out)
{
    for (int fused = 0; fused < N * F * OH * X_TILES; ++fused) {
        for (int xi = 0; xi < 4; ++xi) {
            for (int fi = 0; fi < 4; ++fi) {
                if (fused % X_TILES * 4 + xi < OW) {
                    out[fused / X_TILES * (OW * 4) + fused % X_TILES * 16 + xi * 4 + fi] = 0;
                }
            }
        }
        for (int rc = 0; rc < C; ++rc) {
            for (int ry = 0; ry < KH; ++ry) {
                for (int rx = 0; rx < KW; ++rx) {
                    for (int xi = 0; xi < 4; ++xi) {
                        for (int fi = 0; fi < 4; ++fi) {
                            for (int rk = 0; rk < 4; ++rk) {
                                if (fused % X_TILES * 4 + xi < OW) {
                                    out[fused / X_TILES * (OW * 4) + fused % X_TILES * 16 + xi * 4 + fi] =
                                        out[fused / X_TILES * (OW * 4) + fused % X_TILES * 16 + xi * 4 + fi] +
                                        (int)((((PAD_H <= fused / X_TILES % OH * STRIDE + ry * DILATION &&
                                                 fused / X_TILES % OH * STRIDE + ry * DILATION < H + PAD_H) &&
                                                PAD_W <= fused % X_TILES * (4 * STRIDE) + xi * STRIDE +
                                                             rx * DILATION) &&
                                               fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION <
                                                   W + PAD_W)
                                                  ? data[fused / (F * OH * X_TILES) * (C * H * W * 4) +
                                                         rc * (H * W * 4) +
                                                         fused / X_TILES % OH * (STRIDE * W * 4) +
                                                         ry * (DILATION * W * 4) + fused % X_TILES * (16 * STRIDE) +
                                                         xi * (STRIDE * 4) + rx * (DILATION * 4) + rk -
                                                         (PAD_H * W + PAD_W) * 4]
                                                  : (signed char)0) *
                                            (int)weight[fused / (OH * X_TILES) % F * (C * KH * KW * 16) +
                                                        rc * (KH * KW * 16) + ry * (KW * 16) + rx * 16 + fi * 4 + rk];
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
