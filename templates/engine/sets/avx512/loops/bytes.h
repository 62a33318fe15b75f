/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: lanes of 8 bits, or 16; written for bytes without a sign. */
#pragma once
#include "narrow_mask.h"

typedef uint8_t u8z64 __attribute__((vector_size(64)));

/* Ones in all bits are kept: what sets a register to them waits for what it held before. */
MIK_INLINE MIK_AVX512L u8z64 u8z64_all(uint8_t x)
{
    u8z64 all = x - (u8z64){0};
    if (__builtin_constant_p(x) && x == (uint8_t)-1)
        __asm__("" : "+v"(all));
    return all;
}
MIK_INLINE MIK_AVX512L u8z64 u8z64_load(const uint8_t *p) { return (u8z64)_mm512_loadu_epi8(p); }
MIK_INLINE MIK_AVX512L void u8z64_store(uint8_t *p, u8z64 x) { _mm512_storeu_epi8(p, (__m512i)x); }
MIK_INLINE MIK_AVX512L u8z64 u8z64_load_where(const uint8_t *p, maskz64 where) { return (u8z64)_mm512_maskz_loadu_epi8(where, p); }
MIK_INLINE MIK_AVX512L void u8z64_store_where(uint8_t *p, u8z64 x, maskz64 where) { _mm512_mask_storeu_epi8(p, where, (__m512i)x); }
/* Of a number that is known, a quarter or half of the register: masked loads that reach into another line take longer. */
MIK_INLINE MIK_AVX512L u8z64 u8z64_load_part(const uint8_t *p, int64_t n)
{
    if (__builtin_constant_p(n) && n * (int64_t)sizeof *p == 16)
        return (u8z64)_mm512_zextsi128_si512(_mm_loadu_si128((const __m128i *)(const void *)p));
    if (__builtin_constant_p(n) && n * (int64_t)sizeof *p == 32)
        return (u8z64)_mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)p));
    return u8z64_load_where(p, maskz64_first(n));
}
MIK_INLINE MIK_AVX512L void u8z64_store_part(uint8_t *p, u8z64 x, int64_t n) { u8z64_store_where(p, x, maskz64_first(n)); }
/* A non-temporal store, if `non_temporal`, to where a vector is aligned. */
MIK_INLINE MIK_AVX512L void u8z64_store_non_temporal(uint8_t *p, u8z64 x, int non_temporal)
{
    if (non_temporal)
        _mm512_stream_si512((__m512i *)(void *)p, (__m512i)x);
    else
        u8z64_store(p, x);
}

MIK_INLINE MIK_AVX512L maskz64 u8z64_lt(u8z64 x, u8z64 y) { return _mm512_cmp_epu8_mask((__m512i)x, (__m512i)y, _MM_CMPINT_LT); }
MIK_INLINE MIK_AVX512L maskz64 u8z64_le(u8z64 x, u8z64 y) { return _mm512_cmp_epu8_mask((__m512i)x, (__m512i)y, _MM_CMPINT_LE); }
MIK_INLINE MIK_AVX512L maskz64 u8z64_gt(u8z64 x, u8z64 y) { return _mm512_cmp_epu8_mask((__m512i)x, (__m512i)y, _MM_CMPINT_NLE); }
MIK_INLINE MIK_AVX512L maskz64 u8z64_ge(u8z64 x, u8z64 y) { return _mm512_cmp_epu8_mask((__m512i)x, (__m512i)y, _MM_CMPINT_NLT); }
MIK_INLINE MIK_AVX512L maskz64 u8z64_eq(u8z64 x, u8z64 y) { return _mm512_cmp_epu8_mask((__m512i)x, (__m512i)y, _MM_CMPINT_EQ); }
MIK_INLINE MIK_AVX512L maskz64 u8z64_ne(u8z64 x, u8z64 y) { return _mm512_cmp_epu8_mask((__m512i)x, (__m512i)y, _MM_CMPINT_NE); }
MIK_INLINE MIK_AVX512L u8z64 u8z64_select(maskz64 where, u8z64 x, u8z64 y)
{
    return (u8z64)_mm512_mask_blend_epi8(where, (__m512i)y, (__m512i)x);
}
MIK_INLINE MIK_AVX512L u8z64 u8z64_max(u8z64 x, u8z64 y) { return (u8z64)_mm512_max_epu8((__m512i)x, (__m512i)y); }
MIK_INLINE MIK_AVX512L u8z64 u8z64_min(u8z64 x, u8z64 y) { return (u8z64)_mm512_min_epu8((__m512i)x, (__m512i)y); }
/* A mask as C's 1 and 0. */
MIK_INLINE MIK_AVX512L u8z64 u8z64_of_mask(maskz64 where) { return (u8z64)_mm512_maskz_set1_epi8(where, 1); }

