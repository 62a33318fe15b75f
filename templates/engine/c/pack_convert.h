/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Packing of an operand whose elements in memory are not those of a panel, whatever its strides. */
#pragma once
#include "../sets/avx2/pack_lines.h"
#include "../sets/avx2/pack_rows.h"
#include "pack_any.h"
#include "processor.h"

/* Packs `lines` lines over kc steps into panels of `size` lines. The last panel is as high as what remains, or with
   `keep` as wide as the others, what is missing staying unwritten. `plus` is added to integers. */
MIK_UNUSED MIK_SHARED void mik_f32_pack_half(int isa, const mik_f32_half *src, int64_t line, int64_t k, int64_t lines, int64_t kc,
                                             int64_t size, int keep, int plus,
#if MIK_F32_HEAD_SUMS
                                             uint32_t scale, uint32_t constant,
#endif
                                             mik_f32_panel *dst)
{
#if !MIK_F32_HEAD
#if MIK_X86
#if MIK_HALF_IS_HALF
    const int vectors = MIK_RUNS(isa, avx2) && mik_has(mik_sets(), MIK_HAS_F16C);
#else
    const int vectors = MIK_RUNS(isa, avx2);
#endif
#endif
#endif
    /* Rows of memory that are far apart are read a few at a time, through all panels. */
    const int64_t some = line == 1 && size < lines && k * (int64_t)sizeof *src >= 2048 ? 8 : kc;
    for (int64_t at = 0; at < kc; at += some) {
        const int64_t steps = mik_min(some, kc - at);
        mik_f32_panel *panel = dst;
        for (int64_t first = 0; first < lines; first += size) {
            const int64_t used = mik_min(size, lines - first), to = keep ? size : used;
            const mik_f32_half *from = src + first * line + at * k;
            mik_f32_panel *row = panel + to * (MIK_F32_HEAD + at);
#if MIK_F32_HEAD
            if (line == 1 && to > 1) {
#if MIK_F32_HEAD_SUMS
                mik_f32_pack_half_rows(from, k, used, steps, to, plus, keep, scale, constant, at > 0, panel, row);
#else
                mik_f32_pack_half_rows(from, k, used, steps, to, at > 0, panel, row);
#endif
            } else if (at == 0) {      /* all steps at once */
                if (k == 1 && to == 1)
                    mik_f32_pack_half_line(from, kc, plus, row);
                else if (k == 1)
                    mik_f32_pack_half_lines(from, line, used, kc, to, plus, row);
                else
                    mik_f32_pack_half_any(from, line, k, used, kc, to, plus, row);
#if MIK_F32_HEAD_SUMS
                mik_f32_head(panel, used, to, mik_ceil_div(kc, MIK_F32_UNIT), keep, scale, constant);
#else
                mik_f32_head(panel, used, to, mik_ceil_div(kc, MIK_F32_UNIT));
#endif
            }
#else
#if MIK_X86
            if (vectors && line == 1 && used >= 8)
#if MIK_F32_UNIT == 1
                (MIK_RUNS(isa, avx512) ? mik_f32_pack_half_rows_avx512 : mik_f32_pack_half_rows)(from, k, used, steps, to, plus, row);
#else
                mik_f32_pack_half_rows(from, k, used, steps, to, plus, row);
#endif
            else if (vectors && k == 1 && to == 1)
                mik_f32_pack_half_line(from, kc, plus, row);
            else if (vectors && k == 1)
                mik_f32_pack_half_lines(from, line, used, kc, to, plus, row);
            else
#endif
                mik_f32_pack_half_any(from, line, k, used, steps, to, plus, row);
#endif
            panel += to * (mik_round_up(kc, MIK_F32_UNIT) + MIK_F32_HEAD);
        }
    }
    (void)isa;
}

/* Packs rows of A whose elements are neighbours one after the other, `pitch` apart. */
MIK_UNUSED MIK_SHARED void mik_f32_pack_half_apart(int isa, const mik_f32_half *src, int64_t line, int64_t lines, int64_t kc, int64_t pitch,
                                                   int plus,
#if MIK_F32_HEAD_SUMS
                                                   uint32_t scale, uint32_t constant,
#endif
                                                   mik_f32_panel *dst)
{
#if MIK_F32_HEAD_SUMS
    (void)isa;
    mik_f32_pack_half_straight(src, line, lines, kc, pitch, plus, scale, constant, dst);
#elif MIK_F32_HEAD
    (void)isa, (void)plus;
    mik_f32_pack_half_straight(src, line, lines, kc, pitch, dst);
#else
#if MIK_X86
#if MIK_HALF_IS_HALF
    if (kc >= 16 && MIK_RUNS(isa, avx2) && mik_has(mik_sets(), MIK_HAS_F16C)) {
#else
    if (kc >= 16 && MIK_RUNS(isa, avx2)) {
#endif
#if MIK_F32_UNIT == 1
        (MIK_RUNS(isa, avx512) ? mik_f32_pack_half_straight_avx512 : mik_f32_pack_half_straight)(src, line, lines, kc, pitch, plus, dst);
#else
        mik_f32_pack_half_straight(src, line, lines, kc, pitch, plus, dst);
#endif
        return;
    }
#endif
    (void)isa;
    for (int64_t i = 0; i < lines; i++)
        for (int64_t k = 0; k < kc; k += MIK_F32_UNIT)
            mik_f32_pack_half_unit(src + i * line + k, 1, kc - k, plus, dst + i * pitch + k);
#endif
}
