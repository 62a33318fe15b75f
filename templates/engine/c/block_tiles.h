/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Part of block.h: strips of outputs, tile by tile. */
/*
 * The blocked loops of one family: one block of outputs of one batch under one plan. Loops over column blocks (nc), steps of k
 * (kc), row blocks (mc), then tiles; where a tile's sums go is decided once per step of k (mik_f32_aim), so that every
 * epilogue shares the loops.
 */
#pragma once
#include "aim.h"

#if MIK_F32_SWEEPS
/* The next strip of a B that comes from far: the first of a strip's tiles prefetches it, or each a part of what is prepacked.
   (Sapphire Rapids: 128 x 3072 x 768 prepacked 114 GFLOP/s if the first tile of each strip prefetches what it reads itself, 140 so;
   128 x 704 x 1024 in place 137 and 155.) */
static void mik_f32_prefetch_next(const mik_f32_block *x, mik_f32_tile *t, int nv, int64_t mc, int64_t n, int64_t k0)
{
    const int mr = mik_f32_tile_kernel(&x->tiling, nv, mc)->mr;
#if MIK_F32_AHEAD
    int64_t pitch;
    if (x->ahead_n && mc > mr) {
        t->next = mik_f32_ahead_at(x->b, x->ahead_k, x->ahead_n, x->k_from + k0, n, &pitch);
        t->next_k = mik_ceil_div(pitch, mik_ceil_div(mc, mr));
        t->prefetches = mik_ceil_div(pitch, t->next_k);
    }
    if (x->ahead_n)
        return;
#endif
    if (x->r.pack_b || x->b_n != 1 || x->far_tiles == 0 || mc < x->far_tiles * mr)
        return;
    t->next = x->b + k0 * x->b_k + n;
    t->next_k = x->b_k;
    t->prefetches = 1;
}

/* A tile's share of that; what it reads itself when all has been prefetched. */
static void mik_f32_prefetch_share(mik_f32_tile *t)
{
    if (t->prefetches == 0) {
        mik_f32_at(t, t->b, t->b_k);
        t->next = NULL;
        return;
    }
    t->prefetch = t->next;
    t->prefetch_k = t->next_k;
    t->next += t->k * t->next_k;
    t->prefetches--;
}

#endif
/* The outputs of a tile of so many rows. */
static inline void mik_f32_prefetch_outputs(const mik_f32_tile *t, int rows)
{
#if MIK_F32_NARROWS
    if (t->narrow) {
        mik_prefetch(t->narrow, rows, t->narrow_m * (int64_t)sizeof *t->narrow, t->cols * (int64_t)sizeof *t->narrow);
        return;
    }
#endif
    mik_prefetch(t->c, rows, t->c_m * (int64_t)sizeof *t->c, t->cols * (int64_t)sizeof *t->c);
}

/* One tile; of bf16 by its instruction where that does what multiply-adds do. */
static inline void mik_f32_run_tile(mik_f32_tile *t, const mik_f32_variant *v)
{
#if MIK_F32_IS_BF16
    const int safe = mik_f32_is_safe(t->head, t->pitch, t->pitch ? v->mr : 1, t->heads, 0, 1);
    t->a += t->a_k;                               /* behind the head */
    if (safe)
        v->run(t);
    else
        mik_f32_exact(t, v->mr);
    t->a -= t->a_k;
#else
    v->run(t);
#endif
}

/* Tiles of one kernel, one below the other, whose rows of A are `next` apart. Where sums are short, what is not done once
   for all of them would cost more than their multiply-adds. */
static void mik_f32_column(mik_f32_tile *t, const mik_f32_variant *v, int64_t tiles, int64_t next, int prefetch, int ahead)
{
    const int64_t down = v->mr * t->c_m;
#if MIK_F32_SWEEPS
    const int prefetches = t->next != NULL;
#endif
    for (; tiles > 0; tiles--) {
        if (prefetch)
            mik_f32_prefetch_outputs(t, v->mr);
        if (ahead) {                              /* for the rows of the next tile, which follow, a part at each step */
            t->prefetch = t->a + next;
            t->prefetch_k = v->mr * MIK_F32_UNIT;
        }
#if MIK_F32_SWEEPS
        else if (prefetches)
            mik_f32_prefetch_share(t);
#endif
        mik_f32_run_tile(t, v);
#if MIK_F32_IS_BF16
        t->head += t->pitch ? v->mr * t->pitch : next;
#elif MIK_F32_HEAD
        t->head += t->pitch ? next : 0;
#endif
        t->a += next;
        t->c += down;
#if MIK_F32_NARROWS
        t->narrow = t->narrow ? t->narrow + v->mr * t->narrow_m : NULL;
#endif
    }
}

