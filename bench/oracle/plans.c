/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gemm_f32_dyn.c"

#include "plans.h"

#include <stdbool.h>

typedef struct Candidate {
    mik_f32_plan plan;
    uint64_t effect; /* equal for plans that do the same */
    bool single;     /* the short cut */
    bool plain;      /* packs what the cost model would */
} Candidate;

struct Problem {
    gemm_f32_args args;
    mik_problem shape;
    mikgen_options options;
    mik_f32_job job;
    mik_f32_search search;
    mik_f32_plan scratch;
    Candidate *items;
    int count, room;
    int usual; /* regime of covers */
    int lines[17], nlines; /* main kernels of distinct size: where they end is where regions are cut */
};

static void run_tasks(void *pool, int n, void (*task)(void *, int), void *arg) { pool_for(pool, n, task, arg); }

/* The solved covers to be used from now on. */
static void set_regime(Problem *q, int regime)
{
    const mik_f32_isa *isa = q->job.isa;
    q->search.regime = regime;
    q->nlines = 0;
    for (int nv = isa->widest; nv > 0; nv--)
        if (isa->reach[nv])
            q->lines[q->nlines++] = isa->cover[regime].main[nv];
}

/* Calls add for the shape's usual covers, and for those of low tiles where A's stride makes them worth a try. */
static void in_each_regime(Problem *q, void (*add)(Problem *, int), int like)
{
    const int conflict = MIK_F32_A | MIK_F32_A_CONFLICT;
    add(q, like);
    if (q->usual == 1 && (q->job.shape.facts & conflict) == conflict) {
        set_regime(q, 2);
        add(q, like);
        set_regime(q, q->usual);
    }
}

Problem *problem_open(int M, int N, int K, Pool *pool)
{
    static const float nothing[1];
    Problem *q = calloc(1, sizeof *q);
    if (!q)
        abort();
    q->args = (gemm_f32_args){.M = M, .N = N, .K = K, .A = nothing, .B = nothing};
    if (pool)
        q->options = (mikgen_options){.threads = pool_threads(pool), .parallel_for = run_tasks, .parallel_ctx = pool};
    gemm_f32_problem(&q->args, &q->shape);
    mik_f32_prepare(&q->job, &gemm_f32_operation, &q->args, &q->shape, &q->options);
    const mik_f32_isa *isa = q->job.isa;
    mik_f32_search_begin(&q->search, isa, &q->job.shape, mik_f32_depth(isa, &q->job.shape, isa->move.kc));
    q->usual = q->search.regime;
    set_regime(q, q->usual);
    return q;
}

void problem_close(Problem *q)
{
    free(q->items);
    free(q);
}

int plans_count(const Problem *q) { return q->count; }

/* ---- making plans ---- */

static mik_f32_plan empty_plan(const Problem *q, int pattern)
{
    mik_f32_plan p;
    memset(&p, 0, sizeof p);
    p.pattern = (unsigned char)pattern;
    p.regime = (unsigned char)q->search.regime;
    p.kc = mik_f32_depth(q->job.isa, &q->job.shape,
                         pattern == MIK_F32_SWEEP ? MIK_F32_SWEEP_DEPTH
                         : pattern                ? q->job.isa->move.kc
                                                  : 16384 / mik_min(q->job.shape.n, 4));
    p.splits = p.workers = 1;
    return p;
}

static void mix(uint64_t *hash, int64_t value) { *hash = ((*hash ^ (uint64_t)value) * UINT64_C(0x9e3779b97f4a7c15)) >> 3 ^ *hash << 7; }

