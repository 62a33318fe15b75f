/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "../../c/widen_f32.h"
#include "turn.h"

typedef __m128i mik_f32_half_units;

MIK_INLINE MIK_AVX2_F16C __m128i mik_f32_pack_half_load(const mik_f32_half *src)
{
    return _mm_loadu_si128((const __m128i *)(const void *)src);
}

/* Eight elements as a panel holds them. */
MIK_INLINE MIK_AVX2_F16C __m256i mik_f32_pack_half_widen(__m128i x, int plus)
{
    (void)plus;
#if MIK_HALF_IS_BF16
    return _mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16);
#else
    return _mm256_castps_si256(_mm256_cvtph_ps(x));
#endif
}

/* Eight neighbouring lines. */
MIK_INLINE MIK_AVX2_F16C void mik_f32_pack_half_eight(const mik_f32_half *src, int64_t k, int64_t have, int plus, mik_f32_panel *dst)
{
    (void)k, (void)have;
    _mm256_storeu_si256((__m256i *)(void *)dst, mik_f32_pack_half_widen(mik_f32_pack_half_load(src), plus));
}

/* As many as a loop over a panel takes at a time. */
MIK_INLINE MIK_AVX2_F16C void mik_f32_pack_half_many(const mik_f32_half *src, int64_t k, int64_t have, int plus, mik_f32_panel *dst)
{
    mik_f32_pack_half_eight(src, k, have, plus, dst);
}
