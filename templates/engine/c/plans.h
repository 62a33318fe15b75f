/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What a plan is: which pattern, which kernels, cut where, operands packed or in place. A plan is a pattern with its lines;
 * its regions follow from it, and the sizes of their blocks from the caches.
 */
#pragma once
#include "covering.h"

/* What a decision depends on; wish is options.plan and, above its bits, the instruction set. batch is 1 for one thread,
   whose plan is the same for every batch. */
typedef struct {
    int64_t m, n, k, batch;
    int32_t wish;
    unsigned short facts, threads;
} mik_f32_shape;

/* Facts. */
enum {
    MIK_F32_A = 1,                   /* A can be read in place */
    MIK_F32_B = 2,                   /* B can be read in place, columns contiguous */
    MIK_F32_A_DOT = 4,               /* rows of A can be read in place by dot kernels */
    MIK_F32_B_DOT = 8,               /* columns of B can be read in place by dot kernels */
    MIK_F32_A_CONFLICT = 16,         /* A's stride makes its rows compete for few cache sets */
    MIK_F32_B_CONFLICT = 32,
    MIK_F32_A_CONVERT = 64,          /* only the operation itself can pack */
    MIK_F32_B_CONVERT = 128,
    MIK_F32_B_SPARSE = 256,          /* B's columns are not contiguous: packing gathers */
    MIK_F32_C_FAR = 512,             /* the outputs do not fit the near caches */
    MIK_F32_C_BEYOND = 1024,         /* nor the last one */
    MIK_F32_C_STREAM = 2048,         /* and they are stored non-temporally */
    MIK_F32_A_DENSE = 4096,          /* A can be read in place, row after row without gaps */
    MIK_F32_B_AHEAD = 8192,          /* B was prepacked (ahead.h) */
    MIK_F32_A_ACROSS = 16384,        /* A has to be packed, and neighbours along k are no neighbours in memory */
    MIK_F32_A_ZEROS = 32768          /* tiles leave out steps of A's rows that are zeros (live.h) */
};

#if MIK_F32_SWEEPS
/* One row of A whose sums registers hold, and not so few that they wait for themselves: row by row of B, as it lies. */
static inline int mik_f32_is_row(const mik_f32_isa *isa, int64_t m, int64_t n)
{
    return m == 1 && n > 3 * isa->lanes && n <= isa->row_columns;
}

/* Or of more columns than a strip has, 64 KB of B and as much as the last cache gives fast. */
static int mik_f32_by_rows(const mik_f32_isa *isa, int64_t m, int64_t n, int64_t k)
{
    const float bytes = (float)n * (float)k * sizeof(mik_f32_acc);
    return mik_f32_is_row(isa, m, n) ||
           /* clang-format off */
           (m == 1 && n > isa->widest * isa->lanes && bytes > 65536 && bytes <= MIK_F32_FIT(isa, by_rows, 12) * (float)isa->move.near_bytes);
           /* clang-format on */
}

#endif
enum { MIK_F32_REGIONS = 2 };           /* of a plan at most */

/* A plan. pattern 0: inner products by the dot kernels; MIK_F32_SWEEP: sweeps;
   MIK_F32_SHALLOW: sums of few steps by the shallow kernels. I: one region. II, III: two bands of rows, cut at row, or of columns,
   cut at column. Region i runs kernel main[i], bit i of uniform, pack_a and pack_b belongs to it; MIK_F32_TABLE: the solved covers alone. For several
   workers region i is cut into rows[i] x columns[i] tasks, at whole tiles or, with bit i of even, anywhere; rows[0] is 0
   when a worker takes whole batches. splits: parts of k, each with sums and a worker of its
   own. apart: elements of A from one row to the next where tiles read it where it is (jump_tiles.h); 0: they do not. */
typedef struct {
    int64_t row, column;
    int32_t kc;
    float cost;
    unsigned short rows[MIK_F32_REGIONS], columns[MIK_F32_REGIONS], splits, workers;
    unsigned char pattern, regime, uniform, pack_a, pack_b, even, main[MIK_F32_REGIONS];
    int32_t apart;
} mik_f32_plan;

