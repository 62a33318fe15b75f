/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "../../c/widen_i8.h"
#include "turn.h"

#if MIK_S8_BYTES == 1
typedef __m128i mik_i8_s8_units;

MIK_INLINE MIK_AVX2_CVT __m128i mik_i8_pack_s8_load(const mik_i8_s8 *src) { return _mm_loadu_si128((const __m128i *)(const void *)src); }

/* Eight pairs as a panel holds them. */
MIK_INLINE MIK_AVX2_CVT __m256i mik_i8_pack_s8_widen(__m128i x, int plus)
{
#if MIK_S8_IS_SIGNED
    return _mm256_add_epi16(_mm256_cvtepi8_epi16(x), _mm256_set1_epi16((short)plus));
#else
    return _mm256_add_epi16(_mm256_cvtepu8_epi16(x), _mm256_set1_epi16((short)plus));
#endif
}
#else
typedef __m256i mik_i8_s8_units;

MIK_INLINE MIK_AVX2_CVT __m256i mik_i8_pack_s8_load(const mik_i8_s8 *src) { return _mm256_loadu_si256((const __m256i *)(const void *)src); }

/* Eight pairs as a panel holds them. */
MIK_INLINE MIK_AVX2_CVT __m256i mik_i8_pack_s8_widen(__m256i x, int plus) { return _mm256_add_epi16(x, _mm256_set1_epi16((short)plus)); }
#endif

/* The elements of each pair that are there, of `have`. */
MIK_INLINE MIK_AVX2_CVT __m256i mik_i8_pack_s8_there(int64_t have) { return _mm256_set1_epi32(have < MIK_I8_UNIT ? 0xffff : -1); }

/* Eight neighbouring lines, `have` elements of each, k apart. */
MIK_INLINE MIK_AVX2_CVT void mik_i8_pack_s8_eight(const mik_i8_s8 *src, int64_t k, int64_t have, int plus, mik_i8_panel *dst)
{
#if MIK_S8_BYTES == 1
    const __m128i r0 = _mm_loadl_epi64((const __m128i *)(const void *)src);
    const __m128i r1 = have > 1 ? _mm_loadl_epi64((const __m128i *)(const void *)(src + k)) : _mm_setzero_si128();
    const __m256i x = mik_i8_pack_s8_widen(_mm_unpacklo_epi8(r0, r1), plus);
#else
    const __m128i r0 = _mm_loadu_si128((const __m128i *)(const void *)src);
    const __m128i r1 = have > 1 ? _mm_loadu_si128((const __m128i *)(const void *)(src + k)) : _mm_setzero_si128();
    const __m256i x = mik_i8_pack_s8_widen(_mm256_set_m128i(_mm_unpackhi_epi16(r0, r1), _mm_unpacklo_epi16(r0, r1)), plus);
#endif
    _mm256_storeu_si256((__m256i *)(void *)dst, _mm256_and_si256(x, mik_i8_pack_s8_there(have)));
}

/* Sixteen neighbouring lines, likewise: as many as a loop over a panel takes at a time. */
MIK_INLINE MIK_AVX2_CVT void mik_i8_pack_s8_many(const mik_i8_s8 *src, int64_t k, int64_t have, int plus, mik_i8_panel *dst)
{
#if MIK_S8_BYTES == 1
    const __m128i r0 = mik_i8_pack_s8_load(src), r1 = have > 1 ? mik_i8_pack_s8_load(src + k) : _mm_setzero_si128();
    const __m256i x0 = mik_i8_pack_s8_widen(_mm_unpacklo_epi8(r0, r1), plus), x1 = mik_i8_pack_s8_widen(_mm_unpackhi_epi8(r0, r1), plus);
#else
    const __m256i r0 = mik_i8_pack_s8_load(src), r1 = have > 1 ? mik_i8_pack_s8_load(src + k) : _mm256_setzero_si256();
    const __m256i p = _mm256_unpacklo_epi16(r0, r1), q = _mm256_unpackhi_epi16(r0, r1);
    const __m256i x0 = mik_i8_pack_s8_widen(_mm256_permute2x128_si256(p, q, 0x20), plus);
    const __m256i x1 = mik_i8_pack_s8_widen(_mm256_permute2x128_si256(p, q, 0x31), plus);
#endif
    const __m256i there = mik_i8_pack_s8_there(have);
    _mm256_storeu_si256((__m256i *)(void *)dst, _mm256_and_si256(x0, there));
    _mm256_storeu_si256((__m256i *)(void *)(dst + 8 * MIK_I8_UNIT), _mm256_and_si256(x1, there));
}
