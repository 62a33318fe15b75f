/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: fixed-point products of integers of 32 bits, of even lanes and of odd ones. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int32_t i32z16 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L i32z16 i32z16_mul_shift(i32z16 x, i32z16 y, int64_t added, int n)
{
    const __m512i more = _mm512_set1_epi64(added), even = _mm512_mul_epi32((__m512i)x, (__m512i)y);
    const __m512i odd = _mm512_mul_epi32(_mm512_srli_epi64((__m512i)x, 32), _mm512_srli_epi64((__m512i)y, 32));
    const __m512i low = _mm512_srl_epi64(_mm512_add_epi64(even, more), _mm_cvtsi32_si128(n));
    const __m512i high = _mm512_sll_epi64(_mm512_add_epi64(odd, more), _mm_cvtsi32_si128(32 - n));
    return (i32z16)_mm512_mask_blend_epi32(0xaaaa, low, high);
}

typedef uint32_t u32z16 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L u32z16 u32z16_mul_shift(u32z16 x, u32z16 y, int64_t added, int n)
{
    const __m512i more = _mm512_set1_epi64(added), even = _mm512_mul_epu32((__m512i)x, (__m512i)y);
    const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)x, 32), _mm512_srli_epi64((__m512i)y, 32));
    const __m512i low = _mm512_srl_epi64(_mm512_add_epi64(even, more), _mm_cvtsi32_si128(n));
    const __m512i high = _mm512_sll_epi64(_mm512_add_epi64(odd, more), _mm_cvtsi32_si128(32 - n));
    return (u32z16)_mm512_mask_blend_epi32(0xaaaa, low, high);
}
