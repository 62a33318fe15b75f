/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Average over 3 x 3 windows, stride 2, padding 1, of 64 images of 64 channels of 56 x 56. As many threads as TVM
   takes at most; each computes several outputs. */
#define BLOCKS  256
#define THREADS 1024
#define DATA    (64 * 64 * 56 * 56)
#define WEIGHT  1
#define OUT     (64 * 64 * 28 * 28)

extern "C" __global__ void pool(const float *__restrict__ data, const float *__restrict__ unused, float *__restrict__ out)
{
    for (int outer = 0; outer < 13; ++outer) {
        if (outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x) < 3211264) {
            float sum[1];
            sum[0] = 0.0f;
            for (int ry = 0; ry < 3; ++ry) {
                for (int rx = 0; rx < 3; ++rx) {
                    sum[0] = sum[0] +
                             ((1 <= (outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)) % 784 / 28 * 2 + ry &&
                               (outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)) % 784 / 28 * 2 + ry < 57 &&
                               1 <= (outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)) % 28 * 2 + rx &&
                               (outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)) % 28 * 2 + rx < 57)
                                  ? data[(outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)) / 784 * 3136 +
                                         (outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)) % 784 / 28 * 112 + ry * 56 +
                                         (outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)) % 28 * 2 + rx - 57]
                                  : 0.0f);
                }
            }
            out[outer * 262144 + ((int)blockIdx.x) * 1024 + ((int)threadIdx.x)] = sum[0] / 9.0f;
        }
    }
}