/* The tiles of a region, as runs of strips and of tiles alike, and the blocks in which they are run. */
static void mix_region(const Problem *q, int regime, const mik_f32_region *r, uint64_t *hash)
{
    const mik_f32_tiling t = mik_f32_tiling_of(q->job.isa, regime, r->main, r->uniform, r->m1 - r->m0);
    const int64_t place[] = {r->m0, r->m1, r->n0, r->n1, r->mc, r->nc, r->pack_a, r->pack_b};
    bool seen[17] = {false};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        mix(hash, place[i]);
    int64_t strips = 1;
    for (int64_t left = mik_ceil_div(r->n1 - r->n0, q->job.isa->lanes); left > 0; strips = 1) {
        const int nv = mik_f32_strip_width(&t, left);
        while (left > strips * nv && mik_f32_strip_width(&t, left - strips * nv) == nv)
            strips++;
        mix(hash, nv);
        mix(hash, strips);
        left -= strips * nv;
        for (int64_t rows = r->m1 - r->m0; rows > 0 && !seen[nv];) {
            const mik_f32_variant *v = mik_f32_tile_kernel(&t, nv, rows);
            const int64_t tiles = mik_f32_tiles_alike(&t, v, rows, 0);
            mix(hash, (v - q->job.isa->variants) * 65536 + tiles);
            rows -= tiles * v->mr;
        }
        seen[nv] = true;
    }
}

/* A number that plans share if and only if they do the same, short of an accident. */
static uint64_t effect_of(const Problem *q, const mik_f32_plan *plan, bool single)
{
    mik_f32_region r[MIK_F32_REGIONS];
    const bool tiles = plan->pattern && plan->pattern < MIK_F32_SWEEP;
    const int regions = mik_f32_regions(q->job.isa, &q->job.shape, plan, r);
    uint64_t hash = 0;
    mix(&hash, tiles ? single : 2 + plan->pattern);
    mix(&hash, plan->kc);
    for (int i = 0; i < regions && !single; i++)
        if (tiles)
            mix_region(q, plan->regime, r + i, &hash);
        else
            mix(&hash, r[i].pack_a + 2 * r[i].pack_b);
    return hash;
}

/* The plan's number; one that does the same as another is not listed twice. */
static int add(Problem *q, const mik_f32_plan *plan, bool single, bool plain)
{
    const uint64_t effect = effect_of(q, plan, single);
    for (int i = 0; i < q->count; i++)
        if (q->items[i].effect == effect) {
            q->items[i].plain |= plain;
            return i;
        }
    if (q->count == q->room) {
        q->room = 2 * q->room + 256;
        q->items = realloc(q->items, (size_t)q->room * sizeof *q->items);
        if (!q->items)
            abort();
    }
    q->items[q->count] = (Candidate){*plan, effect, single, plain};
    return q->count++;
}

/* Whether kernel `main`, alone or with the tables at the ends, covers m x n outputs differently from the tables. */
static bool fits(const Problem *q, int main, bool uniform, int64_t m, int64_t n)
{
    const int64_t vectors = mik_ceil_div(n, q->job.isa->lanes);
    if (main == MIK_F32_TABLE)
        return vectors < (int64_t)(sizeof q->job.isa->cover->columns[0] / sizeof q->job.isa->cover->columns[0][0]);
    const mik_f32_variant *v = q->job.isa->variants + main;
    return (uniform ? 1 : 2) * v->nv <= vectors && (!uniform || v->mr <= m);
}

/* What the cost model has packed for m x n outputs under a kernel. */
static int model_packs(const Problem *q, int main, bool uniform, int64_t m, int64_t n)
{
    return mik_f32_region_cost(&q->search, main, uniform, m, n, NULL).pack;
}

static bool may_pack(const Problem *q, int pack)
{
    return (pack & 1 || q->job.shape.facts & MIK_F32_A) && (pack & 2 || q->job.shape.facts & MIK_F32_B);
}

static void add_single(Problem *q)
{
    mik_f32_plan p = empty_plan(q, 1);
    p.main[0] = MIK_F32_TABLE;
    /* Asked whether it would by running it. */
    const size_t m = (size_t)q->shape.m, n = (size_t)q->shape.n, k = (size_t)q->shape.k, most = 1 << 20;
    if (m > most || n > most || k > most || m * k + k * n + m * n > most)
        return;
    float *operands = calloc(m * k + k * n + m * n, sizeof *operands);
    if (!operands)
        abort();
    gemm_f32_args args = q->args;
    args.A = operands, args.B = operands + m * k, args.C = operands + m * k + k * n;
    if (mik_f32_small(&gemm_f32_operation, &args, &q->shape, &q->options))
        add(q, &p, true, true);
    free(operands);
}

