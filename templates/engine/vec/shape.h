/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What a shape has besides its vectors: masks as vectors of integers, all ones or all zeros in each lane. */
#pragma once
#include "lanes_config.h"

typedef P4_WIDEST maskp4 __attribute__((vector_size(P4_LANES * sizeof(P4_WIDEST))));

/* The first n lanes, 0 <= n; all if there are no more. */
MIK_INLINE MIK_LANES maskp4 maskp4_first(int64_t n)
{
    maskp4 lane = {0};
    for (int i = 0; i < P4_LANES; i++)
        lane[i] = i;
    return lane < (P4_WIDEST)n - (maskp4){0};
}
/* Is lane i among those that the mask names? */
MIK_INLINE MIK_LANES int maskp4_has(maskp4 where, int i) { return where[i] != 0; }
/* Each lane twice, of the lower half, of the upper one. */
MIK_INLINE MIK_LANES maskp4 maskp4_low_twice(maskp4 where)
{
    maskp4 twice = where;
    for (int i = 0; i < P4_LANES; i++)
        twice[i] = where[i / 2];
    return twice;
}
MIK_INLINE MIK_LANES maskp4 maskp4_high_twice(maskp4 where)
{
    maskp4 twice = where;
    for (int i = 0; i < P4_LANES; i++)
        twice[i] = where[(P4_LANES + i) / 2];
    return twice;
}
