/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Attention on the CUDA cores: 16 x 16 threads, each of which has ROWS / 16 rows and KEYS / 16 of the keys or DEPTH / 16 of the columns.
   Weights go through shared memory. */
#pragma once
#include "attention.cuh"
#include "fetch_simt.cuh"

/* Of COUNT elements of a thread, VECTOR neighbours at a time: 16 threads take turns. */
template <int COUNT> struct mik_spread {
    static constexpr int VECTOR = COUNT < 4 ? COUNT : 4;
    MIK_DEVICE constexpr int at(int thread, int i) { return i / VECTOR * (16 * VECTOR) + thread * VECTOR + i % VECTOR; }
};

template <int COLS> struct mik_at_row {
    MIK_DEVICE constexpr int at(int row, int column) { return row * COLS + column; }
};

/* S: the product that gives scores; V: the one with values; X: what lies between and behind. */
template <class S, class V, class X, int ROWS, int KEYS, int DEPTH> struct mik_attention_simt {
    typedef typename S::args args;
    typedef typename S::a A;
    typedef typename S::b B;
    typedef typename V::b C;

    static constexpr int THREADS = 256, TM = ROWS / 16, TK = KEYS / 16, TN = DEPTH / 16;
    static constexpr int A_LD = ROWS + 4, B_LD = KEYS + 4, C_LD = DEPTH + 4;
    static constexpr int B_AT = DEPTH * A_LD, C_AT = B_AT + DEPTH * B_LD, P_AT = C_AT + KEYS * C_LD, SIZE = (P_AT + KEYS * A_LD) * 4;
    static_assert(16 * DEPTH + ROWS <= C_AT, "the sums pass through the same memory");
    typedef mik_spread<TM> rows;
    typedef mik_spread<TK> keys_of;
    typedef mik_spread<TN> columns_of;
    typedef mik_softmax<X, TM, 16> softmax;

    /* sum += x y for `steps` lines of both. */
    template <int COUNT, int LD> MIK_DEVICE void multiply(float (*sum)[COUNT], const float *x, const float *y, int steps, int row, int col)
    {
#pragma unroll 4
        for (int k = 0; k < steps; k++) {
            float p[TM], q[COUNT];
#pragma unroll
            for (int i = 0; i < TM; i++)
                p[i] = x[k * A_LD + rows::at(row, i)];
#pragma unroll
            for (int j = 0; j < COUNT; j++)
                q[j] = y[k * LD + mik_spread<COUNT>::at(col, j)];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < COUNT; j++)
                    sum[i][j] += p[i] * q[j];
        }
    }

    /* One row of every thread at a time goes through shared memory, so that neighbouring threads finish neighbouring columns. */
    MIK_DEVICE void finish(const args *s, const mik_attention *w, const mik_piece *t, float (*out)[TN], softmax *state, float *shared,
                           int row, int col)
    {
        float *const total = shared + 16 * DEPTH;
        const mik_closing<args> closing = {s, total, t->m};
        state->finish();
#pragma unroll
        for (int i = 0; i < TM; i++) {
            __syncthreads();
            if (col == 0)
                total[rows::at(row, i)] = state->sum[i];
#pragma unroll
            for (int j = 0; j < TN; j++)
                shared[row * DEPTH + columns_of::at(col, j)] = out[i][j];
            __syncthreads();
            mik_finish<X, 16, DEPTH, DEPTH, THREADS, rows::VECTOR>(&closing, &w->of[1], t, rows::at(0, i), 0, shared, threadIdx.x);
        }
    }

    MIK_DEVICE void run(const args *s, const mik_attention *w, char *memory)
    {
        float *const shared = (float *)memory;
        mik_piece t = mik_take_rows(w, ROWS);
        const mik_problem *const p = &w->of[0].p;
        const int row = threadIdx.x / 16, col = threadIdx.x % 16, steps = (int)p->k, columns = (int)w->of[1].p.n;
        int keys[TM], last = (int)p->n;
#pragma unroll
        for (int i = 0; i < TM; i++)
            keys[i] = mik_keys_of<X>(s, w, &t, rows::at(row, i));
        if constexpr (X::LIMITED) {
            last = 0;
            for (int i = 0; i < TM; i++)
                last = keys[i] > last ? keys[i] : last;
            last = mik_most_keys<THREADS / 32>(last);
        }
        const mik_source from_a = mik_find_source<S, A>(s, &w->of[0], &t), from_b = mik_find_source<S, B>(s, &w->of[0], &t);
        t.cols = columns;
        const mik_source from_c = mik_find_source<V, C>(s, &w->of[1], &t);
        float out[TM][TN] = {};
        softmax state;
        state.start();

        mik_fetch_source<S, A, ROWS, DEPTH, A_LD, THREADS>(shared, s, &from_a, &t, 0, steps, NULL, 0, threadIdx.x);
        /* Keys and values are on their way together; the block waits for both. */
        for (int at = 0; at < last; at += KEYS) {
            float sum[TM][TK] = {}, factor[TM];
            const int left = (int)p->n - at;
            mik_piece u = t;
            mik_source now = from_b;
            u.n = at;
            u.cols = left < KEYS ? left : KEYS;
            if (now.width > 0)
                now.base = (const float *)now.base + at * now.mn;
            __syncthreads();
            mik_fetch_source<S, B, KEYS, DEPTH, B_LD, THREADS>(shared + B_AT, s, &now, &u, 0, steps, NULL, 0, threadIdx.x);
            mik_cp_async_commit();
            mik_fetch_source<V, C, DEPTH, KEYS, C_LD, THREADS>(shared + C_AT, s, &from_c, &t, at, u.cols, NULL, 0, threadIdx.x);
            mik_cp_async_commit();
            mik_cp_async_wait<1>();
            __syncthreads();
            multiply<TK, B_LD>(sum, shared, shared + B_AT, steps, row, col);
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TK; j++) {
                    const int key = at + keys_of::at(col, j);
                    sum[i][j] = key < keys[i] ? X::score(s, t.b, t.m + rows::at(row, i), key, sum[i][j]) : -INFINITY;
                }
            state.template step<TK, mik_at_row<TK>>(sum[0], factor);
#pragma unroll
            for (int i = 0; i < TM; i++) {
#pragma unroll
                for (int j = 0; j < TK; j++)
                    shared[P_AT + keys_of::at(col, j) * A_LD + rows::at(row, i)] = sum[i][j];
#pragma unroll
                for (int j = 0; j < TN; j++)
                    out[i][j] *= factor[i];
            }
            mik_cp_async_wait<0>();
            __syncthreads();
            multiply<TN, C_LD>(out, shared + P_AT, shared + C_AT, u.cols, row, col);
        }
        mik_cp_async_wait<0>();
        __syncthreads();
        finish(s, w, &t, out, &state, shared, row, col);
    }
};
