/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The calls of one family: preparing one, the short cut for small problems, running, workspace.
 */
#pragma once
#include "few_rows.h"
#include "fixed_cover.h"
#include "jump_plan.h"
#include "shares.h"
#include "split.h"

/* Limits of the short cuts, as bench/cold and bench/gemm found them on a Zen 4: multiply-adds unless said otherwise. */
enum {
    MIK_F32_FEW = 20,          /* a plain loop does them in the time of the smallest kernel's call */
    MIK_F32_SHARED = 131072,   /* about 2.3 microseconds, which spinning workers are started for */
    MIK_F32_TINY = 128,        /* extents of a tiny product, a power of two */
    MIK_F32_SMALL_A = 131072 / sizeof(mik_f32_acc), /* a small product: elements of A, 128 KB at most, */
    MIK_F32_SMALL_B = 400000 / sizeof(mik_f32_acc), /* of B, 400 KB, */
    MIK_F32_SMALL_K = 256,     /* and steps */
    MIK_F32_INNER = 64,        /* outputs, each of which is an inner product in place sooner than B is turned */
    MIK_F32_EACH = 32768,      /* up to which each product of a batch is run by itself */
    MIK_F32_GENERAL = 2048 / sizeof(mik_f32_acc) /* sums of a small product with an epilogue, 2 KB */
};

/* How a product is computed without a plan. */
enum { MIK_F32_BY_LOOP = 1, MIK_F32_BY_DOTS, MIK_F32_BY_ROW, MIK_F32_BY_STEPS, MIK_F32_BY_COVER };

/* Transposes the problem, which costs nothing when nothing has to be packed by the operation. */
static void mik_f32_swap_roles(mik_problem *p)
{
    const mik_problem q = *p;
    p->m = q.n, p->n = q.m;
    p->a_m = q.b_n, p->a_k = q.b_k, p->b_k = q.a_k, p->b_n = q.a_m;
    p->c_m = q.c_n, p->c_n = q.c_m;
    p->a_in_place = q.b_in_place, p->b_in_place = q.a_in_place;
}

/* Few columns: inner products along k want A's rows contiguous, the transposed product A's columns. Few rows: the
   other way round. Else the output's rows should be contiguous. */
static int mik_f32_better_transposed(const mik_problem *p)
{
    if (p->n <= 8 && p->n <= p->m)
        return p->a_m == 1 && p->a_k != 1;
    if (p->m <= 8)
        return p->b_k == 1 && p->b_n != 1;
    return p->c_m == 1 && p->c_n != 1;
}

/* A batch's product as one tile; where its sums go is the caller's to say. */
MIK_INLINE mik_f32_tile mik_f32_whole(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch)
{
    mik_f32_tile t = {.k = p->k, .a_m = p->a_m, .a_k = p->a_k, .b_k = p->b_k, .b_n = 1, .c_m = p->c_m, .c_n = 1};
    t.a = op->a(s, batch);
    t.b = op->b(s, batch);
    t.add = op->kind == MIK_ACCUMULATE;
    return t;
}

#if MIK_F32_UNIT == 1
/* A leading stride by which consecutive rows fall into few cache sets. */
static int mik_f32_conflict(const mik_f32_isa *isa, int64_t stride)
{
    return stride != 0 && stride * (int64_t)sizeof(mik_f32_panel) % isa->move.conflict_bytes == 0;
}
#endif

/* The facts about the outputs' size. Non-temporal stores pay where sums are short, and where rows are, which processors do not
   see coming; else prefetching the lines hides more of what they cost. (Zen 5, 32 MB of outputs: 4 and 8 steps 1.3
   times as fast, 24 steps 0.95. Zen 4: no gain for long rows of more than two steps.) */
static int32_t mik_f32_far_outputs(const mik_f32_job *job, int forced)
{
    const mik_problem *p = &job->p;
    const float bytes = (float)p->batch * (float)p->m * (float)p->n * sizeof(mik_f32_acc), cache = (float)job->isa->move.l3_bytes;
    const int beyond = 3 * bytes >= 16 * cache, x86 = MIK_RUNS(job->isa->level, x86);
    const int pays = p->k <= MIK_F32_FIT(job->isa, stream_steps, 12) || (p->k <= 32 && p->n * (int64_t)sizeof(mik_f32_acc) <= 4096);
    const int can = job->op->kind == MIK_STORE && p->c_direct && p->c_n == 1;
    return (bytes > cache ? MIK_F32_C_FAR : 0) | (beyond ? MIK_F32_C_BEYOND : 0) |
           (can && (forced || (beyond && x86 && pays)) ? MIK_F32_C_STREAM : 0);
}

