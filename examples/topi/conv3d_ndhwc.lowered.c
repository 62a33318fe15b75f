/* conv3d_ndhwc as TVM lowers it: batch, depth, row and the columns' tiles fused, tiles of 4 columns x 4 channels in a
   local array, the padding (six conditions) inlined into the load. */
#ifndef N
#define N 1
#endif
#ifndef D
#define D 8
#endif
#ifndef H
#define H 14
#endif
#ifndef W
#define W 14
#endif
#ifndef C
#define C 16
#endif
#ifndef F
#define F 16
#endif
#ifndef KD
#define KD 3
#endif
#ifndef KH
#define KH 3
#endif
#ifndef KW
#define KW 3
#endif
#ifndef STRIDE_D
#define STRIDE_D 1
#endif
#ifndef STRIDE_H
#define STRIDE_H 1
#endif
#ifndef STRIDE_W
#define STRIDE_W 1
#endif
#ifndef PAD_D
#define PAD_D 1
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
#ifndef OD
#define OD 8
#endif
#ifndef OH
#define OH 14
#endif
#ifndef OW
#define OW 14
#endif

#define X_TILES ((OW + 3) / 4)
#define F_TILES ((F + 3) / 4)

void conv3d_ndhwc_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * OD * OH * X_TILES; ++fused) {
        for (int fo = 0; fo < F_TILES; ++fo) {
            float out_local[16];
            for (int xi = 0; xi < 4; ++xi) {
                for (int fi = 0; fi < 4; ++fi) {
                    out_local[xi * 4 + fi] = 0.0f;
                }
            }
            for (int rz = 0; rz < KD; ++rz) {
                for (int ry = 0; ry < KH; ++ry) {
                    for (int rx = 0; rx < KW; ++rx) {
                        for (int rc = 0; rc < C; ++rc) {
                            for (int xi = 0; xi < 4; ++xi) {
                                for (int fi = 0; fi < 4; ++fi) {
                                    if (fused % X_TILES * 4 + xi < OW && fo * 4 + fi < F) {
                                        out_local[xi * 4 + fi] =
                                            out_local[xi * 4 + fi] +
                                            (PAD_D <= fused / (OH * X_TILES) % OD * STRIDE_D + rz * DILATION &&
                                             fused / (OH * X_TILES) % OD * STRIDE_D + rz * DILATION < D + PAD_D &&
                                             PAD_H <= fused / X_TILES % OH * STRIDE_H + ry * DILATION &&
                                             fused / X_TILES % OH * STRIDE_H + ry * DILATION < H + PAD_H &&
                                             PAD_W <= fused % X_TILES * (4 * STRIDE_W) + xi * STRIDE_W +
                                                          rx * DILATION &&
                                             fused % X_TILES * (4 * STRIDE_W) + xi * STRIDE_W + rx * DILATION <
                                                 W + PAD_W
                                                 ? data[fused / (OD * OH * X_TILES) * (D * H * W * C) +
                                                        fused / (OH * X_TILES) % OD * (STRIDE_D * H * W * C) +
                                                        rz * (DILATION * H * W * C) +
                                                        fused / X_TILES % OH * (STRIDE_H * W * C) +
                                                        ry * (DILATION * W * C) +
                                                        fused % X_TILES * (4 * STRIDE_W * C) + xi * (STRIDE_W * C) +
                                                        rx * (DILATION * C) + rc -
                                                        ((PAD_D * H + PAD_H) * W + PAD_W) * C]
                                                 : 0.0f) *
                                                weight[rz * (KH * KW * C * F) + ry * (KW * C * F) + rx * (C * F) +
                                                       rc * F + fo * 4 + fi];
                                    }
                                }
                            }
                        }
                    }
                }
            }
            for (int xi = 0; xi < 4; ++xi) {
                for (int fi = 0; fi < 4; ++fi) {
                    if (fused % X_TILES * 4 + xi < OW && fo * 4 + fi < F) {
                        out[fused / X_TILES * (OW * F) + fused % X_TILES * (4 * F) + xi * F + fo * 4 + fi] =
                            out_local[xi * 4 + fi];
                    }
                }
            }
        }
    }
}
