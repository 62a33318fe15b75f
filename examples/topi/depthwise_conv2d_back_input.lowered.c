/* depthwise_conv2d_back_input (NHWC) as TVM lowers it: the dilation and the padding of out_grad inlined as two nested
   conditions, batch, row and the columns' tiles fused, tiles of 4 columns x 4 channels. */
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
#define C 64
#endif
#ifndef M
#define M 1
#endif
#ifndef KH
#define KH 3
#endif
#ifndef KW
#define KW 3
#endif
#ifndef STRIDE
#define STRIDE 2
#endif
#ifndef PAD_H
#define PAD_H 1
#endif
#ifndef PAD_W
#define PAD_W 1
#endif
#ifndef OH
#define OH 14
#endif
#ifndef OW
#define OW 14
#endif

#define BACK_H (KH - 1 - PAD_H)
#define BACK_W (KW - 1 - PAD_W)
#define X_TILES ((W + 3) / 4)
#define C_TILES ((C + 3) / 4)

void depthwise_conv2d_back_input_lowered(const float *restrict out_grad, const float *restrict weight,
                                         float *restrict in_grad)
{
    for (int fused = 0; fused < N * H * X_TILES * C_TILES; ++fused) {
        for (int xi = 0; xi < 4; ++xi) {
            for (int ci = 0; ci < 4; ++ci) {
                if (fused / C_TILES % X_TILES * 4 + xi < W) {
                    if (fused % C_TILES * 4 + ci < C) {
                        in_grad[fused / (X_TILES * C_TILES) * (W * C) + fused / C_TILES % X_TILES * (4 * C) + xi * C +
                                fused % C_TILES * 4 + ci] = 0.0f;
                        for (int ry = 0; ry < KH; ++ry) {
                            for (int rx = 0; rx < KW; ++rx) {
                                for (int rm = 0; rm < M; ++rm) {
                                    in_grad[fused / (X_TILES * C_TILES) * (W * C) +
                                            fused / C_TILES % X_TILES * (4 * C) + xi * C + fused % C_TILES * 4 + ci] =
                                        in_grad[fused / (X_TILES * C_TILES) * (W * C) +
                                                fused / C_TILES % X_TILES * (4 * C) + xi * C + fused % C_TILES * 4 +
                                                ci] +
                                        ((((BACK_H <= fused / (X_TILES * C_TILES) % H + ry &&
                                            fused / (X_TILES * C_TILES) % H + ry < (OH - 1) * STRIDE + 1 + BACK_H) &&
                                           BACK_W <= fused / C_TILES % X_TILES * 4 + xi + rx) &&
                                          fused / C_TILES % X_TILES * 4 + xi + rx < (OW - 1) * STRIDE + 1 + BACK_W)
                                             ? (((fused / (X_TILES * C_TILES) % H + ry - BACK_H) % STRIDE == 0 &&
                                                 (fused / C_TILES % X_TILES * 4 + xi + rx - BACK_W) % STRIDE == 0)
                                                    ? out_grad[fused / (H * X_TILES * C_TILES) * (OH * OW * C * M) +
                                                               (fused / (X_TILES * C_TILES) % H + ry - BACK_H) /
                                                                   STRIDE * (OW * C * M) +
                                                               (fused / C_TILES % X_TILES * 4 + xi + rx - BACK_W) /
                                                                   STRIDE * (C * M) +
                                                               fused % C_TILES * (4 * M) + ci * M + rm]
                                                    : 0.0f)
                                             : 0.0f) *
                                            weight[(KH * KW - 1) * (C * M) - ry * (KW * C * M) - rx * (C * M) +
                                                   fused % C_TILES * (4 * M) + ci * M + rm];
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
