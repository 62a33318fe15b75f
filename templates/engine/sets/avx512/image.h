/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Panels of a gathered operand whose lines read on in the array: an image under a padding that keeps its width. Line l of step
 * (c, r, s) lies l elements behind line 0, whichever row of the image it is in, so that a vector of lines is one load under a mask. The
 * masks depend on r and s only: they are made once for a panel and serve every channel.
 */
#pragma once
#include "../../c/gather_walk.h"
#include "../../c/types.h"

#if MIK_X86
enum { MIK_F32_MASKS = 64, MIK_F32_MASK_WORDS = 4 };      /* steps with masks of their own; 64 lines each */

/* The steps behind which the masks repeat, and where they start: lines and, of each step of a period, where line 0 lies and
   which lines hold. */
typedef struct {
    mik_side lines;
    int inner, period;                            /* the first loop of a period; its iterations */
    int64_t at[MIK_F32_MASKS];
    uint64_t hold[MIK_F32_MASKS][MIK_F32_MASK_WORDS];
} mik_f32_image;

/* Whether a simplified gather is such an operand; then all but the masks. */
static int mik_f32_image_of(const mik_gather *g, mik_f32_image *m)
{
    const int last = g->lines - 1, end = g->lines + g->steps;
    int64_t period = 1;
    if (g->conditions == 0 || last < 0 || last > 1 || g->move[last] != 1 || (last && g->move[0] != g->extent[1]))
        return 0;
    for (m->inner = g->lines; m->inner < end; m->inner++) {
        int64_t any = 0;
        for (int c = 0; c < g->conditions; c++)
            any |= g->along[c][m->inner];
        if (any)
            break;
    }
    for (int i = m->inner; i < end; i++)
        period = period > MIK_F32_MASKS ? period : period * mik_min(g->extent[i], MIK_F32_MASKS + 1);
    m->period = (int)period;
    mik_side_of(g, 0, g->lines, &m->lines);
    return period <= MIK_F32_MASKS;
}

/* The masks of `used` lines from `line`; 0 when the lines are in too many rows of the image. */
MIK_APART static int mik_f32_image_masks(const mik_gather *g, int64_t line, int64_t used, mik_f32_image *m)
{
    mik_run runs[MIK_RUNS];
    int64_t unused[MIK_CONDITIONS], values[MIK_CONDITIONS], start = line;
    mik_walk w;
    const int n = mik_runs(g, &m->lines, &start, line + used, runs, MIK_RUNS, unused);
    if (start < line + used)
        return 0;
    mik_walk_to(g, m->inner, g->lines + g->steps - m->inner, 0, &w);
    memset(m->hold, 0, sizeof m->hold);
    for (int y = 0; y < m->period; y++) {
        m->at[y] = w.at;
        for (int c = 0; c < g->conditions; c++)
            values[c] = g->least[c] + w.value[c];
        int64_t first = 0;
        for (const mik_run *r = runs; r < runs + n; first += r++->length) {
            int64_t from, to;
            mik_run_within(g, &m->lines, r, values, &from, &to);
            for (int64_t i = first + from, stop; i < first + to; i = stop) {
                stop = mik_min(first + to, (i / 64 + 1) * 64);
                m->hold[y][i / 64] |= ~(uint64_t)0 >> (64 - (stop - i)) << i % 64;
            }
        }
        mik_walk_on(g, m->inner, g->lines + g->steps - m->inner, &w);
    }
    return 1;
}

/* One panel: `used` lines from `line`, kc steps from k0, `width` elements apart in dst. */
MIK_AVX512
static void mik_f32_image_panel(const mik_gather *g, const mik_f32_image *m, int64_t base, int64_t line, int64_t used, int64_t k0,
                                int64_t kc, int64_t width, mik_f32_acc *dst)
{
    const int outer = m->inner - g->lines;
    mik_walk w;
    mik_walk_to(g, g->lines, outer, k0 / m->period, &w);
    for (int64_t y = k0 % m->period; kc > 0; y = 0) {
        const int64_t stop = mik_min(y + kc, m->period);
        kc -= stop - y;
        for (; y < stop; y++, dst += width) {
            /* By numbers, for where the first line's element is outside of the array. */
            const uintptr_t from = (uintptr_t)g->array + (uintptr_t)(base + w.at + m->at[y] + line) * sizeof(mik_f32_acc);
            for (int64_t i = 0; i < used; i += MIK_F32_LINE) {
                const __mmask16 hold = (__mmask16)(m->hold[y][i / 64] >> i % 64);
                const __mmask16 store = (__mmask16)(i + MIK_F32_LINE <= used ? -1 : (1 << (used - i)) - 1);
                const mik_f32_acc *src = (const mik_f32_acc *)(from + (uintptr_t)i * sizeof(mik_f32_acc));
                _mm512_mask_storeu_ps(dst + i, store, _mm512_maskz_loadu_ps(hold, src));
            }
        }
        mik_walk_on(g, g->lines, outer, &w);
    }
}
#endif
