/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Part of call.h: small problems, which are run without a plan. */
#pragma once
#include "call_prepare.h"

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
