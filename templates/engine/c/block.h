/*
 * The blocked loops of one family: one block of outputs of one batch under one plan. Loops over column blocks (nc), steps of k
 * (kc), row blocks (mc), then tiles; where a tile's sums go is decided once per step of k (mik_f32_aim), so that every
 * epilogue shares the loops.
 */
#pragma once
#include "ahead.h"
#include "programs.h"
#include "stream.h"

/* Where the sums of a tile go: straight to the output; to a tile buffer and from there, strided, to the output; to a
   tile buffer for the epilogue, after adding what the output holds of earlier steps (last) or not (tile); to a tile
   buffer for the later steps' epilogue; to a buffer of sums for the whole block. */
enum { MIK_F32_DIRECT, MIK_F32_SCATTER, MIK_F32_TILE, MIK_F32_LAST, MIK_F32_MORE, MIK_F32_SUMS };

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
    mik_f32_acc *c;
    mik_f32_panel *room_a, *room_b;                 /* packed blocks */
#if MIK_F32_AHEAD
    int64_t ahead_k, ahead_n;                     /* as mik_problem's */
#endif
#if MIK_F32_BY_ROWS
    int64_t pitch;                                /* rows of A are packed one after the other, so far apart; 0: panels */
    const mik_steps *live;                        /* of the rows of a block the units of steps that count; null: all */
#endif
    mik_f32_acc *tile, *sums;                       /* one tile; all sums of a column block, rows sums_m apart, from row sums_m0 */
    int64_t sums_m, sums_m0;
    mik_stream *stream;                           /* the sums go this way to the output, block by block; or null */
    mik_f32_acc *other_sums;                        /* those of the block before, on their way */
    int aim, add;                                 /* the current step's destination; sums are added to it */
    int64_t fetch;                                /* sums of so many steps ask for the lines of their destination first */
    int ahead;                                    /* the first strip's tiles ask for the next tile's rows of A */
#if MIK_F32_SWEEPS
    int far_tiles;                                /* B comes from far, strips of so many tiles ask for the next one; 0: it does not */
#endif
#if MIK_F32_FLIPS_ROW
    int flipped;                                  /* to the epilogue, columns are rows */
#endif
} mik_f32_block;

/* Whether sums of earlier k blocks need a buffer of their own. */
static int mik_f32_needs_sums(const mik_f32_operation *op, const mik_problem *p, int64_t kc)
{
    if (op->kind != MIK_GENERAL || p->k <= kc || op->more)
        return 0;
    return !(op->partial_in_c && p->c_direct && p->c_n == 1);
}

/* Decides where the sums over k0 <= k < k0 + kc go. */
static void mik_f32_aim(mik_f32_block *x, int64_t k0, int64_t kc)
{
    const int first = k0 == 0, last = k0 + kc >= x->k;
    if (x->op->kind != MIK_GENERAL) {
        x->add = x->op->kind == MIK_ACCUMULATE || !first;
        x->aim = x->stream ? MIK_F32_SUMS : x->c_n == 1 || x->dots ? MIK_F32_DIRECT : MIK_F32_SCATTER;
    } else if (first && last) {
        x->add = 0;
        x->aim = MIK_F32_TILE;
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
        t->c_m = w;
        t->add = 0;
    }
}

