/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Sums of few steps by the shallow kernels. Outputs beyond the second cache are computed a few rows at a time, strip by strip,
 * that the next cache or memory gets whole rows of them; the rows of B are then loaded anew for every few rows, from a cache. A
 * single column is computed as the row that it is when A is turned round, a piece of A at a time.
 */
#pragma once
#include "block.h"
#include "planner.h"

enum { MIK_F32_TURNED = 1024 };      /* elements of A turned round at a time */

/* How many of m rows are computed at a time: all that a near cache holds; of long rows that go to memory fewer than a cache
   set has places; short rows of next to no work, and many of them, strictly one after the other. (Zen 4.) */
static int64_t mik_f32_shallow_rows(const mik_f32_isa *isa, int64_t m, int64_t n, int64_t k)
{
    const float row = (float)n * sizeof(mik_f32_acc), bytes = (float)m * row;
    if (n <= 4 * isa->lanes || bytes <= 2 * (float)isa->move.l2_bytes)
        return m;
    if (k <= 4 && row <= 4096 && bytes > 8 * (float)isa->move.l3_bytes)
        return 1;
    return row > 8192 && bytes > 3 * (float)isa->move.l3_bytes ? 8 : 16;
}

/* One column, whose outputs are neighbours. */
static void mik_f32_shallow_column(const mik_f32_isa *isa, const mik_f32_tile *t, int64_t m)
{
    mik_f32_shallow_kernel *run = isa->shallow[t->k - 1];
    mik_f32_acc room[MIK_F32_TURNED];
    mik_f32_tile x = {.a = t->b, .b = t->a, .c = t->c, .k = t->k, .a_k = t->b_k, .b_k = t->a_k, .b_n = 1, .c_n = 1, .add = t->add};
    if (t->a_m == 1) {
        run(&x, 1, m);
        return;
    }
    x.b = room;
    for (int64_t i = 0, h; i < m; i += h) {
        h = mik_min(MIK_F32_TURNED / t->k, m - i);
        mik_f32_transpose(t->a + i * t->a_m, t->a_m, h, t->k, room, h);
        x.b_k = h;
        x.c = t->c + i;
        run(&x, 1, h);
    }
}

/* m x n outputs of t->k <= isa->shallow_steps steps, of at most a vector of columns <= isa->slim_steps; B's and the output's
   columns are contiguous; t->cols is not read. */
static void mik_f32_shallow(const mik_f32_isa *isa, const mik_f32_tile *t, int64_t m, int64_t n)
{
    if (n == 1 && t->c_m == 1 && (t->a_m == 1 || (t->a_k == 1 && t->k > 1 && m >= 12))) {
        mik_f32_shallow_column(isa, t, m);
        return;
    }
    mik_f32_shallow_kernel *run = (n <= isa->lanes ? isa->slim : isa->shallow)[t->k - 1];
    const int64_t rows = mik_f32_shallow_rows(isa, m, n, t->k);
    if (rows == m) {
        run(t, m, n);
        return;
    }
    mik_f32_tile x = *t;
    for (int64_t h; m > 0; m -= h) {
        h = mik_min(rows, m);
        run(&x, h, n);
        x.a += h * t->a_m;
        x.c += h * t->c_m;
    }
}

/* A region of few steps. */
static void mik_f32_shallow_region(mik_f32_block *x)
{
    const mik_f32_region *r = &x->r;
    const mik_f32_isa *isa = x->tiling.isa;
    const int64_t n = r->n1 - r->n0;
    mik_f32_aim(x, 0, x->k);
    const int buffered = x->aim != MIK_F32_DIRECT;
    const int64_t width = buffered ? mik_min(n, mik_min(4 * isa->lanes, MIK_F32_TILE_SIZE)) : n;
    for (int64_t m0 = r->m0, mc; m0 < r->m1; m0 += mc) {
        mc = r->pack_a ? mik_min(r->mc, r->m1 - m0) : r->m1 - m0;
        if (r->pack_a)
            mik_f32_fill_a(x, m0, mc, 0, x->k, 1, x->room_a);
        for (int64_t i = 0, h; i < mc; i += h) {
            h = buffered ? mik_min(mc - i, MIK_F32_TILE_SIZE / width) : mc;
            for (int64_t j = 0, w; j < n; j += w) {
                mik_f32_tile t;
                w = mik_min(n - j, width);
                t.k = x->k;
                t.a = r->pack_a ? x->room_a + i * x->k : x->a + (m0 + i) * x->a_m;
                t.a_m = r->pack_a ? x->k : x->a_m;
                t.a_k = r->pack_a ? 1 : x->a_k;
                t.b = x->b + r->n0 + j;
                t.b_k = x->b_k;
                mik_f32_begin(x, &t, m0 + i, r->n0 + j, h, w, r->n0);
                mik_f32_shallow(isa, &t, h, w);
                mik_f32_end(x, m0 + i, r->n0 + j, h, w);
            }
        }
    }
}
