/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls on streams of two devices with a log behind their hooks that measures launches, one of them captured: trace FILE.json, of
   trace.sh. */
#include "trace_dyn.cuh"

#include "mikgen_trace.h"
#include <stdio.h>
#include <vector>

enum { N = 40 };

#define CHECK(call) \
    do { \
        const cudaError_t failed = (call); \
        if (failed != cudaSuccess) { \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(failed)); \
            return 1; \
        } \
    } while (0)

static float *device_array(float value)
{
    const std::vector<float> host(N * N, value);
    float *array = NULL;
    if (cudaMalloc((void **)&array, sizeof(float) * N * N) != cudaSuccess)
        return NULL;
    return cudaMemcpy(array, host.data(), sizeof(float) * N * N, cudaMemcpyHostToDevice) == cudaSuccess ? array : NULL;
}

/* Two products on two streams, and loops on the default one. */
static int on_device(int device, mikgen_trace_log *log)
{
    CHECK(cudaSetDevice(device));
    mikgen_cuda_options opt = {};
    cudaStream_t stream[2];
    float *a = device_array(1), *b = device_array(2), *c = device_array(0);
    const size_t room = smooth_workspace(3, N, N);
    opt.trace = mikgen_trace_keep_device;
    opt.trace_ctx = log;
    opt.trace_worker = device;
    for (cudaStream_t &s : stream) {
        CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        CHECK(product_with(&opt, N, N, N, a, b, c, s));
    }
    CHECK(product_with(&opt, N, N, N, a, b, c, stream[0]));
    CHECK(cudaMalloc(&opt.workspace, room));
    opt.workspace_bytes = room;
    CHECK(smooth_with(&opt, 3, N, N, a, c, NULL));
    return 0;
}

/* Captured: told when it is enqueued, not when it runs. */
static int captured(mikgen_trace_log *log)
{
    mikgen_cuda_options opt = {};
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *a = device_array(1), *b = device_array(2), *c = device_array(0), first = 0;
    opt.trace = mikgen_trace_keep_device;
    opt.trace_ctx = log;
    CHECK(product_prepare());
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(product_with(&opt, N, N, N, a, b, c, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&first, c, sizeof first, cudaMemcpyDeviceToHost));
    if (first != 2 * N) {
        printf("the graph gives %g\n", first);
        return 1;
    }
    CHECK(cudaStreamDestroy(stream)); /* and a launch on what is no stream fails */
    if (product_with(&opt, N, N, N, a, b, c, stream) == cudaSuccess) {
        printf("a launch on a stream that is gone succeeds\n");
        return 1;
    }
    cudaGetLastError();
    return 0;
}

int main(int argc, char **argv)
{
    mikgen_trace_log log, small;
    if (argc != 2 || mikgen_trace_open_device(&log, 0) != 0 || mikgen_trace_open_device(&small, 3) != 0)
        return 2;
    if (on_device(0, &log) || on_device(1, &log) || captured(&log))
        return 1;
    /* Written in the middle, and again: what was measured stays. */
    if (mikgen_trace_write(&log, argv[1]) || on_device(0, &log) || mikgen_trace_write(&log, argv[1]))
        return 1;
    /* Without room, and not written. */
    if (on_device(0, &small))
        return 1;
    mikgen_trace_close(&log);
    mikgen_trace_close(&small);
    return 0;
}