#if MIK_F32_BY_ROWS
/* The same, from row m of the block's, without steps that are zeros. */
MIK_APART static void mik_f32_live_column(const mik_f32_block *x, mik_f32_tile *t, const mik_f32_variant *v, int64_t tiles, int64_t next,
                                          int64_t m, int prefetch)
{
    for (int64_t row = m - x->live_m0; tiles > 0; row += v->mr, tiles--) {
        const int64_t whole = mik_f32_whole_tiles(&x->live->rows, row, v->mr, tiles);
        if (whole > 0) {
            mik_f32_column(t, v, whole, next, prefetch, 0);
            row += (whole - 1) * v->mr;
            tiles -= whole - 1;
            continue;
        }
#if MIK_F32_SWEEPS
        if (t->next)
            mik_f32_prefetch_share(t);
#endif
        const mik_f32_live_tile *const tile = mik_f32_find_tile(&x->tiling, x->live, v, row, t->k);
        if (!t->add)
            mik_f32_clear_rows(t, tile->part, v->mr);
        for (int i = 0; i < tile->parts; i++) {
            mik_f32_tile part;
            mik_f32_to_part(t, tile, i, &part);
            mik_f32_column(&part, x->tiling.isa->variants + tile->part[i].kernel, 1, 0, prefetch && i == 0, 0);
        }
        t->a += next;
        t->c += v->mr * t->c_m;
#if MIK_F32_HEAD
        t->head += t->pitch ? next : 0;
#endif
    }
}

#endif
/* The same within a block, from row m and column n, w columns wide; t has what belongs to the strip. */
static void mik_f32_run_column(const mik_f32_block *x, mik_f32_tile *t, const mik_f32_variant *v, int64_t tiles, int64_t next, int64_t m,
                               int64_t n, int64_t w, int64_t nb)
{
    const int prefetch = t->k >= x->prefetch, sums = x->aim == MIK_F32_SUMS, ahead = x->ahead && n == nb;
    const int64_t size = v->mr * w, room = sums ? MIK_STREAM_BYTES / (int64_t)sizeof *x->sums : MIK_F32_TILE_SIZE;
    int64_t some = x->aim == MIK_F32_DIRECT || x->aim == MIK_F32_NARROW || (sums && !x->stream) ? tiles : mik_max(room / size, 1);
    for (; tiles > 0; tiles -= some, m += some * v->mr) {
        some = mik_min(some, tiles);
        mik_f32_begin(x, t, m, n, some * v->mr, w, nb);
#if MIK_F32_BY_ROWS
        if (x->some_live)
            mik_f32_live_column(x, t, v, some, next, m, prefetch);
        else
#endif
            mik_f32_column(t, v, some, next, prefetch, ahead);
        mik_f32_end(x, m, n, some * v->mr, w);
    }
}

#if MIK_F32_HEAD
/* t's rows begin with row m of A, which is at t->a, over steps from k0 on: where their heads are. */
static void mik_f32_at_rows(const mik_f32_block *x, mik_f32_tile *t, int64_t m, int64_t k0)
{
    t->head = t->a;
    t->pitch = t->a_m;
#if MIK_F32_A_WORDS
    if (x->words) {
#if MIK_F32_IS_BF16
        t->head = x->room_a + (m - x->words_m0) * MIK_F32_UNIT;
        t->pitch = MIK_F32_UNIT;
#else
        static const mik_f32_panel zero[MIK_F32_UNIT];
        t->head = zero;
        t->pitch = 0;
#endif
        return;
    }
#endif
#if MIK_F32_ROWS_AHEAD
    /* Heads of whole rows: what they add to sums belongs to the first steps. */
    if (!x->r.pack_a) {
        t->head = x->heads_a + m * x->a_m;
#if MIK_F32_HEAD_SUMS
        static const mik_f32_panel none[MIK_F32_UNIT];
        if (x->k_from + k0 > 0) { /* heads have been added */
            t->head = none;
            t->pitch = 0;
        }
#endif
    }
#endif
    (void)x, (void)m, (void)k0;
}

