/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Steps of a block that are zeros in some rows of a tile, as an image's borders are under a filter: they are left out. A tile is done by
 * parts, each so many steps of so many of its rows by the kernel of that height, one part on top of the other; within a part, kernels
 * leave out the first row, or the last one, by themselves.
 */
#pragma once
#include "covering.h"

#ifndef MIK_WORTH_LIVE
#define MIK_WORTH_LIVE 600
#define MIK_WORTH_PART 200
#endif
/* Multiply-adds of vectors: those of a row for which it is worth looking for zeros; those that finding the parts of a tile costs, and that
   another part does. */
enum { MIK_F32_WORTH_LIVE = MIK_WORTH_LIVE, MIK_F32_WORTH_PART = MIK_WORTH_PART };

/* A group of steps that counts in a tile, or some of them: units of steps from .. to - 1, in the rows first .. last - 1. */
typedef struct {
    uint16_t from, to;
    uint8_t first, last;
} mik_f32_live_group;

/* The groups `group` .. end - 1, one behind the other, in the rows first .. last - 1 by a kernel for so many; the passes that it makes. */
typedef struct {
    uint8_t group, end, first, last, pass, passes, kernel;
} mik_f32_live_part;

/* A tile of v whose first row is `row` of a block, over so many units of steps; its first part has the most rows. */
typedef struct {
    const mik_f32_variant *v;
    int64_t row, steps;
    int parts;
    mik_f32_live_group groups[MIK_LIVE_GROUPS];
    mik_f32_live_part part[MIK_LIVE_GROUPS];
    mik_f32_pass pass[MIK_LIVE_GROUPS];
} mik_f32_live_tile;

enum { MIK_F32_LIVE_TILES = 3 };     /* of an image's first rows, of the others, of the last */

/* What is known of a block's rows, and of some tiles: most are like one before. */
typedef struct {
    mik_live rows;
    int next;                             /* the tile that is forgotten next */
    mik_f32_live_tile tiles[MIK_F32_LIVE_TILES];
} mik_f32_live;

/* The lowest kernel that covers `rows` rows of a tile of v. */
static int mik_f32_low_kernel(const mik_f32_tiling *t, const mik_f32_variant *v, int rows)
{
    for (; rows < v->mr; rows++) {
        const int low = t->cover->heights[v->nv][rows];
        if (t->isa->variants[low].mr == rows)
            return low;
    }
    return (int)(v - t->isa->variants);
}

/* The rows of a group that a kernel for a part's rows does. */
static inline int mik_f32_rows_done(const mik_f32_variant *low, const mik_f32_live_part *p, const mik_f32_live_group *g)
{
    return low->mr - (MIK_F32_PASSES(low->mr, low->nv) && (g->first > p->first || g->last < p->last));
}

/* Chooses a part's kernel, which may have more rows; what it does then, as steps of rows. */
static int64_t mik_f32_part_work(const mik_f32_tiling *t, const mik_f32_live_tile *x, mik_f32_live_part *p)
{
    p->kernel = (uint8_t)mik_f32_low_kernel(t, x->v, p->last - p->first);
    const mik_f32_variant *const low = t->isa->variants + p->kernel;
    int64_t work = 0;
    p->first = (uint8_t)mik_min(p->first, x->v->mr - low->mr);
    p->last = (uint8_t)(p->first + low->mr);
    for (const mik_f32_live_group *g = x->groups + p->group; g < x->groups + p->end; g++)
        work += (g->to - g->from) * mik_f32_rows_done(low, p, g);
    return work;
}

/* All steps between the first and the last of `some` groups as one. */
static int mik_f32_one_group(const mik_live *live, mik_f32_live_tile *x, uint32_t some)
{
    int first = 0, end = live->groups;
    while (first < end && !(some >> first & 1))
        first++;
    while (first < end && !(some >> (end - 1) & 1))
        end--;
    const int64_t from = first ? live->first + (first - 1) * live->each : 0, to = end ? live->first + (end - 1) * live->each : 0;
    x->groups[0] = (mik_f32_live_group){(uint16_t)(from / MIK_F32_UNIT), (uint16_t)mik_min(mik_ceil_div(to, MIK_F32_UNIT), x->steps), 0,
                                        (uint8_t)x->v->mr};
    if (first == end)
        x->groups[0].from = 0, x->groups[0].to = 1;
    return 1;
}

