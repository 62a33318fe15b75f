/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The workers of one family's calls: their tasks and workspace. Tasks own disjoint blocks of outputs and read nothing of each
 * other, so results do not depend on who runs them when. Workspace comes from the caller, from the stack when it is small, else
 * from malloc; if that fails the blocks shrink until the stack holds them.
 */
#pragma once
#include "cache.h"
#include "jump_tiles.h"
#include "strips.h"
#include "sweep.h"
#include "thin.h"

typedef struct {
    const mik_f32_operation *op;
    const void *s;
    const mikgen_options *opt;
    const mik_f32_isa *isa;
    mik_problem p;
    mik_f32_shape shape;
    mik_f32_plan plan;
    mik_f32_region regions[MIK_F32_REGIONS];
    int count;                         /* of regions */
#if MIK_F32_A_WORDS
    int words;                         /* A's rows are read in place, without heads */
#endif
    int transposed;                       /* out' = B' A' is computed: m and n, A and B have changed roles */
    int64_t tasks;                     /* of all batches; 0: each worker takes whole batches */
    char *workspace;
    size_t slice;                      /* bytes of it for each worker */
    mik_f32_acc *parts;                  /* sums of parts of k, plan.splits times m x n; null where k is in one */
    int64_t k_from;                    /* the first step, of a part */
    const unsigned char *owner;        /* the worker of each task */
} mik_f32_job;

/* How many rows are finished at a time: all, or what a buffer of sums is given. */
static int64_t mik_f32_rows(const mik_f32_job *job, int64_t m, int64_t kc)
{
    return job->plan.pattern == MIK_F32_SWEEP || mik_f32_needs_sums(job->op, &job->p, kc) ? mik_min(m, 512) : m;
}

#if MIK_F32_BY_ROWS
/* Where rows of A that are packed one after the other lie: an odd number of cache lines apart, so that the rows of a tile do
   not compete for cache sets. 0: A is packed as panels, or read in place. */
static int64_t mik_f32_pitch(const mik_f32_job *job, int64_t kc)
{
    const int64_t line = 64 / (int64_t)sizeof(mik_f32_panel);
    return job->p.a_rows ? (mik_ceil_div(mik_round_up(kc, MIK_F32_UNIT) + MIK_F32_HEAD, line) | 1) * line : 0;
}

#if MIK_F32_HEAD
/* Elements ahead of the first of them: steps, not heads, begin where cache lines do. */
static int64_t mik_f32_lead(const mik_f32_job *job)
{
    return job->p.a_rows && job->plan.pattern < MIK_F32_SWEEP ? 64 / (int64_t)sizeof(mik_f32_panel) - MIK_F32_HEAD : 0;
}

#endif
#endif
/* Rows of k elements that follow one another, with a line or two between them at most. */
static int mik_f32_is_dense(int64_t apart, int64_t k) { return apart >= k && apart < k + 3 * 64 / (int64_t)sizeof(mik_f32_panel); }

/* Whether finished sums are stored non-temporally: those over all of k, by tiles. */
static int mik_f32_streams(const mik_f32_job *job, int64_t kc)
{
    return job->shape.facts & MIK_F32_C_STREAM && job->p.k <= kc && job->plan.pattern != 0 && job->plan.pattern < MIK_F32_SWEEP &&
           !job->parts;
}

#if MIK_F32_NARROWS
/* Whether tiles store finished sums, over all of k, rounded to 16 bits. Those of rows with many zeros may be done in parts. */
static int mik_f32_narrows(const mik_f32_job *job, int64_t kc)
{
    return job->op->narrow && job->isa->narrows && job->p.k <= kc && job->p.c_n == 1 && !job->parts && !job->transposed &&
           job->plan.pattern != 0 && job->plan.pattern < MIK_F32_SWEEP;
}

#endif
/* Bytes for the packed blocks of A and B and the sums of a region; rows and columns at a region's end may add to a
   block. */