#ifndef MIK_FAR_AHEAD
#define MIK_FAR_AHEAD 4
#endif
enum {
    MIK_F32_SWEEP = 10,              /* a pattern */
    MIK_F32_SHALLOW = 11,            /* another */
    MIK_F32_FEW_ROWS = 8,            /* of A, for kernels that read several panels of B at once */
    MIK_F32_FAR_AHEAD = MIK_FAR_AHEAD, /* near_bytes beyond which weights prepacked come from far whenever they are read */
    MIK_F32_SWEEP_ROWS = 128,        /* of A at most, unless forced: more are better served by tiles */
    MIK_F32_SWEEP_DEPTH = 480,       /* steps of k of which a sweep packs A at a time */
    MIK_F32_SEARCH = 6000            /* nanoseconds: less cannot be worth looking for more regions, which takes hundreds */
};

#if MIK_F32_AHEAD && MIK_F32_SWEEPS
/* One or two rows of A, or a few where B is far, and kernels that read several panels of a B prepacked at once. */
static int mik_f32_by_panels(const mik_f32_isa *isa, const mik_f32_shape *s)
{
    const float bytes = (float)s->n * (float)s->k * sizeof(mik_f32_acc);
    return s->facts & MIK_F32_B_AHEAD && s->n >= isa->panels * mik_f32_ahead_columns(s->n) && isa->panels > 0 &&
           (s->m <= 2 || (s->m <= MIK_F32_FEW_ROWS && bytes > MIK_F32_FAR_AHEAD * (float)isa->move.near_bytes));
}

#endif
/* The outputs m0 <= m < m1, n0 <= n < n1, which one kernel covers, and the sizes of their blocks. */
typedef struct {
    int64_t m0, m1, n0, n1, mc, nc;
    int main, uniform, pack_a, pack_b;   /* uniform: as mik_f32_tiling has it */
    int tight;                       /* memory is short: sums of sweeps lie where there is room */
#if MIK_TRACE
    int worker;                      /* who has it */
#endif
} mik_f32_region;

/* The kernel of a region's first tile, by which regions are called: its index. Where columns are few for the region's own kernel, or
   rows, the solved tables choose another one. */
static int mik_f32_first_kernel(const mik_f32_isa *isa, int regime, const mik_f32_region *r)
{
    const int64_t m = r->m1 - r->m0;
    const mik_f32_tiling t = mik_f32_tiling_of(isa, regime, r->main, r->uniform, m);
    return (int)(mik_f32_tile_kernel(&t, mik_f32_strip_width(&t, mik_ceil_div(r->n1 - r->n0, isa->lanes)), m) - isa->variants);
}

