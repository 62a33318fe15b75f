/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Gathered operands of a family: runs of elements, copied; lines of them, `pitch` apart. */
#pragma once
#include "gather_walk.h"
#include "types.h"

/* dst[i] = src[i * move] for from <= i < to, 0 for other i < n. */
static inline void mik_f32_put(mik_f32_acc *dst, const mik_f32_acc *src, int64_t n, int64_t from, int64_t to, int64_t move)
{
    int64_t i = 0;
    for (; i < from; i++)
        dst[i] = 0;
    if (move == 1 && to - i >= (MIK_F32_LINE / 4)) {
        for (; i + (MIK_F32_LINE / 2) <= to; i += (MIK_F32_LINE / 2))
            memcpy(dst + i, src + i, (MIK_F32_LINE / 2) * sizeof *dst);
        if (i + (MIK_F32_LINE / 4) <= to)
            memcpy(dst + i, src + i, (MIK_F32_LINE / 4) * sizeof *dst);
        memcpy(dst + to - (MIK_F32_LINE / 4), src + to - (MIK_F32_LINE / 4), (MIK_F32_LINE / 4) * sizeof *dst);
        i = to;
    }
    for (; i + 4 <= to; i += 4) {
        const mik_f32_acc x = src[i * move], y = src[(i + 1) * move], z = src[(i + 2) * move], u = src[(i + 3) * move];
        dst[i] = x, dst[i + 1] = y, dst[i + 2] = z, dst[i + 3] = u;
    }
    for (; i < to; i++)
        dst[i] = src[i * move];
    for (; i < n; i++)
        dst[i] = 0;
}

#if MIK_X86
/* Bits below bit n, of 32. */
static inline uint32_t mik_f32_below(int64_t n) { return (uint32_t)(((uint64_t)1 << mik_min(mik_max(n, 0), 32)) - 1); }

/* The same as mik_f32_put with masks instead of branches, for every other element too. */
MIK_AVX512
static inline void mik_f32_put_avx512(mik_f32_acc *dst, const mik_f32_acc *src, int64_t n, int64_t from, int64_t to, int64_t move)
{
    if (move == 1 && n >= MIK_F32_LINE && to - from == n) {
        for (int64_t i = 0; i + MIK_F32_LINE <= n; i += MIK_F32_LINE)
            _mm512_storeu_ps(dst + i, _mm512_loadu_ps(src + i));
        if (n % MIK_F32_LINE)
            _mm512_storeu_ps(dst + n - MIK_F32_LINE, _mm512_loadu_ps(src + n - MIK_F32_LINE));
        return;
    }
    if (move == 1 && to - from == n) {
        const __mmask16 all = (__mmask16)mik_f32_below(n);
        _mm512_mask_storeu_ps(dst, all, _mm512_maskz_loadu_ps(all, src));
        return;
    }
    if (move == 1) {
        for (int64_t i = 0; i < n; i += MIK_F32_LINE) {
            const __mmask16 read = (__mmask16)(mik_f32_below(to - i) & ~mik_f32_below(from - i));
            _mm512_mask_storeu_ps(dst + i, (__mmask16)mik_f32_below(n - i), _mm512_maskz_loadu_ps(read, src + i));
        }
        return;
    }
    if (move != 2) {
        mik_f32_put(dst, src, n, from, to, move);
        return;
    }
#if MIK_F32_TURN == 4
    const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
#else
    const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
#endif
    for (int64_t i = 0; i < n; i += MIK_F32_LINE) {
        /* Behind the last element that is read the row may end. */
        const uint32_t read = mik_f32_below(2 * (to - i) - 1) & ~mik_f32_below(2 * (from - i));
        const __m512 u = _mm512_maskz_loadu_ps((__mmask16)read, src + 2 * i);
        const __m512 v = _mm512_maskz_loadu_ps((__mmask16)(read >> MIK_F32_LINE), src + 2 * i + MIK_F32_LINE);
        _mm512_mask_storeu_ps(dst + i, (__mmask16)mik_f32_below(n - i), _mm512_permutex2var_ps(u, even, v));
    }
}
#endif

MIK_FOLDED void mik_f32_put_run(mik_f32_acc *dst, const mik_f32_acc *src, int64_t n, int64_t from, int64_t to, int64_t move,
                                const int masked)
{
#if MIK_X86
    if (masked) {
        mik_f32_put_avx512(dst, src, n, from, to, move);
        return;
    }
#endif
    (void)masked;
    mik_f32_put(dst, src, n, from, to, move);
}

