/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Tiles that read a gathered A where it is. Their steps are runs of neighbours, and behind each A jumps to the next one: to the next row of a
 * filter, or its next tap. Steps in which a tile's first or last row lies outside the image are left out of that row, and steps in which all
 * do are left out: B jumps, too. Tiles end where lines of the image do. Those that miss more, and low ones, have rows of their own packed.
 * (Zen 3, AVX2, 29 layers of four networks: 1.02 times as fast as from packed rows and more, mostly up to 1.2.)
 */
#pragma once
#include "block.h"
#include "gather_jumps.h"
#include "planner.h"

enum { MIK_F32_JUMP_TILES = 128, MIK_F32_JUMP_SETS = 24, MIK_F32_JUMP_PASSES = 128, MIK_F32_JUMP_ROWS = 64 };

/* What tiles have in common that are alike: where their steps begin, in A and in B, and their passes. */
typedef struct {
    int64_t a, b;
    int pass, passes;
} mik_f32_jump_set;

/* A tile: where its first row is, in A without its set's part, or in the room for packed rows (set < 0). */
typedef struct {
    const mik_f32_variant *v;
    int64_t a;
    int set;
#if MIK_F32_A_WORDS && MIK_F32_IS_BF16
    mik_f32_panel head[MIK_F32_UNIT]; /* of all its rows, where they have none */
#endif
} mik_f32_jump_tile;

/* The tiles of the rows m0 .. m1 - 1; so many of them packed, and the set of tiles in the middle of a line, if there is one. */
typedef struct {
    mik_gather g;
    mik_jump_groups groups;
    int64_t m0, m1, packed;
    int tiles, sets, passes, inside;
    mik_f32_jump_tile tile[MIK_F32_JUMP_TILES];
    mik_f32_jump_set set[MIK_F32_JUMP_SETS];
    mik_f32_pass pass[MIK_F32_JUMP_PASSES];
    mik_f32_jump jump[MIK_F32_JUMP_PASSES];
} mik_f32_jumps;

enum { MIK_F32_JUMPS_NO_MORE = -2, MIK_F32_JUMPS_PACKED = -1 };

/* Adds group g of steps to a set: those of all rows, or without the first or last one. 0: there is no room for its pass. */
static int mik_f32_add_group(mik_f32_jumps *x, mik_f32_jump_set *s, int g, int which, int *so_far, int64_t *end)
{
    const int64_t at = x->groups.at[g], step = x->groups.step[g], length = x->groups.length[g];
    mik_f32_jump *const jump = x->jump + s->pass + s->passes;
    if (s->passes == 0 || at != end[0] || step != end[1] || which < *so_far) {
        if (s->pass + s->passes == MIK_F32_JUMP_PASSES)
            return 0;
        if (s->passes == 0)
            s->a = at, s->b = step / MIK_F32_UNIT;
        else
            jump[-1] = (mik_f32_jump){at - end[0], (step - end[1]) / MIK_F32_UNIT};
        x->pass[s->pass + s->passes++] = (mik_f32_pass){{0, 0, 0}};
        *jump = (mik_f32_jump){0, 0};
    }
    mik_f32_pass *const pass = x->pass + s->pass + s->passes - 1;
    pass->steps[which] = (uint16_t)(pass->steps[which] + length / MIK_F32_UNIT);
    *so_far = which;
    end[0] = at + length * x->groups.move;
    end[1] = step + length;
    return 1;
}

/* Are two sets alike? */
static int mik_f32_same_set(const mik_f32_jumps *x, const mik_f32_jump_set *s, const mik_f32_jump_set *t)
{
    if (s->a != t->a || s->b != t->b || s->passes != t->passes)
        return 0;
    return memcmp(x->pass + s->pass, x->pass + t->pass, (size_t)s->passes * sizeof *x->pass) == 0 &&
           memcmp(x->jump + s->pass, x->jump + t->pass, (size_t)s->passes * sizeof *x->jump) == 0;
}

