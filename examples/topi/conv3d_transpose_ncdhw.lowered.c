/* conv3d_transpose_ncdhw as TVM lowers it: the dilation and the padding of data inlined as two nested conditions, the
   outer axes fused, tiles of 4 x 4 points, sums kept in out. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 8
#endif
#ifndef D
#define D 8
#endif
#ifndef H
#define H 8
#endif
#ifndef W
#define W 8
#endif
#ifndef F
#define F 8
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
#define STRIDE_D 2
#endif
#ifndef STRIDE_H
#define STRIDE_H 2
#endif
#ifndef STRIDE_W
#define STRIDE_W 2
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
#ifndef OD
#define OD 15
#endif
#ifndef OH
#define OH 15
#endif
#ifndef OW
#define OW 15
#endif

#define BACK_D (KD - 1 - PAD_D)
#define BACK_H (KH - 1 - PAD_H)
#define BACK_W (KW - 1 - PAD_W)
#define Y_TILES ((OH + 3) / 4)
#define X_TILES ((OW + 3) / 4)

void conv3d_transpose_ncdhw_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * F * OD * Y_TILES; ++fused) {
        for (int xo = 0; xo < X_TILES; ++xo) {
            for (int yi = 0; yi < 4; ++yi) {
                for (int xi = 0; xi < 4; ++xi) {
                    if (fused % Y_TILES * 4 + yi < OH) {
                        if (xo * 4 + xi < OW) {
                            out[fused / Y_TILES * (OH * OW) + fused % Y_TILES * (4 * OW) + yi * OW + xo * 4 + xi] =
                                0.0f;
                            for (int rc = 0; rc < C; ++rc) {
                                for (int rz = 0; rz < KD; ++rz) {
                                    for (int ry = 0; ry < KH; ++ry) {
                                        for (int rx = 0; rx < KW; ++rx) {
                                            out[fused / Y_TILES * (OH * OW) + fused % Y_TILES * (4 * OW) + yi * OW +
                                                xo * 4 + xi] =
                                                out[fused / Y_TILES * (OH * OW) + fused % Y_TILES * (4 * OW) +
                                                    yi * OW + xo * 4 + xi] +
                                                ((((((BACK_D <= fused / Y_TILES % OD + rz &&
                                                      fused / Y_TILES % OD + rz < (D - 1) * STRIDE_D + 1 + BACK_D) &&
                                                     BACK_H <= fused % Y_TILES * 4 + yi + ry) &&
                                                    fused % Y_TILES * 4 + yi + ry <
                                                        (H - 1) * STRIDE_H + 1 + BACK_H) &&
                                                   BACK_W <= xo * 4 + xi + rx) &&
                                                  xo * 4 + xi + rx < (W - 1) * STRIDE_W + 1 + BACK_W)
                                                     ? ((((fused / Y_TILES % OD + rz - BACK_D) % STRIDE_D == 0 &&
                                                          (fused % Y_TILES * 4 + yi + ry - BACK_H) % STRIDE_H ==
                                                              0) &&
                                                         (xo * 4 + xi + rx - BACK_W) % STRIDE_W == 0)
                                                            ? data[fused / (F * OD * Y_TILES) * (C * D * H * W) +
                                                                   rc * (D * H * W) +
                                                                   (fused / Y_TILES % OD + rz - BACK_D) / STRIDE_D *
                                                                       (H * W) +
                                                                   (fused % Y_TILES * 4 + yi + ry - BACK_H) /
                                                                       STRIDE_H * W +
                                                                   (xo * 4 + xi + rx - BACK_W) / STRIDE_W]
                                                            : 0.0f)
                                                     : 0.0f) *
                                                    weight[rc * (F * KD * KH * KW) +
                                                           fused / (OD * Y_TILES) % F * (KD * KH * KW) +
                                                           (KD * KH * KW - 1) - rz * (KH * KW) - ry * KW - rx];
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