#if MIK_F32_A_WORDS
/* Can rows of A be read in place? Those of whole words, which do not compete for few sets of a cache. Long sums of few columns are for
   dot kernels. (Zen 4, bytes, 512 x 3 x 512: 83 GFLOP/s in place, 131 by these.) */
static int mik_f32_has_words(const mik_f32_job *job, const mikgen_options *opt)
{
    const mik_problem *const p = &job->p;
    const int wish = opt ? opt->plan : 0,
              conflict = p->a_m * (int64_t)sizeof(mik_f32_panel) % job->isa->move.conflict_bytes == 0 && p->m > 1;
    int wide = p->n > 4 || (p->n > 1 && p->k <= 128);
#if MIK_F32_AHEAD
    wide = wide || p->ahead_n > 1;
#endif
    return job->op->a_words && !p->a_in_place && wide && p->a_k == 1 && p->k > 0 && p->k % MIK_F32_UNIT == 0 && !(wish & MIK_PACK_A) &&
           (!conflict || wish & MIK_KEEP_A);
}

#endif
/* Prepares a call on p, which has outputs; 0 when the wished instruction set is not there. */
static int mik_f32_prepare(mik_f32_job *job, const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
{
    const int isa = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    int32_t facts = 0;
    if (isa == 0)
        return 0;
    job->workspace = NULL;
    job->slice = 0;
    job->parts = NULL;
    job->owner = NULL;
    job->k_from = 0;
    job->transposed = 0;
    job->op = op;
    job->s = s;
    job->opt = opt;
    job->isa = mik_f32_choose(isa);
    job->p = *p;
    mik_problem *q = &job->p;
    q->a_in_place = op->a && p->a_in_place;
    q->b_in_place = op->b && p->b_in_place;
    q->c_direct = op->c && p->c_direct;
#if MIK_F32_A_WORDS
    job->words = mik_f32_has_words(job, opt);
#endif
    if (q->k == 0)
        q->a_m = q->a_k = q->b_k = q->b_n = 0;
    if (q->a_in_place && q->b_in_place && q->c_direct && op->kind != MIK_GENERAL && q->k > 0)
        job->transposed = mik_f32_better_transposed(q);
#if MIK_F32_FLIPS_ROW
    if (q->a_in_place && q->b_in_place && op->kind == MIK_GENERAL && q->m == 1 && q->n > 1 && q->k > 0)
        job->transposed = mik_f32_better_transposed(q);
#endif
#if MIK_F32_AHEAD
    job->transposed = job->transposed && !q->ahead_n;
#endif
    if (job->transposed)
        mik_f32_swap_roles(q);
    if (q->n == 1)
        q->b_n = q->c_n = 1; /* strides of one column are free */
    const int64_t a_far = q->a_k == 1 ? q->a_m : q->a_k;
    facts |= q->a_in_place ? MIK_F32_A : op->hook_a ? MIK_F32_A_CONVERT : 0;
    if (q->b_in_place)
        facts |= q->b_n == 1 || q->k == 0 ? MIK_F32_B : MIK_F32_B_SPARSE;
    else
        facts |= op->hook_b ? MIK_F32_B_CONVERT : q->b_n != 1 && q->k > 0 ? MIK_F32_B_SPARSE : 0;
#if MIK_F32_AHEAD
    facts |= q->ahead_n ? MIK_F32_B_AHEAD : 0;
#endif
#if MIK_F32_BY_ROWS
    facts |= q->a_rows == MIK_ROWS_OF_ZEROS ? MIK_F32_A_ZEROS : 0;
#endif
    facts |= mik_f32_far_outputs(job, opt && opt->plan & MIK_STREAM);
#if MIK_F32_UNIT > 1
#if MIK_F32_A_WORDS
    facts |= job->words ? MIK_F32_A : 0;
#endif
    facts |= q->a_in_place ? MIK_F32_A_DOT | MIK_F32_A_DENSE : !op->hook_a && q->a_k != 1 && q->k > 1 ? MIK_F32_A_ACROSS : 0;
    (void)a_far;
#else
    if (q->a_in_place && (q->a_k == 1 || q->k <= 1))
        facts |= MIK_F32_A_DOT | (mik_f32_is_dense(q->a_m, q->k) ? MIK_F32_A_DENSE : 0);
    if (q->b_in_place && (q->b_k == 1 || q->k <= 1))
        facts |= MIK_F32_B_DOT;
    if (mik_f32_conflict(job->isa, a_far))
        facts |= MIK_F32_A_CONFLICT;
    if (mik_f32_conflict(job->isa, q->b_k))
        facts |= MIK_F32_B_CONFLICT;
#endif
    int wish = opt ? opt->plan & 0xffffff : 0;
    if (mik_f32_is_turned(op)) /* by one region of tiles, which can jump */
        wish |= MIK_TILES | (wish & MIK_PATTERN ? 0 : MIK_PATTERN & -MIK_PATTERN);
    const int threads = mik_threads(opt);
    const mik_f32_shape shape = {q->m,
                                 q->n,
                                 q->k,
                                 threads > 1 ? q->batch : 1,
                                 isa << 28 | wish,
                                 (unsigned short)facts,
                                 (unsigned short)(threads < MIK_F32_WORKERS ? threads : MIK_F32_WORKERS)};
    job->shape = shape;
    if (q->batch == 0 || q->m == 0 || q->n == 0)
        return 1;
    mik_f32_lookup(job->isa, &shape, &job->plan);
#if MIK_F32_JUMPS
    mik_f32_take_jumps(job);
#endif
    job->count = mik_f32_regions(job->isa, &shape, &job->plan, job->regions);
    job->tasks = 0;
    for (int i = 0; i < MIK_F32_REGIONS; i++)
        job->tasks += q->batch * job->plan.rows[i] * job->plan.columns[i];
    return 1;
}

/* m x n outputs as the solved tables cover them: vectors of columns <= MIK_F32_COVER_COLUMNS, a strip at a time. t, which is changed,
   describes the first of them; B's and the output's columns are contiguous. */
static void mik_f32_covered(const mik_f32_isa *isa, mik_f32_tile *t, int64_t m, int64_t n)
{
#if MIK_F32_FITTED
    t->fitted.prefetch_distance = isa->fitted.prefetch_distance;
#endif
#if MIK_F32_SWEEPS
    if (n < isa->lanes) {
        t->cols = (int)n;
        mik_f32_at(t, t->b, t->b_k);
        isa->column(t, m);
        return;
    }
#endif
    const mik_f32_panel *const a = t->a, *b = t->b;
    const mik_f32_cover *cover = isa->cover + (t->k >= MIK_F32_COVER_STEPS);
    const unsigned char *columns = cover->columns[mik_min(m, MIK_F32_COVER_ROWS) - 1];
    for (int64_t left = (n + isa->lanes - 1) / isa->lanes; left > 0;) {
        const int64_t nv = left <= 4 && isa->reach[left] ? left : columns[left], w = mik_min(n, nv * isa->lanes);
        mik_f32_acc *c = t->c;
        t->cols = (int)w;
        t->a = a;
        mik_f32_at(t, b, t->b_k);
        for (int64_t rows = m; rows > 0;) {
            const mik_f32_variant *v = isa->variants + (rows > isa->reach[nv] ? cover->main[nv] : cover->heights[nv][rows]);
            v->run(t);
            t->a += v->mr * t->a_m;
            t->c += v->mr * t->c_m;
            rows -= v->mr;
        }
        b += w * MIK_F32_UNIT;
        t->c = c + w;
        n -= w;
        left -= nv;
    }
}

#if MIK_F32_SWEEPS
/* Few columns and a long sum are for the dot kernels, if there are rows enough to turn B round for. (Zen 5.) */
static inline int mik_f32_is_narrow(const mik_f32_isa *isa, int64_t m, int64_t n, int64_t k)
{
    return n < isa->lanes / 2 && k > 32 && m >= 5 * n;
}

/* Such a problem, n and k no larger than of a small one. t, which is changed, describes the first output; A's rows are contiguous. */
MIK_APART static void mik_f32_narrow(const mik_f32_isa *isa, mik_f32_tile *t, int64_t m, int64_t n)
{
    mik_f32_acc room[MIK_F32_LINE / 2 * MIK_F32_SMALL_K];
    for (int64_t k = 0; k < t->k; k++)
        for (int64_t j = 0; j < n; j++)
            room[j * t->k + k] = t->b[k * t->b_k + j];
    t->b = room;
    t->b_n = t->k;
    mik_f32_dot_rows(isa, t, m, n);
}

/* A tiny problem, run where it lies, unless `runs` is 0: which way, one of those below, or 0 when it is not one. Callers know the operation
   and most strides, which most of the tests are about, when they are compiled. A handful of multiplications takes less time than to prepare
   a vector's mask. */
MIK_INLINE int mik_f32_tiny(const mik_f32_operation *op, const void *s, const mik_problem *p, int threads, int runs)
{
    const int64_t m = p->m, n = p->n, k = p->k;
    if (op->kind == MIK_GENERAL || !op->a || !op->b || !op->c || p->batch != 1 || !p->a_in_place || !p->b_in_place || !p->c_direct)
        return 0;
    if (((uint64_t)(m - 1) | (uint64_t)(n - 1) | (uint64_t)(k - 1)) >= MIK_F32_TINY || (threads > 1 && m * n * k > MIK_F32_SHARED))
        return 0;
    if (m * n * k <= MIK_F32_FEW) {
        const mik_f32_acc *a = runs ? op->a(s, 0) : NULL, *b = runs ? op->b(s, 0) : NULL;
        mik_f32_acc *c = runs ? op->c(s, 0) : NULL;
        for (int64_t i = 0; runs && i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                mik_f32_acc sum = 0, *out = c + i * p->c_m + j * p->c_n;
                for (int64_t q = 0; q < k; q++)
                    sum += a[i * p->a_m + q * p->a_k] * b[q * p->b_k + j * p->b_n];
                *out = op->kind == MIK_ACCUMULATE ? *out + sum : sum;
            }
        return MIK_F32_BY_LOOP;
    }
    const mik_f32_isa *isa = mik_f32_choose(mik_isa(0, MIK_F32_NEEDS));
#if !MIK_PORTABLE_SET
    if (!isa)
        return 0;
#endif
    mik_f32_tile t = {0};
    if (runs) {
        t = mik_f32_whole(op, s, p, 0);
        t.c = op->c(s, 0);
    }
    if (n == 1) {
        if (2 * k < isa->lanes) {
            if (runs)
                mik_f32_shallow(isa, &t, m, 1);
            return MIK_F32_BY_STEPS;
        }
        if (p->a_k != 1 || p->b_k != 1)
            return 0;
        if (runs)
            mik_f32_dot_rows(isa, &t, m, 1);
        return MIK_F32_BY_DOTS;
    }
    if (p->b_n != 1 || p->c_n != 1)
        return 0;
    if (mik_f32_is_row(isa, m, n)) {
        if (runs)
            isa->row(&t, n);
        return MIK_F32_BY_ROW;
    }
    if (mik_f32_is_shallow(isa, m, n, k)) {
        if (runs)
            (n <= isa->lanes ? isa->slim : isa->shallow)[k - 1](&t, m, n);
        return MIK_F32_BY_STEPS;
    }
    if (p->a_k == 1 && mik_f32_is_narrow(isa, m, n, k)) {
        if (runs)
            mik_f32_narrow(isa, &t, m, n);
        return MIK_F32_BY_DOTS;
    }
    if (n > MIK_F32_COVER_COLUMNS * isa->lanes)
        return 0;
    if (runs)
        mik_f32_covered(isa, &t, m, n);
    return MIK_F32_BY_COVER;
}

/* Runs a tiny problem; 0, with nothing done, when it is not one. */
MIK_SHARED_INLINE int mik_f32_at_once(const mik_f32_operation *op, const void *s, const mik_problem *p, int threads)
{
    return mik_f32_tiny(op, s, p, threads, 1);
}

#endif
/* A small product, run at once, unless `runs` is 0, as the solved tables cover it, by shallow kernels or by dot kernels: which way; 0, with
   nothing done, when it is not one, which its strides and extents alone decide. What it reads stays in the near caches, so that nothing is
   gained by planning. t describes the first output. */
MIK_INLINE int mik_f32_small_way(const mik_f32_isa *isa, mik_f32_tile t, const mik_problem *p, int runs)
{
#if MIK_F32_UNIT == 1
    if (p->b_n != 1) {
        if (p->a_k != 1 || p->b_k != 1 || p->m * p->n > MIK_F32_INNER || p->m * p->n * p->k > 32 * MIK_F32_INNER)
            return 0;
        t.b_n = p->b_n;
        if (runs)
            mik_f32_dot_rows(isa, &t, p->m, p->n);
        return MIK_F32_BY_DOTS;
    }
#endif
#if MIK_F32_SWEEPS
    if (mik_f32_is_row(isa, p->m, p->n)) {
        for (int64_t left = p->k; runs && left > 0; left -= t.k, t.a += t.k * t.a_k, t.b += t.k * t.b_k, t.add = 1) {
            t.k = mik_min(left, MIK_F32_SWEEP_DEPTH);
            isa->row(&t, p->n);
        }
        return MIK_F32_BY_ROW;
    }
#endif
#if MIK_F32_UNIT == 1
    if (mik_f32_is_shallow(isa, p->m, p->n, p->k)) {
        if ((float)p->m * (float)p->n * (float)(p->k + 2) > 262144)
            return 0;
        if (runs)
            mik_f32_shallow(isa, &t, p->m, p->n);
        return MIK_F32_BY_STEPS;
    }
    if (p->n == 1 && p->a_k == 1 && p->b_k == 1 && 2 * p->k >= isa->lanes && p->m * p->k <= 16384) {
        if (runs)
            mik_f32_dot_rows(isa, &t, p->m, 1);
        return MIK_F32_BY_DOTS;
    }
#endif
    const int64_t vectors = (p->n + isa->lanes - 1) / isa->lanes;
#if MIK_F32_SWEEPS
    if (mik_f32_by_rows(isa, p->m, p->n, p->k))
        return 0;
#endif
    /* clang-format off */
    if (p->m > 256 || p->k > MIK_F32_SMALL_K || p->m * p->k > MIK_F32_FIT(isa, small_a / (int)sizeof(mik_f32_acc), MIK_F32_SMALL_A) || vectors > MIK_F32_COVER_COLUMNS ||
        (vectors > 4 && p->k * p->n > MIK_F32_FIT(isa, small_b / (int)sizeof(mik_f32_acc), MIK_F32_SMALL_B)))
        return 0;
    /* clang-format on */
#if MIK_F32_SWEEPS
    if (mik_f32_is_narrow(isa, p->m, p->n, p->k)) {
        if (p->a_k != 1)
            return 0;
        if (runs)
            mik_f32_narrow(isa, &t, p->m, p->n);
        return MIK_F32_BY_DOTS;
    }
#endif
    if (runs)
        mik_f32_covered(isa, &t, p->m, p->n);
    return MIK_F32_BY_COVER;
}

static int mik_f32_small_product(const mik_f32_isa *isa, mik_f32_tile t, const mik_problem *p) { return mik_f32_small_way(isa, t, p, 1); }

/* Has an epilogue's small product few enough sums for one buffer? */
static int mik_f32_has_few_sums(const mik_problem *p)
{
    return p->m <= MIK_F32_GENERAL && p->n <= MIK_F32_GENERAL && p->m * p->n <= MIK_F32_GENERAL;
}

/* Small products whose sums an epilogue takes; 0 when they are not, or too many for one buffer. */
MIK_APART static int mik_f32_small_general(const mik_f32_isa *isa, const mik_f32_operation *op, const void *s, const mik_problem *p)
{
    mik_f32_acc sums[MIK_F32_GENERAL];
    if (!mik_f32_has_few_sums(p))
        return 0;
    for (int64_t batch = 0; batch < p->batch; batch++) {
        mik_f32_tile t = mik_f32_whole(op, s, p, batch);
        t.c = sums, t.c_m = p->n, t.add = 0;
        if (!mik_f32_small_product(isa, t, p))
            return 0;
        op->epilogue(s, isa->level, batch, 0, p->m, 0, p->n, sums, p->n);
    }
    return 1;
}

/* The instruction set with which small products are run at once, as far as their number and the operation decide that; null: by none. */
static const mik_f32_isa *mik_f32_small_isa(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    if (!op->a || !op->b || !p->a_in_place || !p->b_in_place || (opt && opt->plan) || p->k == 0)
        return NULL;
#if MIK_F32_AHEAD
    if (p->ahead_n)
        return NULL;
#endif
    const float work = (float)p->m * (float)p->n * (float)p->k;
    if ((opt && opt->threads > 1 && (float)p->batch * work > MIK_F32_SHARED) || (p->batch != 1 && work > MIK_F32_EACH))
        return NULL;
    const int which = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    if (which == 0)
        return NULL;
    if (op->kind == MIK_GENERAL ? MIK_F32_UNIT > 1 && p->b_n != 1
                                : !op->c || !p->c_direct || p->c_n != 1 || (MIK_F32_UNIT > 1 && p->b_n != 1))
        return NULL;
    return mik_f32_choose(which);
}

/* Small products, run at once one after the other; 0 when they are not, or when threads can share the work. */
static int mik_f32_small(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
{
    const mik_f32_isa *isa = mik_f32_small_isa(op, p, opt);
    if (!isa)
        return 0;
    if (op->kind == MIK_GENERAL)
        return mik_f32_small_general(isa, op, s, p);
    for (int64_t batch = 0; batch < p->batch; batch++) {
        mik_f32_tile t = mik_f32_whole(op, s, p, batch);
        t.c = op->c(s, batch);
        if (!mik_f32_small_product(isa, t, p))
            return 0;
    }
    return 1;
}

/* How a product is computed without a plan, in words; null: it is not. */
static const char *mik_f32_way_at_once(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    static const char *const words[] = {[MIK_F32_BY_LOOP] = "a plain loop",
                                        [MIK_F32_BY_DOTS] = "inner products along k",
                                        [MIK_F32_BY_ROW] = "row after row of B",
                                        [MIK_F32_BY_STEPS] = "few steps, rows of B in registers",
                                        [MIK_F32_BY_COVER] = "tiles of the solved covers"};
#if MIK_F32_FIXED_COVERS
    if (op->fixed_covers)
        return NULL;
#endif
    const mik_f32_isa *isa = mik_f32_small_isa(op, p, opt);
    const mik_f32_tile none = {0};
    int way = 0;
#if MIK_F32_SWEEPS
    int plain = !opt || !(opt->isa | opt->plan);
#if MIK_F32_AHEAD
    plain = plain && !p->ahead_n; /* calls with a prepacked B have plans */
#endif
    if (plain)
        way = mik_f32_tiny(op, NULL, p, mik_threads(opt), 0);
#endif
    if (!way && isa && (op->kind != MIK_GENERAL || mik_f32_has_few_sums(p)))
        way = mik_f32_small_way(isa, none, p, 0);
    return way ? words[way] : NULL;
}

/* Runs a call whose tasks are shared among workers. */
MIK_APART static void mik_f32_run_tasks(mik_f32_job *job)
{
    unsigned char owner[MIK_F32_TASKS];
    mik_f32_search x;
    mik_f32_search_begin(&x, job->isa, &job->shape, job->plan.kc);
    x.regime = job->plan.regime;
    mik_f32_assign(&x, &job->plan, job->regions, job->p.batch, owner);
    job->owner = owner;
    mik_parallel(job->opt, job->plan.workers, mik_f32_work, job);
}

/* Do several workers of unequal speeds share a call? */
static int mik_f32_is_unequal(const mikgen_options *opt) { return opt && opt->speeds && mik_threads(opt) > 1; }

/* Prepares a call as it will run. */
static int mik_f32_prepare_call(mik_f32_job *job, const mik_f32_operation *op, const void *s, const mik_problem *p,
                                const mikgen_options *opt)
{
    mikgen_options one;
    if (!mik_f32_is_unequal(opt))
        return mik_f32_prepare(job, op, s, p, opt);
    one = *opt;
    one.threads = 1;
    if (!mik_f32_prepare(job, op, s, p, &one))
        return 0;
    job->opt = opt;
    if (p->batch && p->m && p->n)
        job->plan.workers = (unsigned short)mik_f32_workers_for(job->isa, opt, (double)job->plan.cost * (double)p->batch);
    return 1;
}

#if MIK_TRACE
/* Tells of a product that has been computed as a whole, without a plan. */
MIK_SHARED void mik_f32_tell_at_once(const mik_f32_operation *op, const mikgen_options *opt, const mik_problem *p, uint64_t begin)
{
    const int isa = mik_isa(opt->isa, MIK_F32_NEEDS);
    char room[48];
    snprintf(room, sizeof room, "f32 %s at once", isa ? mik_f32_choose(isa)->name : "");
    mik_f32_tell_all(op, opt, p, "region", room, begin);
}

#endif
/* Solves p; MIKGEN_OK or MIKGEN_UNSUPPORTED, then with nothing written. */
#if MIK_TRACE
static int mik_f32_solve(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
#else
MIK_SHARED int mik_f32_run(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
#endif
{
#if MIK_TRACE
    const uint64_t begin = mik_trace_begin(opt);
#endif
    if (p->batch == 0 || p->m == 0 || p->n == 0 || (p->k == 0 && op->kind == MIK_ACCUMULATE))
        return MIKGEN_OK;
#if MIK_F32_FIXED_COVERS
    if (!op->fixed_covers && mik_f32_small(op, s, p, opt))
#else
    if (mik_f32_small(op, s, p, opt))
#endif
#if MIK_TRACE
    {
        if (begin)
            mik_f32_tell_at_once(op, opt, p, begin);
        return MIKGEN_OK;
    }
#else
        return MIKGEN_OK;
#endif
#if MIK_F32_FIXED_COVERS
    if (mik_f32_fixed_cover_fits(op, p, opt)) {
        mik_f32_run_fixed_cover(op, s, p, opt);
#if MIK_TRACE
        if (begin)
            mik_f32_tell_at_once(op, opt, p, begin);
#endif
        return MIKGEN_OK;
    }
#endif
#if MIK_F32_QUANTIZED
    if (mik_f32_is_few(op, p, opt)) {
        mik_f32_run_few(op, s, p, opt);
        return MIKGEN_OK;
    }
#endif
    mik_f32_job job;
    if (!mik_f32_prepare_call(&job, op, s, p, opt))
        return MIKGEN_UNSUPPORTED;
    if (opt && opt->workspace) {
        job.workspace = opt->workspace;
        job.slice = opt->workspace_bytes / (size_t)job.plan.workers / 64 * 64;
    }
    if (mik_f32_is_unequal(opt))
        mik_f32_run_unequal(&job, opt);
    else if (job.plan.splits > 1)
        mik_f32_run_splits(&job);
    else if (job.tasks)
        mik_f32_run_tasks(&job);
    else
        mik_parallel(opt, job.plan.workers, mik_f32_work, &job);
    return MIKGEN_OK;
}

#if MIK_TRACE
MIK_SHARED int mik_f32_run(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
{
    const uint64_t begin = mik_trace_begin(opt);
    const int status = mik_f32_solve(op, s, p, opt);
    if (begin && p->batch > 0 && p->m > 0 && p->n > 0)
        mik_f32_tell_all(op, opt, p, "product", NULL, begin);
    return status;
}

#endif

/* Bytes of workspace with which a call allocates nothing. */
MIK_SHARED size_t mik_f32_workspace(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    mik_f32_job job;
    if (p->batch == 0 || p->m == 0 || p->n == 0 || !mik_f32_prepare_call(&job, op, NULL, p, opt))
        return 0;
    const size_t most = mik_f32_is_unequal(opt) ? mik_f32_most_of_unequal(&job, opt) : mik_f32_most(&job);
    const size_t slices = most <= MIK_STACK_BYTES ? 0 : (most + 63) / 64 * 64 * (size_t)job.plan.workers;
    return slices + mik_f32_parts_bytes(&job);
}
