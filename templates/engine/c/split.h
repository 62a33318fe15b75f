/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Sums cut along k: each worker has a part of k and sums of its own. The parts' sums are added as a tree whose shape depends on
 * their number alone, so results do not depend on who was ready when; then they are stored, added to the output or handed to the
 * epilogue.
 */
#pragma once
#include "job.h"

static size_t mik_f32_parts_bytes(const mik_f32_job *job)
{
    const size_t each = (size_t)(job->p.m * job->p.n) * sizeof(mik_f32_acc);
    return job->plan.splits > 1 ? (each * job->plan.splits + 127) / 64 * 64 : 0;
}

/* Worker w: the sums over its part of k. Parts begin at multiples of 8, so that pairs and fours of steps stay together. */
static void mik_f32_work_part(void *arg, int w)
{
    const mik_f32_job *whole = arg;
    mik_f32_job part = *whole;
    mik_f32_operation store = *whole->op;
    const int64_t eights = whole->p.k / 8, end = w + 1 < whole->plan.splits ? eights * (w + 1) / whole->plan.splits * 8 : whole->p.k;
    store.kind = MIK_STORE;
    part.op = &store;
    part.k_from = eights * w / whole->plan.splits * 8;
    part.p.k = end - part.k_from;
    part.p.c_m = part.p.n;
    part.p.c_n = 1;
    part.p.c_direct = 1;
    part.parts = whole->parts + w * part.p.m * part.p.n;
    for (int i = 0; i < part.count; i++)
        mik_f32_run_region(&part, part.regions + i, 0, 1, w);
}

/* The sums are in the first part: finishes them. */
static void mik_f32_end_parts(const mik_f32_job *job)
{
    mik_f32_block x;
    memset(&x, 0, sizeof x);
    x.op = job->op;
    x.s = job->s;
    x.tiling.isa = job->isa;
    x.c = x.op->kind == MIK_GENERAL ? NULL : x.op->c(x.s, 0);
    x.c_m = job->p.c_m;
    x.c_n = job->p.c_n;
#if MIK_F32_FLIPS_ROW
    x.transposed = job->transposed;
#endif
    mik_f32_finish(&x, 0, job->p.m, 0, job->p.n, job->parts, job->p.n);
}

/* Runs the call in parts; without memory for their sums, as one. */
static void mik_f32_run_splits(mik_f32_job *job)
{
    const int64_t size = job->p.m * job->p.n, parts = job->plan.splits;
    const size_t bytes = mik_f32_parts_bytes(job);
    char *own = NULL, *room = job->workspace;
    if (room && job->opt->workspace_bytes >= bytes) {
        job->workspace += bytes;
        job->slice = (job->opt->workspace_bytes - bytes) / job->plan.workers / 64 * 64;
    } else {
        room = own = malloc(bytes);
    }
    if (!room) {
        job->plan.splits = job->plan.workers = 1;
        mik_f32_work(job, 0);
        return;
    }
    job->parts = (mik_f32_acc *)(void *)(room + (64 - (uintptr_t)room % 64) % 64);
    mik_parallel(job->opt, (int)parts, mik_f32_work_part, job);
#if MIK_TRACE
    const uint64_t begin = mik_trace_begin(job->opt);
#endif
    for (int64_t gap = 1; gap < parts; gap *= 2)
        for (int64_t i = 0; i + gap < parts; i += 2 * gap)
            for (int64_t j = 0; j < size; j++)
#if MIK_F32_INTEGERS
                /* A part may leave the range where the whole does not. */
                job->parts[i * size + j] = (int32_t)((uint32_t)job->parts[i * size + j] + (uint32_t)job->parts[(i + gap) * size + j]);
#else
                job->parts[i * size + j] += job->parts[(i + gap) * size + j];
#endif
    mik_f32_end_parts(job);
#if MIK_TRACE
    const mik_f32_region all = {.m1 = job->p.m, .n1 = job->p.n};
    if (begin)
        mik_f32_tell(job->op, job->opt, 0, "sums", NULL, 0, 1, &all, 0, job->p.k, job->transposed, begin);
#endif
    free(own);
}
