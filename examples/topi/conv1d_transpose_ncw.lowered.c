/* conv1d_transpose_ncw as TVM lowers it: the dilation and the padding of data inlined as two nested conditions, the
   position tiled by 4. */
#ifndef N
#define N 1
#endif
#ifndef C
#define C 64
#endif
#ifndef L
#define L 128
#endif
#ifndef F
#define F 32
#endif
#ifndef K
#define K 4
#endif
#ifndef STRIDE
#define STRIDE 2
#endif
#ifndef PAD
#define PAD 1
#endif
#ifndef OL
#define OL 256
#endif

#define BACK (K - 1 - PAD)
#define X_TILES ((OL + 3) / 4)

void conv1d_transpose_ncw_lowered(const float *restrict data, const float *restrict weight, float *restrict out)
{
    for (int fused = 0; fused < N * F * X_TILES; ++fused) {
        for (int xi = 0; xi < 4; ++xi) {
            if (fused % X_TILES * 4 + xi < OL) {
                out[fused / X_TILES * OL + fused % X_TILES * 4 + xi] = 0.0f;
                for (int rc = 0; rc < C; ++rc) {
                    for (int rx = 0; rx < K; ++rx) {
                        out[fused / X_TILES * OL + fused % X_TILES * 4 + xi] =
                            out[fused / X_TILES * OL + fused % X_TILES * 4 + xi] +
                            (BACK <= fused % X_TILES * 4 + xi + rx &&
                             fused % X_TILES * 4 + xi + rx < (L - 1) * STRIDE + 1 + BACK
                                 ? ((fused % X_TILES * 4 + xi + rx - BACK) % STRIDE == 0
                                        ? data[fused / (F * X_TILES) * (C * L) + rc * L +
                                               (fused % X_TILES * 4 + xi + rx - BACK) / STRIDE]
                                        : 0.0f)
                                 : 0.0f) *
                                weight[rc * (F * K) + fused % (F * X_TILES) / X_TILES * K + (K - 1) - rx];
                    }
                }
            }
        }
    }
}
