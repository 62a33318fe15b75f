#include "device.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
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
static __device__ float get(__half x) { return __half2float(x); }
static __device__ float get(__nv_bfloat16 x) { return __bfloat162float(x); }
static __device__ float get(float x) { return x; }

template <typename T> static __global__ void fill_kernel(Fill fill, T *to, size_t count, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        put(&to[i], value(fill, i, seed));
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
    if (element == F16)
        fill_kernel<<<grid_of(count), 256, 0, stream>>>(fill, (__half *)memory, count, seed);
    else if (element == BF16)
        fill_kernel<<<grid_of(count), 256, 0, stream>>>(fill, (__nv_bfloat16 *)memory, count, seed);
    else
        fill_kernel<<<grid_of(count), 256, 0, stream>>>(fill, (float *)memory, count, seed);
    CHECK(cudaGetLastError());
}

template <typename T> static __global__ void reference_kernel(int n, int k, size_t count, const T *A, const T *B, float *C)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const size_t row = i / (size_t)n, column = i % (size_t)n;
    float sum = 0;
    for (int j = 0; j < k; j++)
        sum += get(A[row * (size_t)k + (size_t)j]) * get(B[(size_t)j * (size_t)n + column]);
    C[i] = sum;
}

void device_reference(Element element, const Shape &s, const void *A, const void *B, float *C, cudaStream_t stream)
{
    const size_t count = (size_t)s.m * (size_t)s.n;
    const unsigned blocks = (unsigned)((count + 255) / 256);
    if (count == 0)
        return;
    if (element == F16)
        reference_kernel<<<blocks, 256, 0, stream>>>(s.n, s.k, count, (const __half *)A, (const __half *)B, C);
    else if (element == BF16)
        reference_kernel<<<blocks, 256, 0, stream>>>(s.n, s.k, count, (const __nv_bfloat16 *)A, (const __nv_bfloat16 *)B, C);
    else
        reference_kernel<<<blocks, 256, 0, stream>>>(s.n, s.k, count, (const float *)A, (const float *)B, C);
    CHECK(cudaGetLastError());
}

/* All bits set: a NaN in every type. */
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
    if (element == F16)
        compare_kernel<<<blocks, 256, 0, stream>>>((const __half *)C, expected, count, slack, scale, on_device);
    else if (element == BF16)
        compare_kernel<<<blocks, 256, 0, stream>>>((const __nv_bfloat16 *)C, expected, count, slack, scale, on_device);
    else
        compare_kernel<<<blocks, 256, 0, stream>>>((const float *)C, expected, count, slack, scale, on_device);
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
