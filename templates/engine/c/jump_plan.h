/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Whether tiles of a plan read a gathered A where it is, instead of from packed rows. */
#pragma once
#include "job.h"

/* What that takes: tiles and jumps, and the rows of all that are packed. */
typedef struct {
    float cost;
    int64_t packed;
} mik_f32_jump_cost;

/* A line's tiles, in strips of nv vectors. */
static mik_f32_jump_cost mik_f32_line_cost(const mik_f32_search *x, const mik_f32_tiling *t, int nv, const mik_jump_form *f)
{
    mik_f32_jump_cost c = {0, 0};
    for (int64_t left = f->line; left > 0;) {
        const mik_f32_variant *const v = mik_f32_tile_kernel(t, nv, left);
        const int end = (f->ends & 1 && left == f->line) || (f->ends & 2 && left <= v->mr);
        c.cost += mik_f32_tile_cost(&x->steps, v) + MIK_JUMP_TILE + MIK_JUMP_JUMP * (float)f->jumps;
        c.packed += end || !MIK_F32_PASSES(v->mr, v->nv) ? v->mr : 0;
        left -= v->mr;
    }
    return c;
}

/* All tiles under a main kernel; rows that are packed for several widths of strips count each time. */
static mik_f32_jump_cost mik_f32_jumps_cost(const mik_f32_search *x, int main, const mik_jump_form *f)
{
#if MIK_F32_AHEAD
    const mik_f32_tiling t = mik_f32_tiling_of(x->isa, x->regime, main, mik_f32_whole_strips(x->s), x->s->m);
#else
    const mik_f32_tiling t = mik_f32_tiling_of(x->isa, x->regime, main, 0, x->s->m);
#endif
    mik_f32_jump_cost all = {0, 0};
    const float lines = (float)x->s->m / (float)f->line;
    for (int64_t left = mik_ceil_div(x->s->n, x->isa->lanes), before = 0; left > 0;) {
        const int nv = mik_f32_strip_width(&t, left);
        const int64_t strips = mik_f32_strips_alike(&t, nv, left);
        const mik_f32_jump_cost line = mik_f32_line_cost(x, &t, nv, f);
        all.cost += (float)strips * (lines * line.cost + MIK_F32_STRIP);
        all.packed += nv == before ? 0 : line.packed;
        before = nv;
        left -= strips * nv;
    }
    return all;
}

/* What plan p takes, without what it takes to bring its operands. */
static float mik_f32_tiles_of_plan(const mik_f32_search *x, const mik_f32_plan *p)
{
    mik_f32_region r[MIK_F32_REGIONS];
    const int count = mik_f32_lines(x->s, p, r);
    float tiles = 0;
    for (int i = 0; i < count; i++)
        tiles += mik_f32_region_cost(x, r[i].main, r[i].uniform & 1, r[i].m1 - r[i].m0, r[i].n1 - r[i].n0, NULL).tiles;
    return tiles;
}

/* Could a plan's tiles jump? Those that were not asked for; of a B whose panels are one stream, unless all of k is one block; where tasks have
   several lines. */
static int mik_f32_may_jump(const mik_f32_job *job)
{
    const int other = MIK_PACK_A | MIK_TALL | MIK_DOTS | MIK_SPLIT | MIK_STREAM | MIK_PATTERN | MIK_VARIANT;
    const mik_f32_plan *const p = &job->plan;
    const mik_jump_form *const f = &job->p.a_jumps;
    int stream = job->p.k <= p->kc;
#if MIK_F32_AHEAD
    stream = stream || job->p.ahead_n;
#endif
    if (f->move != 1 && !job->op->turned)
        return 0;
#if MIK_F32_A_WORDS
    if (!job->op->a_words || f->steps % MIK_F32_UNIT)
        return 0;
#endif
    if (f->line == 0 || f->apart <= 0 || f->apart > INT32_MAX || !job->op->gather_a || !stream)
        return 0;
    if (p->pattern == 0 || p->pattern >= MIK_F32_SWEEP || p->splits > 1 || job->shape.facts & MIK_F32_C_STREAM ||
        (job->opt && job->opt->plan & other))
        return 0;
    return p->workers == 1 || (p->pattern == 1 && (job->op->turned || p->rows[0] < 2 || job->p.m >= 4 * f->line * p->rows[0]));
}

/* The steps of k per block: whole groups, and strips of nv vectors that leave the second cache room for the image. (Zen 3, 14 x 14 x 512 by
   512 filters of 3 x 3: 75 GFLOP/s in one block, 94 in two, 97 in four.) */
