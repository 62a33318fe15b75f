/* What becomes of a contraction's sums: whoever multiplies leaves them in lines in shared memory. */
#pragma once
#include "piece.cuh"

/* Into global memory. As an assignment it is often four stores of 4 bytes. */
MIK_DEVICE void mik_store16(void *to, int4 x)
{
    asm volatile("st.global.v4.b32 [%0], { %1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w)
                 : "memory");
}

/* Finishes ROWS x COLS sums, which start at row m and column n of the tile and lie in lines of LINE: by THREADS threads. The tile's
   rows of neighbouring lines are APART. */
template <class S, int ROWS, int COLS, int LINE, int THREADS, int APART = 1>
MIK_DEVICE void mik_finish(const typename S::args *s, const mik_work *w, const mik_piece *t, int m, int n, const typename S::sum *lines,
                           int thread)
{
    if constexpr (S::WIDE) {
        typedef typename S::output output;
        constexpr int WIDE = 16 / (int)sizeof(output); /* elements that one store takes */
        constexpr int PARTS = COLS < WIDE ? 1 : COLS / WIDE;
        output *const c = S::output_address(s, t->b) + (t->m + m) * w->p.c_m + (t->n + n);
        if (COLS % WIDE == 0 && w->p.c_n == 1 && ((uint64_t)(uintptr_t)c | (uint64_t)w->p.c_m * sizeof(output)) % 16 == 0) {
#pragma unroll 1
            for (int e = thread; e < ROWS * PARTS; e += THREADS) {
                const int i = e / PARTS, j = e % PARTS * WIDE, row = i * APART;
                if (m + row >= t->rows)
                    break;
                if (n + j + WIDE <= t->cols) {
                    alignas(16) output out[WIDE];
#pragma unroll
                    for (int x = 0; x < WIDE; x++)
                        out[x] = S::finished(s, t->b, t->m + m + row, t->n + n + j + x, lines[i * LINE + j + x]);
                    mik_store16(c + row * w->p.c_m + j, *(const int4 *)out);
                } else {
#pragma unroll 1
                    for (int x = 0; n + j + x < t->cols; x++)
                        S::epilogue(s, t->b, t->m + m + row, t->n + n + j + x, lines[i * LINE + j + x]);
                }
            }
            return;
        }
    }
#pragma unroll 2
    for (int q = 0; q < (ROWS * COLS + THREADS - 1) / THREADS; q++) {
        const int e = thread + q * THREADS, i = e / COLS, j = e % COLS, row = i * APART;
        if (i < ROWS && m + row < t->rows && n + j < t->cols)
            S::epilogue(s, t->b, t->m + m + row, t->n + n + j, lines[i * LINE + j]);
    }
}
