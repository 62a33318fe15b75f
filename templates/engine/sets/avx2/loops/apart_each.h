/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX2: floats as far from one another as a stride says, one by one. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX2L f32y8 f32y8_load_each(const float *p, int64_t stride)
{
    const float *q = p + 4 * stride;
    const int64_t two = 2 * stride, three = 3 * stride;
    return (f32y8){p[0], p[stride], p[two], p[three], q[0], q[stride], q[two], q[three]};
}
