/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Attention on tensor cores: each warp has COUNT times 16 rows, whose scores, weights and outputs stay in its registers. */
#pragma once
#include "attention.cuh"
#include "fetch.cuh"
#include "fragments.cuh"

/* Weights as factors: where the multiply-add leaves its sums is where it wants 16-bit factors, in pairs. Of words it wants keys 4 apart, and
   gets neighbours: then keys of values are swapped, see mik_values. */
template <int BYTES> struct mik_weights;
template <> struct mik_weights<4> {
    template <class P> MIK_DEVICE void factors(uint32_t x[4], const float (*sum)[4], int k)
    {
#pragma unroll
        for (int e = 0; e < 4; e++)
            x[e] = __float_as_uint(sum[k][e / 2 + e % 2 * 2]);
    }
};
template <> struct mik_weights<2> {
    template <class P> MIK_DEVICE void factors(uint32_t x[4], const float (*sum)[4], int k)
    {
#pragma unroll
        for (int e = 0; e < 4; e++)
            x[e] = P::pair(sum[k * 2 + e / 2][e % 2 * 2], sum[k * 2 + e / 2][e % 2 * 2 + 1]);
    }
};

/* Values as the other factors. */
template <int BYTES, bool ALONG> struct mik_values : mik_fragments<BYTES, ALONG> {
};

/* Keys 2 * (lane % 4) and the next of 8. */
template <bool ALONG> struct mik_values<4, ALONG> {
    template <int CHUNKS> MIK_DEVICE uint32_t start_y(uint32_t tile, int first, int k, int lane)
    {
        const int key = k * 8 + lane % 4 * 2, column = first + lane / 4;
        return tile + mik_place(ALONG ? column : key, (ALONG ? key : column) * 4, CHUNKS, ALONG ? 0 : 1);
    }

    template <int COUNT, int CHUNKS> MIK_DEVICE void y(uint32_t (*y)[2], uint32_t start, int k)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int e = 0; e < 2; e++)
                y[i][e] = mik_load4(ALONG ? mik_further(start, i * 8, k * 2, CHUNKS, 0) + e * 4
                                          : mik_further(start, k * 8 + e, i * 2, CHUNKS, 1));
    }
};

/* Of 16 x 8 sums, two rows of each thread. */
struct mik_at_fragment {
    MIK_DEVICE constexpr int at(int row, int column) { return column / 2 * 4 + row * 2 + column % 2; }
};

/* S: the product that gives scores; V: the one with values; X: what lies between and behind. DEPTH: at least the steps of the first and the
   columns of the second. */
