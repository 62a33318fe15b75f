/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The cost model: what a region takes under a tiling: cost(region) = tiles under its cover, each g(steps of k), plus packing its
 * operands or reading them in place, plus waiting for memory to take what is stored. One thread, nanoseconds.
 */
#pragma once
#include "cost_factors.h"
#include "plans.h"

/* Few columns: A, which comes from a far cache or from memory, is used once, while all of B stays near. Then k is in one block,
   so that tiles read A from its beginning to its end, and each prefetches the rows of the next one while it computes.
   (Zen 5, 7680x16x2560: 190 GFLOP/s instead of 98, and 128 without prefetching.) */
static int mik_f32_is_tall(const mik_f32_isa *isa, const mik_f32_shape *s)
{
    const float near = (float)isa->move.near_bytes, size = (float)s->k * sizeof(mik_f32_panel);
    return s->facts & MIK_F32_A_DENSE && !(s->wish & (MIK_PACK_A | MIK_SMALL_BLOCKS)) && s->k <= 8192 &&
           size * (float)s->n <= (s->n <= 7 * isa->lanes ? 5 : 3) * near && (size * (float)s->m > 2 * near || s->wish & MIK_TALL);
}

/* A search. bound: nanoseconds that a vector of one row takes at least. */
typedef struct {
    const mik_f32_isa *isa;
    const mik_f32_shape *s;
    mik_f32_steps steps;
    float bound;
    int regime;
    mik_f32_plan *other;                     /* where the runner-up goes, for explanations; NULL: nobody asks */
} mik_f32_search;

/* The best single region for some outputs: its tiles' cost, with its operands' cost, its kernel, what it packs. */
typedef struct {
    float tiles, cost;
    int main, pack;
} mik_f32_choice;

#if MIK_F32_UNIT > 1
/* The most steps of k in a block of words. Prepacked, a panel is one stream from the first to the last, read by a strip that stays in
   half of the second cache unless few rows read it but once. (Zen 4, 4096 x 4096 of bf16, by 1024 steps and by all: 4 rows 1.75 and 1.55
   ms, 512 rows 84 and 81 ms.) What few rows of A have packed is read from memory in long pieces of rows. (Zen 4, 4096 x 4096 of bytes, by
   2048 steps and by 256: 2 rows 3.5 and 2.6 ms, 8 rows 4.4 and 3.6 ms.) */
static int64_t mik_f32_word_steps(const mik_f32_isa *isa, const mik_f32_shape *s)
{
    enum { few = 16, most = 1 << 24, low = 32, wide = 1024, far = 1 << 20, short_steps = 256 };
#if MIK_F32_AHEAD
    if (s->facts & MIK_F32_B_AHEAD)
        return s->m <= few ? mik_min(s->k, most)
                           : mik_max(isa->move.l2_bytes / 2 / (MIK_F32_AHEAD_COLUMNS * (int64_t)sizeof(mik_f32_panel)), isa->move.kc);
#endif
    if (s->m <= low && s->n >= wide && (float)s->n * (float)s->k > far)
        return short_steps;
    return mik_f32_is_tall(isa, s) ? s->k : isa->move.kc;
}

#endif
/* The steps of k per block. */
static int32_t mik_f32_depth(const mik_f32_isa *isa, const mik_f32_shape *s, int64_t top)
{
    top = s->wish & MIK_SMALL_BLOCKS ? mik_max(top / 16, 8) : top;
    const int64_t blocks = s->k > top + top / 2 ? mik_ceil_div(s->k, top) : 1;
    (void)isa;
    return (int32_t)mik_max(mik_round_up(mik_ceil_div(s->k, blocks), blocks > 1 ? 8 : 1), 1);
}

static void mik_f32_search_begin(mik_f32_search *x, const mik_f32_isa *isa, const mik_f32_shape *s, int32_t kc)
{
    x->isa = isa;
    x->s = s;
    x->other = NULL;
    x->steps = mik_f32_steps_of(s->k, kc);
    x->regime = mik_min(s->k, kc) >= MIK_F32_COVER_STEPS;
    x->bound = 1e30f;
    for (int nv = 1; nv <= isa->widest; nv++)
        if (isa->reach[nv]) {
            const mik_f32_variant *v = isa->variants + isa->cover[x->regime].main[nv];
            const float rate = mik_f32_tile_cost(&x->steps, v) / (float)(v->mr * v->nv);
            x->bound = rate < x->bound ? rate : x->bound;
        }
}

