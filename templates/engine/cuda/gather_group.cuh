/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Warpgroups' kernels of which one operand is gathered: the warpgroup that fetches copies its lines, 16 bytes a thread at a time, to where
   tensor copies would have put them, and one of its threads has tensor copies bring the other operand. */
#pragma once
#include "gather.cuh"
#include "group.cuh"

/* Of T, a mik_group. Where lines are is kept in shared memory for a whole piece, where steps are for AHEAD buffers at a time. */
template <class T> struct mik_gather_group {
    typedef typename T::args args;
    typedef typename mik_pick<T::GATHERS_B, typename T::traits::a, typename T::traits::b>::type operand;
    typedef typename operand::spot spot;
    static constexpr int LINES = T::GATHERS_B ? T::SIDE_B : T::SIDE_A, CHUNKS = 8, AHEAD = 128 / CHUNKS, VECTOR = 16 / operand::BYTES;
    static_assert(operand::K_INNER && T::traits::a::GATHERED != T::traits::b::GATHERED, "one operand, whose lines run along k");

    /* The tables: of the lines, if they are new, and of AHEAD buffers' steps from k on. */
    MIK_DEVICE void set_tables(const args *s, const mik_piece *t, bool is_new, int64_t k, int64_t end, spot *lines)
    {
        int64_t at[spot::COUNT + 1];
        mik_sync<128>(15); /* nobody reads what was there */
        for (int e = (int)threadIdx.x; is_new && e < operand::there(t); e += 128) {
            operand::place_line(s, t->b, operand::first(t) + e, at);
            spot::set(&lines[e], at);
        }
        k += (int)threadIdx.x * VECTOR;
        if (k < end) {
            operand::place_step(s, k, at);
            spot::set(&lines[LINES + (int)threadIdx.x], at);
        }
        mik_sync<128>(15);
    }

    /* A thread has one chunk of every 16th line. What is not there becomes zero. */
    MIK_DEVICE void copy(const args *s, const mik_piece *t, uint32_t to, const spot *lines, const spot *step, bool in_k)
    {
        const int first = (int)threadIdx.x / CHUNKS;
        to += (uint32_t)(first * 128 + (((int)threadIdx.x ^ first) % CHUNKS) * 16);
#pragma unroll 4
        for (int i = 0; i < (LINES + 15) / 16; i++) {
            const int line = first + i * 16;
            if (LINES % 16 != 0 && line >= LINES)
                break;
            const bool there = in_k && line < operand::there(t) && spot::hits(&lines[line], step);
            mik_cp_async<16>(to + (uint32_t)(i * 16 * 128), operand::array(s) + (there ? lines[line].at + step->at : 0), there ? 16 : 0);
        }
    }

    /* All threads of the warpgroup fetch a piece, into the buffers of RING, a kernel; map: of the operand that lies in place. */
    template <class RING>
    MIK_DEVICE void fetch(const args *s, const mik_work &work, const mik_piece *t, const CUtensorMap &map, mik_ring *ring)
    {
        spot *const lines = (spot *)ring->tables, *const steps = lines + LINES;
        for (int at = 0; at < t->steps; at++) {
            const uint32_t full = ring->filled + ring->buffer * 8, a = ring->data + ring->buffer * RING::BYTES, b = a + T::A_SIZE;
            const int k = (t->step + at) * T::STEPS, chunk = (int)threadIdx.x % CHUNKS;
            if (at % AHEAD == 0)
                set_tables(s, t, at == 0, k, work.p.k, lines);
            mik_barrier_wait(ring->freed + ring->buffer * 8, ring->phase ^ 1);
            if (threadIdx.x == 0) {
                mik_barrier_expect(full, T::BYTES - LINES * 128);
                if constexpr (T::GATHERS_B)
                    T::fetch_a(a, &map, full, t, k, work.a_batched ? (int)t->b : 0, ring->rank);
                else
                    T::fetch_b(b, &map, full, t, k, work.b_batched ? (int)t->b : 0, ring->rank);
            }
            copy(s, t, T::GATHERS_B ? b : a, lines, steps + at % AHEAD * CHUNKS + chunk, k + chunk * VECTOR < work.p.k);
            mik_barrier_arrive_copied(full);
            mik_advance<RING::STAGES>(ring);
        }
    }
};
