/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Stages that hand arrays on row by row are row-tiled, each block through all of them, so that the rows are still in a cache; of
 * arrays that nothing else touches, windows, there are only a block's rows. Rows that the neighbours of a block want, too, are computed
 * for each.
 */
#pragma once
#include "block_rows.h"
#include "loop_tasks.h"

#ifndef MIK_CHAIN_BYTES
#define MIK_CHAIN_BYTES 1e6 /* of all rows of the windows, up to which stages run one after the other: they stay in a core's cache */
#endif
#ifndef MIK_CHAIN_PART
#define MIK_CHAIN_PART 512e3 /* bytes of a block's rows of them: half of a core's cache */
#endif
/* Bytes that the last cache holds; bytes a nanosecond from there and from memory. What multiply-adds read again comes along with them
   if half of it lies there. Measured on a Zen 4 with 32 MB. */
#define MIK_CHAIN_LAST   32e6
#define MIK_CHAIN_NEAR   28.0
#define MIK_CHAIN_FAR    14.0
#define MIK_CHAIN_HIDDEN 200.0
#define MIK_CHAIN_EARLY  64 /* rows of a block of products that end early, at least: fewer are slow. Measured on a Zen 3 */
#ifndef MIK_CHAIN_ROWS
#define MIK_CHAIN_ROWS 4 /* of a block at least, as far as there are so many, unless one takes so many nanoseconds, as whole images do */
#endif
#define MIK_CHAIN_LONG 50e3
#define MIK_CHAIN_BUSY 0.75 /* of the threads must have a block; else, as for a single image, stages run one after the other */
enum { MIK_CHAIN_STAGES = 16 };

typedef struct {
    int64_t first, rows;         /* its first row, and how many, for each iteration of the loop around */
    int64_t before, after;       /* rows besides a block's that it computes */
    double nanoseconds;          /* of all of it, one thread */
    double again;                /* bytes that it reads again for each block */
} mik_chain_stage;

typedef struct {
    mik_chain_stage stage[MIK_CHAIN_STAGES];
    int stages;
    int64_t outer;               /* iterations of the loop around */
    double row_bytes, moved;     /* bytes of a row of all windows; those that all stages move of these */
    int early;                   /* products end early in the first rows: the smaller a block, the more it leaves out */
    /* Stage k in all its rows (r null), or what *r asks. */
    int (*run)(const void *args, int k, mik_rows *r, const mikgen_options *opt);
    /* Where windows lie, to *into: a block of `rows` rows from `row` on begins in `room`. Returns bytes; into null: nothing else. */
    int64_t (*place)(const void *args, void *into, char *room, int64_t outer, int64_t row, int64_t rows);
    void (*task)(void *arg, int i); /* mik_chain_task() with arguments of its own */
#if MIK_TRACE
    const mik_loop_names *names;
#endif
} mik_chain;

/* How a call runs its chain: rows of a block, 0: one stage after the other; bytes of room of each task; as mik_rows has it; tasks. */
typedef struct {
    int64_t rows, slice, serves;
    int tasks;
    char *room;
} mik_chain_plan;

typedef struct {
    const mik_chain *c;
    const mik_chain_plan *plan;
    const void *args;
    mikgen_options opt;          /* of one task */
    int64_t first, last;         /* rows of all stages */
} mik_chain_job;

static int64_t mik_chain_align(int64_t bytes) { return (bytes + 63) / 64 * 64; }

/* The room of a window from *room on, `bytes` a row: such an address that its row number `row` lies there. It is a number: before the
   room there is no array. */
static void *mik_window(char *room, int64_t *used, int64_t bytes, int64_t row, int64_t rows)
{
    const uintptr_t at = (uintptr_t)room + (uintptr_t)*used - (uintptr_t)row * (uintptr_t)bytes;
    *used += mik_chain_align(rows * bytes);
    return (void *)at;
}