/* The groups of a tile's steps that count, each with the rows in which it does; how many. Where units have steps of two groups, these are
   one; families whose sums begin with heads do all steps at once. */
static int mik_f32_find_groups(const mik_live *live, mik_f32_live_tile *x)
{
    const uint16_t *const rows = live->rows + x->row;
    const int height = x->v->mr;
    uint32_t some = 0, every = UINT16_MAX;
    int count = 0;
    for (int i = 0; i < height; i++)
        some |= rows[i], every &= rows[i];
    if (every == some || (live->dead - live->lasting) * (float)(x->steps * height * x->v->nv) < MIK_F32_WORTH_PART)
        return mik_f32_one_group(live, x, some);
    for (int64_t i = 0, from = 0, to = live->first; i < live->groups; i++, from = to, to += live->each) {
        mik_f32_live_group g = {(uint16_t)(from / MIK_F32_UNIT), (uint16_t)mik_min(mik_ceil_div(to, MIK_F32_UNIT), x->steps), 0,
                                (uint8_t)height};
        mik_f32_live_group *const before = x->groups + count - 1;
        if (!(some >> i & 1))
            continue;
        for (; !(every >> i & 1) && !(rows[g.first] >> i & 1);)
            g.first++;
        for (; !(every >> i & 1) && !(rows[g.last - 1] >> i & 1);)
            g.last--;
        if (count > 0 && MIK_F32_HEAD > 0 && g.from > before->to)
            g.from = before->to;
        if (count > 0 && g.from < before->to) {
            before->to = g.to;
            before->first = before->first < g.first ? before->first : g.first;
            before->last = before->last > g.last ? before->last : g.last;
        } else {
            x->groups[count++] = g;
        }
    }
    return count;
}

/* Part p gets its passes, from pass `at` on; where the next part's begin. */
static int mik_f32_find_passes(const mik_f32_tiling *t, mik_f32_live_tile *x, mik_f32_live_part *p, int at)
{
    const mik_f32_variant *const low = t->isa->variants + p->kernel;
    mik_f32_pass *pass = x->pass + at;
    int so_far = 0, spared = 0;
    *pass = (mik_f32_pass){{0, 0, 0}};
    for (const mik_f32_live_group *g = x->groups + p->group; g < x->groups + p->end; g++) {
        const int which = g->first > p->first ? 0 : g->last < p->last ? 2 : 1;
        if (which < so_far)
            *++pass = (mik_f32_pass){{0, 0, 0}};
        pass->steps[which] = (uint16_t)(pass->steps[which] + g->to - g->from);
        so_far = which;
        spared |= which != 1;
    }
    p->pass = (uint8_t)at;
    p->passes = spared && MIK_F32_PASSES(low->mr, low->nv) ? (uint8_t)(pass + 1 - (x->pass + at)) : 0;
    return at + p->passes;
}

/* Makes group i, which by itself takes `alone`, a part of the last one, which takes *work: if both together do little more, or must not be
   two. 0: they had better be two. */
static int mik_f32_join(const mik_f32_tiling *t, mik_f32_live_tile *x, int i, int64_t alone, int64_t *work)
{
    const mik_f32_live_group *const g = x->groups + i;
    mik_f32_live_part *const last = x->part + x->parts - 1;
    mik_f32_live_part both = *last;
    int64_t together;
    if (x->parts == 0 || g[-1].to != g->from)
        return 0;
    both.end = (uint8_t)(i + 1);
    if (g->first >= last->first && g->last <= last->last) {
        together = *work + (g->to - g->from) * mik_f32_rows_done(t->isa->variants + last->kernel, last, g);
    } else {
        both.first = last->first < g->first ? last->first : g->first;
        both.last = last->last > g->last ? last->last : g->last;
        together = mik_f32_part_work(t, x, &both);
    }
    if (MIK_F32_HEAD == 0 && (together - *work - alone) * x->v->nv > MIK_F32_WORTH_PART)
        return 0;
    *last = both;
    *work = together;
    return 1;
}

