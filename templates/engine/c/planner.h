/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The planner: cost(plan) = the sum over the regions of its pattern, for one thread. Plans are tried from the simplest on;
 * when the best so far is near what the fastest kernel could do at all, the rest is not tried.
 */
#pragma once
#include "cost.h"

static void mik_f32_set_region(mik_f32_plan *p, int i, int main, int uniform, int pack)
{
    p->main[i] = (unsigned char)main;
    p->uniform |= (unsigned char)(uniform << i);
    p->pack_a |= (unsigned char)((pack & 1) << i);
    p->pack_b |= (unsigned char)((pack >> 1) << i);
}

/* Rows and columns of a task of region i. */
static void mik_f32_task_size(const mik_f32_isa *isa, const mik_f32_plan *p, const mik_f32_region *r, int i, int64_t *bm, int64_t *bn)
{
#if MIK_F32_AHEAD
    const int even = p->even >> i & 1 && !(r->uniform & MIK_F32_WHOLE_STRIPS);
#else
    const int even = p->even >> i & 1;
#endif
    const mik_f32_variant *v = isa->variants + (r->main == MIK_F32_TABLE ? isa->cover[p->regime].main[1] : r->main);
    const int64_t mr = even || r->m1 - r->m0 < v->mr ? 1 : v->mr, nr = (int64_t)isa->lanes * (even ? 1 : v->nv);
    *bm = mik_round_up(mik_ceil_div(r->m1 - r->m0, p->rows[i]), mr);
    *bn = mik_ceil_div(r->n1 - r->n0, p->columns[i]);
    *bn = p->columns[i] > 1 ? mik_round_up(*bn, nr) : *bn;
}

/* Are m x n outputs cut into the same tiles under two kernels? Strips of one width have the same tiles. */
static int mik_f32_same_tiles(const mik_f32_search *x, int64_t m, int64_t n, int one, int two)
{
    const mik_f32_tiling t = mik_f32_tiling_of(x->isa, x->regime, one, 0, m), u = mik_f32_tiling_of(x->isa, x->regime, two, 0, m);
    int64_t left = (n + x->isa->lanes - 1) / x->isa->lanes;
    while (left > 0 && one != two) {
        const int nv = mik_f32_strip_width(&t, left);
        const int64_t some = mik_f32_strips_alike(&t, nv, left), others = mik_f32_strips_alike(&u, nv, left);
        if (nv != mik_f32_strip_width(&u, left))
            return 0;
        left -= nv * mik_min(some, others);
    }
    return 1;
}

/* Do two plans come to the same tasks and tiles, whatever they are called? */
static int mik_f32_is_twin(const mik_f32_search *x, const mik_f32_plan *p, const mik_f32_plan *q)
{
    mik_f32_region r[MIK_F32_REGIONS], other[MIK_F32_REGIONS];
    if (p->pattern != q->pattern || p->row != q->row || p->column != q->column || p->splits != q->splits || p->workers != q->workers)
        return 0;
    const int count = mik_f32_lines(x->s, p, r);
    const float apart = p->cost < q->cost ? q->cost - p->cost : p->cost - q->cost;
    if (p->rows[0] && !memcmp(p->rows, q->rows, sizeof p->rows) && !memcmp(p->columns, q->columns, sizeof p->columns) &&
        apart < 1e-3f * p->cost)
        return 1;                             /* tasks are cut a little further along */
    mik_f32_lines(x->s, q, other);
    for (int i = 0; i < count; i++) {
        int64_t m = r[i].m1 - r[i].m0, n = r[i].n1 - r[i].n0, bm = m, bn = n;
        if (!p->rows[i] != !q->rows[i] || r[i].pack_a != other[i].pack_a || r[i].pack_b != other[i].pack_b)
            return 0;
        if (p->rows[i]) {
            mik_f32_task_size(x->isa, p, r + i, i, &bm, &bn);
            mik_f32_task_size(x->isa, q, other + i, i, &m, &n);
        }
        if (bm != m || bn != n ||
            (p->pattern == 0 || p->pattern >= MIK_F32_SWEEP ? p->main[i] != q->main[i]
                                                            : !mik_f32_same_tiles(x, m, n, p->main[i], q->main[i])))
            return 0;
    }
    return 1;
}

