/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtime: which launches are refused and how, attributes, occupancy, variables, streams, capture, several targets
 * in one object, other devices, none at all. Compiled for compute_80 and compute_90a. */
#include <string>

#include "simulator_test.h"

__global__ void fill(int *p, int value) { p[threadIdx.x] = value; }

__global__ void __launch_bounds__(64) bounded(int *p) { p[threadIdx.x] = 1; }

__global__ void which(int *p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    *p = 901;
#elif defined(__CUDA_ARCH__)
    *p = __CUDA_ARCH__;
#endif
}

__global__ void big_static(int *p)
{
    __shared__ int s[1000];
    s[threadIdx.x] = 1;
    __syncthreads();
    *p = s[threadIdx.x ^ 1];
}

__global__ void dynamic(int *p)
{
    extern __shared__ int d[];
    d[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = d[blockDim.x - 1 - threadIdx.x];
}

struct Large {
    int values[40];
    double x;
    char c;
};

__global__ void large(const __grid_constant__ Large a, int at, double *to)
{
    const Large *p = &a;
    to[0] = p->values[at] + a.x + a.c;
}

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter = 7;
__device__ float *pointer;

__global__ void variables(float *p)
{
    p[threadIdx.x] = table[threadIdx.x];
    atomicAdd(&counter, 1);
    pointer = p;
}

__global__ void prints(int n) { printf("%d %s %5.2f %c%%\n", n, "text", 1.5, 'x'); }

static void launches()
{
    std::vector<int> zeros(2048);
    Device<int> p(zeros);
    fill<<<1, 1024>>>(p.data, 3);
    CHECK(cudaGetLastError() == cudaSuccess && p.get()[1023] == 3);
    fill<<<1, 1025>>>(p.data, 4);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
    fill<<<0, 1>>>(p.data, 4);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    fill<<<dim3(1, 65536), 1>>>(p.data, 4);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    bounded<<<1, 65>>>(p.data);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(p.get()[0] == 3);
    dynamic<<<1, 32, 48 << 10>>>(p.data);
    CHECK(cudaGetLastError() == cudaSuccess && p.get()[0] == 31);
    dynamic<<<1, 32, 49 << 10>>>(p.data);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaFuncSetAttribute((const void *)dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 164 << 10) == cudaErrorInvalidValue);
    CUDA(cudaFuncSetAttribute((const void *)dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 163 << 10));
    (void)cudaGetLastError();
    dynamic<<<1, 32, 163 << 10>>>(p.data);
    CUDA(cudaGetLastError());
    CHECK(cudaFuncSetAttribute((const void *)&failures, cudaFuncAttributeMaxDynamicSharedMemorySize, 1) == cudaErrorInvalidDeviceFunction);
    (void)cudaGetLastError();
    cudaFuncAttributes a;
    CUDA(cudaFuncGetAttributes(&a, (const void *)big_static));
    CHECK(a.sharedSizeBytes == 4000 && a.maxThreadsPerBlock == 1024 && a.ptxVersion == 80 &&
          a.maxDynamicSharedSizeBytes == (48 << 10) - 4000);
    CUDA(cudaFuncGetAttributes(&a, (const void *)bounded));
    CHECK(a.maxThreadsPerBlock == 64 && a.sharedSizeBytes == 0);
    int blocks = 0;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 128, 40 << 10));
    CHECK(blocks == 4); /* 164 KB in parts of 41 */
    Large l = {};
    l.values[17] = 5;
    l.x = 0.25;
    l.c = 2;
    Device<double> d(1);
    large<<<1, 1>>>(l, 17, d.data);
    CHECK(d.get()[0] == 7.25);
    prints<<<1, 2>>>(12);
    CUDA(cudaDeviceSynchronize());
}

static void symbols()
{
    Device<float> p(4);
    variables<<<1, 4>>>(p.data);
    int n;
    float *q;
    CUDA(cudaMemcpyFromSymbol(&n, counter, 4));
    CUDA(cudaMemcpyFromSymbol(&q, pointer, 8));
    CHECK(n == 11 && q == p.data && p.get()[2] == 3);
    float other[2] = {20, 30};
    CUDA(cudaMemcpyToSymbol(table, other, 8, 4));
    variables<<<1, 4>>>(p.data);
    CHECK(p.get()[0] == 1 && p.get()[1] == 20 && p.get()[2] == 30 && p.get()[3] == 4);
}

