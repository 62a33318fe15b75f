/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Sums that leave by the tensor memory accelerator: finished where they are, laid down as lines of 128 bytes in shared memory, and stored as
   boxes, which tensor maps cut where outputs end. */
#pragma once
#include "ring.cuh"
#include "share.cuh"

/* Of kernels whose outputs no map describes: nothing. */
template <class S, int UM, int UN, bool TURNED, bool MAPPED> struct mik_boxes {
    static constexpr bool POSSIBLE = false;
    static constexpr int ROOM = 0;
};

/* For each warp, or, where the sums are TURNED, each warpgroup, two buffers of SIZE bytes, one of which is filled while the other is on its
   way: LINES rows of SPAN columns, in boxes of COLS. */
template <class S, int UM, int UN, bool TURNED> struct mik_boxes<S, UM, UN, TURNED, true> {
    typedef typename S::output output;
    typedef typename S::args args;
    typedef typename S::sum sum_type;
    static constexpr int OUT = (int)sizeof(output), COLS = 128 / OUT, LINES = !TURNED ? 16 : UM < 32 ? UM : 32, SPAN = TURNED ? 64 : COLS;
    static constexpr bool POSSIBLE = TURNED || UN % COLS == 0;
    static constexpr int SIZE = LINES * SPAN * OUT, ROOM = POSSIBLE ? (TURNED ? 2 : 8) * SIZE / 4 : 0; /* words of a warpgroup */

    /* Can maps store the piece? They cut at the end of outputs, not where another kernel's region begins. */
    MIK_DEVICE bool fit(const mik_work *w, const mik_piece *t)
    {
        return w->c_mapped && (t->rows == UM || t->m + t->rows == w->p.m) && (t->cols == UN || t->n + t->cols == w->p.n);
    }

    /* The one that has boxes stored, of those who share buffers. */
    MIK_DEVICE bool leads(void) { return threadIdx.x % (TURNED ? 128 : 32) == 0; }

    MIK_DEVICE void meet(void)
    {
        if constexpr (TURNED)
            mik_sync<128>(1 + threadIdx.x / 128);
        else
            __syncwarp();
    }

    /* The output for a sum; what maps cut off is any one. */
    MIK_DEVICE output value(const args *s, const mik_piece *t, int m, int n, sum_type x)
    {
        return S::finished(s, t->b, t->m + (m < t->rows ? m : t->rows - 1), t->n + (n < t->cols ? n : t->cols - 1), x);
    }

    MIK_DEVICE uint32_t word(output low, output high)
    {
        const output both[2] = {low, high};
        uint32_t x;
        memcpy(&x, both, sizeof x);
        return x;
    }

    /* Two matrices of 8 x 8, of 8 rows of the sums' fragments and the next 8. */
    MIK_DEVICE void halves(const args *s, const mik_piece *t, int m, int n, const sum_type x[4], uint32_t out[2])
    {
        constexpr int DOWN = TURNED, RIGHT = !TURNED; /* from a fragment's element to the next */
#pragma unroll
        for (int i = 0; i < 2; i++)
            out[i] = word(value(s, t, m + i * 8 * RIGHT, n + i * 8 * DOWN, x[2 * i]),
                          value(s, t, m + i * 8 * RIGHT + DOWN, n + i * 8 * DOWN + RIGHT, x[2 * i + 1]));
    }

    /* LINES x SPAN outputs of 2 bytes from row m and column n of the piece on, into the buffer at `to`, as matrices: lane i gives the place of
       row i % 8 of matrix i / 8. Chunks of 16 bytes of a line of 128 bytes are swizzled by the line's number modulo 8. */
    MIK_DEVICE void fill_by_matrices(const args *s, const mik_piece *t, int m, int n, const sum_type (*sum)[4], uint32_t to)
    {
        constexpr int COUNT = (TURNED ? LINES : COLS) / 8; /* of matrices along y */
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4, which = lane / 8, line = lane % 8;
        const int across = lane / 4, along = lane % 4 * 2; /* of the fragment's first element: in x, in y */
#pragma unroll
        for (int j = 0; j < COUNT; j += 2) {
            uint32_t x[4];
#pragma unroll
            for (int i = 0; i < 2 && j + i < COUNT; i++)
                halves(s, t, m + (TURNED ? (j + i) * 8 + along : across), n + (TURNED ? warp * 16 + across : (j + i) * 8 + along),
                       sum[j + i], x + 2 * i);
            const int row = TURNED ? (j + which / 2) * 8 + line : which % 2 * 8 + line,
                      chunk = TURNED ? warp * 2 + which % 2 : j + which / 2;
            if constexpr (COUNT > 1)
                mik_store_matrices<TURNED>(to + row * 128 + (chunk ^ line) * 16, x[0], x[1], x[2], x[3]);
            else
                mik_store_matrices<TURNED>(to + row % 8 * 128 + (chunk ^ line) * 16, x[0], x[1]);
        }
    }

    /* Of floats as such: were sums taken for words, that would be done where they are made, among the multiplications, which it stops. */
    MIK_DEVICE void put(uint32_t to, float x) { asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(x) : "memory"); }

    template <typename T> MIK_DEVICE void put(uint32_t to, T x)
    {
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        mik_store(to, bits);
    }

    /* The same of 4 bytes, element by element. */
    MIK_DEVICE void fill_by_words(const args *s, const mik_piece *t, int m, int n, const sum_type (*sum)[4], uint32_t to)
    {
        const int lane = threadIdx.x % 32, across = lane / 4, along = lane % 4 * 2, first = TURNED ? threadIdx.x / 32 % 4 * 16 : 0;
#pragma unroll
        for (int j = 0; j < (TURNED ? LINES : COLS) / 8; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const int x = first + e / 2 * 8 + across, y = j * 8 + along + e % 2, row = TURNED ? y : x, col = TURNED ? x : y;
                const uint32_t chunk = TURNED ? (uint32_t)(x >> 2) % 8 : (uint32_t)(j * 2 + (along >> 2)),
                               line = TURNED ? along + e % 2 : across;
                put(to + (col / COLS * LINES + row) * 128 + (chunk ^ line) * 16 + col % 4 * 4, value(s, t, m + row, n + col, sum[j][e]));
            }
    }

    /* Stores all rows and columns of the piece for which this warp, or warpgroup, has sums: from row m and column n on; its buffers are at
       `room`. */
    MIK_DEVICE void store(const args *s, const mik_work *w, const mik_piece *t, int m, int n, const sum_type (*sum)[4], uint32_t room,
                          mik_ring *ring)
    {
        constexpr int STEPS = TURNED ? UM / LINES : UN / COLS, NEXT = (TURNED ? LINES : COLS) / 8;
#pragma unroll
        for (int i = 0; i < STEPS; i++) {
            if (m >= t->rows || n >= t->cols)
                return;
            const uint32_t from = room + ring->stored * SIZE;
            if (leads())
                mik_store_wait<1>(); /* the box before the last one is out of this buffer */
            meet();
            if constexpr (OUT == 2)
                fill_by_matrices(s, t, m, n, sum + i * NEXT, from);
            else
                fill_by_words(s, t, m, n, sum + i * NEXT, from);
            mik_fence_async();
            meet();
            if (leads()) {
#pragma unroll
                for (int j = 0; j < SPAN / COLS; j++)
                    mik_store_box(ring->map_c, from + j * LINES * 128, (int)t->n + n + j * COLS, (int)t->m + m,
                                  w->c_batched ? (int)t->b : 0);
                mik_store_commit();
            }
            ring->stored ^= 1;
            m += TURNED ? LINES : 0;
            n += TURNED ? 0 : COLS;
        }
    }
};
