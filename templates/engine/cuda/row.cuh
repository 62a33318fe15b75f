/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Kernels for a few rows times a matrix, on the CUDA cores: memory bounds them, so what counts is how much of the matrix is on its way.
   It goes through a ring in shared memory, of which each thread reads what it has copied itself. */
#pragma once
#include "row_fetch.cuh"
#include "row_finish.cuh"

/* Adds up what a buffer has of codes across k. */
template <class Row> MIK_DEVICE void mik_multiply_codes(typename Row::sum_type (*sum)[Row::WIDTH], const char *buffer);

/* A block computes pieces of ROWS x SIDE of the output by UK steps of k; TURNED: SIDE x ROWS. The matrix is the operand on the longer side,
   as it lies or as codes of bytes; the ring has STAGES buffers for UK steps of it and of the rows. */
template <class S, int ROWS, int SIDE, int UK, int THREAD_COUNT, int STAGES, bool TURNED,
          class MATRIX_TYPE = typename mik_pick<!TURNED, typename S::a, typename S::b>::type>
struct mik_row {
    typedef typename S::args args;
    typedef typename S::sum sum_type;
    typedef MATRIX_TYPE matrix;
    typedef typename mik_pick<TURNED, typename S::a, typename S::b>::type rows;
    typedef typename matrix::type matrix_type;
    typedef typename rows::type row_type;

    static constexpr int THREADS = THREAD_COUNT, HEIGHT = ROWS, VECTOR = 16 / matrix::BYTES; /* elements of a chunk of 16 bytes */
    /* Lines along k: each warp takes LINES rows (columns) of the matrix, its lanes chunks of k. Else neighbouring threads take chunks of
       rows (columns), groups of them DEPTH steps of k each. */
    static constexpr bool ALONG = matrix::K_INNER;
    static constexpr int LINES = ALONG ? SIDE / (THREADS / 32) : 1, LANES = ALONG ? 32 : SIDE / VECTOR, GROUPS = THREADS / LANES;
    static constexpr int DEPTH = ALONG ? LINES * (UK / (32 * VECTOR)) : UK / GROUPS; /* chunks of a thread in a buffer */
    static constexpr int MATRIX = DEPTH * THREADS * 16, LINE = UK + 16 / rows::BYTES; /* bytes; elements, with room between lines */
    static constexpr int SIZE = MATRIX + ROWS * LINE * rows::BYTES, RING = STAGES * SIZE;
    static constexpr bool INTEGERS = (sum_type)0.5f == 0;
    static constexpr int WIDTH = ALONG ? LINES : VECTOR; /* sums of a thread in each row */
    static_assert((ALONG ? 1 : GROUPS) * ROWS * SIDE * sizeof(sum_type) <= RING, "the sums meet in the ring");

    /* Which of the matrix's rows (columns) and of k chunk d of this thread is, from the piece's and the buffer's first on. */
    MIK_DEVICE int line_of(int thread, int d) { return ALONG ? thread / 32 * LINES + d % LINES : thread % LANES * VECTOR; }
    MIK_DEVICE int step_of(int thread, int d) { return ALONG ? (d / LINES * 32 + thread % 32) * VECTOR : thread / LANES * DEPTH + d; }

