/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * A block of outputs on its way through the loops (block.h), and where the sums of its tiles go, which is decided once per step of k.
 */
#pragma once
#include "ahead.h"
#include "live.h"
#include "plans.h"
#include "stream.h"

/* Where the sums of a tile go: straight to the output; to a tile buffer and from there, strided, to the output; to a
   tile buffer for the epilogue, after adding what the output holds of earlier steps (last) or not (tile); to a tile
   buffer for the later steps' epilogue; to a buffer of sums for the whole block; to the output, rounded to
   16 bits. */
enum { MIK_F32_DIRECT, MIK_F32_SCATTER, MIK_F32_TILE, MIK_F32_LAST, MIK_F32_MORE, MIK_F32_SUMS, MIK_F32_NARROW };

typedef struct {
    const mik_f32_operation *op;
    const void *s;
    mik_f32_tiling tiling;
    mik_f32_region r;                             /* the outputs, of one batch */
    int64_t batch, k_from, k, kc;                 /* the steps k_from .. k_from + k - 1, in blocks of kc */
    int dots;                                     /* by the dot kernels */
    int64_t a_m, a_k, b_k, b_n, c_m, c_n;
    const mik_f32_panel *a, *b;                     /* element (0, 0), null where not in place */
#if MIK_F32_HEAD && MIK_F32_ROWS_AHEAD
    const mik_f32_panel *heads_a;                 /* of A's rows in place, a_m apart, before their first elements */
#endif
#if MIK_F32_A_WORDS
    int words; /* A is in place, and has no heads: room_a is for those of a block's rows, from row words_m0 */
    int64_t words_m0;
#endif
    mik_f32_acc *c;
    mik_f32_panel *room_a, *room_b; /* packed blocks */
#if MIK_F32_AHEAD
    int64_t ahead_k, ahead_n; /* as mik_problem's */
#endif
#if MIK_F32_BY_ROWS
    int64_t pitch; /* rows of A are packed one after the other, so far apart; 0: panels */
    mik_f32_live *live; /* the steps that count in the rows of a block, from row live_m0, */
    int64_t live_m0;
    int some_live; /* if that are not all; */
    int by_runs; /* tiles end where runs of such rows do */
#endif
    mik_f32_acc *tile, *sums; /* one tile; all sums of a column block, rows sums_m apart, from row sums_m0 */
    int64_t sums_m, sums_m0;
#if MIK_F32_NARROWS
    uint16_t *narrow; /* where tiles store sums over all of k, rounded; or null */
#endif
    mik_stream *stream; /* the sums go this way to the output, block by block; or null */
    mik_f32_acc *other_sums; /* those of the block before, on their way */
    int aim, add; /* the current step's destination; sums are added to it */
    int64_t prefetch; /* sums of so many steps prefetch the lines of their destination */
    int ahead; /* the first strip's tiles prefetch the next tile's rows of A */
#if MIK_F32_SWEEPS
    int far_tiles; /* B comes from far, strips of so many tiles prefetch the next one; 0: it does not */
#endif
#if MIK_F32_FLIPS_ROW
    int transposed; /* to the epilogue, columns are rows */
#endif
#if MIK_TRACE
    const mikgen_options *opt;
    int turned; /* A and B have changed roles */
#endif
} mik_f32_block;

/* Elements of packed B for a column of a strip, of `deep` steps: strips are not a power of two apart, so that they do not compete for
   cache sets while some rows of all are packed. (Zen 3, 3072 x 3072: 20 GB/s instead of 15.) */
static inline int64_t mik_f32_column_of_b(int64_t deep) { return MIK_F32_UNIT == 1 ? deep + 1 : deep; }

/* Whether sums of earlier k blocks need a buffer of their own. */
static int mik_f32_needs_sums(const mik_f32_operation *op, const mik_problem *p, int64_t kc)
{
    if (op->kind != MIK_GENERAL || p->k <= kc || op->more)
        return 0;
    return !(op->partial_in_c && p->c_direct && p->c_n == 1);
}

#if MIK_F32_NARROWS
/* Do tiles leave out steps that are zeros? Then some are done in parts. */
static int mik_f32_has_parts(const mik_f32_block *x)
{
#if MIK_F32_BY_ROWS
    return x->some_live;
#else
    (void)x;
    return 0;
#endif
}

#endif
/* Decides where the sums over k0 <= k < k0 + kc go. */
static void mik_f32_aim(mik_f32_block *x, int64_t k0, int64_t kc)
{
    const int first = k0 == 0, last = k0 + kc >= x->k;
    if (x->op->kind != MIK_GENERAL) {
        x->add = x->op->kind == MIK_ACCUMULATE || !first;
        x->aim = x->stream ? MIK_F32_SUMS : x->c_n == 1 || x->dots ? MIK_F32_DIRECT : MIK_F32_SCATTER;
    } else if (first && last) {
        x->add = 0;
#if MIK_F32_NARROWS
        x->aim = x->narrow && !mik_f32_has_parts(x) ? MIK_F32_NARROW : MIK_F32_TILE;
#else
        x->aim = MIK_F32_TILE;
#endif
    } else if (x->op->more) {
        x->add = 0;
        x->aim = first ? MIK_F32_TILE : MIK_F32_MORE;
    } else {
        x->add = !first;
        x->aim = x->sums ? MIK_F32_SUMS : last ? MIK_F32_LAST : MIK_F32_DIRECT;
    }
}

