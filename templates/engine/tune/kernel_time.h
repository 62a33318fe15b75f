/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Timing the micro-kernels of one family in the emitted file's own loops.

   A pipelined task of t steps is a tile of a product of moderate size, all of whose tiles one kernel computes: A and B are near and,
   where they can be, in place; C is written once for each block of k. Rows begin anywhere in a cache line, as those of most matrices
   do. (Rows that share the sets of a cache have prices of their own, conflict and conflict_a.) */
#pragma once
#include "clock.h"
#include "room.h"
#include "../c/call.h"

enum { TUNE_F32_ROWS = 112, TUNE_F32_ROW_BYTES = 6400, TUNE_F32_UNIT = MIK_F32_UNIT };

/* Operands count as packed already. */
static void tune_f32_packed(const void *s, int isa, int64_t batch, int64_t from, int64_t count, int64_t k0, int64_t kc, int64_t side,
                            mik_f32_panel *dst)
{
    (void)s, (void)isa, (void)batch, (void)from, (void)count, (void)k0, (void)kc, (void)side, (void)dst;
}

static const mik_f32_operation tune_f32_operation = {.pack_a = tune_f32_packed, .pack_b = tune_f32_packed, .kind = MIK_STORE};

/* A product all of whose tiles one kernel computes. */
typedef struct {
    mik_f32_block x;
    const mik_f32_variant *kernel;
} tune_f32_job;

/* rows x columns outputs for variant v, operands in place where the family's may be, else packed. Rows are whole tiles, columns become
   whole strips. */
static void tune_f32_prepare(tune_f32_job *job, const mik_f32_isa *isa, int v, int64_t steps, int64_t rows, int64_t columns)
{
    mik_f32_shape shape;
    mik_f32_plan plan;
    const int64_t size = sizeof(mik_f32_panel), strip = (int64_t)isa->variants[v].nv * isa->lanes;
    const int64_t deep = mik_round_up(steps, TUNE_F32_UNIT) + MIK_F32_HEAD;
    memset(job, 0, sizeof *job);
    memset(&shape, 0, sizeof shape);
    memset(&plan, 0, sizeof plan);
    mik_f32_block *x = &job->x;
    job->kernel = isa->variants + v;
    shape.m = x->r.m1 = rows;
    shape.n = x->r.n1 = columns = mik_max(columns / strip, 1) * strip;
    shape.k = x->k = steps;
    plan.pattern = 1;
    plan.kc = (int32_t)(x->kc = mik_f32_depth(isa, &shape, isa->move.kc));
    plan.regime = mik_min(steps, x->kc) >= MIK_F32_COVER_STEPS ? 1 : 0;
    x->r.main = v, x->r.uniform = 1;
    mik_f32_blocks(isa, &shape, &plan, &x->r);
    x->op = &tune_f32_operation;
    x->tiling = mik_f32_tiling_of(isa, plan.regime, v, 1, rows);
    x->a_m = mik_round_up(steps, 16) + 5;
    x->b_k = x->c_m = columns + 5;
    x->a_k = x->b_n = x->c_n = 1;
    x->c = tune_keep(TUNE_C, (size_t)(rows * x->c_m) * sizeof(mik_f32_acc) + 4096);
    x->room_a = tune_keep(TUNE_A, (size_t)(rows * mik_max(x->a_m, deep) * size));
    x->room_b = tune_keep(TUNE_B, (size_t)(deep * x->b_k * size) + 4096);
#if MIK_F32_UNIT == 1
    x->a = x->room_a, x->b = x->room_b;
#else
    x->r.pack_a = x->r.pack_b = 1;
#endif
}

static void tune_f32_pass(void *job) { mik_f32_run_tiles(&((tune_f32_job *)job)->x); }

/* Where B and C begin in a page, in bytes: what a program meets. A load waits for a store whose address
   has the same place in another page, so some places are slow, and some kernels care more than others. */
static const struct {
    int b, c;
} tune_f32_layouts[] = {{16, 16}, {1040, 2704}, {64, 128}, {2064, 3152}};
enum { TUNE_F32_LAYOUTS = sizeof tune_f32_layouts / sizeof *tune_f32_layouts };

static void tune_f32_all_passes(void *jobs)
{
    for (int i = 0; i < TUNE_F32_LAYOUTS; i++)
        tune_f32_pass((tune_f32_job *)jobs + i);
}

/* Nanoseconds of a task of `steps` steps. B is a good part of what a near matrix may be, but not wider than is useful. */
static double tune_f32_kernel(const mik_f32_isa *isa, int v, int64_t steps)
{
    const int64_t size = sizeof(mik_f32_panel), mr = isa->variants[v].mr, outputs = mr * isa->variants[v].nv * isa->lanes;
    const int64_t near = isa->move.near_bytes / 2 / size / mik_max(steps, 1);
    const int64_t rows = mik_max((steps > 1024 ? TUNE_F32_ROWS / 4 : TUNE_F32_ROWS) / mr, 1) * mr;
    tune_f32_job jobs[TUNE_F32_LAYOUTS];
    for (int i = 0; i < 2 * TUNE_F32_LAYOUTS; i++) { /* twice, because the first time rooms move as they grow */
        tune_f32_job *job = jobs + i % TUNE_F32_LAYOUTS;
        tune_f32_prepare(job, isa, v, steps, rows, mik_min(near, TUNE_F32_ROW_BYTES / size));
        job->x.c += tune_f32_layouts[i % TUNE_F32_LAYOUTS].c / (int64_t)sizeof *job->x.c;
#if MIK_F32_UNIT == 1
        job->x.b += tune_f32_layouts[i % TUNE_F32_LAYOUTS].b / (int64_t)sizeof *job->x.b;
#endif
    }
    return tune_time(tune_f32_all_passes, jobs) * (double)outputs / (double)(TUNE_F32_LAYOUTS * rows * jobs[0].x.r.n1);
}
