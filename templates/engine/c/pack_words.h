/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * A B prepacked in words, for a family of which dot products have the work where a processor has such instructions: packing
 * it, which is the same everywhere, and panels of its own from that. A word is two rows of such a panel: of pairs of int16_t, or of floats.
 */
#pragma once
#include "word_bits.h"
#include "words.h"

#if MIK_F32_INTEGERS
enum { MIK_F32_NO_HEAD = 0 };  /* each byte of what heads are gathered from, at first */
#else
enum { MIK_F32_NO_HEAD = 0xff };
#endif

/* What heads are made of, of one column so far: the sum of signed bytes; the least of bf16. */
static uint32_t mik_f32_gather_head(uint32_t head, uint32_t bits)
{
#if MIK_F32_INTEGERS
    return head + (bits ^ 128) - 128;
#else
    return mik_f32_least_of(head, bits);
#endif
}

/* The row of heads of a panel, as mik_u8s8_head and mik_bf16_head have them for all steps: A's elements having been moved by a_plus, B's by
   b_plus; or the least exponent. */
static void mik_f32_put_heads(const uint32_t *gathered, int64_t columns, int64_t steps, int a_plus, int b_plus, uint32_t *heads)
{
#if MIK_F32_INTEGERS
    for (int64_t j = 0; j < columns; j++)
        heads[j] = (uint32_t)a_plus * ((uint32_t)b_plus * (uint32_t)steps - gathered[j]);
#else
    uint32_t least = 0xffff;
    for (int64_t j = 0; j < columns; j++)
        least = gathered[j] < least ? gathered[j] : least;
    heads[0] = mik_f32_head_of_least(least);
    (void)steps, (void)a_plus, (void)b_plus;
#endif
}

/* Packs that of a batch: what pack_b gives, integers plus b_plus. */
MIK_SHARED void mik_f32_pack_words(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, int a_plus, int b_plus,
                                   uint32_t *dst)
{
    enum { unit = MIK_F32_UNIT, some = 16 };
    const int isa = mik_f32_choose(mik_isa(0, MIK_F32_NEEDS))->level;
    const int64_t rows = mik_word_rows(p->k, MIK_F32_IN_WORD);
    mik_f32_panel piece[some * MIK_WORD_COLUMNS];
    for (int64_t n = 0, w, pitch; n < p->n && p->k > 0; n += w, dst += rows * pitch) {
        uint32_t gathered[MIK_WORD_COLUMNS];
        w = mik_min(MIK_WORD_COLUMNS, p->n - n);
        pitch = mik_word_pitch(p->n, n);
        memset(dst, 0, (size_t)(rows * pitch) * sizeof *dst);
        memset(gathered, MIK_F32_NO_HEAD, sizeof gathered);
        for (int64_t k = 0, kc; k < p->k; k += kc) {
            kc = mik_min(some, p->k - k);
            op->pack_b(s, isa, batch, k, kc, n, w, w, piece);
            for (int64_t i = 0; i < kc; i++) {
                const int64_t at = (k + i) % MIK_F32_IN_WORD;
                uint32_t *const row = dst + (1 + (k + i) / MIK_F32_IN_WORD) * pitch;
                for (int64_t j = 0; j < w; j++) {
                    const uint32_t bits = mik_f32_narrow_bits(piece[(i / unit * w + j) * unit + i % unit], b_plus);
                    gathered[j] = mik_f32_gather_head(gathered[j], bits);
                    row[j] |= bits << 32 / MIK_F32_IN_WORD * at;
                }
            }
        }
        mik_f32_put_heads(gathered, w, p->k, a_plus, b_plus, dst);
    }
}

/* The lower half of a word, or the upper one: a pair of int16_t, each plus `plus`; a float. */
static inline uint32_t mik_f32_half_of_word(uint32_t word, int upper, int plus)
{
#if MIK_F32_INTEGERS
    const uint32_t bytes = word >> 16 * upper;
    const int first = (int)((bytes & 0xff) ^ 128) - 128, second = (int)((bytes >> 8 & 0xff) ^ 128) - 128;
    const int16_t pair[] = {(int16_t)(first + plus), (int16_t)(second + plus)};
    uint32_t half;
    memcpy(&half, pair, sizeof half);
    return half;
#else
    (void)plus;
    return upper ? word & 0xffff0000u : word << 16;
#endif
}