#endif
#if MIK_F32_BY_ROWS
/* How many of the rows from m on, `left` at most, are in the same run. */
static int64_t mik_f32_to_run_end(const mik_f32_block *x, int64_t m, int64_t left)
{
    const mik_live *const live = &x->live->rows;
    return mik_min(live->run - (live->at + m - x->live_m0) % live->run, left);
}

/* Looks for steps that are zeros in the mc rows of a block from m0 on, which is to end with a run of rows if its tiles do so. */
static int64_t mik_f32_find_live(mik_f32_block *x, int lead, int64_t m0, int64_t mc, int64_t k0, int64_t kc)
{
    mik_live *const live = &x->live->rows;
    x->some_live = mc <= MIK_LIVE_ROWS && kc > 0 && x->op->live_a(x->s, x->batch, m0, mc, x->k_from + k0, kc, live);
    if (!x->some_live)
        return mc;
    x->live_m0 = m0;
    mik_f32_forget_tiles(x->live);
    x->by_runs = mik_f32_ends_at_runs(&x->tiling, live, x->k, x->kc, lead, mc);
    const int64_t whole = live->run ? (live->at + mc) / live->run * live->run - live->at : 0;
    return x->by_runs && m0 + mc < x->r.m1 && whole > 0 ? whole : mc;
}

#endif
/* The tiles of a strip of nv vectors, w columns from column n, for the rows m0 .. m0 + mc - 1 over `deep` packed or
   in-place steps. lead: the width whose heights the packed panels have. t has k, b and what belongs to the columns. */
