/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <stdexcept>
#include <stdio.h>
#include <string.h>

void device_check(cudaError_t error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + cudaGetErrorString(error));
}

static int attribute(cudaDeviceAttr what)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, what, 0) == cudaSuccess ? value : 0;
}

Device device_open(void)
{
    Device d = {};
    cudaDeviceProp properties;
    size_t total = 0;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    snprintf(d.name, sizeof d.name, "%s", properties.name);
    d.cc = 10 * properties.major + properties.minor;
    d.sms = properties.multiProcessorCount;
    d.l2 = (size_t)properties.l2CacheSize;
    CHECK(cudaMemGetInfo(&d.memory, &total));
    CHECK(cudaDriverGetVersion(&d.driver));
    CHECK(cudaRuntimeGetVersion(&d.runtime));
    d.sm_clock = attribute(cudaDevAttrClockRate) / 1000;
    d.memory_clock = attribute(cudaDevAttrMemoryClockRate) / 1000;
    return d;
}

static __device__ float value(Fill fill, uint64_t index, unsigned seed)
{
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1342543de82ef95u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    if (fill == EXACT)
        return (float)((int)((z >> 32) % 15) - 7) * 0.125f;
    return (float)(int)(z >> 32) * 0x1p-31f;
}

static __device__ void put(__half *to, float x) { *to = __float2half_rn(x); }
static __device__ void put(__nv_bfloat16 *to, float x) { *to = __float2bfloat16_rn(x); }
static __device__ void put(float *to, float x) { *to = x; }
static __device__ void put(int8_t *to, float x) { *to = (int8_t)rintf(x); }
static __device__ void put(__nv_fp8_e4m3 *to, float x) { *to = __nv_fp8_e4m3(x); }
static __device__ void put(int32_t *to, float x) { *to = (int32_t)x; }
static __device__ float get(__half x) { return __half2float(x); }
static __device__ float get(__nv_bfloat16 x) { return __bfloat162float(x); }
static __device__ float get(float x) { return x; }
static __device__ float get(int8_t x) { return x; }
static __device__ float get(__nv_fp8_e4m3 x) { return (float)x; }
static __device__ float get(int32_t x) { return (float)x; }

/* Calls CALL(T), with elements' type. */
#define FOR_ELEMENT(element, CALL) \
    switch (element) { \
    case F16: CALL(__half); break; \
    case BF16: CALL(__nv_bfloat16); break; \
    case F32: CALL(float); break; \
    case S8: CALL(int8_t); break; \
    case E4M3: CALL(__nv_fp8_e4m3); break; \
    case S32: CALL(int32_t); break; \
    }

template <typename T> static __global__ void fill_kernel(Fill fill, float times, T *to, size_t count, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        put(&to[i], times * value(fill, i, seed));
}

static unsigned grid_of(size_t count)
{
    const size_t blocks = (count + 255) / 256;
    return (unsigned)(blocks < 1 ? 1 : blocks > 4096 ? 4096 : blocks);
}

void device_fill(Element element, Fill fill, void *memory, size_t bytes, unsigned seed, cudaStream_t stream)
{
    const size_t count = bytes / (size_t)element_bytes(element);
    if (count == 0)
        return;
    const float times = element != S8 ? 1 : fill == EXACT ? 8 : 127;
#define CALL(T) fill_kernel<<<grid_of(count), 256, 0, stream>>>(fill, times, (T *)memory, count, seed)
    FOR_ELEMENT(element, CALL)
#undef CALL
    CHECK(cudaGetLastError());
}

enum { SIDE = 16 };

