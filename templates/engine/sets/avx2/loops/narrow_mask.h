/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: masks of 32 lanes, and of 16. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int8_t masky32 __attribute__((vector_size(32)));
typedef int16_t masky16 __attribute__((vector_size(32)));

/* The first n lanes, 0 <= n; all if there are no more. */
MIK_INLINE MIK_AVX2L masky32 masky32_first(int64_t n)
{
    const __m256i lane = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                          27, 28, 29, 30, 31);
    return (masky32)_mm256_cmpgt_epi8(_mm256_set1_epi8((char)(n < 32 ? n : 32)), lane);
}
MIK_INLINE MIK_AVX2L masky16 masky16_first(int64_t n)
{
    const __m256i lane = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return (masky16)_mm256_cmpgt_epi16(_mm256_set1_epi16((short)(n < 16 ? n : 16)), lane);
}
/* Does it name some lane? */
MIK_INLINE MIK_AVX2L int masky32_any(masky32 where) { return _mm256_movemask_epi8((__m256i)where) != 0; }
MIK_INLINE MIK_AVX2L int masky16_any(masky16 where) { return _mm256_movemask_epi8((__m256i)where) != 0; }
