/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Warpgroups that take turns: each computes a tile of its own, one multiplies while the other finishes, and tensor cores
   are idle at neither. The buffers of a block's tiles, one after the other, are for the one and the other. */
#pragma once
#include "ring.cuh"

/* A warpgroup's threads wait until the other has seen the last of its tile's buffers filled. Only then do parities tell the phases of
   buffers apart, since those that are waited for are never more than one ahead. The first tile is for the first to take. */
MIK_DEVICE void mik_await_turn(const mik_ring *ring, int mine) { mik_barrier_wait(ring->turns + mine * 8, ring->turn ^ (mine == 0)); }

/* All multiplications of a tile are on their way: the other's may follow. */
MIK_DEVICE void mik_pass_turn(mik_ring *ring, int mine)
{
    if (threadIdx.x % 32 == 0)
        mik_barrier_arrive(ring->turns + (mine ^ 1) * 8);
    ring->turn ^= 1;
}

/* Goes past the buffers of a tile of the other's. */
template <int STAGES> MIK_DEVICE void mik_skip(mik_ring *ring, int steps)
{
    const unsigned next = (unsigned)(ring->buffer + steps);
    ring->buffer = (int)(next % STAGES);
    ring->phase ^= (int)(next / STAGES % 2);
}
