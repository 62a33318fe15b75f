/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The shallow kernels of one family on one instruction set: sums of few steps over any number of rows and columns, c(i, j) (+)=
 * sum over k of a(i, k) * b(k, j). A strip of columns at a time: its rows of B, one for each step, are loaded into registers once;
 * then each row of A takes its multiply-adds and stores, and nothing else. (A tile of that many steps would take longer to find
 * its rows and to store its sums than to compute them.) Of several vectors of columns the last one ends at the last column, as in
 * tiles; a single vector may be a part.
 */
#pragma once
#include "sums.h"

/* More multiply-adds that wait for each other keep those of other rows out of the processor's queues. (Zen 5, 20 steps: 152
   GFLOP/s in one chain, 190 in two.) */
enum { F32Z_ONE_CHAIN = 12 };

/* m rows of nv vectors of columns. part: of a single one, with the lanes of first; last: where the last of several begins. */
MIK_FOLDED MIK_AVX512 void f32z_shallow_strip(const mik_f32_tile *t, int64_t m, const int steps, const int nv, const int part,
                                              f32z_mask first, int64_t last)
{
    const mik_f32_acc *a = t->a, *b = t->b;
    const int64_t a_m = t->a_m, a_k = t->a_k, b_k = t->b_k, c_m = t->c_m;
    const int add = t->add, chains = nv == 1 && steps > F32Z_ONE_CHAIN ? 2 : 1;
    f32z_vec y[F32Z_REGISTERS], sum[F32Z_REGISTERS];
    mik_f32_acc *c = t->c;
    MIK_UNROLL
    for (int k = 0; k < steps; k++, b += b_k) {
        MIK_UNROLL
        for (int j = 0; j < nv; j++) {
            const mik_f32_acc *p = b + (j == 0 ? 0 : j < nv - 1 ? j * F32Z_LANES : last);
            y[k * nv + j] = part ? f32z_load_part(p, first) : f32z_load(p);
        }
    }
    for (; m > 0; m--, a += a_m, c += c_m) {
        const mik_f32_acc *s = a;
        MIK_UNROLL
        for (int j = 0; j < nv * chains; j++)
            sum[j] = f32z_zero();
        MIK_UNROLL
        for (int k = 0; k < steps; k++, s += a_k) {
            const f32z_element x = nv > 1 ? f32z_splat(s) : f32z_each(s);
            MIK_UNROLL
            for (int j = 0; j < nv; j++)
                sum[k % chains + j] = f32z_fma(x, y[k * nv + j], sum[k % chains + j]);
        }
        if (chains == 2)
            sum[0] = f32z_add(sum[0], sum[1]);
        if (nv == 1) {
            part ? f32z_end_part(c, sum[0], add, first) : f32z_end(c, sum[0], add);
            continue;
        }
        sum[nv - 1] = f32z_plus(c + last, sum[nv - 1], add);
        MIK_UNROLL
        for (int j = 0; j < nv - 1; j++)
            f32z_end(c + j * F32Z_LANES, sum[j], add);
        f32z_put(c + last, sum[nv - 1]);
    }
}

/* Strips of up to `widest` vectors, the last two alike. */
MIK_FOLDED MIK_AVX512 void f32z_shallow(const mik_f32_tile *t, int64_t m, int64_t n, const int steps, const int widest)
{
    mik_f32_tile x = *t;
    int64_t vectors = (n + F32Z_LANES - 1) / F32Z_LANES;
    for (int64_t w, cols; vectors > 0; vectors -= w) {
        w = vectors <= widest ? vectors : vectors <= 2 * widest ? (vectors + 1) / 2 : widest;
        cols = mik_min(w * F32Z_LANES, n);
        const int64_t last = cols - F32Z_LANES;
        if (w == 1 && last < 0)
            f32z_shallow_strip(&x, m, steps, 1, 1, f32z_first((int)cols), 0);
        else if (w == 1)
            f32z_shallow_strip(&x, m, steps, 1, 0, f32z_first(F32Z_LANES), last);
#if F32Z_WIDEST > 1
        else if (w == 2 && widest >= 2)
            f32z_shallow_strip(&x, m, steps, 2, 0, f32z_first(F32Z_LANES), last);
#endif
#if F32Z_WIDEST > 2
        else if (w == 3 && widest >= 3)
            f32z_shallow_strip(&x, m, steps, 3, 0, f32z_first(F32Z_LANES), last);
#endif
#if F32Z_WIDEST > 3
        else if (w == 4 && widest >= 4)
            f32z_shallow_strip(&x, m, steps, 4, 0, f32z_first(F32Z_LANES), last);
#endif
        x.b += cols;
        x.c += cols;
        n -= cols;
    }
}

/* At most a vector of columns. */
MIK_FOLDED MIK_AVX512 void f32z_slim(const mik_f32_tile *t, int64_t m, int64_t n, const int steps)
{
    if (F32Z_MASKS || n < F32Z_LANES)
        f32z_shallow_strip(t, m, steps, 1, 1, f32z_first((int)n), 0);
    else
        f32z_shallow_strip(t, m, steps, 1, 0, f32z_first(F32Z_LANES - 1), 0);
}