/* Block sizes: a strip of B in the first-level cache, a block of A in the second, a block of B in the third. */
static void mik_f32_blocks(const mik_f32_isa *isa, const mik_f32_shape *s, const mik_f32_plan *p, mik_f32_region *r)
{
    const int64_t small = s->wish & MIK_SMALL_BLOCKS ? 16 : 1, bytes = p->kc * (int64_t)sizeof(mik_f32_panel) * small;
    const int64_t m = r->m1 - r->m0, n = r->n1 - r->n0;
    if (p->pattern == 0 || p->pattern == MIK_F32_SHALLOW) {
        r->mc = mik_min(m, mik_max(isa->move.l2_bytes / bytes, 8));
        r->nc = n;
        return;
    }
#if MIK_F32_SWEEPS
    if (p->pattern == MIK_F32_SWEEP) {
        r->mc = m;
        if (mik_f32_by_rows(isa, m, n, s->k)) { /* sums that stay in the nearest cache */
            r->nc = mik_round_up(mik_ceil_div(n, mik_ceil_div(n, 16384 / (int64_t)sizeof(mik_f32_acc) / small)), isa->lanes);
            return;
        }
        r->nc = mik_max(isa->move.l2_bytes * 2 / 3 / small / (mik_min(m, 512) * (int64_t)sizeof(mik_f32_acc)), isa->lanes);
        const mik_f32_tiling t = mik_f32_tiling_of(isa, p->regime, r->main, r->uniform, m);
        r->nc = mik_round_up(mik_ceil_div(n, mik_ceil_div(n, r->nc)), isa->lanes * mik_f32_strip_width(&t, mik_ceil_div(n, isa->lanes)));
        return;
    }
#endif
    const mik_f32_tiling t = mik_f32_tiling_of(isa, p->regime, r->main, r->uniform, m);
    const int lead = mik_f32_strip_width(&t, (n + isa->lanes - 1) / isa->lanes), fits = t.main && t.main->nv == lead;
    const int64_t mr = (fits && t.uniform & MIK_F32_UNIFORM ? t.main : isa->variants + t.cover->main[lead])->mr,
                  nr = (int64_t)lead * isa->lanes;
    if (p->apart) /* rows overlap, and are no longer than that */
        r->mc = mik_max(isa->move.l2_bytes / small / (p->apart * (int64_t)sizeof(mik_f32_panel)), 2 * mr);
    else
        r->mc = mik_max(isa->move.l2_bytes / bytes, mr);
    const int low = s->k <= isa->move.low_steps, far = (float)m * (float)n * sizeof(mik_f32_acc) > 4 * (float)isa->move.l3_bytes;
    if (low && far)                           /* little work for each output, which goes to memory: write whole rows */
        r->mc = mik_max(isa->move.low_rows * (MIK_F32_GATHERS && s->facts & MIK_F32_A_CONVERT ? 16 : 1) / mr, 1) * mr;
    r->mc = mik_round_up(mik_ceil_div(m, mik_ceil_div(m, r->mc)), mr);
#if MIK_F32_UNIT > 1 || MIK_F32_CONVERTS
    /* A block of B that one block of rows uses, and no other, had better stay in the second-level cache. */
    const int near = low || (r->pack_b && m <= r->mc);
#else
    const int near = low;
#endif
    r->nc = mik_max((near ? isa->move.l2_bytes : isa->move.l3_bytes) / bytes, nr);
    r->nc = mik_round_up(mik_ceil_div(n, mik_ceil_div(n, r->nc)), nr);
    if (s->facts & MIK_F32_C_STREAM && s->k <= p->kc) {
        /* Two blocks of sums in the second cache: long pieces of rows, many rows if these are short. */
        const int64_t sums = isa->move.l2_bytes / 3 / small / (int64_t)sizeof(mik_f32_acc), rows = mik_round_up(isa->move.low_rows, mr);
        r->mc = mik_round_up(mik_max(rows, sums / n), mr);
        r->mc = mik_round_up(mik_ceil_div(m, mik_ceil_div(m, r->mc)), mr);
        r->nc = mik_min(r->nc, mik_max(sums / r->mc, nr));
        r->nc = mik_round_up(mik_ceil_div(n, mik_ceil_div(n, r->nc)), nr);
    }
#if MIK_F32_SIDE
    r->mc = mik_min(r->mc, mik_max(MIK_F32_SIDE / mr, 1) * mr);     /* no longer sides were asked for, but whole tiles */
    r->nc = mik_min(r->nc, mik_max(MIK_F32_SIDE / nr, 1) * nr);
#endif
    if (!fits)
        r->nc = n;                            /* few columns, in strips of different widths */
}

#if MIK_F32_AHEAD
/* Strips as wide as the main kernel wherever it fits, so that none lies in two panels of a B prepacked. */
static int mik_f32_whole_strips(const mik_f32_shape *s) { return s->facts & MIK_F32_B_AHEAD ? MIK_F32_WHOLE_STRIPS : 0; }

#endif
/* The regions of a plan, without the sizes of their blocks; their number. */
static int mik_f32_lines(const mik_f32_shape *s, const mik_f32_plan *p, mik_f32_region *r)
{
    const int regions = p->pattern == 2 || p->pattern == 3 ? 2 : 1;
    for (int i = 0; i < regions; i++) {
        const mik_f32_region region = {p->pattern == 2 && i ? p->row : 0,
                                       p->pattern == 2 && !i ? p->row : s->m,
                                       p->pattern == 3 && i ? p->column : 0,
                                       p->pattern == 3 && !i ? p->column : s->n,
                                       0,
                                       0,
                                       p->main[i],
                                       p->uniform >> i & 1,
                                       p->pack_a >> i & 1,
                                       p->pack_b >> i & 1,
#if MIK_TRACE
                                       0,
#endif
                                       0};
        r[i] = region;
#if MIK_F32_AHEAD
        r[i].uniform |= mik_f32_whole_strips(s);
#endif
    }
    return regions;
}

/* The regions of a plan; their number. */
static int mik_f32_regions(const mik_f32_isa *isa, const mik_f32_shape *s, const mik_f32_plan *p, mik_f32_region *r)
{
    const int regions = mik_f32_lines(s, p, r);
    for (int i = 0; i < regions; i++)
        mik_f32_blocks(isa, s, p, r + i);
    return regions;
}
