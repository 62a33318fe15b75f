/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Elements of 16 bits in memory to the floats of a panel: one, eight, sixteen of them. */
#pragma once
#include "float16.h"

/* One element of a panel. k, `have` and `plus`: as of families whose panels hold several elements of a line together. */
MIK_INLINE void mik_f32_pack_half_unit(const mik_f32_half *src, int64_t k, int64_t have, int plus, mik_f32_panel *dst)
{
    (void)k, (void)have, (void)plus;
    *dst = mik_half_to_float(*src);
}
