/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Attention in one launch: what its kernels have in common. A block has some rows of the output and goes through keys and values, so many
   at a time; the maximum and the sum of a row's exponentials are those of the keys so far (Milakov and Gimelshein, Online normalizer
   calculation for softmax, 2018; Dao, FlashAttention-2, 2023). */
#pragma once
#include "finish.cuh"

/* What a launch computes: the product that gives scores, and that of weights and values. Block x has tile x + first, of `tiles` in each
   batch. */
typedef struct {
    mik_work of[2];
    int64_t tiles, first;
} mik_attention;

/* The arguments as the last step sees them: with the sums of weights of the tile's rows, from m on. */
template <class A> struct mik_closing {
    const A *args;
    const float *total;
    int64_t m;
};

/* A kernel's block: a tile. */
template <class Tile> MIK_DEVICE void mik_run_attention(const typename Tile::args &args, const mik_attention &work)
{
    extern __shared__ __align__(128) char mik_shared[];
    Tile::run(&args, &work, mik_shared);
}

/* A block's rows, from the last tile of each batch to the first: those are the longest ones where rows end early. */
MIK_DEVICE mik_piece mik_take_rows(const mik_attention *w, int um)
{
    mik_piece t = {};
    const int64_t number = (int64_t)blockIdx.x + w->first, b = number / w->tiles;
    const mik_problem *const p = &w->of[0].p;
    t.b = b;
    t.m = (w->tiles - 1 - (number - b * w->tiles)) * um;
    t.rows = p->m - t.m < um ? (int)(p->m - t.m) : um;
    return t;
}

/* How many keys row m has. */
template <class X, class ARGS> MIK_DEVICE int mik_keys_of(const ARGS *s, const mik_attention *w, const mik_piece *t, int row)
{
    const int all = (int)w->of[0].p.n;
    if (row >= t->rows)
        return 0;
    if constexpr (X::LIMITED) {
        const int64_t keys = X::keys(s, t->b, t->m + row);
        return keys < 0 ? 0 : keys < all ? (int)keys : all;
    }
    return all;
}

/* The most of all threads of a block. */
template <int WARPS> MIK_DEVICE int mik_most_keys(int keys)
{
    __shared__ int most[WARPS];
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        const int other = __shfl_xor_sync(0xffffffff, keys, d);
        keys = other > keys ? other : keys;
    }
    if (threadIdx.x % 32 == 0)
        most[threadIdx.x / 32] = keys;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WARPS; i++)
        keys = most[i] > keys ? most[i] : keys;
    return keys;
}

/* ROWS rows of a thread, which it shares with LANES - 1 neighbours: the greatest argument so far, and this thread's part of the sum. */
template <class X, int ROWS, int LANES> struct mik_softmax {
    float top[ROWS], sum[ROWS];

    __device__ __forceinline__ void start(void)
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            top[r] = X::least();
            sum[r] = 0;
        }
    }

    /* Makes weights of COLS arguments in each row, x[AT::at(row, column)], and says by what all that came before is to be multiplied. What
       is no key of the row is -infinity, and so is a row's maximum before its first key. */
    template <int COLS, class AT> __device__ __forceinline__ void step(float *x, float factor[ROWS])
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float most = top[r], part = 0;
#pragma unroll
            for (int c = 0; c < COLS; c++)
                most = fmaxf(most, x[AT::at(r, c)]);
#pragma unroll
            for (int d = 1; d < LANES; d *= 2)
                most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
            const float base = most == -INFINITY ? 0 : most;
            factor[r] = X::exponential(top[r] - base);
            top[r] = most;
#pragma unroll
            for (int c = 0; c < COLS; c++) {
                x[AT::at(r, c)] = X::exponential(x[AT::at(r, c)] - base);
                part += x[AT::at(r, c)];
            }
            sum[r] = sum[r] * factor[r] + part;
        }
    }

    /* The rows' sums, for all lanes. */
    __device__ __forceinline__ void finish(void)
    {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int d = 1; d < LANES; d *= 2)
                sum[r] += __shfl_xor_sync(0xffffffff, sum[r], d);
    }
};
