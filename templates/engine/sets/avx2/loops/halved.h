/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: integers of 64 bits as integers of 32, two instructions where compilers take five. */
#pragma once
#include "types.h"

typedef int32_t i32y4 __attribute__((vector_size(16)));
typedef int64_t i64y4 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i32y4 i32y4_of_i64(i64y4 x)
{
    const __m128i low = _mm256_castsi256_si128((__m256i)x), high = _mm256_extracti128_si256((__m256i)x, 1);
    return (i32y4)_mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(low), _mm_castsi128_ps(high), 0x88));
}
