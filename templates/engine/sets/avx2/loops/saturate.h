/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: saturating sums and differences of bytes, or of 16 bits. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8y32 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L u8y32 u8y32_add_sat(u8y32 x, u8y32 y) { return (u8y32)_mm256_adds_epu8((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L u8y32 u8y32_sub_sat(u8y32 x, u8y32 y) { return (u8y32)_mm256_subs_epu8((__m256i)x, (__m256i)y); }
