/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: masks of four lanes of 64 bits. */
#pragma once
#include "double.h"

/* Each lane twice, of the lower half, of the upper one. */
MIK_INLINE MIK_AVX2L masky4 masky4_low_twice(masky4 where) { return (masky4)_mm256_permute4x64_epi64((__m256i)where, 0x50); }
MIK_INLINE MIK_AVX2L masky4 masky4_high_twice(masky4 where) { return (masky4)_mm256_permute4x64_epi64((__m256i)where, 0xfa); }