/* Points t at the destination of the h x w tile at (m, n), which belongs to the column block at nb. */
static void mik_f32_begin(const mik_f32_block *x, mik_f32_tile *t, int64_t m, int64_t n, int64_t h, int64_t w, int64_t nb)
{
    t->add = x->add;
    t->c_n = 1;
#if MIK_F32_NARROWS
    t->narrow = x->aim == MIK_F32_NARROW ? x->narrow + m * x->c_m + n : NULL;
    t->narrow_m = x->c_m;
#if MIK_F32_NARROWS == 3
    t->narrow_half = x->op->narrow_half;
#endif
#endif
    switch (x->aim) {
    case MIK_F32_DIRECT:
        t->c = x->c + m * x->c_m + n * x->c_n;
        t->c_m = x->c_m;
        t->c_n = x->c_n;
        break;
    case MIK_F32_SUMS:
        t->c = x->sums + (m - x->sums_m0) * x->sums_m + (n - nb);
        t->c_m = x->sums_m;
        break;
    case MIK_F32_LAST:
        for (int64_t i = 0; i < h; i++)
            memcpy(x->tile + i * w, x->c + (m + i) * x->c_m + n, (size_t)w * sizeof *x->tile);
        t->c = x->tile;
        t->c_m = w;
        break;
    default:
        t->c = x->tile;
        t->c_m = x->aim == MIK_F32_NARROW ? 0 : w;
        t->add = 0;
    }
}

#if MIK_F32_EXCHANGES
/* Stores h x w sums, rows ld apart, at (m, n) of an output whose columns are contiguous, or adds them to it. */
static void mik_f32_write_turned(const mik_f32_block *x, int64_t m, int64_t h, int64_t n, int64_t w, const mik_f32_acc *sums, int64_t ld,
                                 int add)
{
    mik_f32_acc *c = x->c + m + n * x->c_n;
    if (!add) {
        mik_f32_transpose(sums, ld, h, w, c, x->c_n);
        return;
    }
    for (int64_t j = 0; j < w; j++, c += x->c_n)
        for (int64_t i = 0; i < h; i++)
            c[i] += sums[i * ld + j];
}

#endif
/* The same of any output. */
static void mik_f32_write(const mik_f32_block *x, int64_t m, int64_t h, int64_t n, int64_t w, const mik_f32_acc *sums, int64_t ld, int add)
{
#if MIK_F32_EXCHANGES
    if (x->c_m == 1 && x->c_n != 1) {
        mik_f32_write_turned(x, m, h, n, w, sums, ld, add);
        return;
    }
#endif
    for (int64_t i = 0; i < h; i++, sums += ld) {
        mik_f32_acc *c = x->c + (m + i) * x->c_m + n * x->c_n;
        if (!add && x->c_n == 1)
            memcpy(c, sums, (size_t)w * sizeof *c);
        else
            for (int64_t j = 0; j < w; j++)
                c[j * x->c_n] = add ? c[j * x->c_n] + sums[j] : sums[j];
    }
}

#if MIK_F32_FLIPS_ROW
/* Hands the sums of a column, ld apart, to the epilogue, which has them in a row. */
static void mik_f32_finish_row(const mik_f32_block *x, int64_t n, int64_t w, mik_f32_acc *sums, int64_t ld)
{
    const int64_t run = ld == 1 ? w : 1;
    for (int64_t j = 0; j < w; j += run)
        x->op->epilogue(x->s, x->tiling.isa->level, x->batch, 0, 1, n + j, run, sums + j * ld, run);
}

#endif
/* h x w sums over all of k are done: stores them, adds them to the output, or hands them on. */
static void mik_f32_finish(const mik_f32_block *x, int64_t m, int64_t h, int64_t n, int64_t w, mik_f32_acc *sums, int64_t ld)
{
#if MIK_F32_FLIPS_ROW
    if (x->op->kind == MIK_GENERAL && x->transposed) {
        mik_f32_finish_row(x, m, h, sums, ld);
        return;
    }
#endif
    if (x->op->kind == MIK_GENERAL)
        x->op->epilogue(x->s, x->tiling.isa->level, x->batch, m, h, n, w, sums, ld);
    else
        mik_f32_write(x, m, h, n, w, sums, ld, x->op->kind == MIK_ACCUMULATE);
}

/* Hands a finished tile on. */
static void mik_f32_end(const mik_f32_block *x, int64_t m, int64_t n, int64_t h, int64_t w)
{
#if MIK_F32_FLIPS_ROW
    if (x->aim == MIK_F32_MORE && x->transposed) {
#if MIK_F32_MORE_ISA
        x->op->more(x->s, x->tiling.isa->level, x->batch, 0, 1, m, h, x->tile, h);
#else
        x->op->more(x->s, x->batch, 0, 1, m, h, x->tile, h);
#endif
        return;
    }
#endif
    switch (x->aim) {
    case MIK_F32_NARROW:
    case MIK_F32_DIRECT: break;
    case MIK_F32_SUMS:
        if (x->stream)
            mik_stream_some(x->stream, x->tiling.isa->level, h * w * (int64_t)sizeof *x->sums);
        break;
    case MIK_F32_SCATTER: mik_f32_write(x, m, h, n, w, x->tile, w, x->add); break;
#if MIK_F32_MORE_ISA
    case MIK_F32_MORE: x->op->more(x->s, x->tiling.isa->level, x->batch, m, h, n, w, x->tile, w); break;
#else
    case MIK_F32_MORE: x->op->more(x->s, x->batch, m, h, n, w, x->tile, w); break;
#endif
    default: mik_f32_finish(x, m, h, n, w, x->tile, w);
    }
}
