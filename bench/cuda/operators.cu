/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HAVE_F16, HAVE_BF16, HAVE_F32, HAVE_TF32, HAVE_S8, HAVE_E4M3: which generated files are linked. */
#include "operators.h"

#ifdef HAVE_F16
#include "gemm_dyn.cuh"
#endif
#ifdef HAVE_BF16
#include "gemm_bf16_dyn.cuh"
#endif
#ifdef HAVE_F32
#include "gemm_f32_dyn.cuh"
#endif
#ifdef HAVE_TF32
#include "gemm_tf32_dyn.cuh"
#endif
#ifdef HAVE_S8
#include "gemm_s8_dyn.cuh"
#endif
#ifdef HAVE_E4M3
#include "gemm_e4m3_dyn.cuh"
#endif

#define OPERATOR(symbol, T, TC) \
    static cudaError_t symbol##_on(const mikgen_cuda_options *options, const Shape &s, const void *A, const void *B, void *C, \
                                   cudaStream_t stream) \
    { \
        return symbol##_with(options, s.m, s.n, s.k, (const T *)A, (const T *)B, (TC *)C, stream); \
    } \
    static size_t symbol##_bytes(const Shape &s) { return symbol##_workspace(s.m, s.n, s.k); } \
    static cudaError_t symbol##_choice(const Shape &s, mikgen_cuda_options *plan) { return symbol##_plan(s.m, s.n, s.k, plan); } \
    static int symbol##_text(const Shape &s, char *text, size_t size) { return symbol##_explain(s.m, s.n, s.k, text, size); }
#define ENTRIES(symbol) symbol##_on, symbol##_bytes, symbol##_choice, symbol##_kernel, symbol##_prepare, symbol##_text

#ifdef HAVE_F16
OPERATOR(gemm, __half, __half)
#endif
#ifdef HAVE_BF16
OPERATOR(gemm_bf16, __nv_bfloat16, __nv_bfloat16)
#endif
#ifdef HAVE_F32
OPERATOR(gemm_f32, float, float)
#endif
#ifdef HAVE_TF32
OPERATOR(tf32_gemm_f32, float, float)
#endif
#ifdef HAVE_S8
OPERATOR(gemm_s8, int8_t, int32_t)
#endif
#ifdef HAVE_E4M3
OPERATOR(gemm_e4m3, __nv_fp8_e4m3, __half)
#endif

static const Operator operators[] = {
#ifdef HAVE_F16
    {"f16", F16, ENTRIES(gemm)},
#endif
#ifdef HAVE_BF16
    {"bf16", BF16, ENTRIES(gemm_bf16)},
#endif
#ifdef HAVE_F32
    {"f32", F32, ENTRIES(gemm_f32)},
#endif
#ifdef HAVE_TF32
    {"tf32", F32, ENTRIES(tf32_gemm_f32)},
#endif
#ifdef HAVE_S8
    {"s8", S8, ENTRIES(gemm_s8)},
#endif
#ifdef HAVE_E4M3
    {"e4m3", E4M3, ENTRIES(gemm_e4m3)},
#endif
};

const Operator *operator_of(const std::string &type)
{
    for (const Operator &o : operators)
        if (type == o.type)
            return &o;
    return NULL;
}

std::string operators_all()
{
    std::string all;
    for (const Operator &o : operators)
        all += (all.empty() ? "" : ",") + std::string(o.type);
    return all;
}
