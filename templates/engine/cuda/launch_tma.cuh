/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Launches of kernels that read A and B through tensor maps, and may store outputs through one. */
#pragma once
#include "region.cuh"

/* Starts a kernel that reads A and B through tensor maps, for the blocks (clusters) of w's regions: at most as many as run at a time,
   with `resident` blocks on a multiprocessor. v tells the boxes of its maps. early: as mik_start has it. */
static cudaError_t mik_enqueue_tma(const void *kernel, const mik_variant *v, int shared, int resident, const void *args, mik_work *w,
                                   const mik_request *q, const mik_lines *lines, int early, cudaStream_t stream)
{
    alignas(128) CUtensorMap maps[3] = {}; /* as CUDA 13 declares them; before, 64 was enough */
    const int64_t slots = mik_slots(v, &q->d, resident) / v->turns, spans = w->region[0].blocks + w->region[1].blocks;
    const int64_t blocks = (spans < slots ? spans : slots) * v->cluster;
    w->a_batched = lines[0].batch > 0;
    w->b_batched = lines[1].batch > 0;
    const int a_lines = v->beside ? v->m / 2 : v->m; /* blocks fetch half of a box each */
    cudaError_t error = lines[0].base ? mik_make_map(&maps[0], &lines[0], a_lines < 64 ? a_lines : 64) : cudaSuccess; /* else gathered */
    if (error == cudaSuccess && lines[1].base)
        error = mik_make_map(&maps[1], &lines[1], v->n < 64 ? v->n : 64);
    if (error == cudaSuccess && lines[2].base && v->box > 0) {
        error = mik_make_map(&maps[2], &lines[2], v->box);
        w->c_mapped = 1;
        w->c_batched = lines[2].batch > 0;
    }
    void *params[5] = {(void *)args, w, &maps[0], &maps[1], &maps[2]};
    return error != cudaSuccess ? error : mik_start(kernel, blocks, v->threads, params, shared, early, stream);
}

/* Runs v, which reads A and B through tensor maps. */
static cudaError_t mik_launch_tma(const mik_variant *v, const void *args, const mik_request *q, int64_t m0, int64_t m1, int64_t n0,
                                  int64_t n1, int64_t blocks, const mik_scratch *scratch, cudaStream_t stream)
{
    mik_work w = {};
    mik_region *const r = &w.region[0];
    w.p = q->p;
    *r = mik_make_region(v, q->p.batch, q->p.k, m0, m1, n0, n1, blocks);
    r->b0 = q->p.member;
    r->arrived = scratch->arrived;
    r->partial = scratch->partial;
    const int clear = r->share % r->steps != 0 && !scratch->clean;
    const cudaError_t error = clear ? cudaMemsetAsync(scratch->arrived, 0, (size_t)(r->tiles * v->cluster) * 4, stream) : cudaSuccess;
    return error != cudaSuccess ? error
                                : mik_enqueue_tma(v->kernel, v, v->shared, mik_resident(v, &q->d), args, &w, q, scratch->lines,
                                                  scratch->follows && !clear, stream);
}