/* Finds the parts of x's tile. */
static void mik_f32_find_parts(const mik_f32_tiling *t, const mik_live *live, mik_f32_live_tile *x)
{
    const int groups = mik_f32_find_groups(live, x);
    int most = 0, passes = 0;
    int64_t work = 0;
    x->parts = 0;
    for (int i = 0; i < groups; i++) {
        const mik_f32_live_group *const g = x->groups + i;
        mik_f32_live_part own = {(uint8_t)i, (uint8_t)(i + 1), g->first, g->last, 0, 0, 0};
        if (MIK_F32_HEAD > 0)
            own.first = 0, own.last = (uint8_t)x->v->mr;
        const int64_t alone = mik_f32_part_work(t, x, &own);
        if (mik_f32_join(t, x, i, alone, &work))
            continue;
        x->part[x->parts++] = own;
        work = alone;
    }
    for (int i = 1; i < x->parts; i++)
        if (x->part[i].last - x->part[i].first > x->part[most].last - x->part[most].first)
            most = i;
    const mik_f32_live_part first = x->part[most];
    x->part[most] = x->part[0];
    x->part[0] = first;
    for (int i = 0; i < x->parts; i++)
        passes = mik_f32_find_passes(t, x, x->part + i, passes);
}

/* The tile of v at a block's row `row`. */
static const mik_f32_live_tile *mik_f32_find_tile(const mik_f32_tiling *t, mik_f32_live *live, const mik_f32_variant *v, int64_t row,
                                                  int64_t steps)
{
    const uint16_t *const rows = live->rows.rows;
    for (int i = 0; i < MIK_F32_LIVE_TILES; i++) {
        const mik_f32_live_tile *const x = live->tiles + i;
        if (x->v == v && x->steps == steps && memcmp(rows + x->row, rows + row, (size_t)v->mr * sizeof *rows) == 0)
            return x;
    }
    mik_f32_live_tile *const x = live->tiles + live->next;
    live->next = (live->next + 1) % MIK_F32_LIVE_TILES;
    x->v = v;
    x->row = row;
    x->steps = steps;
    mik_f32_find_parts(t, &live->rows, x);
    return x;
}

/* How many of `tiles` tiles, of `height` rows each, from a block's row `row` on have no step that is zeros. */
static int64_t mik_f32_whole_tiles(const mik_live *live, int64_t row, int height, int64_t tiles)
{
    const uint16_t *const rows = live->rows + row, all = (uint16_t)(((uint32_t)1 << live->groups) - 1);
    int64_t i = 0;
    while (i < tiles * height && rows[i] == all)
        i++;
    return i / height;
}

/* Forgets the tiles of other rows. */
static void mik_f32_forget_tiles(mik_f32_live *live)
{
    live->next = 0;
    for (int i = 0; i < MIK_F32_LIVE_TILES; i++)
        live->tiles[i].v = NULL;
}

/* The rows of a tile that its first part has not start at 0. */
static void mik_f32_clear_rows(const mik_f32_tile *t, const mik_f32_live_part *p, int height)
{
    for (int i = 0; i < height; i++)
        if (i < p->first || i >= p->last)
            memset(t->c + i * t->c_m, 0, (size_t)t->cols * sizeof *t->c);
}

/* The work of part i of x's tile, t being that of all of it. */
static void mik_f32_to_part(const mik_f32_tile *t, const mik_f32_live_tile *x, int i, mik_f32_tile *part)
{
    const mik_f32_live_part *const p = x->part + i;
    const int64_t from = x->groups[p->group].from;
    *part = *t;
    part->a += p->first * t->a_m + from * t->a_k;
    part->b += from * t->b_k;
    part->prefetch += from * t->prefetch_k;
    part->c += p->first * t->c_m;
    part->k = x->groups[p->end - 1].to - from;
    part->add = t->add || i > 0;
    part->passes = x->pass + p->pass;
    part->count = p->passes;
#if MIK_F32_SWEEPS
    part->next = NULL;
#endif
}

/* Do tiles of strips of nv vectors had better end where runs of rows do? Then they leave out all that is zeros, else what is so in whole
   runs. */
static int mik_f32_ends_at_runs(const mik_f32_tiling *t, const mik_live *live, int64_t k, int64_t kc, int nv, int64_t mc)
{
    const mik_f32_steps steps = mik_f32_steps_of(k, kc);
    const int mr = t->isa->variants[t->cover->main[nv]].mr;
    if (live->run % mr == 0 && live->at % mr == 0)
        return 0;                             /* they do so anyway */
    return nv > 1 && live->run > 0 && live->run < mc &&
           mik_f32_strip_cost(t, &steps, nv, live->run) / (float)live->run * (1 - live->dead) <=
               mik_f32_strip_cost(t, &steps, nv, mc) / (float)mc * (1 - live->lasting);
}
