/* conv2d_winograd_nhwc as TVM lowers it: the padding inlined into the transform, tile and channel fused; a batched
   product by 4 x 4 tiles; the inverse transform. */
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
#define P_TILES ((P + 3) / 4)
#define F_TILES ((F + 3) / 4)

void conv2d_winograd_nhwc_lowered(const float *restrict data, const float *restrict kernel_pack,
                                  const float *restrict B, const float *restrict A, float *restrict data_pack,
                                  float *restrict bgemm, float *restrict out)
{
    for (int fused = 0; fused < P * C; ++fused) {
        for (int eps = 0; eps < ALPHA; ++eps) {
            for (int nu = 0; nu < ALPHA; ++nu) {
                data_pack[eps * (ALPHA * P * C) + nu * (P * C) + fused] = 0.0f;
                for (int ra = 0; ra < ALPHA; ++ra) {
                    for (int rb = 0; rb < ALPHA; ++rb) {
                        data_pack[eps * (ALPHA * P * C) + nu * (P * C) + fused] =
                            data_pack[eps * (ALPHA * P * C) + nu * (P * C) + fused] +
                            ((((PAD_H <= fused / C / TW % TH * M + ra &&
                                fused / C / TW % TH * M + ra < H + PAD_H) &&
                               PAD_W <= fused / C % TW * M + rb) &&
                              fused / C % TW * M + rb < W + PAD_W)
                                 ? data[fused / (TH * TW * C) * (H * W * C) + fused / C / TW % TH * (M * W * C) +
                                        ra * (W * C) + fused / C % TW * (M * C) + rb * C + fused % C -
                                        (PAD_H * W + PAD_W) * C]
                                 : 0.0f) *
                                B[ra * ALPHA + eps] * B[rb * ALPHA + nu];
                    }
                }
            }
        }
    }
    for (int fused = 0; fused < ALPHA * ALPHA * P_TILES * F_TILES; ++fused) {
        for (int pi = 0; pi < 4; ++pi) {
            for (int fi = 0; fi < 4; ++fi) {
                if (fused % (P_TILES * F_TILES) / F_TILES * 4 + pi < P && fused % F_TILES * 4 + fi < F) {
                    bgemm[fused / (P_TILES * F_TILES) * (P * F) +
                          fused % (P_TILES * F_TILES) / F_TILES * (4 * F) + pi * F + fused % F_TILES * 4 + fi] = 0.0f;
                    for (int rc = 0; rc < C; ++rc) {
                        bgemm[fused / (P_TILES * F_TILES) * (P * F) +
                              fused % (P_TILES * F_TILES) / F_TILES * (4 * F) + pi * F + fused % F_TILES * 4 + fi] =
                            bgemm[fused / (P_TILES * F_TILES) * (P * F) +
                                  fused % (P_TILES * F_TILES) / F_TILES * (4 * F) + pi * F + fused % F_TILES * 4 +
                                  fi] +
                            data_pack[fused / (P_TILES * F_TILES) * (P * C) +
                                      fused % (P_TILES * F_TILES) / F_TILES * (4 * C) + pi * C + rc] *
                                kernel_pack[fused / (P_TILES * F_TILES) * (F * C) + fused % F_TILES * (4 * C) +
                                            fi * C + rc];
                    }
                }
            }
        }
    }
    for (int fused = 0; fused < N * OH * OW * F; ++fused) {
        float inverse = 0.0f;
        for (int ra = 0; ra < ALPHA; ++ra) {
            for (int rb = 0; rb < ALPHA; ++rb) {
                inverse = inverse + bgemm[ra * (ALPHA * P * F) + rb * (P * F) +
                                          fused / (OH * OW * F) * (TH * TW * F) +
                                          fused % (OH * OW * F) / (OW * F) / M * (TW * F) +
                                          fused % (OW * F) / F / M * F + fused % F] *
                                        A[ra * M + fused % (OH * OW * F) / (OW * F) % M] *
                                        A[rb * M + fused % (OW * F) / F % M];
            }
        }
        out[fused] = inverse;
    }
}
