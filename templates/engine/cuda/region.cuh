/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Regions of the output, and kernels that are enqueued for them. */
#pragma once
#include "cost.cuh"
#if MIK_TMA
#include "tensor_map.cuh"
#endif

/* The region of rows m0 to m1 and columns n0 to n1 of `batch` batches as `blocks` blocks of v, 0: one for each tile. */
static mik_region mik_make_region(const mik_variant *v, int64_t batch, int64_t k, int64_t m0, int64_t m1, int64_t n0, int64_t n1,
                                  int64_t blocks)
{
    mik_region r = {};
    r.m0 = m0;
    r.m1 = m1;
    r.n0 = n0;
    r.n1 = n1;
    r.m_tiles = mik_ceil(m1 - m0, v->m);
    r.n_tiles = mik_ceil(n1 - n0, v->n);
    r.tiles = batch * r.m_tiles * r.n_tiles;
    r.steps = mik_steps(v, k);
    const mik_deal deal = mik_deal_out(r.tiles, r.steps, blocks);
    r.share = deal.share;
    r.parts = deal.parts > 1 ? deal.parts : 1;
    r.missing = deal.parts > 1 ? deal.parts * deal.share - r.steps : 0;
    r.blocks = deal.blocks;
    return r;
}

static cudaError_t mik_enqueue(const void *kernel, int64_t blocks, int threads, int shared, const void *args, mik_work *w,
                               cudaStream_t stream)
{
    void *params[2] = {(void *)args, w};
    return cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3((unsigned)threads), params, (size_t)shared, stream);
}

/* What a call has at hand besides its arguments: where partial sums go, and what tensor maps say of A and B. */
typedef struct {
    unsigned *arrived; /* MIK_ARRIVED bytes */
    char *partial;
    size_t bytes; /* of both */
    int clean;    /* all of `arrived` is zero */
#if MIK_TMA
    mik_lines lines[3]; /* of A, B, outputs */
    int follows;        /* a kernel of this call is the last that was enqueued */
#endif
} mik_scratch;

static mik_scratch mik_scratch_of(const mikgen_cuda_options *opt)
{
    mik_scratch s = {};
    s.arrived = (unsigned *)opt->workspace;
    s.partial = (char *)opt->workspace + MIK_ARRIVED;
    s.bytes = opt->workspace_bytes;
    s.clean = opt->workspace_clean;
    return s;
}
