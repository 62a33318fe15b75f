/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Storing finished sums non-temporal stores. mik_stream: rows of bytes on their way from a buffer to an output that
 * no cache will hold. An ordinary store to a line that is in no cache reads it first; whole lines by non-temporal stores do not,
 * which halves the traffic. A line of which only a part is stored is one for ordinary stores. Memory takes lines more slowly
 * than kernels make them, so the caller hands on a little at a time, while it computes the next sums.
 */
#pragma once
#include "base.h"

enum { MIK_STREAM_BYTES = 4096 };            /* handed on at a time, where tiles have less */

/* What is left to be stored: `left` bytes of a row, from `from` to `to`, then `rows` more rows of `row` bytes, the steps apart. */
typedef struct {
    char *to;
    const char *from;
    int64_t left, rows, row, to_step, from_step;
} mik_stream;

#if MIK_X86
/* Whole lines; to is aligned to 64. */
__attribute__((target("avx"))) static void mik_stream_lines(char *to, const char *from, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += 64) {
        const __m256 x = _mm256_loadu_ps((const float *)(const void *)(from + i)),
                     y = _mm256_loadu_ps((const float *)(const void *)(from + i + 32));
        _mm256_stream_ps((float *)(void *)(to + i), x);
        _mm256_stream_ps((float *)(void *)(to + i + 32), y);
    }
}

/* The file may be compiled for processors that lack the instruction: only those call this that store such lines. */
__attribute__((target("avx"))) static void mik_stream_fence(void) { _mm_sfence(); }
#endif

/* Stores about `bytes` bytes; isa: as options.isa counts. */
static void mik_stream_some(mik_stream *s, int isa, int64_t bytes)
{
    while (s->left && bytes > 0) {
        const int64_t apart = (int64_t)((uintptr_t)s->to % 64);
        int64_t n = mik_min(s->left, 64 - apart);
#if MIK_X86
        if (n == 64 && MIK_RUNS(isa, avx2)) {
            n = mik_min(s->left / 64 * 64, mik_round_up(bytes, 64));
            mik_stream_lines(s->to, s->from, n);
        } else
#endif
            memcpy(s->to, s->from, (size_t)n);
        (void)isa;
        s->to += n, s->from += n;
        s->left -= n, bytes -= n;
        if (s->left == 0 && s->rows > 0) {
            s->to += s->to_step - s->row, s->from += s->from_step - s->row;
            s->left = s->row;
            s->rows--;
        }
    }
}

/* Stores the rest, then takes on `rows` rows of `row` bytes; rows next to each other are one. */
static void mik_stream_next(mik_stream *s, int isa, void *to, int64_t to_step, const void *from, int64_t from_step, int64_t rows,
                            int64_t row)
{
    mik_stream_some(s, isa, INT64_MAX / 2);
    if (row == to_step && row == from_step) {
        row *= rows;
        rows = 1;
    } else {
        /* The lines at their ends, which are read first. */
        mik_prefetch(to, rows, to_step, 1);
        mik_prefetch((char *)to + row - 1, rows, to_step, 1);
    }
    const mik_stream next = {to, from, row, rows - 1, row, to_step, from_step};
    *s = next;
}

/* Stores the rest, for others to see. */
static void mik_stream_end(mik_stream *s, int isa)
{
    mik_stream_some(s, isa, INT64_MAX / 2);
#if MIK_X86
    if (MIK_RUNS(isa, avx2))
        mik_stream_fence();
#endif
}
