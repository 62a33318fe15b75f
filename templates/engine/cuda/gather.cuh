/* Where the elements of a gathered operand are: what rows (columns) decide of that is kept in shared memory for a whole tile, what
   steps of k decide for two buffers' steps. */
#pragma once
#include "piece.cuh"

/* As far as one loop decides: two of these add up to an offset from the array's start, which holds the element if none of the sums
   of `slack` is negative; else the operand is 0 there. Slack beyond 2^30 counts as 2^30. */
template <int CONDITIONS> struct mik_spot {
    static constexpr int COUNT = CONDITIONS;
    int64_t at;
    int slack[CONDITIONS > 0 ? CONDITIONS : 1];
};

template <int CONDITIONS> MIK_DEVICE void mik_set_spot(mik_spot<CONDITIONS> *spot, const int64_t *at)
{
    spot->at = at[0];
#pragma unroll
    for (int i = 0; i < CONDITIONS; i++)
        spot->slack[i] = (int)(at[i + 1] > 1 << 30 ? 1 << 30 : at[i + 1] < -(1 << 30) ? -(1 << 30) : at[i + 1]);
}

/* Is there an element? */
template <int CONDITIONS> MIK_DEVICE bool mik_hits(const mik_spot<CONDITIONS> *x, const mik_spot<CONDITIONS> *y)
{
    int all = 0;
#pragma unroll
    for (int i = 0; i < CONDITIONS; i++)
        all |= x->slack[i] + y->slack[i];
    return all >= 0;
}