/* Keeps the better of the best so far and p as the runner-up of the other, if it is another plan at all. */
static void mik_f32_note_runner_up(const mik_f32_search *x, const mik_f32_plan *best, const mik_f32_plan *p)
{
    const mik_f32_plan *next = p->cost < best->cost ? best : p;
    if (next->cost < x->other->cost && !mik_f32_is_twin(x, best, p))
        *x->other = *next;
}

/* Keeps a plan that is better than the best so far. */
static void mik_f32_consider(const mik_f32_search *x, mik_f32_plan *best, const mik_f32_plan *p)
{
    if (x->other)
        mik_f32_note_runner_up(x, best, p);
    if (p->cost < best->cost)
        *best = *p;
}

#if MIK_F32_AHEAD
/* Do strips of nv vectors (0: of what the tables say) lie each in one panel of a B prepacked? */
static int mik_f32_fits_panels(const mik_f32_search *x, int nv)
{
    return !(x->s->facts & MIK_F32_B_AHEAD) || x->s->n <= mik_f32_ahead_columns(x->s->n) ||
           (nv > 0 && MIK_F32_AHEAD_COLUMNS % (nv * x->isa->lanes) == 0);
}

#endif
/* The cheapest single region for m x n outputs, among the solved cover and each width's main kernel; second (may be
   null) gets the next one that has other tiles. */
static mik_f32_choice mik_f32_best_region(const mik_f32_search *x, int64_t m, int64_t n, mik_f32_choice *second)
{
    const mik_f32_isa *isa = x->isa;
    const int64_t vectors = (n + isa->lanes - 1) / isa->lanes;
    mik_f32_choice best = {1e30f, 1e30f, 0, 0};
    float strip[17];
    for (int i = 0; i < 17; i++)
        strip[i] = -1;
    for (int nv = isa->widest; nv >= 0; nv--) {
        if (nv ? !isa->reach[nv] || nv > vectors : vectors > MIK_F32_COVER_COLUMNS)
            continue;
#if MIK_F32_AHEAD
        if (!mik_f32_fits_panels(x, nv))
            continue;
#endif
        if (nv > 5 && m > 16 && isa->variants[isa->cover[x->regime].main[nv]].mr < 3)
            continue;                         /* made for a row or two; spares a fifth of the longest decisions */
        const mik_f32_choice c = mik_f32_region_cost(x, nv ? isa->cover[x->regime].main[nv] : MIK_F32_TABLE, 0, m, n, strip);
        const int better = c.cost < best.cost;
        if (second && (better || c.cost < second->cost) && !(best.cost < 1e30f && mik_f32_same_tiles(x, m, n, c.main, best.main)))
            *second = better ? best : c;
        best = better ? c : best;
    }
    return best;
}

static void mik_f32_take(mik_f32_plan *p, int i, mik_f32_choice c)
{
    p->cost += c.cost;
    mik_f32_set_region(p, i, c.main, 0, c.pack);
}

/* Two bands, of rows (II) or columns (III): whole tiles of the best region's kernel first, the rest under another. */
static void mik_f32_two_bands(const mik_f32_search *x, mik_f32_plan *best, int main, float limit, int pattern)
{
    const mik_f32_variant *v = x->isa->variants + main;
    const int64_t m = x->s->m, n = x->s->n, nr = (int64_t)v->nv * x->isa->lanes;
    mik_f32_plan p;
    memset(&p, 0, sizeof p);
    p.pattern = (unsigned char)pattern;
    p.row = pattern == 2 ? m / v->mr * v->mr : 0;
    p.column = pattern == 3 ? (n - 1) / nr * nr : 0;
    if (pattern == 2 ? p.row == 0 || p.row == m : p.column == 0)
        return;
    const int64_t rest_m = m - p.row, rest_n = n - p.column;
    mik_f32_take(&p, 0, mik_f32_region_cost(x, main, 0, p.row ? p.row : m, p.column ? p.column : n, NULL));
    if (p.cost + mik_f32_least(x, rest_m, rest_n) > limit)
        return;
    mik_f32_take(&p, 1, mik_f32_best_region(x, rest_m, rest_n, NULL));
    if (p.cost < limit)
        mik_f32_consider(x, best, &p);
}

