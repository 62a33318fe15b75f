/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Packing along lines whose elements are neighbours in memory, eight units of eight lines at a time, and by any strides. Here for
   panels of float and half in memory; a *line* is a row of A or a column of B, a *unit* what one multiply-add takes of a line. */
#pragma once
#include "widen_f32.h"

#if MIK_X86
/* Eight units from `at` on of each of eight lines into rows `to` units apart. */
MIK_INLINE MIK_AVX2_F16C void mik_f32_pack_half_block(const mik_f32_half *const *line, int64_t at, int plus, mik_f32_panel *dst, int64_t to)
{
    mik_f32_half_units x[8];
    MIK_UNROLL
    for (int i = 0; i < 8; i++)
        x[i] = mik_f32_pack_half_load(line[i] + at);
#if MIK_F32_UNIT * MIK_HALF_BYTES == 2
    mik_turn16(x);
#else
    mik_turn32(x);
#endif
    MIK_UNROLL
    for (int i = 0; i < 8; i++)
        _mm256_storeu_si256((__m256i *)(void *)(dst + i * MIK_F32_UNIT * to), mik_f32_pack_half_widen(x[i], plus));
}

/* A panel of lines along which the elements are neighbours in memory. */
MIK_AVX2_F16C
static void mik_f32_pack_half_lines(const mik_f32_half *src, int64_t line, int64_t lines, int64_t kc, int64_t to, int plus,
                                    mik_f32_panel *dst)
{
    const int64_t full = kc / MIK_F32_UNIT, units = mik_ceil_div(kc, MIK_F32_UNIT);
    for (int64_t i = 0; i < lines; i += 8) {
        if (i > 0 && i + 8 > lines)
            i = lines - 8;
        const int64_t count = mik_min(8, lines - i);
        const mik_f32_half *row[8];
        for (int64_t j = 0; j < 8; j++)
            row[j] = src + (i + mik_min(j, count - 1)) * line;
        /* Where a row of the panel has fewer than eight lines, what a block writes beyond it is overwritten by the next
           row; the last rows, after which the panel ends, are left to the loop below. */
        const int64_t end = mik_min(full, units - (i + 7) / to);
        int64_t u = 0;
        for (; u + 8 <= end; u += 8)
            mik_f32_pack_half_block(row, u * MIK_F32_UNIT, plus, dst + (u * to + i) * MIK_F32_UNIT, to);
        if (u > 0 && u < end) {
            mik_f32_pack_half_block(row, (end - 8) * MIK_F32_UNIT, plus, dst + ((end - 8) * to + i) * MIK_F32_UNIT, to);
            u = end;
        }
        for (; u < units; u++)
            for (int64_t j = 0; j < count; j++)
                mik_f32_pack_half_unit(row[j] + u * MIK_F32_UNIT, 1, kc - u * MIK_F32_UNIT, plus, dst + (u * to + i + j) * MIK_F32_UNIT);
    }
}

/* A panel of one line. */
MIK_AVX2_F16C
static void mik_f32_pack_half_line(const mik_f32_half *src, int64_t kc, int plus, mik_f32_panel *dst)
{
    int64_t at = 0;
    for (; at + 8 * MIK_F32_UNIT <= kc; at += 8 * MIK_F32_UNIT)
        _mm256_storeu_si256((__m256i *)(void *)(dst + at), mik_f32_pack_half_widen(mik_f32_pack_half_load(src + at), plus));
    for (; at < kc; at += MIK_F32_UNIT)
        mik_f32_pack_half_unit(src + at, 1, kc - at, plus, dst + at);
}
#endif