static void add_dots(Problem *q)
{
    mik_f32_plan p = empty_plan(q, 0);
    p.regime = (unsigned char)q->usual;
    int pack;
    mik_f32_dots_cost(&q->search, &pack);
    mik_f32_set_region(&p, 0, 0, 0, pack);
    add(q, &p, false, true);
}

/* The model's sweep, or plan for few steps, whether it is the best plan or not; its pattern is another one if the
 * shape does not allow it. */
static mik_f32_plan model_of(const Problem *q, int pattern)
{
    mik_f32_search x = q->search;
    mik_f32_shape s = q->job.shape;
    mik_f32_plan p;
    memset(&p, 0, sizeof p);
    p.cost = 1e30f;
    s.wish |= pattern << 12;
    x.s = &s;
    if (pattern == MIK_F32_SWEEP)
        mik_f32_consider_sweep(&x, &p);
    else
        mik_f32_consider_shallow(&x, &p);
    return p;
}

static void add_sweep(Problem *q)
{
    const mik_f32_plan model = model_of(q, MIK_F32_SWEEP);
    for (int pack = 0; pack < 2; pack++) {
        mik_f32_plan p = empty_plan(q, MIK_F32_SWEEP);
        p.regime = (unsigned char)q->usual;
        mik_f32_set_region(&p, 0, model.main[0], 0, pack);
        if (model.pattern == MIK_F32_SWEEP && q->job.shape.m <= MIK_F32_SWEEP_ROWS && (pack || q->job.shape.facts & MIK_F32_A))
            add(q, &p, false, pack == model.pack_a);
    }
}

static void add_shallow(Problem *q)
{
    const mik_f32_plan model = model_of(q, MIK_F32_SHALLOW);
    mik_f32_plan p = empty_plan(q, MIK_F32_SHALLOW);
    p.regime = (unsigned char)q->usual;
    mik_f32_set_region(&p, 0, MIK_F32_TABLE, 0, model.pack_a);
    if (model.pattern == MIK_F32_SHALLOW)
        add(q, &p, false, true);
}

static void add_region(Problem *q, int main, bool uniform)
{
    const int64_t m = q->job.shape.m, n = q->job.shape.n;
    if (!fits(q, main, uniform, m, n))
        return;
    const int model = model_packs(q, main, uniform, m, n);
    for (int pack = 0; pack < 4; pack++) {
        mik_f32_plan p = empty_plan(q, 1);
        mik_f32_set_region(&p, 0, main, uniform, pack);
        if (may_pack(q, pack))
            add(q, &p, false, pack == model);
    }
}

static void add_covers(Problem *q)
{
    for (int i = 0; i < q->nlines; i++)
        add_region(q, q->lines[i], false);
    add_region(q, MIK_F32_TABLE, false);
}

static void add_uniform(Problem *q)
{
    for (int main = 0; main < q->job.isa->count; main++)
        add_region(q, main, true);
}

static void add_whole(Problem *q, int like)
{
    (void)like;
    static void (*const kinds[])(Problem *) = {add_single, add_dots, add_sweep, add_shallow, add_covers, add_uniform};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        kinds[i](q);
}

void plans_add_whole(Problem *q) { in_each_regime(q, add_whole, -1); }

/* ---- patterns II and III ---- */

/* The kernel of region i in a list that ends with the tables; -1 behind it. */
static int cover_at(const Problem *q, int i) { return i < q->nlines ? q->lines[i] : i == q->nlines ? MIK_F32_TABLE : -1; }

/* Adds p with the kernels mains[], each region packing what the model would; and as `packs` says, when it is not negative. */
static void add_packed(Problem *q, mik_f32_plan p, const mik_f32_region *r, int regions, const int *mains, int packs)
{
    mik_f32_plan same = p;
    for (int i = 0; i < regions; i++) {
        const int64_t m = r[i].m1 - r[i].m0, n = r[i].n1 - r[i].n0;
        mik_f32_set_region(&p, i, mains[i], 0, model_packs(q, mains[i], false, m, n));
        mik_f32_set_region(&same, i, mains[i], 0, packs);
    }
    add(q, &p, false, true);
    if (packs >= 0)
        add(q, &same, false, false);
}

