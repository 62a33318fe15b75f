/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Elements as far from one another as a stride says, one by one: compilers do that in registers only if all are named. */
#pragma once
#include "../sets/avx2/loops/float.h"
#include "../sets/avx512/loops/float.h"
#include "integer.h"

MIK_INLINE MIK_LANES f32p4 f32p4_load_apart(const float *p, int64_t stride)
{
    return (f32p4){p[0], p[stride], p[2 * stride], p[3 * stride]};
}
MIK_INLINE MIK_AVX2L f32y8 f32y8_load_apart(const float *p, int64_t stride)
{
    const float *q = p + 4 * stride;
    const int64_t two = 2 * stride, three = 3 * stride;
    return (f32y8){p[0], p[stride], p[two], p[three], q[0], q[stride], q[two], q[three]};
}
MIK_INLINE MIK_AVX512L f32z16 f32z16_load_apart(const float *p, int64_t stride)
{
    const float *q = p + 4 * stride, *r = p + 8 * stride, *s = p + 12 * stride;
    const int64_t two = 2 * stride, three = 3 * stride;
    return (f32z16){p[0], p[stride], p[two], p[three], q[0], q[stride], q[two], q[three],
                    r[0], r[stride], r[two], r[three], s[0], s[stride], s[two], s[three]};
}
