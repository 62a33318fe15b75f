/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Rows of gathered operands as they are in memory, for types that are converted afterwards. */
#pragma once
#include "gather_walk.h"

/* So many bytes by pieces of a size that compilers have moves for, the last of which overlaps the one before: runs are short, so that calls
   would cost more than what they copy. */
static inline void mik_copy_bytes(char *dst, const char *src, int64_t bytes)
{
    int64_t i = 0;
    if (bytes >= 16) {
        for (; i + 16 <= bytes; i += 16)
            memcpy(dst + i, src + i, 16);
        memcpy(dst + bytes - 16, src + bytes - 16, 16);
        return;
    }
    if (bytes >= 8) {
        memcpy(dst, src, 8);
        memcpy(dst + bytes - 8, src + bytes - 8, 8);
        return;
    }
    for (; i < bytes; i++)
        dst[i] = src[i];
}

#if MIK_X86
/* The same of at least 32 bytes. */
MIK_AVX2
static inline void mik_copy_bytes_avx2(char *dst, const char *src, int64_t bytes)
{
    for (int64_t i = 0; i + 32 <= bytes; i += 32)
        _mm256_storeu_si256((__m256i *)(void *)(dst + i), _mm256_loadu_si256((const __m256i *)(const void *)(src + i)));
    const __m256i last = _mm256_loadu_si256((const __m256i *)(const void *)(src + bytes - 32));
    _mm256_storeu_si256((__m256i *)(void *)(dst + bytes - 32), last);
}
#endif

MIK_FOLDED void mik_copy_run(char *dst, const char *src, int64_t bytes, const int wide)
{
#if MIK_X86
    if (wide && bytes >= 32) {
        mik_copy_bytes_avx2(dst, src, bytes);
        return;
    }
#endif
    (void)wide;
    mik_copy_bytes(dst, src, bytes);
}

/* A line's runs as the conditions leave them, `at` elements into the array, the line adding `values` to the conditions. */
static void mik_put_line(const mik_gather *g, const mik_side *s, int64_t size, const mik_run *runs, int n, int64_t at,
                         const int64_t *values, char *dst)
{
    for (const mik_run *r = runs; r < runs + n; dst += r++->length * size) {
        int64_t from, to;
        mik_run_within(g, s, r, values, &from, &to);
        const char *const src = (const char *)g->array + (from < to ? at + r->at : 0) * size;
        if (from > 0)
            memset(dst, 0, (size_t)(from * size));
        mik_copy_bytes(dst + from * size, src + from * size, (to - from) * size);
        if (to < r->length)
            memset(dst + to * size, 0, (size_t)((r->length - to) * size));
    }
}

/* See mik_gather_lines. Where all conditions hold for all steps, which for a run of lines is an interval, runs are copied as they are. */
MIK_FOLDED void mik_gather_lines_of(const mik_gather *g, int64_t size, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc,
                                    int64_t pitch, char *dst, const int wide)
{
    mik_side s, t;
    mik_side_of(g, g->lines, g->steps, &s);
    mik_side_of(g, 0, g->lines, &t);
    for (int64_t k = k0, start = k0; k < k0 + kc; dst += (k - start) * size, start = k) {
        mik_run runs[MIK_RUNS], rows[MIK_LINES];
        int64_t low[MIK_CONDITIONS], unused[MIK_CONDITIONS], values[MIK_CONDITIONS];
        const int n = mik_runs(g, &s, &k, k0 + kc, runs, MIK_RUNS, low);
        char *row = dst;
        for (int c = 0; c < g->conditions; c++)
            low[c] += g->least[c];
        for (int64_t y = line; y < line + lines;) {
            const int m = mik_runs(g, &t, &y, line + lines, rows, MIK_LINES, unused);
            for (const mik_run *l = rows; l < rows + m; l++) {
                int64_t first, last, at = base + l->at;
                mik_run_within(g, &t, l, low, &first, &last);
                for (int64_t i = 0; i < l->length; i++, row += pitch, at += t.move) {
                    char *to = row;
                    if (i >= first && i < last) {
                        for (const mik_run *r = runs; r < runs + n; to += r++->length * size)
                            mik_copy_run(to, (const char *)g->array + (at + r->at) * size, r->length * size, wide);
                        continue;
                    }
                    for (int c = 0; c < g->conditions; c++)
                        values[c] = g->least[c] + l->value[c] + t.slope[c] * ((l->from + i) / t.unit);
                    mik_put_line(g, &s, size, runs, n, at, values, to);
                }
            }
        }
    }
}

#if MIK_X86
MIK_APART MIK_AVX2 static void mik_gather_lines_avx2(const mik_gather *g, int64_t size, int64_t base, int64_t line, int64_t lines,
                                                     int64_t k0, int64_t kc, int64_t pitch, char *dst)
{
    mik_gather_lines_of(g, size, base, line, lines, k0, kc, pitch, dst, 1);
}

#endif
/* `lines` lines by kc steps of elements of so many bytes, each line contiguous, `pitch` bytes apart; mik_gathers_rows() holds. (Zen 4, in
   bytes, 224 x 224 x 3 by 7 x 7 filters, with all that follows: 1.63 ms by memcpy and memset, 0.95 so.) */
MIK_SHARED void mik_gather_lines(const mik_gather *g, int64_t size, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc,
                                 int64_t pitch, void *out)
{
#if MIK_X86
    if (mik_isa(MIK_NUMBER(avx2), 0) == MIK_NUMBER(avx2)) {
        mik_gather_lines_avx2(g, size, base, line, lines, k0, kc, pitch, out);
        return;
    }
#endif
    mik_gather_lines_of(g, size, base, line, lines, k0, kc, pitch, out, 0);
}
