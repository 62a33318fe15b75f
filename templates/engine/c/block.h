/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Part of block.h: the loops over blocks of columns, of steps and of rows, from the outermost one on. */
#pragma once
#include "block_packing.h"

/* The sums of a block are done: they are stored while those of the next one are computed, in the other buffer. */
static void mik_f32_stream_block(mik_f32_block *x, int64_t m0, int64_t mc, int64_t n0, int64_t nc)
{
    const int64_t size = sizeof(mik_f32_acc);
    mik_f32_acc *const sums = x->sums;
    mik_stream_next(x->stream, x->tiling.isa->level, x->c + m0 * x->c_m + n0, x->c_m * size, sums, x->sums_m * size, mc, nc * size);
    x->sums = x->other_sums;
    x->other_sums = sums;
}

/* A region by tiles: blocks of columns, of k, of rows. The last block of rows and of columns takes all that the solved
   covers may combine. */
static void mik_f32_run_tiles(mik_f32_block *x)
{
    const mik_f32_region *r = &x->r;
    const int lanes = x->tiling.isa->lanes;
    int64_t w;
    const int lead = mik_f32_next_strip(x, r->n1 - r->n0, &w);
    const int64_t reach_m = x->tiling.isa->reach[lead], reach_n = 2 * (int64_t)lead * lanes;
#if MIK_F32_BY_ROWS
    const int looks = x->pitch && x->op->live_a && x->k * mik_ceil_div(r->n1 - r->n0, lanes) >= MIK_F32_WORTH_LIVE;
    const int mr = mik_f32_tile_kernel(&x->tiling, lead, r->m1 - r->m0)->mr;
    const int64_t most = looks ? mik_min(r->mc, (MIK_LIVE_ROWS - reach_m) / mr * mr) : r->mc;
    x->some_live = 0;
#else
    const int64_t most = r->mc;
#endif
    for (int64_t n0 = r->n0, nc; n0 < r->n1; n0 += nc) {
        nc = r->n1 - n0 <= r->nc + reach_n ? r->n1 - n0 : r->nc;
        int64_t k0 = 0, kc;
        do { /* once also for k = 0 */
            kc = mik_min(x->kc, x->k - k0);
            const int64_t deep = mik_round_up(kc, MIK_F32_UNIT) + MIK_F32_HEAD;
            mik_f32_aim(x, k0, kc);
            if (r->pack_b)
                mik_f32_pack_columns(x, k0, kc, n0, nc, deep);
            for (int64_t m0 = r->m0, mc; m0 < r->m1; m0 += mc) {
                mc = r->m1 - m0 <= most + reach_m ? r->m1 - m0 : most;
#if MIK_F32_BY_ROWS
                if (looks)
                    mc = mik_f32_find_live(x, lead, m0, mc, k0, kc);
                mik_f32_aim(x, k0, kc);
#endif
#if MIK_F32_A_WORDS && MIK_F32_IS_BF16
                if (x->words) {
                    x->words_m0 = m0;
                    mik_f32_heads_of_rows(x->a + MIK_F32_HEAD + m0 * x->a_m + k0, x->a_m, mc, kc, x->room_a);
                }
#endif
                if (r->pack_a)
                    mik_f32_pack_rows(x, lead, m0, mc, k0, kc, deep);
                if (x->stream)
                    x->sums_m0 = m0;
                mik_f32_tiles(x, lead, m0, mc, n0, nc, k0, kc);
                if (x->stream)
                    mik_f32_stream_block(x, m0, mc, n0, nc);
            }
            k0 += kc;
        } while (k0 < x->k);
        if (x->sums && !x->stream)
            mik_f32_finish(x, r->m0, r->m1 - r->m0, n0, nc, x->sums, x->sums_m);
    }
    if (x->stream)
        mik_stream_end(x->stream, x->tiling.isa->level);
}