/* A block computes SIDE x SIDE outputs, which it has numbers in shared memory for, so many steps of k at a time. */
template <typename T> static __global__ void reference_kernel(int m, int n, int k, bool b_along_k, const T *A, const T *B, float *C)
{
    __shared__ float a[SIDE][SIDE], b[SIDE][SIDE + 1];
    const int across = (n + SIDE - 1) / SIDE, x = threadIdx.x, y = threadIdx.y;
    const int64_t row = (int64_t)(blockIdx.x / across) * SIDE + y, first = (int64_t)(blockIdx.x % across) * SIDE;
    float sum = 0;
    for (int64_t from = 0; from < k; from += SIDE) {
        const int64_t column = first + (b_along_k ? y : x), step = from + (b_along_k ? x : y);
        a[y][x] = row < m && from + x < k ? get(A[row * k + from + x]) : 0;
        b[b_along_k ? x : y][b_along_k ? y : x] = column < n && step < k ? get(B[b_along_k ? column * k + step : step * n + column]) : 0;
        __syncthreads();
        for (int j = 0; j < SIDE; j++)
            sum += a[y][j] * b[j][x];
        __syncthreads();
    }
    if (row < m && first + x < n)
        C[row * n + first + x] = sum;
}

void device_reference(Element element, const Shape &s, const void *A, const void *B, float *C, cudaStream_t stream)
{
    const int64_t blocks = (int64_t)((s.m + SIDE - 1) / SIDE) * ((s.n + SIDE - 1) / SIDE);
    if (blocks == 0)
        return;
    const dim3 threads(SIDE, SIDE);
#define CALL(T) \
    reference_kernel<<<(unsigned)blocks, threads, 0, stream>>>(s.m, s.n, s.k, is_b_along_k(element), (const T *)A, (const T *)B, C)
    FOR_ELEMENT(element, CALL)
#undef CALL
    CHECK(cudaGetLastError());
}

/* All bits set: a NaN in every type of float, and a sum that no product has. */
void device_spoil(Element element, void *C, size_t count, cudaStream_t stream)
{
    CHECK(cudaMemsetAsync(C, 0xff, (count + GUARD) * (size_t)element_bytes(element), stream));
}

template <typename T> static __device__ bool untouched(const T *x)
{
    const unsigned char *const bytes = (const unsigned char *)x;
    bool same = true;
    for (size_t i = 0; i < sizeof *x; i++)
        same = same && bytes[i] == 0xff;
    return same;
}

template <typename T>
static __global__ void compare_kernel(const T *C, const float *expected, size_t count, float slack, float scale, Verdict *verdict)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count + GUARD; i += (size_t)gridDim.x * blockDim.x) {
        if (i >= count) {
            if (!untouched(&C[i]))
                atomicAdd(&verdict->beyond, 1ull);
            continue;
        }
        T rounded;
        put(&rounded, expected[i]);
        const float x = get(C[i]), e = get(rounded);
        if (x == e || fabsf(x - expected[i]) <= slack * (fabsf(expected[i]) + scale))
            continue;
        if (atomicAdd(&verdict->wrong, 1ull) == 0)
            verdict->first = i;
    }
}

Verdict device_compare(Element element, const void *C, const float *expected, size_t count, float slack, float scale, cudaStream_t stream)
{
    static Verdict *on_device;
    Verdict verdict = {};
    if (!on_device)
        CHECK(cudaMalloc((void **)&on_device, sizeof *on_device));
    CHECK(cudaMemsetAsync(on_device, 0, sizeof *on_device, stream));
    const unsigned blocks = grid_of(count + GUARD);
#define CALL(T) compare_kernel<<<blocks, 256, 0, stream>>>((const T *)C, expected, count, slack, scale, on_device)
    FOR_ELEMENT(element, CALL)
#undef CALL
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(&verdict, on_device, sizeof verdict, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    return verdict;
}

static __global__ void read_kernel(const uint4 *from, size_t count, uint4 *never)
{
    uint4 all = {0, 0, 0, 0};
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        const uint4 x = from[i];
        all = {all.x | x.x, all.y | x.y, all.z | x.z, all.w | x.w};
    }
    if (all.x != 0) /* the buffer holds zeros */
        *never = all;
}

void device_read(const void *memory, size_t bytes, cudaStream_t stream)
{
    if (bytes < sizeof(uint4))
        return;
    read_kernel<<<grid_of(bytes / sizeof(uint4) / 8), 256, 0, stream>>>((const uint4 *)memory, bytes / sizeof(uint4), (uint4 *)memory);
    CHECK(cudaGetLastError());
}