static void mik_f32_strip(const mik_f32_block *x, mik_f32_tile *t, int nv, int lead, int64_t m0, int64_t mc, int64_t n, int64_t w,
                          int64_t nb, int64_t k0, int64_t deep)
{
    enum { unit = MIK_F32_UNIT };
    int64_t left = x->r.m1 - m0;
    const int64_t end = left - mc;
#if MIK_F32_BY_ROWS
    if (!x->r.pack_a || x->pitch) {
#else
    if (!x->r.pack_a) {
#endif
#if MIK_F32_BY_ROWS
        const int by_runs = x->some_live &&
                            (nv == lead ? x->by_runs : mik_f32_ends_at_runs(&x->tiling, &x->live->rows, x->k, x->kc, nv, mc));
#endif
        /* The rows of a block, not of the region, are covered: another width's heights do not end where blocks do. */
        left = nv == lead ? left : mc;
#if MIK_F32_BY_ROWS
        t->a = x->r.pack_a ? x->room_a : x->a + m0 * x->a_m + k0 * x->a_k;
        t->a_m = x->r.pack_a ? x->pitch : x->a_m;
        t->a_k = x->r.pack_a ? unit : unit * x->a_k;
#else
        t->a = x->a + m0 * x->a_m + k0 * x->a_k;
        t->a_m = x->a_m;
        t->a_k = unit * x->a_k;
#endif
#if MIK_F32_HEAD
        mik_f32_at_rows(x, t, m0, k0);
#endif
        for (const int64_t stop = nv == lead ? end : 0; left > stop;) {
#if MIK_F32_BY_ROWS
            const int64_t run = by_runs ? mik_f32_to_run_end(x, m0, left - stop) : 0;
#else
            const int64_t run = 0;
#endif
            const mik_f32_variant *v = mik_f32_tile_kernel(&x->tiling, nv, run ? run : left);
            const int64_t tiles = mik_f32_tiles_alike(&x->tiling, v, run ? run : left, run ? 0 : stop);
            mik_f32_run_column(x, t, v, tiles, v->mr * t->a_m, m0, n, w, nb);
            m0 += tiles * v->mr;
            left -= tiles * v->mr;
        }
        return;
    }
    const mik_f32_panel *panel = x->room_a;
#if MIK_F32_HEAD_SUMS
    t->pitch = unit;
#elif MIK_F32_HEAD
    t->pitch = 0; /* tiles of a panel of bf16 share one head */
#endif
    while (left > end) {
        /* A tile is a packed panel, or a part of one where this width's kernels are lower. */
        const mik_f32_variant *whole = mik_f32_tile_kernel(&x->tiling, lead, left);
        int64_t height = whole->mr;
        t->a_m = unit;
        t->a_k = height * unit;
        t->a = panel;
#if MIK_F32_HEAD
        t->head = panel;
#endif
        if (nv == lead) {
            const int64_t tiles = mik_f32_tiles_alike(&x->tiling, whole, left, end);
            mik_f32_run_column(x, t, whole, tiles, height * deep, m0, n, w, nb);
            height *= tiles;
        } else {
            for (int64_t i = 0; i < height;) {
                const mik_f32_variant *v = mik_f32_tile_kernel(&x->tiling, nv, height - i);
                mik_f32_run_column(x, t, v, 1, v->mr * unit, m0 + i, n, w, nb);
#if MIK_F32_IS_BF16
                t->head = panel;
#endif
                i += v->mr;
            }
        }
        panel += height * deep;
        m0 += height;
        left -= height;
    }
}

/* The next strip of a block: its width in vectors for `left` columns of the region; *w columns of them. */
static int mik_f32_next_strip(const mik_f32_block *x, int64_t left, int64_t *w)
{
    const int lanes = x->tiling.isa->lanes, nv = mik_f32_strip_width(&x->tiling, (left + lanes - 1) / lanes);
    *w = mik_min(left, (int64_t)nv * lanes);
    return nv;
}

#if MIK_F32_AHEAD
/* The part of a strip of *w columns from column n that lies in one panel of a B prepacked; its width in vectors. Where it begins
   over the steps from k0 on goes to t. */
static int mik_f32_strip_ahead(const mik_f32_block *x, mik_f32_tile *t, int nv, int64_t n, int64_t k0, int64_t *w)
{
    const int64_t most = mik_f32_ahead_columns(x->ahead_n), left = most - n % most, lanes = x->tiling.isa->lanes;
    int64_t pitch;
    if (*w > left) {
        nv = (int)mik_ceil_div(left, lanes);
        while (!x->tiling.isa->reach[nv])     /* there are no kernels as wide as that */
            nv--;
        *w = mik_min(left, nv * lanes);
    }
    const mik_f32_panel *const b = mik_f32_ahead_at(x->b, x->ahead_k, x->ahead_n, x->k_from + k0, n, &pitch);
    mik_f32_at(t, b, pitch);
#if MIK_F32_HEAD
    t->heads = mik_f32_ahead_heads(x->b, x->ahead_k, x->ahead_n, x->k_from + k0, n);
#endif
    return nv;
}

#endif
/* The strip at column j of a block of columns from n0 on: its width in vectors, its columns *w. Where it begins over `deep` steps from k0 on
   goes to t. */
static int mik_f32_to_strip(const mik_f32_block *x, mik_f32_tile *t, int64_t n0, int64_t j, int64_t k0, int64_t deep, int64_t *w)
{
    enum { unit = MIK_F32_UNIT };
    int nv = mik_f32_next_strip(x, x->r.n1 - n0 - j, w);
    if (x->r.pack_b)
#if MIK_F32_HEAD
        mik_f32_at_heads(t, x->room_b + j * mik_f32_column_of_b(deep), (int64_t)nv * x->tiling.isa->lanes * unit);
#else
        mik_f32_at(t, x->room_b + j * mik_f32_column_of_b(deep), (int64_t)nv * x->tiling.isa->lanes * unit);
#endif
#if MIK_F32_AHEAD
    else if (x->ahead_n)
        nv = mik_f32_strip_ahead(x, t, nv, n0 + j, k0, w);
#endif
    else
        mik_f32_at(t, x->b + k0 * x->b_k + (n0 + j) * x->b_n, x->b_k);
    t->cols = (int)*w;
#if MIK_F32_SWEEPS
    t->next = NULL;
#endif
    return nv;
}

/* All tiles of mc rows from m0 and nc columns from n0 over kc steps from k0. */
static void mik_f32_tiles(const mik_f32_block *x, int lead, int64_t m0, int64_t mc, int64_t n0, int64_t nc, int64_t k0, int64_t kc)
{
    enum { unit = MIK_F32_UNIT };
    const int64_t steps = mik_ceil_div(kc, unit), deep = unit * steps + MIK_F32_HEAD;
    mik_f32_tile t = {.k = steps, .b_n = 1};
#if MIK_F32_FITTED
    t.fitted.prefetch_distance = x->tiling.isa->fitted.prefetch_distance;
#endif
    for (int64_t j = 0, w; j < nc; j += w) {
        const int nv = mik_f32_to_strip(x, &t, n0, j, k0, deep, &w);
#if MIK_F32_SWEEPS
        if (j + w < nc)
            mik_f32_prefetch_next(x, &t, nv, mc, n0 + j + w, k0);
#endif
        mik_f32_strip(x, &t, nv, lead, m0, mc, n0 + j, w, n0, k0, deep);
    }
}
