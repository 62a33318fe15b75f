/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "fetch.cuh"
#include "gather.cuh"

template <class S, class O, int LINES, int UK, int THREADS>
MIK_DEVICE void mik_gather_chunks(const typename S::args *s, const mik_piece *t, uint32_t to, int in_k, int half, const char *table)
{
    typedef typename O::spot spot;
    constexpr int CHUNKS = UK * O::BYTES / 16, COPIES = LINES * CHUNKS;
    const spot *const spots = (const spot *)table, *const steps = spots + LINES + half * UK;
#pragma unroll 4
    for (int i = 0; i < (COPIES + THREADS - 1) / THREADS; i++) {
        const int e = (int)threadIdx.x + i * THREADS, line = (int)((unsigned)e / CHUNKS),
                  at = (int)((unsigned)e % CHUNKS) * (16 / O::BYTES);
        if (COPIES % THREADS != 0 && e >= COPIES)
            break;
        const bool there = line < O::there(t) && at < in_k && spot::hits(&spots[line], &steps[at]);
        mik_cp_async<16>(to + mik_place(line, at * O::BYTES, CHUNKS, mik_order<O>),
                         O::array(s) + (there ? spots[line].at + steps[at].at : 0), there ? 16 : 0);
    }
}
