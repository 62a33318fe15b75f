/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * How a rectangle of outputs is covered by tiles, and what that costs. A region is cut into strips of columns (column panels), a strip into
 * tiles. Kernels of one width and height take what they cover whole; the solved tables cover the rest exactly.
 */
#pragma once
#include "types.h"

enum {
    MIK_F32_TABLE = 255,                     /* a region's kernel: the solved covers alone choose */
    MIK_F32_UNIFORM = 1,                     /* of a tiling: the main kernel takes all rows, and columns, that it covers; */
    MIK_F32_WHOLE_STRIPS = 2,                /* all columns */
    MIK_F32_STRIP = 20,
    MIK_F32_RUN = 8      /* nanoseconds beside its tiles': of a strip, of tiles alike in it */
};

/* A way to cover a region. main: the kernel of most tiles, null where the tables decide alone; uniform: what it takes whole (the
   bits above), else the tables may combine other kernels with it at the ends. rows: the region's, as a class. */
typedef struct {
    const mik_f32_isa *isa;
    const mik_f32_cover *cover;
    const mik_f32_variant *main;
    int uniform, rows;
} mik_f32_tiling;

static mik_f32_tiling mik_f32_tiling_of(const mik_f32_isa *isa, int regime, int main, int uniform, int64_t m)
{
    const mik_f32_tiling t = {isa, isa->cover + regime, main == MIK_F32_TABLE ? NULL : isa->variants + main, uniform,
                              m < MIK_F32_COVER_ROWS ? (int)m : MIK_F32_COVER_ROWS};
    return t;
}

/* The width of the next strip when `left` vectors of columns remain. A plan of several workers may choose the tables
   for tasks of few columns; its region as a whole, of which they are parts, has more than the tables know. */
static inline int mik_f32_strip_width(const mik_f32_tiling *t, int64_t left)
{
    if (t->main && left >= (t->uniform ? 1 : 2) * t->main->nv)
        return t->main->nv;
    return t->cover->columns[t->rows - 1][mik_min(left, MIK_F32_COVER_COLUMNS)];
}

/* The kernel of the next tile of a strip of nv vectors when `left` rows remain. */
static inline const mik_f32_variant *mik_f32_tile_kernel(const mik_f32_tiling *t, int nv, int64_t left)
{
    if (t->uniform & MIK_F32_UNIFORM && t->main && t->main->nv == nv && left >= t->main->mr)
        return t->main;
    return t->isa->variants + (left > t->isa->reach[nv] ? t->cover->main[nv] : t->cover->heights[nv][left]);
}

/* How many tiles of v, the kernel of the next tile, follow each other while more than `stop` of `left` rows remain. */
static inline int64_t mik_f32_tiles_alike(const mik_f32_tiling *t, const mik_f32_variant *v, int64_t left, int64_t stop)
{
    const int64_t whole = t->uniform & MIK_F32_UNIFORM && t->main == v ? v->mr - 1 : t->isa->reach[v->nv],
                  rest = whole > stop ? whole : stop;
    return left > rest + v->mr ? (left - rest + v->mr - 1) / v->mr : 1;
}

/* Costs of tiles over the whole sum: g at the steps of full blocks of k, times the blocks, and at those of the last. */
typedef struct {
    float blocks, slope[2];
    int at[2];
} mik_f32_steps;

static mik_f32_steps mik_f32_steps_of(int64_t k, int64_t kc)
{
    const int64_t blocks = k > 0 ? (k - 1) / kc : 0, steps[2] = {kc, k - blocks * kc};
    mik_f32_steps x;
    x.blocks = (float)blocks;
    for (int i = 0; i < 2; i++) {
        x.at[i] = 0;
        while (x.at[i] < MIK_F32_KNOTS - 2 && steps[i] > mik_f32_knots[x.at[i] + 1])
            x.at[i]++;
        x.slope[i] = (float)(steps[i] - mik_f32_knots[x.at[i]]) / (float)(mik_f32_knots[x.at[i] + 1] - mik_f32_knots[x.at[i]]);
    }
    return x;
}

/* Nanoseconds of a tile of kernel v. */
static inline float mik_f32_tile_cost(const mik_f32_steps *x, const mik_f32_variant *v)
{
    const float *full = v->g + x->at[0], *last = v->g + x->at[1];
    return x->blocks * (full[0] + x->slope[0] * (full[1] - full[0])) + last[0] + x->slope[1] * (last[1] - last[0]);
}

/* Nanoseconds of a strip of nv vectors and m rows. */
static float mik_f32_strip_cost(const mik_f32_tiling *t, const mik_f32_steps *x, int nv, int64_t m)
{
    const mik_f32_isa *isa = t->isa;
    const int uniform = t->uniform & MIK_F32_UNIFORM && t->main && t->main->nv == nv;
    const mik_f32_variant *main = uniform ? t->main : isa->variants + t->cover->main[nv];
    const int64_t mr = main->mr, rest = uniform ? mr - 1 : isa->reach[nv], tiles = m > rest ? (m - rest + mr - 1) / mr : 0;
    float cost = tiles ? (float)tiles * mik_f32_tile_cost(x, main) + MIK_F32_RUN : 0;
    for (m -= tiles * mr; m > 0;) {
        const mik_f32_variant *v = isa->variants + t->cover->heights[nv][m];
        cost += mik_f32_tile_cost(x, v) + MIK_F32_RUN;
        m -= v->mr;
    }
    return cost;
}

/* How many tiles a strip of nv vectors and m rows has. */
static int64_t mik_f32_strip_tiles(const mik_f32_tiling *t, int nv, int64_t m)
{
    int64_t tiles = 0;
    while (m > 0) {
        const mik_f32_variant *v = mik_f32_tile_kernel(t, nv, m);
        const int64_t alike = mik_f32_tiles_alike(t, v, m, 0);
        tiles += alike;
        m -= alike * v->mr;
    }
    return tiles;
}

/* How many strips of nv vectors, the width of the next one, follow each other for certain when `left` vectors remain. */
static inline int64_t mik_f32_strips_alike(const mik_f32_tiling *t, int nv, int64_t left)
{
    return t->main && nv == t->main->nv && left >= 2 * nv ? left / nv - (t->uniform ? 0 : 1) : 1;
}

/* Nanoseconds of m rows and n vectors of columns. strip[nv]: the cost of a strip of that width, negative until known. */
static float mik_f32_cover_cost(const mik_f32_tiling *t, const mik_f32_steps *x, int64_t m, int64_t n, float *strip)
{
    float cost = 0;
    while (n > 0) {
        const int nv = mik_f32_strip_width(t, n);
        const int64_t strips = mik_f32_strips_alike(t, nv, n);
        if (strip[nv] < 0)
            strip[nv] = mik_f32_strip_cost(t, x, nv, m);
        cost += (float)strips * (strip[nv] + MIK_F32_STRIP);
        n -= strips * nv;
    }
    return cost;
}
