/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Outputs of few columns, by inner products along k. Inner products take rows that lie far apart in one kernel call. Memory is
 * then read in as many streams, each of which a prefetcher can follow; neighbouring rows, when they are short, would look to it
 * like one stream with gaps. (Zen 4, rows of 64 to 512 floats out of cache: 24 GB/s instead of 8 to 14.)
 */
#pragma once
#include "block.h"

/* The inner products of m rows of A and n columns of B; t describes the first of them. */
static void mik_f32_dot_rows(const mik_f32_isa *isa, const mik_f32_tile *t, int64_t m, int64_t n)
{
    const int64_t top = isa->dot_rows[mik_min(n, 4) - 1];
    mik_f32_tile x = *t;
    for (int64_t i = 0, h, apart; i < m; i += h * apart) {
        h = mik_min(top, m - i);
        apart = (m - i) / h;
        for (int more = 3; more > 0 && apart > 1 && ((apart * t->a_m * (int64_t)sizeof *t->a + 128) & 4095) < 256; more--)
            apart--;                          /* rows should not compete for cache sets */
        x.a_m = apart * t->a_m;
        x.c_m = apart * t->c_m;
#if MIK_F32_HEAD
        x.pitch = apart * t->pitch;
#endif
        for (int64_t q = i; q < i + apart; q++) {
            x.a = t->a + q * t->a_m;
#if MIK_F32_HEAD
            x.head = t->head + q * t->pitch;
#endif
            for (int64_t j = 0, w; j < n; j += w) {
                w = mik_min(n - j, 4);
                x.b = t->b + j * t->b_n;
                x.c = t->c + q * t->c_m + j * t->c_n;
#if MIK_F32_IS_BF16
                if (mik_f32_is_safe(x.head, x.pitch, h, x.b, x.b_n, w))
                    isa->dots[4 * (h - 1) + w - 1](&x);
                else
                    mik_f32_exact_dots(&x, h, w);
#else
                isa->dots[4 * (h - 1) + w - 1](&x);
#endif
            }
        }
    }
}

/* A region by inner products. What goes through the tile buffer does so as many rows at a time as it holds. */
static void mik_f32_inner_products(mik_f32_block *x)
{
    const mik_f32_region *r = &x->r;
    const int64_t n = r->n1 - r->n0;
    int64_t k0 = 0, kc;
    do {
        kc = mik_min(x->kc, x->k - k0);
        const int64_t steps = mik_ceil_div(kc, MIK_F32_UNIT), deep = MIK_F32_UNIT * steps + MIK_F32_HEAD;
        mik_f32_aim(x, k0, kc);
        const int buffered = x->aim != MIK_F32_DIRECT && x->aim != MIK_F32_SUMS;
#if MIK_TRACE
        const uint64_t begin = r->pack_b ? mik_trace_begin(x->opt) : 0;
#endif
        if (r->pack_b)
            mik_f32_fill_b(x, k0, kc, r->n0, n, 1, x->room_b);
#if MIK_TRACE
        if (begin)
            mik_f32_tell_packed(x, 0, r->n0, r->n1, k0, kc, begin);
#endif
        for (int64_t m0 = r->m0, mc; m0 < r->m1; m0 += mc) {
            mc = r->pack_a ? mik_min(r->mc, r->m1 - m0) : r->m1 - m0;
            if (r->pack_a)
                mik_f32_fill_a(x, m0, mc, k0, kc, 1, x->room_a);
            for (int64_t i = 0, h; i < mc; i += h) {
                const int64_t width = buffered ? mik_min(n, MIK_F32_TILE_SIZE) : n;
                h = buffered ? mik_min(mc - i, MIK_F32_TILE_SIZE / width) : mc;
                for (int64_t j = 0, w; j < n; j += w) {
                    mik_f32_tile t;
                    w = mik_min(n - j, width);
                    t.k = steps;
                    t.a = r->pack_a ? x->room_a + i * deep : x->a + (m0 + i) * x->a_m + k0;
                    t.a_m = r->pack_a ? deep : x->a_m;
#if MIK_F32_HEAD
                    mik_f32_at_rows(x, &t, m0 + i, k0);
#endif
                    t.b = r->pack_b ? x->room_b + j * deep : x->b + (r->n0 + j) * x->b_n + k0;
                    t.b_n = r->pack_b ? deep : x->b_n;
                    mik_f32_begin(x, &t, m0 + i, r->n0 + j, h, w, r->n0);
                    mik_f32_dot_rows(x->tiling.isa, &t, h, w);
                    mik_f32_end(x, m0 + i, r->n0 + j, h, w);
                }
            }
        }
        k0 += kc;
    } while (k0 < x->k);
    if (x->sums)
        mik_f32_finish(x, r->m0, r->m1 - r->m0, r->n0, n, x->sums, x->sums_m);
}
