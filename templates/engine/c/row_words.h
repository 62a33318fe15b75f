/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * An A prepacked for dot products (ahead_rows.h): of each row a word for its head, as mik_u8s8_head or mik_bf16_head has it for all
 * steps, then words of four bytes or two bf16. Packing it, which is the same everywhere, and panels of the family's own from that.
 */
#pragma once
#include "ahead_rows.h"
#include "word_bits.h"

/* Words from one row of so many steps to the next. */
MIK_SHARED int64_t mik_f32_row_words(int64_t steps) { return mik_rows_apart(4 * (1 + mik_ceil_div(steps, MIK_F32_IN_WORD))) / 4; }

/* Packs that of a batch: what pack_a gives, integers plus a_plus; B's elements were moved by b_plus. */
MIK_SHARED void mik_f32_pack_row_words(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, int a_plus,
                                       int b_plus, uint32_t *dst)
{
    enum { rows = 16, steps = 64, unit = MIK_F32_UNIT };
    const int isa = mik_f32_choose(mik_isa(0, MIK_F32_NEEDS))->level;
    const int64_t apart = mik_f32_row_words(p->k);
    mik_f32_panel piece[rows * steps];
    memset(dst, 0, (size_t)(p->m * apart) * sizeof *dst);
    for (int64_t m = 0, mc; m < p->m; m += mc) {
        uint32_t gathered[rows];
        mc = mik_min(rows, p->m - m);
#if MIK_F32_INTEGERS
        memset(gathered, 0, sizeof gathered);
#else
        memset(gathered, 0xff, sizeof gathered);
#endif
        for (int64_t k = 0, kc; k < p->k; k += kc) {
            kc = mik_min(steps, p->k - k);
            const int64_t deep = mik_round_up(kc, unit);
            op->pack_a(s, isa, batch, m, mc, k, kc, 1, piece);
            for (int64_t i = 0; i < mc; i++)
                for (int64_t t = 0; t < kc; t++) {
                    const uint32_t bits = mik_f32_narrow_bits(piece[i * deep + t], a_plus);
                    const int64_t at = (k + t) % MIK_F32_IN_WORD;
                    dst[(m + i) * apart + 1 + (k + t) / MIK_F32_IN_WORD] |= bits << 32 / MIK_F32_IN_WORD * at;
#if MIK_F32_INTEGERS
                    gathered[i] += bits;
#else
                    gathered[i] = mik_f32_least_of(gathered[i], bits);
#endif
                }
        }
        for (int64_t i = 0; i < mc; i++)
#if MIK_F32_INTEGERS
            dst[(m + i) * apart] = 0 - (uint32_t)b_plus * gathered[i]; /* head */
#else
            dst[(m + i) * apart] = mik_f32_head_of_least(gathered[i]);
#endif
    }
    (void)b_plus;
}

#if MIK_X86
/* Of kc steps from step k0 on as many as there are whole vectors; how many that is. */
MIK_AVX2
static int64_t mik_f32_unpack_many(const uint32_t *words, int64_t k0, int64_t kc, int plus, mik_f32_panel *dst)
{
    int64_t k = 0;
#if MIK_F32_INTEGERS
    const uint8_t *const from = (const uint8_t *)words + k0;
    const __m256i more = _mm256_set1_epi16((short)plus);
    for (; k + 16 <= kc; k += 16) {
        const __m256i x = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(from + k)));
        _mm256_storeu_si256((__m256i *)(void *)(dst + k), _mm256_add_epi16(x, more));
    }
#else
    const uint16_t *const from = (const uint16_t *)(const void *)words + k0;
    for (; k + 8 <= kc; k += 8) {
        const __m256i x = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from + k)));
        _mm256_storeu_si256((__m256i *)(void *)(dst + k), _mm256_slli_epi32(x, 16));
    }
    (void)plus;
#endif
    return k;
}

#endif
/* kc steps of a row from step k0 on, a multiple of a unit; integers plus `plus`, and behind an odd number of them a zero. */
static void mik_f32_unpack_row(int isa, const uint32_t *words, int64_t k0, int64_t kc, int plus, mik_f32_panel *dst)
{
    int64_t k = 0;
#if MIK_X86
    if (MIK_RUNS(isa, avx2))
        k = mik_f32_unpack_many(words, k0, kc, plus, dst);
#endif
    for (; k < kc; k++) {
        const uint32_t word = words[(k0 + k) / MIK_F32_IN_WORD] >> 32 / MIK_F32_IN_WORD * ((k0 + k) % MIK_F32_IN_WORD);
#if MIK_F32_INTEGERS
        dst[k] = (mik_f32_panel)((int)(word & 0xff) + plus);
#else
        const uint32_t bits = word << 16;
        memcpy(dst + k, &bits, sizeof bits);
#endif
    }
#if MIK_F32_INTEGERS
    if (kc % MIK_F32_UNIT)
        dst[kc] = 0;
#endif
    (void)isa, (void)plus;
}

/* mc rows from m0 and kc steps from k0, a multiple of a unit, of the words a of `steps` steps: rows one after the other, `pitch` elements
   apart; `plus` is added to integers. */
MIK_SHARED void mik_f32_unpack_row_words(int isa, const uint32_t *a, int64_t steps, int plus, int64_t m0, int64_t mc, int64_t k0,
                                         int64_t kc, int64_t pitch, mik_f32_panel *dst)
{
    const int64_t apart = mik_f32_row_words(steps);
    for (int64_t i = 0; i < mc; i++)
        mik_f32_unpack_row(isa, a + (m0 + i) * apart + 1, k0, kc, plus, dst + i * pitch);
}

/* The same as panels of mr rows, the last one as high as what remains. */
MIK_SHARED void mik_f32_unpack_row_panels(int isa, const uint32_t *a, int64_t steps, int plus, int64_t m0, int64_t mc, int64_t k0,
                                          int64_t kc, int64_t mr, mik_f32_panel *dst)
{
    enum { unit = MIK_F32_UNIT, some = 64 };
    const int64_t units = mik_ceil_div(kc, unit);
    mik_f32_panel piece[some * unit];
    for (int64_t m = 0, h; m < mc; m += h, dst += h * units * unit) {
        h = mik_min(mr, mc - m);
        if (h == 1) {
            mik_f32_unpack_row_words(isa, a, steps, plus, m0 + m, 1, k0, kc, 0, dst);
            continue;
        }
        for (int64_t i = 0; i < h; i++)
            for (int64_t k = 0; k < kc; k += some * unit) {
                const int64_t count = mik_min(some * unit, kc - k);
                mik_f32_unpack_row_words(isa, a, steps, plus, m0 + m + i, 1, k0 + k, count, 0, piece);
                for (int64_t j = 0; j < count; j += unit)
                    memcpy(dst + (k / unit * h + j / unit * h + i) * unit, piece + j, unit * sizeof *dst);
            }
    }
}