/* Cost of inner products along k by the dot kernels, and whether the operands are packed. */
static float mik_f32_dots_cost(const mik_f32_search *x, int *pack)
{
    const mik_f32_isa *isa = x->isa;
    const mik_f32_shape *s = x->s;
    const mik_f32_move *c = &isa->move;
    const float steps = (float)mik_ceil_div(s->k, isa->lanes), outputs = (float)s->m * (float)s->n;
    const int64_t tiles = mik_ceil_div(s->n, 4) * mik_ceil_div(s->m, isa->dot_rows[mik_min(s->n, 4) - 1]);
    const int pack_a = !(s->facts & MIK_F32_A_DOT), pack_b = !(s->facts & MIK_F32_B_DOT);
    const float bytes = (float)mik_max(s->m, s->n) * (float)s->k * sizeof(mik_f32_panel);
    float cost = outputs * steps * isa->dot_step + outputs * isa->dot_sum + (float)tiles * isa->dot_tile +
                 mik_f32_writing(x, 1, s->m, s->n) + MIK_DOTS_COLD * bytes * c->read * mik_f32_cold(c, bytes) +
                 (pack_a || pack_b ? MIK_DOTS_START_PACKED : MIK_DOTS_START);
    if (pack_a)
        cost += (float)s->m * (float)s->k * (s->facts & MIK_F32_A_CONVERT ? c->convert : c->column);
    if (pack_b)
        cost += (float)s->k * (float)s->n * (s->facts & MIK_F32_B_CONVERT ? c->convert : c->column);
    *pack = pack_a | pack_b << 1;
    return cost;
}

/* Few columns; or few rows, and columns that lie as the kernels want them. Lines of words are not put together of elements far apart.
   (Zen 4, bf16, 4096 x 1 x 4000 with A transposed: 125 ms so, 5 ms by tiles.) */
static int mik_f32_dots_may_pay(const mik_f32_search *x)
{
    if (x->s->facts & MIK_F32_A_ACROSS)
        return 0;
    return x->s->n <= x->isa->move.dot_columns || (x->s->m <= x->isa->dot_rows[3] && x->s->facts & MIK_F32_B_DOT);
}

static void mik_f32_consider_dots(const mik_f32_search *x, mik_f32_plan *best)
{
    const int forced = (x->s->wish & MIK_DOTS) != 0;
    mik_f32_plan p;
    int pack;
#if MIK_F32_AHEAD
    if (x->s->facts & MIK_F32_B_AHEAD)
        return;
#endif
    if (!forced && (!mik_f32_dots_may_pay(x) || x->s->wish & (MIK_TILES | MIK_VARIANT)))
        return;
    memset(&p, 0, sizeof p);
    p.cost = mik_f32_dots_cost(x, &pack);
    mik_f32_set_region(&p, 0, 0, 0, pack);
    if (forced)
        best->cost = 1e30f;
    mik_f32_consider(x, best, &p);
}

#if MIK_F32_SWEEPS
/* Are m x n outputs of k steps for the shallow kernels? At most a vector of columns is, unless they are so few that the dot
   kernels do more at a time: a single one if k is at least half a vector, two to four long ones if k is large beside their
   number. Of more, so are all of very few steps. To fill the registers with B for more steps is worth it if there are rows
   enough that use it; and sums so long that a kernel holds one vector of each row of B take long rows, and no more of A than
   stays near: tiles read it less often. (The factors: Zen 5, but for those of A's size: Zen 4.) */