/* The set of a tile of `height` rows from line q of the groups' on; or one of the numbers above. */
static int mik_f32_find_set(mik_f32_jumps *x, int64_t q, int64_t height)
{
    const mik_jump_groups *const g = &x->groups;
    mik_f32_jump_set s = {0, 0, x->passes, 0};
    int so_far = 0, whole = 1;
    int64_t end[2] = {0, 0};
    if (g->count < 0)
        return MIK_F32_JUMPS_PACKED;
    if (x->sets == MIK_F32_JUMP_SETS)
        return MIK_F32_JUMPS_NO_MORE;
    for (int j = 0; j < g->count; j++) {
        const int64_t first = mik_max(g->from[j] - q, 0), last = mik_min(g->to[j] - q, height);
        if (first >= last) {
            whole = 0;
            continue;
        }
        if (first + height - last > 1)
            return MIK_F32_JUMPS_PACKED;
        whole = whole && last - first == height;
        if (!mik_f32_add_group(x, &s, j, first ? 0 : last < height ? 2 : 1, &so_far, end))
            return MIK_F32_JUMPS_NO_MORE;
    }
    if (s.passes == 0) { /* zeros */
        if (s.pass == MIK_F32_JUMP_PASSES)
            return MIK_F32_JUMPS_NO_MORE;
        x->pass[s.pass] = (mik_f32_pass){{0, 0, 0}};
        x->jump[s.pass] = (mik_f32_jump){0, 0};
        s.passes = 1;
    }
    int i = 0;
    while (i < x->sets && !mik_f32_same_set(x, &s, x->set + i))
        i++;
    if (i == x->sets) {
        x->set[x->sets++] = s;
        x->passes += s.passes;
    }
    x->inside = whole ? i : x->inside;
    return i;
}

/* Is a tile one that all groups count in? */
static int mik_f32_is_inside(const mik_jump_groups *g, int64_t q, int64_t height)
{
    int all = 1;
    for (int j = 0; j < g->count; j++)
        all &= (g->from[j] <= q) & (g->to[j] >= q + height);
    return all;
}

/* Adds the tile of v at row m, line q of the groups', which begin at A's element `at`, over kc steps from k0 on. 0: there is no room. */
static int mik_f32_add_tile(const mik_f32_block *x, mik_f32_jumps *j, const mik_f32_variant *v, int64_t m, int64_t q, int64_t at,
                            int64_t k0, int64_t kc)
{
    mik_f32_jump_tile *const tile = j->tile + j->tiles;
    int set = !MIK_F32_PASSES(v->mr, v->nv)                               ? MIK_F32_JUMPS_PACKED
              : j->inside >= 0 && mik_f32_is_inside(&j->groups, q, v->mr) ? j->inside
                                                                          : mik_f32_find_set(j, q, v->mr);
    if (set == MIK_F32_JUMPS_NO_MORE || (set == MIK_F32_JUMPS_PACKED && j->packed + v->mr > MIK_F32_JUMP_ROWS))
        return 0;
    *tile = (mik_f32_jump_tile){.v = v, .a = at + q * x->a_m, .set = set};
    if (set == MIK_F32_JUMPS_PACKED) {
        tile->a = j->packed * x->pitch;
        x->op->rows_a(x->s, x->tiling.isa->level, x->batch, m, v->mr, k0, kc, x->pitch, x->room_a + tile->a);
        j->packed += v->mr;
    }
#if MIK_F32_A_WORDS && MIK_F32_IS_BF16
    else {
        const mik_f32_jump_set *const s = j->set + set;
        const mik_f32_panel *const a = x->a + MIK_F32_HEAD + tile->a + s->a;
        mik_f32_head_of_passes(a, x->a_m, v->mr, j->pass + s->pass, j->jump + s->pass, s->passes, tile->head);
    }
#endif
    j->tiles++;
    return 1;
}

/* Finds tiles for strips of nv vectors from row m0 on, as many rows as there is room for and blocks have. */
MIK_APART static void mik_f32_find_jumps(const mik_f32_block *x, mik_f32_jumps *j, int nv, int64_t m0, int64_t k0, int64_t kc)
{
    const int last = j->g.lines - 1;
    const int64_t line = j->g.extent[last], end = mik_min(x->r.m1, m0 + mik_max(x->r.mc, MIK_F32_COVER_HEIGHTS));
    int64_t m = m0, at = 0;
    j->m0 = m0;
    j->packed = j->tiles = j->sets = j->passes = 0;
    j->inside = -1;
    while (m < end && j->tiles < MIK_F32_JUMP_TILES) {
        const int64_t q = m % line, left = mik_min(line - q, x->r.m1 - m);
        if (q == 0 || m == m0) {
            mik_walk w;
            mik_walk_to(&j->g, 0, last, m / line, &w);
            j->inside = mik_find_jump_groups(&j->g, &w, k0, kc, &j->groups) ? -1 : j->inside;
            at = w.at;
        }
        const mik_f32_variant *const v = mik_f32_tile_kernel(&x->tiling, nv, left);
        if (!mik_f32_add_tile(x, j, v, m, q, at, k0, kc))
            break;
        m += v->mr;
    }
    j->m1 = m;
}