/* Every pair of kernels. */
static void add_kernels(Problem *q, const mik_f32_plan *p, int packs)
{
    mik_f32_region r[MIK_F32_REGIONS];
    int mains[MIK_F32_REGIONS];
    int64_t m[MIK_F32_REGIONS], n[MIK_F32_REGIONS];
    const int regions = mik_f32_lines(&q->job.shape, p, r);
    for (int i = 0; i < regions; i++) {
        m[i] = r[i].m1 - r[i].m0, n[i] = r[i].n1 - r[i].n0;
        if (m[i] <= 0 || n[i] <= 0)
            return;
    }
    for (int a = 0; (mains[0] = cover_at(q, a)) >= 0; a++)
        for (int b = 0; fits(q, mains[0], false, m[0], n[0]) && (mains[1] = cover_at(q, b)) >= 0; b++)
            if (fits(q, mains[1], false, m[1], n[1]))
                add_packed(q, *p, r, regions, mains, packs);
}

/* Cuts where whole tiles of each width's main kernel end. */
static void add_cut(Problem *q, int like)
{
    const int64_t m = q->job.shape.m, n = q->job.shape.n;
    int packs = -1;
    if (like >= 0 && q->items[like].plan.pattern && !q->items[like].single)
        packs = (q->items[like].plan.pack_a & 1) | (q->items[like].plan.pack_b & 1) << 1;
    for (int i = 0; i < q->nlines; i++) {
        const mik_f32_variant *v = q->job.isa->variants + q->lines[i];
        const int64_t mr = v->mr, nr = (int64_t)v->nv * q->job.isa->lanes;
        const int64_t row = m > mr ? (m - 1) / mr * mr : 0, column = n > nr ? (n - 1) / nr * nr : 0;
        for (int pattern = 2; pattern <= 3; pattern++) {
            mik_f32_plan p = empty_plan(q, pattern);
            p.row = pattern == 2 ? row : 0;
            p.column = pattern == 3 ? column : 0;
            if (p.row || p.column)
                add_kernels(q, &p, packs);
        }
    }
}

void plans_add_cut(Problem *q, int like) { in_each_regime(q, add_cut, like); }

/* ---- running ---- */

static void run_plan(mik_f32_job *job, const mik_f32_plan *plan, int64_t batch)
{
    job->plan = *plan;
    job->count = mik_f32_regions(job->isa, &job->shape, &job->plan, job->regions);
    job->tasks = 0;
    unsigned char owner[MIK_F32_TASKS];
    for (int i = 0; i < MIK_F32_REGIONS; i++)
        job->tasks += batch * plan->rows[i] * plan->columns[i];
    if (job->tasks) {
        mik_f32_search x;
        mik_f32_search_begin(&x, job->isa, &job->shape, plan->kc);
        x.regime = plan->regime;
        mik_f32_assign(&x, &job->plan, job->regions, batch, owner);
        job->owner = owner;
    }
    mik_parallel(job->opt, plan->workers, mik_f32_work, job);
}

void plan_run(Problem *q, int i, const float *A, const float *B, float *C)
{
    q->args.A = A, q->args.B = B, q->args.C = C;
    if (q->items[i].single)
        mik_f32_small(&gemm_f32_operation, &q->args, &q->shape, &q->options);
    else
        run_plan(&q->job, &q->items[i].plan, q->shape.batch);
}

double plan_tiles_cost(const Problem *q, int i)
{
    const mik_f32_plan *p = &q->items[i].plan;
    mik_f32_search x = q->search;
    mik_f32_region r[MIK_F32_REGIONS];
    double cost = 0;
    x.regime = p->regime;
    const int regions = p->pattern && p->pattern < MIK_F32_SWEEP ? mik_f32_lines(&q->job.shape, p, r) : 0;
    for (int j = 0; j < regions; j++)
        cost += (double)mik_f32_region_cost(&x, r[j].main, r[j].uniform, r[j].m1 - r[j].m0, r[j].n1 - r[j].n0, NULL).tiles;
    return 1e-9 * cost;
}