static int mik_f32_is_shallow(const mik_f32_isa *isa, int64_t m, int64_t n, int64_t k)
{
    const int64_t steps = isa->shallow_steps, columns = mik_min(n, 65536) + isa->lanes - 1;
    if (k < 1 || k > (n > isa->lanes ? steps : isa->slim_steps))
        return 0;
    if (n > 1 && n <= isa->lanes && (m <= 64 || n > 4))
        return 1;
    if (n == 1 ? 2 * k > isa->lanes : n <= 4 && k > 4 * n)
        return 0;
    if (3 * k <= steps || (2 * k <= steps && n > isa->lanes && n <= 4 * isa->lanes))
        return 1;
    if (2 * k > steps &&
        (n < (12 * k <= 7 * steps ? 32 : 128) * isa->lanes || m * k > 4096 || (m < 8 && m * k * mik_min(n, 1 << 20) > 131072)))
        return 0;
    return MIK_F32_FIT(isa, shallow, 144) * k * k * isa->lanes <= steps * steps * mik_min(m, 65536) * columns && (m > 1 || 2 * k <= steps);
}

/* How far the sums of nc columns' rows are apart in a sweep: a load waits for a store of late that looks, by the bits within
   a page, as if it were to the same place, so a few rows' sums differ in these. */
static int64_t mik_f32_sweep_apart(int64_t nc)
{
    const int64_t size = sizeof(mik_f32_acc);
    return mik_round_up(mik_max(nc - 320 / size, 0), 1024 / size) + 320 / size;
}

/* Steps of k per pass of a sweep over m rows. Few rows leave the multiply-add units time to fetch and store sums again; the
   chunks of B, which then are as wide as passes are deep, take little of the nearest cache. Kernels of one and two rows do
   not prefetch and are wide, for processors that follow long pieces of rows. */
/* clang-format off */
static int mik_f32_sweep_depth(MIK_F32_OF(const mik_f32_isa *isa) int64_t m) { return m <= 2 ? 16 : m <= 8 ? MIK_F32_FIT(isa, sweep_low, 8) : m <= 16 ? 16 : MIK_F32_FIT(isa, sweep_high, 40); }
/* clang-format on */

/* The tiling that sweeps are best done under, with its cost; read: nanoseconds that B takes to come. Tiles compute while B
   comes. Narrow strips make chunks that stay nearer; low tiles fetch them more often from there, all the more where rows compete
   for cache sets. Many tiles, one behind the other, load their sums while the one before still computes; where B is all from
   memory that outweighs what tiles of another pattern save. */
static mik_f32_choice mik_f32_sweep_tiles(const mik_f32_search *x, float read)
{
    const mik_f32_isa *isa = x->isa;
    const int64_t m = x->s->m, vectors = (x->s->n + isa->lanes - 1) / isa->lanes;
    const float bytes = (float)x->s->n * (float)x->s->k * sizeof(mik_f32_acc);
    const float share = x->s->wish & MIK_COLD ? 1 : bytes / (8 * (float)isa->move.l3_bytes);
    const float hidden = m > 16 ? MIK_SWEEP_LOADED * (share < 1 ? share : 1) : 0;
    mik_f32_choice best = {1e30f, 1e30f, 0, 0};
    for (int nv = isa->widest; nv > 0; nv--) {
        if (!isa->reach[nv] || nv > vectors)
            continue;
#if MIK_F32_AHEAD
        if (!mik_f32_fits_panels(x, nv))
            continue;
        const int again = m > 2 && !(x->s->facts & MIK_F32_B_AHEAD); /* a panel's few steps are nearest */
#else
        const int again = m > 2;
#endif
        const int main = isa->cover[x->regime].main[nv];
        const mik_f32_tiling t = mik_f32_tiling_of(isa, x->regime, main, 0, m);
        const float low = again ? 1 + (x->s->facts & MIK_F32_B_CONFLICT ? MIK_SWEEP_LOW_CONFLICT : MIK_SWEEP_LOW) /
                                          (float)mik_min(isa->variants[main].mr, m)
                                : 1;
        const float all = low * (float)vectors / (float)nv * (mik_f32_strip_cost(&t, &x->steps, nv, m) + MIK_F32_STRIP);
        const float line = read * (m > 2 ? MIK_SWEEP_LINE + MIK_SWEEP_WIDE * (float)nv
                                         : (m > 1 ? MIK_SWEEP_LINE_2 : MIK_SWEEP_LINE_1) - MIK_SWEEP_WIDE_2 * (float)nv);
        const float cost = (all > line ? all + MIK_SWEEP_OTHER * line : line + MIK_SWEEP_OTHER * all) - hidden * all;
        if (cost < best.cost)
            best.cost = cost, best.tiles = all, best.main = main;
    }
    if (mik_f32_by_rows(isa, m, x->s->n, x->s->k)) /* no tiles */
        best.cost = MIK_BY_ROWS * best.tiles + read, best.main = MIK_F32_TABLE;
    return best;
}

