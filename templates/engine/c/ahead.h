/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * B prepacked, for all of them: panels of two cache lines a row, one behind the other, each with all steps of k; the last
 * one has as many lines as it needs. Kernels of every instruction set read strips of a panel where they lie, whatever A's rows. (Zen 3:
 * with four lines 2 rows and more take a twentieth to a quarter longer, 1 row a tenth less if the last cache has B.)
 */
#pragma once
#include "operation.h"
#include "pack.h"
#include "tables.h"
#include "unpack_codes.h"
#include "words.h"

#if MIK_F32_UNIT > 1
/* In words of a unit each (words.h): where step k, a multiple of a unit, of column n is in `steps` steps of so many columns; the next unit is
   *pitch elements further on. */
static const mik_f32_panel *mik_f32_ahead_at(const mik_f32_panel *b, int64_t steps, int64_t columns, int64_t k, int64_t n, int64_t *pitch)
{
    const int64_t at = mik_words_at(mik_word_rows(steps, MIK_F32_UNIT), columns, 1 + k / MIK_F32_UNIT, n, pitch);
    *pitch *= MIK_F32_UNIT;
    return b + at * MIK_F32_UNIT;
}

/* What goes for the heads of a block of steps from k on: sums over whole columns belong to the first block. */
static const mik_f32_panel *mik_f32_ahead_heads(const mik_f32_panel *b, int64_t steps, int64_t columns, int64_t k, int64_t n)
{
    const int64_t rows = mik_word_rows(steps, MIK_F32_UNIT);
    int64_t pitch;
#if MIK_F32_HEAD_SUMS
    static const mik_f32_panel none[MIK_WORD_COLUMNS * MIK_F32_UNIT];
    return k > 0 ? none : b + mik_words_at(rows, columns, 0, n, &pitch) * MIK_F32_UNIT;
#else
    (void)k;
    return b + mik_words_at(rows, columns, 0, n - n % MIK_WORD_COLUMNS, &pitch) * MIK_F32_UNIT;
#endif
}
#else
enum { MIK_F32_WORTH_PACKING = 256 };                 /* rows of A for which a B that could be read in place is packed */

/* Elements of a row of the panel that has column n, of so many columns. */
static int64_t mik_f32_ahead_width(int64_t columns, int64_t n)
{
    const int64_t most = mik_f32_ahead_columns(columns), left = columns - n / most * most;
    return left < most ? mik_round_up(left, MIK_F32_LINE) : most;
}

/* Where step k of column n is in `steps` steps of so many columns; the next step is *pitch elements further on. */
static const mik_f32_panel *mik_f32_ahead_at(const mik_f32_panel *b, int64_t steps, int64_t columns, int64_t k, int64_t n, int64_t *pitch)
{
    const int64_t in = n % mik_f32_ahead_columns(columns);
    *pitch = mik_f32_ahead_width(columns, n);
    return b + (n - in) * steps + k * *pitch + in;
}

/* Elements of one batch's B. */
MIK_SHARED int64_t mik_f32_ahead_size(int64_t steps, int64_t columns) { return steps * mik_round_up(columns, MIK_F32_LINE); }

/* Packs that of a batch. */
MIK_UNUSED MIK_SHARED void mik_f32_ahead_pack(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch,
                                              mik_f32_panel *dst)
{
    const mik_f32_isa *const isa = mik_f32_choose(mik_isa(0, MIK_F32_NEEDS));
    for (int64_t n = 0, w; n < p->n && p->k > 0; n += w) {
        w = mik_min(mik_f32_ahead_columns(p->n), p->n - n);
        const int64_t pitch = mik_f32_ahead_width(p->n, n);
        if (w < pitch)
            memset(dst, 0, (size_t)(p->k * pitch) * sizeof *dst);
        if (op->b && p->b_in_place)
            mik_f32_pack_b(op->b(s, batch) + n * p->b_n, p->b_k, p->b_n, p->k, w, pitch, MIK_F32_ALONG, dst);
#if MIK_F32_QUANTIZED
        else if (op->quantized)
            mik_f32_unpack_b(isa, op->quantized, s, batch, 0, p->k, n, w, pitch, dst);
#endif
        else
            op->pack_b(s, isa->level, batch, 0, p->k, n, w, pitch, dst);
        dst += p->k * pitch;
    }
}
#endif