static void mik_f32_room(const mik_f32_job *job, const mik_f32_region *r, int64_t kc, size_t *a, size_t *b, size_t *sums)
{
    const int64_t deep = mik_round_up(kc, MIK_F32_UNIT) + MIK_F32_HEAD, m = r->m1 - r->m0, n = r->n1 - r->n0, lanes = job->isa->lanes;
    const int64_t mc = mik_min(r->mc + 2 * MIK_F32_COVER_HEIGHTS, m), nc = mik_min(r->nc + MIK_F32_COVER_COLUMNS * lanes, n);
#if MIK_F32_BY_ROWS
    const int64_t tall = mik_max(deep, mik_f32_pitch(job, kc));
#else
    const int64_t tall = deep;
#endif
#if MIK_F32_A_WORDS
    if (job->words && !r->pack_a)
        *a = (size_t)mik_round_up(mik_round_up(mc, 16) * MIK_F32_UNIT * (int64_t)sizeof(mik_f32_panel), 64);
    else
#endif
#if MIK_F32_BY_ROWS && MIK_F32_HEAD
        *a = r->pack_a ? (size_t)mik_round_up((mik_f32_lead(job) + mc * tall) * (int64_t)sizeof(mik_f32_panel), 64) : 0;
#else
    *a = r->pack_a ? (size_t)mik_round_up(mc * tall * (int64_t)sizeof(mik_f32_panel), 64) : 0;
#endif
#if MIK_F32_JUMPS
    if (job->plan.apart && !r->pack_a)
        *a = (size_t)(MIK_F32_JUMP_ROWS * tall * (int64_t)sizeof(mik_f32_panel)) + (sizeof(mik_f32_jumps) + 63) / 64 * 64;
#endif
#if MIK_F32_AHEAD && MIK_F32_SWEEPS
    if (r->pack_a && job->p.ahead_n && job->plan.pattern == MIK_F32_SWEEP && !r->tight)
        *a = (size_t)(mik_f32_rows(job, m, kc) * mik_f32_ahead_apart(job->p.k) * (int64_t)sizeof(mik_f32_panel));
#endif
    *b = r->pack_b ? (size_t)mik_round_up(mik_round_up(nc, lanes) * mik_f32_column_of_b(deep) * (int64_t)sizeof(mik_f32_panel), 64) : 0;
    *sums = 0;
#if MIK_F32_SWEEPS
    if (job->plan.pattern == MIK_F32_SWEEP)
        *sums = (size_t)(mik_f32_rows(job, m, kc) * mik_f32_sweep_apart(nc) * (int64_t)sizeof(mik_f32_acc) + (r->tight ? 64 : 4096));
    else
#endif
        if (mik_f32_streams(job, kc))
        *sums = (size_t)mik_round_up(2 * mc * nc * (int64_t)sizeof(mik_f32_acc) + 64, 64);
    else if (mik_f32_needs_sums(job->op, &job->p, kc))
        *sums = (size_t)mik_round_up(mik_f32_rows(job, m, kc) * nc * (int64_t)sizeof(mik_f32_acc), 64);
}

static size_t mik_f32_need(const mik_f32_job *job, const mik_f32_region *r, int64_t kc)
{
    size_t a, b, sums;
    mik_f32_room(job, r, kc, &a, &b, &sums);
    return a + b + sums ? a + b + sums + 64 : 0;
}

/* The most that a task of the call needs. */
static size_t mik_f32_most(const mik_f32_job *job)
{
    size_t most = 0;
    for (int i = 0; i < job->count; i++) {
        mik_f32_region r = job->regions[i];
        int64_t bm, bn;
        if (job->tasks) {
            mik_f32_task_size(job->isa, &job->plan, &r, i, &bm, &bn);
            r.m1 = mik_min(r.m1, r.m0 + bm);
            r.n1 = mik_min(r.n1, r.n0 + bn);
            mik_f32_blocks(job->isa, &job->shape, &job->plan, &r);
        }
        const size_t need = mik_f32_need(job, &r, job->plan.kc);
        most = need > most ? need : most;
    }
    return most;
}

