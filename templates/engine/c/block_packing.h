/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Part of block.h: packing the rows and columns of a block. */
#pragma once
#include "block_tiles.h"

#if MIK_TRACE
/* Tells that lines [line, end) of a factor have been packed, over the steps from k0 on. */
static void mik_f32_tell_packed(const mik_f32_block *x, int is_a, int64_t line, int64_t end, int64_t k0, int64_t kc, uint64_t begin)
{
    const int rows = is_a != x->turned;
    mikgen_trace_event e = {
        .op = x->op->name, .stage = x->op->stage, .what = rows ? "pack A" : "pack B", .b0 = x->op->from_batch + x->batch, .begin = begin};
    e.b1 = e.b0 + 1;
    *(rows ? &e.m0 : &e.n0) = line + (rows ? x->op->from_row : 0);
    *(rows ? &e.m1 : &e.n1) = end + (rows ? x->op->from_row : 0);
    e.k0 = x->k_from + k0;
    e.k1 = e.k0 + kc;
    mik_trace_end(x->opt, x->r.worker, &e);
}

static void mik_f32_fill_rows(const mik_f32_block *x, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t mr, mik_f32_panel *dst)
#else
static void mik_f32_fill_a(const mik_f32_block *x, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t mr, mik_f32_panel *dst)
#endif
{
#if MIK_F32_UNIT == 1
    if (x->a) {
        mik_f32_pack_a(x->a + m0 * x->a_m + k0 * x->a_k, x->a_m, x->a_k, mc, kc, mr, dst);
        return;
    }
#endif
    if (kc > 0) /* the operator's own packing decodes a step into its loops: there has to be one */
        x->op->pack_a(x->s, x->tiling.isa->level, x->batch, m0, mc, x->k_from + k0, kc, mr, dst);
}

#if MIK_TRACE
static void mik_f32_fill_a(const mik_f32_block *x, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t mr, mik_f32_panel *dst)
{
    const uint64_t begin = mik_trace_begin(x->opt);
    mik_f32_fill_rows(x, m0, mc, k0, kc, mr, dst);
    if (begin)
        mik_f32_tell_packed(x, 1, m0, m0 + mc, k0, kc, begin);
}

#endif
/* Are columns of B packed in groups, some rows of a group at a time? Then the next rows are prefetched, else what follows in the same ones. */
static inline int mik_f32_groups(const mik_f32_isa *isa)
{
    (void)isa;
    return MIK_F32_FIT(isa, band_columns, 0) > 0;
}

static void mik_f32_fill_b(const mik_f32_block *x, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst)
{
#if MIK_F32_UNIT == 1
    if (x->b) {
        const mik_f32_isa *isa = x->tiling.isa;
        const int64_t ahead = mik_f32_groups(isa) ? MIK_F32_FIT(isa, band, 8) * x->b_k : MIK_F32_ALONG;
        mik_f32_pack_b(x->b + k0 * x->b_k + n0 * x->b_n, x->b_k, x->b_n, kc, nc, nr, ahead, dst);
        return;
    }
#endif
#if MIK_F32_QUANTIZED
    if (x->op->quantized) {
        mik_f32_unpack_b(x->tiling.isa, x->op->quantized, x->s, x->batch, x->k_from + k0, kc, n0, nc, nr, dst);
        return;
    }
#endif
    if (kc > 0)
        x->op->pack_b(x->s, x->tiling.isa->level, x->batch, x->k_from + k0, kc, n0, nc, nr, dst);
}

/* Packs the rows of a block into panels: those of the main height at once, then those at the region's end. */
static void mik_f32_pack_rows(const mik_f32_block *x, int lead, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t deep)
{
    const int64_t end = x->r.m1 - m0 - mc;
    mik_f32_panel *dst = x->room_a;
#if MIK_F32_BY_ROWS
    if (x->pitch) {
#if MIK_TRACE
        const uint64_t begin = mik_trace_begin(x->opt);
#endif
        if (kc > 0)
            x->op->rows_a(x->s, x->tiling.isa->level, x->batch, m0, mc, x->k_from + k0, kc, x->pitch, dst);
#if MIK_TRACE
        if (begin)
            mik_f32_tell_packed(x, 1, m0, m0 + mc, k0, kc, begin);
#endif
        return;
    }
#endif
    for (int64_t left = x->r.m1 - m0; left > end;) {
        const int64_t height = mik_f32_tile_kernel(&x->tiling, lead, left)->mr;
        int64_t rows = height;
        while (left - rows > end && mik_f32_tile_kernel(&x->tiling, lead, left - rows)->mr == height)
            rows += height;
        mik_f32_fill_a(x, x->r.m1 - left, rows, k0, kc, height, dst);
        dst += rows * deep;
        left -= rows;
    }
}