/* Sweeps: few rows of A, B in place and from memory, at least in part (prefetching lines that a cache holds delays them), or one row and B
   row by row. Tiles of a pass take what they do; reading B at the
   same time delays them by a part of what it takes. */
static void mik_f32_consider_sweep(const mik_f32_search *x, mik_f32_plan *best)
{
    const mik_f32_shape *s = x->s;
    const mik_f32_isa *isa = x->isa;
    const mik_f32_move *c = &isa->move;
    const int forced = (s->wish & MIK_PATTERN) >> 12 == MIK_F32_SWEEP;
    const float m = (float)s->m, bytes = (float)s->k * (float)s->n * sizeof(mik_f32_acc);
    if (!(s->facts & MIK_F32_B) || s->k == 0)
        return;
    const float cold = mik_f32_cold_b(x, bytes);
#if MIK_F32_AHEAD
    /* Weights are seldom near: the rest of a model came by since the call before. Tiles read parts of a panel's rows, sweeps all;
       what is far is swept whatever tiles are expected to take. */
    const int ahead = (s->facts & MIK_F32_B_AHEAD) != 0, far_b = cold > 0 || (ahead && bytes > (float)c->near_bytes);
    const int few = mik_f32_by_panels(isa, s), always = ahead && bytes > MIK_F32_FAR_AHEAD * (float)c->near_bytes;
    /* clang-format off */
    const int64_t most = ahead || s->wish & MIK_COLD ? MIK_F32_FIT(isa, sweep_rows, MIK_F32_SWEEP_ROWS) / 2 : MIK_F32_FIT(isa, sweep_rows, MIK_F32_SWEEP_ROWS);
    /* clang-format on */
#else
    const int few = 0, always = 0, far_b = cold > 0;
    /* clang-format off */
    const int64_t most = s->wish & MIK_COLD ? MIK_F32_FIT(isa, sweep_rows, MIK_F32_SWEEP_ROWS) / 2 : MIK_F32_FIT(isa, sweep_rows, MIK_F32_SWEEP_ROWS);
    /* clang-format on */
#endif
    if (!forced && (s->m > most || s->facts & MIK_F32_A_ZEROS || (!far_b && !few && !mik_f32_by_rows(isa, s->m, s->n, s->k)) ||
                    s->n < 8 * isa->lanes || s->wish & (MIK_TILES | MIK_DOTS | MIK_VARIANT | MIK_PATTERN | MIK_PACK_B)))
        return;
    mik_f32_plan p;
    mik_f32_search pass = *x;
    memset(&p, 0, sizeof p);
    p.pattern = MIK_F32_SWEEP;
    pass.steps = mik_f32_steps_of(s->k, mik_f32_sweep_depth(MIK_F32_OF(isa) s->m));
    const mik_f32_choice tiles = mik_f32_sweep_tiles(&pass, bytes * c->read * cold);
    p.cost = tiles.cost + mik_f32_writing(x, 1, s->m, s->n);
    if (forced || few || always)
        best->cost = 1e30f;
    /* A in place, but for rows that compete for few cache sets or are far. */
    const int far = m * (float)s->k * sizeof(mik_f32_acc) > (float)c->near_bytes;
    const int conflict = s->m > 2 && !few && (s->facts & MIK_F32_A_CONFLICT || far) && !(s->wish & MIK_KEEP_A);
    mik_f32_set_region(&p, 0, tiles.main, 0, !(s->facts & MIK_F32_A) || s->wish & MIK_PACK_A || conflict);
    mik_f32_consider(x, best, &p);
}