/* Runs a region of several batches in the given workspace. */
static void mik_f32_batches(const mik_f32_job *job, const mik_f32_region *r, int64_t kc, int64_t batch, int64_t end, char *room)
{
    static const mik_f32_panel nothing[2];
    mik_f32_acc tile[MIK_F32_TILE_SIZE];
    const mik_problem *p = &job->p;
    mik_f32_block x = {.op = job->op,
                       .s = job->s,
                       .tiling = mik_f32_tiling_of(job->isa, job->plan.regime, r->main, r->uniform, r->m1 - r->m0),
                       .r = *r,
                       .k_from = job->k_from,
                       .k = p->k,
                       .kc = kc,
                       .dots = job->plan.pattern == 0,
                       .a_m = p->a_m,
                       .a_k = p->a_k,
                       .b_k = p->b_k,
                       .b_n = p->b_n,
                       .c_m = p->c_m,
                       .c_n = p->c_n,
#if MIK_TRACE
                       .opt = job->opt,
                       .turned = job->transposed || mik_f32_is_turned(job->op),
#endif
                       .tile = tile};
#if MIK_F32_FLIPS_ROW
    x.transposed = job->transposed;
#endif
#if MIK_F32_BY_ROWS
    mik_f32_live live;
    x.live = &live;
    x.pitch = mik_f32_pitch(job, kc);
#endif
#if MIK_F32_SWEEPS
    /* Where B is in the last cache, prefetching takes low strips more time than it saves. (Zen 4, 126 shapes with B in place: 1.02 times as fast
       by strips of 3 tiles and more, 1.03 by 7.) */
    const float bytes = (float)p->k * (float)p->n * sizeof(mik_f32_panel);
    /* clang-format off */
    x.far_tiles = job->shape.wish & MIK_COLD ? 3 : bytes > (float)job->isa->move.near_bytes ? MIK_F32_FIT(job->isa, prefetch_panel, 7) : 0;
    /* clang-format on */
#endif
#if MIK_F32_AHEAD
    x.ahead_k = p->ahead_k;
    x.ahead_n = p->ahead_n;
#endif
    /* Asking for a destination in the near caches takes more time than it saves, but for long sums. */
    x.prefetch = job->shape.facts & MIK_F32_C_FAR ? MIK_F32_FIT(job->isa, prefetch_far, 12) : MIK_F32_FIT(job->isa, prefetch_near, 64);
    x.ahead = !r->pack_a && mik_f32_is_dense(p->a_m, kc) && mik_f32_is_tall(job->isa, &job->shape);
    mik_stream stream = {NULL, NULL, 0, 0, 0, 0, 0};
    if (room) {
        size_t a, b, sums;
        mik_f32_room(job, r, kc, &a, &b, &sums);
        room += (64 - (uintptr_t)room % 64) % 64;
        x.room_a = (mik_f32_panel *)(void *)room;
#if MIK_F32_BY_ROWS && MIK_F32_HEAD
        x.room_a += r->pack_a ? mik_f32_lead(job) : 0;
#endif
        x.room_b = (mik_f32_panel *)(void *)(room + a);
        if (sums)
            x.sums = (mik_f32_acc *)(void *)(room + a + b);
        x.sums_m = mik_min(r->nc + MIK_F32_COVER_COLUMNS * job->isa->lanes, r->n1 - r->n0);
        if (mik_f32_streams(job, kc)) {
            const int64_t half = (int64_t)sums / 128 * 64 / (int64_t)sizeof(mik_f32_acc);
            x.other_sums = x.sums + half;
            x.stream = &stream;
        }
#if MIK_F32_SWEEPS
        if (job->plan.pattern == MIK_F32_SWEEP)
            x.sums_m = mik_f32_sweep_apart(x.sums_m);
#endif
    }
    const int64_t rows = mik_f32_rows(job, r->m1 - r->m0, kc);
    for (; batch < end; batch++) {
        x.batch = batch;
        if (p->k == 0) {
            x.a = x.b = nothing;
        } else if (job->transposed) {
            x.a = job->op->b(job->s, batch);
            x.b = job->op->a(job->s, batch);
        } else {
            x.a = p->a_in_place ? job->op->a(job->s, batch) : NULL;
            x.b = p->b_in_place ? job->op->b(job->s, batch) : NULL;
        }
#if MIK_F32_A_WORDS
        x.words = job->words && !r->pack_a && p->k > 0;
        if (x.words) /* where heads would be; by numbers, since nothing is there */
            x.a = (const mik_f32_panel *)((uintptr_t)job->op->a_words(job->s, batch) - MIK_F32_HEAD * sizeof(mik_f32_panel));
#endif
#if MIK_F32_HEAD && MIK_F32_ROWS_AHEAD
        x.heads_a = x.a;
#endif
        if (x.a)
            x.a += job->k_from * p->a_k;
#if MIK_F32_AHEAD
        if (x.b && !p->ahead_n)
#else
        if (x.b)
#endif
            x.b += job->k_from * p->b_k;
#if MIK_F32_NARROWS
        x.narrow = mik_f32_narrows(job, kc) ? job->op->narrow(job->s, batch) : NULL;
#endif
        x.c = job->parts ? job->parts : p->c_direct ? job->op->c(job->s, batch) : NULL;
        for (x.r.m0 = r->m0; x.r.m0 < r->m1; x.r.m0 = x.r.m1) {
            x.r.m1 = mik_min(x.r.m0 + rows, r->m1);
            x.sums_m0 = x.r.m0;
            if (x.dots)
                mik_f32_inner_products(&x);
#if MIK_F32_SWEEPS
            else if (job->plan.pattern == MIK_F32_SWEEP)
                mik_f32_sweep(&x);
            else if (job->plan.pattern == MIK_F32_SHALLOW)
                mik_f32_shallow_region(&x);
#endif
#if MIK_F32_JUMPS
            else if (job->plan.apart && !r->pack_a)
                mik_f32_run_jumps(&x);
#endif
            else
                mik_f32_run_tiles(&x);
        }
    }
}

