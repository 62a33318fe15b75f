/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* AVX-512: floats as far from one another as a stride says, one by one. */
#pragma once
#include "types.h"

MIK_INLINE MIK_AVX512L f32z16 f32z16_load_each(const float *p, int64_t stride)
{
    const float *q = p + 4 * stride, *r = p + 8 * stride, *s = p + 12 * stride;
    const int64_t two = 2 * stride, three = 3 * stride;
    return (f32z16){p[0], p[stride], p[two], p[three], q[0], q[stride], q[two], q[three],
                    r[0], r[stride], r[two], r[three], s[0], s[stride], s[two], s[three]};
}
