/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* From any bytes to unsigned ones times signed ones: the heads of u8s8. mik_u8s8_head is for a filled panel of
   `used` lines, `to` units apart. */
#pragma once
#include "../../c/float16.h"

/* vpdpbusd multiplies unsigned bytes of A by signed ones of B. Others are moved into range: A = A' - p, B = B' - q, so that
   A B = A' B' - q A' - p B' + p q. What depends on a row of A' or on a column of B' only is the head of that line:
   constant + scale * (sum of the line), modulo 2^32 like everything here. `is_b`: the line's bytes are signed. */
MIK_INLINE MIK_AVX512VNNI void mik_u8s8_put_sum(__m512i sum, __mmask16 there, uint32_t scale, uint32_t constant, int more,
                                                mik_u8s8_panel *head)
{
    if (more)
        constant = 0;
    sum = _mm512_add_epi32(_mm512_mullo_epi32(sum, _mm512_set1_epi32((int)scale)), _mm512_set1_epi32((int)constant));
    if (more)
        sum = _mm512_add_epi32(sum, _mm512_maskz_loadu_epi32(there, head));
    _mm512_mask_storeu_epi32(head, there, sum);
}

MIK_AVX512VNNI
MIK_SHARED void mik_u8s8_head(mik_u8s8_panel *panel, int64_t used, int64_t to, int64_t units, int is_b, uint32_t scale, uint32_t constant)
{
    const __m512i ones = _mm512_set1_epi8(1);
    if (to == 1) {                     /* one line: its units are neighbours */
        __m512i sum = _mm512_setzero_si512();
        for (int64_t u = 0; scale && u < units; u += 16) {
            const __m512i x = _mm512_maskz_loadu_epi32((__mmask16)(0xffffu >> (16 - mik_min(16, units - u))), panel + (1 + u) * 4);
            sum = is_b ? _mm512_dpbusd_epi32(sum, ones, x) : _mm512_dpbusd_epi32(sum, x, ones);
        }
        const uint32_t head = (uint32_t)_mm512_reduce_add_epi32(sum) * scale + constant;
        memcpy(panel, &head, sizeof head);
        return;
    }
    for (int64_t j = 0; j < used; j += 16) {
        const __mmask16 there = (__mmask16)(0xffffu >> (16 - mik_min(16, used - j)));
        const mik_u8s8_panel *unit = panel + (to + j) * 4;
        __m512i sum = _mm512_setzero_si512();
        for (int64_t u = 0; scale && u < units; u++, unit += to * 4) {
            const __m512i x = _mm512_maskz_loadu_epi32(there, unit);
            sum = is_b ? _mm512_dpbusd_epi32(sum, ones, x) : _mm512_dpbusd_epi32(sum, x, ones);
        }
        mik_u8s8_put_sum(sum, there, scale, constant, 0, panel + j * 4);
    }
}

/* Pairs of int16_t as the operators' own functions pack them, plus `plus`, to fours of bytes; zeros fill the last four. */
MIK_UNUSED MIK_SHARED void mik_u8s8_narrow(const int16_t *from, int64_t lines, int64_t steps, int plus, mik_u8s8_panel *dst, int64_t to)
{
    for (int64_t k = 0; k < steps; k += 4)
        for (int64_t i = 0; i < lines; i++) {
            const int16_t *low = from + (k * lines + 2 * i), *high = low + 2 * lines;
            mik_u8s8_panel *unit = dst + k * to + 4 * i;
            unit[0] = (mik_u8s8_panel)(low[0] + plus);
            unit[1] = k + 1 < steps ? (mik_u8s8_panel)(low[1] + plus) : 0;
            unit[2] = k + 2 < steps ? (mik_u8s8_panel)(high[0] + plus) : 0;
            unit[3] = k + 3 < steps ? (mik_u8s8_panel)(high[1] + plus) : 0;
        }
}