/* Stores h x w sums, rows ld apart, at (m, n) of the output, or adds them to it. */
static void mik_f32_write(const mik_f32_block *x, int64_t m, int64_t h, int64_t n, int64_t w, const mik_f32_acc *sums, int64_t ld, int add)
{
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
    if (x->op->kind == MIK_GENERAL && x->flipped) {
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
    if (x->aim == MIK_F32_MORE && x->flipped) {
#if MIK_F32_MORE_ISA
        x->op->more(x->s, x->tiling.isa->level, x->batch, 0, 1, m, h, x->tile, h);
#else
        x->op->more(x->s, x->batch, 0, 1, m, h, x->tile, h);
#endif
        return;
    }
#endif
    switch (x->aim) {
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

#if MIK_F32_SWEEPS
/* The next strip of a B that comes from far: the first of a strip's tiles is to ask for it, or each for a part of what is packed ahead.
   (Sapphire Rapids: 128 x 3072 x 768 packed ahead 114 GFLOP/s if the first tile of each strip asks for what it reads itself, 140 so;
   128 x 704 x 1024 in place 137 and 155.) */
static void mik_f32_ask_next(const mik_f32_block *x, mik_f32_tile *t, int nv, int64_t mc, int64_t n, int64_t k0)
{
    const int mr = mik_f32_tile_kernel(&x->tiling, nv, mc)->mr;
#if MIK_F32_AHEAD
    int64_t pitch;
    if (x->ahead_n && mc > mr) {
        t->next = mik_f32_ahead_at(x->b, x->ahead_k, x->ahead_n, x->k_from + k0, n, &pitch);
        t->next_k = mik_ceil_div(pitch, mik_ceil_div(mc, mr));
        t->asks = mik_ceil_div(pitch, t->next_k);
    }
    if (x->ahead_n)
        return;
#endif
    if (x->r.pack_b || x->b_n != 1 || x->far_tiles == 0 || mc < x->far_tiles * mr)
        return;
    t->next = x->b + k0 * x->b_k + n;
    t->next_k = x->b_k;
    t->asks = 1;
}

/* A tile's share of that; what it reads itself when all is asked for. */
static void mik_f32_ask(mik_f32_tile *t)
{
    if (t->asks == 0) {
        mik_f32_at(t, t->b, t->b_k);
        t->next = NULL;
        return;
    }
    t->fetch = t->next;
    t->fetch_k = t->next_k;
    t->next += t->k * t->next_k;
    t->asks--;
}

#endif
#if MIK_F32_BY_ROWS
enum { MIK_F32_LIVE = 256 }; /* rows of a block whose steps are looked at */

/* Those of a block, in units from k0 on; null: all of them count. */
static const mik_steps *mik_f32_find_live(const mik_f32_block *x, int64_t m0, int64_t mc, int64_t k0, int64_t kc, mik_steps *live)
{
    enum { unit = MIK_F32_UNIT };
    int64_t dead = 0;
    if (!x->op->live_a || mc > MIK_F32_LIVE || kc == 0 || !x->op->live_a(x->s, x->batch, m0, mc, x->k_from + k0, kc, live))
        return NULL;
    for (int64_t i = 0; i < mc; i++) {
        dead += kc - (live[i].to - live[i].from);
        live[i].from = (uint16_t)(live[i].from / unit);
        live[i].to = (uint16_t)mik_ceil_div(live[i].to, unit);
    }
    return dead ? live : NULL;
}

/* Leaves a tile of so many rows the steps that count in any of them, at least one; how many it has before these. */
static int64_t mik_f32_take_live(mik_f32_tile *t, int64_t rows)
{
    int64_t from = t->k - 1, to = 0;
    for (int64_t i = 0; i < rows; i++) {
        from = mik_min(from, t->live[i].from);
        to = mik_max(to, t->live[i].to);
    }
    t->a += from * t->a_k;
    t->b += from * t->b_k;
    t->k = mik_max(to - from, 1);
    t->live += rows;
    return from;
}

#endif
/* Tiles of one kernel, one below the other, whose rows of A are `next` apart. Where sums are short, what is not done once
   for all of them would cost more than their multiply-adds. */
static void mik_f32_column(mik_f32_tile *t, const mik_f32_variant *v, int64_t tiles, int64_t next, int fetch, int ahead)
{
    const int64_t down = v->mr * t->c_m;
    mik_f32_kernel *run = v->run;
#if MIK_F32_SWEEPS
    const int asks = t->next != NULL;
#endif
    for (; tiles > 0; tiles--) {
        if (fetch)
            mik_prefetch(t->c, v->mr, t->c_m * (int64_t)sizeof *t->c, t->cols * (int64_t)sizeof *t->c);
        if (ahead) {                              /* for the rows of the next tile, which follow, a part at each step */
            t->fetch = t->a + next;
            t->fetch_k = v->mr * MIK_F32_UNIT;
        }
#if MIK_F32_SWEEPS
        else if (asks)
            mik_f32_ask(t);
#endif
#if MIK_F32_BY_ROWS
        const int64_t k = t->k, from = t->live ? mik_f32_take_live(t, v->mr) : 0;
#endif
#if MIK_F32_IS_BF16
        const int safe = mik_f32_is_safe(t->head, t->pitch, t->pitch ? v->mr : 1, t->heads, 0, 1);
        t->a += t->a_k;                           /* behind the head */
        if (safe)
            run(t);
        else
            mik_f32_exact(t, v->mr);
        t->a -= t->a_k;
        t->head += next;
#else
        run(t);
#if MIK_F32_HEAD
        t->head += t->pitch ? next : 0;
#endif
#endif
#if MIK_F32_BY_ROWS
        t->a -= from * t->a_k;
        t->b -= from * t->b_k;
        t->k = k;
#endif
        t->a += next;
        t->c += down;
    }
}

/* The same within a block, from row m and column n, w columns wide; t has what belongs to the strip. */
static void mik_f32_run_column(const mik_f32_block *x, mik_f32_tile *t, const mik_f32_variant *v, int64_t tiles, int64_t next, int64_t m,
                               int64_t n, int64_t w, int64_t nb)
{
    const int fetch = t->k >= x->fetch, sums = x->aim == MIK_F32_SUMS, ahead = x->ahead && n == nb;
    const int64_t size = v->mr * w, room = sums ? MIK_STREAM_BYTES / (int64_t)sizeof *x->sums : MIK_F32_TILE_SIZE;
    int64_t some = x->aim == MIK_F32_DIRECT || (sums && !x->stream) ? tiles : mik_max(room / size, 1);
    for (; tiles > 0; tiles -= some, m += some * v->mr) {
        some = mik_min(some, tiles);
        mik_f32_begin(x, t, m, n, some * v->mr, w, nb);
        mik_f32_column(t, v, some, next, fetch, ahead);
        mik_f32_end(x, m, n, some * v->mr, w);
    }
}

#if MIK_F32_HEAD
/* t's rows begin with row m of A, which is at t->a, over steps from k0 on: where their heads are. */
static void mik_f32_at_rows(const mik_f32_block *x, mik_f32_tile *t, int64_t m, int64_t k0)
{
    t->head = t->a;
    t->pitch = t->a_m;
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
/* The tiles of a strip of nv vectors, w columns from column n, for the rows m0 .. m0 + mc - 1 over `deep` packed or
   in-place steps. lead: the width whose heights the packed panels have. t has k, b and what belongs to the columns. */
static void mik_f32_strip(const mik_f32_block *x, mik_f32_tile *t, int nv, int lead, int64_t m0, int64_t mc, int64_t n, int64_t w,
                          int64_t nb, int64_t k0, int64_t deep)
{
    enum { unit = MIK_F32_UNIT };
    int64_t left = x->r.m1 - m0;
    const int64_t end = left - mc;
#if MIK_F32_BY_ROWS
    t->live = x->live;
    if (!x->r.pack_a || x->pitch) {
#else
    if (!x->r.pack_a) {
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
            const mik_f32_variant *v = mik_f32_tile_kernel(&x->tiling, nv, left);
            const int64_t tiles = mik_f32_tiles_alike(&x->tiling, v, left, stop);
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
/* The part of a strip of *w columns from column n that lies in one panel of a B packed ahead; its width in vectors. Where it begins
   over the steps from k0 on goes to t. */
static int mik_f32_strip_ahead(const mik_f32_block *x, mik_f32_tile *t, int nv, int64_t n, int64_t k0, int64_t *w)
{
    const int64_t left = MIK_F32_AHEAD_COLUMNS - n % MIK_F32_AHEAD_COLUMNS, lanes = x->tiling.isa->lanes;
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
/* All tiles of mc rows from m0 and nc columns from n0 over kc steps from k0. */
static void mik_f32_tiles(const mik_f32_block *x, int lead, int64_t m0, int64_t mc, int64_t n0, int64_t nc, int64_t k0, int64_t kc)
{
    enum { unit = MIK_F32_UNIT };
    const int64_t steps = mik_ceil_div(kc, unit), deep = unit * steps + MIK_F32_HEAD;
    mik_f32_tile t;
    t.k = steps;
    t.b_n = 1;
    for (int64_t j = 0, w; j < nc; j += w) {
        int nv = mik_f32_next_strip(x, x->r.n1 - n0 - j, &w);
        if (x->r.pack_b)
#if MIK_F32_HEAD
            mik_f32_at_heads(&t, x->room_b + j * deep, (int64_t)nv * x->tiling.isa->lanes * unit);
#else
            mik_f32_at(&t, x->room_b + j * deep, (int64_t)nv * x->tiling.isa->lanes * unit);
#endif
#if MIK_F32_AHEAD
        else if (x->ahead_n)
            nv = mik_f32_strip_ahead(x, &t, nv, n0 + j, k0, &w);
#endif
        else
            mik_f32_at(&t, x->b + k0 * x->b_k + (n0 + j) * x->b_n, x->b_k);
        t.cols = (int)w;
#if MIK_F32_SWEEPS
        t.next = NULL;
        if (j + w < nc)
            mik_f32_ask_next(x, &t, nv, mc, n0 + j + w, k0);
#endif
        mik_f32_strip(x, &t, nv, lead, m0, mc, n0 + j, w, n0, k0, deep);
    }
}

static void mik_f32_fill_a(const mik_f32_block *x, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t mr, mik_f32_panel *dst)
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

static void mik_f32_fill_b(const mik_f32_block *x, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst)
{
#if MIK_F32_UNIT == 1
    if (x->b) {
        mik_f32_pack_b(x->b + k0 * x->b_k + n0 * x->b_n, x->b_k, x->b_n, kc, nc, nr, dst);
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
        if (kc > 0)
            x->op->rows_a(x->s, x->tiling.isa->level, x->batch, m0, mc, x->k_from + k0, kc, x->pitch, dst);
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

/* Packs the columns of a block, strip by strip; rows in place a few at a time, that memory is read in long pieces.
   (Zen 5, 64 rows of A: 131 GFLOP/s by whole strips, 160 by eight rows.) */
static void mik_f32_pack_columns(const mik_f32_block *x, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t deep)
{
    const int64_t band = x->b && x->b_n == 1 ? 8 : mik_max(kc, 1);
    for (int64_t k = 0, h; k < kc; k += h) {
        h = mik_min(band, kc - k);
        for (int64_t j = 0, w; j < nc; j += w) {
            const int64_t nr = mik_f32_next_strip(x, x->r.n1 - n0 - j, &w) * x->tiling.isa->lanes;
            mik_f32_fill_b(x, k0 + k, h, n0 + j, w, nr, x->room_b + j * deep + k * nr);
        }
    }
}

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
#if MIK_F32_BY_ROWS
    mik_steps live[MIK_F32_LIVE];
#endif
    const int lead = mik_f32_next_strip(x, r->n1 - r->n0, &w);
    const int64_t reach_m = x->tiling.isa->reach[lead], reach_n = 2 * (int64_t)lead * lanes;
    for (int64_t n0 = r->n0, nc; n0 < r->n1; n0 += nc) {
        nc = r->n1 - n0 <= r->nc + reach_n ? r->n1 - n0 : r->nc;
        int64_t k0 = 0, kc;
        do {                                      /* once also for k = 0 */
            kc = mik_min(x->kc, x->k - k0);
            const int64_t deep = mik_round_up(kc, MIK_F32_UNIT) + MIK_F32_HEAD;
            mik_f32_aim(x, k0, kc);
            if (r->pack_b)
                mik_f32_pack_columns(x, k0, kc, n0, nc, deep);
            for (int64_t m0 = r->m0, mc; m0 < r->m1; m0 += mc) {
                mc = r->m1 - m0 <= r->mc + reach_m ? r->m1 - m0 : r->mc;
                if (r->pack_a)
                    mik_f32_pack_rows(x, lead, m0, mc, k0, kc, deep);
#if MIK_F32_BY_ROWS
                x->live = x->pitch ? mik_f32_find_live(x, m0, mc, k0, kc, live) : NULL;
#endif
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
