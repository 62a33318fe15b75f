/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "../../c/widen_f32.h"

/* Sixteen neighbouring lines. */
MIK_INLINE MIK_AVX512 void mik_f32_pack_half_sixteen(const mik_f32_half *src, int64_t k, int64_t have, int plus, mik_f32_panel *dst)
{
    (void)k, (void)have, (void)plus;
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)src);
#if MIK_HALF_IS_BF16
    _mm512_storeu_si512(dst, _mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
#else
    _mm512_storeu_ps(dst, _mm512_cvtph_ps(x));
#endif
}
