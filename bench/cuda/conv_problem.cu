/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "conv_problem.h"

#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "../conv/layers.h"
}

std::string Conv::text() const
{
    return "n" + std::to_string(N) + "h" + std::to_string(H) + "w" + std::to_string(W) + "c" + std::to_string(C) + "k" + std::to_string(K) +
           "r" + std::to_string(R) + "s" + std::to_string(S) + "/" + std::to_string(stride) + "+" + std::to_string(pad);
}

static int pooled(int side) { return (side - 3) / 2 + 1; }

/* The side of a layer's input for images of so many pixels. All networks but AlexNet halve what they get. */
static int side_for(const Layer &l, int pixels)
{
    if (strcmp(l.network, "alexnet") != 0 || l.H == 224)
        return (int)((int64_t)pixels * l.H / 224);
    const int second = pooled((pixels + 4 - 11) / 4 + 1);
    return l.H == 27 ? second : pooled(second);
}

std::vector<Conv> conv_shapes(const char *path)
{
    std::vector<Conv> all;
    Layers layers = layers_read(path);
    for (int i = 0; i < layers.count; i++)
        for (int batch = 1; batch <= 128; batch *= 2)
            for (int pixels = 64; pixels <= 640; pixels += 64) {
                const Layer &l = layers.items[i];
                const int side = side_for(l, pixels);
                if (side + 2 * l.pad >= l.R && side + 2 * l.pad >= l.S)
                    all.push_back({l.network, batch, side, side, l.C, l.K, l.R, l.S, l.stride, l.pad});
            }
    free(layers.items);
    return all;
}

static __device__ float get(const __half *x) { return __half2float(*x); }
static __device__ float get(const __nv_bfloat16 *x) { return __bfloat162float(*x); }
static __device__ float get(const float *x) { return *x; }
static __device__ float rounded(const __half *, float x) { return __half2float(__float2half_rn(x)); }
static __device__ float rounded(const __nv_bfloat16 *, float x) { return __bfloat162float(__float2bfloat16_rn(x)); }
static __device__ float rounded(const float *, float x) { return x; }

/* What the kernels need of a Conv. */
struct Sizes {
    int H, W, C, K, R, S, P, Q, stride, pad;
    size_t output;
};

static Sizes sizes_of(const Conv &c) { return {c.H, c.W, c.C, c.K, c.R, c.S, c.P(), c.Q(), c.stride, c.pad, c.output()}; }

template <typename T> static __device__ float sum_of(const Sizes &z, const T *image, const T *filter, size_t index)
{
    const int k = (int)(index % (size_t)z.K), q = (int)(index / (size_t)z.K % (size_t)z.Q);
    const int p = (int)(index / (size_t)z.K / (size_t)z.Q % (size_t)z.P);
    const size_t n = index / (size_t)z.K / (size_t)z.Q / (size_t)z.P;
    float sum = 0;
    for (int r = 0; r < z.R; r++)
        for (int s = 0; s < z.S; s++) {
            const int h = p * z.stride + r - z.pad, w = q * z.stride + s - z.pad;
            if (h < 0 || h >= z.H || w < 0 || w >= z.W)
                continue;
            const T *const x = image + ((n * (size_t)z.H + (size_t)h) * (size_t)z.W + (size_t)w) * (size_t)z.C;
            const T *const y = filter + ((size_t)r * (size_t)z.S + (size_t)s) * (size_t)z.C * (size_t)z.K + (size_t)k;
            for (int c = 0; c < z.C; c++)
                sum += get(x + c) * get(y + (size_t)c * (size_t)z.K);
        }
    return sum;
}

template <typename T>
static __global__ void sample_kernel(Sizes z, const T *image, const T *filter, const T *output, size_t count, float slack, float scale,
                                     Verdict *verdict)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const size_t index = (size_t)((double)i / (double)count * (double)z.output);
    const float sum = sum_of(z, image, filter, index), x = get(output + index);
    if (x != rounded(output, sum) && !(fabsf(x - sum) <= slack * (fabsf(sum) + scale)) && atomicAdd(&verdict->wrong, 1ull) == 0)
        verdict->first = index;
}

/* Outputs that are still as device_spoil left them count as wrong, elements behind them that are not as beyond. */
template <typename T> static __global__ void written_kernel(const T *output, size_t count, Verdict *verdict)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count + GUARD; i += (size_t)gridDim.x * blockDim.x) {
        const unsigned char *const bytes = (const unsigned char *)(output + i);
        bool spoiled = true;
        for (size_t b = 0; b < sizeof *output; b++)
            spoiled = spoiled && bytes[b] == 0xff;
        if (i < count && spoiled && atomicAdd(&verdict->wrong, 1ull) == 0)
            verdict->first = i;
        if (i >= count && !spoiled)
            atomicAdd(&verdict->beyond, 1ull);
    }
}

template <typename T>
static void check(const Conv &conv, const T *image, const T *filter, const T *output, float slack, float scale, Verdict *verdict,
                  cudaStream_t stream)
{
    const size_t all = conv.output(), count = std::min<size_t>(all, CONV_SAMPLE);
    written_kernel<<<1024, 256, 0, stream>>>(output, all, verdict);
    if (count > 0)
        sample_kernel<<<(unsigned)((count + 127) / 128), 128, 0, stream>>>(sizes_of(conv), image, filter, output, count, slack, scale,
                                                                           verdict);
    CHECK(cudaGetLastError());
}

Verdict conv_check(Element element, const Conv &conv, const void *image, const void *filter, const void *output, float slack, float scale,
                   cudaStream_t stream)
{
    static Verdict *on_device;
    Verdict verdict = {};
    if (!on_device)
        CHECK(cudaMalloc((void **)&on_device, sizeof *on_device));
    CHECK(cudaMemsetAsync(on_device, 0, sizeof *on_device, stream));
    if (element == F16)
        check(conv, (const __half *)image, (const __half *)filter, (const __half *)output, slack, scale, on_device, stream);
    else if (element == BF16)
        check(conv, (const __nv_bfloat16 *)image, (const __nv_bfloat16 *)filter, (const __nv_bfloat16 *)output, slack, scale, on_device,
              stream);
    else
        check(conv, (const float *)image, (const float *)filter, (const float *)output, slack, scale, on_device, stream);
    CHECK(cudaMemcpyAsync(&verdict, on_device, sizeof verdict, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    return verdict;
}

template <typename T> static __global__ void turn_kernel(Sizes z, const T *filter, T *turned)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, rsc = (size_t)z.R * (size_t)z.S * (size_t)z.C;
    if (i < rsc * (size_t)z.K)
        turned[i % (size_t)z.K * rsc + i / (size_t)z.K] = filter[i];
}

void conv_turn_filter(Element element, const Conv &conv, const void *filter, void *turned, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((conv.filter() + 255) / 256);
    if (blocks == 0)
        return;
    if (element == F32)
        turn_kernel<<<blocks, 256, 0, stream>>>(sizes_of(conv), (const float *)filter, (float *)turned);
    else
        turn_kernel<<<blocks, 256, 0, stream>>>(sizes_of(conv), (const uint16_t *)filter, (uint16_t *)turned);
    CHECK(cudaGetLastError());
}