/* The same with a stack buffer, in parts that need no more than it. */
MIK_APART static void mik_f32_on_stack(const mik_f32_job *job, const mik_f32_region *r, int64_t kc, int64_t batch, int64_t end)
{
    char room[MIK_STACK_BYTES];
    int64_t m = r->m1 - r->m0, n = r->n1 - r->n0;
    mik_f32_region part = *r;
#if MIK_F32_JUMPS
    part.pack_a |= job->plan.apart != 0;
#endif
    while (mik_f32_need(job, &part, kc) > MIK_STACK_BYTES) {
        part.tight = 1;
        if (kc > 64)
            kc = mik_round_up(kc / 2, 8);
        else if (n > 4 * job->isa->lanes)
            n = mik_round_up(n / 2, job->isa->lanes);
        else if (m > 16)
            m = (m + 1) / 2;
        else if (kc > 8)
            kc = mik_round_up(kc / 2, 8);
        else if (n > job->isa->lanes)
            n = mik_round_up(n / 2, job->isa->lanes);
        else if (m > 1)
            m = (m + 1) / 2;
        else
            kc = mik_max(kc / 2, 1);
        part.m1 = part.m0 + m;
        part.n1 = part.n0 + n;
        mik_f32_blocks(job->isa, &job->shape, &job->plan, &part);
    }
    for (part.m0 = r->m0; part.m0 < r->m1; part.m0 = part.m1)
        for (part.n0 = r->n0; part.n0 < r->n1; part.n0 = part.n1) {
            part.m1 = mik_min(part.m0 + m, r->m1);
            part.n1 = mik_min(part.n0 + n, r->n1);
            mik_f32_blocks(job->isa, &job->shape, &job->plan, &part);
            mik_f32_batches(job, &part, kc, batch, end, room);
        }
}

#if MIK_TRACE
/* The kernel of a region under a plan: the symbol of that of its first tile, or what it is; text in `room`. */
static const char *mik_f32_kernel_text(const mik_f32_job *job, const mik_f32_region *r, char room[48])
{
    const int pattern = job->plan.pattern;
    const mik_f32_isa *isa = job->isa;
    const char *const how = pattern == 0                                           ? "inner products"
                            : pattern == MIK_F32_SWEEP && r->main == MIK_F32_TABLE ? "row after row of B"
                            : pattern == MIK_F32_SHALLOW                           ? "few steps"
                                                                                   : NULL;
    const mik_f32_variant *v = how ? NULL : isa->variants + mik_f32_first_kernel(isa, job->plan.regime, r);
    if (how)
        snprintf(room, 48, "f32 %s %s", isa->name, how);
    else
        snprintf(room, 48, "mik_f32_%dx%d_%s%s", v->mr, v->nv * isa->lanes, isa->name, pattern == MIK_F32_SWEEP ? ", sweeps" : "");
    return room;
}

