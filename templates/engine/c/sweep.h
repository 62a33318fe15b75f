/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Outputs of few rows, by sweeps over B. Each element of B is used by few multiply-adds, so memory has to deliver while they
 * run. B is read in passes of a few steps of k, chunk of columns after chunk, and added to sums in a cache. While a chunk is
 * multiplied, its kernels prefetch the next one, each tile for one row of it, a little at every step: a chunk has about as many
 * tiles as a pass has steps, so memory is read in long pieces of rows and at an even pace. (Zen 5, 8 rows of A: 27 GB/s, 12 GB/s
 * where processors have to guess; 64 rows: 214 GFLOP/s, 167 where the first tile of each strip prefetched all.) The sums have a
 * place of their own, because sums a multiple of a page apart from B would make its loads wait for their stores. A single row of
 * few columns, or times as much of B as is near, is computed as B lies (c/row.c.j2).
 */
#pragma once
#include "block.h"
#include "planner.h"

/* What the tiles of a chunk prefetch, each of them t->k times a few lines: `pieces` pieces of memory from next on, apart elements
   from each other, in steps of `by` elements. Tiles beyond that prefetch what they read themselves. */
typedef struct {
    const mik_f32_panel *next;
    int64_t pieces, apart, by;
} mik_f32_wanted;

/* The tiles of a strip of nv vectors, t->k steps of it; sums: of its first row. */
static void mik_f32_sweep_strip(const mik_f32_block *x, mik_f32_tile *t, int nv, const mik_f32_panel *a, mik_f32_acc *sums,
                                mik_f32_wanted *want)
{
    const mik_f32_variant *v;
    t->a = a;
    t->c = sums;
    for (int64_t left = x->r.m1 - x->r.m0; left > 0; left -= v->mr) {
        v = mik_f32_tile_kernel(&x->tiling, nv, left);
        t->prefetch = t->b;
        t->prefetch_k = t->b_k;
        if (want->pieces > 0) {
            t->prefetch = want->next;
            t->prefetch_k = want->by;
            want->next += want->apart;
            want->pieces--;
        }
        v->run(t);
        t->a += v->mr * t->a_m;
        t->c += v->mr * t->c_m;
    }
}

enum {
    MIK_F32_PASS = 16384 / sizeof(mik_f32_acc),         /* elements of short rows of B in a pass, 16 KB */
    MIK_F32_STRIPS = 4               /* the fewest strips of a chunk: long pieces of rows */
};

/* Are `steps` rows of B, nc columns of them, one stream: do they follow each other, in no more than a chunk or 64 KB? */
static int mik_f32_is_stream(const mik_f32_block *x, int64_t nc, int64_t steps, int64_t chunk)
{
    return x->b_k < nc + x->tiling.isa->lanes && (nc <= chunk || steps * nc <= 4 * MIK_F32_PASS);
}

/* Adds t->k steps from t->b to the sums of nc columns from n0. */
static void mik_f32_sweep_pass(const mik_f32_block *x, mik_f32_tile *t, int64_t n0, int64_t nc, const mik_f32_panel *a, mik_f32_acc *sums)
{
    const mik_f32_panel *const b = t->b;
    int64_t w, j = 0, tiles = 0;
    const int first = mik_f32_next_strip(x, x->r.n1 - n0, &w);
    for (int64_t left = x->r.m1 - x->r.m0; left > 0; tiles++)
        left -= mik_f32_tile_kernel(&x->tiling, first, left)->mr;
    /* A tile for each row of the next chunk; short rows, which follow each other, are cut in as many pieces as tiles. */
    const int64_t strip = (int64_t)first * x->tiling.isa->lanes, strips = mik_ceil_div(nc, strip);
    const int64_t chunks = mik_max(strips / mik_max(mik_ceil_div(t->k, tiles), MIK_F32_STRIPS), 1);
    const int dense = mik_f32_is_stream(x, nc, t->k, strip * t->k);
    const int64_t chunk = dense ? nc : mik_ceil_div(strips, chunks) * strip;
    while (j < nc) {
        const int64_t end = mik_min(j + chunk, nc);
        mik_f32_wanted want = {end < nc ? b + end : b + t->k * t->b_k, t->k, t->b_k, mik_ceil_div(chunk, t->k)};
        if (dense) {
            want.pieces = strips * tiles;
            want.apart = mik_ceil_div(t->k * nc, want.pieces);
            want.by = mik_ceil_div(want.apart, t->k);
        }
        for (; j < end; j += w) {
            const int nv = mik_f32_next_strip(x, x->r.n1 - n0 - j, &w);
            t->b = b + j;
            t->cols = (int)w;
            mik_f32_sweep_strip(x, t, nv, a, sums + j, &want);
        }
    }
}

