/* Rows of gathered operands as they are in memory, for types that are converted afterwards. */
#pragma once
#include "gather_walk.h"

/* The part of a run of `bytes` between the two, zeros around it. */
static inline void mik_put_bytes(char *dst, const char *src, int64_t bytes, int64_t from, int64_t to)
{
    memset(dst, 0, (size_t)from);
    memcpy(dst + from, src + from, (size_t)(to - from));
    memset(dst + to, 0, (size_t)(bytes - to));
}

/* `lines` lines by kc steps of elements of so many bytes, each line contiguous, `pitch` bytes apart; mik_gathers_rows() holds. */
MIK_SHARED void mik_gather_lines(const mik_gather *g, int64_t size, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc,
                                 int64_t pitch, void *out)
{
    mik_side s, t;
    mik_side_of(g, g->lines, g->steps, &s);
    mik_side_of(g, 0, g->lines, &t);
    char *dst = out;
    for (int64_t k = k0, start = k0; k < k0 + kc; dst += (k - start) * size, start = k) {
        mik_run runs[MIK_RUNS], rows[MIK_LINES];
        int64_t low[MIK_CONDITIONS], unused[MIK_CONDITIONS], values[MIK_CONDITIONS];
        const int n = mik_runs(g, &s, &k, k0 + kc, runs, MIK_RUNS, low);
        char *row = dst;
        for (int64_t y = line; y < line + lines;) {
            const int m = mik_runs(g, &t, &y, line + lines, rows, MIK_LINES, unused);
            for (const mik_run *l = rows; l < rows + m; l++)
                for (int64_t i = 0; i < l->length; i++, row += pitch) {
                    char *to = row;
                    for (int c = 0; c < g->conditions; c++)
                        values[c] = g->least[c] + l->value[c] + t.slope[c] * ((l->from + i) / t.unit);
                    for (const mik_run *r = runs; r < runs + n; to += r++->length * size) {
                        int64_t first, stop;
                        mik_run_within(g, &s, r, values, &first, &stop);
                        const int64_t at = first < stop ? base + l->at + i * t.move + r->at : 0;
                        mik_put_bytes(to, (const char *)g->array + at * size, r->length * size, first * size, stop * size);
                    }
                }
        }
    }
}
