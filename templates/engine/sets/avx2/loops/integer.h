/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: integers of 32 bits. gcc makes comparisons and choices of what instructions have. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX2L i32y8 i32y8_max(i32y8 x, i32y8 y) { return (i32y8)_mm256_max_epi32((__m256i)x, (__m256i)y); }
MIK_INLINE MIK_AVX2L i32y8 i32y8_min(i32y8 x, i32y8 y) { return (i32y8)_mm256_min_epi32((__m256i)x, (__m256i)y); }
