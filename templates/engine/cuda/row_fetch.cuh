/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How kernels for a few rows bring what they multiply into shared memory, wherever it lies. */
#pragma once
#include "async.cuh"
#include "piece.cuh"

/* An operand in place, or packed: where the piece's lines start, elements from line to line and from step to step of k; the bytes to
   which 16 bytes along its inner dimension are aligned, 0 where neighbours there are no neighbours in memory. */
template <typename T> struct mik_lined {
    const T *at;
    int64_t line, step;
    int width;
};

template <class S, class O>
MIK_DEVICE mik_lined<typename O::type> mik_find_lines(const typename S::args *s, const mik_work *w, const mik_piece *t)
{
    mik_lined<typename O::type> x = {};
    if constexpr (O::PACKED) {
        x.line = 1;
        x.step = O::step_bytes(s);
    } else if constexpr (O::IN_PLACE) {
        x.line = O::line(&w->p);
        x.step = O::step(&w->p);
    }
    if constexpr (O::IN_PLACE)
        x.at = O::address(s, t->b) + O::first(t) * x.line;
    if (O::IN_PLACE && (O::K_INNER ? x.step : x.line) == 1)
        x.width = mik_width(x.at, (O::K_INNER ? x.line : x.step) * O::BYTES);
    return x;
}

/* 16 bytes of elements that are `apart` elements apart, the first `inside` of them from `from` on, the others zero. */
template <typename T> MIK_DEVICE void mik_fetch_chunk(uint32_t to, const T *from, int64_t apart, int inside, int width)
{
    constexpr int BYTES = (int)sizeof(T), COUNT = 16 / BYTES;
    const int there = inside < 0 ? 0 : inside < COUNT ? inside : COUNT;
    if (width == 16) {
        mik_cp_async<16>(to, from, there * BYTES);
    } else if constexpr (BYTES >= 4) {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            mik_cp_async<BYTES>(to + i * BYTES, from + i * apart, i < there ? BYTES : 0);
    } else if (width >= 4) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int left = there * BYTES - i * 4;
            mik_cp_async<4>(to + i * 4, from + i * (4 / BYTES), left < 0 ? 0 : left < 4 ? left : 4);
        }
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            alignas(4) T word[4 / BYTES] = {};
#pragma unroll
            for (int j = 0; j < 4 / BYTES; j++)
                if (i * (4 / BYTES) + j < there)
                    word[j] = from[(i * (4 / BYTES) + j) * apart];
            mik_store(to + i * 4, *(const uint32_t *)word);
        }
    }
}

/* UK steps of ROWS rows from k on, of which `left` are there, in lines of LINE. Neighbouring threads take neighbours in memory. */
template <class S, class O, int ROWS, int UK, int LINE, int THREADS>
MIK_DEVICE void mik_fetch_rows(const typename S::args *s, const mik_piece *t, const mik_lined<typename O::type> *v, int64_t k, int left,
                               typename O::type *to)
{
    constexpr int VECTOR = 16 / O::BYTES, LENGTH = UK / VECTOR, CHUNKS = ROWS * LENGTH;
#pragma unroll 1
    for (int i = (int)threadIdx.x; i < CHUNKS; i += THREADS) {
        const int row = v->step == 1 ? (int)((unsigned)i / LENGTH) : (int)((unsigned)i % ROWS);
        const int step = (v->step == 1 ? (int)((unsigned)i % LENGTH) : (int)((unsigned)i / ROWS)) * VECTOR;
        const int inside = row < O::there(t) ? left - step : 0;
        if constexpr (O::IN_PLACE) {
            (void)s;
            mik_fetch_chunk(mik_shared_address(to + row * LINE + step), v->at + row * v->line + (k + step) * v->step, v->step, inside,
                            v->step == 1 ? v->width : 0);
        } else {
#pragma unroll
            for (int j = 0; j < VECTOR; j++)
                to[row * LINE + step + j] = j < inside ? O::element(s, t->b, O::first(t) + row, k + step + j) : (typename O::type)0;
        }
    }
}

/* COUNT neighbours from shared memory, 16 bytes at a time where they are as many. */
template <int COUNT, typename T> MIK_DEVICE void mik_read(T *y, const T *from)
{
    constexpr int BYTES = COUNT * (int)sizeof(T);
    if constexpr (BYTES % 16 == 0) {
#pragma unroll
        for (int i = 0; i < BYTES / 16; i++)
            ((int4 *)y)[i] = ((const int4 *)from)[i];
    } else if constexpr (BYTES == 8) {
        *(int2 *)y = *(const int2 *)from;
    } else {
        static_assert(BYTES == 4, "four steps of bytes");
        *(int *)y = *(const int *)from;
    }
}

/* c and the products of four bytes each, with or without signs. */
template <typename X, typename Y> MIK_DEVICE int mik_dot4(const X *x, const Y *y, int c)
{
    constexpr bool X_SIGNED = (X)-1 < (X)0, Y_SIGNED = (Y)-1 < (Y)0;
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    if constexpr (X_SIGNED && Y_SIGNED)
        asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));
    else if constexpr (X_SIGNED)
        asm("dp4a.s32.u32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));
    else if constexpr (Y_SIGNED)
        asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));
    else
        asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));
    return c;
}
