/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What a launch computes, as kernels and host see it. */
#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

/* A function of kernels, which becomes part of each. No file calls all of them. */
#define MIK_DEVICE static __device__ __forceinline__ __attribute__((unused))

enum { MIK_UNITS = 8 }; /* loops that fold into the batch, at most */

/* One contraction: for every b, m, n, out(b, m, n) = E(sum over k of A(b, m, k) * B(b, k, n)). */
typedef struct {
    int64_t batch, m, n, k;
    int64_t a_m, a_k;                     /* element strides of A along m and k, valid when a_in_place */
    int64_t b_k, b_n;                     /* of B along k and n, valid when b_in_place */
    int64_t c_m, c_n;                     /* of the output along m and n, valid when c_direct */
    int64_t member;                       /* of a group that has its kernels in common, for which it stands as the batch; else 0 */
    int a_in_place, b_in_place, c_direct; /* a plain load or store with one stride per folded dimension */
} mik_problem;

/* Rows m0 to m1 and columns n0 to n1 of batches from b0 on, in tiles of one micro-kernel. All steps of k of all its tiles
   are numbered, tile after tile; block i takes `share` of them from i * share on: a tile each, or (stream-K) less or more, or (split-K)
   one of the `parts` of a tile; the blocks that meet in a tile add up their sums. */
typedef struct {
    int64_t b0, m0, m1, n0, n1;
    int64_t m_tiles, n_tiles, tiles; /* tiles = batch * m_tiles * n_tiles */
    int64_t steps, share;            /* of k in a tile, at least 1; of a block, at most */
    int64_t parts, missing;          /* of each tile, a block each, or 1; steps by which the last is shorter than `share` */
    int64_t blocks;
    char *partial;                   /* sums on their way between blocks: two places for each block */
    unsigned *arrived;               /* per tile, how many of its blocks have left their sums: zero before and after */
} mik_region;

/* What one launch computes: region[1], which the second of two twin kernels computes, has no blocks in other launches. */
typedef struct {
    mik_problem p;
    mik_region region[2];
    int a_batched, b_batched, c_batched; /* each batch has an A, a B, an output of its own: for tensor maps */
    int c_mapped;                        /* there is one for outputs */
} mik_work;
