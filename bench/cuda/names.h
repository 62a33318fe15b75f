/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in reports: element types, kernels. */
#ifndef BENCH_CUDA_NAMES_H
#define BENCH_CUDA_NAMES_H

#include <string>

/* S8 and E4M3 are operands' alone. */
enum Element { F16, BF16, F32, S8, E4M3, S32 };

static inline int element_bytes(Element element)
{
    return element == F32 || element == S32 ? 4 : element == F16 || element == BF16 ? 2 : 1;
}

/* What products of such elements are stored as. */
static inline Element output_element(Element element) { return element == S8 ? S32 : element == E4M3 ? F16 : element; }

/* Is B stored along k, [n][k]? Operands of one byte are, as their peers want them. */
static inline bool is_b_along_k(Element element) { return element_bytes(element) == 1; }

/* "128x64x32_sm80" out of "mik_gemm_f16f32_128x64x32_sm80". */
std::string kernel_short(const char *name);
#endif
