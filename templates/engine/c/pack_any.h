/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "widen_f32.h"

/* A panel of any strides. */
static void mik_f32_pack_half_any(const mik_f32_half *src, int64_t line, int64_t k, int64_t lines, int64_t kc, int64_t to, int plus,
                                  mik_f32_panel *dst)
{
    for (int64_t u = 0; u < kc; u += MIK_F32_UNIT)
        for (int64_t j = 0; j < lines; j++)
            mik_f32_pack_half_unit(src + j * line + u * k, k, kc - u, plus, dst + u * to + j * MIK_F32_UNIT);
}
