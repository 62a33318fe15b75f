/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Sixteen floats as bf16, likewise. */
#pragma once
#include "../avx2/turn.h"

#define MIK_STORE_BF16_AVX512 __attribute__((target("avx2,avx512f")))
MIK_INLINE __attribute__((target("avx512f"))) __m256i mik_store_bf16_sixteen(__m512 x)
{
    const __m512i u = _mm512_castps_si512(x), high = _mm512_srli_epi32(u, 16);
    const __m512i odd = _mm512_and_si512(high, _mm512_set1_epi32(1));
    const __m512i near = _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(u, _mm512_set1_epi32(0x7fff)), odd), 16);
    const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    return _mm512_cvtepi32_epi16(_mm512_mask_or_epi32(near, nan, high, _mm512_set1_epi32(0x40)));
}
