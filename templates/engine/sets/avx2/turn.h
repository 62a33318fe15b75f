/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* For AVX2: blocks of 8 lines by 8 units of 2 or 4 bytes, transposed: x[j] becomes unit j of each of 8 lines; x[i] held 8 units of
   line i. */
#pragma once
#include "../../c/base.h"

#if MIK_X86
/* Functions that convert; the second two for half. */
#define MIK_AVX2_CVT    __attribute__((target("avx2")))
#define MIK_AVX512_CVT  __attribute__((target("avx2,avx512f")))
#define MIK_AVX2_F16C   __attribute__((target("avx2,f16c")))
#define MIK_AVX512_F16C __attribute__((target("avx2,f16c,avx512f")))
#if MIK_TURNS_TWO

MIK_INLINE __attribute__((target("avx2"))) void mik_turn16(__m128i *x)
{
    __m128i y[8];
    MIK_UNROLL
    for (int i = 0; i < 4; i++)
        y[i] = _mm_unpacklo_epi16(x[i], x[i + 4]), y[i + 4] = _mm_unpackhi_epi16(x[i], x[i + 4]);
    MIK_UNROLL
    for (int j = 0; j < 4; j++) {
        const int i = j + j / 2 * 2;           /* 0, 1, 4, 5 */
        x[i] = _mm_unpacklo_epi16(y[i], y[i + 2]), x[i + 2] = _mm_unpackhi_epi16(y[i], y[i + 2]);
    }
    MIK_UNROLL
    for (int i = 0; i < 8; i += 2)
        y[i] = _mm_unpacklo_epi16(x[i], x[i + 1]), y[i + 1] = _mm_unpackhi_epi16(x[i], x[i + 1]);
    MIK_UNROLL
    for (int i = 0; i < 8; i++)
        x[i] = y[i];
}
#endif
#if MIK_TURNS_FOUR

MIK_INLINE __attribute__((target("avx2"))) void mik_turn32(__m256i *x)
{
    __m256i y[8];
    MIK_UNROLL
    for (int j = 0; j < 4; j++) {
        const int i = j + j / 2 * 2;           /* 0, 1, 4, 5 */
        y[i] = _mm256_unpacklo_epi32(x[i], x[i + 2]), y[i + 2] = _mm256_unpackhi_epi32(x[i], x[i + 2]);
    }
    MIK_UNROLL
    for (int i = 0; i < 8; i += 2)
        x[i] = _mm256_unpacklo_epi32(y[i], y[i + 1]), x[i + 1] = _mm256_unpackhi_epi32(y[i], y[i + 1]);
    MIK_UNROLL
    for (int i = 0; i < 4; i++)
        y[i] = _mm256_permute2x128_si256(x[i], x[i + 4], 0x20), y[i + 4] = _mm256_permute2x128_si256(x[i], x[i + 4], 0x31);
    MIK_UNROLL
    for (int i = 0; i < 8; i++)
        x[i] = y[i];
}
#endif
#endif
