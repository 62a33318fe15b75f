/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 2-D convolution, images innermost: 14 x 14 x 64 x 64 data, 64 filters of 3 x 3, padding 1. A block computes one
   pixel of 64 filters and 64 images, staging 8 channels at a time in shared memory; a thread 8 filters x 4 images. */
#define BLOCKS  196
#define THREADS 16, 8
#define DATA    (14 * 14 * 64 * 64)
#define WEIGHT  (3 * 3 * 64 * 64)
#define OUT     (14 * 14 * 64 * 64)

extern "C" __global__ void conv2d_hwcn(const float *__restrict__ data, const float *__restrict__ weight, float *__restrict__ out)
{
    float sum[32];
    float data_local[4];
    float weight_local[8];
    __shared__ float data_shared[512];
    __shared__ float weight_shared[512];
    for (int fi = 0; fi < 8; ++fi) {
        for (int ni = 0; ni < 4; ++ni) {
            sum[fi * 4 + ni] = 0.0f;
        }
    }
    for (int rc_outer = 0; rc_outer < 8; ++rc_outer) {
        for (int ry = 0; ry < 3; ++ry) {
            for (int rx = 0; rx < 3; ++rx) {
                __syncthreads();
                for (int ax = 0; ax < 4; ++ax) {
                    data_shared[((int)threadIdx.y) * 64 + ((int)threadIdx.x) * 4 + ax] =
                        (1 <= ((int)blockIdx.x) / 14 + ry && ((int)blockIdx.x) / 14 + ry < 15 && 1 <= ((int)blockIdx.x) % 14 + rx &&
                         ((int)blockIdx.x) % 14 + rx < 15)
                            ? data[((int)blockIdx.x) / 14 * 57344 + ry * 57344 + ((int)blockIdx.x) % 14 * 4096 + rx * 4096 +
                                   rc_outer * 512 + ((int)threadIdx.y) * 64 + ((int)threadIdx.x) * 4 + ax - 61440]
                            : 0.0f;
                }
                for (int ax = 0; ax < 4; ++ax) {
                    weight_shared[((int)threadIdx.y) * 64 + ((int)threadIdx.x) * 4 + ax] =
                        weight[ry * 12288 + rx * 4096 + rc_outer * 512 + ((int)threadIdx.y) * 64 + ((int)threadIdx.x) * 4 + ax];
                }
                __syncthreads();
                for (int rc_inner = 0; rc_inner < 8; ++rc_inner) {
                    for (int ni = 0; ni < 4; ++ni) {
                        data_local[ni] = data_shared[rc_inner * 64 + ((int)threadIdx.x) * 4 + ni];
                    }
                    for (int fi = 0; fi < 8; ++fi) {
                        weight_local[fi] = weight_shared[rc_inner * 64 + ((int)threadIdx.y) * 8 + fi];
                    }
                    for (int fi = 0; fi < 8; ++fi) {
                        for (int ni = 0; ni < 4; ++ni) {
                            sum[fi * 4 + ni] = sum[fi * 4 + ni] + data_local[ni] * weight_local[fi];
                        }
                    }
                }
            }
        }
    }
    for (int fi = 0; fi < 8; ++fi) {
        for (int ni = 0; ni < 4; ++ni) {
            out[((int)blockIdx.x) * 4096 + ((int)threadIdx.y) * 512 + fi * 64 + ((int)threadIdx.x) * 4 + ni] = sum[fi * 4 + ni];
        }
    }
}