#if MIK_WITH_NESTS
/* What *r asks of loops, whose rows are in `piece`. */
#if MIK_TRACE
static int mik_loop_rows(mik_loop_part *part, const void *args, const mik_rows *r, mik_piece piece, const mikgen_options *opt)
#else
static int mik_loop_rows(mik_loop_part *part, const void *args, const mik_rows *r, mik_piece piece)
#endif
{
    if (!piece.isa)
        return MIKGEN_UNSUPPORTED;
    if (r->what == MIK_ROWS)
#if MIK_TRACE
        mik_told_piece(part, args, &piece, opt, 0);
#else
        part(args, &piece);
#endif
    return MIKGEN_OK;
}

#endif
/* The rows of all stages; 0: there are none. */
static int mik_chain_range(const mik_chain *c, int64_t *first, int64_t *last)
{
    *first = INT64_MAX, *last = INT64_MIN;
    for (int k = 0; k < c->stages; k++)
        if (c->stage[k].rows > 0) {
            *first = c->stage[k].first < *first ? c->stage[k].first : *first;
            *last = c->stage[k].first + c->stage[k].rows > *last ? c->stage[k].first + c->stage[k].rows : *last;
        }
    return c->outer > 0 && *first < *last;
}

static mikgen_options mik_chain_options(const mikgen_options *opt)
{
    mikgen_options one = {0};
    if (opt)
        one.isa = opt->isa, one.plan = opt->plan, one.speeds = opt->speeds;
#if MIK_TRACE
    if (opt)
        one.trace = opt->trace, one.trace_ctx = opt->trace_ctx, one.trace_worker = opt->trace_worker;
#endif
    return one;
}

/* Bytes of a task's room; -1: the stages do not run by blocks. */
static int64_t mik_chain_slice(const mik_chain *c, const void *args, int64_t height, int64_t serves, const mikgen_options *opt)
{
    const mikgen_options one = mik_chain_options(opt);
    int64_t slice = c->place(args, NULL, NULL, 0, 0, height), most = 0;
    for (int k = 0; k < c->stages; k++) {
        mik_rows r = {MIK_ROOM, 0, 0, height + c->stage[k].before + c->stage[k].after, serves, NULL, 0, 0};
        if (c->run(args, k, &r, &one) != MIKGEN_OK)
            return -1;
        slice += mik_chain_align(r.packed_bytes);
        most = r.bytes > most ? r.bytes : most;
    }
    return slice + mik_chain_align(most);
}

/* Nanoseconds of a row: what all stages move of it to memory and back; what blocks of so many rows read again. */
static void mik_chain_costs(const mik_chain *c, double rows, int64_t height, double *moved, double *again)
{
    double bytes = 0;
    for (int k = 0; k < c->stages; k++)
        bytes += c->stage[k].again;
    *moved = c->moved / (rows * c->row_bytes > MIK_CHAIN_LAST ? MIK_CHAIN_FAR : MIK_CHAIN_NEAR);
    *again = bytes / (double)height / (2 * bytes > MIK_CHAIN_LAST ? MIK_CHAIN_NEAR : MIK_CHAIN_HIDDEN);
}

static int mik_chain_pays(const mik_chain *c, double rows, int64_t height)
{
    double moved, again;
    mik_chain_costs(c, rows, height, &moved, &again);
    if (MIK_CHAIN_BYTES < 0)
        return 1;
    return rows * c->row_bytes > MIK_CHAIN_BYTES && (double)height * c->row_bytes < MIK_CHAIN_LAST / 2 && again < moved;
}

