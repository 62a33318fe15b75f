/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: the first few of 32 bytes. Written for uint8_t. */
#pragma once
#include "narrow_mask.h"

typedef uint8_t u8z32 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX512L u8z32 u8z32_load_part(const uint8_t *p, int64_t n) { return (u8z32)_mm256_maskz_loadu_epi8(maskz32_first(n), p); }
MIK_INLINE MIK_AVX512L void u8z32_store_part(uint8_t *p, u8z32 x, int64_t n) { _mm256_mask_storeu_epi8(p, maskz32_first(n), (__m256i)x); }
