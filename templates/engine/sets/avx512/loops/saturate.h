/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: saturating sums and differences of bytes, or of 16 bits. */
#pragma once
#include "../../../vec/lanes_config.h"

typedef uint8_t u8z64 __attribute__((vector_size(64)));

MIK_INLINE MIK_AVX512L u8z64 u8z64_add_sat(u8z64 x, u8z64 y) { return (u8z64)_mm512_adds_epu8((__m512i)x, (__m512i)y); }
MIK_INLINE MIK_AVX512L u8z64 u8z64_sub_sat(u8z64 x, u8z64 y) { return (u8z64)_mm512_subs_epu8((__m512i)x, (__m512i)y); }
