/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: rows of three or four elements of 32 bits, one for each lane. Of three vectors of memory blends take one element of each row, which a
 * shuffle puts in order; four are turned round by halves. */
#pragma once
#include "float.h"

/* Elements at p and q, four each. */
MIK_INLINE MIK_AVX2L __m256 f32y8_pieces(const float *p, const float *q)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p), high = _mm_loadu_si128((const __m128i *)(const void *)q);
    return _mm256_castsi256_ps(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1));
}
MIK_INLINE MIK_AVX2L void f32y8_store_pieces(float *p, float *q, __m256 x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(_mm256_castps_si256(x)));
    _mm_storeu_si128((__m128i *)(void *)q, _mm256_extracti128_si256(_mm256_castps_si256(x), 1));
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load3_0(const float *p)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)(p + 8));
    const __m256i z = _mm256_loadu_si256((const __m256i *)(const void *)(p + 16));
    const __m256i all = _mm256_blend_epi32(_mm256_blend_epi32(x, y, 0x92), z, 0x24);
    return (f32y8)_mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load3_1(const float *p)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)(p + 8));
    const __m256i z = _mm256_loadu_si256((const __m256i *)(const void *)(p + 16));
    const __m256i all = _mm256_blend_epi32(_mm256_blend_epi32(x, y, 0x24), z, 0x49);
    return (f32y8)_mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(1, 4, 7, 2, 5, 0, 3, 6));
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load3_2(const float *p)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)(p + 8));
    const __m256i z = _mm256_loadu_si256((const __m256i *)(const void *)(p + 16));
    const __m256i all = _mm256_blend_epi32(_mm256_blend_epi32(x, y, 0x49), z, 0x92);
    return (f32y8)_mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(2, 5, 0, 3, 6, 1, 4, 7));
}
MIK_INLINE MIK_AVX2L void f32y8_store3(float *p, f32y8 x, f32y8 y, f32y8 z)
{
    const __m256i a = _mm256_permutevar8x32_epi32((__m256i)x, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
    const __m256i b = _mm256_permutevar8x32_epi32((__m256i)y, _mm256_setr_epi32(5, 0, 3, 6, 1, 4, 7, 2));
    const __m256i c = _mm256_permutevar8x32_epi32((__m256i)z, _mm256_setr_epi32(2, 5, 0, 3, 6, 1, 4, 7));
    const __m256i first = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x92), c, 0x24);
    const __m256i second = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x24), c, 0x49);
    const __m256i third = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x49), c, 0x92);
    _mm256_storeu_si256((__m256i *)(void *)p, first);
    _mm256_storeu_si256((__m256i *)(void *)(p + 8), second);
    _mm256_storeu_si256((__m256i *)(void *)(p + 16), third);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load4_0(const float *p, int64_t apart)
{
    const float *q = p + 4 * apart;
    const __m256 low = _mm256_unpacklo_ps(f32y8_pieces(p, q), f32y8_pieces(p + apart, q + apart));
    const __m256 high = _mm256_unpacklo_ps(f32y8_pieces(p + 2 * apart, q + 2 * apart), f32y8_pieces(p + 3 * apart, q + 3 * apart));
    return (f32y8)_mm256_shuffle_ps(low, high, 0x44);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load4_1(const float *p, int64_t apart)
{
    const float *q = p + 4 * apart;
    const __m256 low = _mm256_unpacklo_ps(f32y8_pieces(p, q), f32y8_pieces(p + apart, q + apart));
    const __m256 high = _mm256_unpacklo_ps(f32y8_pieces(p + 2 * apart, q + 2 * apart), f32y8_pieces(p + 3 * apart, q + 3 * apart));
    return (f32y8)_mm256_shuffle_ps(low, high, 0xee);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load4_2(const float *p, int64_t apart)
{
    const float *q = p + 4 * apart;
    const __m256 low = _mm256_unpackhi_ps(f32y8_pieces(p, q), f32y8_pieces(p + apart, q + apart));
    const __m256 high = _mm256_unpackhi_ps(f32y8_pieces(p + 2 * apart, q + 2 * apart), f32y8_pieces(p + 3 * apart, q + 3 * apart));
    return (f32y8)_mm256_shuffle_ps(low, high, 0x44);
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load4_3(const float *p, int64_t apart)
{
    const float *q = p + 4 * apart;
    const __m256 low = _mm256_unpackhi_ps(f32y8_pieces(p, q), f32y8_pieces(p + apart, q + apart));
    const __m256 high = _mm256_unpackhi_ps(f32y8_pieces(p + 2 * apart, q + 2 * apart), f32y8_pieces(p + 3 * apart, q + 3 * apart));
    return (f32y8)_mm256_shuffle_ps(low, high, 0xee);
}
MIK_INLINE MIK_AVX2L void f32y8_store4(float *p, int64_t apart, f32y8 x, f32y8 y, f32y8 z, f32y8 w)
{
    float *q = p + 4 * apart;
    const __m256 xy = _mm256_unpacklo_ps((__m256)x, (__m256)y), zw = _mm256_unpacklo_ps((__m256)z, (__m256)w);
    const __m256 yx = _mm256_unpackhi_ps((__m256)x, (__m256)y), wz = _mm256_unpackhi_ps((__m256)z, (__m256)w);
    f32y8_store_pieces(p, q, _mm256_shuffle_ps(xy, zw, 0x44));
    f32y8_store_pieces(p + apart, q + apart, _mm256_shuffle_ps(xy, zw, 0xee));
    f32y8_store_pieces(p + 2 * apart, q + 2 * apart, _mm256_shuffle_ps(yx, wz, 0x44));
    f32y8_store_pieces(p + 3 * apart, q + 3 * apart, _mm256_shuffle_ps(yx, wz, 0xee));
}
