/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Operands whose elements lie, under conditions, where sums of multiples of loop counters say: an image under its padding. A stage
 * fills a mik_gather; what can be decided about it for the extents at hand is decided by mik_simplify_gather, after which the operand
 * may turn out to have plain strides..
 */
#pragma once
#include "gather_form.h"
#include "runtime.h"

/* Moves `count` loops from `from` down to `to`, without those of one iteration, and adjacent ones as one where they walk as
   one; the end of what is written. */
static int mik_fold_loops(mik_gather *g, int from, int count, int to)
{
    const int start = to;
    for (int i = from; i < from + count; i++) {
        if (g->extent[i] == 1)
            continue;
        int folds = to > start && g->move[to - 1] == g->extent[i] * g->move[i];
        for (int c = 0; folds && c < g->conditions; c++)
            folds = g->along[c][to - 1] == g->extent[i] * g->along[c][i];
        to -= folds;
        g->extent[to] = folds ? g->extent[to] * g->extent[i] : g->extent[i];
        g->move[to] = g->move[i];
        for (int c = 0; c < g->conditions; c++)
            g->along[c][to] = g->along[c][i];
        to++;
    }
    return to;
}

/* Drops conditions that always hold and folds loops, unless some loop does not run at all. */
MIK_SHARED void mik_simplify_gather(mik_gather *g)
{
    const int loops = g->lines + g->steps;
    int kept = 0;
    for (int i = 0; i < loops; i++)
        if (g->extent[i] <= 0)
            return;
    for (int c = 0; c < g->conditions; c++) {
        int64_t low = g->least[c];
        for (int i = 0; i < loops; i++)
            low += mik_min(g->along[c][i] * (g->extent[i] - 1), 0);
        if (low >= 0)
            continue;
        g->least[kept] = g->least[c];
        memmove(g->along[kept++], g->along[c], sizeof g->along[c]);
    }
    g->conditions = kept;
    const int lines = mik_fold_loops(g, 0, g->lines, 0);
    g->steps = mik_fold_loops(g, g->lines, g->steps, lines) - lines;
    g->lines = lines;
}

/* Whether the last of a simplified gather's steps are neighbours: its rows can be copied. */
MIK_UNUSED MIK_SHARED int mik_gathers_rows(const mik_gather *g) { return g->steps > 0 && g->move[g->lines + g->steps - 1] == 1; }
