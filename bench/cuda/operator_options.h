/* SPDX-License-Identifier: GPL-3.0-or-later */
/* struct mikgen_cuda_options, from whichever generated header there is. */
#ifndef BENCH_CUDA_OPERATOR_OPTIONS_H
#define BENCH_CUDA_OPERATOR_OPTIONS_H

#if defined(CONV_HEADER)
#include CONV_HEADER
#elif defined(HAVE_F16)
#include "gemm_dyn.cuh"
#elif defined(HAVE_BF16)
#include "gemm_bf16_dyn.cuh"
#elif defined(HAVE_F32)
#include "gemm_f32_dyn.cuh"
#elif defined(HAVE_TF32)
#include "gemm_tf32_dyn.cuh"
#elif defined(HAVE_S8)
#include "gemm_s8_dyn.cuh"
#else
#include "gemm_e4m3_dyn.cuh"
#endif

#endif
