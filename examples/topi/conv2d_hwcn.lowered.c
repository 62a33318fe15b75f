/* conv2d_hwcn as TVM lowers it: row and column fused, tiles of 4 channels x 4 images, the padding inlined into the
   load, sums kept in out. */
#ifndef H
#define H 14
#endif
#ifndef W
#define W 14
#endif
#ifndef C
#define C 32
#endif
#ifndef N
#define N 16
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
#define OH 14
#endif
#ifndef OW
#define OW 14
#endif

#define F_TILES ((F + 3) / 4)
#define N_TILES ((N + 3) / 4)

void conv2d_hwcn_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < OH * OW; ++fused) {
        for (int fo = 0; fo < F_TILES; ++fo) {
            for (int no = 0; no < N_TILES; ++no) {
                for (int fi = 0; fi < 4; ++fi) {
                    for (int ni = 0; ni < 4; ++ni) {
                        if (fo * 4 + fi < F && no * 4 + ni < N) {
                            out[fused * (F * N) + fo * (4 * N) + fi * N + no * 4 + ni] = 0.0f;
                        }
                    }
                }
                for (int ry = 0; ry < KH; ++ry) {
                    for (int rx = 0; rx < KW; ++rx) {
                        for (int rc = 0; rc < C; ++rc) {
                            for (int fi = 0; fi < 4; ++fi) {
                                for (int ni = 0; ni < 4; ++ni) {
                                    if (fo * 4 + fi < F && no * 4 + ni < N) {
                                        out[fused * (F * N) + fo * (4 * N) + fi * N + no * 4 + ni] =
                                            out[fused * (F * N) + fo * (4 * N) + fi * N + no * 4 + ni] +
                                            (PAD_H <= fused / OW * STRIDE + ry * DILATION &&
                                             fused / OW * STRIDE + ry * DILATION < H + PAD_H &&
                                             PAD_W <= fused % OW * STRIDE + rx * DILATION &&
                                             fused % OW * STRIDE + rx * DILATION < W + PAD_W
                                                 ? data[fused / OW * (STRIDE * W * C * N) +
                                                        ry * (DILATION * W * C * N) +
                                                        fused % OW * (STRIDE * C * N) + rx * (DILATION * C * N) +
                                                        rc * N + no * 4 + ni - (PAD_H * W + PAD_W) * (C * N)]
                                                 : 0.0f) *
                                                weight[ry * (KW * C * F) + rx * (C * F) + rc * F + fo * 4 + fi];
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
