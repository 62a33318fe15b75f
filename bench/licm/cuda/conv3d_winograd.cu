/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input transform of a 3-D Winograd convolution F(2, 3): 8 channels of 8 x 8 x 8 data, padding 1, tiles of 4 x 4 x 4
   that overlap by 2. A thread transforms one tile of one channel: out = B^T d B on every axis. */
#define BLOCKS  8
#define THREADS 64
#define DATA    (8 * 8 * 8 * 8)
#define WEIGHT  16
#define OUT     (64 * 8 * 64)

extern "C" __global__ void conv3d_winograd(const float *__restrict__ data, const float *__restrict__ B, float *__restrict__ out)
{
    float tile[64];
    for (int eps = 0; eps < 4; ++eps) {
        for (int nu = 0; nu < 4; ++nu) {
            for (int upsilon = 0; upsilon < 4; ++upsilon) {
                tile[eps * 16 + nu * 4 + upsilon] =
                    (1 <= ((int)threadIdx.x) / 16 * 2 + eps && ((int)threadIdx.x) / 16 * 2 + eps < 9 &&
                     1 <= ((int)threadIdx.x) % 16 / 4 * 2 + nu && ((int)threadIdx.x) % 16 / 4 * 2 + nu < 9 &&
                     1 <= ((int)threadIdx.x) % 4 * 2 + upsilon && ((int)threadIdx.x) % 4 * 2 + upsilon < 9)
                        ? data[((int)blockIdx.x) * 512 + ((int)threadIdx.x) / 16 * 128 + eps * 64 + ((int)threadIdx.x) % 16 / 4 * 16 +
                               nu * 8 + ((int)threadIdx.x) % 4 * 2 + upsilon - 73]
                        : 0.0f;
            }
        }
    }
    for (int eps = 0; eps < 4; ++eps) {
        for (int nu = 0; nu < 4; ++nu) {
            for (int upsilon = 0; upsilon < 4; ++upsilon) {
                float sum = 0.0f;
                for (int a = 0; a < 4; ++a) {
                    for (int b = 0; b < 4; ++b) {
                        for (int c = 0; c < 4; ++c) {
                            sum = sum + tile[a * 16 + b * 4 + c] * B[a * 4 + eps] * B[b * 4 + nu] * B[c * 4 + upsilon];
                        }
                    }
                }
                out[eps * 8192 + nu * 2048 + upsilon * 512 + ((int)blockIdx.x) * 64 + ((int)threadIdx.x)] = sum;
            }
        }
    }
}