/* These tiles of a strip of w columns from column n on; t has what belongs to the columns. */
static void mik_f32_jump_strip(const mik_f32_block *x, const mik_f32_jumps *j, mik_f32_tile *t, int64_t n, int64_t w, int64_t nb)
{
    const mik_f32_panel *const b = t->b;
    const int64_t room = x->aim == MIK_F32_DIRECT || x->aim == MIK_F32_NARROW ? INT64_MAX : MIK_F32_TILE_SIZE / w;
    const int prefetch = t->k >= x->prefetch;
    int64_t m = j->m0, rows;
    for (int i = 0, end; i < j->tiles; i = end, m += rows) {
        for (end = i, rows = 0; end < j->tiles && (end == i || rows + j->tile[end].v->mr <= room); end++)
            rows += j->tile[end].v->mr;
        mik_f32_begin(x, t, m, n, rows, w, nb);
        for (const mik_f32_jump_tile *y = j->tile + i; y < j->tile + end; y++) {
            const mik_f32_jump_set *const s = j->set + (y->set < 0 ? 0 : y->set);
            const int jumps = y->set >= 0;
            t->a = jumps ? x->a + y->a + s->a : x->room_a + y->a;
            t->a_m = jumps ? x->a_m : x->pitch;
            t->a_k = jumps && MIK_F32_UNIT == 1 ? x->a_k : MIK_F32_UNIT;
            t->passes = j->pass + s->pass;
            t->jumps = j->jump + s->pass;
            t->count = jumps ? s->passes : 0;
            t->b = jumps ? b + s->b * t->b_k : b;
#if MIK_F32_SWEEPS
            if (t->next)
                mik_f32_prefetch_share(t);
            else
#endif
                mik_f32_at(t, t->b, t->b_k);
            if (prefetch)
                mik_f32_prefetch_outputs(t, y->v->mr);
#if MIK_F32_HEAD
            t->head = t->a;
            t->pitch = t->a_m;
            if (jumps) {
#if MIK_F32_IS_BF16
                t->head = y->head;
#else
                static const mik_f32_panel zero[MIK_F32_UNIT];
                t->head = zero;
#endif
                t->pitch = 0;
            }
#endif
            mik_f32_run_tile(t, y->v);
            t->c += y->v->mr * t->c_m;
#if MIK_F32_NARROWS
            t->narrow = t->narrow ? t->narrow + y->v->mr * t->narrow_m : NULL;
#endif
        }
        mik_f32_end(x, m, n, rows, w);
    }
    t->b = b;
}

/* Columns n0 .. n0 + nc - 1 of a region by such tiles, over kc steps from k0 on: strips alike, blocks of rows. */
static void mik_f32_jump_columns(const mik_f32_block *x, mik_f32_jumps *j, int64_t n0, int64_t nc, int64_t k0, int64_t kc)
{
    const int64_t deep = kc + MIK_F32_HEAD;
    mik_f32_tile t = {.k = kc / MIK_F32_UNIT, .b_n = 1};
#if MIK_F32_FITTED
    t.fitted.prefetch_distance = x->tiling.isa->fitted.prefetch_distance;
#endif
    for (int64_t from = 0, to, w; from < nc; from = to) {
        const int nv = mik_f32_to_strip(x, &t, n0, from, k0, deep, &w);
        for (to = from + w; to < nc && mik_f32_to_strip(x, &t, n0, to, k0, deep, &w) == nv;)
            to += w;
        for (int64_t m0 = x->r.m0; m0 < x->r.m1; m0 = j->m1) {
            mik_f32_find_jumps(x, j, nv, m0, k0, kc);
            for (int64_t n = from; n < to; n += w) {
                mik_f32_to_strip(x, &t, n0, n, k0, deep, &w);
#if MIK_F32_SWEEPS
                if (n + w < nc)
                    mik_f32_prefetch_next(x, &t, nv, j->m1 - j->m0, n0 + n + w, k0);
#endif
                mik_f32_jump_strip(x, j, &t, n0 + n, w, n0);
            }
        }
    }
}

/* A region by such tiles: blocks of columns, of k. */
MIK_APART static void mik_f32_run_jumps(mik_f32_block *x)
{
    const mik_f32_region *r = &x->r;
    mik_f32_jumps *const j = (mik_f32_jumps *)(void *)(x->room_a + MIK_F32_JUMP_ROWS * x->pitch); /* behind the rows */
    x->op->gather_a(x->s, &j->g);
    j->groups.kc = 0;
    memset(j->groups.key, 0, sizeof j->groups.key);
    for (int64_t n0 = r->n0, nc; n0 < r->n1; n0 += nc) {
        nc = r->n1 - n0 <= 2 * r->nc ? r->n1 - n0 : r->nc;
        for (int64_t k0 = 0, kc; k0 < x->k; k0 += kc) {
            kc = mik_min(x->kc, x->k - k0);
            mik_f32_aim(x, k0, kc);
            if (r->pack_b)
                mik_f32_pack_columns(x, k0, kc, n0, nc, kc + MIK_F32_HEAD);
            mik_f32_jump_columns(x, j, n0, nc, k0, kc);
        }
        if (x->sums)
            mik_f32_finish(x, r->m0, r->m1 - r->m0, n0, nc, x->sums, x->sums_m);
    }
}
