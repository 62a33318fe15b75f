/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradient of the filters of a depthwise convolution, channels last: 2 images of 56 x 56 x 64, 3 x 3 filters,
   padding 1. One thread for each of the 3 x 3 x 64 filter elements. */
#define BLOCKS  9
#define THREADS 64
#define DATA    (2 * 56 * 56 * 64)
#define WEIGHT  (2 * 56 * 56 * 64)
#define OUT     (3 * 3 * 64)

extern "C" __global__ void depthwise_back_weight(const float *__restrict__ data, const float *__restrict__ gradient,
                                                 float *__restrict__ out)
{
    float sum[1];
    sum[0] = 0.0f;
    for (int n = 0; n < 2; ++n) {
        for (int y = 0; y < 56; ++y) {
            for (int x = 0; x < 56; ++x) {
                sum[0] = sum[0] + gradient[n * 200704 + y * 3584 + x * 64 + (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) % 64] *
                                      ((1 <= (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) / 192 + y &&
                                        (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) / 192 + y < 57 &&
                                        1 <= (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) % 192 / 64 + x &&
                                        (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) % 192 / 64 + x < 57)
                                           ? data[n * 200704 + (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) / 192 * 3584 + y * 3584 +
                                                  (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) % 192 / 64 * 64 + x * 64 +
                                                  (((int)blockIdx.x) * 64 + ((int)threadIdx.x)) % 64 - 3648]
                                           : 0.0f);
            }
        }
    }
    out[((int)blockIdx.x) * 64 + ((int)threadIdx.x)] = sum[0];
}