/* The steps of a pass over nc columns, of kc in passes alike; of short rows more. */
static int64_t mik_f32_sweep_steps(const mik_f32_block *x, int64_t nc, int64_t kc)
{
    const int64_t depth = mik_f32_sweep_depth(MIK_F32_OF(x->tiling.isa) x->r.m1 - x->r.m0);
    const int64_t most = mik_f32_is_stream(x, nc, depth, 0) ? mik_max(depth, MIK_F32_PASS / nc) : depth;
    return mik_ceil_div(kc, mik_ceil_div(kc, most));
}

/* Adds kc steps from k0 to the sums of nc columns from n0. */
static void mik_f32_sweep_block(const mik_f32_block *x, int64_t n0, int64_t nc, int64_t k0, int64_t kc, mik_f32_acc *sums)
{
    const mik_f32_region *r = &x->r;
    const int64_t m = r->m1 - r->m0, steps = mik_f32_sweep_steps(x, nc, kc);
    mik_f32_tile t = {.b_n = 1, .c_n = 1};
    t.c_m = x->sums_m;
    t.a_m = r->pack_a ? 1 : x->a_m;
    t.a_k = r->pack_a ? m : x->a_k;
    t.b_k = x->b_k;
    if (r->pack_a)
        mik_f32_fill_a(x, r->m0, m, k0, kc, m, x->room_a);
    const mik_f32_panel *a = r->pack_a ? x->room_a : x->a + r->m0 * x->a_m + k0 * x->a_k;
    if (mik_f32_by_rows(x->tiling.isa, m, r->n1 - r->n0, x->k)) {
        t.k = kc;
        t.add = k0 > 0;
        t.a = a;
        t.b = x->b + k0 * x->b_k + n0;
        t.c = sums;
        (mik_f32_is_row(x->tiling.isa, m, r->n1 - r->n0) ? x->tiling.isa->row : x->tiling.isa->long_row)(&t, nc);
        return;
    }
    for (int64_t k = 0; k < kc; k += steps) {
        t.k = mik_min(steps, kc - k);
        t.add = k0 + k > 0;
        t.b = x->b + (k0 + k) * x->b_k + n0;
        mik_f32_sweep_pass(x, &t, n0, nc, a + k * t.a_k, sums);
    }
}

/* nc columns from n0, over all steps. x->sums has a page more than their sums, x->sums_m apart, take, unless memory is short. */
static void mik_f32_sweep_columns(const mik_f32_block *x, int64_t n0, int64_t nc)
{
    const mik_f32_region *r = &x->r;
    /* Half a page away from B. */
    mik_f32_acc *sums = x->sums + (r->tight ? 0 : (((uintptr_t)(x->b + n0) + 2048 - (uintptr_t)x->sums) % 4096) / 64 * (64 / sizeof *sums));
    for (int64_t k0 = 0, kc; k0 < x->k; k0 += kc) {
        kc = mik_min(x->kc, x->k - k0);
        mik_f32_sweep_block(x, n0, nc, k0, kc, sums);
    }
    mik_f32_finish(x, r->m0, r->m1 - r->m0, n0, nc, sums, x->sums_m);
}

#if MIK_F32_AHEAD
/* How far rows of k steps of A are apart that are packed for all panels: an odd number of cache lines, so that they do not compete for
   cache sets. */
static int64_t mik_f32_ahead_apart(int64_t k)
{
    const int64_t line = 64 / (int64_t)sizeof(mik_f32_panel);
    return (mik_ceil_div(k, line) | 1) * line;
}