#if MIK_F32_UNIT == 1
/* The same strips, `left` columns of them to the region's end, as those at column n of B in place; how many columns, at most `columns`. */
static int64_t mik_f32_pack_rows_of_b(const mik_f32_block *x, int64_t k0, int64_t h, int64_t n, int64_t left, int64_t columns, int64_t deep,
                                      mik_f32_panel *dst)
{
    const mik_f32_isa *isa = x->tiling.isa;
    int64_t w;
    const int nv = mik_f32_next_strip(x, left, &w);
    const int64_t nr = (int64_t)nv * isa->lanes, alike = mik_f32_strips_alike(&x->tiling, nv, mik_ceil_div(left, isa->lanes));
    const int64_t some = mik_min(left, nr * mik_min(alike, mik_ceil_div(columns, nr)));
    const int64_t ahead = mik_f32_groups(isa) ? MIK_F32_FIT(isa, band, 8) * x->b_k : MIK_F32_ALONG;
    mik_f32_pack_band(x->b + k0 * x->b_k + n, x->b_k, h, some, nr, nr * mik_f32_column_of_b(deep), ahead, dst);
    return some;
}

#endif
/* Packs strips of a block from column `from` on, at least `columns` columns, h steps from k on; the column behind them. */
static int64_t mik_f32_pack_strips(const mik_f32_block *x, int64_t k0, int64_t k, int64_t h, int64_t n0, int64_t nc, int64_t from,
                                   int64_t columns, int64_t deep)
{
    int64_t j = from;
    for (int64_t w; j < nc && j - from < columns; j += w) {
        const int64_t nr = mik_f32_next_strip(x, x->r.n1 - n0 - j, &w) * x->tiling.isa->lanes;
        mik_f32_panel *const dst = x->room_b + j * mik_f32_column_of_b(deep) + k * nr;
#if MIK_F32_UNIT == 1
        if (x->b && x->b_n == 1) {
            w = mik_f32_pack_rows_of_b(x, k0 + k, h, n0 + j, x->r.n1 - n0 - j, mik_min(from + columns, nc) - j, deep, dst);
            continue;
        }
#endif
        mik_f32_fill_b(x, k0 + k, h, n0 + j, w, nr, dst);
    }
    return j;
}

/* Packs the columns of a block, strip by strip; rows in place a few at a time, that memory is read in long pieces.
   (Zen 5, 64 rows of A: 131 GFLOP/s by whole strips, 160 by eight rows. Zen 3, 3000 x 3000: 5.5 GB/s along whole rows, 9.3 in groups of
   256 columns with the next eight rows prefetched.) */
static void mik_f32_pack_columns(const mik_f32_block *x, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t deep)
{
    const int rows = x->b && x->b_n == 1;
    const int64_t band = rows ? MIK_F32_FIT(x->tiling.isa, band, 8) : mik_max(kc, 1);
    const int64_t columns = rows && mik_f32_groups(x->tiling.isa) ? MIK_F32_FIT(x->tiling.isa, band_columns, 0) : nc;
#if MIK_TRACE
    const uint64_t begin = mik_trace_begin(x->opt);
#endif
    for (int64_t j = 0, end = nc; j < nc; j = end)
        for (int64_t k = 0, h; k < kc; k += h) {
            h = mik_min(band, kc - k);
            end = mik_f32_pack_strips(x, k0, k, h, n0, nc, j, columns, deep);
        }
#if MIK_TRACE
    if (begin)
        mik_f32_tell_packed(x, 0, n0, n0 + nc, k0, kc, begin);
#endif
}