static mik_chain_plan mik_plan_chain(const mik_chain *c, const void *args, const mikgen_options *opt)
{
    mik_chain_plan plan = {0, 0, 0, 1, NULL};
    int64_t first, last;
    double nanoseconds = 0;
    if (!mik_chain_range(c, &first, &last))
        return plan;
    const int64_t rows = last - first;
    int64_t height = (int64_t)(MIK_CHAIN_PART / (c->row_bytes + 1));
    for (int k = 0; k < c->stages; k++)
        nanoseconds += c->stage[k].nanoseconds;
    const double tasks = mik_threads(opt) < nanoseconds / MIK_LOOP_TASK_NS ? mik_threads(opt) : nanoseconds / MIK_LOOP_TASK_NS;
    const double each = (double)c->outer * (double)rows / (tasks > 1 ? tasks : 1);
    height = height < each ? height : (int64_t)each;
    if (c->early && height > rows / 8)
        height = rows / 8 > MIK_CHAIN_EARLY ? rows / 8 : height < MIK_CHAIN_EARLY ? height : MIK_CHAIN_EARLY;
    const int64_t least = nanoseconds > MIK_CHAIN_LONG * (double)c->outer * (double)rows ? 1 : MIK_CHAIN_ROWS;
    height = height > least ? height : least;
    height = height < rows ? height : rows;
    if (!mik_chain_pays(c, (double)c->outer * (double)rows, height))
        return plan;
    const int64_t blocks = (rows + height - 1) / height;
    if (MIK_CHAIN_BYTES >= 0 && (double)(c->outer * blocks) < MIK_CHAIN_BUSY * tasks)
        return plan;
    height = (rows + blocks - 1) / blocks;
    const int64_t serves = blocks == 1           ? 0
                           : (double)rows < each ? rows
                                                 : (int64_t)each,
                  slice = mik_chain_slice(c, args, height, serves, opt);
    if (slice < 0)
        return plan;
    plan.slice = slice;
    plan.serves = serves;
    plan.rows = height;
    plan.tasks = tasks < 1 ? 1 : tasks < (double)c->outer * (double)blocks ? (int)tasks : (int)(c->outer * blocks);
    return plan;
}

/* The stages in one block, whose windows are placed. */
static void mik_chain_block(const mik_chain *c, const void *args, mik_rows rows, char *const *packed, const mikgen_options *opt)
{
    for (int k = 0; k < c->stages; k++) {
        const mik_chain_stage *s = &c->stage[k];
        const int64_t from = rows.row - s->before > s->first ? rows.row - s->before : s->first;
        const int64_t end = rows.row + rows.rows + s->after, to = end < s->first + s->rows ? end : s->first + s->rows;
        mik_rows r = rows;
        r.row = from - s->first;
        r.rows = to - from;
        r.packed = packed[k];
        if (from < to)
            c->run(args, k, &r, opt);
    }
}

/* Gives the stages' packed operands room from `at` on. Returns its end. */
static char *mik_chain_packed(const mik_chain_job *j, const void *args, int64_t serves, char *at, char **packed)
{
    for (int k = 0; k < j->c->stages; k++) {
        mik_rows r = {MIK_ROOM, 0, 0, j->plan->rows, serves, NULL, 0, 0};
        j->c->run(args, k, &r, &j->opt);
        packed[k] = at;
        at += mik_chain_align(r.packed_bytes);
    }
    return at;
}

/* Blocks from number `block` to `end`, in a task's room. */
#if MIK_TRACE
static void mik_chain_blocks(const mik_chain_job *j, void *args, int64_t block, int64_t end, char *room, int w)
#else
static void mik_chain_blocks(const mik_chain_job *j, void *args, int64_t block, int64_t end, char *room)
#endif
{
    const mik_chain *c = j->c;
    const int64_t height = j->plan->rows, blocks = (j->last - j->first + height - 1) / height;
    const int64_t serves = j->plan->serves;
    char *packed[MIK_CHAIN_STAGES];
    char *const rest = mik_chain_packed(j, args, serves, room + c->place(args, NULL, NULL, 0, 0, height), packed);
    mikgen_options opt = j->opt;
    int64_t around = -1;
    opt.workspace = rest;
    opt.workspace_bytes = (size_t)(room + j->plan->slice - rest);
#if MIK_TRACE
    opt.trace_worker += mik_trace_offset(&opt, w);
#endif
    for (; block < end; block++) {
        const int64_t outer = block / blocks, row = j->first + block % blocks * height;
        const int64_t rows = height < j->last - row ? height : j->last - row;
        for (int k = 0; k < c->stages && outer != around; k++) {
            mik_rows r = {MIK_PACK, outer, 0, 0, serves, packed[k], 0, 0};
            c->run(args, k, &r, &opt);
        }
        around = outer;
#if MIK_TRACE
        mikgen_trace_event e = {
            .op = c->names->op, .stage = c->names->stage, .what = "block", .b0 = outer, .b1 = outer + 1, .m0 = row, .m1 = row + rows};
        e.begin = mik_trace_begin(&opt);
#endif
        c->place(args, args, room, outer, row, height);
        mik_chain_block(c, args, (mik_rows){MIK_ROWS, outer, row, rows, serves, NULL, 0, 0}, packed, &opt);
#if MIK_TRACE
        if (e.begin)
            mik_trace_end(&opt, 0, &e);
#endif
    }
}