#if MIK_X86
/* The halves of eight words at a time; how many have been written. */
MIK_AVX2
static int64_t mik_f32_halves_of_words(const uint32_t *words, int64_t count, int upper, int plus, uint32_t *dst)
{
    int64_t j = 0;
#if MIK_F32_INTEGERS
    const __m256i low = _mm256_setr_epi8(-1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9,
                                         -1, 12, -1, 13);
    const __m256i order = _mm256_add_epi8(low, _mm256_set1_epi16((short)(upper ? 0x200 : 0))), more = _mm256_set1_epi16((short)plus);
    for (; j + 8 <= count; j += 8) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(words + j));
        const __m256i pairs = _mm256_add_epi16(_mm256_srai_epi16(_mm256_shuffle_epi8(x, order), 8), more);
        _mm256_storeu_si256((__m256i *)(void *)(dst + j), pairs);
    }
#else
    const __m256i high = _mm256_set1_epi32((int)0xffff0000u);
    for (; j + 8 <= count; j += 8) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(words + j));
        _mm256_storeu_si256((__m256i *)(void *)(dst + j), upper ? _mm256_and_si256(x, high) : _mm256_slli_epi32(x, 16));
    }
    (void)plus;
#endif
    return j;
}

#endif
/* So many halves of words, from number `first` of their columns on, of `some` columns, rows of words `pitch` apart: rows of a panel, nr words
   apart. Lines are prefetched, since a strip may have a part of each row. (Zen 4, 4096 x 4096 of bf16, 4 rows of A by AVX2: 7.3 ms
   without, 5.9 so.) */
static void mik_f32_unpack_piece(int isa, const uint32_t *words, int64_t pitch, int64_t first, int64_t halves, int64_t some, int plus,
                                 uint32_t *dst, int64_t nr)
{
    enum { far = 24 };
    for (int64_t h = first; h < first + halves; h++, dst += nr) {
        const uint32_t *const row = words + h / 2 * pitch;
        const int upper = h % 2 != 0;
        int64_t j = 0;
        MIK_PREFETCH(row + far * pitch);
        MIK_PREFETCH(row + far * pitch + some - 1);
#if MIK_X86
        if (MIK_RUNS(isa, avx2))
            j = mik_f32_halves_of_words(row, some, upper, plus, dst);
#endif
        for (; j < some; j++) {
            const uint32_t half = mik_f32_half_of_word(row[j], upper, plus);
            memcpy(dst + j, &half, sizeof half);
        }
    }
    (void)isa;
}

/* kc steps from k0, a multiple of a panel's unit, and nc columns from n0 of the words b of `steps` steps and so many columns, as panels of
   nr columns; `plus` is added to integers. */
MIK_SHARED void mik_f32_unpack_words(int isa, const uint32_t *b, int64_t steps, int64_t columns, int plus, int64_t k0, int64_t kc,
                                     int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst)
{
    const int64_t rows = mik_word_rows(steps, MIK_F32_IN_WORD), halves = mik_ceil_div(kc, MIK_F32_UNIT);
    for (int64_t n = n0, w; n < n0 + nc; n += w, dst += halves * nr * MIK_F32_UNIT) {
        w = mik_min(nr, n0 + nc - n);
        for (int64_t j = 0, some; j < w; j += some) {
            int64_t pitch;
            const uint32_t *const words = b + mik_words_at(rows, columns, 1, n + j, &pitch);
            some = mik_min(w - j, MIK_WORD_COLUMNS - (n + j) % MIK_WORD_COLUMNS);
            mik_f32_unpack_piece(isa, words, pitch, k0 / MIK_F32_UNIT, halves, some, plus, (uint32_t *)(void *)(dst + j * MIK_F32_UNIT),
                                 nr);
        }
    }
}
