/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Part of call.h: what a plan needs to know of a call. */
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
