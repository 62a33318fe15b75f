/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Packing of lines that are neighbours in memory, row by row of the panel; and of lines one after the other. Here for panels of
   float, half in memory, and AVX2. */
#pragma once
#include "widen_f32.h"

#if MIK_X86
/* A panel of at least eight lines that are neighbours in memory. */
MIK_AVX2_F16C
static void mik_f32_pack_half_rows(const mik_f32_half *src, int64_t k, int64_t lines, int64_t kc, int64_t to, int plus, mik_f32_panel *dst)
{
    enum { SOME = MIK_HALF_MANY };
    int64_t j = 0;
    for (; j + 2 * SOME <= lines; j += 2 * SOME) {
        const mik_f32_half *from = src + j;
        mik_f32_panel *row = dst + j * MIK_F32_UNIT;
        int64_t u = 0;
        for (; u + MIK_F32_UNIT <= kc; u += MIK_F32_UNIT, from += MIK_F32_UNIT * k, row += MIK_F32_UNIT * to) {
            mik_f32_pack_half_many(from, k, MIK_F32_UNIT, plus, row);
            mik_f32_pack_half_many(from + SOME, k, MIK_F32_UNIT, plus, row + SOME * MIK_F32_UNIT);
        }
        if (u < kc) {
            mik_f32_pack_half_many(from, k, kc - u, plus, row);
            mik_f32_pack_half_many(from + SOME, k, kc - u, plus, row + SOME * MIK_F32_UNIT);
        }
    }
    for (; j < lines; j += 8) {
        j = mik_min(j, lines - 8);     /* some once more */
        for (int64_t u = 0; u < kc; u += MIK_F32_UNIT)
            mik_f32_pack_half_eight(src + u * k + j, k, kc - u, plus, dst + u * to + j * MIK_F32_UNIT);
    }
}

/* At least sixteen elements of each line, neighbours in memory, one line after the other. */
MIK_AVX2_F16C
static void mik_f32_pack_half_straight(const mik_f32_half *src, int64_t line, int64_t lines, int64_t kc, int64_t pitch, int plus,
                                       mik_f32_panel *dst)
{
#if MIK_F32_UNIT == 1
    enum { SOME = MIK_HALF_MANY };
#else
    enum { SOME = 8 * MIK_F32_UNIT };
#endif
    for (int64_t i = 0; i < lines; i++, src += line, dst += pitch) {
        for (int64_t k = 0; k < kc; k += SOME) {
            k = mik_min(k, kc - SOME);
#if MIK_F32_UNIT == 1
            mik_f32_pack_half_many(src + k, 0, 1, plus, dst + k);
#else
            _mm256_storeu_si256((__m256i *)(void *)(dst + k), mik_f32_pack_half_widen(mik_f32_pack_half_load(src + k), plus));
#endif
        }
        if (kc % MIK_F32_UNIT)
            dst[kc] = 0;
    }
}
#endif