/* Sums of few steps: B in place. A kernel's rows cost the multiply-adds and little else, a strip the loads of B. Tiles get
   ready for longer than they compute, the more the fewer steps there are. (The factors: Zen 4.) */
static void mik_f32_consider_shallow(const mik_f32_search *x, mik_f32_plan *best)
{
    const mik_f32_shape *s = x->s;
    const int forced = (s->wish & MIK_PATTERN) >> 12 == MIK_F32_SHALLOW;
    if (s->k == 0 || s->k > (s->n > x->isa->lanes ? x->isa->shallow_steps : x->isa->slim_steps) || !(s->facts & MIK_F32_B))
        return;
#if MIK_F32_AHEAD
    if (s->facts & MIK_F32_B_AHEAD)
        return;
#endif
    /* These kernels' stores go through the caches. */
    const int other = s->facts & MIK_F32_C_STREAM && s->m >= 8 && s->n > x->isa->lanes;
    if (!forced && (other || !mik_f32_is_shallow(x->isa, s->m, s->n, s->k) ||
                    s->wish & (MIK_TILES | MIK_DOTS | MIK_VARIANT | MIK_PATTERN | MIK_PACK_B | MIK_SPLIT)))
        return;
    mik_f32_plan p;
    memset(&p, 0, sizeof p);
    p.pattern = MIK_F32_SHALLOW;
    p.cost = (MIK_SHALLOW_STORE + MIK_SHALLOW_STEP * (float)s->k) * mik_f32_least(x, s->m, s->n) + mik_f32_least(x, 1, s->n) +
             mik_f32_writing(x, 1, s->m, s->n);
    if (!(s->facts & MIK_F32_A))
        p.cost += (float)s->m * (float)s->k * (s->facts & MIK_F32_A_CONVERT ? x->isa->move.convert : x->isa->move.gather);
    if (forced)
        best->cost = 1e30f;
    mik_f32_set_region(&p, 0, MIK_F32_TABLE, 0, !(s->facts & MIK_F32_A) || s->wish & MIK_PACK_A);
    mik_f32_consider(x, best, &p);
}
#endif

/* A forced kernel, wherever it fits. */
static void mik_f32_force(const mik_f32_search *x, mik_f32_plan *best, int main)
{
    const mik_f32_choice c = mik_f32_region_cost(x, main, 1, x->s->m, x->s->n, NULL);
    memset(best, 0, sizeof *best);
    best->pattern = 1;
    best->cost = c.cost;
    mik_f32_set_region(best, 0, main, 1, c.pack);
}

/* A forced pattern of two bands, cut anywhere, where there is enough to cut. */
static void mik_f32_force_bands(const mik_f32_search *x, mik_f32_plan *best, int pattern)
{
    mik_f32_plan p;
    mik_f32_region r[MIK_F32_REGIONS];
    if (pattern == 2 ? x->s->m < 2 : x->s->n < 2)
        return;
    memset(&p, 0, sizeof p);
    p.pattern = (unsigned char)pattern;
    p.row = x->s->m / 2, p.column = x->s->n / 2;
    mik_f32_lines(x->s, &p, r);
    for (int i = 0; i < 2; i++)
        mik_f32_take(&p, i, mik_f32_best_region(x, r[i].m1 - r[i].m0, r[i].n1 - r[i].n0, NULL));
    best->cost = 1e30f;
    mik_f32_consider(x, best, &p);
}