template <class S, class V, class X, int WARPS, int COUNT, int KEYS, int DEPTH> struct mik_attention_mma {
    typedef typename S::args args;
    typedef typename S::template product<false> product;
    typedef typename S::a A;
    typedef typename S::b B;
    typedef typename V::b C;
    typedef mik_fragments<B::BYTES, A::K_INNER> of_a;
    typedef mik_fragments<B::BYTES, B::K_INNER> of_b;
    typedef mik_values<B::BYTES, C::K_INNER> of_c;

    static constexpr int ROWS = WARPS * COUNT * 16, THREADS = WARPS * 32, BYTES = B::BYTES, STEPS = product::STEPS;
    static constexpr int A_LINES = A::K_INNER ? ROWS : DEPTH, A_CHUNKS = (A::K_INNER ? DEPTH : ROWS) * BYTES / 16;
    static constexpr int B_LINES = B::K_INNER ? KEYS : DEPTH, B_CHUNKS = (B::K_INNER ? DEPTH : KEYS) * BYTES / 16;
    static constexpr int C_LINES = C::K_INNER ? DEPTH : KEYS, C_CHUNKS = (C::K_INNER ? KEYS : DEPTH) * BYTES / 16;
    static constexpr int B_AT = A_LINES * A_CHUNKS * 16, C_AT = B_AT + B_LINES * B_CHUNKS * 16;
    static constexpr int LINE = DEPTH + 8, TOTAL_AT = WARPS * 16 * LINE * 4; /* sums pass through the same memory, or a little more */
    typedef mik_softmax<X, 2, 4> softmax;

    /* Of so many keys that are left, those of the next tile. */
    MIK_DEVICE int there(int left) { return left < KEYS ? left : KEYS; }

    /* An operand's tile: `across` lines or elements of its outer dimension and `steps` of k exist. */
    template <class O, int LINES, int CHUNKS> MIK_DEVICE void copy(uint32_t to, const mik_stream *from, int across, int steps)
    {
        mik_stream own = *from; /* found out for each tile: kernels have no registers for three operands' */
        mik_divide<CHUNKS, mik_order<O>, THREADS>(&own);
        mik_copy<BYTES, O::K_INNER, LINES, CHUNKS, mik_order<O>, THREADS, MIK_EITHER>(&own, to, O::K_INNER ? across : steps,
                                                                                      (O::K_INNER ? steps : across) * BYTES);
        if (steps < (O::K_INNER ? CHUNKS * 16 / BYTES : LINES))
            mik_clear<BYTES, O::K_INNER, LINES, CHUNKS, mik_order<O>, THREADS>(&own, to, steps);
    }

    /* Where an operand's tiles start, and how far the next one is along what the block goes through: keys. */
    template <class O, bool KEYS_ARE_STEPS> MIK_DEVICE mik_stream stream(const args *s, const mik_problem *p, const mik_piece *t)
    {
        mik_stream from = {};
        const int64_t outer = O::line(p), inner = O::step(p), next = KEYS_ARE_STEPS ? inner : outer;
        from.at = (const char *)(O::address(s, t->b) + O::first(t) * outer);
        from.line = (O::K_INNER ? outer : inner) * BYTES;
        from.step = KEYS * next * BYTES;
        from.array.begin = (const char *)O::address(s, t->b);
        from.array.end = from.array.begin + ((O::extent(p) - 1) * outer + (p->k - 1) * inner + 1) * BYTES;
        from.width = mik_width(from.at, from.line | (O::K_INNER ? p->k : O::extent(p)) * BYTES);
        return from;
    }

    /* sum += a 16-row factor of each of COUNT times so many columns as there are fragments y. */
    template <int COLUMNS, int ALL> MIK_DEVICE void multiply(float (*sum)[ALL][4], uint32_t (*x)[4], uint32_t (*y)[2], int first)
    {
        uint32_t x_rest[COUNT][4], y_rest[COLUMNS][2];
        if constexpr (product::SPLITS) {
            product::template split<COUNT * 4>(x[0], x_rest[0]);
            product::template split<COLUMNS * 2>(y[0], y_rest[0]);
        } else if constexpr (product::ROUNDS) {
            product::template round<COUNT * 4>(x[0]);
            product::template round<COLUMNS * 2>(y[0]);
        }
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                if constexpr (product::SPLITS) {
                    product::multiply(sum[i][first + j], x_rest[i], y[j]);
                    product::multiply(sum[i][first + j], x[i], y_rest[j]);
                }
                product::multiply(sum[i][first + j], x[i], y[j]);
            }
    }

    /* Scores of the keys from `at` on. */
    MIK_DEVICE void scores(float (*sum)[KEYS / 8][4], uint32_t a, uint32_t b, int steps, int row, int lane)
    {
#pragma unroll
        for (int k = 0; k < DEPTH / STEPS; k++) {
            if (k * STEPS >= steps)
                break;
            uint32_t x[COUNT][4], y[KEYS / 8][2];
            of_a::template x<COUNT, A_CHUNKS>(x, of_a::template start_x<A_CHUNKS>(a, row, 0, lane), k);
            of_b::template y<KEYS / 8, B_CHUNKS>(y, of_b::template start_y<B_CHUNKS>(b, 0, 0, lane), k);
            multiply<KEYS / 8, KEYS / 8>(sum, x, y, 0);
        }
    }

    /* Adds weights times values, 64 columns at a time. */
    MIK_DEVICE void add_values(float (*out)[DEPTH / 8][4], const float (*weight)[KEYS / 8][4], uint32_t c, int columns, int lane)
    {
#pragma unroll
        for (int k = 0; k < KEYS / STEPS; k++) {
            uint32_t x[COUNT][4];
#pragma unroll
            for (int j = 0; j < DEPTH / 64; j++) {
                if (j * 64 >= columns)
                    break;
                uint32_t y[8][2];
#pragma unroll
                for (int i = 0; i < COUNT; i++)
                    mik_weights<BYTES>::template factors<product>(x[i], weight[i], k);
                of_c::template y<8, C_CHUNKS>(y, of_c::template start_y<C_CHUNKS>(c, j * 64, 0, lane), k);
                multiply<8, DEPTH / 8>(out, x, y, j * 8);
            }
        }
    }

    MIK_DEVICE void finish(const args *s, const mik_attention *w, const mik_piece *t, float (*out)[DEPTH / 8][4], softmax *state,
                           char *shared, int warp, int lane)
    {
        float *const lines = (float *)shared + warp * 16 * LINE, *const total = (float *)(shared + TOTAL_AT);
        const mik_closing<args> closing = {s, total, t->m};
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const int row = (warp * COUNT + i) * 16;
            state[i].finish();
#pragma unroll
            for (int e = 0; e < 2; e++)
                if (lane % 4 == 0)
                    total[row + lane / 4 + e * 8] = state[i].sum[e];
#pragma unroll
            for (int j = 0; j < DEPTH / 8; j++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    lines[(lane / 4 + e / 2 * 8) * LINE + j * 8 + lane % 4 * 2 + e % 2] = out[i][j][e];
            __syncwarp();
            mik_finish<X, 16, DEPTH, LINE, 32>(&closing, &w->of[1], t, row, 0, lines, lane);
            __syncwarp();
        }
    }

    MIK_DEVICE void run(const args *s, const mik_attention *w, char *shared)
    {
        mik_piece t = mik_take_rows(w, ROWS);
        const mik_problem *const p = &w->of[0].p;
        const uint32_t a = mik_shared_address(shared), b = a + B_AT, c = a + C_AT;
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp * COUNT * 16, steps = (int)p->k, columns = (int)w->of[1].p.n;
        int keys[COUNT][2], last = (int)p->n;
#pragma unroll
        for (int i = 0; i < COUNT * 2; i++)
            keys[i / 2][i % 2] = mik_keys_of<X>(s, w, &t, row + i / 2 * 16 + lane / 4 + i % 2 * 8);
        if constexpr (X::LIMITED) {
            last = 0;
            for (int i = 0; i < COUNT * 2; i++)
                last = keys[i / 2][i % 2] > last ? keys[i / 2][i % 2] : last;
            last = mik_most_keys<WARPS>(last);
        }
        const mik_stream from_a = stream<A, false>(s, p, &t);
        mik_stream from_b = stream<B, false>(s, p, &t), from_c = stream<C, true>(s, &w->of[1].p, &t);
        float out[COUNT][DEPTH / 8][4] = {};
        softmax state[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            state[i].start();

        copy<A, A_LINES, A_CHUNKS>(a, &from_a, t.rows, steps);
        copy<B, B_LINES, B_CHUNKS>(b, &from_b, there((int)p->n), steps);
        mik_cp_async_commit();
        /* Values are on their way while scores are computed, and the next keys while those are made weights and multiplied. */
        for (int at = 0; at < last; at += KEYS) {
            float sum[COUNT][KEYS / 8][4] = {};
            mik_cp_async_wait<0>();
            __syncthreads();
            copy<C, C_LINES, C_CHUNKS>(c, &from_c, columns, there((int)p->n - at));
            mik_cp_async_commit();
            from_c.at += from_c.step;
            scores(sum, a, b, steps, row, lane);
            mik_cp_async_wait<0>();
            __syncthreads();
            if (at + KEYS < last) {
                from_b.at += from_b.step;
                copy<B, B_LINES, B_CHUNKS>(b, &from_b, there((int)p->n - at - KEYS), steps);
            }
            mik_cp_async_commit();
#pragma unroll
            for (int i = 0; i < COUNT; i++) {
                float factor[2];
#pragma unroll
                for (int j = 0; j < KEYS / 8; j++)
#pragma unroll
                    for (int e = 0; e < 4; e++) {
                        const int key = at + j * 8 + lane % 4 * 2 + e % 2, m = row + i * 16 + lane / 4 + e / 2 * 8;
                        sum[i][j][e] = key < keys[i][e / 2] ? X::score(s, t.b, t.m + m, key, sum[i][j][e]) : -INFINITY;
                    }
                state[i].template step<KEYS / 4, mik_at_fragment>(sum[i][0], factor);
#pragma unroll
                for (int j = 0; j < DEPTH / 8; j++)
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        out[i][j][e] *= factor[e / 2];
            }
            add_values(out, sum, c, columns, lane);
        }
        mik_cp_async_wait<0>();
        __syncthreads();
        t.cols = columns;
        finish(s, w, &t, out, state, shared, warp, lane);
    }
};
