/* depthwise_conv2d_back_weight (NHWC) as TVM lowers it: taps and the channels' tiles fused, 4 channels innermost, the
   padding inlined into the load, sums kept in weight_grad. */
#ifndef N
#define N 2
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
#define STRIDE 1
#endif
#ifndef PAD_H
#define PAD_H 1
#endif
#ifndef PAD_W
#define PAD_W 1
#endif
#ifndef OH
#define OH 28
#endif
#ifndef OW
#define OW 28
#endif

#define C_TILES ((C + 3) / 4)

void depthwise_conv2d_back_weight_lowered(const float *restrict out_grad, const float *restrict data,
                                          float *restrict weight_grad)
{
    for (int fused = 0; fused < KH * KW * C_TILES; ++fused) {
        for (int ci = 0; ci < 4; ++ci) {
            for (int m = 0; m < M; ++m) {
                if (fused % C_TILES * 4 + ci < C) {
                    weight_grad[fused / C_TILES * (C * M) + fused % C_TILES * (4 * M) + ci * M + m] = 0.0f;
                }
            }
        }
        for (int rn = 0; rn < N; ++rn) {
            for (int ry = 0; ry < OH; ++ry) {
                for (int rx = 0; rx < OW; ++rx) {
                    for (int ci = 0; ci < 4; ++ci) {
                        for (int m = 0; m < M; ++m) {
                            if (fused % C_TILES * 4 + ci < C) {
                                weight_grad[fused / C_TILES * (C * M) + fused % C_TILES * (4 * M) + ci * M + m] =
                                    weight_grad[fused / C_TILES * (C * M) + fused % C_TILES * (4 * M) + ci * M + m] +
                                    out_grad[rn * (OH * OW * C * M) + ry * (OW * C * M) + rx * (C * M) +
                                             fused % C_TILES * (4 * M) + ci * M + m] *
                                        ((((PAD_H <= fused / (KW * C_TILES) + ry * STRIDE &&
                                            fused / (KW * C_TILES) + ry * STRIDE < H + PAD_H) &&
                                           PAD_W <= fused / C_TILES % KW + rx * STRIDE) &&
                                          fused / C_TILES % KW + rx * STRIDE < W + PAD_W)
                                             ? data[rn * (H * W * C) + fused / (KW * C_TILES) * (W * C) +
                                                    ry * (STRIDE * W * C) + fused / C_TILES % KW * C +
                                                    rx * (STRIDE * C) + fused % C_TILES * 4 + ci -
                                                    (PAD_H * W + PAD_W) * C]
                                             : 0.0f);
                            }
                        }
                    }
                }
            }
        }
    }
}
