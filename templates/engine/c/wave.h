/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Nests in waves: each does a few rows as soon as those before it are as far ahead as it needs, so that rows are still in a cache.
 * Several threads have row tiles, in which every nest leaves out the rows that depend on another tile; these come after all
 * blocks (split tiling: Grosser et al., "Split tiling for GPUs", GPGPU 2013).
 */
#pragma once
#include "loop_tasks.h"

#ifndef MIK_WAVE_BYTES
#define MIK_WAVE_BYTES 1e6 /* of all rows, up to which nests run one after the other: they stay in a core's cache */
#endif
#ifndef MIK_WAVE_PART
#define MIK_WAVE_PART 256e3 /* bytes that a nest goes over at a time */
#endif
/* Bytes that a wave is long, and steps in it, at most. All of these are measured with 1 and 32 MB of cache, by bench/nests.sh. */
#define MIK_WAVE_CACHE 8e6
#define MIK_WAVE_STEPS 16

typedef struct {
    mik_loop_part *part;
    mik_piece all;               /* its iterations */
    double nanoseconds;
    int64_t row, rows, per_row;  /* the first row, how many, iterations for each */
    int64_t behind, ahead;       /* rows that it stays behind the first nest; that its first row is ahead of a block's first */
    int alone;                   /* no other nest and no other step touches what it stores */
} mik_wave_stage;

typedef struct {
    const mik_wave_stage *stage;
    int stages;
    int64_t steps;               /* all stages run so often */
    int64_t apart;               /* rows that each step stays behind the one before */
    int64_t onward;              /* rows that its first one in a block is ahead of that's; -1: there may be no blocks */
    double row_bytes;
    void (*set_step)(void *args, int64_t step); /* NULL: no stage asks */
    void (*task)(void *arg, int i);             /* mik_wave_task() with arguments of its own */
} mik_wave;

typedef struct {
    const mik_wave *w;
    void *args;
    int64_t first, last;         /* rows of all stages */
    int64_t step, at_once, height;
    int blocks, between;         /* between: rows that depend on two blocks */
#if MIK_TRACE
    const mikgen_options *opt;
#endif
} mik_wave_job;

#if MIK_TRACE
static void mik_wave_rows(const mik_wave_stage *s, const void *args, int64_t from, int64_t to, const mikgen_options *opt, int w)
#else
static void mik_wave_rows(const mik_wave_stage *s, const void *args, int64_t from, int64_t to)
#endif
{
    mik_piece piece = s->all;
    from = from > s->row ? from - s->row : 0;
    to = to - s->row < s->rows ? to - s->row : s->rows;
    if (from >= to)
        return;
    piece.begin = from * s->per_row;
    piece.end = to * s->per_row;
    piece.non_temporal = piece.non_temporal && s->alone;
#if MIK_TRACE
    mik_told_piece(s->part, args, &piece, opt, w);
#else
    s->part(args, &piece);
#endif
}

static void mik_wave_step(const mik_wave *w, void *args, int64_t step)
{
    if (w->set_step)
        w->set_step(args, step);
}

/* Where block i begins; the first one and the last have no end at that side. */
static int64_t mik_wave_cut(const mik_wave_job *j, int i)
{
    return i == 0 ? INT64_MIN / 2 : i == j->blocks ? INT64_MAX / 2 : j->first + mik_cut(j->last - j->first, j->blocks, i);
}

static void mik_wave_block(const mik_wave_job *j, void *args, int i)
{
    const mik_wave *w = j->w;
    const int64_t low = mik_wave_cut(j, i), high = mik_wave_cut(j, i + 1);
    const int64_t all = j->last + (j->at_once - 1) * w->apart + w->stage[w->stages - 1].behind, end = all < high ? all : high;
    for (int64_t front = low > j->first ? low : j->first; front < end; front += j->height)
        for (int64_t s = 0; s < j->at_once; s++) {
            mik_wave_step(w, args, j->step + s);
            for (int k = 0; k < w->stages; k++) {
                const mik_wave_stage *stage = &w->stage[k];
                const int64_t behind = s * w->apart + stage->behind, least = low + s * w->onward + stage->ahead;
                const int64_t from = front - behind, to = (front + j->height < high ? front + j->height : high) - behind;
#if MIK_TRACE
                mik_wave_rows(stage, args, from > least ? from : least, to, j->opt, i);
#else
                mik_wave_rows(stage, args, from > least ? from : least, to);
#endif
            }
        }
}

/* What blocks i and i + 1 have left out where they meet. */
static void mik_wave_between(const mik_wave_job *j, void *args, int i)
{
    const mik_wave *w = j->w;
    const int64_t cut = mik_wave_cut(j, i + 1);
    for (int64_t s = 0; s < j->at_once; s++) {
        mik_wave_step(w, args, j->step + s);
        for (int k = 0; k < w->stages; k++) {
            const mik_wave_stage *stage = &w->stage[k];
#if MIK_TRACE
            mik_wave_rows(stage, args, cut - s * w->apart - stage->behind, cut + s * w->onward + stage->ahead, j->opt, i);
#else
            mik_wave_rows(stage, args, cut - s * w->apart - stage->behind, cut + s * w->onward + stage->ahead);
#endif
        }
    }
}