/* Packs the rows of A of a region, over all steps, one after the other, for sweeps that find them there as if in place. */
static void mik_f32_pack_ahead_rows(mik_f32_block *x)
{
    const int64_t apart = mik_f32_ahead_apart(x->k), m0 = x->r.m0;
    for (int64_t m = m0; m < x->r.m1; m++)
        mik_f32_fill_a(x, m, 1, 0, x->k, 1, x->room_a + (m - m0) * apart);
    x->r.pack_a = 0;
    x->a = x->room_a - m0 * apart;
    x->a_m = apart;
    x->a_k = 1;
}

/* A few rows by the panels from n0 on that a kernel reads at once. */
static void mik_f32_sweep_few(const mik_f32_block *x, const mik_f32_block *panel, int64_t n0)
{
    enum { near = 8192 / (MIK_F32_AHEAD_COLUMNS * sizeof(mik_f32_panel)) }; /* steps of a panel of which later rows find it near */
    const mik_f32_region *r = &panel->r;
    const int64_t m = r->m1 - r->m0;
    mik_f32_tile t;
    t.a_m = panel->a_m;
    t.a_k = panel->a_k;
    t.b_n = x->ahead_k * MIK_F32_AHEAD_COLUMNS;
    t.c = x->sums;
    t.c_m = x->sums_m;
    for (int64_t k = 0; k < x->k; k += t.k) {
        t.k = mik_min(m > 4 ? near : x->k, x->k - k);
        t.add = k > 0;
        t.a = panel->a + r->m0 * t.a_m + k * t.a_k;
        t.b = mik_f32_ahead_at(x->b, x->ahead_k, x->ahead_n, x->k_from + k, n0, &t.b_k);
        x->tiling.isa->panels_of_b(&t, m);
    }
    mik_f32_finish(x, r->m0, m, n0, x->tiling.isa->panels * MIK_F32_AHEAD_COLUMNS, x->sums, x->sums_m);
}

/* A region of a B prepacked, panel after panel: each is a B of few columns, and behind its rows are those of the next one. */
static void mik_f32_sweep_panels(const mik_f32_block *x)
{
    mik_f32_block panel = *x;
    if (x->r.pack_a && !x->r.tight)
        mik_f32_pack_ahead_rows(&panel);
    const int64_t width = mik_f32_ahead_columns(x->ahead_n), many = x->tiling.isa->panels * width;
    const int few = many > 0 && width == MIK_F32_AHEAD_COLUMNS && x->r.m1 - x->r.m0 <= MIK_F32_FEW_ROWS && !panel.r.pack_a;
    for (int64_t n0 = x->r.n0, nc; n0 < x->r.n1; n0 += nc) {
        if (few && n0 % width == 0 && x->r.n1 - n0 >= many) {
            nc = many;
            mik_f32_sweep_few(x, &panel, n0);
            continue;
        }
        panel.b = mik_f32_ahead_at(x->b, x->ahead_k, x->ahead_n, x->k_from, n0, &panel.b_k) - n0;
        nc = mik_min(width - n0 % width, x->r.n1 - n0);
        panel.r.n0 = n0;
        panel.r.n1 = n0 + nc;
        mik_f32_sweep_columns(&panel, n0, nc);
    }
}

#endif
/* A region by sweeps; its last block takes all columns that the solved covers may combine. */
static void mik_f32_sweep(const mik_f32_block *x)
{
    const mik_f32_region *r = &x->r;
    int64_t w;
#if MIK_F32_AHEAD
    if (x->ahead_n) {
        mik_f32_sweep_panels(x);
        return;
    }
#endif
    const int64_t reach = 2 * mik_f32_next_strip(x, r->n1 - r->n0, &w) * (int64_t)x->tiling.isa->lanes;
    for (int64_t n0 = r->n0, nc; n0 < r->n1; n0 += nc) {
        nc = r->n1 - n0 <= r->nc + reach ? r->n1 - n0 : r->nc;
        mik_f32_sweep_columns(x, n0, nc);
    }
}
