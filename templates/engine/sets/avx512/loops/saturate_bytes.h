/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: 32 lanes of 16 bits with a sign to bytes in memory, which saturate. Written for int8_t. */
#pragma once
#include "bytes.h"

typedef int16_t i16z32 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L __m256i i16z32_saturated_bytes_i8(i16z32 x)
{
    return (int8_t)-1 < 0 ? _mm512_cvtsepi16_epi8((__m512i)x)
                          : _mm512_cvtusepi16_epi8(_mm512_max_epi16((__m512i)x, _mm512_setzero_si512()));
}
MIK_INLINE MIK_AVX512L void i16z32_store_sat_i8(int8_t *p, i16z32 x)
{
    const __m256i bytes = i16z32_saturated_bytes_i8(x);
    memcpy(p, &bytes, sizeof bytes);
}
MIK_INLINE MIK_AVX512L void i16z32_store_sat_where_i8(int8_t *p, i16z32 x, maskz32 where)
{
    _mm256_mask_storeu_epi8(p, where, i16z32_saturated_bytes_i8(x));
}
MIK_INLINE MIK_AVX512L void i16z32_store_sat_part_i8(int8_t *p, i16z32 x, int64_t n) { i16z32_store_sat_where_i8(p, x, maskz32_first(n)); }