static void mik_wave_task(const mik_wave_job *j, void *args, int i) { (j->between ? mik_wave_between : mik_wave_block)(j, args, i); }

static void mik_one_by_one(const mik_wave *w, void *args, const mikgen_options *opt)
{
    for (int64_t s = 0; s < w->steps; s++) {
        mik_wave_step(w, args, s);
        for (int k = 0; k < w->stages; k++)
            if (w->stage[k].rows > 0)
#if MIK_WITH_TASKS
                mik_run_loops(w->stage[k].part, args, &w->stage[k].all, w->stage[k].nanoseconds, 1, opt);
#else
                mik_run_loops(w->stage[k].part, args, &w->stage[k].all, w->stage[k].nanoseconds, opt);
#endif
    }
}

/* How many rows and steps at a time, and blocks; false where one after the other is better. */
static int mik_wave_plan(mik_wave_job *j, const mikgen_options *opt)
{
    const mik_wave *w = j->w;
    const int64_t rows = j->last - j->first, behind = w->stage[w->stages - 1].behind, ahead = w->stage[w->stages - 1].ahead;
    if ((double)rows * w->row_bytes <= MIK_WAVE_BYTES)
        return 0;
    const int64_t part = (int64_t)(MIK_WAVE_PART / (w->row_bytes + 1));
    const int64_t left = (int64_t)(MIK_WAVE_CACHE / (w->row_bytes + 1));
    double nanoseconds = 0;
    j->height = part < 1 ? 1 : part < 4 ? part : part / 4 * 4;
    j->at_once = w->apart ? (left - j->height - behind) / w->apart : MIK_WAVE_STEPS;
    j->at_once = j->at_once < 1 ? 1 : j->at_once < MIK_WAVE_STEPS ? j->at_once : MIK_WAVE_STEPS;
    j->at_once = j->at_once < w->steps ? j->at_once : w->steps;
    for (int k = 0; k < w->stages; k++)
        nanoseconds += w->stage[k].nanoseconds * (double)j->at_once;
    const int64_t tasks = mik_threads(opt) > nanoseconds / MIK_LOOP_TASK_NS ? (int64_t)(nanoseconds / MIK_LOOP_TASK_NS) : mik_threads(opt);
    if (tasks <= 1)
        return 1;
    /* No more than half of a block may be left out. */
    j->blocks = (int)(tasks < rows ? tasks : rows);
    const int64_t most = rows / j->blocks / 2 - behind - ahead, each = w->apart + w->onward;
    if (w->onward < 0 || most < 0)
        return 0;
    if (each > 0 && j->at_once > most / each + 1)
        j->at_once = most / each + 1;
    return 1;
}

/* Results are those of one stage after the other. */
#if MIK_TRACE
static int mik_run_untold_wave(const mik_wave *w, void *args, const mikgen_options *opt)
#else
static int mik_run_wave(const mik_wave *w, void *args, const mikgen_options *opt)
#endif
{
    mik_wave_job j = {.w = w, .args = args, .first = INT64_MAX, .last = INT64_MIN, .blocks = 1};
#if MIK_TRACE
    j.opt = opt;
#endif
    for (int k = 0; k < w->stages; k++) {
        const mik_wave_stage *s = &w->stage[k];
        if (!s->all.isa)
            return MIKGEN_UNSUPPORTED;
        if (s->rows > 0) {
            j.first = s->row < j.first ? s->row : j.first;
            j.last = s->row + s->rows > j.last ? s->row + s->rows : j.last;
        }
    }
    if (j.first >= j.last || w->steps <= 0)
        return MIKGEN_OK;
#if MIK_DRAWS
    const int together = mik_wave_plan(&j, opt);
    printf(", \"rows\": %lld, \"steps\": %lld, \"together\": %s, \"height\": %lld, \"at_once\": %lld, \"blocks\": %d",
           (long long)(j.last - j.first), (long long)w->steps, together ? "true" : "false", (long long)j.height, (long long)j.at_once,
           j.blocks);
    return MIKGEN_OK;
#endif
    if (!mik_wave_plan(&j, opt)) {
        mik_one_by_one(w, args, opt);
        return MIKGEN_OK;
    }
    for (const int64_t at_once = j.at_once; j.step < w->steps; j.step += at_once) {
        j.at_once = w->steps - j.step < at_once ? w->steps - j.step : at_once;
        for (j.between = 0; j.between < 2; j.between++)
            mik_parallel(opt, j.blocks - j.between, w->task, &j);
    }
    return MIKGEN_OK;
}
#if MIK_TRACE

/* The same, telling of all of it, too. */
static int mik_run_wave(const mik_wave *w, void *args, const mik_loop_names *names, const mikgen_options *opt)
{
    mikgen_trace_event e = {.op = names->op, .stage = names->stage, .what = "waves", .b1 = w->steps};
    e.begin = mik_trace_begin(opt);
    const int status = mik_run_untold_wave(w, args, opt);
    if (e.begin && w->steps > 0)
        mik_trace_end(opt, 0, &e);
    return status;
}
#endif