/* What m rows and n columns take at least. */
static float mik_f32_least(const mik_f32_search *x, int64_t m, int64_t n)
{
    return x->bound * (float)m * (float)((n + x->isa->lanes - 1) / x->isa->lanes);
}

/* How much of an operand comes from memory: a cache of many cores holds more than the share of one. */
static float mik_f32_cold(const mik_f32_move *c, float bytes)
{
    const float part = bytes / (2 * (float)c->l3_bytes) - MIK_CACHE_SHARES;
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* The same of B. */
static float mik_f32_cold_b(const mik_f32_search *x, float bytes) { return x->s->wish & MIK_COLD ? 1 : mik_f32_cold(&x->isa->move, bytes); }

/* Nanoseconds of a vector of B in place under tiles of m rows together, of which `tiles` use it one after the other. The first one
   fetches it, faster the more of a row of B is read in its order, `part` of it, while it has `height` rows to compute; from memory
   at about half of its speed otherwise, which arithmetic hides a little. It hides less in strips of a part of a line, which read each
   line twice. Later ones find it nearer, unless its rows compete for few
   cache sets. */
static float mik_f32_fetch_b(const mik_f32_search *x, float bytes, int64_t m, int64_t tiles, int height, int lead, float part)
{
    const mik_f32_move *c = &x->isa->move;
    const int conflict = x->s->facts & MIK_F32_B_CONFLICT;
    const float far = conflict ? c->conflict : c->far, all = x->s->wish & MIK_COLD ? 1 : bytes / (float)c->l3_bytes,
                share = all < 1 ? all : 1;
    const float line = (float)x->isa->lanes * sizeof(mik_f32_panel) * c->read * mik_f32_cold_b(x, bytes);
    const int strip = lead * x->isa->lanes * (int)sizeof(mik_f32_panel);
    const float lines = strip < 64 ? (float)strip / 64 : 1, rows = x->bound / (float)mik_max(x->s->k, 1),
                wait = MIK_FETCH_WAIT * c->far * share - MIK_FETCH_HIDDEN * lines * rows * (float)height;
    const float first = far * (share < MIK_FETCH_LEAST ? MIK_FETCH_LEAST : share) * (1 - MIK_FETCH_ALONG * part * part) +
                        (wait < 0 ? 0 : wait);
    const float cold = (MIK_COLD_TWICE - part * part) * line - MIK_COLD_HIDDEN * rows * (float)m;
    return first + (cold < 0 ? 0 : cold) +
           (conflict ? MIK_AGAIN_CONFLICT / (float)lead : MIK_AGAIN + MIK_AGAIN * share) * far * (float)(tiles - 1);
}

/* The vectors of the widest strip of so many. */
static int mik_f32_widest(const mik_f32_tiling *t, int lead, int64_t vectors)
{
    int most = lead;
    for (int64_t left = vectors - lead, nv; vectors <= MIK_F32_COVER_COLUMNS && left > 0; left -= nv) {
        nv = mik_f32_strip_width(t, left);
        most = nv > most ? (int)nv : most;
    }
    return most;
}

/* Nanoseconds that tiles wait for lines of B in place, all but the first of a strip `wide` vectors wide: the nearest cache has lost them
   where it does not hold the lines of a block of k. Rows that are no whole lines begin anywhere, and take a line more. One strip alone is
   a stream, which processors fetch ahead.
   (Zen 3, 742x659x477: 5.8 ms in place, 5.15 packed; 158x75x16040: 6.9 and 5.9.) */
static float mik_f32_lost_lines(const mik_f32_search *x, int wide, int64_t vectors, int64_t tiles)
{
    enum { nearest = 32768, line = 64, size = sizeof(mik_f32_panel) };
    const int64_t bytes = wide * x->isa->lanes * size + (x->s->n * size % line ? line - size : 0);
    if (x->s->facts & MIK_F32_B_AHEAD || wide >= vectors || bytes * mik_min(x->s->k, x->isa->move.kc) <= nearest)
        return 0;
    return MIK_F32_FIT(x->isa, again, 0) * (float)bytes / line * (float)x->s->k * (float)mik_ceil_div(vectors, wide) * (float)(tiles - 1);
}

/* Nanoseconds to put n columns of B into panels, besides what they take to come. */
static float mik_f32_packing(const mik_f32_search *x, int64_t n)
{
    const mik_f32_move *c = &x->isa->move;
    const float b = (float)x->s->k * (float)n, bytes = b * sizeof(mik_f32_panel);
    return b * (x->s->facts & MIK_F32_B_CONVERT  ? c->convert
                : x->s->facts & MIK_F32_B_SPARSE ? c->gather
                                                 : MIK_PACK_COLUMNS * c->pack) +
           MIK_PACK_COLD * bytes * c->read * mik_f32_cold_b(x, bytes);
}

/* Nanoseconds to fetch the operands of m rows and n columns under a tiling, packed or in place, whatever is cheaper;
   *pack gets bit 0 for A and bit 1 for B. Forced decisions come first. */
static float mik_f32_operands(const mik_f32_search *x, const mik_f32_tiling *t, int lead, int64_t m, int64_t n, int *pack)
{
    const mik_f32_shape *s = x->s;
    const mik_f32_move *c = &x->isa->move;
    const float a = (float)m * (float)s->k, b = (float)s->k * (float)n, bytes = b * sizeof(mik_f32_panel);
    const int height = (t->main && t->main->nv == lead ? t->main : x->isa->variants + t->cover->main[lead])->mr;
    const float passes_a = (float)n / (float)(lead * x->isa->lanes) + MIK_HALF_PASS;
    const float pack_a = a * (s->facts & MIK_F32_A_CONVERT ? c->convert : MIK_PACK_ROWS * c->gather);
    const int64_t vectors = mik_ceil_div(n, x->isa->lanes);
    const int wide = mik_f32_widest(t, lead, vectors);
    const int64_t tiles = mik_f32_strip_tiles(t, wide, m);
    /* Of a row of B. */
    const float part = wide >= vectors             ? (n == s->n ? 1 : 0)
                       : n == s->n || wide == lead ? (float)wide * (float)x->isa->lanes / (float)s->n
                                                   : 0;
#if MIK_F32_AHEAD
    /* Of a row of a panel. */
    const float along = s->facts & MIK_F32_B_AHEAD ? (float)mik_min(wide * x->isa->lanes, MIK_F32_AHEAD_COLUMNS) / MIK_F32_AHEAD_COLUMNS
                                                   : part;
#else
    const float along = part;
#endif
    const float strip = (float)s->k * (float)wide * (float)x->isa->lanes * sizeof(mik_f32_panel);
    /* Whole rows of outputs on their way to memory leave B no place in the near caches; packed, it is fetched in time. */
    const int displaced = s->k <= c->low_steps && s->facts & MIK_F32_C_BEYOND;
    const float near = s->wish & MIK_COLD ? 0 : (float)c->near_bytes;
    /* Packing fetches B too, and puts it where A and the sums would be. */
    const float pack_b = mik_f32_packing(x, n) + (bytes > near ? b / (float)x->isa->lanes * c->far : 0) +
                         (displaced ? MIK_PACK_DISPLACED * b / (float)x->isa->lanes * (float)tiles * c->far : 0);
    const float bytes_a = a * sizeof(mik_f32_panel);
    const int tall = mik_f32_is_tall(x->isa, s);
    const float keep_a = a <= MIK_TINY_OPERAND ? 0
                                               : a * passes_a * (s->facts & MIK_F32_A_CONFLICT && height > 10 ? c->conflict_a : c->far_a);
    /* From memory: rows of many pages are streams, which are fetched ahead. */
    const float cold_a = (tall && height > MIK_MANY_STREAMS ? MIK_COLD_A_HIGH
                          : tall                            ? MIK_COLD_A_TALL
                          : s->k < MIK_LONG_ROW             ? MIK_COLD_A
                                                            : MIK_COLD_A_LONG) *
                         bytes_a * c->read * mik_f32_cold(c, bytes_a);
    /* Strips that exceed the first cache come from the second one for every tile. */
    const float keep_b = b <= MIK_TINY_OPERAND ? 0
                         : displaced
                             ? bytes * (float)tiles * c->read
                             : b / (float)x->isa->lanes *
                                       (bytes > near ? mik_f32_fetch_b(x, bytes, m, tiles, mik_f32_tile_kernel(t, wide, m)->mr, wide, along)
                                        : strip > MIK_FIRST_CACHE ? MIK_AGAIN_NEAR * c->far * (float)(tiles - 1)
                                                                  : 0) +
                                   mik_f32_lost_lines(x, wide, vectors, tiles);
    const int64_t row = s->n * (int64_t)sizeof(mik_f32_panel);
    const int doubtful = tiles >= MIK_DOUBT_TILES && ((bytes > MIK_DOUBT_NEAR * (float)c->near_bytes && row > 8192 && row % 4096 == 0) ||
                                                      bytes > MIK_DOUBT_FAR * (float)c->l3_bytes);
    const float doubt = doubtful ? MIK_F32_FIT(x->isa, doubt, MIK_DOUBT) * x->bound * (float)m * (float)vectors : 0;
    int packs_a = !(s->facts & MIK_F32_A) || pack_a < keep_a, packs_b = !(s->facts & MIK_F32_B) || pack_b < keep_b + doubt;
    if (s->wish & (MIK_PACK_A | MIK_KEEP_A))
        packs_a = s->wish & MIK_PACK_A || !(s->facts & MIK_F32_A);
    if (s->wish & (MIK_PACK_B | MIK_KEEP_B))
        packs_b = s->wish & MIK_PACK_B || !(s->facts & MIK_F32_B);
#if MIK_F32_AHEAD
    packs_b = packs_b && !(s->facts & MIK_F32_B_AHEAD);
#endif
#if MIK_F32_UNIT > 1
    packs_a = packs_a && !(s->facts & MIK_F32_A); /* whose rows came packed: there is nothing to pack them from */
#endif
    *pack = packs_a | packs_b << 1;
    return (packs_a ? pack_a : keep_a) + (packs_b ? pack_b : keep_b) + cold_a;
}

/* Nanoseconds that m x n outputs which no cache holds keep their kernels waiting, which write mr rows at a time. Ordinary
   stores read them first; more than ten rows are more streams than processors follow well. */
static float mik_f32_writing(const mik_f32_search *x, int mr, int64_t m, int64_t n)
{
    const float bytes = (float)m * (float)n * sizeof(mik_f32_acc);
    if (!(x->s->facts & MIK_F32_C_BEYOND))
        return 0;
    return bytes * x->isa->move.read * (x->s->facts & MIK_F32_C_STREAM ? 1 : mr > 10 && x->s->k >= 12 ? MIK_READ_MANY : MIK_READ_FIRST);
}

/* m x n outputs as one region under kernel main. strip: as mik_f32_cover_cost has it, for uniform 0; may be null. */
static mik_f32_choice mik_f32_region_cost(const mik_f32_search *x, int main, int uniform, int64_t m, int64_t n, float *strip)
{
#if MIK_F32_AHEAD
    uniform |= mik_f32_whole_strips(x->s);
#endif
    const mik_f32_tiling t = mik_f32_tiling_of(x->isa, x->regime, main, uniform, m);
    const int64_t vectors = (n + x->isa->lanes - 1) / x->isa->lanes;
    float own[17];
    mik_f32_choice c = {0, 0, main, 0};
    for (int i = 0; !strip && i < 17; i++)
        own[i] = -1;
    c.tiles = mik_f32_cover_cost(&t, &x->steps, m, vectors, strip ? strip : own);
    /* The kernel of most tiles: where columns are few, the tables' choice. */
    const int lead = mik_f32_strip_width(&t, vectors);
    const mik_f32_variant *v = t.main && t.main->nv == lead ? t.main : x->isa->variants + t.cover->main[lead];
    c.cost = c.tiles + mik_f32_operands(x, &t, lead, m, n, &c.pack) + mik_f32_writing(x, v->mr, m, n);
    /* Each tile waits for some lines of its outputs, or for a part of the block before to be stored; narrow ones for the rest of
       lines. (Zen 5.) */
    if (x->s->facts & MIK_F32_C_BEYOND)
        c.cost += MIK_TILE_STORES * (float)m / (float)v->mr * (float)vectors / (float)lead +
                  MIK_NARROW_STORES * mik_f32_writing(x, 1, m, n) / (float)(lead * lead);
    return c;
}
