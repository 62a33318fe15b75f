/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: comparisons of bytes, or of 16 bits, without a sign. Two instructions each; compilers take three where one side is constant. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8y32 __attribute__((vector_size(32)));
typedef int8_t masky32 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L masky32 u8y32_le(u8y32 x, u8y32 y)
{
    return (masky32)_mm256_cmpeq_epi8(_mm256_min_epu8((__m256i)x, (__m256i)y), (__m256i)x);
}
MIK_INLINE MIK_AVX2L masky32 u8y32_ge(u8y32 x, u8y32 y)
{
    return (masky32)_mm256_cmpeq_epi8(_mm256_max_epu8((__m256i)x, (__m256i)y), (__m256i)x);
}
