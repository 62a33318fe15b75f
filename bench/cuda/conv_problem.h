/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions as the CUDA bench runs them: image [N][H][W][C], filter [R][S][C][K], output [N][P][Q][K], and whether one is
 * right. */
#ifndef BENCH_CUDA_CONV_PROBLEM_H
#define BENCH_CUDA_CONV_PROBLEM_H

#include <string>
#include <vector>

#include "device.h"

struct Conv {
    std::string set; /* the network */
    int N, H, W, C, K, R, S, stride, pad;
    int P() const { return (H + 2 * pad - R) / stride + 1; }
    int Q() const { return (W + 2 * pad - S) / stride + 1; }
    size_t image() const { return (size_t)N * (size_t)H * (size_t)W * (size_t)C; }
    size_t filter() const { return (size_t)R * (size_t)S * (size_t)C * (size_t)K; }
    size_t output() const { return (size_t)N * (size_t)P() * (size_t)Q() * (size_t)K; }
    double flops() const { return 2.0 * (double)output() * R * S * C; }
    std::string text() const;
};

/* Layers of AlexNet, GoogLeNet, ResNet-18 and VGG-11, each with batches of 1, 2, 4, ..., 128 and for images of 64, 128, ..., 640
   pixels (MikPoly's table 4). layers: cnn_layers.csv, which has them for 224 pixels. */
std::vector<Conv> conv_shapes(const char *layers);

/* Compares the guard behind the output, that all of it was written, and so many outputs, evenly spread (all, if there are less),
   with sums computed one by one. With slack, within slack * (|sum| + scale). Synchronises. */
enum { CONV_SAMPLE = 1 << 17 };
Verdict conv_check(Element element, const Conv &conv, const void *image, const void *filter, const void *output, float slack, float scale,
                   cudaStream_t stream);

/* filter [R][S][C][K] to [K][R][S][C]. */
void conv_turn_filter(Element element, const Conv &conv, const void *filter, void *turned, cudaStream_t stream);

#endif
