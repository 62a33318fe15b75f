/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Gathered operands as panels: from an image by masks where that is possible, else run by run. */
#pragma once
#include "gather_runs.h"
#include "../sets/avx512/image.h"

/* `lines` lines by kc steps as panels of `size` lines: (line, k) at [k * width + line], where the panel's width is `size`, of
   the last one what remains if `tight`. */
MIK_SHARED void mik_f32_gather_panels(const mik_gather *g, int64_t base, int64_t line, int64_t lines, int64_t k0, int64_t kc, int64_t size,
                                      int tight, mik_f32_acc *dst)
{
    if (size == 1) {
        mik_f32_gather_rows(g, base, line, lines, k0, kc, kc, dst);
        return;
    }
    mik_side s, t;
    mik_side_of(g, 0, g->lines, &s);
    mik_side_of(g, g->lines, g->steps, &t);
#if MIK_X86
    mik_f32_image image;
    const int masked = mik_isa(0, 0) == MIK_NUMBER(avx512) && size <= 64 * MIK_F32_MASK_WORDS && mik_f32_image_of(g, &image);
#endif
    for (int64_t i = 0; i < lines; i += size) {
        const int64_t used = mik_min(size, lines - i), width = tight ? used : size;
#if MIK_X86
        if (masked && mik_f32_image_masks(g, line + i, used, &image)) {
            mik_f32_image_panel(g, &image, base, line + i, used, k0, kc, width, dst);
            dst += width * kc;
            continue;
        }
#endif
        mik_f32_gather(g, base, &s, line + i, used, &t, k0, kc, width, dst);
        dst += width * kc;
    }
}
