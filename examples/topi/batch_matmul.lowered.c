/* batch_matmul as TVM lowers it: batch and both tiles' axes fused, 4 x 4 tiles, sums kept in out. */
#ifndef B
#define B 16
#endif
#ifndef M
#define M 64
#endif
#ifndef N
#define N 64
#endif
#ifndef K
#define K 64
#endif

#define M_TILES ((M + 3) / 4)
#define N_TILES ((N + 3) / 4)

void batch_matmul_lowered(const float *restrict x, const float *restrict y, float *restrict out)
{
    for (int fused = 0; fused < B * M_TILES * N_TILES; ++fused) {
        for (int yi = 0; yi < 4; ++yi) {
            for (int xi = 0; xi < 4; ++xi) {
                if (fused / N_TILES % M_TILES * 4 + yi < M) {
                    if (fused % N_TILES * 4 + xi < N) {
                        out[fused / (M_TILES * N_TILES) * (M * N) + fused / N_TILES % M_TILES * (4 * N) + yi * N +
                            fused % N_TILES * 4 + xi] = 0.0f;
                    }
                }
            }
        }
        for (int k = 0; k < K; ++k) {
            for (int yi = 0; yi < 4; ++yi) {
                for (int xi = 0; xi < 4; ++xi) {
                    if (fused / N_TILES % M_TILES * 4 + yi < M) {
                        if (fused % N_TILES * 4 + xi < N) {
                            out[fused / (M_TILES * N_TILES) * (M * N) + fused / N_TILES % M_TILES * (4 * N) + yi * N +
                                fused % N_TILES * 4 + xi] =
                                out[fused / (M_TILES * N_TILES) * (M * N) + fused / N_TILES % M_TILES * (4 * N) +
                                    yi * N + fused % N_TILES * 4 + xi] +
                                x[fused / (M_TILES * N_TILES) * (M * K) + fused / N_TILES % M_TILES * (4 * K) +
                                  yi * K + k] *
                                    y[fused / (M_TILES * N_TILES) * (N * K) + fused % N_TILES * (4 * K) + xi * K + k];
                        }
                    }
                }
            }
        }
    }
}