static void memory()
{
    char *p, *q;
    CUDA(cudaMalloc((void **)&p, 100));
    CHECK((uintptr_t)p % 256 == 0);
    sim_set_quiet(1);
    CHECK(cudaMemset(p, 0, 101) == cudaErrorInvalidValue);
    char host[200] = {0};
    CHECK(cudaMemcpy(p + 50, host, 51, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(host, p, 10, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    sim_reset();
    sim_set_quiet(0);
    CUDA(cudaMemcpy(host + 100, p, 100, cudaMemcpyDefault));
    CHECK((unsigned char)host[150] == 0xff);
    CUDA(cudaFree(p));
    CHECK(cudaFree(p) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
    CUDA(cudaFree(nullptr));
    CHECK(cudaMalloc((void **)&q, 1ull << 60) == cudaErrorMemoryAllocation && cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) == "cudaErrorMemoryAllocation");
}

static void capture()
{
    std::vector<int> zeros(64);
    Device<int> p(zeros);
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA(cudaStreamCreate(&t));
    CUDA(cudaEventCreate(&fork));
    CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int value = 5; value < 7; value++) /* parameters are copied */
        fill<<<1, 32, 0, s>>>(p.data + (value - 5) * 32, value);
    CUDA(cudaEventRecord(fork, s));
    CUDA(cudaStreamWaitEvent(t, fork, 0));
    CUDA(cudaMemsetAsync(p.data, 0, 4, t));
    CUDA(cudaEventRecord(join, t));
    CUDA(cudaStreamWaitEvent(s, join, 0));
    cudaStreamCaptureStatus status;
    CUDA(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    CUDA(cudaStreamEndCapture(s, &graph));
    CHECK(p.get()[1] == 0);
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaGraphLaunch(exec, s));
    CUDA(cudaStreamSynchronize(s));
    CHECK(p.get()[0] == 0 && p.get()[1] == 5 && p.get()[40] == 6);
    CUDA(cudaGraphExecDestroy(exec));
    void *q;
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMalloc(&q, 4) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    CUDA(cudaMalloc(&q, 4));
    CHECK(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    CUDA(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    fill<<<1, 32>>>(p.data, 1); /* the legacy stream */
    CHECK(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
    CHECK(cudaStreamEndCapture(t, &graph) == cudaErrorStreamCaptureInvalidated);
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CUDA(cudaEventRecord(fork, s));
    CUDA(cudaStreamWaitEvent(t, fork, 0));
    fill<<<1, 32, 0, t>>>(p.data, 1);
    CHECK(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureUnjoined);
    (void)cudaGetLastError();
    CUDA(cudaFree(q));
    float milliseconds;
    CUDA(cudaEventRecord(fork, t));
    CHECK(cudaEventElapsedTime(&milliseconds, fork, join) == cudaErrorInvalidResourceHandle);
    CUDA(cudaStreamDestroy(t));
    CHECK(cudaStreamSynchronize(t) == cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
}

static void devices()
{
    Device<int> p(1);
    static const struct {
        int cc, arch, major, opt_in;
    } rows[] = {{80, 800, 8, 163}, {86, 800, 8, 99}, {89, 800, 8, 99}, {90, 901, 9, 227}, {100, 800, 10, 227}, {120, 800, 12, 99}};
    for (auto &row : rows) {
        sim_set_device(row.cc, 13);
        which<<<1, 1>>>(p.data);
        CHECK(p.get()[0] == row.arch);
        cudaDeviceProp properties;
        CUDA(cudaGetDeviceProperties(&properties, 0));
        int major, opt_in, count;
        CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
        CUDA(cudaDeviceGetAttribute(&opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
        CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
        CHECK(major == row.major && opt_in == row.opt_in << 10 && count == 13 && properties.multiProcessorCount == 13);
    }
    sim_set_device(80, 0);
    int n = 5;
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    sim_set_device_count(3);
    CUDA(cudaGetDeviceCount(&n));
    CHECK(n == 3 && cudaSetDevice(2) == cudaSuccess && cudaGetDevice(&n) == cudaSuccess && n == 2);
    (void)cudaGetLastError();
    sim_set_device_count(0);
    CHECK(cudaGetDeviceCount(&n) == cudaErrorNoDevice && n == 0);
    sim_set_device_count(-1);
    CHECK(cudaGetDeviceCount(&n) == cudaErrorInsufficientDriver && cudaMalloc((void **)&n, 4) == cudaErrorInsufficientDriver);
    sim_set_device_count(1);
    (void)cudaGetLastError();
}

int main()
{
    launches();
    symbols();
    memory();
    capture();
    devices();
    return summary();
}