bool plan_is_whole(const Problem *q, int i) { return q->items[i].plan.pattern == 1 && !q->items[i].single; }

double plan_cost(const Problem *q, int i)
{
    const mik_f32_plan *p = &q->items[i].plan;
    mik_f32_search x = q->search;
    mik_f32_region r[MIK_F32_REGIONS];
    double cost = 0;
    int pack;
    x.regime = p->regime;
    if (p->pattern == 0)
        return 1e-9 * (double)mik_f32_dots_cost(&x, &pack);
    if (p->pattern >= MIK_F32_SWEEP)
        return 1e-9 * (double)model_of(q, p->pattern).cost;
    const int regions = mik_f32_lines(&q->job.shape, p, r);
    for (int j = 0; j < regions; j++) {
        mik_f32_shape s = q->job.shape;
        s.wish |= (r[j].pack_a ? MIK_PACK_A : MIK_KEEP_A) | (r[j].pack_b ? MIK_PACK_B : MIK_KEEP_B);
        x.s = &s;
        cost += (double)mik_f32_region_cost(&x, r[j].main, r[j].uniform, r[j].m1 - r[j].m0, r[j].n1 - r[j].n0, NULL).cost;
    }
    return 1e-9 * cost;
}

/* The kernel of a region's first tile: of most tiles, unless the region is small. */
static const mik_f32_variant *first_tile(const Problem *q, int regime, const mik_f32_region *r)
{
    const mik_f32_tiling t = mik_f32_tiling_of(q->job.isa, regime, r->main, r->uniform, r->m1 - r->m0);
    const int width = mik_f32_strip_width(&t, mik_ceil_div(r->n1 - r->n0, q->job.isa->lanes));
    return mik_f32_tile_kernel(&t, width, r->m1 - r->m0);
}

void plan_text(const Problem *q, int i, char *text, size_t size)
{
    static const char *const patterns[] = {"dots", "I", "II", "III", "", "", "", "", "", "", "sweeps", "few steps"};
    const Candidate *candidate = &q->items[i];
    const mik_f32_plan *p = &candidate->plan;
    mik_f32_region r[MIK_F32_REGIONS];
    size_t at = 0;
#define SAY(...) (at += at < size ? (size_t)snprintf(text + at, size - at, __VA_ARGS__) : 0)
    SAY("%s", candidate->single ? "short cut" : patterns[p->pattern]);
    if (p->row)
        SAY(" row %d", (int)p->row);
    if (p->column)
        SAY(" column %d", (int)p->column);
    if (p->regime == 2 && p->pattern && p->pattern < MIK_F32_SWEEP)
        SAY(" low");
    const int regions = mik_f32_lines(&q->job.shape, p, r);
    for (int j = 0; j < regions && !candidate->single; j++) {
        const bool tiles = p->pattern && p->pattern < MIK_F32_SWEEP;
        SAY("%s", j ? "; " : tiles ? ": " : "");
        if (tiles) {
            const mik_f32_variant *v = first_tile(q, p->regime, r + j);
            const int tables = r[j].main == MIK_F32_TABLE || v->nv != q->job.isa->variants[r[j].main].nv;
            SAY("%s%dx%d%s", tables ? "T " : "", v->mr, v->nv * q->job.isa->lanes, !tables && r[j].uniform ? "!" : "");
        }
        if (r[j].pack_a || r[j].pack_b)
            SAY(" %s%s", r[j].pack_a ? "a" : "", r[j].pack_b ? "b" : "");
    }
#undef SAY
}

/* ---- choices ---- */

int plan_chosen(Problem *q)
{
    for (int i = 0; i < q->count; i++)
        if (q->items[i].single)
            return i;
    mik_f32_plan p;
    memset(&p, 0, sizeof p);
    mik_f32_decide(q->job.isa, &q->job.shape, &p);
    return add(q, &p, false, true);
}

