/* softmax as TVM lowers it: four stages computed at every row, each with its own array. */
#include <math.h>

#ifndef M
#define M 256
#endif
#ifndef N
#define N 1000
#endif

void softmax_lowered(const float *restrict data, float *restrict out)
{
    for (int i0 = 0; i0 < M; ++i0) {
        float maxelem[1];
        float exponential[N];
        float expsum[1];
        maxelem[0] = -3.402823e+38f;
        for (int k = 0; k < N; ++k) {
            maxelem[0] = maxelem[0] < data[i0 * N + k] ? data[i0 * N + k] : maxelem[0];
        }
        for (int i1 = 0; i1 < N; ++i1) {
            exponential[i1] = expf(data[i0 * N + i1] - maxelem[0]);
        }
        expsum[0] = 0.0f;
        for (int k = 0; k < N; ++k) {
            expsum[0] = expsum[0] + exponential[k];
        }
        for (int i1 = 0; i1 < N; ++i1) {
            out[i0 * N + i1] = exponential[i1] / expsum[0];
        }
    }
}
