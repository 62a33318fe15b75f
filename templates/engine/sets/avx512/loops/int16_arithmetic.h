/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: lanes of 16 bits: products of which the upper half counts, and shifts. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int16_t i16z32 __attribute__((vector_size(64)));
typedef uint16_t u16z32 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L i16z32 i16z32_mul_high(i16z32 x, i16z32 y) { return (i16z32)_mm512_mulhi_epi16((__m512i)x, (__m512i)y); }
MIK_INLINE MIK_AVX512L u16z32 u16z32_mul_high(u16z32 x, u16z32 y) { return (u16z32)_mm512_mulhi_epu16((__m512i)x, (__m512i)y); }
/* (x * y + 0x4000) >> 15, of which the lower half. */
MIK_INLINE MIK_AVX512L i16z32 i16z32_mul_round(i16z32 x, i16z32 y) { return (i16z32)_mm512_mulhrs_epi16((__m512i)x, (__m512i)y); }

/* Lanes of 16 bits, each shifted by another count. */

MIK_INLINE MIK_AVX512L u16z32 u16z32_shift_left(u16z32 x, u16z32 by) { return (u16z32)_mm512_sllv_epi16((__m512i)x, (__m512i)by); }
MIK_INLINE MIK_AVX512L u16z32 u16z32_shift_right(u16z32 x, u16z32 by) { return (u16z32)_mm512_srlv_epi16((__m512i)x, (__m512i)by); }
MIK_INLINE MIK_AVX512L i16z32 i16z32_shift_right(i16z32 x, i16z32 by) { return (i16z32)_mm512_srav_epi16((__m512i)x, (__m512i)by); }