/* Tiles of a single region, each called once for each block of k. */
static double count_tiles(const Problem *q, const mik_f32_plan *p)
{
    const mik_f32_shape *s = &q->job.shape;
    const mik_f32_isa *isa = q->job.isa;
    const mik_f32_tiling t = mik_f32_tiling_of(isa, p->regime, p->main[0], p->uniform & 1, s->m);
    double total = 0, strip[17] = {0};
    if (p->pattern == 0)
        return (double)mik_ceil_div(s->n, 4) * (double)mik_ceil_div(s->m, isa->dot_rows[mik_min(s->n, 4) - 1]);
    for (int64_t left = mik_ceil_div(s->n, isa->lanes), nv; left > 0; left -= nv) {
        nv = mik_f32_strip_width(&t, left);
        if (strip[nv] == 0)
            for (int64_t m = s->m; m > 0; m -= mik_f32_tile_kernel(&t, (int)nv, m)->mr)
                strip[nv]++;
        total += strip[nv];
    }
    return total;
}

int plan_wave(Problem *q)
{
    int best = -1;
    double least = 0;
    for (int i = 0; i < q->count; i++) {
        const Candidate *candidate = &q->items[i];
        if (!candidate->plain || candidate->plan.pattern > 1)
            continue;
        const double tiles = count_tiles(q, &candidate->plan);
        if (best < 0 || tiles < least)
            best = i, least = tiles;
    }
    return best;
}

int kernels_count(void) { return mik_f32_choose(mik_isa(0, 0))->count; }

void kernel_size(int kernel, int *rows, int *columns)
{
    const mik_f32_isa *isa = mik_f32_choose(mik_isa(0, 0));
    *rows = isa->variants[kernel].mr;
    *columns = isa->variants[kernel].nv * isa->lanes;
}

/* Nanoseconds of a whole tile for each of its outputs. */
static double rate(const mik_f32_isa *isa, const mik_f32_steps *steps, int kernel)
{
    const mik_f32_variant *v = isa->variants + kernel;
    return (double)mik_f32_tile_cost(steps, v) / (v->mr * v->nv * isa->lanes);
}

static int fastest(const mik_f32_isa *isa, const mik_f32_steps *steps)
{
    int best = 0;
    for (int v = 1; v < isa->count; v++)
        best = rate(isa, steps, v) < rate(isa, steps, best) ? v : best;
    return best;
}

int kernel_fastest(int K)
{
    const mik_f32_isa *isa = mik_f32_choose(mik_isa(0, 0));
    const mik_f32_steps steps = mik_f32_steps_of(K, isa->move.kc);
    return fastest(isa, &steps);
}

int plan_fixed(Problem *q, int kernel)
{
    mik_f32_plan p = empty_plan(q, 1);
    mik_f32_set_region(&p, 0, kernel, 1, model_packs(q, kernel, true, q->job.shape.m, q->job.shape.n));
    return add(q, &p, false, false);
}

int plan_pipe(Problem *q)
{
    const mik_f32_isa *isa = q->job.isa;
    const int kernel = fastest(isa, &q->search.steps);
    const double dots = (double)mik_ceil_div(q->job.shape.k, isa->lanes) * (double)isa->dot_step + (double)isa->dot_sum +
                        (double)isa->dot_tile / (4.0 * isa->dot_rows[3]);
    for (int i = 0; i < q->count && q->job.shape.n <= isa->move.dot_columns; i++)
        if (q->items[i].plan.pattern == 0 && dots < rate(isa, &q->search.steps, kernel))
            return i;
    return plan_fixed(q, kernel);
}

int plan_grid(Problem *q, int kernel)
{
    mik_f32_plan p = empty_plan(q, 1);
    p.workers = p.rows[0] = (unsigned short)mik_threads(&q->options);
    p.columns[0] = 1;
    mik_f32_set_region(&p, 0, kernel, 1, model_packs(q, kernel, true, q->job.shape.m / p.workers, q->job.shape.n));
    return add(q, &p, false, false);
}

void problem_decide(Problem *q) { mik_f32_decide(q->job.isa, &q->job.shape, &q->scratch); }
void problem_lookup(Problem *q) { mik_f32_lookup(q->job.isa, &q->job.shape, &q->scratch); }
