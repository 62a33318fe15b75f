/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cublas.h"

#ifndef HAVE_CUBLAS

Cublas *cublas_open(const char *, cudaStream_t) { return NULL; }
void cublas_close(Cublas *) {}
int cublas_version(void) { return 0; }
bool cublas_run(Cublas *, const Shape &, const void *, const void *, void *) { return false; }
bool cublas_reference(Cublas *, const Shape &, const void *, const void *, float *) { return false; }
int cublas_lt_ask(Cublas *, const Shape &) { return 0; }
bool cublas_lt_run(Cublas *, int, const void *, const void *, void *) { return false; }

#else

#include <cublas_v2.h>
#include <cublasLt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LT_WORKSPACE = 32 << 20 };

struct Cublas {
    cublasHandle_t handle;
    cublasLtHandle_t lt;
    cudaStream_t stream;
    cudaDataType_t type, out;
    cublasComputeType_t compute;
    cublasOperation_t b_operation;
    const void *one, *zero;
    void *workspace;
    cublasLtMatmulDesc_t operation;
    cublasLtMatmulPreference_t preference;
    cublasLtMatrixLayout_t a, b, c; /* of the shape last asked about */
    cublasLtMatmulHeuristicResult_t algorithms[LT_MOST];
};

static void need(cublasStatus_t status, const char *what)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", what, cublasGetStatusString(status));
    exit(3);
}

static void set_types(Cublas *c, const char *type)
{
    static const struct {
        const char *name;
        cudaDataType_t type, out;
        cublasComputeType_t compute;
        cublasOperation_t b_operation;
    } all[] = {
        {"f16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUBLAS_OP_N},
        {"bf16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUBLAS_OP_N},
        {"f32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUBLAS_OP_N},
        {"tf32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_OP_N},
        {"s8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUBLAS_OP_T},
        {"e4m3", CUDA_R_8F_E4M3, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUBLAS_OP_T},
    };
    static const float ones[] = {0, 1};
    static const int32_t whole_ones[] = {0, 1};
    for (const auto &t : all)
        if (strcmp(type, t.name) == 0) {
            c->type = t.type;
            c->out = t.out;
            c->compute = t.compute;
            c->b_operation = t.b_operation;
        }
    const bool whole = c->compute == CUBLAS_COMPUTE_32I;
    c->zero = whole ? (const void *)&whole_ones[0] : &ones[0];
    c->one = whole ? (const void *)&whole_ones[1] : &ones[1];
}

Cublas *cublas_open(const char *type, cudaStream_t stream)
{
    Cublas *c = new Cublas();
    const uint64_t room = LT_WORKSPACE;
    c->stream = stream;
    set_types(c, type);
    need(cublasCreate(&c->handle), "cublasCreate");
    need(cublasSetStream(c->handle, stream), "cublasSetStream");
    need(cublasLtCreate(&c->lt), "cublasLtCreate");
    need(cublasLtMatmulDescCreate(&c->operation, c->compute, c->compute == CUBLAS_COMPUTE_32I ? CUDA_R_32I : CUDA_R_32F),
         "cublasLtMatmulDescCreate");
    need(cublasLtMatmulDescSetAttribute(c->operation, CUBLASLT_MATMUL_DESC_TRANSA, &c->b_operation, sizeof c->b_operation), "operation");
    need(cublasLtMatmulPreferenceCreate(&c->preference), "cublasLtMatmulPreferenceCreate");
    need(cublasLtMatmulPreferenceSetAttribute(c->preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room), "preference");
    CHECK(cudaMalloc(&c->workspace, LT_WORKSPACE));
    return c;
}

static void forget_layouts(Cublas *c)
{
    for (cublasLtMatrixLayout_t *layout : {&c->a, &c->b, &c->c}) {
        if (*layout)
            cublasLtMatrixLayoutDestroy(*layout);
        *layout = NULL;
    }
}

void cublas_close(Cublas *c)
{
    forget_layouts(c);
    cublasLtMatmulPreferenceDestroy(c->preference);
    cublasLtMatmulDescDestroy(c->operation);
    cublasLtDestroy(c->lt);
    cublasDestroy(c->handle);
    cudaFree(c->workspace);
    delete c;
}

int cublas_version(void) { return (int)cublasLtGetVersion(); }

/* Column by column, C^T = B^T * A^T is what row by row is C = A * B. */
static bool multiply(Cublas *c, const Shape &s, const void *A, const void *B, void *C, cudaDataType_t out, cublasComputeType_t compute)
{
    return cublasGemmEx(c->handle, c->b_operation, CUBLAS_OP_N, s.n, s.m, s.k, c->one, B, c->type,
                        c->b_operation == CUBLAS_OP_T ? s.k : s.n, A, c->type, s.k, c->zero, C, out, s.n, compute,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
}

bool cublas_run(Cublas *c, const Shape &s, const void *A, const void *B, void *C) { return multiply(c, s, A, B, C, c->out, c->compute); }

bool cublas_reference(Cublas *c, const Shape &s, const void *A, const void *B, float *C)
{
    cublasMath_t before;
    need(cublasGetMathMode(c->handle, &before), "cublasGetMathMode");
    need(cublasSetMathMode(c->handle, (cublasMath_t)(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)), "math mode");
    const bool done = multiply(c, s, A, B, C, CUDA_R_32F, c->type == CUDA_R_32F ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F);
    need(cublasSetMathMode(c->handle, before), "math mode");
    return done;
}

int cublas_lt_ask(Cublas *c, const Shape &s)
{
    int found = 0;
    forget_layouts(c);
    const bool along_k = c->b_operation == CUBLAS_OP_T;
    const uint64_t n = (uint64_t)s.n, k = (uint64_t)s.k;
    need(cublasLtMatrixLayoutCreate(&c->b, c->type, along_k ? k : n, along_k ? n : k, along_k ? s.k : s.n), "layout");
    need(cublasLtMatrixLayoutCreate(&c->a, c->type, (uint64_t)s.k, (uint64_t)s.m, s.k), "layout");
    need(cublasLtMatrixLayoutCreate(&c->c, c->out, (uint64_t)s.n, (uint64_t)s.m, s.n), "layout");
    return cublasLtMatmulAlgoGetHeuristic(c->lt, c->operation, c->b, c->a, c->c, c->c, c->preference, LT_MOST, c->algorithms, &found) ==
                   CUBLAS_STATUS_SUCCESS
               ? found
               : 0;
}

bool cublas_lt_run(Cublas *c, int algorithm, const void *A, const void *B, void *C)
{
    const cublasLtMatmulHeuristicResult_t *const p = &c->algorithms[algorithm];
    return p->state == CUBLAS_STATUS_SUCCESS && p->workspaceSize <= LT_WORKSPACE &&
           cublasLtMatmul(c->lt, c->operation, c->one, B, c->b, A, c->a, c->zero, C, c->c, C, c->c, &p->algo, c->workspace,
                          p->workspaceSize, c->stream) == CUBLAS_STATUS_SUCCESS;
}

#endif
