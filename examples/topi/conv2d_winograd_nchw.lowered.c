/* conv2d_winograd_nchw as TVM lowers it: the padded tile of the image is loaded into a local array and transformed;
   a batched product by 4 x 4 tiles; the inverse transform. Channel and tile are fused. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 32
#endif
#ifndef H
#define H 28
#endif
#ifndef W
#define W 28
#endif
#ifndef F
#define F 32
#endif
#ifndef M
#define M 4
#endif
#ifndef R
#define R 3
#endif
#ifndef PAD_H
#define PAD_H 1
#endif
#ifndef PAD_W
#define PAD_W 1
#endif
#ifndef TH
#define TH 7
#endif
#ifndef TW
#define TW 7
#endif
#ifndef OH
#define OH 28
#endif
#ifndef OW
#define OW 28
#endif

#define ALPHA (M + R - 1)
#define P (N * TH * TW)
#define F_TILES ((F + 3) / 4)
#define P_TILES ((P + 3) / 4)

void conv2d_winograd_nchw_lowered(const float *restrict data, const float *restrict kernel_pack,
                                  const float *restrict B, const float *restrict A, float *restrict data_pack,
                                  float *restrict bgemm, float *restrict out)
{
    for (int fused = 0; fused < C * P; ++fused) {
        float d[ALPHA * ALPHA];
        for (int eps = 0; eps < ALPHA; ++eps) {
            for (int nu = 0; nu < ALPHA; ++nu) {
                d[eps * ALPHA + nu] =
                    (((PAD_H <= fused % P / TW % TH * M + eps && fused % P / TW % TH * M + eps < H + PAD_H) &&
                      PAD_W <= fused % TW * M + nu) &&
                     fused % TW * M + nu < W + PAD_W)
                        ? data[fused % P / (TH * TW) * (C * H * W) + fused / P * (H * W) +
                               fused % P / TW % TH * (M * W) + eps * W + fused % TW * M + nu - (PAD_H * W + PAD_W)]
                        : 0.0f;
            }
        }
        for (int eps = 0; eps < ALPHA; ++eps) {
            for (int nu = 0; nu < ALPHA; ++nu) {
                data_pack[eps * (ALPHA * C * P) + nu * (C * P) + fused] = 0.0f;
                for (int ra = 0; ra < ALPHA; ++ra) {
                    for (int rb = 0; rb < ALPHA; ++rb) {
                        data_pack[eps * (ALPHA * C * P) + nu * (C * P) + fused] =
                            data_pack[eps * (ALPHA * C * P) + nu * (C * P) + fused] +
                            d[ra * ALPHA + rb] * B[ra * ALPHA + eps] * B[rb * ALPHA + nu];
                    }
                }
            }
        }
    }
    for (int fused = 0; fused < ALPHA * ALPHA * F_TILES * P_TILES; ++fused) {
        float bgemm_local[16];
        for (int fi = 0; fi < 4; ++fi) {
            for (int pi = 0; pi < 4; ++pi) {
                bgemm_local[fi * 4 + pi] = 0.0f;
            }
        }
        for (int rc = 0; rc < C; ++rc) {
            for (int fi = 0; fi < 4; ++fi) {
                for (int pi = 0; pi < 4; ++pi) {
                    if (fused % (F_TILES * P_TILES) / P_TILES * 4 + fi < F) {
                        if (fused % P_TILES * 4 + pi < P) {
                            bgemm_local[fi * 4 + pi] =
                                bgemm_local[fi * 4 + pi] +
                                kernel_pack[fused / (F_TILES * P_TILES) * (C * F) + rc * F +
                                            fused % (F_TILES * P_TILES) / P_TILES * 4 + fi] *
                                    data_pack[fused / (F_TILES * P_TILES) * (C * P) + rc * P + fused % P_TILES * 4 +
                                              pi];
                        }
                    }
                }
            }
        }
        for (int fi = 0; fi < 4; ++fi) {
            for (int pi = 0; pi < 4; ++pi) {
                if (fused % (F_TILES * P_TILES) / P_TILES * 4 + fi < F) {
                    if (fused % P_TILES * 4 + pi < P) {
                        bgemm[fused / (F_TILES * P_TILES) * (F * P) +
                              fused % (F_TILES * P_TILES) / P_TILES * (4 * P) + fi * P + fused % P_TILES * 4 + pi] =
                            bgemm_local[fi * 4 + pi];
                    }
                }
            }
        }
    }
    for (int fused = 0; fused < N * F * TH * TW; ++fused) {
        for (int vh = 0; vh < M; ++vh) {
            for (int vw = 0; vw < M; ++vw) {
                if (fused / TW % TH * M + vh < OH && fused % TW * M + vw < OW) {
                    float inverse = 0.0f;
                    for (int ra = 0; ra < ALPHA; ++ra) {
                        for (int rb = 0; rb < ALPHA; ++rb) {
                            inverse = inverse + bgemm[ra * (ALPHA * F * P) + rb * (F * P) +
                                                      fused / (TH * TW) % F * P +
                                                      fused / (F * TH * TW) * (TH * TW) + fused % (TH * TW)] *
                                                    A[ra * M + vh] * A[rb * M + vw];
                        }
                    }
                    out[fused / (TH * TW) * (OH * OW) + fused / TW % TH * (M * OW) + vh * OW + fused % TW * M + vw] =
                        inverse;
                }
            }
        }
    }
}
