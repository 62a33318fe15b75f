/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: narrower elements in memory. */
#pragma once
#include "integer.h"

MIK_INLINE MIK_AVX512L i32z16 i32z16_load_i8(const int8_t *p)
{
    return (i32z16)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_u8(const uint8_t *p)
{
    return (i32z16)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_i16(const int16_t *p)
{
    return (i32z16)_mm512_cvtepi16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_u16(const uint16_t *p)
{
    return (i32z16)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_where_i8(const int8_t *p, maskz16 where)
{
    return (i32z16)_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(where, p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_where_u8(const uint8_t *p, maskz16 where)
{
    return (i32z16)_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(where, p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_where_i16(const int16_t *p, maskz16 where)
{
    return (i32z16)_mm512_cvtepi16_epi32(_mm256_maskz_loadu_epi16(where, p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_where_u16(const uint16_t *p, maskz16 where)
{
    return (i32z16)_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(where, p));
}
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_part_i8(const int8_t *p, int64_t n) { return i32z16_load_where_i8(p, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_part_u8(const uint8_t *p, int64_t n) { return i32z16_load_where_u8(p, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_part_i16(const int16_t *p, int64_t n) { return i32z16_load_where_i16(p, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L i32z16 i32z16_load_part_u16(const uint16_t *p, int64_t n) { return i32z16_load_where_u16(p, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L void i32z16_store_where_i8(int8_t *p, i32z16 x, maskz16 where)
{
    _mm512_mask_cvtepi32_storeu_epi8(p, where, (__m512i)x);
}
MIK_INLINE MIK_AVX512L void i32z16_store_where_u8(uint8_t *p, i32z16 x, maskz16 where)
{
    _mm512_mask_cvtepi32_storeu_epi8(p, where, (__m512i)x);
}
MIK_INLINE MIK_AVX512L void i32z16_store_where_i16(int16_t *p, i32z16 x, maskz16 where)
{
    _mm512_mask_cvtepi32_storeu_epi16(p, where, (__m512i)x);
}
MIK_INLINE MIK_AVX512L void i32z16_store_where_u16(uint16_t *p, i32z16 x, maskz16 where)
{
    _mm512_mask_cvtepi32_storeu_epi16(p, where, (__m512i)x);
}
MIK_INLINE MIK_AVX512L void i32z16_store_part_i8(int8_t *p, i32z16 x, int64_t n) { i32z16_store_where_i8(p, x, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L void i32z16_store_part_u8(uint8_t *p, i32z16 x, int64_t n) { i32z16_store_where_u8(p, x, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L void i32z16_store_part_i16(int16_t *p, i32z16 x, int64_t n) { i32z16_store_where_i16(p, x, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L void i32z16_store_part_u16(uint16_t *p, i32z16 x, int64_t n) { i32z16_store_where_u16(p, x, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L void i32z16_store_i8(int8_t *p, i32z16 x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8((__m512i)x));
}
MIK_INLINE MIK_AVX512L void i32z16_store_u8(uint8_t *p, i32z16 x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8((__m512i)x));
}
MIK_INLINE MIK_AVX512L void i32z16_store_i16(int16_t *p, i32z16 x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtepi32_epi16((__m512i)x));
}
MIK_INLINE MIK_AVX512L void i32z16_store_u16(uint16_t *p, i32z16 x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtepi32_epi16((__m512i)x));
}

/* 16-bit floats. */
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_half(const uint16_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_all_half(const uint16_t *p) { return _mm512_cvtph_ps(_mm256_set1_epi16((short)*p)); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_where_half(const uint16_t *p, maskz16 where)
{
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(where, p));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_part_half(const uint16_t *p, int64_t n) { return f32z16_load_where_half(p, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L __m256i f32z16_halves(f32z16 x) { return _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT); }
MIK_INLINE MIK_AVX512L void f32z16_store_half(uint16_t *p, f32z16 x) { _mm256_storeu_si256((__m256i *)(void *)p, f32z16_halves(x)); }
MIK_INLINE MIK_AVX512L void f32z16_store_where_half(uint16_t *p, f32z16 x, maskz16 where)
{
    _mm256_mask_storeu_epi16(p, where, f32z16_halves(x));
}
MIK_INLINE MIK_AVX512L void f32z16_store_part_half(uint16_t *p, f32z16 x, int64_t n) { f32z16_store_where_half(p, x, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_to_half(f32z16 x) { return _mm512_cvtph_ps(f32z16_halves(x)); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_of_upper(__m256i halves)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_bf16(const uint16_t *p)
{
    return f32z16_of_upper(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_where_bf16(const uint16_t *p, maskz16 where)
{
    return f32z16_of_upper(_mm256_maskz_loadu_epi16(where, p));
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_part_bf16(const uint16_t *p, int64_t n) { return f32z16_load_where_bf16(p, maskz16_first(n)); }
/* Upper halves, rounded to nearest even; a NaN becomes a quiet one. */
MIK_INLINE MIK_AVX512L __m256i f32z16_upper(f32z16 x)
{
    const __m512i u = _mm512_castps_si512(x), odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), _mm512_set1_epi32(1));
    const __m512i rounded = _mm512_add_epi32(u, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_mask_or_epi32(rounded, nan, u, _mm512_set1_epi32(0x400000)), 16));
}
MIK_INLINE MIK_AVX512L void f32z16_store_bf16(uint16_t *p, f32z16 x) { _mm256_storeu_si256((__m256i *)(void *)p, f32z16_upper(x)); }
MIK_INLINE MIK_AVX512L void f32z16_store_where_bf16(uint16_t *p, f32z16 x, maskz16 where)
{
    _mm256_mask_storeu_epi16(p, where, f32z16_upper(x));
}
MIK_INLINE MIK_AVX512L void f32z16_store_part_bf16(uint16_t *p, f32z16 x, int64_t n) { f32z16_store_where_bf16(p, x, maskz16_first(n)); }
MIK_INLINE MIK_AVX512L f32z16 f32z16_to_bf16(f32z16 x) { return f32z16_of_upper(f32z16_upper(x)); }
