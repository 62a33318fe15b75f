/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: products of 16 bits of which the upper half counts. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef int16_t i16y16 __attribute__((vector_size(32)));
typedef uint16_t u16y16 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i16y16 i16y16_mul_high(i16y16 x, i16y16 y) { return (i16y16)_mm256_mulhi_epi16((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L u16y16 u16y16_mul_high(u16y16 x, u16y16 y) { return (u16y16)_mm256_mulhi_epu16((__m256i)x, (__m256i)y); }
/* (x * y + 0x4000) >> 15, of which the lower half. */
MIK_INLINE MIK_AVX2L i16y16 i16y16_mul_round(i16y16 x, i16y16 y) { return (i16y16)_mm256_mulhrs_epi16((__m256i)x, (__m256i)y); }