static void mik_chain_task(const mik_chain_job *j, void *args, int i)
{
    const int64_t height = j->plan->rows, all = j->c->outer * ((j->last - j->first + height - 1) / height);
    const int tasks = j->plan->tasks;
    const float *speeds = j->opt.speeds;
    char none; /* where blocks take no room there may be none */
    mik_chain_blocks(j, args, mik_cut_by_speed(all, tasks, i, speeds), mik_cut_by_speed(all, tasks, i + 1, speeds),
#if MIK_TRACE
                     j->plan->slice > 0 ? j->plan->room + i * j->plan->slice : &none, i);
#else
                     j->plan->slice > 0 ? j->plan->room + i * j->plan->slice : &none);
#endif
}

#if MIK_TRACE
static int mik_run_untold_chain(const mik_chain *c, const mik_chain_plan *plan, const void *args, const mikgen_options *opt)
#else
static int mik_run_chain(const mik_chain *c, const mik_chain_plan *plan, const void *args, const mikgen_options *opt)
#endif
{
    mik_chain_job j = {.c = c, .plan = plan, .args = args, .opt = mik_chain_options(opt)};
    if (plan->rows > 0 && mik_chain_range(c, &j.first, &j.last)) {
        mik_parallel(opt, plan->tasks, c->task, &j);
        return MIKGEN_OK;
    }
    for (int k = 0, status; k < c->stages; k++)
        if ((status = c->run(args, k, NULL, opt)) != MIKGEN_OK)
            return status;
    return MIKGEN_OK;
}

#if MIK_TRACE
/* The same, telling of all of it, too. */
static int mik_run_chain(const mik_chain *c, const mik_chain_plan *plan, const void *args, const mikgen_options *opt)
{
    mikgen_trace_event e = {.op = c->names->op, .stage = c->names->stage, .what = "blocks", .b1 = c->outer};
    e.begin = mik_trace_begin(opt);
    const int status = mik_run_untold_chain(c, plan, args, opt);
    if (e.begin && c->outer > 0)
        mik_trace_end(opt, 0, &e);
    return status;
}

#endif
/* As snprintf: how the chain's plan came about. */
static int mik_chain_say(const mik_chain *c, const mik_chain_plan *plan, const char *what, char *buf, size_t size)
{
    int64_t first, last, height = (int64_t)(MIK_CHAIN_PART / (c->row_bytes + 1));
    double moved, again;
    if (!mik_chain_range(c, &first, &last))
        return snprintf(buf, size, "%s: no rows\n", what);
    height = plan->rows ? plan->rows : height > 0 ? height : 1;
    mik_chain_costs(c, (double)c->outer * (double)(last - first), height, &moved, &again);
    moved *= (double)c->outer * (double)(last - first) / 1000;
    again *= (double)c->outer * (double)(last - first) / 1000;
    if (plan->rows)
        return snprintf(buf, size, "%s: row-tiled by %lld rows in %d tasks: reading again takes %.0f us, whole arrays would take %.0f us\n",
                        what, (long long)plan->rows, plan->tasks, again, moved);
    return snprintf(buf, size, "%s: not row-tiled: whole arrays take %.0f us, reading again by tiles of %lld rows would take %.0f us\n",
                    what, moved, (long long)height, again);
}
