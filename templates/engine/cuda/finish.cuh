/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What becomes of a contraction's sums: whoever multiplies leaves them in lines in shared memory. */
#pragma once
#include "piece.cuh"

/* Into global memory. As an assignment it is often four stores of 4 bytes. */
MIK_DEVICE void mik_store16(void *to, int4 x)
{
    asm volatile("st.global.v4.b32 [%0], { %1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}

/* Outputs that one store takes, where any do. */
template <class S, bool WIDE> constexpr int mik_wide = 1;
template <class S> constexpr int mik_wide<S, true> = 16 / (int)sizeof(typename S::output);

/* Finishes WIDE sums, which lie at `sums`, from row m and column n of the tile on: by one store, where all of them are outputs. */
template <class S, int WIDE, typename T>
MIK_DEVICE void mik_finish_wide(const typename S::args *s, const mik_piece *t, int m, int n, const typename S::sum *sums, T *to)
{
    if (n + WIDE <= t->cols) {
        alignas(16) T out[WIDE];
#pragma unroll
        for (int x = 0; x < WIDE; x++)
            out[x] = S::finished(s, t->b, t->m + m, t->n + n + x, sums[x]);
        mik_store16(to, *(const int4 *)out);
    } else {
#pragma unroll 1
        for (int x = 0; n + x < t->cols; x++)
            S::epilogue(s, t->b, t->m + m, t->n + n + x, sums[x]);
    }
}

/* Finishes ROWS x COLS sums, which start at row m and column n of the tile and lie in lines of LINE: by THREADS threads. The tile's
   rows of neighbouring lines are APART. Of rows of neighbours whole chunks of 16 bytes leave by one store each, wherever rows begin: then
   there is one chunk less, and as many elements before the first one and behind the last. */
template <class S, int ROWS, int COLS, int LINE, int THREADS, int APART = 1>
MIK_DEVICE void mik_finish(const typename S::args *s, const mik_work *w, const mik_piece *t, int m, int n, const typename S::sum *lines,
                           int thread)
{
    constexpr int WIDE = mik_wide<S, S::WIDE>;
    asm volatile("" : "+r"(thread)); /* what follows from it is found here, and not kept in registers through the loops of steps */
    bool in_chunks = false;
    unsigned first = 0, apart = 0; /* elements */
    if constexpr (S::WIDE && COLS % WIDE == 0) {
        constexpr int PARTS = COLS / WIDE;
        auto *const c = S::output_address(s, t->b) + (t->m + m) * w->p.c_m + (t->n + n);
        first = (unsigned)((uintptr_t)c / sizeof *c);
        apart = (unsigned)w->p.c_m;
        const bool aligned = (first | apart) % WIDE == 0;
        in_chunks = w->p.c_n == 1 && (PARTS > 1 || aligned);
#pragma unroll 1
        for (int e = thread; in_chunks && e < ROWS * PARTS; e += THREADS) {
            const int i = e / PARTS, part = e % PARTS, row = i * APART, at = (int)(-(first + row * apart) % WIDE) + part * WIDE;
            if (m + row >= t->rows)
                break;
            if (aligned || part < PARTS - 1)
                mik_finish_wide<S, WIDE>(s, t, m + row, n + at, lines + i * LINE + at, c + row * w->p.c_m + at);
        }
        if (in_chunks && aligned)
            return;
    }
    const int alone = in_chunks ? ROWS * WIDE : ROWS * COLS;
#pragma unroll 2
    for (int e = thread; e < alone; e += THREADS) {
        const int i = in_chunks ? e / WIDE : e / COLS, x = in_chunks ? e % WIDE : e % COLS, row = i * APART;
        const int j = in_chunks && x >= (int)(-(first + row * apart) % WIDE) ? COLS - WIDE + x : x;
        if (m + row < t->rows && n + j < t->cols)
            S::epilogue(s, t->b, t->m + m + row, t->n + n + j, lines[i * LINE + j]);
    }
}
