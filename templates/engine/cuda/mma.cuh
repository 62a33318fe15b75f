/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Kernels on tensor cores, of sm_80. */
#pragma once
#include "fetch.cuh"
#include "finish.cuh"
#include "fragments.cuh"
#include "share.cuh"

/* A block computes pieces of tiles of UM x UN of the output by UK steps of k, each warp WM x WN of it by multiply-adds of {16 or 8} x 8 x
   32 bytes of k; tiles of A and B go through a ring of STAGES buffers in shared memory. SLICES groups of warps share out the steps
   within one buffer. The multiply-add's larger side, x, lies along m; where the kernel is TURNED, along n. Operands are
   ALIGNED to 16 bytes, or not. */
template <class S, int UM, int UN, int UK, int WM, int WN, int SLICES, bool TURNED, int STAGES, bool ALIGNED> struct mik_mma {
    typedef typename S::args args;
    typedef typename S::sum sum_type;
    typedef typename S::template product<TURNED> product;
    typedef typename mik_pick<TURNED, typename S::a, typename S::b>::type x_operand;
    typedef typename mik_pick<!TURNED, typename S::a, typename S::b>::type y_operand;

    static constexpr int THREADS = UM / WM * (UN / WN) * SLICES * 32;
    typedef mik_tables<S, UM, UN, UK, THREADS> gathered;
    static constexpr int A_SIZE = UM * UK * S::a::BYTES, B_SIZE = UN * UK * S::b::BYTES, SIZE = A_SIZE + B_SIZE,
                         RING = STAGES * SIZE; /* bytes */
    static constexpr int ELEMENTS = product::ROWS / 4; /* of a thread, in a fragment of sums */
    static constexpr int COUNT_X = (TURNED ? WN : WM) / product::ROWS, COUNT_Y = (TURNED ? WM : WN) / 8,
                         SUMS = COUNT_X * COUNT_Y * ELEMENTS;
    static constexpr int X_CHUNKS = (x_operand::K_INNER ? UK : TURNED ? UN : UM) * x_operand::BYTES / 16; /* in a line */
    static constexpr int Y_CHUNKS = (y_operand::K_INNER ? UK : TURNED ? UM : UN) * y_operand::BYTES / 16;
    typedef mik_fragments<x_operand::BYTES, x_operand::K_INNER> of_x;
    typedef mik_fragments<y_operand::BYTES, y_operand::K_INNER> of_y;
    typedef typename product::fragment fragment;
    static constexpr int TURNS = UK / product::STEPS / SLICES; /* of a warp, in a buffer */
    static constexpr bool WHOLE = ALIGNED && !gathered::ANY;   /* steps of whole tiles have a loop of their own */
    static constexpr bool X_BYTES = x_operand::BYTES == 1 && !x_operand::K_INNER, Y_BYTES = y_operand::BYTES == 1 && !y_operand::K_INNER;
    static constexpr int ROWS = TURNED ? WM : product::ROWS,
                         LINE = WN + (TURNED ? 4 : 8); /* that a warp finishes at a time, with room between them */
    static_assert(SLICES == 1 || (SLICES - 1) * UM * UN * sizeof(sum_type) <= RING, "the slices meet in the ring");
    static_assert(THREADS / 32 / SLICES * ROWS * LINE * sizeof(sum_type) <= RING, "the sums pass through the ring");

    /* Where element e of fragment (i, j) of a warp's sums belongs in its lines. */
    MIK_DEVICE int place(int i, int j, int e, int lane)
    {
        const int x = X_BYTES ? lane / 4 * 2 + e / 2 : lane / 4 + e / 2 * 8;
        const int y = Y_BYTES ? j / 2 * 16 + (lane % 4 * 2 + e % 2) * 2 + j % 2 : j * 8 + lane % 4 * 2 + e % 2;
        return TURNED ? y * LINE + i * product::ROWS + x : x * LINE + y;
    }

    /* Each warp turns its sums from the layout of the multiply-add into lines, so that neighbouring lanes finish neighbouring columns: ROWS
       of its rows at a time; all of them, where the kernel is turned. */
    MIK_DEVICE void finish(const args *s, const mik_work *w, const mik_piece *t, const sum_type (*sum)[COUNT_Y][ELEMENTS], sum_type *lines,
                           int warp_m, int warp_n, int lane)
    {
#pragma unroll 1
        for (int at = 0; at < (TURNED ? 1 : COUNT_X); at++) {
#pragma unroll
            for (int i = 0; i < COUNT_X; i++)
                if (TURNED || i == at)
#pragma unroll
                    for (int j = 0; j < COUNT_Y; j++)
#pragma unroll
                        for (int e = 0; e < ELEMENTS; e++)
                            lines[place(i, j, e, lane)] = sum[i][j][e];
            __syncwarp();
            mik_finish<S, ROWS, WN, LINE, 32>(s, w, t, warp_m + at * ROWS, warp_n, lines, lane);
            __syncwarp();
        }
    }

    /* The factors of turn i, where those of the buffer's first one are at x_at and y_at. */
    MIK_DEVICE void load(fragment (*x)[product::X_COUNT], fragment (*y)[product::Y_COUNT], uint32_t x_at, uint32_t y_at, int i)
    {
        of_x::template x<COUNT_X, X_CHUNKS>(x, x_at, i * SLICES);
        of_y::template y<COUNT_Y, Y_CHUNKS>(y, y_at, i * SLICES);
    }

    MIK_DEVICE void multiply(sum_type (*sum)[COUNT_Y][ELEMENTS], fragment (*x)[product::X_COUNT], fragment (*y)[product::Y_COUNT])
    {
        if constexpr (product::SPLITS) {
            uint32_t x_rest[COUNT_X][product::X_COUNT], y_rest[COUNT_Y][product::Y_COUNT];
            product::template split<COUNT_X * product::X_COUNT>(x[0], x_rest[0]);
            product::template split<COUNT_Y * product::Y_COUNT>(y[0], y_rest[0]);
#pragma unroll
            for (int p = 0; p < COUNT_X; p++)
#pragma unroll
                for (int q = 0; q < COUNT_Y; q++) {
                    product::multiply(sum[p][q], x_rest[p], y[q]);
                    product::multiply(sum[p][q], x[p], y_rest[q]);
                    product::multiply(sum[p][q], x[p], y[q]);
                }
        } else {
            if constexpr (product::ROUNDS) {
                product::template round<COUNT_X * product::X_COUNT>(x[0]);
                product::template round<COUNT_Y * product::Y_COUNT>(y[0]);
            }
#pragma unroll
            for (int p = 0; p < COUNT_X; p++)
#pragma unroll
                for (int q = 0; q < COUNT_Y; q++)
                    product::multiply(sum[p][q], x[p], y[q]);
        }
    }

    /* Where buffers are in the ring, in bytes: that which is filled next, and that which is used next. */
    struct buffers {
        uint32_t fill, use;
    };
    MIK_DEVICE void pass(uint32_t *at) { *at = *at + SIZE < RING ? *at + SIZE : 0; }

    /* `count` steps of a whole tile, the first of which is the next one that is multiplied; the first `copied` of them start the copies of
       those that are STAGES - 1 further on. A turn's factors are loaded while the turn before is multiplied, also from one buffer to the
       next. */
    MIK_DEVICE void go_through(mik_from *from, buffers *at, sum_type (*sum)[COUNT_Y][ELEMENTS], uint32_t ring, uint32_t x_at, uint32_t y_at,
                               int count, int copied)
    {
        typedef mik_chunks<typename S::a, UM, UK, THREADS> a;
        typedef mik_chunks<typename S::b, UN, UK, THREADS> b;
        const int64_t a_apart = a::APART * from->a.line, a_rest = from->a.step - (a::ROUNDS - 1) * a_apart;
        const int64_t b_apart = b::APART * from->b.line, b_rest = from->b.step - (b::ROUNDS - 1) * b_apart;
        static_assert(TURNS == 1 || TURNS % 2 == 0, "the first and the last turn have different factors");
        fragment x[2][COUNT_X][product::X_COUNT], y[2][COUNT_Y][product::Y_COUNT];
        mik_cp_async_wait<STAGES - 2>();
        __syncthreads();
        load(x[0], y[0], x_at + at->use, y_at + at->use, 0);
#pragma unroll 1
        for (int i = 0; i < count; i++) {
            mik_fetch_whole<S, UM, UN, UK, THREADS>(from, ring + at->fill, ring + at->fill + A_SIZE, a_apart, a_rest, b_apart, b_rest,
                                                    i < copied);
            mik_cp_async_commit();
            pass(&at->fill);
#pragma unroll
            for (int j = 0; j + 1 < TURNS; j++) {
                load(x[(j + 1) % 2], y[(j + 1) % 2], x_at + at->use, y_at + at->use, j + 1);
                multiply(sum, x[j % 2], y[j % 2]);
            }
            if (TURNS == 1) /* there is but one set of factors */
                multiply(sum, x[0], y[0]);
            mik_cp_async_wait<STAGES - 2>();
            __syncthreads();
            pass(&at->use);
            load(x[0], y[0], x_at + at->use, y_at + at->use, 0);
            if (TURNS > 1)
                multiply(sum, x[1], y[1]);
        }
        from->whole -= count;
        from->k += (int64_t)count * UK;
    }

    /* All steps of any tile. */
    template <int WAY>
    MIK_DEVICE void add_steps(const args *s, mik_from *from, const mik_piece *t, sum_type (*sum)[COUNT_Y][ELEMENTS], uint32_t ring,
                              uint32_t x_at, uint32_t y_at, char *tables)
    {
        /* Step `at` is computed while step at + STAGES - 1 is on its way; the first rounds only start copies. The
           barrier also says that every warp has left the buffer that is filled next. */
        buffers in = {0, 0};
        /* Of a whole tile: how many steps start copies of whole ones; whether there are no others. */
        const bool is_whole = t->rows == UM && t->cols == UN, ends = is_whole && t->steps <= from->whole;
        const int copied = is_whole ? (ends ? t->steps : from->whole) - (STAGES - 1) : 0;
        for (int at = 1 - STAGES; at < t->steps; at++) {
            if constexpr (WHOLE)
                if (at == 0 && (ends || copied > 0)) {
                    go_through(from, &in, sum, ring, x_at, y_at, ends ? t->steps : copied, copied);
                    if (ends)
                        break;
                    at = copied;
                }
            if (at >= 0) {
                mik_cp_async_wait<STAGES - 2>();
                __syncthreads();
            } else if (gathered::ANY) {
                __syncthreads(); /* for the tables of steps */
            }
            if (at + STAGES - 1 < t->steps) {
                mik_fetch<S, UM, UN, UK, THREADS, WAY>(from, s, t, ring + in.fill, ring + in.fill + A_SIZE, tables);
                pass(&in.fill);
            }
            mik_cp_async_commit();
            if (at < 0)
                continue;
#pragma unroll
            for (int i = 0; i < TURNS; i++) {
                fragment x[COUNT_X][product::X_COUNT], y[COUNT_Y][product::Y_COUNT];
                load(x, y, x_at + in.use, y_at + in.use, i);
                multiply(sum, x, y);
            }
            pass(&in.use);
        }
    }

    MIK_DEVICE void piece(const args *s, const mik_work *w, const mik_region *r, mik_span *span, char *shared)
    {
        const mik_piece t = mik_take(span, r, UM, UN);
        const uint32_t ring = mik_shared_address(shared);
        const int lane = threadIdx.x % 32, warp = SLICES > 1 ? threadIdx.x / 32 % (THREADS / 32 / SLICES) : threadIdx.x / 32;
        const int slice = SLICES > 1 ? threadIdx.x / (THREADS / SLICES) : 0;
        const int warp_m = warp / (UN / WN) * WM, warp_n = warp % (UN / WN) * WN;
        const uint32_t x_at = of_x::template start_x<X_CHUNKS>(TURNED ? ring + A_SIZE : ring, TURNED ? warp_n : warp_m, slice, lane);
        const uint32_t y_at = of_y::template start_y<Y_CHUNKS>(TURNED ? ring : ring + A_SIZE, TURNED ? warp_m : warp_n, slice, lane);
        mik_from from = mik_start<S, UM, UN, UK, THREADS, ALIGNED>(s, w, &t);
        sum_type sum[COUNT_X][COUNT_Y][ELEMENTS] = {};

        if constexpr (gathered::ANY) {
            gathered::start(s, &t, from.k, shared + RING);
            __syncthreads();
        }
        if constexpr (ALIGNED)
            add_steps<MIK_ALIGNED>(s, &from, &t, sum, ring, x_at, y_at, shared + RING);
        else if constexpr (!S::a::IN_PLACE || !S::b::IN_PLACE)
            add_steps<MIK_EITHER>(s, &from, &t, sum, ring, x_at, y_at, shared + RING);
        else if (from.a.width == 0 || from.b.width == 0)
            add_steps<MIK_BY_ELEMENTS>(s, &from, &t, sum, ring, x_at, y_at, shared + RING);
        else if ((S::a::BYTES >= 4 && S::b::BYTES >= 4) || (from.a.width >= 4 && from.b.width >= 4))
            add_steps<MIK_WIDE>(s, &from, &t, sum, ring, x_at, y_at, shared + RING);
        else
            add_steps<MIK_NARROW>(s, &from, &t, sum, ring, x_at, y_at, shared + RING);
        __syncthreads();
        if constexpr (SLICES > 1)
            mik_add_slices<SUMS, THREADS / SLICES, SLICES>(sum[0][0], (sum_type *)shared);
        if (t.steps < r->steps && !mik_add_parts<SUMS, THREADS / SLICES, SLICES, THREADS, 0>(sum[0][0], shared, r, &t, threadIdx.x)) {
            __syncthreads();
            return;
        }
        __syncthreads();
        if (slice == 0)
            finish(s, w, &t, sum, (sum_type *)shared + warp * ROWS * LINE, warp_m, warp_n, lane);
        __syncthreads();
    }
};
