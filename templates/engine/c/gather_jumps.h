/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Gathered operands whose innermost steps are neighbours under the same conditions: where these groups of steps lie, and in which lines they
   count. So tiles can read the operand where it is (jump_tiles.h). */
#pragma once
#include "gather_walk.h"

enum { MIK_JUMP_GROUPS = 64, MIK_JUMP_LINE = 4 };

/* The groups of steps of a line of lines (an iteration of all but the innermost of their loops) that count in some of its lines: in the lines
   from .. to - 1; where each begins in the array, counted from where the line does, and among these steps. */
typedef struct {
    int count;
    int64_t length, at[MIK_JUMP_GROUPS], step[MIK_JUMP_GROUPS], from[MIK_JUMP_GROUPS], to[MIK_JUMP_GROUPS];
} mik_jump_groups;

/* The groups of the line at w among kc steps from k0 on, at which groups begin. */
static void mik_find_jump_groups(const mik_gather *g, const mik_walk *w, int64_t k0, int64_t kc, mik_jump_groups *x)
{
    const int last = g->lines - 1, outer = g->steps - 1;
    mik_walk k;
    x->count = 0;
    x->length = g->extent[g->lines + outer];
    mik_walk_to(g, g->lines, outer, k0 / x->length, &k);
    for (int64_t step = 0; step < kc; step += x->length, mik_walk_on(g, g->lines, outer, &k)) {
        int64_t from = 0, to = g->extent[last];
        for (int c = 0; c < g->conditions; c++) {
            const int64_t v = g->least[c] + w->value[c] + k.value[c], slope = g->along[c][last];
            if (slope > 0)
                from = v >= 0 ? from : mik_max(from, slope == 1 ? -v : mik_ceil_div(-v, slope));
            else if (v < 0)
                to = 0;
            else if (slope < 0)
                to = mik_min(to, (slope == -1 ? v : v / -slope) + 1);
        }
        if (from >= to)
            continue;
        x->at[x->count] = k.at;
        x->step[x->count] = step;
        x->from[x->count] = from;
        x->to[x->count++] = to;
    }
}

/* Whether a simplified gather has this form, and what tiles do then: in a line in the middle. */
MIK_UNUSED MIK_SHARED void mik_jumps_of(const mik_gather *g, mik_jump_form *form)
{
    const int last = g->lines - 1, loops = g->lines + g->steps;
    int64_t groups = 1;
    mik_jump_groups x;
    mik_walk w;
    memset(form, 0, sizeof *form);
    if (g->lines == 0 || !mik_gathers_rows(g) || (g->lines == 1 && g->steps == 1 && g->conditions == 0))
        return;
    for (int i = 0; i < loops; i++)
        if (g->extent[i] <= 0)
            return;
    for (int c = 0; c < g->conditions; c++)
        if (g->along[c][loops - 1] != 0)
            return;
    for (int i = g->lines; i < loops - 1 && groups <= MIK_JUMP_GROUPS; i++)
        groups = mik_min(groups * mik_min(g->extent[i], MIK_JUMP_GROUPS + 1), MIK_JUMP_GROUPS + 1);
    if (groups > MIK_JUMP_GROUPS || g->extent[loops - 1] > UINT16_MAX / groups || g->extent[last] < MIK_JUMP_LINE)
        return;
    mik_walk_to(g, 0, last, 0, &w);
    for (int i = 0; i < last; i++)
        for (int c = 0; c < g->conditions; c++)
            w.value[c] += g->extent[i] / 2 * g->along[c][i];
    mik_find_jump_groups(g, &w, 0, groups * g->extent[loops - 1], &x);
    form->line = g->extent[last];
    form->steps = x.length;
    form->apart = g->move[last];
    for (int j = 0; j < x.count; j++) {
        form->jumps += j > 0 && x.at[j] != x.at[j - 1] + x.length;
        form->ends |= (x.from[j] > 1) | (x.to[j] < form->line - 1) << 1;
    }
}
