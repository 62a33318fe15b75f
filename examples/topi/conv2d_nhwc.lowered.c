/* conv2d_nhwc as TVM lowers it: batch and row fused, tiles of 4 columns x 4 channels in a local array, the padding
   inlined into the load. */
#ifndef N
#define N 1
#endif
#ifndef H
#define H 28
#endif
#ifndef W
#define W 28
#endif
#ifndef C
#define C 32
#endif
#ifndef F
#define F 32
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
#define OH 28
#endif
#ifndef OW
#define OW 28
#endif

#define X_TILES ((OW + 3) / 4)
#define F_TILES ((F + 3) / 4)

void conv2d_nhwc_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * OH * X_TILES; ++fused) {
        for (int fo = 0; fo < F_TILES; ++fo) {
            float out_local[16];
            for (int xi = 0; xi < 4; ++xi) {
                for (int fi = 0; fi < 4; ++fi) {
                    out_local[xi * 4 + fi] = 0.0f;
                }
            }
            for (int ry = 0; ry < KH; ++ry) {
                for (int rx = 0; rx < KW; ++rx) {
                    for (int rc = 0; rc < C; ++rc) {
                        for (int xi = 0; xi < 4; ++xi) {
                            for (int fi = 0; fi < 4; ++fi) {
                                if (fused % X_TILES * 4 + xi < OW) {
                                    if (fo * 4 + fi < F) {
                                        out_local[xi * 4 + fi] =
                                            out_local[xi * 4 + fi] +
                                            (PAD_H <= fused % (OH * X_TILES) / X_TILES * STRIDE + ry * DILATION &&
                                             fused % (OH * X_TILES) / X_TILES * STRIDE + ry * DILATION < H + PAD_H &&
                                             PAD_W <= fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION &&
                                             fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION < W + PAD_W
                                                 ? data[fused / (OH * X_TILES) * (H * W * C) +
                                                        fused % (OH * X_TILES) / X_TILES * (STRIDE * W * C) +
                                                        ry * (DILATION * W * C) + fused % X_TILES * (4 * STRIDE * C) +
                                                        xi * (STRIDE * C) + rx * (DILATION * C) + rc -
                                                        (PAD_H * W + PAD_W) * C]
                                                 : 0.0f) *
                                                weight[ry * (KW * C * F) + rx * (C * F) + rc * F + fo * 4 + fi];
                                    }
                                }
                            }
                        }
                    }
                }
            }
            for (int xi = 0; xi < 4; ++xi) {
                for (int fi = 0; fi < 4; ++fi) {
                    if (fused % X_TILES * 4 + xi < OW) {
                        if (fo * 4 + fi < F) {
                            out[fused / X_TILES * (OW * F) + fused % X_TILES * (4 * F) + xi * F + fo * 4 + fi] =
                                out_local[xi * 4 + fi];
                        }
                    }
                }
            }
        }
    }
}
