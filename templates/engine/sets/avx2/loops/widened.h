/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: integers of 32 bits as integers of 64, written for signed ones. */
#pragma once
#include "types.h"

typedef int32_t i32y4 __attribute__((vector_size(16)));
typedef uint32_t u32y4 __attribute__((vector_size(16)));
typedef int64_t i64y4 __attribute__((vector_size(32)));

MIK_INLINE MIK_AVX2L i64y4 i64y4_of_i32(i32y4 x) { return (i64y4)_mm256_cvtepi32_epi64((__m128i)x); }
MIK_INLINE MIK_AVX2L i64y4 i64y4_of_u32(u32y4 x) { return (i64y4)_mm256_cvtepu32_epi64((__m128i)x); }
