/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: narrower elements in memory, and integers that are no neighbours (avx2_apart.h). */
#pragma once
#include "float.h"

MIK_INLINE MIK_AVX2L i32y8 i32y8_load_i8(const int8_t *p)
{
    return (i32y8)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_u8(const uint8_t *p)
{
    return (i32y8)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_i16(const int16_t *p)
{
    return (i32y8)_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX2L i32y8 i32y8_load_u16(const uint16_t *p)
{
    return (i32y8)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
/* The lowest bytes of all lanes, one behind the other; the lowest two of each. */
MIK_INLINE MIK_AVX2L __m128i i32y8_bytes(i32y8 x)
{
    const __m256i low = _mm256_set_epi32(-1, -1, -1, 0x0c080400, -1, -1, -1, 0x0c080400);
    const __m256i bytes = _mm256_shuffle_epi8((__m256i)x, low);
    return _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
}
MIK_INLINE MIK_AVX2L __m128i i32y8_shorts(i32y8 x)
{
    const __m256i low = _mm256_set_epi32(-1, -1, 0x0d0c0908, 0x05040100, -1, -1, 0x0d0c0908, 0x05040100);
    const __m256i shorts = _mm256_shuffle_epi8((__m256i)x, low);
    return _mm_unpacklo_epi64(_mm256_castsi256_si128(shorts), _mm256_extracti128_si256(shorts, 1));
}
MIK_INLINE MIK_AVX2L void i32y8_store_i8(int8_t *p, i32y8 x) { _mm_storel_epi64((__m128i *)(void *)p, i32y8_bytes(x)); }
MIK_INLINE MIK_AVX2L void i32y8_store_u8(uint8_t *p, i32y8 x) { _mm_storel_epi64((__m128i *)(void *)p, i32y8_bytes(x)); }
MIK_INLINE MIK_AVX2L void i32y8_store_i16(int16_t *p, i32y8 x) { _mm_storeu_si128((__m128i *)(void *)p, i32y8_shorts(x)); }
MIK_INLINE MIK_AVX2L void i32y8_store_u16(uint16_t *p, i32y8 x) { _mm_storeu_si128((__m128i *)(void *)p, i32y8_shorts(x)); }

/* 16-bit floats. */
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_half(const uint16_t *p) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)p)); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_all_half(const uint16_t *p) { return _mm256_cvtph_ps(_mm_set1_epi16((short)*p)); }
MIK_INLINE MIK_AVX2L __m128i f32y8_halves(f32y8 x) { return _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT); }
MIK_INLINE MIK_AVX2L void f32y8_store_half(uint16_t *p, f32y8 x) { _mm_storeu_si128((__m128i *)(void *)p, f32y8_halves(x)); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_to_half(f32y8 x) { return _mm256_cvtph_ps(f32y8_halves(x)); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_of_upper(__m128i halves)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_bf16(const uint16_t *p) { return f32y8_of_upper(_mm_loadu_si128((const __m128i *)(const void *)p)); }
/* Upper halves, rounded to nearest even; a NaN becomes a quiet one. */
MIK_INLINE MIK_AVX2L __m128i f32y8_upper(f32y8 x)
{
    const __m256i u = _mm256_castps_si256(x), odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
    const __m256i rounded = _mm256_add_epi32(u, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)), quiet = _mm256_or_si256(u, _mm256_set1_epi32(0x400000));
    const __m256i upper = _mm256_srli_epi32(_mm256_blendv_epi8(rounded, quiet, nan), 16);
    return _mm_packus_epi32(_mm256_castsi256_si128(upper), _mm256_extracti128_si256(upper, 1));
}
MIK_INLINE MIK_AVX2L void f32y8_store_bf16(uint16_t *p, f32y8 x) { _mm_storeu_si128((__m128i *)(void *)p, f32y8_upper(x)); }
MIK_INLINE MIK_AVX2L f32y8 f32y8_to_bf16(f32y8 x) { return f32y8_of_upper(f32y8_upper(x)); }
