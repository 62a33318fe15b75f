/* conv3d_winograd as TVM lowers it: the padding (six conditions) inlined into the transform, channel and tile fused; a
   batched product by 4 x 4 tiles; the inverse transform. */
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
#ifndef M
#define M 2
#endif
#ifndef R_D
#define R_D 3
#endif
#ifndef R
#define R 3
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
#ifndef TD
#define TD 4
#endif
#ifndef TH
#define TH 4
#endif
#ifndef TW
#define TW 4
#endif
#ifndef OD
#define OD 8
#endif
#ifndef OH
#define OH 8
#endif
#ifndef OW
#define OW 8
#endif

#define ALPHA_D (M + R_D - 1)
#define ALPHA (M + R - 1)
#define P (N * TD * TH * TW)
#define F_TILES ((F + 3) / 4)
#define P_TILES ((P + 3) / 4)

void conv3d_winograd_lowered(const float *restrict data, const float *restrict kernel_pack,
                             const float *restrict B_d, const float *restrict B, const float *restrict A_d,
                             const float *restrict A, float *restrict data_pack, float *restrict bgemm,
                             float *restrict out)
{
    for (int fused = 0; fused < C * P; ++fused) {
        for (int omega = 0; omega < ALPHA_D; ++omega) {
            for (int eps = 0; eps < ALPHA; ++eps) {
                for (int nu = 0; nu < ALPHA; ++nu) {
                    data_pack[omega * (ALPHA * ALPHA * C * P) + eps * (ALPHA * C * P) + nu * (C * P) + fused] = 0.0f;
                    for (int ra = 0; ra < ALPHA_D; ++ra) {
                        for (int rb = 0; rb < ALPHA; ++rb) {
                            for (int rc = 0; rc < ALPHA; ++rc) {
                                data_pack[omega * (ALPHA * ALPHA * C * P) + eps * (ALPHA * C * P) + nu * (C * P) +
                                          fused] =
                                    data_pack[omega * (ALPHA * ALPHA * C * P) + eps * (ALPHA * C * P) +
                                              nu * (C * P) + fused] +
                                    ((((((PAD_D <= fused % P / (TH * TW) % TD * M + ra &&
                                          fused % P / (TH * TW) % TD * M + ra < D + PAD_D) &&
                                         PAD_H <= fused % P / TW % TH * M + rb) &&
                                        fused % P / TW % TH * M + rb < H + PAD_H) &&
                                       PAD_W <= fused % TW * M + rc) &&
                                      fused % TW * M + rc < W + PAD_W)
                                         ? data[fused % P / (TD * TH * TW) * (C * D * H * W) +
                                                fused / P * (D * H * W) +
                                                fused % P / (TH * TW) % TD * (M * H * W) + ra * (H * W) +
                                                fused % P / TW % TH * (M * W) + rb * W + fused % TW * M + rc -
                                                ((PAD_D * H + PAD_H) * W + PAD_W)]
                                         : 0.0f) *
                                        B_d[ra * ALPHA_D + omega] * B[rb * ALPHA + eps] * B[rc * ALPHA + nu];
                            }
                        }
                    }
                }
            }
        }
    }
    for (int fused = 0; fused < ALPHA_D * ALPHA * ALPHA * F_TILES * P_TILES; ++fused) {
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
    for (int fused = 0; fused < N * F * TD * TH * TW; ++fused) {
        for (int vd = 0; vd < M; ++vd) {
            for (int vh = 0; vh < M; ++vh) {
                for (int vw = 0; vw < M; ++vw) {
                    if (fused / (TH * TW) % TD * M + vd < OD && fused / TW % TH * M + vh < OH &&
                        fused % TW * M + vw < OW) {
                        float inverse = 0.0f;
                        for (int ra = 0; ra < ALPHA_D; ++ra) {
                            for (int rb = 0; rb < ALPHA; ++rb) {
                                for (int rc = 0; rc < ALPHA; ++rc) {
                                    inverse = inverse + bgemm[ra * (ALPHA * ALPHA * F * P) + rb * (ALPHA * F * P) +
                                                              rc * (F * P) + fused / (TD * TH * TW) % F * P +
                                                              fused / (F * TD * TH * TW) * (TD * TH * TW) +
                                                              fused % (TD * TH * TW)] *
                                                            A_d[ra * M + vd] * A[rb * M + vh] * A[rc * M + vw];
                                }
                            }
                        }
                        out[fused / (TD * TH * TW) * (OD * OH * OW) +
                            fused / (TH * TW) % TD * (M * OH * OW) + vd * (OH * OW) +
                            fused / TW % TH * (M * OW) + vh * OW + fused % TW * M + vw] = inverse;
                    }
                }
            }
        }
    }
}
