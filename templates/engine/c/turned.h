/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Convolutions with channels first, roles exchanged: rows are pixels, which are read where they are, and columns are filters, which were
 * prepacked. Steps are taken channels last, so that taps are groups of steps, H * W elements apart. Outputs are turned round when tiles are
 * stored. (Zen 4, 3 x 3 filters, 7 x 7 to 56 x 56 pixels: 1.04 to 1.6 times as fast as from packed pixels.)
 */
#pragma once
#include "ahead.h"
#include "call.h"
#include "gather_jumps.h"
#include "gather_panels.h"

enum { MIK_F32_TURNED_STEPS = 16 }; /* neighbours that a jump should be followed by */

/* Are filters worth to be prepacked so? Of their steps the loops from `inner` on are neighbours. */
MIK_SHARED int mik_f32_turns(const mik_gather *filter, int inner)
{
    int64_t count[3] = {1, 1, 1}; /* filters, taps, neighbours */
    for (int i = 0; i < filter->lines + filter->steps; i++) {
        int64_t *const x = count + (i < filter->lines ? 0 : i < filter->lines + inner ? 1 : 2);
        *x = mik_min(*x * mik_min(filter->extent[i], INT32_MAX), INT32_MAX);
    }
    return count[2] >= MIK_F32_TURNED_STEPS && count[0] > MIK_F32_LINE; /* kernels of one vector do not jump */
}

/* Packs m filters of k steps. */
MIK_SHARED void mik_f32_pack_turned(const mik_gather *filter, int64_t m, int64_t k, mik_f32_panel *dst)
{
    for (int64_t n = 0, w; n < m && k > 0; n += w) {
        const int64_t pitch = mik_f32_ahead_width(m, n);
        w = mik_min(mik_f32_ahead_columns(m), m - n);
        if (w < pitch)
            memset(dst, 0, (size_t)(k * pitch) * sizeof *dst);
        mik_f32_gather_panels(filter, 0, n, w, 0, k, pitch, 0, dst);
        dst += k * pitch;
    }
}

/* Does it pay without jumps? Where vectors of a whole cache line are too little filled by so many pixels. (Zen 4, 1 x 1 filters, AVX-512: 1.04 times
   as fast for 14 x 14 pixels, 1.25 for 7 x 7, with stride 2 0.98 for 28 x 28; AVX2, 14 x 14 and 7 x 7: 0.82 to 0.99.) */
static int mik_f32_wastes(const mik_f32_isa *isa, int64_t pixels)
{
    return isa->lanes == MIK_F32_LINE && 100 * mik_round_up(pixels, isa->lanes) >= 106 * pixels;
}

/* Has the set a main kernel that jumps, over whole panels? */
static int mik_f32_has_jumps(const mik_f32_isa *isa)
{
    int any = 0;
    for (int nv = 2; nv <= isa->widest; nv++) {
        const mik_f32_variant *const v = isa->variants + isa->cover[1].main[nv];
        any |= isa->reach[nv] && MIK_F32_PASSES(v->mr, v->nv) && MIK_F32_AHEAD_COLUMNS % (nv * isa->lanes) == 0;
    }
    return any;
}

/* Exchanges the roles of a problem whose B is such an image, simplified; 0: they stay, since its pixels cannot be read in place, channels
   compete for few cache sets, or nothing is gained. */
MIK_SHARED int mik_f32_turn_problem(const mik_gather *image, mik_problem *p)
{
    const mik_problem q = *p;
    const int level = mik_isa(0, MIK_F32_NEEDS), plain = image->lines == 1 && image->steps == 1 && image->conditions == 0;
    const mik_f32_isa *const isa = level ? mik_f32_choose(level) : NULL;
    mik_jump_form form;
    mik_jumps_of(image, &form);
    if (plain)
        form = (mik_jump_form){.apart = image->move[0], .move = image->move[1]};
    if (!isa || p->batch == 0 || mik_f32_conflict(isa, form.move) || (!plain && (form.line == 0 || form.ends || !mik_f32_has_jumps(isa))))
        return 0;
    if (form.jumps == 0 && !mik_f32_wastes(isa, q.n))
        return 0;
    p->m = q.n, p->n = q.m;
    p->c_m = q.c_n, p->c_n = q.c_m;
    p->a_m = form.apart, p->a_k = form.move;
    p->a_in_place = plain;
    p->a_rows = !plain;
    p->a_jumps = form;
    mik_f32_take_ahead(p);
    return 1;
}

/* Some of the sums, as the operator's epilogue wants them: piece[j * rows + i] = t[i * ldt + j]. */
MIK_UNUSED MIK_SHARED void mik_f32_turn_sums(const mik_f32_acc *t, int64_t ldt, int64_t rows, int64_t cols, mik_f32_acc *piece)
{
    mik_f32_transpose(t, ldt, rows, cols, piece, rows);
}