/* What a plan of one thread has besides its regions. */
static void mik_f32_settle(const mik_f32_search *x, int32_t kc, mik_f32_plan *p)
{
    const mik_f32_isa *isa = x->isa;
    const mik_f32_shape *s = x->s;
    p->regime = (unsigned char)x->regime;
    p->kc = p->pattern == 0                 ? mik_f32_depth(isa, s, 16384 / mik_min(s->n, 4))
            : p->pattern == MIK_F32_SWEEP   ? mik_f32_depth(isa, s, MIK_F32_SWEEP_DEPTH)
            : p->pattern == MIK_F32_SHALLOW ? (int32_t)s->k
                                            : kc;
    p->splits = p->workers = 1;
}

/* Finds the cheapest plan of one thread for a shape with m, n > 0; other (may be null) gets the next one, of which none is there if
   its cost is 1e30. */
static void mik_f32_decide_serial(mik_f32_search *x, const mik_f32_isa *isa, const mik_f32_shape *s, mik_f32_plan *best,
                                  mik_f32_plan *other)
{
    const int want = (s->wish & MIK_PATTERN) >> 12;
    const int only = (s->wish & MIK_VARIANT) >> 16;    /* a forced variant, by its index plus 1 */
#if MIK_F32_UNIT > 1
    const int32_t kc = mik_f32_depth(isa, s, mik_f32_word_steps(isa, s));
#else
    const int32_t kc = mik_f32_depth(isa, s, mik_f32_is_tall(isa, s) ? s->k : isa->move.kc);
#endif
    mik_f32_search_begin(x, isa, s, kc);
    x->other = other;
    mik_f32_choice second = {1e30f, 1e30f, 0, 0}, *const next = other ? &second : NULL;
    mik_f32_choice whole = mik_f32_best_region(x, s->m, s->n, next);
    const int streams = mik_f32_is_tall(isa, s) && mik_f32_cold(&isa->move, (float)s->m * (float)s->k * sizeof(mik_f32_panel)) > 0;
    if (x->regime == 1 && s->facts & MIK_F32_A && (s->facts & MIK_F32_A_CONFLICT || streams)) {
        /* Low tiles, rather than packing A or fetching its rows again and again, or from memory in too many streams. */
        x->regime = 2;
        mik_f32_choice low_second = {1e30f, 1e30f, 0, 0};
        const mik_f32_choice low = mik_f32_best_region(x, s->m, s->n, other ? &low_second : NULL);
        x->regime = low.cost < whole.cost ? 2 : 1;
        second = low.cost < whole.cost ? low_second : second;
        whole = low.cost < whole.cost ? low : whole;
    }
    memset(best, 0, sizeof *best);
    best->pattern = 1;
    if (other) {
        memset(other, 0, sizeof *other);
        other->pattern = 1;
        mik_f32_take(other, 0, second);
    }
    mik_f32_take(best, 0, whole);
    if (only && only <= isa->count) {
        mik_f32_force(x, best, only - 1);
    } else if (want == 2 || want == 3) {
        mik_f32_force_bands(x, best, want);
    }
    mik_f32_consider_dots(x, best);
#if MIK_F32_SWEEPS
    mik_f32_consider_sweep(x, best);
    mik_f32_consider_shallow(x, best);
#endif
    /* A second region must gain 1 %, and what it can gain at most be worth a search. */
    const float gain = whole.tiles - mik_f32_least(x, s->m, s->n);
    if (want == 0 && !only && best->pattern == 1 && gain > MIK_WORTH_SEARCHING * whole.tiles && gain > MIK_F32_SEARCH) {
        const int main = best->main[0] == MIK_F32_TABLE ? isa->cover[x->regime].main[1] : best->main[0];
        mik_f32_two_bands(x, best, main, MIK_WORTH_CUTTING * whole.cost, 2);
        mik_f32_two_bands(x, best, main, MIK_WORTH_CUTTING * whole.cost, 3);
    }
    mik_f32_settle(x, kc, best);
    if (other)
        mik_f32_settle(x, kc, other);
}
