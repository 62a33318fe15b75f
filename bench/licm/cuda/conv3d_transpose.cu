/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transposed 3-D convolution, channels first: 8 x 8 x 8 x 8 data, stride 2, 3 x 3 x 3 filters, padding 1; the
   dilation and the padding of data are inlined into the load. One thread for each output. */
#define BLOCKS  240
#define THREADS 128
#define DATA    (8 * 8 * 8 * 8)
#define WEIGHT  (8 * 8 * 27)
#define OUT     (8 * 16 * 16 * 15)

extern "C" __global__ void conv3d_transpose(const float *__restrict__ data, const float *__restrict__ weight, float *__restrict__ out)
{
    float sum[1];
    sum[0] = 0.0f;
    for (int rc = 0; rc < 8; ++rc) {
        for (int rz = 0; rz < 3; ++rz) {
            for (int ry = 0; ry < 3; ++ry) {
                for (int rx = 0; rx < 3; ++rx) {
                    sum[0] = sum[0] +
                             ((1 <= (((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 3840 / 240 + rz &&
                               (((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 3840 / 240 + rz < 16 &&
                               1 <= (((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 240 / 15 + ry &&
                               (((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 240 / 15 + ry < 16 &&
                               1 <= (((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 15 + rx &&
                               (((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 15 + rx < 16)
                                  ? (((((((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 3840 / 240 + rz - 1) % 2 == 0 &&
                                       ((((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 240 / 15 + ry - 1) % 2 == 0) &&
                                      ((((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 15 + rx - 1) % 2 == 0)
                                         ? data[rc * 512 + ((((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 3840 / 240 + rz - 1) / 2 * 64 +
                                                ((((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 240 / 15 + ry - 1) / 2 * 8 +
                                                ((((int)blockIdx.x) * 128 + ((int)threadIdx.x)) % 15 + rx - 1) / 2]
                                         : 0.0f)
                                  : 0.0f) *
                                 weight[rc * 216 + (((int)blockIdx.x) * 128 + ((int)threadIdx.x)) / 3840 * 27 + 26 - rz * 9 - ry * 3 - rx];
                }
            }
        }
    }
    out[((int)blockIdx.x) * 128 + ((int)threadIdx.x)] = sum[0];
}
