/* conv1d_ncw as TVM lowers it: channel and position tiled by 4 x 4 into a local array, the outer axes fused, the
   padding inlined into the load. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 64
#endif
#ifndef L
#define L 256
#endif
#ifndef F
#define F 64
#endif
#ifndef K
#define K 5
#endif
#ifndef STRIDE
#define STRIDE 1
#endif
#ifndef PAD
#define PAD 2
#endif
#ifndef DILATION
#define DILATION 1
#endif
#ifndef OL
#define OL 256
#endif

#define F_TILES ((F + 3) / 4)
#define X_TILES ((OL + 3) / 4)

void conv1d_ncw_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * F_TILES * X_TILES; ++fused) {
        float out_local[16];
        for (int fi = 0; fi < 4; ++fi) {
            for (int xi = 0; xi < 4; ++xi) {
                out_local[fi * 4 + xi] = 0.0f;
            }
        }
        for (int rc = 0; rc < C; ++rc) {
            for (int rx = 0; rx < K; ++rx) {
                for (int fi = 0; fi < 4; ++fi) {
                    for (int xi = 0; xi < 4; ++xi) {
                        if (fused % (F_TILES * X_TILES) / X_TILES * 4 + fi < F) {
                            if (fused % X_TILES * 4 + xi < OL) {
                                out_local[fi * 4 + xi] =
                                    out_local[fi * 4 + xi] +
                                    (PAD <= fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION &&
                                     fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION < L + PAD
                                         ? data[fused / (F_TILES * X_TILES) * (C * L) + rc * L +
                                                fused % X_TILES * (4 * STRIDE) + xi * STRIDE + rx * DILATION - PAD]
                                         : 0.0f) *
                                        weight[fused % (F_TILES * X_TILES) / X_TILES * (4 * C * K) + fi * (C * K) +
                                               rc * K + rx];
                            }
                        }
                    }
                }
            }
        }
        for (int fi = 0; fi < 4; ++fi) {
            for (int xi = 0; xi < 4; ++xi) {
                if (fused % (F_TILES * X_TILES) / X_TILES * 4 + fi < F) {
                    if (fused % X_TILES * 4 + xi < OL) {
                        out[fused / (F_TILES * X_TILES) * (F * OL) +
                            fused % (F_TILES * X_TILES) / X_TILES * (4 * OL) + fi * OL + fused % X_TILES * 4 + xi] =
                            out_local[fi * 4 + xi];
                    }
                }
            }
        }
    }
}
