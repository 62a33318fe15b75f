/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Kernels for a few rows times a matrix of packed codes: bytes, or two codes in each, with a scale for groups of steps. Codes come through
   a ring in shared memory, 16 bytes at a time, and are unpacked in registers. */
#pragma once
#include "row_fetch.cuh"
#include "row_finish.cuh"
#include "unpack.cuh"

/* A block computes pieces of ROWS x SIDE of the output by UK steps of k; a group of threads takes some columns, and each of its threads
   a chunk of 16 bytes of each of them. The ring has STAGES buffers. */
template <class S, int ROWS, int SIDE, int UK, int THREAD_COUNT, int STAGES> struct mik_codes {
    typedef typename S::args args;
    typedef typename S::codes codes;
    typedef typename S::a rows;

    static constexpr int THREADS = THREAD_COUNT, BITS = codes::BITS, HALF = codes::HALF, UNIT = 16 * 8 / BITS; /* steps of a chunk */
    static constexpr int LANES = UK / UNIT, LINES = SIDE * LANES / THREADS, QUADS = UNIT / 4;
    static constexpr int CODES = LINES * THREADS * 16, SIZE = CODES + ROWS * UK * 4, RING = STAGES * SIZE;
    static constexpr bool QUADS_STAY = HALF != 1; /* four steps in a row belong to neighbouring codes */
    static constexpr bool SCALE_CODES = ROWS > 1; /* else the sums of a chunk: of several rows these take registers */
    static_assert(LANES <= 32 && UK % (HALF > 1 ? 2 * HALF : 1) == 0, "high halves are in the same buffer");
    static_assert(ROWS * SIDE * 4 <= RING, "the sums meet in the ring");

    /* Where a column has its codes and scales; those of the piece's are a table behind the ring. */
    struct column {
        const uint8_t *at;
        const typename codes::scale *scales;
    };

    MIK_DEVICE void find(const args *s, const mik_piece *t, column *table)
    {
        for (int i = (int)threadIdx.x; i < SIDE; i += THREADS) {
            const int64_t n = t->n + (i < t->cols ? i : t->cols - 1); /* what does not exist is another one */
            table[i].at = codes::column(s, t->b, n);
            if constexpr (codes::SCALED)
                table[i].scales = codes::column_scales(s, t->b, n);
        }
    }

    /* Bytes to which this thread's columns are aligned, 16 at most. */
    MIK_DEVICE int width_of(const column *mine)
    {
        int width = 16;
#pragma unroll
        for (int i = 0; i < LINES; i++)
            width = mik_width(mine[i].at, width);
        return width;
    }

    /* Where step k of a buffer lies among a row's floats: of its thread's codes in their order, four at a time. */
    MIK_DEVICE int place(int k)
    {
        int unit = k / UNIT, code = k % UNIT;
        if constexpr (HALF == 1) {
            code = k % 2 * 16 + code / 2;
        } else if constexpr (HALF > 1) {
            const int byte = k / (2 * HALF) * HALF + k % HALF;
            unit = byte / 16;
            code = k % (2 * HALF) / HALF * 16 + byte % 16;
        }
        return (code / 4 * LANES + unit) * 4 + code % 4;
    }

    MIK_DEVICE void fetch_rows(const args *s, const mik_work *w, const mik_piece *t, int64_t k, float *to)
    {
        const int left = w->p.k - k < UK ? (int)(w->p.k - k) : UK;
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < ROWS * UK / 4; i += THREADS) {
            const int row = i / (UK / 4), step = i % (UK / 4) * 4, inside = row < t->rows ? left - step : 0;
            float *const line = to + row * UK;
            if constexpr (rows::IN_PLACE && rows::BYTES == 4) {
                const typename rows::type *const from = rows::address(s, t->b) + (t->m + row) * w->p.a_m + (k + step) * w->p.a_k;
                if (QUADS_STAY && w->p.a_k == 1 && mik_width(from, 0) == 16) {
                    mik_fetch_chunk(mik_shared_address(line + place(step)), from, 1, inside, 16);
                } else {
#pragma unroll
                    for (int j = 0; j < 4; j++)
                        mik_cp_async<4>(mik_shared_address(line + place(step + j)), from + j * w->p.a_k, j < inside ? 4 : 0);
                }
            } else {
#pragma unroll
                for (int j = 0; j < 4; j++)
                    line[place(step + j)] = j < inside ? (float)rows::element(s, t->b, t->m + row, k + step + j) : 0.0f;
            }
        }
    }

    /* Starts the copies of UK steps from k on; what lies behind the last step meets zeros of the rows. */
    MIK_DEVICE void fetch(const args *s, const mik_work *w, const mik_piece *t, const column *mine, int width, int64_t k, char *buffer)
    {
        const uint32_t to = mik_shared_address(buffer) + mik_thread() * 16;
        const int64_t first = (k / UNIT + mik_thread() % LANES) * 16, left = (w->p.k * BITS + 7) / 8 - first;
#pragma unroll
        for (int i = 0; i < LINES; i++)
            mik_fetch_chunk(to + i * THREADS * 16, mine[i].at + first, 1, left < 16 ? (int)left : 16, width);
        fetch_rows(s, w, t, k, (float *)(buffer + CODES));
    }

    /* Of this thread's chunks of the UK steps from k on. */
    MIK_DEVICE void load_scales(const mik_work *w, const column *mine, int64_t k, float *scale)
    {
        const int64_t first = k + threadIdx.x % LANES * UNIT;
#pragma unroll
        for (int i = 0; i < LINES; i++)
            if constexpr (codes::SCALED)
                scale[i] = first < w->p.k ? (float)mine[i].scales[codes::GROUP > 0 ? first / (codes::GROUP > 0 ? codes::GROUP : 1) : 0] : 0;
            else
                scale[i] = 1;
    }

    /* Adds up what a buffer has. */
    MIK_DEVICE void multiply(float (*sum)[LINES], const char *buffer, const float *scale)
    {
        const float4 *const v = (const float4 *)(buffer + CODES) + threadIdx.x % LANES;
        float part[ROWS][LINES] = {};
#pragma unroll
        for (int q = 0; q < QUADS; q++) {
            float x[LINES][4];
#pragma unroll
            for (int i = 0; i < LINES; i++) {
                const uint32_t word = ((const uint32_t *)(buffer + (i * THREADS + threadIdx.x) * 16))[q % 4];
                mik_unpack<BITS, codes::SIGNED, codes::LEAST>(x[i], word, q >= 4);
                if constexpr (SCALE_CODES && codes::SCALED) {
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        x[i][e] *= scale[i];
                }
            }
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const float4 y = v[r * (UK / 4) + q * LANES];
#pragma unroll
                for (int i = 0; i < LINES; i++) {
                    float *const to = SCALE_CODES || !codes::SCALED ? &sum[r][i] : &part[r][i];
                    *to += y.x * x[i][0] + y.y * x[i][1] + y.z * x[i][2] + y.w * x[i][3];
                }
            }
        }
        if constexpr (!SCALE_CODES && codes::SCALED) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int i = 0; i < LINES; i++)
                    sum[r][i] += scale[i] * part[r][i];
        }
    }

    MIK_DEVICE void piece(const args *s, const mik_work *w, const mik_region *r, mik_span *span, char *shared)
    {
        mik_piece t = mik_next_piece(span, r, ROWS, SIDE);
        column *const table = (column *)(shared + RING);
        const column *const mine = table + threadIdx.x / LANES * LINES;
        find(s, &t, table);
        __syncthreads();
        const int width = width_of(mine);
        float sum[ROWS][LINES] = {}, scale[LINES], next[LINES];

        /* Step `at` is computed while the next STAGES - 1 are on their way, and the next one's scales. */
        int64_t k = (int64_t)t.step * UK;
        int place = 0; /* of the buffer that is filled, then of the one that is used */
        load_scales(w, mine, k, next);
        for (int at = 1 - STAGES; at < t.steps; at++) {
            if (at >= 0) {
                mik_cp_async_wait<STAGES - 2>();
                __syncthreads();
            }
            if (at + STAGES - 1 < t.steps)
                fetch(s, w, &t, mine, width, k + (int64_t)(at + STAGES - 1) * UK, shared + place);
            mik_cp_async_commit();
            place = place + SIZE < RING ? place + SIZE : 0;
            if (at < 0)
                continue;
#pragma unroll
            for (int i = 0; i < LINES; i++)
                scale[i] = next[i];
            if (codes::GROUP > 0 && at + 1 < t.steps)
                load_scales(w, mine, k + (int64_t)(at + 1) * UK, next);
            multiply(sum, shared + place, scale);
        }
        t = mik_take_known(span, &t, &w, &r, ROWS, SIDE);
        __syncthreads();
        float *const sums = (float *)shared;
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < LINES; j++) {
#pragma unroll
                for (int far = LANES / 2; far > 0; far /= 2)
                    sum[i][j] += __shfl_xor_sync(0xffffffffu, sum[i][j], far);
                if (threadIdx.x % LANES == j % LANES)
                    sums[i * SIDE + threadIdx.x / LANES * LINES + j] = sum[i][j];
            }
        __syncthreads();
        mik_finish_rows<S, ROWS, SIDE, 1, THREADS, false>(s, r, &t, sums);
    }
};
