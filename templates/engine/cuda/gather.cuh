/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Where the elements of gathered operands are: what rows (columns) decide of that is kept in shared memory for a whole tile, what
   steps of k decide for two buffers' steps. */
#pragma once
#include "async.cuh"
#include "tables.cuh"

/* As far as one loop decides: two of these add up to an offset from the array's start, which holds the element if none of the sums
   of `slack` is negative; else the operand is 0 there. Slack beyond 2^30 counts as 2^30. */
template <int CONDITIONS> struct mik_spot {
    static constexpr int COUNT = CONDITIONS;
    int64_t at;
    int slack[CONDITIONS > 0 ? CONDITIONS : 1];

    MIK_DEVICE void set(mik_spot *spot, const int64_t *at)
    {
        spot->at = at[0];
#pragma unroll
        for (int i = 0; i < CONDITIONS; i++)
            spot->slack[i] = (int)(at[i + 1] > 1 << 30 ? 1 << 30 : at[i + 1] < -(1 << 30) ? -(1 << 30) : at[i + 1]);
    }

    /* Is there an element? */
    MIK_DEVICE bool hits(const mik_spot *x, const mik_spot *y)
    {
        int all = 0;
#pragma unroll
        for (int i = 0; i < CONDITIONS; i++)
            all |= x->slack[i] + y->slack[i];
        return all >= 0;
    }
};

/* The tables lie behind the ring of buffers: A's, then B's. Each has the part that the operand's lines decide, then that of two buffers'
   steps of k. */
template <class S, int UM, int UN, int UK, int THREADS> struct mik_tables<S, UM, UN, UK, THREADS, true> {
    static constexpr bool ANY = true;
    typedef typename S::args args;

    /* Where B's table starts. */
    MIK_DEVICE char *of_b(char *tables)
    {
        if constexpr (S::a::GATHERED)
            return tables + (UM + 2 * UK) * sizeof(typename S::a::spot);
        else
            return tables;
    }

    template <class O, int LINES> MIK_DEVICE void set_step(const args *s, int64_t k, int half, int e, char *table)
    {
        if constexpr (O::GATHERED) {
            int64_t at[O::spot::COUNT + 1];
            O::place_step(s, k + e, at);
            O::spot::set((typename O::spot *)table + LINES + half * UK + e, at);
        }
    }

    /* The part that steps of k decide, for the UK steps from k on, into one half of the tables. */
    MIK_DEVICE void next(const args *s, int64_t k, int half, char *tables)
    {
        for (int e = (int)threadIdx.x; e < UK; e += THREADS) {
            set_step<typename S::a, UM>(s, k, half, e, tables);
            set_step<typename S::b, UN>(s, k, half, e, of_b(tables));
        }
    }

    template <class O, int LINES> MIK_DEVICE void set_lines(const args *s, const mik_piece *t, char *table)
    {
        if constexpr (O::GATHERED) { /* in braces: without, NVRTC 12.2 and 12.3 find one too few */
            for (int e = (int)threadIdx.x; e < (O::PLACED ? O::there(t) : LINES); e += THREADS) {
                int64_t at[O::spot::COUNT + 1];
                O::place_line(s, t->b, O::first(t) + e, at);
                O::spot::set((typename O::spot *)table + e, at);
            }
        }
    }

    /* The part that a tile's rows and columns decide, and the first steps. The barrier after it is the caller's. */
    MIK_DEVICE void start(const args *s, const mik_piece *t, int64_t k, char *tables)
    {
        set_lines<typename S::a, UM>(s, t, tables);
        set_lines<typename S::b, UN>(s, t, of_b(tables));
        next(s, k, 0, tables);
    }
};