    /* Starts the copies of UK steps from k on. */
    MIK_DEVICE void fetch(const args *s, const mik_work *w, const mik_piece *t, const mik_lined<matrix_type> *x,
                          const mik_lined<row_type> *v, int64_t k, char *buffer)
    {
        const int thread = (int)mik_thread();
        const uint32_t to = mik_shared_address(buffer) + thread * 16;
        const int left = w->p.k - k < UK ? (int)(w->p.k - k) : UK, there = matrix::there(t);
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            const int line = line_of(thread, d), step = step_of(thread, d);
            const int inside = ALONG ? (line < there ? left - step : 0) : (step < left ? there - line : 0);
            mik_fetch_chunk(to + d * THREADS * 16, x->at + line * x->line + (k + step) * x->step, ALONG ? x->step : x->line, inside,
                            x->width);
        }
        mik_fetch_rows<S, rows, ROWS, UK, LINE, THREADS>(s, t, v, k, left, (row_type *)(buffer + MATRIX));
    }

    /* Adds up what a buffer has. */
    MIK_DEVICE void multiply(sum_type (*sum)[WIDTH], const char *buffer)
    {
        const row_type *const v = (const row_type *)(buffer + MATRIX);
        constexpr int CHUNKS = ALONG ? LINES : DEPTH, STEPS = ALONG ? VECTOR : DEPTH; /* that are multiplied at a time */
#pragma unroll
        for (int d = 0; d < DEPTH; d += CHUNKS) {
            alignas(16) matrix_type x[CHUNKS][VECTOR];
#pragma unroll
            for (int i = 0; i < CHUNKS; i++)
                *(int4 *)x[i] = *(const int4 *)(buffer + ((d + i) * THREADS + threadIdx.x) * 16);
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                alignas(16) row_type y[STEPS];
                mik_read<STEPS>(y, v + r * LINE + step_of(threadIdx.x, d));
                if constexpr (ALONG && matrix::BYTES == 1 && INTEGERS) {
#pragma unroll
                    for (int i = 0; i < LINES; i++)
#pragma unroll
                        for (int e = 0; e < VECTOR; e += 4)
                            sum[r][i] = mik_dot4(&y[e], &x[i][e], sum[r][i]);
                } else {
#pragma unroll
                    for (int i = 0; i < CHUNKS; i++)
#pragma unroll
                        for (int e = 0; e < VECTOR; e++)
                            sum[r][ALONG ? i : e] += (sum_type)y[ALONG ? e : i] * (sum_type)x[i][e];
                }
            }
        }
    }

    /* Leaves the sums of each group of threads in shared memory; of a warp, its lanes' together. */
    MIK_DEVICE void leave(sum_type (*sum)[WIDTH], sum_type *sums)
    {
        const int group = threadIdx.x / LANES, lane = threadIdx.x % LANES;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int i = 0; i < WIDTH; i++) {
                if constexpr (ALONG) {
#pragma unroll
                    for (int far = 16; far > 0; far /= 2)
                        sum[r][i] += __shfl_xor_sync(0xffffffffu, sum[r][i], far);
                    if (lane == i)
                        sums[r * SIDE + group * LINES + i] = sum[r][i];
                } else {
                    sums[(group * ROWS + r) * SIDE + lane * VECTOR + i] = sum[r][i];
                }
            }
    }

    MIK_DEVICE void piece(const args *s, const mik_work *w, const mik_region *r, mik_span *span, char *shared)
    {
        mik_piece t = mik_next_piece(span, r, TURNED ? SIDE : ROWS, TURNED ? ROWS : SIDE);
        const mik_lined<matrix_type> x = mik_find_lines<S, matrix>(s, w, &t);
        const mik_lined<row_type> v = mik_find_lines<S, rows>(s, w, &t);
        sum_type sum[ROWS][WIDTH] = {};

        /* Step `at` is computed while the next STAGES - 1 are on their way; the first rounds only start copies. The barrier says that the
           rows are there, and that all warps have left those that are overwritten next. When the last step's are there, nothing is on its
           way any more: what is committed behind it is empty. `place` is that of the buffer that is filled, then of the one that is used. */
        int place = 0;
        for (int at = 1 - STAGES; at < t.steps; at++) {
            if (at >= 0) {
                mik_cp_async_wait<STAGES - 2>();
                __syncthreads();
            }
            if (at + STAGES - 1 < t.steps)
                fetch(s, w, &t, &x, &v, (int64_t)(t.step + at + STAGES - 1) * UK, shared + place);
            mik_cp_async_commit();
            place = place + SIZE < RING ? place + SIZE : 0;
            if (at < 0)
                continue;
            if constexpr (matrix::PACKED)
                mik_multiply_codes<mik_row>(sum, shared + place);
            else
                multiply(sum, shared + place);
        }
        t = mik_take_known(span, &t, &w, &r, TURNED ? SIDE : ROWS, TURNED ? ROWS : SIDE);
        __syncthreads();
        leave(sum, (sum_type *)shared);
        __syncthreads();
        mik_finish_rows<S, ROWS, SIDE, ALONG ? 1 : GROUPS, THREADS, TURNED>(s, r, &t, (sum_type *)shared);
    }
};
