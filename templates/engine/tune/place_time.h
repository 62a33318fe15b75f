/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Operands far away against near ones, and packing, for families whose operands can lie in place.

   The matrix is larger than the second-level cache. Rows of a "far" one begin at ever other places of the cache, those of one in
   "conflict" a multiple of 4096 bytes apart. */
#pragma once
#include "kernel_time.h"

enum { TUNE_F32_WIDTH = 16384 / sizeof(mik_f32_acc), TUNE_F32_SKEW = 320 / sizeof(mik_f32_acc), TUNE_F32_PASSES = 8 };

typedef struct {
    tune_f32_job job;
    mik_f32_acc *matrix;                /* rows of WIDTH elements, `stride` apart */
    int64_t stride, at, next, end;    /* at: the next strip or block of it, `next` elements wide, up to `end` */
    int64_t strip, width;             /* of B: columns of a strip; of what is packed at a time */
} tune_f32_place;

static void tune_f32_advance(tune_f32_place *x) { x->at = x->at + 2 * x->next > x->end ? 0 : x->at + x->next; }

/* A strip of B and PASSES tiles below each other; then the next strip. */
static void tune_f32_passes_of_b(void *arg)
{
    tune_f32_place *x = arg;
    x->job.x.b = x->matrix + x->at;
    tune_f32_pass(&x->job);
    tune_f32_advance(x);
}

/* A block of A under PASSES strips; then the next block. */
static void tune_f32_passes_of_a(void *arg)
{
    tune_f32_place *x = arg;
    x->job.x.a = x->matrix + x->at;
    tune_f32_pass(&x->job);
    tune_f32_advance(x);
}

static void tune_f32_fill_b(void *arg)
{
    tune_f32_place *x = arg;
    mik_f32_pack_b(x->matrix + x->at, x->stride, 1, x->job.x.kc, x->width, x->strip, MIK_F32_ALONG, x->job.x.room_b);
    tune_f32_advance(x);
}

static void tune_f32_fill_a(void *arg)
{
    tune_f32_place *x = arg;
    mik_f32_pack_a(x->matrix + x->at, x->stride, 1, x->job.x.r.m1, x->job.x.kc, x->job.kernel->mr, x->job.x.room_a);
    tune_f32_advance(x);
}

static void tune_f32_fill_columns(void *arg)
{
    tune_f32_place *x = arg;
    mik_f32_pack_b(x->job.x.room_b, TUNE_F32_PASSES, 1, x->job.x.kc, TUNE_F32_PASSES, 1, MIK_F32_ALONG, x->job.x.room_a);
}

/* Nanoseconds: "b HOW" per vector of B and pass, "a HOW" per element of A and pass, "pack" (B), "gather" (A)
   and "column" (a B of few columns) per element. HOW is near, far or conflict. */
static double tune_f32_placed(const mik_f32_isa *isa, int v, const char *what, const char *how)
{
    const mik_f32_variant *kernel = isa->variants + v;
    const int64_t kc = isa->move.kc, of_b = strcmp(what, "b") == 0, is_near = strcmp(how, "near") == 0;
    tune_f32_place x;
    memset(&x, 0, sizeof x);
    const int64_t size = sizeof(mik_f32_acc), strip = x.strip = (int64_t)kernel->nv * isa->lanes;
    const int64_t rows = of_b ? TUNE_F32_PASSES * kernel->mr : mik_max(isa->move.l2_bytes / (kc * size) / kernel->mr, 1) * kernel->mr;
    tune_f32_prepare(&x.job, isa, v, kc, rows, of_b ? strip : TUNE_F32_PASSES * strip);
    x.stride = TUNE_F32_WIDTH + (strcmp(how, "conflict") == 0 ? 0 : TUNE_F32_SKEW);
    x.matrix = tune_keep(TUNE_MATRIX, (size_t)(mik_max(rows, kc) * (TUNE_F32_WIDTH + TUNE_F32_SKEW) * size));
    x.next = of_b ? strip : kc;
    x.end = is_near ? x.next : TUNE_F32_WIDTH;
    if (of_b) {
        x.matrix = is_near ? x.job.x.room_b : x.matrix;
        x.job.x.b_k = is_near ? x.job.x.b_k : x.stride;
        return tune_time(tune_f32_passes_of_b, &x) / (double)(TUNE_F32_PASSES * kc * kernel->nv);
    }
    if (strcmp(what, "a") == 0) {
        x.matrix = is_near ? x.job.x.room_a : x.matrix;
        x.job.x.a_m = is_near ? x.job.x.a_m : x.stride;
        return tune_time(tune_f32_passes_of_a, &x) / (double)(TUNE_F32_PASSES * kc * rows);
    }
    if (strcmp(what, "pack") == 0) {
        x.width = x.next = mik_min(mik_max(isa->move.l3_bytes / (kc * size) / strip, 1) * strip, x.end);
        x.job.x.room_b = tune_keep(TUNE_PANELS, (size_t)(kc * mik_round_up(x.width, strip) * size));
        return tune_time(tune_f32_fill_b, &x) / (double)(kc * x.width);
    }
    if (strcmp(what, "column") == 0) {
        x.job.x.room_b = tune_keep(TUNE_B, (size_t)(kc * TUNE_F32_PASSES * size));
        x.job.x.room_a = tune_keep(TUNE_A, (size_t)(kc * TUNE_F32_PASSES * size));
        return tune_time(tune_f32_fill_columns, &x) / (double)(kc * TUNE_F32_PASSES);
    }
    return tune_time(tune_f32_fill_a, &x) / (double)(kc * rows);
}