/* Reduces all lanes, by halves. */
MIK_INLINE MIK_AVX512L uint8_t u8z64_greatest(u8z64 x)
{
    const __m256i y = _mm256_max_epu8(_mm512_castsi512_si256((__m512i)x), _mm512_extracti64x4_epi64((__m512i)x, 1));
    __m128i z = _mm_max_epu8(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    z = _mm_max_epu8(z, _mm_srli_si128(z, 8));
    z = _mm_max_epu8(z, _mm_srli_si128(z, 4));
    z = _mm_max_epu8(z, _mm_srli_si128(z, 2));
    z = sizeof(uint8_t) == 1 ? _mm_max_epu8(z, _mm_srli_si128(z, 1)) : z;
    return (uint8_t)_mm_cvtsi128_si32(z);
}
MIK_INLINE MIK_AVX512L uint8_t u8z64_least(u8z64 x)
{
    const __m256i y = _mm256_min_epu8(_mm512_castsi512_si256((__m512i)x), _mm512_extracti64x4_epi64((__m512i)x, 1));
    __m128i z = _mm_min_epu8(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    z = _mm_min_epu8(z, _mm_srli_si128(z, 8));
    z = _mm_min_epu8(z, _mm_srli_si128(z, 4));
    z = _mm_min_epu8(z, _mm_srli_si128(z, 2));
    z = sizeof(uint8_t) == 1 ? _mm_min_epu8(z, _mm_srli_si128(z, 1)) : z;
    return (uint8_t)_mm_cvtsi128_si32(z);
}
MIK_INLINE MIK_AVX512L uint8_t u8z64_and(u8z64 x)
{
    const __m256i y = _mm256_and_si256(_mm512_castsi512_si256((__m512i)x), _mm512_extracti64x4_epi64((__m512i)x, 1));
    const __m128i z = _mm_and_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    uint64_t all = (uint64_t)z[0] & (uint64_t)z[1];
    for (unsigned bits = 32; bits >= 8 * sizeof(uint8_t); bits /= 2)
        all &= all >> bits;
    return (uint8_t)all;
}
MIK_INLINE MIK_AVX512L uint8_t u8z64_or(u8z64 x)
{
    const __m256i y = _mm256_or_si256(_mm512_castsi512_si256((__m512i)x), _mm512_extracti64x4_epi64((__m512i)x, 1));
    const __m128i z = _mm_or_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    uint64_t all = (uint64_t)z[0] | (uint64_t)z[1];
    for (unsigned bits = 32; bits >= 8 * sizeof(uint8_t); bits /= 2)
        all |= all >> bits;
    return (uint8_t)all;
}
MIK_INLINE MIK_AVX512L uint8_t u8z64_xor(u8z64 x)
{
    const __m256i y = _mm256_xor_si256(_mm512_castsi512_si256((__m512i)x), _mm512_extracti64x4_epi64((__m512i)x, 1));
    const __m128i z = _mm_xor_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    uint64_t all = (uint64_t)z[0] ^ (uint64_t)z[1];
    for (unsigned bits = 32; bits >= 8 * sizeof(uint8_t); bits /= 2)
        all ^= all >> bits;
    return (uint8_t)all;
}
