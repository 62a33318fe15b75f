/* conv3d_ncdhw as TVM lowers it: tiles of 2 x 4 x 4 points, the outer axes fused, the padding (six conditions) inlined
   into the load. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 16
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

#define Z_TILES ((OD + 1) / 2)
#define Y_TILES ((OH + 3) / 4)
#define X_TILES ((OW + 3) / 4)

void conv3d_ncdhw_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * F * Z_TILES * Y_TILES; ++fused) {
        for (int xo = 0; xo < X_TILES; ++xo) {
            for (int zi = 0; zi < 2; ++zi) {
                for (int yi = 0; yi < 4; ++yi) {
                    for (int xi = 0; xi < 4; ++xi) {
                        if (fused / Y_TILES % Z_TILES * 2 + zi < OD && fused % Y_TILES * 4 + yi < OH &&
                            xo * 4 + xi < OW) {
                            float sum = 0.0f;
                            for (int rc = 0; rc < C; ++rc) {
                                for (int rz = 0; rz < KD; ++rz) {
                                    for (int ry = 0; ry < KH; ++ry) {
                                        for (int rx = 0; rx < KW; ++rx) {
                                            sum =
                                                sum +
                                                (PAD_D <= fused / Y_TILES % Z_TILES * (2 * STRIDE_D) + zi * STRIDE_D +
                                                              rz * DILATION &&
                                                 fused / Y_TILES % Z_TILES * (2 * STRIDE_D) + zi * STRIDE_D +
                                                         rz * DILATION < D + PAD_D &&
                                                 PAD_H <= fused % Y_TILES * (4 * STRIDE_H) + yi * STRIDE_H +
                                                              ry * DILATION &&
                                                 fused % Y_TILES * (4 * STRIDE_H) + yi * STRIDE_H + ry * DILATION <
                                                     H + PAD_H &&
                                                 PAD_W <= xo * (4 * STRIDE_W) + xi * STRIDE_W + rx * DILATION &&
                                                 xo * (4 * STRIDE_W) + xi * STRIDE_W + rx * DILATION < W + PAD_W
                                                     ? data[fused / (F * Z_TILES * Y_TILES) * (C * D * H * W) +
                                                            rc * (D * H * W) +
                                                            fused / Y_TILES % Z_TILES * (2 * STRIDE_D * H * W) +
                                                            zi * (STRIDE_D * H * W) + rz * (DILATION * H * W) +
                                                            fused % Y_TILES * (4 * STRIDE_H * W) +
                                                            yi * (STRIDE_H * W) + ry * (DILATION * W) +
                                                            xo * (4 * STRIDE_W) + xi * STRIDE_W + rx * DILATION -
                                                            ((PAD_D * H + PAD_H) * W + PAD_W)]
                                                     : 0.0f) *
                                                    weight[fused / (Z_TILES * Y_TILES) % F * (C * KD * KH * KW) +
                                                           rc * (KD * KH * KW) + rz * (KH * KW) + ry * KW + rx];
                                        }
                                    }
                                }
                            }
                            out[fused / (Z_TILES * Y_TILES) * (OD * OH * OW) +
                                fused / Y_TILES % Z_TILES * (2 * OH * OW) + zi * (OH * OW) +
                                fused % Y_TILES * (4 * OW) + yi * OW + xo * 4 + xi] = sum;
                        }
                    }
                }
            }
        }
    }
}
