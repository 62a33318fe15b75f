/*
 * B packed ahead of calls, for all of them: panels of two cache lines a row, one behind the other, each with all steps of k; the last
 * one has as many lines as it needs. Kernels of every instruction set read strips of a panel where they lie, whatever A's rows. (Zen 3:
 * with four lines 2 rows and more take a twentieth to a quarter longer, 1 row a tenth less if the last cache has B.)
 */
#pragma once
#include "operation.h"
#include "pack.h"
#include "tables.h"
#include "unpack_codes.h"

enum { MIK_F32_WORTH_PACKING = 256 };                 /* rows of A for which a B that could be read in place is packed */

/* Elements of a row of the panel that has column n, of so many columns. */
static int64_t mik_f32_ahead_width(int64_t columns, int64_t n)
{
    const int64_t left = columns - n / MIK_F32_AHEAD_COLUMNS * MIK_F32_AHEAD_COLUMNS;
    return left < MIK_F32_AHEAD_COLUMNS ? mik_round_up(left, MIK_F32_LINE) : MIK_F32_AHEAD_COLUMNS;
}

/* Where step k of column n is in `steps` steps of so many columns; the next step is *pitch elements further on. */
static const mik_f32_panel *mik_f32_ahead_at(const mik_f32_panel *b, int64_t steps, int64_t columns, int64_t k, int64_t n, int64_t *pitch)
{
    const int64_t in = n % MIK_F32_AHEAD_COLUMNS;
    *pitch = mik_f32_ahead_width(columns, n);
    return b + (n - in) * steps + k * *pitch + in;
}

/* Elements of one batch's B. */
MIK_SHARED int64_t mik_f32_ahead_size(int64_t steps, int64_t columns) { return steps * mik_round_up(columns, MIK_F32_LINE); }

/* Packs that of a batch. */
MIK_SHARED void mik_f32_ahead_pack(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, mik_f32_panel *dst)
{
    const mik_f32_isa *const isa = mik_f32_choose(mik_isa(0, MIK_F32_NEEDS));
    for (int64_t n = 0, w; n < p->n && p->k > 0; n += w) {
        w = mik_min(MIK_F32_AHEAD_COLUMNS, p->n - n);
        const int64_t pitch = mik_f32_ahead_width(p->n, n);
        if (w < pitch)
            memset(dst, 0, (size_t)(p->k * pitch) * sizeof *dst);
        if (op->b && p->b_in_place)
            mik_f32_pack_b(op->b(s, batch) + n * p->b_n, p->b_k, p->b_n, p->k, w, pitch, dst);
#if MIK_F32_QUANTIZED
        else if (op->quantized)
            mik_f32_unpack_b(isa, op->quantized, s, batch, 0, p->k, n, w, pitch, dst);
#endif
        else
            op->pack_b(s, isa->level, batch, 0, p->k, n, w, pitch, dst);
        dst += p->k * pitch;
    }
}
