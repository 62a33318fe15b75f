/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The vectors of i8 on AVX-512: sixteen sums in a zmm register; an operand has a pair of int16_t for each. */
#pragma once
#include "../../c/base.h"

typedef __m512i i8z_vec, i8z_operand, i8z_element;
typedef __mmask16 i8z_mask;
MIK_INLINE MIK_AVX512BW __m512i i8z_zero(void) { return _mm512_setzero_si512(); }
MIK_INLINE MIK_AVX512BW __m512i i8z_load(const mik_i8_panel *p) { return _mm512_loadu_si512(p); }
/* One element in every lane, as a part of its one multiply-add where there is such an instruction. */
MIK_INLINE MIK_AVX512BW __m512i i8z_each(const mik_i8_panel *p) { return _mm512_set1_epi32(mik_word(p)); }
/* A load for several uses, and one element in every lane for several. The barriers keep compilers from folding them into each
   multiply-add: GCC would load again for every use, and a broadcast inside one is slow on some processors. */
MIK_INLINE MIK_AVX512BW __m512i i8z_fetch(const mik_i8_panel *p)
{
    __m512i x = _mm512_loadu_si512(p);
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512BW __m512i i8z_splat(const mik_i8_panel *p)
{
    __m512i x = _mm512_set1_epi32(mik_word(p));
    __asm__("" : "+v"(x));
    return x;
}
MIK_INLINE MIK_AVX512BW __m512i i8z_load_part(const mik_i8_panel *p, __mmask16 last) { return _mm512_maskz_loadu_epi32(last, p); }
MIK_INLINE MIK_AVX512BW __m512i i8z_fma(__m512i x, __m512i y, __m512i c)
{
#if MIK_I8_UNIT == 4
    return _mm512_dpbusd_epi32(c, x, y);
#elif I8Z_VNNI
    return _mm512_dpwssd_epi32(c, x, y);
#else
    return _mm512_add_epi32(c, _mm512_madd_epi16(x, y));
#endif
}
MIK_INLINE MIK_AVX512BW __m512i i8z_add(__m512i x, __m512i y) { return _mm512_add_epi32(x, y); }
MIK_INLINE MIK_AVX512BW __m512i i8z_get(const int32_t *p) { return _mm512_loadu_si512(p); }
MIK_INLINE MIK_AVX512BW __m512i i8z_get_part(const int32_t *p, __mmask16 last) { return _mm512_maskz_loadu_epi32(last, p); }
MIK_INLINE MIK_AVX512BW void i8z_put(int32_t *p, __m512i x) { _mm512_storeu_si512(p, x); }
MIK_INLINE MIK_AVX512BW void i8z_put_part(int32_t *p, __m512i x, __mmask16 last) { _mm512_mask_storeu_epi32(p, last, x); }
MIK_INLINE MIK_AVX512BW __mmask16 i8z_first(int n) { return (__mmask16)(0xffffu >> (16 - n)); }
MIK_INLINE MIK_AVX512BW int32_t i8z_sum(__m512i x) { return _mm512_reduce_add_epi32(x); }