/* Tells that worker w has done some outputs of several batches, over the steps from k0 on, by a kernel; or all of a product. */
static void mik_f32_tell(const mik_f32_operation *op, const mikgen_options *opt, int w, const char *what, const char *kernel, int64_t batch,
                         int64_t end, const mik_f32_region *r, int64_t k0, int64_t kc, int transposed, uint64_t begin)
{
    mikgen_trace_event e = {
        .op = op->name, .stage = op->stage, .what = what, .kernel = kernel, .k0 = k0, .k1 = k0 + mik_max(kc, 0), .begin = begin};
    e.b0 = op->from_batch + batch;
    e.b1 = op->from_batch + end;
    transposed = transposed || mik_f32_is_turned(op);
    e.m0 = op->from_row + (transposed ? r->n0 : r->m0);
    e.m1 = op->from_row + (transposed ? r->n1 : r->m1);
    e.n0 = transposed ? r->m0 : r->n0;
    e.n1 = transposed ? r->m1 : r->n1;
    mik_trace_end(opt, w, &e);
}

/* The same of all of p. */
static void mik_f32_tell_all(const mik_f32_operation *op, const mikgen_options *opt, const mik_problem *p, const char *what,
                             const char *kernel, uint64_t begin)
{
    const mik_f32_region all = {.m1 = p->m, .n1 = p->n};
    mik_f32_tell(op, opt, 0, what, kernel, 0, p->batch, &all, 0, p->k, 0, begin);
}

#endif
/* One region for several batches, where its workspace is: worker w's slice, the stack, or memory of its own. */
static void mik_f32_run_region(const mik_f32_job *job, const mik_f32_region *r, int64_t batch, int64_t end, int w)
{
    const size_t need = mik_f32_need(job, r, job->plan.kc);
#if MIK_TRACE
    const uint64_t begin = mik_trace_begin(job->opt);
    mik_f32_region own = *r;
    own.worker = w;
    r = &own;
#endif
    if (need == 0) {
        mik_f32_batches(job, r, job->plan.kc, batch, end, NULL);
    } else if (need <= job->slice) {
        mik_f32_batches(job, r, job->plan.kc, batch, end, job->workspace + (size_t)w * job->slice);
    } else {
        char *room = need > MIK_STACK_BYTES ? malloc(need) : NULL;
        if (room)
            mik_f32_batches(job, r, job->plan.kc, batch, end, room);
        else
            mik_f32_on_stack(job, r, job->plan.kc, batch, end);
        free(room);
    }
#if MIK_TRACE
    char room[48];
    if (begin)
        mik_f32_tell(job->op, job->opt, w, "region", mik_f32_kernel_text(job, r, room), batch, end, r, job->k_from, job->p.k,
                     job->transposed, begin);
#endif
}

/* Worker w of a call. */
static void mik_f32_work(void *arg, int w)
{
    const mik_f32_job *job = arg;
    if (job->tasks == 0) {
        const int64_t each = job->p.batch / job->plan.workers, more = job->p.batch % job->plan.workers;
        const int64_t batch = each * w + mik_min(w, more), end = batch + each + (w < more);
        for (int i = 0; i < job->count; i++)
            mik_f32_run_region(job, job->regions + i, batch, end, w);
        return;
    }
    for (int64_t t = 0; t < job->tasks; t++) {
        mik_f32_region r;
        int64_t batch;
        if (job->owner[t] != w || !mik_f32_task_at(job->isa, &job->plan, job->regions, t, &r, &batch))
            continue;
        mik_f32_blocks(job->isa, &job->shape, &job->plan, &r);
        mik_f32_run_region(job, &r, batch, batch + 1, w);
    }
}
