/* dense as TVM lowers it: 4 x 4 tiles in a local array, the sum split by 4. */
#ifndef M
#define M 16
#endif
#ifndef N
#define N 1000
#endif
#ifndef K
#define K 512
#endif

#define M_TILES ((M + 3) / 4)
#define N_TILES ((N + 3) / 4)
#define K_TILES ((K + 3) / 4)

void dense_lowered(const float *restrict data, const float *restrict weight, const float *restrict bias,
                   float *restrict out)
{
    for (int fused = 0; fused < M_TILES * N_TILES; ++fused) {
        float out_local[16];
        for (int yi = 0; yi < 4; ++yi) {
            for (int xi = 0; xi < 4; ++xi) {
                out_local[yi * 4 + xi] = 0.0f;
            }
        }
        for (int ko = 0; ko < K_TILES; ++ko) {
            for (int ki = 0; ki < 4; ++ki) {
                for (int yi = 0; yi < 4; ++yi) {
                    for (int xi = 0; xi < 4; ++xi) {
                        if (fused / N_TILES * 4 + yi < M && fused % N_TILES * 4 + xi < N && ko * 4 + ki < K) {
                            out_local[yi * 4 + xi] =
                                out_local[yi * 4 + xi] + data[fused / N_TILES * (4 * K) + yi * K + ko * 4 + ki] *
                                                             weight[fused % N_TILES * (4 * K) + xi * K + ko * 4 + ki];
                        }
                    }
                }
            }
        }
        for (int yi = 0; yi < 4; ++yi) {
            for (int xi = 0; xi < 4; ++xi) {
                if (fused / N_TILES * 4 + yi < M) {
                    if (fused % N_TILES * 4 + xi < N) {
                        out[fused / N_TILES * (4 * N) + yi * N + fused % N_TILES * 4 + xi] =
                            out_local[yi * 4 + xi] + bias[fused % N_TILES * 4 + xi];
                    }
                }
            }
        }
    }
}
