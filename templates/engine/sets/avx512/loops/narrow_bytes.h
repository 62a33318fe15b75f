/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: 32 lanes of 16 bits from and to bytes in memory, written for int8_t. */
#pragma once
#include "bytes.h"

typedef int16_t i16z32 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L i16z32 i16z32_load_i8(const int8_t *p)
{
    return (i16z32)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_where_i8(const int8_t *p, maskz32 where)
{
    return (i16z32)_mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(where, p));
}
MIK_INLINE MIK_AVX512L i16z32 i16z32_load_part_i8(const int8_t *p, int64_t n) { return i16z32_load_where_i8(p, maskz32_first(n)); }
/* The lower bytes of all lanes. */
MIK_INLINE MIK_AVX512L void i16z32_store_i8(int8_t *p, i16z32 x)
{
    const __m256i bytes = _mm512_cvtepi16_epi8((__m512i)x);
    memcpy(p, &bytes, sizeof bytes);
}
MIK_INLINE MIK_AVX512L void i16z32_store_where_i8(int8_t *p, i16z32 x, maskz32 where)
{
    _mm256_mask_storeu_epi8(p, where, _mm512_cvtepi16_epi8((__m512i)x));
}
MIK_INLINE MIK_AVX512L void i16z32_store_part_i8(int8_t *p, i16z32 x, int64_t n) { i16z32_store_where_i8(p, x, maskz32_first(n)); }
