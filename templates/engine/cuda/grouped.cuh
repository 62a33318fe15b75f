/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Contractions that have A and its rows in common, as one launch: the device's side. */
#pragma once
#include "piece.cuh"

enum { MIK_MEMBERS = 4 };

/* What a launch computes: region[0] of each. Batches of the kernels are members of the group. */
typedef struct {
    mik_work of[MIK_MEMBERS];
    int count;
} mik_works;

/* Each block has a piece of one of the members, whose blocks follow one another. */
template <class Tile> MIK_DEVICE void mik_run_side_by_side(const typename Tile::args &args, const mik_works &works)
{
    extern __shared__ __align__(128) char mik_shared[];
    int64_t block = blockIdx.x;
    int i = 0;
    for (; i + 1 < works.count && block >= works.of[i].region[0].blocks; i++)
        block -= works.of[i].region[0].blocks;
    mik_span span = mik_my_span(&works.of[i].region[0], block);
    Tile::piece(&args, &works.of[i], &works.of[i].region[0], &span, mik_shared);
}

/* Each block has a tile of all of them: later ones read, at their own elements, what the block itself has stored. */
template <class Tile> MIK_DEVICE void mik_run_in_turn(const typename Tile::args &args, const mik_works &works)
{
    extern __shared__ __align__(128) char mik_shared[];
#pragma unroll 1
    for (int i = 0; i < works.count; i++) {
        mik_span span = mik_my_span(&works.of[i].region[0], blockIdx.x);
        Tile::piece(&args, &works.of[i], &works.of[i].region[0], &span, mik_shared);
    }
}