/* dst[y * pitch + x] for `nx` iterations x, from x0, of the loops of s and `ny` iterations y, from y0, of those of t. Where
   all conditions hold for all x, which for a run of y is an interval, the runs of x are copied as they are. */
MIK_FOLDED void mik_f32_gather_of(const mik_gather *g, int64_t base, const mik_side *s, int64_t x0, int64_t nx, const mik_side *t,
                                  int64_t y0, int64_t ny, int64_t pitch, mik_f32_acc *dst, const int masked)
{
    const mik_f32_acc *array = g->array;
    const int64_t x1 = x0 + nx, y1 = y0 + ny;
    while (x0 < x1) {
        mik_run runs[MIK_RUNS], lines[MIK_LINES];
        int64_t low[MIK_CONDITIONS], unused[MIK_CONDITIONS], values[MIK_CONDITIONS];
        const int64_t start = x0;
        const int n = mik_runs(g, s, &x0, x1, runs, MIK_RUNS, low);
        mik_f32_acc *row = dst;
        for (int c = 0; c < g->conditions; c++)
            low[c] += g->least[c];
        for (int64_t y = y0; y < y1;) {
            const int m = mik_runs(g, t, &y, y1, lines, MIK_LINES, unused);
            for (const mik_run *line = lines; line < lines + m; line++) {
                int64_t first, last, at = base + line->at;
                mik_run_within(g, t, line, low, &first, &last);
                for (int64_t i = 0; i < line->length; i++, row += pitch, at += t->move) {
                    mik_f32_acc *to = row;
                    if (i >= first && i < last) {
                        for (const mik_run *r = runs; r < runs + n; to += r++->length)
                            mik_f32_put_run(to, array + (at + r->at), r->length, 0, r->length, s->move, masked);
                        continue;
                    }
                    const int64_t units = t->unit == 1 ? line->from + i : (line->from + i) / t->unit;
                    for (int c = 0; c < g->conditions; c++)
                        values[c] = g->least[c] + line->value[c] + t->slope[c] * units;
                    for (const mik_run *r = runs; r < runs + n; to += r++->length) {
                        int64_t from, stop;
                        mik_run_within(g, s, r, values, &from, &stop);
                        mik_f32_put_run(to, array + (from < stop ? at + r->at : 0), r->length, from, stop, s->move, masked);
                    }
                }
            }
        }
        dst += x0 - start;
    }
}

#if MIK_X86
MIK_APART MIK_AVX512 static void mik_f32_gather_avx512(const mik_gather *g, int64_t base, const mik_side *s, int64_t x0, int64_t nx,
                                                       const mik_side *t, int64_t y0, int64_t ny, int64_t pitch, mik_f32_acc *dst)
{
    mik_f32_gather_of(g, base, s, x0, nx, t, y0, ny, pitch, dst, 1);
}
#endif

MIK_APART static void mik_f32_gather_plainly(const mik_gather *g, int64_t base, const mik_side *s, int64_t x0, int64_t nx,
                                             const mik_side *t, int64_t y0, int64_t ny, int64_t pitch, mik_f32_acc *dst)
{
    mik_f32_gather_of(g, base, s, x0, nx, t, y0, ny, pitch, dst, 0);
}

static void mik_f32_gather(const mik_gather *g, int64_t base, const mik_side *s, int64_t x0, int64_t nx, const mik_side *t, int64_t y0,
                           int64_t ny, int64_t pitch, mik_f32_acc *dst)
{
#if MIK_X86
    if (mik_isa(0, 0) == MIK_NUMBER(avx512)) {
        mik_f32_gather_avx512(g, base, s, x0, nx, t, y0, ny, pitch, dst);
        return;
    }
#endif
    mik_f32_gather_plainly(g, base, s, x0, nx, t, y0, ny, pitch, dst);
}

/* `lines` lines by kc steps, each line contiguous, `pitch` apart. */
MIK_SHARED void mik_f32_gather_rows(const mik_gather *g, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc, int64_t pitch,
                                    mik_f32_acc *dst)
{
    mik_side s, t;
    mik_side_of(g, g->lines, g->steps, &s);
    mik_side_of(g, 0, g->lines, &t);
    mik_f32_gather(g, base, &s, k0, kc, &t, line, lines, pitch, dst);
}
