/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Gathered operands whose innermost steps lie equally far apart under the same conditions: where these groups of steps lie, and in which lines they
   count. So tiles can read the operand where it is (jump_tiles.h). */
#pragma once
#include "gather_walk.h"

enum { MIK_JUMP_TAPS = 256, MIK_JUMP_GROUPS = 64, MIK_JUMP_LINE = 4 };

/* The groups of steps of a line of lines (an iteration of all but the innermost of their loops) that count in some of its lines: in the lines
   from .. to - 1; their length, where each begins in the array, counted from where the line does, and among these steps. Neighbours that
   count in the same lines are one. count < 0: they are too many. move: from step to step. key: what conditions say of the line; two with the
   same have the same groups. */
typedef struct {
    int count;
    int64_t move, k0, kc, key[MIK_CONDITIONS];
    int64_t length[MIK_JUMP_GROUPS], at[MIK_JUMP_GROUPS], step[MIK_JUMP_GROUPS], from[MIK_JUMP_GROUPS], to[MIK_JUMP_GROUPS];
} mik_jump_groups;

/* Adds `length` steps from `step` on, at A's element `at`, that count in the lines from .. to - 1. 0: there is no room. */
static int mik_add_jump_group(mik_jump_groups *x, int64_t length, int64_t at, int64_t step, int64_t from, int64_t to)
{
    const int n = x->count, i = n - 1;
    if (n > 0 && x->at[i] + x->length[i] * x->move == at && x->step[i] + x->length[i] == step && x->from[i] == from && x->to[i] == to) {
        x->length[i] += length;
        return 1;
    }
    if (n == MIK_JUMP_GROUPS)
        return 0;
    x->length[n] = length;
    x->at[n] = at;
    x->step[n] = step;
    x->from[n] = from;
    x->to[n] = to;
    x->count = n + 1;
    return 1;
}

/* Sets the key of the line at w; is it another one? A condition that all steps meet in all lines says nothing else. */
static int mik_set_jump_key(const mik_gather *g, const mik_walk *w, mik_jump_groups *x)
{
    int64_t changes = 0;
    for (int c = 0; c < g->conditions; c++) {
        const int64_t v = g->least[c] + w->value[c];
        int64_t low = g->along[c][g->lines - 1] == 0 ? v : -1;
        for (int i = g->lines; i < g->lines + g->steps && low >= 0; i++)
            low += mik_min(g->along[c][i] * (g->extent[i] - 1), 0);
        const int64_t key = low >= 0 ? INT64_MAX : v;
        changes |= x->key[c] ^ key;
        x->key[c] = key;
    }
    return changes != 0;
}

/* The groups of the line at w among kc steps from k0 on, at which groups begin; x has those of another line, or count 0 and kc 0. Are they other ones? */
static int mik_find_jump_groups(const mik_gather *g, const mik_walk *w, int64_t k0, int64_t kc, mik_jump_groups *x)
{
    const int last = g->lines - 1, outer = g->steps - 1;
    const int64_t length = g->extent[g->lines + outer];
    mik_walk k;
    if (!mik_set_jump_key(g, w, x) && x->k0 == k0 && x->kc == kc)
        return 0;
    x->count = 0;
    x->move = g->move[g->lines + outer];
    x->k0 = k0;
    x->kc = kc;
    mik_walk_to(g, g->lines, outer, k0 / length, &k);
    for (int64_t step = 0; step < kc; step += length, mik_walk_on(g, g->lines, outer, &k)) {
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
        if (from < to && !mik_add_jump_group(x, length, k.at, step, from, to)) {
            x->count = -1;
            return 1;
        }
    }
    return 1;
}

/* Whether a simplified gather has this form, and what tiles do then: in a line in the middle. */
MIK_UNUSED MIK_SHARED void mik_jumps_of(const mik_gather *g, mik_jump_form *form)
{
    const int last = g->lines - 1, loops = g->lines + g->steps;
    int64_t groups = 1;
    mik_jump_groups x = {.kc = 0};
    mik_walk w;
    memset(form, 0, sizeof *form);
    if (g->lines == 0 || g->steps == 0 || g->move[loops - 1] == 0 || (g->lines == 1 && g->steps == 1 && g->conditions == 0))
        return;
    for (int i = 0; i < loops; i++)
        if (g->extent[i] <= 0)
            return;
    for (int c = 0; c < g->conditions; c++)
        if (g->along[c][loops - 1] != 0)
            return;
    for (int i = g->lines; i < loops - 1 && groups <= MIK_JUMP_TAPS; i++)
        groups = mik_min(groups * mik_min(g->extent[i], MIK_JUMP_TAPS + 1), MIK_JUMP_TAPS + 1);
    if (groups > MIK_JUMP_TAPS || g->extent[loops - 1] > UINT16_MAX / groups || g->extent[last] < MIK_JUMP_LINE)
        return;
    mik_walk_to(g, 0, last, 0, &w);
    for (int i = 0; i < last; i++)
        for (int c = 0; c < g->conditions; c++)
            w.value[c] += g->extent[i] / 2 * g->along[c][i];
    mik_find_jump_groups(g, &w, 0, groups * g->extent[loops - 1], &x);
    if (x.count < 0)
        return;
    form->line = g->extent[last];
    form->steps = g->extent[loops - 1];
    form->apart = g->move[last];
    form->move = x.move;
    for (int j = 0; j < x.count; j++) {
        form->jumps += j > 0 && x.at[j] != x.at[j - 1] + x.length[j - 1] * x.move;
        form->ends |= (x.from[j] > 1) | (x.to[j] < form->line - 1) << 1;
    }
}