static int32_t mik_f32_jump_steps(const mik_f32_job *job, int nv)
{
    const int64_t group = job->p.a_jumps.steps, small = job->shape.wish & MIK_SMALL_BLOCKS ? 16 : 1, strip = nv * job->isa->lanes;
    const int64_t part = job->op->turned ? 2 : 4; /* each block adds to outputs that are turned */
    const int64_t most = mik_max(job->isa->move.l2_bytes / part / small / (strip * (int64_t)sizeof(mik_f32_panel)), 1);
    return (int32_t)mik_min(mik_round_up(mik_ceil_div(job->p.k, mik_ceil_div(job->p.k, most)), group), job->p.k);
}

/* Is a main kernel of nv vectors one that may jump, in strips that B has? */
static int mik_f32_may_be_main(const mik_f32_search *x, int nv)
{
    const mik_f32_variant *const v = x->isa->variants + x->isa->cover[x->regime].main[nv];
#if MIK_F32_AHEAD
    if (!mik_f32_fits_panels(x, nv))
        return 0;
#endif
    return x->isa->reach[nv] && MIK_F32_PASSES(v->mr, v->nv) && nv * x->isa->lanes < x->s->n + x->isa->lanes;
}

/* What a plan by tiles that jump takes, and how much less than packed rows; main kernel, cover, steps of k per block (0: there is none). */
typedef struct {
    float cost, gain;
    int main, regime;
    int32_t kc;
} mik_f32_jump_choice;

/* The best one of a cover's main kernels, unless *best is better. before: what packed rows' tiles take, packing included. */
static void mik_f32_best_jumps(const mik_f32_job *job, int regime, float before, mik_f32_jump_choice *best)
{
    const mik_jump_form *const f = &job->p.a_jumps;
    const float copy = MIK_JUMP_COPY * job->isa->move.pack * (float)job->p.k, lines = (float)job->p.m / (float)f->line;
    const int forced = (job->shape.wish & MIK_KEEP_A) != 0 || job->op->turned;
    for (int nv = job->isa->widest; nv > 1; nv--) {
        const int main = job->isa->cover[regime].main[nv];
        const int32_t kc = mik_f32_jump_steps(job, nv);
        mik_f32_search x;
        mik_f32_search_begin(&x, job->isa, &job->shape, kc);
        x.regime = regime;
        if (!mik_f32_may_be_main(&x, nv))
            continue;
        const mik_f32_jump_cost c = mik_f32_jumps_cost(&x, main, f);
        const float cost = c.cost + copy * (float)c.packed * lines, gain = before - cost;
        if (cost < best->cost && ((gain > 0 && MIK_JUMP_PACKED * c.packed <= f->line) || forced))
            *best = (mik_f32_jump_choice){cost, gain, main, regime, kc};
    }
}

/* Takes to tiles that jump where these take less time than packing rows and the plan's, in blocks alike. Long sums' tiles serve short ones, too:
   a jump's time is a tile's. */
static void mik_f32_take_jumps(mik_f32_job *job)
{
    const mik_jump_form *const f = &job->p.a_jumps;
    mik_f32_plan *const p = &job->plan;
    mik_f32_jump_choice best = {.cost = 1e30f};
    mik_f32_search x;
    if (!mik_f32_may_jump(job))
        return;
    mik_f32_search_begin(&x, job->isa, &job->shape, p->kc);
    const float row = MIK_JUMP_COPY * job->isa->move.pack * (float)job->p.k + MIK_JUMP_RUN * (float)(f->jumps + 1);
    const float before = mik_f32_tiles_of_plan(&x, p) + row * (float)job->p.m;
    for (int regime = x.regime; regime <= 1; regime++)
        mik_f32_best_jumps(job, regime, before, &best);
    if (best.kc == 0)
        return;
    p->cost -= best.gain;
    p->pattern = 1;
    p->main[0] = (unsigned char)best.main;
    p->regime = (unsigned char)best.regime;
    p->pack_a = p->uniform = 0;
    p->kc = best.kc;
    p->apart = (int32_t)mik_min(f->move == 1 ? f->apart : f->apart * f->steps, INT32_MAX); /* elements of A for each row */
    job->p.a_m = f->apart;
#if MIK_F32_A_WORDS
    job->words = 1;
#else
    job->p.a_k = f->move;
    job->p.a_in_place = 1;
#endif
}
