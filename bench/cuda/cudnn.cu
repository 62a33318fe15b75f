/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cudnn.h"

static const char *const names[] = {"implicit_gemm", "implicit_precomp_gemm", "gemm", "direct", "fft", "fft_tiling",
                                    "winograd",      "winograd_nonfused"};

const char *cudnn_name(int program) { return program < 0 ? "none" : names[program % CUDNN_ALGORITHMS]; }

#ifndef HAVE_CUDNN

Cudnn *cudnn_open(Element, bool, cudaStream_t) { return NULL; }
void cudnn_close(Cudnn *) {}
size_t cudnn_number(void) { return 0; }
bool cudnn_take(Cudnn *, const Conv &) { return false; }
bool cudnn_run(Cudnn *, int, const void *, const void *, void *) { return false; }

#else

#include <cudnn.h>
#include <stdexcept>

struct Cudnn {
    cudnnHandle_t handle;
    cudnnDataType_t type;
    cudnnTensorDescriptor_t image[2], output[2];
    cudnnFilterDescriptor_t filter[2];
    cudnnConvolutionDescriptor_t operation;
    cudnnMathType_t math;
    void *workspace;
    size_t bytes[CUDNN_PROGRAMS]; /* of workspace; of the shape last taken */
    bool takes[CUDNN_PROGRAMS];
};

static const size_t room = 1 << 30;

static void need(cudnnStatus_t status, const char *what)
{
    if (status != CUDNN_STATUS_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + cudnnGetErrorString(status));
}

/* False: cuDNN has no tensors of that size. */
static bool describes(cudnnStatus_t status, const char *what)
{
#ifdef CUDNN_STATUS_CATEGORY
    const int kind = CUDNN_STATUS_CATEGORY(status);
#else
    const int kind = status;
#endif
    if (kind != CUDNN_STATUS_NOT_SUPPORTED)
        need(status, what);
    return kind != CUDNN_STATUS_NOT_SUPPORTED;
}

Cudnn *cudnn_open(Element element, bool tf32, cudaStream_t stream)
{
    Cudnn *c = new Cudnn();
    c->type = element == F16 ? CUDNN_DATA_HALF : element == BF16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
    c->math = element != F32 ? CUDNN_TENSOR_OP_MATH : tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
    need(cudnnCreate(&c->handle), "cudnnCreate");
    need(cudnnSetStream(c->handle, stream), "cudnnSetStream");
    for (int l = 0; l < 2; l++) {
        need(cudnnCreateTensorDescriptor(&c->image[l]), "tensor");
        need(cudnnCreateTensorDescriptor(&c->output[l]), "tensor");
        need(cudnnCreateFilterDescriptor(&c->filter[l]), "filter");
    }
    need(cudnnCreateConvolutionDescriptor(&c->operation), "convolution");
    CHECK(cudaMalloc(&c->workspace, room));
    return c;
}

void cudnn_close(Cudnn *c)
{
    for (int l = 0; l < 2; l++) {
        cudnnDestroyTensorDescriptor(c->image[l]);
        cudnnDestroyTensorDescriptor(c->output[l]);
        cudnnDestroyFilterDescriptor(c->filter[l]);
    }
    cudnnDestroyConvolutionDescriptor(c->operation);
    cudnnDestroy(c->handle);
    cudaFree(c->workspace);
    delete c;
}

size_t cudnn_number(void) { return cudnnGetVersion(); }

bool cudnn_take(Cudnn *c, const Conv &v)
{
    static const cudnnTensorFormat_t formats[] = {CUDNN_TENSOR_NHWC, CUDNN_TENSOR_NCHW};
    need(cudnnSetConvolution2dDescriptor(c->operation, v.pad, v.pad, v.stride, v.stride, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
         "convolution");
    need(cudnnSetConvolutionMathType(c->operation, c->math), "math type");
    for (int l = 0; l < 2; l++) {
        if (!describes(cudnnSetTensor4dDescriptor(c->image[l], formats[l], c->type, v.N, v.C, v.H, v.W), "image") ||
            !describes(cudnnSetTensor4dDescriptor(c->output[l], formats[l], c->type, v.N, v.K, v.P(), v.Q()), "output") ||
            !describes(cudnnSetFilter4dDescriptor(c->filter[l], c->type, formats[l], v.K, v.C, v.R, v.S), "filter"))
            return false;
        for (int a = 0; a < CUDNN_ALGORITHMS; a++) {
            const int p = l * CUDNN_ALGORITHMS + a;
            c->takes[p] = cudnnGetConvolutionForwardWorkspaceSize(c->handle, c->image[l], c->filter[l], c->operation, c->output[l],
                                                                  (cudnnConvolutionFwdAlgo_t)a, &c->bytes[p]) == CUDNN_STATUS_SUCCESS &&
                          c->bytes[p] <= room;
        }
    }
    return true;
}

bool cudnn_run(Cudnn *c, int p, const void *image, const void *filter, void *output)
{
    const float one = 1, zero = 0;
    const int l = p / CUDNN_ALGORITHMS;
    return c->takes[p] && cudnnConvolutionForward(c->handle, &one, c->image[l], image, c->filter[l], filter, c->operation,
                                                  (cudnnConvolutionFwdAlgo_t)(p % CUDNN_ALGORITHMS), c->workspace, c->bytes[p], &zero,
                                                  c->output[l], output) == CUDNN_STATUS_SUCCESS;
}

#endif
