/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Pairs of floats that stay side by side. */
#pragma once
#include "floats.h"
#include "interleaved.h"

/* x - y in even lanes, x + y in odd ones. */
MIK_INLINE MIK_LANES f32p4 f32p4_sub_add(f32p4 x, f32p4 y)
{
    const i32p4 signs = f32p4_bits(f32p4_zip_low(f32p4_all(-0.0f), f32p4_all(0)));
    return x + f32p4_of_bits(f32p4_bits(y) ^ signs);
}
